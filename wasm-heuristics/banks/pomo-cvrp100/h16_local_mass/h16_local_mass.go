package h16_local_mass

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

// Score goes where much demand waits close together. Near the end of a route it takes the nearest inward customers in
// line with the way home, then the depot; the less demand is left in all, the tighter it packs.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	tight := 0.3 / (1 + s.TotalWaiting())
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -0.2 - 0.5*s.Remaining
		case s.Remaining < 0.25:
			score[k] = -here[c] - 0.5*s.Corridor(c) - tight*s.Left(c)
		default:
			score[k] = -here[c] + 0.2*mass(s, c) - tight*s.Left(c)
		}
	}
}

// mass returns the demand that waits around c, each customer's weighed by a Gaussian of its distance: exp(-q) as (1 -
// q/8)⁸.
func mass(s *cvrp.State, c cvrp.Node) float32 {
	const width = 0.1
	row, sum := s.Row(c), float32(0)
	for _, j := range s.Waiting {
		d := row[j] / width
		w := max(0, 1-float32(d*d)/16)
		w *= w
		w *= w
		w *= w
		sum += float32(w * s.Demand[j])
	}
	return sum
}
