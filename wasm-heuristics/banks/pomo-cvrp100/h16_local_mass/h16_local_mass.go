package h16_local_mass

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	tightness  = 0.3  // against the room it would leave, the more the less waits
	giveUp     = 0.2  // against going home, always
	giveUpRoom = 0.5  // against going home, by the room left
	littleRoom = 0.25 // the room that is little
	corridor   = 0.5  // against the distance from the line home, with little room
	massWeight = 0.2  // of the demand around it, with more room
)

// Score goes where much demand waits close together. Near the end of a route it takes the nearest inward customers in
// line with the way home, then the depot; the less demand is left in all, the tighter it packs.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	tight := tightness / (1 + s.TotalWaiting())
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp - giveUpRoom*s.Remaining
		case s.Remaining < littleRoom:
			score[k] = -here[c] - corridor*s.Corridor(c) - tight*s.Left(c)
		default:
			score[k] = -here[c] + massWeight*mass(s, c) - tight*s.Left(c)
		}
	}
}

// mass returns the demand that waits around c, each customer's weighed by a Gaussian of its distance: exp(-q) as (1 -
// q/8)⁸.
func mass(s *cvrp.State, c cvrp.Node) float32 {
	const width = 0.1 // of the Gaussian, a distance
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
