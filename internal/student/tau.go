package student

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/agreement"
)

// tauAdam trains log τ_h by Adam. There are few of them, and they belong to the bank, not to the model: when it
// changes, each heuristic's moments follow it (Trainer.Resize).
//
// A heuristic may join at any time, and Adam's bias correction is for moments that began at 0 with the first step. So
// each τ_h counts its own steps. With the count of the whole run, the first step of a τ_h that joins late would be
// (1-β1)/√(1-β2) = 3.2 times the learning rate.
type tauAdam struct {
	step []int64   // [M] steps taken on each τ_h
	m, v []float64 // [M]
}

func (a *tauAdam) fit(cfg Config, M int) {
	if cfg.LearnTauH && len(a.m) != M {
		*a = tauAdam{make([]int64, M), make([]float64, M), make([]float64, M)}
	}
}

// follow moves steps and moments with their heuristics: heuristic m gets those of from[m], or zeros if that is -1.
func (a *tauAdam) follow(from []int) {
	old := *a
	*a = tauAdam{make([]int64, len(from)), make([]float64, len(from)), make([]float64, len(from))}
	for m, k := range from {
		if k >= 0 {
			a.step[m], a.m[m], a.v[m] = old.step[k], old.m[k], old.v[k]
		}
	}
}

func (a *tauAdam) descend(lanes []*lane, scale float64, tauH []float64, lr float64) error {
	const beta1, beta2, eps = 0.9, 0.999, 1e-8
	for m := range tauH {
		a.step[m]++
		c1, c2 := 1-math.Pow(beta1, float64(a.step[m])), 1-math.Pow(beta2, float64(a.step[m]))
		g := 0.0
		for _, l := range lanes {
			g += l.dLogTauH[m]
		}
		g *= scale
		if !finite(g) {
			return fmt.Errorf("the gradient of τ_h of heuristic %d is %v, %w", m, g, ErrNotFinite)
		}
		a.m[m] = beta1*a.m[m] + (1-beta1)*g
		a.v[m] = beta2*a.v[m] + (1-beta2)*g*g
		tauH[m] = agreement.ClampTauH(tauH[m] * math.Exp(-lr*(a.m[m]/c1)/(math.Sqrt(a.v[m]/c2)+eps)))
	}
	return nil
}
