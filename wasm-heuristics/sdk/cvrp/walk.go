package cvrp

import "math"

// Measures that drive on from a candidate. They are worked out for all candidates at the first question of a decision.

// walkSteps is how many customers the longest walk serves after its candidate.
const walkSteps = 8

// walk is a nearest-neighbour walk from a candidate through waiting customers that fit, after so many of them. A walk
// that has none left stays where it is. A walk from the depot begins a new route.
type walk struct {
	length [walkSteps + 1]float32 // of the steps, without the step to the candidate
	home   [walkSteps + 1]float32 // from its end to the depot
	load   [walkSteps + 1]float32 // what it serves, the candidate included, as a share of the capacity
	out    [walkSteps + 1]float32 // from the depot to each customer that it serves after the candidate, in all
}

// walks holds those of one decision.
type walks struct {
	known bool
	of    []walk // [K]
	room  []walk // [N] what of is a part of
}

func (s *State) walked() []walk {
	if s.walks.known {
		return s.walks.of
	}
	return s.findWalks()
}

func (s *State) findWalks() []walk {
	p := &s.walks
	if p.room == nil {
		p.room = make([]walk, len(s.used))
	}
	p.of = p.room[:len(s.Candidates)]
	for k, c := range s.Candidates {
		room := s.room
		if c == Depot {
			room = s.capacity
		}
		p.of[k] = s.walkFrom(c, room)
	}
	p.known = true
	return p.of
}

func (s *State) walkFrom(at Node, room int32) walk {
	before := room
	room -= s.units[at]
	var w walk
	var length, out float32
	s.used[at] = true
	for step := range walkSteps + 1 {
		row := s.Row(at)
		w.length[step], w.home[step], w.out[step] = length, row[Depot], out
		w.load[step] = s.share(int64(before - room))
		next, best := at, float32(math.MaxFloat32)
		for _, c := range s.Waiting {
			if d := row[c]; d < best && s.units[c] <= room && !s.used[c] {
				next, best = c, d
			}
		}
		if next != at {
			s.used[next] = true
			room -= s.units[next]
			length += best
			out += s.Dist(Depot, next)
			at = next
		}
	}
	for _, c := range s.Waiting {
		s.used[c] = false
	}
	s.used[Depot] = false
	return w
}

// WalkLength returns the length of the nearest-neighbour walk that starts in candidate k and serves so many other
// waiting customers that fit, 8 at most, in units. Ties go to the lower customer.
func (s *State) WalkLength(k, steps int) float32 {
	return bounded(s.walked()[k].length[within(steps)] / s.Unit())
}

// WalkHome returns how far the end of the walk of WalkLength is from the depot, in units.
func (s *State) WalkHome(k, steps int) float32 {
	return bounded(s.walked()[k].home[within(steps)] / s.Unit())
}

// WalkLoad returns what candidate k and the walk of WalkLength serve, as a share of the capacity.
func (s *State) WalkLoad(k, steps int) float32 { return s.walked()[k].load[within(steps)] }

// WalkSaving returns what the walk of WalkLength and the way home from its end save, in units: over going home from
// candidate k and serving each of the others by a route of its own.
func (s *State) WalkSaving(k, steps int) float32 {
	w, at := &s.walked()[k], within(steps)
	return bounded((2*w.out[at] + w.home[0] - w.length[at] - w.home[at]) / s.Unit())
}

func within(steps int) int { return min(max(steps, 0), walkSteps) }
