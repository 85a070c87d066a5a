package sector_sweep

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score sweeps around the depot: the next customer by angle, counter-clockwise from the first of the route, near ones first among those that
// lie about equally far round. At the depot it begins where the angle to the customer before is widest.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	from := s.Angle(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -1.5
		case s.Current == cvrp.Depot:
			score[k], _ = s.Gaps(c)
		default:
			score[k] = -here[c] - 0.3*around(s.Angle(c)-from)
		}
	}
}

// around brings a difference of angles to 0 … 2π, with a little room for those that lie back.
func around(a float32) float32 {
	if a < -0.3 {
		a += 2 * math.Pi
	}
	return max(a, -a)
}
