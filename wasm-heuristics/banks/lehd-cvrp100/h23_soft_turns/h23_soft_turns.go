package h23_soft_turns

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	moderateFrom = 0.3  // the least room of a moderate load
	moderateTo   = 0.7  // the most room of a moderate load
	isolation    = 0.1  // of how lonely its direction is
	room         = 0.6  // against the room left, by way of the depot
	turn         = 0.15 // against the angle to here, seen from the depot, by the room left
	awayBound    = 0.3  // the distance from the depot that is near
	lonely       = 0.8  // of the distance to its nearest neighbour, with a moderate load near the depot
)

// Score makes short steps and small turns, and does not mind changing to a sparse arm. With a moderate load it sweeps
// up lonely customers near the depot. As the vehicle empties, turns count less and the way by the depot becomes
// cheap.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	moderate := s.Remaining > moderateFrom && s.Remaining < moderateTo
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = -s.Way(k) + isolation*s.Isolation(c) - room*s.Remaining
			continue
		}
		score[k] = -here[c] - turn*s.Remaining*s.Turn(s.Current, c) + isolation*s.Isolation(c)
		if moderate && home[c] < awayBound {
			score[k] += lonely * s.NearestOther(c)
		}
	}
}
