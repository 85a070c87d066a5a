package leave_none_behind

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	loss  = 0.3 // against the extra detours that all others cost later
	worst = 0.6 // against the largest extra detour that one other costs later
	stray = 0.5 // bonus of what the city itself would cost later
)

// Score prefers near cities after which the others can still be fetched cheaply. It counts against a city what the
// step loses on those that lie near the way, most of all on the one that loses most.
func Score(s *tsp.State, score []float32) {
	for k := range s.Candidates {
		score[k] = -s.Distance(k) - loss*s.LeftBehind(k) - worst*s.LeftBehindMost(k) + stray*s.Skip(k)
	}
}
