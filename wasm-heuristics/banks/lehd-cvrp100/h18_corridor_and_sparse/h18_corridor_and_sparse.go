package h18_corridor_and_sparse

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

// Score begins its routes in a clockwise sweep, near the depot: each where the one before ended, the first behind the
// widest gap. On the way it stays close to the straight way home and likes sparse directions; with much room left it
// is drawn to far customers instead.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		if !s.Begins(k) {
			score[k] = -here[c] - 0.6*(1-s.Remaining)*s.Corridor(c) + 0.1*s.Isolation(c) + 0.3*s.Remaining*home[c]
			continue
		}
		next := s.Rotation(c)
		if s.AtDepot() {
			_, next = s.Gaps(c)
		}
		score[k] = 0.15*next - 0.2*home[c] - home[s.Current] - 0.9 - 0.7*s.Remaining
	}
}
