package artifact

import (
	"container/list"
	"sync"

	"golang.org/x/sync/singleflight"
)

// memory keeps decoded objects by key within a limit in bytes; the least recently used one goes first. Concurrent loads
// of one key happen once. Values are shared: nobody changes them. A value that must be closed is borrowed; it is closed
// when it has gone and its last borrower has given it back.
type memory struct {
	limit int64

	mu    sync.Mutex
	size  int64
	order *list.List // of *entry, most recent first
	byKey map[string]*list.Element
	loads singleflight.Group
}

type entry struct {
	key   string
	value any
	size  int64
	users int // its borrowers, and the memory while it is in there
}

func newMemory(limit int64) *memory {
	return &memory{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

// through returns the value under key, loading it when it is not there. load also returns the value's size in bytes.
func through[T any](c *memory, key string, load func() (T, int64, error)) (T, error) {
	v, giveBack, err := borrow(c, key, load)
	if err == nil {
		giveBack()
	}
	return v, err
}

// borrow is through for a value that must be closed: it stays open until giveBack is called.
func borrow[T any](c *memory, key string, load func() (T, int64, error)) (value T, giveBack func(), err error) {
	for {
		if e := c.get(key); e != nil {
			return e.value.(T), func() { c.drop(e) }, nil
		}
		_, err, _ := c.loads.Do(key, func() (any, error) {
			if e := c.get(key); e != nil { // loaded since
				c.drop(e)
				return nil, nil
			}
			v, size, err := load()
			if err == nil {
				c.put(key, v, size)
			}
			return nil, err
		})
		if err != nil {
			return value, nil, err
		}
	}
}

// get returns the entry under key, with one more user, or nil.
func (c *memory) get(key string) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[key]
	if !ok {
		return nil
	}
	c.order.MoveToFront(at)
	e := at.Value.(*entry)
	e.users++
	return e
}

// put adds an entry and lets others go until all fit.
func (c *memory) put(key string, value any, size int64) {
	var out []*entry
	c.mu.Lock()
	c.byKey[key] = c.order.PushFront(&entry{key: key, value: value, size: size, users: 1})
	c.size += size
	for c.size > c.limit && c.order.Len() > 1 {
		last := c.order.Remove(c.order.Back()).(*entry)
		delete(c.byKey, last.key)
		c.size -= last.size
		out = append(out, last)
	}
	c.mu.Unlock()
	for _, e := range out {
		c.drop(e)
	}
}

// drop takes one user away; the last one closes what can be closed.
func (c *memory) drop(e *entry) {
	c.mu.Lock()
	e.users--
	last := e.users == 0
	c.mu.Unlock()
	if closer, ok := e.value.(interface{ Close() }); ok && last {
		closer.Close()
	}
}
