package runtime

import "github.com/epb-nco/epb/internal/routing"

// States are T decision states of one instance. State t stands at Current[t] and chooses among
// Candidates[Offset[t]:Offset[t+1]], at least one, increasing, as rollout.Shard has them. Offsets may start anywhere,
// so that a part of a shard needs no copy.
type States struct {
	First      []int32 // [T] as routing.Row
	Current    []int32 // [T]
	Step       []int32 // [T] actions taken
	Offset     []int   // [T+1]
	Candidates []uint16

	// What some problems have beside; each may be empty where the problem has none.
	Remaining     []int32 // [T] as routing.Row
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

// Add ends a state of a problem without Remaining and Waiting. Its candidates are in Candidates already.
func (s *States) Add(first, current, step int32) {
	s.First, s.Current, s.Step = append(s.First, first), append(s.Current, current), append(s.Step, step)
	s.Offset = append(s.Offset, len(s.Candidates))
}

// AddState ends the state of a solution under construction. Its candidates are in Candidates already.
func (s *States) AddState(at routing.State) {
	s.show(at)
	s.Offset = append(s.Offset, len(s.Candidates))
}

// show appends what a state shows beside its candidates.
func (s *States) show(at routing.State) {
	row := at.Row()
	s.First, s.Current = append(s.First, row.First), append(s.Current, row.Current)
	s.Step, s.Remaining = append(s.Step, row.Step), append(s.Remaining, row.Remaining)
	s.Waiting = at.Waiting(s.Waiting)
	s.WaitingOffset = append(s.WaitingOffset, len(s.Waiting))
}

// fits reports whether the arrays are of the lengths that T states need.
func (s *States) fits() bool {
	T := s.Len()
	return len(s.Current) == T && len(s.Step) == T && len(s.Offset) == T+1 &&
		(len(s.Remaining) == 0 || len(s.Remaining) == T) && (!s.waits() || len(s.WaitingOffset) == T+1)
}

// waits reports whether the states have waiting nodes.
func (s *States) waits() bool { return len(s.WaitingOffset) > 1 }

// waiting returns the waiting nodes of states a … b-1.
func (s *States) waiting(a, b int) []uint16 {
	if !s.waits() {
		return nil
	}
	return s.Waiting[s.WaitingOffset[a]:s.WaitingOffset[b]]
}

// remaining returns what remains in state t, 0 where the problem has nothing of the kind.
func (s *States) remaining(t int) int32 {
	if len(s.Remaining) == 0 {
		return 0
	}
	return s.Remaining[t]
}

// state returns state t alone, in the same arrays.
func (s *States) state(t int) *States {
	one := &States{
		First: s.First[t : t+1], Current: s.Current[t : t+1], Step: s.Step[t : t+1],
		Offset: s.Offset[t : t+2], Candidates: s.Candidates,
	}
	if len(s.Remaining) > 0 {
		one.Remaining = s.Remaining[t : t+1]
	}
	if s.waits() {
		one.WaitingOffset, one.Waiting = s.WaitingOffset[t:t+2], s.Waiting
	}
	return one
}
