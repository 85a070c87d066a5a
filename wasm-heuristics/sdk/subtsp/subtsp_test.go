package subtsp_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// square is a state of five cities: the corners of a square and its middle; the tour has come from (0,0) to (1,0).
func square() *subtsp.State {
	s := subtsp.NewState(tsp.NewState([]float32{0, 1, 1, 0, 0.5}, []float32{0, 0, 1, 1, 0.5}))
	s.Set(0, 1, []tsp.Node{2, 3, 4})
	return s
}

func ExampleState() {
	s := square()
	fmt.Println(s.Candidates, s.Current, s.First, s.X, s.Dist(s.Current, s.First), s.Row(s.Current))
	// Output: [0 1 2] 3 4 [1 0 0.5 1 0] 1 [1 1.4142135 0.70710677 0 1]
}

func TestSteer(t *testing.T) {
	s := square()
	for k, want := range [][2]float32{{0, 1}, {-1, 1}, {-0.5, 0.5}} { // looking along the x axis from (1,0)
		if ahead, left := s.Steer(k); ahead != want[0] || left != want[1] {
			t.Errorf("candidate %d lies %v ahead and %v to the left, want %v", k, ahead, left, want)
		}
	}
	s.Set(0, 0, []tsp.Node{1, 2, 3, 4}) // the first step looks at the middle
	if ahead, left := s.Steer(3); math.Abs(float64(ahead)-math.Sqrt2/2) > 1e-6 || math.Abs(float64(left)) > 1e-6 {
		t.Errorf("the middle lies %v ahead and %v to the left", ahead, left)
	}
}

func TestNeighbours(t *testing.T) {
	s := square()
	if c, d := s.Nearest(s.Current); c != 2 || math.Abs(float64(d)-math.Sqrt2/2) > 1e-6 {
		t.Errorf("nearest to Current is %d at %v", c, d)
	}
	if n := s.Density(2, 0.71); n != 2 {
		t.Errorf("%d cities within 0.71 of the middle, want 2", n)
	}
	x, y := s.Centroid()
	if got, want := float64(s.Spread(x, y)), (2*math.Hypot(0.5, 1.0/6)+1.0/3)/3; math.Abs(got-want) > 1e-6 {
		t.Errorf("spread %v, want %v", got, want)
	}
	s.Set(0, 1, []tsp.Node{3})
	if c, d := s.Nearest(0); c != 0 || d != 0 {
		t.Errorf("the only candidate's nearest is %d at %v, want none", c, d)
	}
}

// TestRowsFollow: a row is that of the state last set, and a program that wrote to one hurts itself alone.
func TestRowsFollow(t *testing.T) {
	s := square()
	s.Row(0)[1] = 9
	s.X[0] = 9
	s.Set(1, 2, []tsp.Node{3, 4})
	if s.Row(0)[1] != s.Dist(0, 1) || s.X[0] != 0 || len(s.Row(s.First)) != s.K()+2 {
		t.Errorf("row %v, X %v", s.Row(0), s.X)
	}
}

func TestNothingAllocates(t *testing.T) {
	s, candidates := square(), []tsp.Node{2, 3, 4}
	var sum float32
	n := testing.AllocsPerRun(10, func() {
		s.Set(0, 1, candidates)
		for k := range s.Candidates {
			ahead, left := s.Steer(k)
			sum += ahead + left + s.Row(subtsp.Node(k))[0] + s.GreedyChain(k, 2) + s.FollowUp(k, 1)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
