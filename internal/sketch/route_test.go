package sketch_test

import (
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/config"
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/sketch"
	"github.com/epb-nco/epb/internal/student"
)

// A bank of two programs, to the nearest and to the farthest city: a router for a policy that goes to the nearest city
// trusts the first program. It has the products that it may have, and the bank's own τ_h.
func TestRouteTrustsTheProgramThatAgrees(t *testing.T) {
	sh := record(t, 8, 40)
	near, far := make([]float32, len(sh.Candidates)), make([]float32, len(sh.Candidates))
	for s := range sh.States() {
		st := sh.State(s)
		in := sh.Instance(int(sh.InstanceOf[st.Traj]))
		for k, c := range st.Candidates {
			d := float32(in.Dist(st.Current, int(c)))
			near[int(sh.Offset[s])+k], far[int(sh.Offset[s])+k] = -d, d
		}
	}
	set := student.Dataset{Shard: sh, Scores: []*tensor.Dense{dense.Vector(near), dense.Vector(far)}}
	tauH := dense.Vector([]float64{0.05, 0.05})
	cfg := student.Configured(config.Student{Router: config.NamedRouter}, full.Problem, full.View, 2)
	m, err := sketch.Route(t.Context(), cfg, sketch.RouterConfig{Products: 5, Batch: 64, Seed: 1},
		[]student.Dataset{set}, tauH, nil)
	if err != nil {
		t.Fatal(err)
	}
	eval, err := student.Evaluate(t.Context(), m, []student.Dataset{set}, tauH)
	if err != nil {
		t.Fatal(err)
	}
	if eval.Top1 < 0.99 || eval.Heuristics[0].MeanWeight < 0.9 {
		t.Errorf("top-1 %v, the right program has the weight %v, want 0.99 and 0.9", eval.Top1,
			eval.Heuristics[0].MeanWeight)
	}
	if products, terms := m.Products(); products == 0 || products > 5 || terms == 0 || terms > 6 {
		t.Errorf("%d products and %d terms of biases, want 1 to 5 and, three a program, 1 to 6", products, terms)
	}
}
