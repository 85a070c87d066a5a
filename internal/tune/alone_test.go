package tune_test

import (
	"math"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
	"github.com/epb-nco/epb/internal/tune"
)

// Two states with two candidates each. The program's one weight θ adds θ to the candidate that the teacher prefers,
// with 0.9 in the first state and 0.8 in the second. V_m depends on θ/τ_h alone, and the mean KL is least where it
// gives 0.85 to each.
func TestAloneFindsTheLeastKL(t *testing.T) {
	for _, c := range []struct{ start, lo, hi float64 }{
		{0, -10, 10}, {-1, -10, 10}, // from the wrong sign
		{0.1, 0, 0.2}, // at a bound τ_h makes up for it
	} {
		set := student.Dataset{
			Shard: &rollout.Shard{
				Offset: []int64{0, 2, 4}, Candidates: []uint16{1, 2, 1, 2},
				Probs: dense.Vector([]float32{0.9, 0.1, 0.2, 0.8}),
			},
			Scores:   []*tensor.Dense{dense.Vector([]float32{float32(c.start), 0, 0, float32(c.start)})},
			Jacobian: []*tensor.Dense{dense.Of([]float32{1, 0, 0, 1}, 1, 4)},
		}
		p := tune.Program{Weights: []float64{c.start}, Min: []float64{c.lo}, Max: []float64{c.hi}}
		values, tauH, err := tune.Alone(p, 1, []student.Dataset{set}, [][]int32{{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		if values[0] < c.lo || values[0] > c.hi {
			t.Errorf("from %v: θ = %v, want it in [%v, %v]", c.start, values[0], c.lo, c.hi)
		}
		if got, want := 1/(1+math.Exp(-values[0]/tauH)), 0.85; math.Abs(got-want) > 0.01 {
			t.Errorf("from %v: θ = %.3f and τ_h = %.3f give the teacher's choice %.3f, want %v", c.start,
				values[0], tauH, got, want)
		}
	}
}
