package h23_two_step_cost

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	nextWeight   = 0.6 // against the step after, while many fit
	giveUp       = 1.2 // against going home, while many fit
	giveUpEnding = 0.3 // against going home at the end, beside the way
	homeShare    = 0.5 // of the way home from the second of three
	unusedThree  = 0.2 // against the room that two of three would leave
	unusedTwo    = 0.5 // against the room that the last two would leave
	unusedOne    = 1.0 // against the room that the last one would leave
	exact        = 0.1 // bonus where no room is left at the end
	lead         = 0.2 // bonus of the winner at the end
)

// Score adds up two steps, to the customer and on to the nearest that then fits. The end has three regimes. With three
// that fit, the way home from the second and the room left after both count in part. With two, the rest of the route is
// judged: both in this order where they fit together, and home. With one, only this customer and its fit. An exact fit
// gains, and the winner of the end gets a bonus, so that it stands out.
func Score(s *cvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(cvrp.Depot)
	fit := len(s.Fitting())
	for k, c := range s.Candidates {
		next, d := s.NextFit(c) // the depot where none fits after c
		unused := s.Left(c) - s.Demand[next]
		switch {
		case c == cvrp.Depot && fit > 3:
			score[k] = -giveUp
			continue
		case c == cvrp.Depot:
			score[k] = -home[s.Current] - giveUpEnding
			continue
		case fit > 3:
			score[k] = -here[c] - nextWeight*d
			continue
		case fit == 3:
			score[k] = -here[c] - d - homeShare*home[next] - unusedThree*unused
		case fit == 2:
			score[k] = -here[c] - d - home[next] - unusedTwo*unused
		default:
			score[k] = -here[c] - home[c] - unusedOne*unused
		}
		if s.Left(c) == 0 || next != cvrp.Depot && unused == 0 {
			score[k] += exact
		}
	}
	if fit > 3 {
		return
	}
	winner := 0
	for k := range score {
		if score[k] > score[winner] {
			winner = k
		}
	}
	score[winner] += lead
}
