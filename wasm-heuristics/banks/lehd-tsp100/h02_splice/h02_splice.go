package h02_splice

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	aheadBase = 0.3 // against the cheapest step on, always
	aheadFew  = 0.7 // the same, divided by the number of cities left
	detour    = 1.0 // against how much farther than here it is from the start
	homeShare = 0.2 // of the way home from the next city
)

// Score favours cities that cost little to splice in between here and the start, and looks one step on: the way to
// the next city from there counts more the fewer remain.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	ahead := aheadBase + aheadFew/float32(s.K())
	for k, c := range s.Candidates {
		splice := here[c] + detour*(home[c]-here[s.First])
		score[k] = -splice - ahead*s.FollowUp(k, homeShare)
	}
}
