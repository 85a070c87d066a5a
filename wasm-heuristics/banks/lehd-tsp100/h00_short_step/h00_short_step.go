package h00_short_step

import (
	"math"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
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
	homeward := 0.02 + 0.2/float32(s.K())
	for k, c := range s.Candidates {
		alone, _ := s.NearestTwo(k)
		score[k] = -here[c] - 0.1*alone - homeward*home[c]
		if here[c] <= second {
			score[k] += 0.02
		}
		if here[c] < 0.03 {
			score[k] += 0.01
		}
	}
}
