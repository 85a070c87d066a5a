package tune

import (
	"math"
	"testing"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/rollout"
	"github.com/epb-nco/epb/internal/student"
)

// A unit of a weight moves the scores of a state by τ_h: what moves all candidates of a state alike does not count, and
// a weight that does no more than that has no unit and stays, though rounding tells its scores apart.
func TestUnitsMoveAStateByTauH(t *testing.T) {
	const rounding = 1e-5                // of scores of 8 by a step of 0.05
	scores := []float32{8, 8.5, 8, -1e6} // the last is ruled out
	J := dense.Of([]float32{1, 3, 5, 5, 2, 2 + rounding, 7, 7}, 2, 4)
	sets := []student.Dataset{{
		Shard:    &rollout.Shard{Offset: []int64{0, 2, 4}, Candidates: []uint16{1, 2, 1, 2}},
		Scores:   []*tensor.Dense{dense.Vector(scores)},
		Jacobian: []*tensor.Dense{J},
	}}
	p := Program{Weights: []float64{0, 0}, Min: []float64{-1, -1}, Max: []float64{1, 1}}
	units, err := scale([]Program{p}, []float64{3}, sets)
	if err != nil {
		t.Fatal(err)
	}
	// The deviations from the means of the two states are 1, 1, 0 and 0.
	if want := 3 / math.Sqrt(0.5); math.Abs(units[0][0]-want) > 1e-9 || units[0][1] != 0 {
		t.Errorf("units %v, want %v and 0", units[0], want)
	}
	if got := float64(dense.Open[float32](J)[1]); math.Abs(got-3*units[0][0]) > 1e-5 {
		t.Errorf("a unit moves the second candidate by %v, want %v", got, 3*units[0][0])
	}
}

// A weight stays in its range, and moves by two units of it at most in a round.
func TestBoundsOfARound(t *testing.T) {
	p := Program{
		Weights: []float64{1, 1, 1}, Min: []float64{0.5, -100, -100}, Max: []float64{1.25, 100, 100},
	}
	lo, hi := bounds([]Program{p}, [][]float64{{0.5, 0.5, 0}})
	want := [2][]float32{{-1, -2, 0}, {0.5, 2, 0}}
	for k := range want[0] {
		if lo[k] != want[0][k] || hi[k] != want[1][k] {
			t.Errorf("weight %d moves from %v to %v units, want %v to %v", k, lo[k], hi[k], want[0][k], want[1][k])
		}
	}
}
