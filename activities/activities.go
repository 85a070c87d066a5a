package activities

import (
	"context"
	"encoding/json"
	"fmt"

	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Activities holds what the steps of a distillation depend on.
type Activities struct {
	Store    *store.Store
	LLM      *llm.Cached
	Compiler *compile.Toolchain
	Temporal client.Client // asked once per run which search attributes the server knows
	Kernels  string        // numeric kernels of this process, as tensorops.Identity.ID names them
	cache    *cache
}

// New returns activities over the given parts, which keep so many bytes of decoded shards, scores and programs in memory.
func New(s *store.Store, l *llm.Cached, c *compile.Toolchain, t client.Client, memory int64) *Activities {
	return &Activities{Store: s, LLM: l, Compiler: c, Temporal: t, Kernels: tensorops.CurrentIdentity().ID(), cache: newCache(memory)}
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
		return fmt.Errorf("%s: %w: %w", ref.Key(), err, errUnreadable)
	}
	return nil
}
