package activities

import (
	"context"

	"github.com/epb-nco/epb/internal/artifact"
	"github.com/epb-nco/epb/internal/llm"
)

// Activities holds what the steps of a distillation depend on.
type Activities struct {
	Store *artifact.Store
	LLM   *llm.Cached
	// HasSearchAttributes reports whether a namespace of the Temporal server has those of a run. It is asked once per
	// run.
	HasSearchAttributes func(ctx context.Context, namespace string) bool
}

// New returns activities over the given parts. From now on the store makes lost shards again as the activities made
// them.
func New(
	s *artifact.Store, l *llm.Cached, hasSearchAttributes func(ctx context.Context, namespace string) bool,
) *Activities {
	a := &Activities{Store: s, LLM: l, HasSearchAttributes: hasSearchAttributes}
	s.Remake = a.remake
	return a
}
