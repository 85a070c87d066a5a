package h05_tangential_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
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
	away := 0.1 - 0.8/float32(s.K())
	for k, c := range s.Candidates {
		sideways := float32(0)
		if r > 0 {
			sideways = sense * (rx*(s.Y[c]-s.Y[s.Current]) - ry*(s.X[c]-s.X[s.Current])) / r
		}
		out := s.DistTo(c, x, y)
		alone, _ := s.NearestTwo(k)
		score[k] = -here[c] + 0.15*sideways - 0.2*max(0, r-out) + 0.1*out + 0.5*alone + away*home[c]
	}
}
