package runtime

import (
	"context"
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
)

// Jacobian scores every state of a shard with given weights θ, and with each weight changed by a step, to either side:
// the scores c(θ), float32 [C] as ScoreShard's, and J, float32 [W,C] in row-major order,
//
//	J[j] = (c(θ + step[j]·e_j) − c(θ)) / step[j]
//
// where the step is the one that float32 takes from θ[j]. The values need not be rounded as those of a source are.
// Errors are those of ScoreShard, of the lowest state that the program crashes in with any of these weights.
//
// A state is set once and then scored 1+W times, so that what the SDK computes once for a state is not computed again.
func (m *Module) Jacobian(ctx context.Context, sh *rollout.Shard, weights, step []float32) (
	scores, J *tensor.Dense, err error,
) {
	W, C := len(weights), len(sh.Candidates)
	if len(step) != W {
		return nil, nil, fmt.Errorf("heuristic %s: %d steps for %d weights", m.name, len(step), W)
	}
	if W == 0 {
		return nil, nil, fmt.Errorf("heuristic %s has no weights to take derivatives by", m.name)
	}
	values, err := m.doubles(weights)
	if err != nil {
		return nil, nil, fmt.Errorf("heuristic %s: %w", m.name, err)
	}
	taken := make([]float32, W) // the steps that float32 takes
	for j := range W {
		changed := slices.Clone(weights)
		changed[j] += step[j]
		variant, err := m.doubles(changed)
		if err != nil {
			return nil, nil, fmt.Errorf("heuristic %s: %w", m.name, err)
		}
		if taken[j] = changed[j] - weights[j]; taken[j] == 0 {
			return nil, nil, fmt.Errorf("heuristic %s: a step of %v does not change weight %d, which is %v: "+
				"take a larger one", m.name, step[j], j, weights[j])
		}
		values = append(values, variant...)
	}
	c, jac := make([]float32, C), make([]float32, W*C)
	row := func(variant int) []float32 {
		if variant == 0 {
			return c
		}
		return jac[(variant-1)*C : variant*C : variant*C]
	}
	if err := m.scoreShard(ctx, sh, variants{1 + W, values, row}); err != nil {
		return nil, nil, err
	}
	for j, h := range taken {
		changed := row(1 + j)
		for i, v := range changed {
			changed[i] = (v - c[i]) / h
		}
	}
	return dense.Vector(c), dense.Of(jac, W, C), nil
}
