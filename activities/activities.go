package activities

import (
	"context"
	"encoding/json"
	"fmt"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
	"github.com/epb-nco/epb/workflows"
)

// Activities holds what the steps of a distillation depend on.
type Activities struct {
	Store    *store.Store
	LLM      *llm.Cached
	Compiler *compile.Toolchain
	Temporal client.Client // asked once per run which search attributes the server knows
	cache    *cache
}

// CacheBytes bounds what a worker keeps in memory of decoded shards and scores.
const CacheBytes = 8 << 30

// New returns activities over the given parts.
func New(s *store.Store, l *llm.Cached, c *compile.Toolchain, t client.Client) *Activities {
	return &Activities{Store: s, LLM: l, Compiler: c, Temporal: t, cache: newCache(CacheBytes)}
}

// badInput marks an error as the user's to mend: it is not retried.
func badInput(err error) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), workflows.ErrBadInput, nil)
}

// putJSON stores v as an object.
func (a *Activities) putJSON(ctx context.Context, v any) (store.Ref, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return store.Ref{}, err
	}
	return a.Store.Put(ctx, data)
}

// getJSON reads the object ref into v.
func (a *Activities) getJSON(ctx context.Context, ref store.Ref, v any) error {
	data, err := a.Store.Get(ctx, ref)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("object %s: %w", ref.Hash, err)
	}
	return nil
}
