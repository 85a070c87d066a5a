package h09_dense_sector

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"
)

const (
	from        = 0.2 // the stage of the tour where isolation begins to take over
	to          = 0.8 // the stage where it has taken over
	onward      = 0.3 // against the cheapest step on, with few left
	away        = 0.4 // of the distance from the start, with few left
	lonely      = 0.8 // of the distance to its nearest neighbour, late
	crowdWeight = 0.2 // of the share of cities in its sector, early
	rim         = 0.2 // of the distance from the middle of what remains, early
)

// Score favours near cities, and early in the tour those in a dense sector, with many others in nearly the same
// direction, and on the hull. Later isolated cities gain. With eight or fewer it looks one step on, with four or
// fewer also home from there, and saves cities near the start for last.
func Score(s *tsp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.First)
	x, y := s.Centroid()
	late := s.Phase(from, to)
	for k, c := range s.Candidates {
		switch {
		case s.K() <= 4:
			score[k] = -here[c] - s.FollowUp(k, 1)
		case s.K() <= 8:
			score[k] = -here[c] - onward*s.FollowUp(k, 0) + away*home[c]
		default:
			score[k] = -here[c] + lonely*late*s.NearestOther(k) +
				(1-late)*(crowdWeight*crowd(s, c)+rim*s.DistTo(c, x, y))
		}
	}
}

// crowd returns the share of the candidates that lie in nearly the same direction as city c.
func crowd(s *tsp.State, c tsp.Node) float32 {
	const narrow = 0.866 // the cosine of half the width of a sector
	var n float32
	for _, j := range s.Candidates {
		if s.Alignment(s.Current, c, s.X[j], s.Y[j]) > narrow {
			n++
		}
	}
	return n / float32(s.K())
}
