package banks_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/epb-nco/epb/wasm-heuristics/banks/tsp-planners/sweep_plan"
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// TestSweepGoesRound: sweep_plan takes the cities in the order of their angles. Reversing stretches hides much of a
// wrong order, so the test makes the same plan with angles of its own and compares the scores.
func TestSweepGoesRound(t *testing.T) {
	sh := record(t, 20, 20)
	got := scoreNative(sh, sweep_plan.Score)
	want := scoreNative(sh, func(s *tsp.State, score []float32) {
		x, y := s.Centroid()
		angle := func(c tsp.Node) float64 { return math.Atan2(float64(s.Y[c]-y), float64(s.X[c]-x)) }
		round := slices.SortedStableFunc(slices.Values(s.Candidates), func(a, b tsp.Node) int {
			return cmp.Compare(angle(a), angle(b))
		})
		var path []tsp.Node
		least := float32(math.Inf(1))
		for i, a := range round {
			before := round[(i+len(round)-1)%len(round)]
			if d := s.Dist(s.Current, a) + s.Dist(before, s.First) - s.Dist(before, a); d < least {
				path, least = slices.Concat(round[i:], round[:i]), d
			}
		}
		s.Uncross(s.Current, path, 10)
		s.ScoreAlong(path, score)
	})
	if differ := scoredApart(sh, got, want); differ > 0 {
		t.Errorf("%d of %d states are scored otherwise than along the sweep", differ, sh.States())
	}
}
