package h02_savings_proximity

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp = 0.5 // against going home
	away   = 0.3 // for going home, of how much nearer to the rest the depot is
	saving = 0.7 // of what driving on saves
	unused = 0.1 // against the room it would leave
)

// Score weighs savings and nearness and likes customers that fill the vehicle. Going home is more attractive where
// the middle of what remains lies nearer to the depot than to here.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	x, y := s.Centroid()
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp + away*(s.DistTo(s.Current, x, y)-s.DistTo(cvrp.Depot, x, y))
			continue
		}
		score[k] = -here[c] + saving*s.Saving(s.Current, c) - unused*s.Left(c)
	}
}
