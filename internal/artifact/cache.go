package artifact

import (
	"container/list"
	"context"
	"errors"
	"sync"

	"golang.org/x/sync/singleflight"
)

// cache keeps decoded objects by key within a limit in bytes. If there is no room, it removes the least recently used
// one. Concurrent loads of one key run once. Values are shared, so callers must not change them. A value that must be
// closed is borrowed. It is closed after it has left the memory and every borrower has given it back.
type cache struct {
	limit int64

	mu    sync.Mutex
	size  int64
	order *list.List // of *entry, most recent first
	byKey map[string]*list.Element
	loads singleflight.Group
}

// entry is one object in memory.
type entry struct {
	key   string
	value any
	size  int64
	users int // its borrowers, plus one for the memory that holds it
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

// through returns the value under key. If it is not there, load makes it and returns its size in bytes.
func through[T any](ctx context.Context, m *cache, key string, load func() (T, int64, error)) (T, error) {
	v, giveBack, err := borrow(ctx, m, key, load)
	if err == nil {
		giveBack()
	}
	return v, err
}

// Keep returns the value under key from the store's memory. If it is not there, make makes it and returns its size in
// bytes. The value is shared, so callers must not change it.
func Keep[T any](ctx context.Context, s *Store, key string, make func() (T, int64, error)) (T, error) {
	return through(ctx, s.memory, key, make)
}

// borrow is through for a value that must be closed. The value stays open until the caller calls giveBack. A load that
// another caller began and that ended with that caller's context is begun again, unless ctx has ended too.
func borrow[T any](
	ctx context.Context, m *cache, key string, load func() (T, int64, error),
) (value T, giveBack func(), err error) {
	for {
		if e := m.get(key); e != nil {
			return e.value.(T), func() { m.drop(e) }, nil
		}
		own := false
		_, err, _ := m.loads.Do(key, func() (any, error) {
			own = true
			if e := m.get(key); e != nil { // another goroutine has loaded it
				m.drop(e)
				return nil, nil
			}
			v, size, err := load()
			if err == nil {
				m.put(key, v, size)
			}
			return nil, err
		})
		ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
		if err != nil && (own || !ended || ctx.Err() != nil) {
			return value, nil, err
		}
	}
}

// grow lets the memory have more bytes beside those in use, unless its limit allows that already. It returns the limit.
func (m *cache) grow(more int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limit = max(m.limit, m.size+more)
	return m.limit
}

// get returns the entry under key, with one more user, or nil.
func (m *cache) get(key string) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.byKey[key]
	if !ok {
		return nil
	}
	m.order.MoveToFront(at)
	e := at.Value.(*entry)
	e.users++
	return e
}

// has reports whether there is a value under key.
func (m *cache) has(key string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.byKey[key] != nil
}

// put adds an entry. It removes the least recently used ones until the rest fits.
func (m *cache) put(key string, value any, size int64) {
	var out []*entry
	m.mu.Lock()
	m.byKey[key] = m.order.PushFront(&entry{key: key, value: value, size: size, users: 1})
	m.size += size
	for m.size > m.limit && m.order.Len() > 1 {
		last := m.order.Remove(m.order.Back()).(*entry)
		delete(m.byKey, last.key)
		m.size -= last.size
		out = append(out, last)
	}
	m.mu.Unlock()
	for _, e := range out {
		m.drop(e)
	}
}

// drop takes one user away from an entry. When the last one has gone, a value that can be closed is closed.
func (m *cache) drop(e *entry) {
	m.mu.Lock()
	e.users--
	last := e.users == 0
	m.mu.Unlock()
	if closer, ok := e.value.(interface{ Close() }); ok && last {
		closer.Close()
	}
}
