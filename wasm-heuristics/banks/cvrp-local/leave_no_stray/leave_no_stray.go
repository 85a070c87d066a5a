package leave_no_stray

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	loss  = 0.2 // against the extra detours that all others cost later
	worst = 0.5 // against the largest extra detour that one other costs later
	stray = 0.5 // bonus of what the customer itself would cost later
	home  = 2.5 // against going home
)

// Score prefers customers after which the others can still be fetched cheaply, and fetches now what would be dear
// later.
func Score(s *cvrp.State, score []float32) {
	for k, c := range s.Candidates {
		if c == cvrp.Depot {
			score[k] = -home
			continue
		}
		score[k] = -s.Distance(k) - loss*s.LeftBehind(k) - worst*s.LeftBehindMost(k) + stray*s.Skip(k)
	}
}
