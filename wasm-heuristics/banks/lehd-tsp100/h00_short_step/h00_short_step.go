package h00_short_step

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	homewardBase = 0.02 // against the distance from the start, always
	homewardFew  = 0.2  // the same, divided by the number of cities left
	lonely       = 0.1  // against the distance to its nearest neighbour
	nearTwo      = 0.02 // bonus of the two nearest
	stepBound    = 0.03 // the length below which a step is tiny
	tiny         = 0.01 // bonus of a tiny step
)

// Score takes short steps above all: near cities, the more so when very near or one of the two nearest, and not those
// that lie alone. It leans a little towards the start, more when few cities remain.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	first, _ := s.Nearest(s.Current)
	second := float32(math.MaxFloat32)
	for _, c := range s.Candidates {
		if c != first {
			second = min(second, here[c])
		}
	}
	homeward := homewardBase + homewardFew/float32(s.K())
	for k, c := range s.Candidates {
		alone, _ := s.NearestTwo(k)
		score[k] = -here[c] - lonely*alone - homeward*home[c]
		if here[c] <= second {
			score[k] += nearTwo
		}
		if here[c] < stepBound {
			score[k] += tiny
		}
	}
}
