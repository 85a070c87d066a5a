package student

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// mustHave panics on an index that a bank of M heuristics does not have. −1 stands for none.
func mustHave(from []int, M int) {
	for m, k := range from {
		if k < -1 || k >= M {
			panic(fmt.Sprintf("student: Resize: heuristic %d comes from %d, the old bank has %d", m, k, M))
		}
	}
}

// Resize fits the trainer to a changed bank. Heuristic m of the new bank takes over the steps and moments of τ_h, and
// the static key or the bias of a named router if the model has one, of heuristic from[m] of the old bank. If from[m]
// is −1, it starts with no steps and zero moments: a static key starts random, a bias as the mean over the old bank, in
// a sparse router its constant alone. Resize panics on an index that the old bank does not have.
func (t *Trainer) Resize(from []int) {
	if old := len(t.tau.m); old > 0 {
		mustHave(from, old)
		t.tau.follow(from)
	}
	old := t.Model
	M := old.Config.OwnParameters()
	if M == 0 {
		return
	}
	mustHave(from, M)
	cfg := old.Config
	columns := old.w.columns()
	if cfg.named() {
		cfg.Programs = len(from)
	} else {
		cfg.StaticKeys = len(from)
	}
	t.Model = newModel(cfg)
	D := len(columns) / M
	follow := func(x []float32) []float32 {
		y := make([]float32, t.Model.Size())
		copy(y, x[:len(x)-len(columns)])
		_, _, was := old.parts(x)
		_, _, is := t.Model.parts(y)
		for d := range D {
			for m, k := range from {
				if k >= 0 {
					is[d*len(from)+m] = was[d*M+k]
				}
			}
		}
		return y
	}
	copy(t.Model.theta, follow(old.theta))
	t.m, t.v = follow(t.m), follow(t.v)
	steps := t.columnStep
	t.columnStep = make([]int64, len(from))
	for m, k := range from {
		switch {
		case k >= 0:
			t.columnStep[m] = steps[k]
		case cfg.named(): // the mean over the old programs; in a sparse router only of the constant
			rows := D
			if cfg.Sparse {
				rows = 1
			}
			for d := range rows {
				row := columns[d*M : (d+1)*M]
				sum := float32(0)
				for _, b := range row {
					sum += b
				}
				t.Model.w.named.bias[d*len(from)+m] = sum / float32(M)
			}
		default:
			r := rand.New(rand.NewPCG(t.seed, uint64(t.step)<<16|uint64(m)))
			for d := range D {
				t.Model.w.keys[d*len(from)+m] = uniform(r, 1/math.Sqrt(float64(D)))
			}
		}
	}
	t.lanes, t.passes = nil, nil // they are the old model's
}
