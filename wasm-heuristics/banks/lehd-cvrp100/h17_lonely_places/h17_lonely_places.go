package h17_lonely_places

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	isolation = 0.1  // of how lonely it is
	crowd     = 0.2  // against its company
	radius    = 0.15 // how near company is
	away      = 0.4  // of the distance from the depot, of a new route
	dear      = 0.3  // against a new route
	room      = 0.6  // the same, by the room left
	saving    = 0.3  // of what driving on saves, on the way
	awayElse  = 0.2  // against the distance from the depot, on the way, by the room left
)

// Score looks for customers with little demand around them, in lonely directions, that save much. A route begins far
// out. On the way nearness to the depot is a bonus, which fades as the vehicle empties.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		lonely := isolation*s.Isolation(c) - crowd*s.Density(c, radius)
		switch {
		case s.Begins(k):
			score[k] = away*home[c] + lonely - home[s.Current] - dear - room*s.Remaining
		default:
			score[k] = -here[c] + saving*s.WaySaving(k) + lonely - awayElse*s.Remaining*home[c]
		}
	}
}
