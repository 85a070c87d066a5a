package clean_up_behind

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	done   = 1.2 // of the share of visited cities around it
	close  = 0.3 // against its distance from the visited cities
	orphan = 0.3 // of how much longer the link of one neighbour gets without it
)

// Score clears what is left among visited cities before it goes on: a city with few others around it and many visited
// ones would mean coming back.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + done*s.VisitedShare(k, 2) - close*s.VisitedDistance(k) + orphan*s.MissedMost(k)
	}
}
