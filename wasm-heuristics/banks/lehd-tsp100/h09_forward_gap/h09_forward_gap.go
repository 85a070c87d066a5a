package h09_forward_gap

import (
	"math"
	"slices"

	"github.com/epb-nco/epb/wasm-heuristics/sdk/subtsp"
)

const (
	aside = 0.3 // against the angle to the middle of the sector, by the nearest step
	step  = 0.1 // of the way there, in the sector
	back  = 0.3 // against turning back, by the nearest step
)

// Score looks ahead, along the way from the start to here, for the widest sector without a city. Cities whose
// direction is closest to the middle of that sector come first, which are those on its edges, and the farther ones
// among them gain a little; turning back costs.
func Score(s *subtsp.State, score []float32) {
	const onEdge = 1e-4 // the angle that lets the cities on its edges belong to a sector
	here := s.Row(s.Current)
	_, near := s.Nearest(s.Current)
	angle := make([]float32, s.K()) // from straight ahead, positive to the left
	edges := append(make([]float32, 0, s.K()+2), -math.Pi/2, math.Pi/2)
	for k := range s.Candidates {
		ahead, left := s.Steer(k)
		angle[k] = float32(math.Atan2(float64(left), float64(ahead)))
		if ahead > 0 {
			edges = append(edges, angle[k])
		}
	}
	slices.Sort(edges)
	var middle, half float32
	for i, to := range edges[1:] {
		if gap := to - edges[i]; gap/2 > half {
			middle, half = edges[i]+gap/2, gap/2
		}
	}
	for k, c := range s.Candidates {
		off := max(angle[k]-middle, middle-angle[k])
		score[k] = -here[c] - aside*near*off
		if off < half+onEdge {
			score[k] += step * here[c]
		}
		if ahead, _ := s.Steer(k); ahead < 0 {
			score[k] -= back * near
		}
	}
}
