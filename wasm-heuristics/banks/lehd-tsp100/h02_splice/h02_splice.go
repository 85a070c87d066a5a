package h02_splice

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

// Score favours cities that cost little to splice in between here and the start, and looks one step on: the way to
// the next city from there counts more the fewer remain.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	ahead := 0.3 + 0.7/float32(s.K())
	for k, c := range s.Candidates {
		splice := here[c] + 0.2*(home[c]-here[s.First])
		score[k] = -splice - ahead*s.FollowUp(k, 0.2)
	}
}
