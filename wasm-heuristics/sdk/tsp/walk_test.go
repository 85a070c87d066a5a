package tsp_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// walk returns the length of a nearest-neighbour walk from candidate k and the cities on it, the candidate first.
func walk(s *tsp.State, k, steps int) (length float64, path []tsp.Node) {
	left := slices.Delete(slices.Clone(s.Candidates), k, k+1)
	path = []tsp.Node{s.Candidates[k]}
	for ; steps > 0 && len(left) > 0; steps-- {
		at := path[len(path)-1]
		next := slices.MinFunc(left, func(a, b tsp.Node) int { return cmp.Compare(dist(s, at, a), dist(s, at, b)) })
		length += dist(s, at, next)
		path = append(path, next)
		left = slices.DeleteFunc(left, func(c tsp.Node) bool { return c == next })
	}
	return length, path
}

// nearest returns the candidates by their distance from Current.
func nearest(s *tsp.State) []tsp.Node {
	return slices.SortedStableFunc(slices.Values(s.Candidates), func(a, b tsp.Node) int {
		return cmp.Compare(dist(s, s.Current, a), dist(s, s.Current, b))
	})
}

// TestWalks compares walks with their definition: each is as long as it says, ends where it says, and strands what it
// says.
func TestWalks(t *testing.T) {
	for _, s := range states() {
		u := float64(s.Unit())
		for k := range s.Candidates {
			for _, steps := range []int{-1, 0, 1, 2, 4, 8, 9} {
				length, path := walk(s, k, min(steps, 8))
				end, stranded := path[len(path)-1], 0.0
				for _, c := range nearest(s) {
					if !slices.Contains(path, c) {
						stranded = max(0, dist(s, end, c)-dist(s, s.Current, c))
						break
					}
				}
				for what, v := range map[string][2]float64{
					"WalkLength":  {float64(s.WalkLength(k, steps)), length / u},
					"WalkHome":    {float64(s.WalkHome(k, steps)), dist(s, end, s.First) / u},
					"WalkStrands": {float64(s.WalkStrands(k, steps)), stranded / u},
				} {
					if math.Abs(v[0]-min(20, v[1])) > 1e-3 {
						t.Errorf("%s(%d, %d) = %v, want %v", what, k, steps, v[0], v[1])
					}
				}
			}
		}
	}
}

// shortest returns the length of the shortest way from a city through all others, and of the shortest that then goes to
// First, by trying all orders.
func shortest(s *tsp.State, from tsp.Node, others []tsp.Node) (open, home float64) {
	if len(others) == 0 {
		return 0, dist(s, from, s.First)
	}
	open, home = math.Inf(1), math.Inf(1)
	for i, c := range others {
		o, h := shortest(s, c, slices.Delete(slices.Clone(others), i, i+1))
		open, home = min(open, dist(s, from, c)+o), min(home, dist(s, from, c)+h)
	}
	return open, home
}

// TestWindow compares windows with the best of all orders.
func TestWindow(t *testing.T) {
	for _, s := range states() {
		u := float64(s.Unit())
		for k, c := range s.Candidates {
			others := slices.DeleteFunc(nearest(s), func(o tsp.Node) bool { return o == c })
			open, home := shortest(s, c, others[:min(4, len(others))])
			if got := float64(s.Window(k)); math.Abs(got-min(20, open/u)) > 1e-3 {
				t.Errorf("Window(%d) = %v, want %v", k, got, open/u)
			}
			if got := float64(s.WindowHome(k)); math.Abs(got-min(20, home/u)) > 1e-3 {
				t.Errorf("WindowHome(%d) = %v, want %v", k, got, home/u)
			}
		}
	}
}
