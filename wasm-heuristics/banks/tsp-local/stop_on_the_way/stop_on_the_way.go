package stop_on_the_way

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	passing  = 0.3 // of the least detour over another city on the way to it
	missing  = 0.4 // against the extra detour that the nearest city costs later
	crossing = 0.5 // against cutting what remains in two
)

// Score does not pass by: a city with another one on the way to it can wait, most of all if that one would be dear to
// fetch later.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) + passing*s.Via(k) - missing*s.NearestLeftBehind(k) - crossing*s.Cut(k)
	}
}
