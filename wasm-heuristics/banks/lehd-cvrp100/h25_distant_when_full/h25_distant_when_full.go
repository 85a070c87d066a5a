package h25_distant_when_full

import (
	"github.com/epb-nco/epb/wasm-heuristics/sdk/subcvrp"
)

const (
	away   = 0.4  // of the distance from the depot, on the way by the room left
	crowd  = 0.15 // of the demand around it, on the way by the room left
	radius = 0.15 // how near company is
	dear   = 0.3  // against going by way of the depot
	room   = 0.8  // against the room left, by way of the depot
	detour = 0.6  // against the detour over it
	step   = 0.6  // against the way there
	turn   = 0.1  // against the angle to here, seen from the depot, in radians
)

// Score takes the customers that lengthen the way home least, without turning away from the arm. A full vehicle is
// drawn to distant ones and to dense places; as it empties, the way by the depot opens.
func Score(s *subcvrp.State, score []float32) {
	here, home := s.Row(s.Current), s.Row(s.Depot)
	for k, c := range s.Candidates {
		if s.ViaDepot(k) {
			score[k] = away*home[c] + crowd*s.Density(c, radius) - home[s.Current] - dear - room*s.Remaining
			continue
		}
		full := s.Remaining * (away*home[c] + crowd*s.Density(c, radius))
		score[k] = -detour*s.Detour(s.Current, c, s.Depot) - step*here[c] - turn*s.Turn(s.Current, c) + full
	}
}
