package runtime

import "github.com/epb-nco/epb/internal/routing"

// States are T decision states of one instance. State t is at node Current[t] and chooses among
// Candidates[Offset[t]:Offset[t+1]], at least one, increasing, as in rollout.Shard. The first offset may be any number,
// so part of a shard needs no copy.
type States struct {
	First      []int32 // [T] as routing.Row
	Current    []int32 // [T]
	Step       []int32 // [T] actions taken
	Offset     []int   // [T+1]
	Candidates []uint16

	// More fields of some problems; each is empty if the problem does not have it.
	Remaining     []int32 // [T] as routing.Row
	WaitingOffset []int   // [T+1] as Offset
	Waiting       []uint16
}

// Len returns T.
func (s *States) Len() int { return len(s.First) }

// Reset empties the states and keeps the buffers.
func (s *States) Reset() {
	s.First, s.Current, s.Step, s.Remaining = s.First[:0], s.Current[:0], s.Step[:0], s.Remaining[:0]
	s.Offset, s.WaitingOffset = append(s.Offset[:0], 0), append(s.WaitingOffset[:0], 0)
	s.Candidates, s.Waiting = s.Candidates[:0], s.Waiting[:0]
}

// Add completes a state of a problem without Remaining and Waiting. The caller has appended its candidates to
// Candidates.
func (s *States) Add(first, current, step int32) {
	s.First, s.Current, s.Step = append(s.First, first), append(s.Current, current), append(s.Step, step)
	s.Offset = append(s.Offset, len(s.Candidates))
}

// AddState completes the state of a solution under construction. The caller has appended its candidates to Candidates.
func (s *States) AddState(at routing.State) {
	s.show(at)
	s.Offset = append(s.Offset, len(s.Candidates))
}

// show appends the data of a state other than its candidates.
func (s *States) show(at routing.State) {
	row := at.Row()
	s.First, s.Current = append(s.First, row.First), append(s.Current, row.Current)
	s.Step, s.Remaining = append(s.Step, row.Step), append(s.Remaining, row.Remaining)
	s.Waiting = at.Waiting(s.Waiting)
	s.WaitingOffset = append(s.WaitingOffset, len(s.Waiting))
}

// fits reports whether the arrays have the right lengths for T states.
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

// remaining returns Remaining of state t, or 0 if the problem does not have it.
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
