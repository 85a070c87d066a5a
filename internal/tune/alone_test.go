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

// A step stays in the range of its weight, on the wider side.
func TestStepsStayInTheRange(t *testing.T) {
	p := tune.Program{
		Weights: []float64{0.001, 0.019, 1, 0, -3, 0.02},
		Min:     []float64{0, 0, -20, -20, -20, 0},
		Max:     []float64{0.02, 0.02, 20, 20, 0, 0.02},
	}
	want := []float32{0.019, -0.019, -0.15, 0.05, -0.35, -0.02}
	for j, got := range p.Steps() {
		if math.Abs(float64(got-want[j])) > 1e-7 {
			t.Errorf("%v in [%v, %v] is moved by %v, want %v", p.Weights[j], p.Min[j], p.Max[j], got, want[j])
		}
	}
}

// A weight that is trained to the end of its range is that end exactly, also where it is 0 and its unit is no round
// number: what is left of 1e-8 would count as a term.
func TestAloneEndsAtTheBound(t *testing.T) {
	for _, start := range []float64{0.1, 0.123, 0.3, 0.7} {
		set := student.Dataset{
			Shard: &rollout.Shard{
				Offset: []int64{0, 3}, Candidates: []uint16{1, 2, 3}, Probs: dense.Vector([]float32{0.1, 0.2, 0.7}),
			},
			Scores:   []*tensor.Dense{dense.Vector([]float32{3 * float32(start), 2 * float32(start), 0})},
			Jacobian: []*tensor.Dense{dense.Of([]float32{3, 2, 0}, 1, 3)},
		}
		p := tune.Program{Weights: []float64{start}, Min: []float64{0}, Max: []float64{20}}
		values, _, err := tune.Alone(p, 1, []student.Dataset{set}, [][]int32{{0}})
		if err != nil || values[0] != 0 {
			t.Errorf("from %v: θ = %v (%v), want 0, the end of its range", start, values[0], err)
		}
	}
}

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
