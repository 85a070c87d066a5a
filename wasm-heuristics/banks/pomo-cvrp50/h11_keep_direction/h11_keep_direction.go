package h11_keep_direction

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.4  // against going home
	detour = 0.7  // against the way there and home, of a last stop
	saving = 0.3  // of what driving on saves
	turn   = 0.15 // against the angle to here, seen from the depot, in radians
)

// Score builds compact routes: near customers that save much and lie in the direction of the route as seen from the
// depot. For the last stop, when nothing else will fit, the way there and home decides.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.FitAfter(c) == 0:
			score[k] = -detour * s.Detour(s.Current, c, cvrp.Depot)
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - turn*s.Turn(s.Current, c)
		}
	}
}
