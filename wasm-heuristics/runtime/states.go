package runtime

import (
	"github.com/epb-nco/epb/internal/problems/cvrp"
)

// States are T decision states of one instance. State t stands at Current[t] and chooses among
// Candidates[Offset[t]:Offset[t+1]], at least one, increasing, as rollout.Shard has them. Offsets may start anywhere, so that a
// part of a shard needs no copy.
type States struct {
	First      []int32 // [T] TSP: first node of the tour; CVRP: first customer of the route under way, 0 at the depot
	Current    []int32 // [T]
	Step       []int32 // [T] actions taken
	Offset     []int   // [T+1]
	Candidates []uint16

	// CVRP alone: the room in the vehicle, and the customers still to serve, whether they fit or not, increasing.
	Remaining     []int32 // [T] demand units
	WaitingOffset []int   // [T+1] as Offset
	Waiting       []uint16
}

// Len returns T.
func (s *States) Len() int { return len(s.First) }

// Reset empties the states, keeping the buffers.
func (s *States) Reset() {
	s.First, s.Current, s.Step, s.Remaining = s.First[:0], s.Current[:0], s.Step[:0], s.Remaining[:0]
	s.Offset, s.WaitingOffset = append(s.Offset[:0], 0), append(s.WaitingOffset[:0], 0)
	s.Candidates, s.Waiting = s.Candidates[:0], s.Waiting[:0]
}

// Add ends a state whose candidates are in Candidates already.
func (s *States) Add(first, current, step int32) {
	s.First, s.Current, s.Step = append(s.First, first), append(s.Current, current), append(s.Step, step)
	s.Offset = append(s.Offset, len(s.Candidates))
}

// AddCVRP adds the state of a construction. Its candidates are the feasible actions, or with viaDepot those of rollout.Shard.ViaDepot.
func (s *States) AddCVRP(at *cvrp.State, viaDepot bool) {
	waiting := len(s.Waiting)
	for a, visited := range at.Visited() {
		if at.CanVisit(int32(a)) && !(viaDepot && a == 0) {
			s.Candidates = append(s.Candidates, uint16(a))
		}
		if a > 0 && !visited {
			s.Waiting = append(s.Waiting, uint16(a))
		}
	}
	if viaDepot && at.Current() != 0 {
		for _, c := range s.Waiting[waiting:] {
			s.Candidates = append(s.Candidates, uint16(len(at.Visited()))+c)
		}
	}
	s.Add(at.First(), at.Current(), int32(len(at.Actions())))
	s.Remaining, s.WaitingOffset = append(s.Remaining, at.Remaining()), append(s.WaitingOffset, len(s.Waiting))
}

// state returns state t alone, in the same arrays.
func (s *States) state(t int) *States {
	one := &States{First: s.First[t : t+1], Current: s.Current[t : t+1], Step: s.Step[t : t+1], Offset: s.Offset[t : t+2], Candidates: s.Candidates}
	if s.Remaining != nil {
		one.Remaining, one.WaitingOffset, one.Waiting = s.Remaining[t:t+1], s.WaitingOffset[t:t+2], s.Waiting
	}
	return one
}
