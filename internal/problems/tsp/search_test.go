package tsp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/epb-nco/epb/internal/problems/localsearch"
	"github.com/epb-nco/epb/internal/routing"
)

// optimalTour returns the cost of the best tour by trying all.
func optimalTour(t *testing.T, inst *routing.Instance) float64 {
	best := math.Inf(1)
	tour := make([]int32, inst.N()) // from node 0
	for _, order := range combin.Permutations(inst.N()-1, inst.N()-1) {
		for k, i := range order {
			tour[k+1] = int32(i + 1)
		}
		cost, err := Cost(inst, tour)
		if err != nil {
			t.Fatal(err)
		}
		best = min(best, cost)
	}
	return best
}

func TestTourSearchAgainstBruteForce(t *testing.T) {
	for n := 3; n <= 8; n++ {
		for i, inst := range Generate(n, 20, uint64(n)) {
			optimum := optimalTour(t, &inst)
			start := localsearch.EveryNode(n)
			worst, _ := Cost(&inst, start)
			plain, err := Cost(&inst, IteratedTwoOpt(&inst, start, 0, 0))
			if err != nil || plain > worst+1e-9 || plain < optimum-1e-9 {
				t.Errorf("n=%d instance %d: %v from %v, the optimum is %v (%v)", n, i, plain, worst, optimum, err)
			}
			cost, err := Cost(&inst, IteratedTwoOpt(&inst, start, 200, 1))
			if err != nil || math.Abs(cost-optimum) > 1e-9 {
				t.Errorf("n=%d instance %d: iterated %v, the optimum is %v (%v)", n, i, cost, optimum, err)
			}
		}
	}
}

// TestTwoOptIsLocalOptimum tries every exchange of two edges on the result.
func TestTwoOptIsLocalOptimum(t *testing.T) {
	for _, inst := range Generate(neighbours+1, 30, 3) {
		tour := IteratedTwoOpt(&inst, localsearch.EveryNode(inst.N()), 0, 0)
		cost, _ := Cost(&inst, tour)
		for i := range tour {
			for j := i + 1; j < len(tour); j++ {
				other := slices.Clone(tour)
				slices.Reverse(other[i : j+1])
				if better, _ := Cost(&inst, other); better < cost-1e-9 {
					t.Fatalf("%s: reversing %d..%d gives %v instead of %v", inst.Name, i, j, better, cost)
				}
			}
		}
	}
}

// TestTourSearchBooks checks the bookkeeping of swapPaths, gains and of taking back, on tours where reversals go round
// the ends.
func TestTourSearchBooks(t *testing.T) {
	for _, inst := range Generate(60, 4, 9) {
		start := FarthestInsertion(&inst)
		before, _ := Cost(&inst, start)
		last := before
		for _, kicks := range []int{0, 1, 10, 100, 1000} {
			cost, err := Cost(&inst, IteratedTwoOpt(&inst, start, kicks, 5))
			if err != nil || cost > last+1e-9 {
				t.Errorf("%s: %v after %d kicks, %v before (%v)", inst.Name, cost, kicks, last, err)
			}
			last = cost
		}
		if last > 0.99*before {
			t.Errorf("%s: 1000 kicks bring %v down to %v only", inst.Name, before, last)
		}
		a, b := IteratedTwoOpt(&inst, start, 50, 5), IteratedTwoOpt(&inst, start, 50, 5)
		if !slices.Equal(a, b) {
			t.Error("the same seed gives two tours")
		}
	}
	inst := Generate(9, 1, 2)[0]
	s := newTourSearch(localsearch.NewPlane(&inst, localsearch.EveryNode(9), neighbours, false),
		localsearch.EveryNode(9))
	for _, c := range []struct {
		i, j, k int
		keep    bool
		want    []int32 // read from node 0 towards the lower of its neighbours
	}{
		{1, 2, 5, true, []int32{0, 3, 4, 5, 1, 2, 6, 7, 8}},
		{1, 2, 5, false, []int32{0, 3, 4, 5, 2, 1, 6, 7, 8}},
		{1, 3, 8, true, []int32{0, 4, 5, 6, 7, 8, 1, 2, 3}},
		{1, 3, 8, false, []int32{0, 4, 5, 6, 7, 8, 3, 2, 1}},
		{7, 8, 3, true, []int32{4, 5, 6, 0, 1, 2, 3, 7, 8}},
		{7, 0, 6, true, []int32{1, 2, 3, 4, 5, 6, 7, 8, 0}},
	} {
		s.log = s.log[:0]
		s.swapPaths(c.i, c.j, c.k, c.keep)
		if got := canonical(s.tour); !slices.Equal(got, canonical(c.want)) {
			t.Errorf("swap %d..%d with the path up to %d: %v, want %v", c.i, c.j, c.k, got, canonical(c.want))
		}
		for i := len(s.log) - 1; i >= 0; i-- {
			s.turn(s.log[i][0], s.log[i][1])
		}
		if !slices.Equal(canonical(s.tour), localsearch.EveryNode(9)) {
			t.Fatalf("taken back: %v", s.tour)
		}
		s = newTourSearch(s.Plane, localsearch.EveryNode(9))
	}
}

// canonical reads a tour from node 0 towards the lower of its neighbours.
func canonical(tour []int32) []int32 {
	n := len(tour)
	at := slices.Index(tour, 0)
	out := slices.Concat(tour[at:], tour[:at])
	if out[1] > out[n-1] {
		slices.Reverse(out[1:])
	}
	return out
}

// TestCompletion: the way that completes a tour visits the rest once, and is as short as the best of all orders.
func TestCompletion(t *testing.T) {
	for n := 3; n <= 9; n++ {
		for i, inst := range Generate(n, 20, uint64(n)) {
			for done := max(2, n-7); done < n; done++ {
				tour := localsearch.EveryNode(n)[:done]
				cost := func(rest []int32) float64 {
					c, err := Cost(&inst, append(slices.Clone(tour), rest...))
					if err != nil {
						t.Fatalf("n=%d instance %d: completion %v of %v: %v", n, i, rest, tour, err)
					}
					return c
				}
				best := math.Inf(1)
				rest := make([]int32, n-done)
				for _, order := range combin.Permutations(n-done, n-done) {
					for k, j := range order {
						rest[k] = int32(done + j)
					}
					best = min(best, cost(rest))
				}
				way := Completion(&inst, tour, 100*n, 1)
				if got := cost(way); got > best+1e-9 {
					t.Errorf("n=%d instance %d: %v after %v costs %v, the best is %v", n, i, way, tour, got, best)
				}
				if !slices.Equal(way, Completion(&inst, tour, 100*n, 1)) {
					t.Errorf("n=%d instance %d: two completions of %v", n, i, tour)
				}
			}
		}
	}
}
