package corridor_home

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score follows the straight line home from here: customers on or near it come first, among them the nearest. The depot gains as the vehicle
// empties. At the depot it begins far out, behind a wide gap.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.2 - 0.3*s.Remaining
		case s.Current == cvrp.Depot:
			_, gap := s.Gaps(c)
			score[k] = 0.3*gap + 0.5*home[c]
		default:
			score[k] = -here[c] - s.Corridor(c)
		}
	}
}
