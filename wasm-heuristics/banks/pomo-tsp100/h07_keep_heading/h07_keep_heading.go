package h07_keep_heading

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	from    = 0.7  // the stage of the tour where the heading fades and the start begins to count
	away    = 0.3  // against the distance from the start, at the end
	heading = 0.06 // of keeping the heading, among the five nearest
)

// Score is the nearest-neighbour rule that goes straight on: until late in the tour the five nearest cities gain from
// lying in the direction that leads from the start to here. Late the way from the city to the start comes to count
// too, up to a part of its length.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	late := s.Phase(from, 1)
	for k, c := range s.Candidates {
		nearer := 0
		for _, j := range s.Candidates {
			if here[j] < here[c] {
				nearer++
			}
		}
		score[k] = -here[c] - away*late*home[c]
		if nearer < 5 {
			score[k] += heading * (1 - late) * s.Heading(c)
		}
	}
}
