package sector_sweep

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/cvrp"
)

const (
	onward = 0.3 // against the angle from here to one that lies on, in radians
	back   = 1.0 // against the angle from here to one that lies back
	giveUp = 1.5 // against going home
)

// Score sweeps around the depot, on in the direction that the route has taken: the next customer by angle, near ones
// first among those that lie about equally far round. One that lies back costs more. At the depot it begins beside
// the widest gap.
func Score(s *cvrp.State, score []float32) {
	here := s.Row(s.Current)
	turned := s.Ahead(s.First, s.Current)
	for k, c := range s.Candidates {
		switch {
		case c == cvrp.Depot:
			score[k] = -giveUp
		case s.Current == cvrp.Depot:
			clockwise, counter := s.Gaps(c)
			score[k] = max(clockwise, counter)
		case turned*s.Ahead(s.Current, c) < 0:
			score[k] = -here[c] - back*s.Turn(s.Current, c)
		default:
			score[k] = -here[c] - onward*s.Turn(s.Current, c)
		}
	}
}
