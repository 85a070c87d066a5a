package h05_tangential_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	awayBase       = 0.1  // of the distance from the start, always
	awayFew        = 0.8  // against the same, divided by the number of cities left
	sidewaysWeight = 0.15 // of the step sideways, in the sense of the sweep
	collapse       = 0.2  // against turning inwards
	rim            = 0.1  // of the distance from the middle of what remains
	lonely         = 0.5  // of the distance to its nearest neighbour
)

// Score sweeps around the middle of what remains, in the sense that leads away from the start: short steps, sideways
// rather than inwards, outlying and lonely cities first. Near the end the start draws instead of repelling.
func Score(s *subtsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	rx, ry := s.X[s.Current]-x, s.Y[s.Current]-y
	sense := float32(1) // counter-clockwise
	if rx*(s.Y[s.First]-y)-ry*(s.X[s.First]-x) > 0 {
		sense = -1
	}
	r := s.DistTo(s.Current, x, y)
	away := awayBase - awayFew/float32(s.K())
	for k, c := range s.Candidates {
		sideways := float32(0)
		if r > 0 {
			sideways = sense * (rx*(s.Y[c]-s.Y[s.Current]) - ry*(s.X[c]-s.X[s.Current])) / r
		}
		out := s.DistTo(c, x, y)
		alone, _ := s.NearestTwo(k)
		score[k] = -here[c] + sidewaysWeight*sideways - collapse*max(0, r-out) + rim*out + lonely*alone +
			away*home[c]
	}
}
