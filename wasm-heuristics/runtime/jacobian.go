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
// where the step is the one that float32 takes from θ[j]. A step of 0 says that the row of its weight is not wanted: it
// stays 0. The values need not be rounded as those of a source are. Errors are those of ScoreShard, of the lowest state
// that the program crashes in with any of these weights.
//
// A state is set once and then scored once, and once more for each row that is wanted, so that what the SDK computes
// once for a state is not computed again.
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
	var wanted []int            // weights whose rows are wanted
	taken := make([]float32, W) // the steps that float32 takes
	for j := range W {
		if step[j] == 0 {
			continue
		}
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
		values, wanted = append(values, variant...), append(wanted, j)
	}
	c, jac := make([]float32, C), make([]float32, W*C)
	row := func(variant int) []float32 {
		if variant == 0 {
			return c
		}
		j := wanted[variant-1]
		return jac[j*C : (j+1)*C : (j+1)*C]
	}
	if err := m.scoreShard(ctx, sh, variants{1 + len(wanted), values, row}); err != nil {
		return nil, nil, err
	}
	for i, j := range wanted {
		changed := row(1 + i)
		for k, v := range changed {
			changed[k] = (v - c[k]) / taken[j]
		}
	}
	return dense.Vector(c), dense.Of(jac, W, C), nil
}
