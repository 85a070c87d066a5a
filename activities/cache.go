package activities

import (
	"container/list"
	"sync"

	"golang.org/x/sync/singleflight"
)

// cache keeps decoded objects by key, least recently used out first, within a limit in bytes. Concurrent loads of
// one key happen once. Values are shared: nobody changes them. One that must be closed is borrowed, and closed when it is out and
// the last borrower has given it back.
type cache struct {
	limit int64

	mu    sync.Mutex
	size  int64
	order *list.List // of *cached, most recent first
	byKey map[string]*list.Element
	loads singleflight.Group
}

type cached struct {
	key   string
	value any
	size  int64
	users int // who borrowed it, and the cache while it is in there
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

// through returns the value under key, loading it when it is not there. load also returns the value's size in bytes.
func through[T any](c *cache, key string, load func() (T, int64, error)) (T, error) {
	v, giveBack, err := borrow(c, key, load)
	if err == nil {
		giveBack()
	}
	return v, err
}

// borrow is through for a value that must be closed: it stays open until giveBack is called.
func borrow[T any](c *cache, key string, load func() (T, int64, error)) (value T, giveBack func(), err error) {
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
func (c *cache) get(key string) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[key]
	if !ok {
		return nil
	}
	c.order.MoveToFront(at)
	e := at.Value.(*cached)
	e.users++
	return e
}

// put adds an entry and lets others go until all fit.
func (c *cache) put(key string, value any, size int64) {
	var out []*cached
	c.mu.Lock()
	c.byKey[key] = c.order.PushFront(&cached{key: key, value: value, size: size, users: 1})
	c.size += size
	for c.size > c.limit && c.order.Len() > 1 {
		last := c.order.Remove(c.order.Back()).(*cached)
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
func (c *cache) drop(e *cached) {
	c.mu.Lock()
	e.users--
	last := e.users == 0
	c.mu.Unlock()
	if closer, ok := e.value.(interface{ Close() }); ok && last {
		closer.Close()
	}
}
