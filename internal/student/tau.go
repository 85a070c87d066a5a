package student

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/agreement"
)

// tauAdam trains log τ_h by Adam. There are few of them, and they belong to the bank, not to the model: when it
// changes, each heuristic's moments follow it (Trainer.Resize).
type tauAdam struct {
	step int
	m, v []float64 // [M]
}

func (a *tauAdam) fit(cfg Config, M int) {
	if cfg.LearnTauH && len(a.m) != M {
		*a = tauAdam{0, make([]float64, M), make([]float64, M)}
	}
}

// follow moves the moments with their heuristics: heuristic m gets the moments of from[m], or zeros if that is -1.
func (a *tauAdam) follow(from []int) {
	old := *a
	a.m, a.v = make([]float64, len(from)), make([]float64, len(from))
	for m, k := range from {
		if k >= 0 {
			a.m[m], a.v[m] = old.m[k], old.v[k]
		}
	}
}

func (a *tauAdam) descend(lanes []*lane, scale float64, tauH []float64, lr float64) error {
	a.step++
	const beta1, beta2, eps = 0.9, 0.999, 1e-8
	c1, c2 := 1-math.Pow(beta1, float64(a.step)), 1-math.Pow(beta2, float64(a.step))
	for m := range tauH {
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
