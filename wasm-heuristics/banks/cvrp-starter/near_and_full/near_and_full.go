package near_and_full

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	fill   = 0.1 // of the share of the room that it takes
	unused = 0.2 // against room that is left when nothing else fits
	giveUp = 0.6 // against going home, by the room left
)

// Score takes the nearest customer that fits, a little sooner the more of the remaining room it fills. Room that no
// other customer could use afterwards counts against it. The depot gains as the vehicle empties.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp * s.Remaining
			continue
		}
		score[k] = -here[c] + fill*s.Fill(k)
		if s.FitAfter(c) == 0 {
			score[k] -= unused * s.Left(c)
		}
	}
}
