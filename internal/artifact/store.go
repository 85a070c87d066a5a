package artifact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/memory"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Store is an object store with types. It is safe for use by several goroutines. Values that it returns may be shared,
// so callers must not change them, except those that GetJSON, Bank, Heuristic and Trainer return.
type Store struct {
	*store.Store
	Compiler *compile.Toolchain
	Kernels  tensorops.Identity // numeric kernels of this process

	// Remake makes a lost shard again from the recipe that is stored beside it (see Once). If Remake is nil, lost
	// shards stay lost.
	Remake func(ctx context.Context, recipe []byte) (*rollout.Shard, error)

	memory   *cache // of decoded shards, scores and programs
	features *cache // of named features: student.Memo
	filed    *cache // of those in files of the folder scratch, none before Scratch names it
	scratch  string
}

// New returns a store over objects. It keeps at most the given bytes of decoded shards, scores and programs in memory,
// and as many of named features as memory.ForFeatures says.
func New(objects *store.Store, c *compile.Toolchain, kernels tensorops.Identity, bytes int64) *Store {
	return &Store{
		Store: objects, Compiler: c, Kernels: kernels, memory: newCache(bytes),
		features: newCache(memory.ForFeatures(bytes)), filed: newCache(0),
	}
}

// ErrUnreadable marks content that is undamaged but cannot be read.
var ErrUnreadable = errors.New("written by another version of EPB?")

// PutJSON stores v as an object.
func (s *Store) PutJSON(ctx context.Context, v any) (store.Ref, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return store.Ref{}, err
	}
	return s.Put(ctx, data)
}

// GetJSON reads the object ref into v.
func (s *Store) GetJSON(ctx context.Context, ref store.Ref, v any) error {
	data, err := s.Get(ctx, ref)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w: %w", ref.Key(), err, ErrUnreadable)
	}
	return nil
}

// GetAll reads several objects of one type, in the order of their references.
func GetAll[T any](ctx context.Context, s *Store, refs []store.Ref) ([]T, error) {
	out := make([]T, len(refs))
	for i, ref := range refs {
		if err := s.GetJSON(ctx, ref, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
