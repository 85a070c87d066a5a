package forced_plan

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

// Score tries the few nearest cities as the next one and plans the rest of the tour after each by farthest insertion.
// The city with the shortest plan comes first; cities farther away are not considered.
func Score(s *tsp.State, score []float32) {
	const tried = 5 // how many of the nearest cities are tried
	here := s.Row(s.Current)
	taken := make([]bool, s.K())
	var worst float32
	for range min(tried, s.K()) {
		next := -1
		for k, c := range s.Candidates {
			if !taken[k] && (next < 0 || here[c] < here[s.Candidates[next]]) {
				next = k
			}
		}
		c := s.Candidates[next]
		taken[next] = true
		score[next] = -here[c] - s.PathLength(c, s.InsertionPath(c))
		worst = min(worst, score[next])
	}
	for k, c := range s.Candidates {
		if !taken[k] {
			score[k] = worst - here[c]
		}
	}
}
