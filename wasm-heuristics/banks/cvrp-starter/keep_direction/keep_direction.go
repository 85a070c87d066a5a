package keep_direction

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	saving  = 0.3  // of what driving on saves
	turning = 0.15 // against the angle to here, seen from the depot, in radians
	detour  = 0.7  // against the way there and home, of a last stop
	giveUp  = 0.4  // against going home
)

// Score builds compact routes: near customers that save much and lie in the direction of the route as seen from the
// depot. For the last stop, when nothing else will fit, the way there and home decides. Its routes begin far out.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			score[k] = here[c]
		case s.FitAfter(c) == 0:
			score[k] = -detour * s.Detour(s.Current, c, cvrp.Depot)
		default:
			score[k] = -here[c] + saving*s.Saving(s.Current, c) - turning*s.Turn(s.Current, c)
		}
	}
}
