package sketch

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/student"
)

// Route fits a named router for programs that stay as they are, to the teacher's decisions in the sets. tauH, float64
// [M], holds τ_h of Eq. 2. progress, unless nil, is told the epochs done and their total.
//
// Routers that are fitted on the same states have their features in the same units, so that their terms compare.
func Route(
	ctx context.Context, model student.Config, c RouterConfig, sets []student.Dataset, tauH *tensor.Dense,
	progress func(done, total int),
) (*student.Model, error) {
	model.Router, model.Programs, model.LearnTauH = student.Named, tauH.Shape()[0], false
	if _, err := model.NodeFeatures(); err != nil {
		return nil, fmt.Errorf("sketch: %w", err)
	}
	sets = slices.Clone(sets)
	model.Remember(sets, c.Memory)
	m := student.New(model, c.Seed)
	if err := m.Standardise(ctx, sets, tauH); err != nil {
		return nil, fmt.Errorf("sketch: %w", err)
	}
	stages := bounded(append([]stage{{epochs: 12, lr: 2e-3}}, c.selecting(0, 0)...), candidates(sets))
	total, done := 0, 0
	for _, s := range stages {
		total += s.epochs
	}
	for i, s := range stages {
		if err := c.train(ctx, m, nil, s, sets, tauH, uint64(i), func() {
			if done++; progress != nil {
				progress(done, total)
			}
		}); err != nil {
			return nil, fmt.Errorf("sketch: %w", err)
		}
	}
	return m, nil
}
