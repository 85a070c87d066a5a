package activities

import (
	"container/list"
	"sync"

	"golang.org/x/sync/singleflight"
)

// cache keeps decoded objects by key, least recently used out first, within a limit in bytes. Concurrent loads of
// one key happen once. Values are shared: nobody changes them.
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
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

// through returns the value under key, loading it when it is not there. load also returns the value's size in bytes.
func through[T any](c *cache, key string, load func() (T, int64, error)) (T, error) {
	if v, ok := c.get(key); ok {
		return v.(T), nil
	}
	v, err, _ := c.loads.Do(key, func() (any, error) {
		if v, ok := c.get(key); ok {
			return v, nil
		}
		v, size, err := load()
		if err != nil {
			return nil, err
		}
		c.put(key, v, size)
		return v, nil
	})
	if err != nil {
		var zero T
		return zero, err
	}
	return v.(T), nil
}

func (c *cache) get(key string) (any, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).value, true
}

func (c *cache) put(key string, value any, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKey[key] = c.order.PushFront(&cached{key, value, size})
	c.size += size
	for c.size > c.limit && c.order.Len() > 1 {
		last := c.order.Remove(c.order.Back()).(*cached)
		delete(c.byKey, last.key)
		c.size -= last.size
	}
}
