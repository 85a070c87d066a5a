package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/store"
)

// AnswerCache keeps LLM answers in the store under the hash of their request.
type AnswerCache struct{ Store *store.Store }

func answerKey(key string) string { return "llm/" + key + ".json" }

// Get returns the record of a request, if there is one.
func (c AnswerCache) Get(ctx context.Context, key string) ([]byte, bool, error) {
	return lookUp(ctx, c.Store, answerKey(key))
}

// Put stores a record; the first one stays.
func (c AnswerCache) Put(ctx context.Context, key string, data []byte) error {
	_, err := c.Store.PutKeyIfAbsent(ctx, answerKey(key), data)
	return err
}

// ProgramCache keeps compiled programs in the store, so that a worker need not build what another one has built.
type ProgramCache struct{ Store *store.Store }

func programKey(key string) string { return "wasm/" + key + ".wasm" }

// Get returns a compiled program, if there is one.
func (c ProgramCache) Get(ctx context.Context, key string) ([]byte, bool, error) {
	return lookUp(ctx, c.Store, programKey(key))
}

// Put stores a compiled program; the first one stays.
func (c ProgramCache) Put(ctx context.Context, key string, wasm []byte) error {
	_, err := c.Store.PutKeyIfAbsent(ctx, programKey(key), wasm)
	return err
}

func lookUp(ctx context.Context, s *store.Store, key string) ([]byte, bool, error) {
	data, err := s.GetKey(ctx, key)
	if isNotFound(err) {
		return nil, false, nil
	}
	return data, err == nil, err
}
