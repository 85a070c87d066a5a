package h11_inward_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	inwardly = 0.2 // of the direction of the middle, by how far that is
	from     = 0.2 // the stage of the tour where the middle begins to draw
	to       = 0.4 // the stage where it draws in full
	fadeFrom = 0.6 // the stage where it begins to fade
	fadeTo   = 0.8 // the stage where it has faded
	awayMost = 0.4 // of the distance from the start, at the end
	late     = 0.6 // the stage where the start begins to count
)

// Score is the nearest-neighbour rule that, in the middle of the tour, turns towards the middle of the remaining
// cities, the more the farther away that is. Late in the tour it leans towards cities far from the start.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	inward := inwardly * s.Phase(from, to) * (1 - s.Phase(fadeFrom, fadeTo)) * s.DistTo(s.Current, x, y)
	away := awayMost * s.Phase(late, 1)
	for k, c := range s.Candidates {
		score[k] = -here[c] + inward*s.Alignment(s.Current, c, x, y) + away*home[c]
	}
}
