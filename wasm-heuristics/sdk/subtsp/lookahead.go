package subtsp

// FollowUp returns the cost of the cheapest step on from candidate k: the distance to another candidate plus home times the
// distance from there to First. The only candidate goes straight to First: home times its distance.
func (s *State) FollowUp(k int, home float32) float32 { return s.all.FollowUp(k, home) }

// GreedyChain returns the length of the nearest-neighbour walk that starts in candidate k, visits at most steps other
// candidates and then goes straight to First. Ties go to the lower index. One call costs steps · K.
func (s *State) GreedyChain(k, steps int) float32 { return s.all.GreedyChain(k, steps) }
