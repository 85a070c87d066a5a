package corridor_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.2 // against going home, always
	roomy  = 0.3 // against going home, by the room left
	gap    = 0.3 // of the wider gap beside a first customer, in radians
	far    = 0.5 // of the distance of a first customer from the depot
)

// Score follows the straight line home from here: customers on or near it come first, among them the nearest. The
// depot gains as the vehicle empties. At the depot it begins far out, beside a wide gap.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - roomy*s.Remaining
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = gap*max(clockwise, counter) + far*home[c]
		default:
			score[k] = -here[c] - s.Corridor(c)
		}
	}
}
