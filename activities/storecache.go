package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/store"
)

// StoreCache keeps in the store, by key, what need not be paid for or made a second time.
type StoreCache struct {
	store *store.Store
	name  func(key string) string // of the object
}

// AnswerCache keeps LLM answers under the hash of their request.
func AnswerCache(s *store.Store) StoreCache { return StoreCache{s, answerKey} }

func answerKey(key string) string { return "llm/" + key + ".json" }

// ProgramCache keeps compiled programs, so that a worker need not build what another one has built.
func ProgramCache(s *store.Store) StoreCache {
	return StoreCache{s, func(key string) string { return "wasm/" + key + ".wasm" }}
}

// Get returns what is stored under a key, if anything is.
func (c StoreCache) Get(ctx context.Context, key string) ([]byte, bool, error) {
	data, err := c.store.GetKey(ctx, c.name(key))
	if isNotFound(err) {
		return nil, false, nil
	}
	return data, err == nil, err
}

// Put stores data under a key; the first one stays.
func (c StoreCache) Put(ctx context.Context, key string, data []byte) error {
	_, err := c.store.PutKeyIfAbsent(ctx, c.name(key), data)
	return err
}
