package tsp

import "math"

// FollowUp returns the cost of the cheapest step on from candidate k (an index into Candidates): the distance to another
// candidate plus home times the distance from there to First. The only candidate goes straight to First: home times its distance.
func (s *State) FollowUp(k int, home float32) float32 {
	c := s.Candidates[k]
	row, back := s.Row(c), s.Row(s.First)
	if len(s.Candidates) == 1 {
		return home * back[c]
	}
	best := float32(math.MaxFloat32)
	for l, j := range s.Candidates {
		if l != k {
			best = min(best, row[j]+float32(home*back[j]))
		}
	}
	return best
}

// GreedyChain returns the length of the nearest-neighbour walk that starts in candidate k (an index into Candidates),
// visits at most steps other candidates and then goes straight back to First. Ties go to the lower city.
// One call costs steps · K.
func (s *State) GreedyChain(k, steps int) float32 {
	at := s.Candidates[k]
	s.used[at] = true
	var length float32
	for range min(steps, len(s.Candidates)-1) {
		row := s.Row(at)
		next, best := at, float32(math.MaxFloat32)
		for _, c := range s.Candidates {
			if d := row[c]; d < best && !s.used[c] {
				next, best = c, d
			}
		}
		s.used[next] = true
		length += best
		at = next
	}
	for _, c := range s.Candidates {
		s.used[c] = false
	}
	return length + s.Dist(at, s.First)
}
