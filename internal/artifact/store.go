package artifact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Store is an object store with types. It is safe for use by several goroutines. Values that it returns may be shared:
// nobody changes them, but for those that GetJSON, Bank, Heuristic and Trainer return.
type Store struct {
	*store.Store
	Compiler *compile.Toolchain
	Kernels  tensorops.Identity // numeric kernels of this process

	// Remake makes a lost shard again, by the recipe that it was kept with (see Once). Without it the loss remains.
	Remake func(ctx context.Context, recipe []byte) (*rollout.Shard, error)

	memory *memory
}

// New returns a store over objects, which keeps at most so many bytes of decoded shards, scores and programs in memory.
func New(objects *store.Store, c *compile.Toolchain, kernels tensorops.Identity, bytes int64) *Store {
	return &Store{Store: objects, Compiler: c, Kernels: kernels, memory: newMemory(bytes)}
}

// ErrUnreadable marks content that is what was stored, and yet cannot be read.
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

// GetAll reads many objects of one type, in the order of their references.
func GetAll[T any](ctx context.Context, s *Store, refs []store.Ref) ([]T, error) {
	out := make([]T, len(refs))
	for i, ref := range refs {
		if err := s.GetJSON(ctx, ref, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
