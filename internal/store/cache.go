package store

import (
	"context"
	"errors"
	"log/slog"
)

// Cache keeps results in the store by key, so that they are paid for or computed only once.
type Cache struct {
	name  func(key string) string // of the object
	get   func(ctx context.Context, name string) ([]byte, error)
	put   func(ctx context.Context, name string, data []byte) error
	after string // what becomes of an object that is damaged
}

// AnswerCache keeps LLM answers under the hash of their request. The first one stays, unless it is damaged.
func AnswerCache(s *Store) Cache {
	put := func(ctx context.Context, name string, data []byte) error {
		_, err := s.PutKeyIfAbsent(ctx, name, data)
		return err
	}
	return Cache{answerKey, s.GetKey, put, "asked again, which costs another call"}
}

func answerKey(key string) string { return "llm/" + key + ".json" }

// ProgramCache keeps compiled programs, so that a worker need not build what another one has built.
func ProgramCache(s *Store) Cache {
	return Cache{func(key string) string { return "wasm/" + key + ".wasm" }, s.GetDerived, s.PutKey, "compiled again"}
}

// Get returns the object under a key, unless it is missing or damaged.
func (c Cache) Get(ctx context.Context, key string) ([]byte, bool, error) {
	name := c.name(key)
	data, err := c.get(ctx, name)
	if IsLost(err) {
		LogDamage(ctx, name, err, c.after)
		return nil, false, nil
	}
	return data, err == nil, err
}

// Put stores data under a key.
func (c Cache) Put(ctx context.Context, key string, data []byte) error {
	return c.put(ctx, c.name(key), data)
}

// LogDamage logs a damaged object and what is done about it. It does not log a missing object.
func LogDamage(ctx context.Context, key string, lost error, after string) {
	if errors.Is(lost, ErrDamaged) {
		slog.WarnContext(ctx, "an object is damaged", "key", key, "damage", lost, "fate", after)
	}
}
