package h35_large_out_small_in

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	giveUp        = 0.9 // against going home
	giveUpUsed    = 0.7 // for going home, by the room used
	outwardWeight = 0.4 // of the step away from the depot, by the room left
	load          = 0.4 // of the demand, by the room left
	outwardElse   = 0.4 // against the step away from the depot, by the room used
	unused        = 0.3 // against the room it would leave, by the room used
)

// Score takes large customers on the way out while there is room. As the vehicle empties it is pulled inward and
// wants the demand that fills it for a clean finish.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	used := 1 - s.Remaining
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -giveUp + giveUpUsed*used
			continue
		}
		outward := s.Outward(s.Current, c)
		score[k] = -here[c] + s.Remaining*(outwardWeight*outward+load*s.Demand[c]) -
			used*(outwardElse*outward+unused*s.Left(c))
	}
}
