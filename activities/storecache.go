package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/store"
)

// StoreCache keeps in the store, by key, what need not be paid for or made a second time.
type StoreCache struct {
	name func(key string) string // of the object
	get  func(ctx context.Context, name string) ([]byte, error)
	put  func(ctx context.Context, name string, data []byte) error
	lost string // what becomes of an object that is damaged
}

// AnswerCache keeps LLM answers under the hash of their request. The first one stays, unless it is damaged.
func AnswerCache(s *store.Store) StoreCache {
	put := func(ctx context.Context, name string, data []byte) error {
		_, err := s.PutKeyIfAbsent(ctx, name, data)
		return err
	}
	return StoreCache{answerKey, s.GetKey, put, "asked again, which costs another call"}
}

func answerKey(key string) string { return "llm/" + key + ".json" }

// ProgramCache keeps compiled programs, so that a worker need not build what another one has built.
func ProgramCache(s *store.Store) StoreCache {
	return StoreCache{func(key string) string { return "wasm/" + key + ".wasm" }, s.GetDerived, s.PutKey, "compiled again"}
}

// Get returns what is stored under a key, if anything sound is.
func (c StoreCache) Get(ctx context.Context, key string) ([]byte, bool, error) {
	name := c.name(key)
	data, err := c.get(ctx, name)
	if isLost(err) {
		mourn(ctx, name, err, c.lost)
		return nil, false, nil
	}
	return data, err == nil, err
}

// Put stores data under a key.
func (c StoreCache) Put(ctx context.Context, key string, data []byte) error {
	return c.put(ctx, c.name(key), data)
}
