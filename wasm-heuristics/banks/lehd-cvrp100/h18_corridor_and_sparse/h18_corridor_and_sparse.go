package h18_corridor_and_sparse

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	corridor  = 0.6  // against the distance from the line home, by the room used
	isolation = 0.1  // of how lonely its direction is
	away      = 0.3  // of the distance from the depot, by the room left
	gap       = 0.15 // of the angle to the next
	near      = 0.2  // against the distance of a first customer from the depot
	dear      = 0.9  // against a new route
	dearRoom  = 0.7  // the same, by the room left
)

// Score begins its routes in a clockwise sweep, near the depot: each where the one before ended, the first behind the
// widest gap. On the way it stays close to the straight way home and likes sparse directions; with much room left it
// is drawn to far customers instead.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		if !s.Begins(k) {
			score[k] = -here[c] - corridor*(1-s.Remaining)*s.Corridor(c) + isolation*s.Isolation(c) +
				away*s.Remaining*home[c]
			continue
		}
		next := s.Rotation(c)
		if s.AtDepot() {
			_, next = s.Gaps(c)
		}
		score[k] = gap*next - near*home[c] - home[s.Current] - dear - dearRoom*s.Remaining
	}
}
