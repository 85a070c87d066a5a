package activities

import (
	"go.temporal.io/sdk/client"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/llm"
	"github.com/epb-nco/epb/internal/store"
	"github.com/epb-nco/epb/tensorops"
	"github.com/epb-nco/epb/wasm-heuristics/compile"
)

// Activities holds what the steps of a distillation depend on.
type Activities struct {
	Store    *artifact.Store
	LLM      *llm.Cached
	Temporal client.Client // asked once per run which search attributes the server knows
}

// New returns activities over the given parts, which keep so many bytes of decoded shards, scores and programs in memory.
func New(s *store.Store, l *llm.Cached, c *compile.Toolchain, t client.Client, memory int64) *Activities {
	a := &Activities{Store: artifact.New(s, c, tensorops.CurrentIdentity().ID(), memory), LLM: l, Temporal: t}
	a.Store.Remake = a.remake
	return a
}
