package h20_forward_window_ladder

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp         = 0.8 // against going home
	giveUpShortage = 0.6 // for going home, by how little room is left
	scarce         = 0.2 // the room that is scarce
	rungWeight     = 0.2 // against the change of the distance from the depot
	nextWeight     = 0.2 // against the step after
	window         = 1.0 // how far the window reaches, in radians
	inside         = 0.1 // bonus of a customer in the window
)

// Score looks counter-clockwise into a window of directions and climbs there like on a ladder: near customers at about
// the same distance from the depot. Behind a lonely customer the step after is dear. The depot gains in a smooth step
// as the room gets short.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	gate := s.Below(scarce)
	gate *= gate * (3 - 2*gate)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp + giveUpShortage*gate
			continue
		}
		_, next := s.NextFit(c)
		rung := s.Outward(s.Current, c)
		score[k] = -here[c] - rungWeight*max(rung, -rung) - nextWeight*next
		if s.Turn(s.Current, c) < window && s.Ahead(s.Current, c) > 0 {
			score[k] += inside
		}
	}
}
