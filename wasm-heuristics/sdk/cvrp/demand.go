package cvrp

// Left returns the room that would be left after serving c, as a share of the capacity: 0 for an exact fit, negative where c does
// not fit. For the depot it is the room of now, which would drive home unused.
func (s *State) Left(c Node) float32 { return s.share(int64(s.room) - int64(s.units[c])) }

// FitAfter returns how many other waiting customers would still fit, each alone, after serving c. For the depot it is
// the number that fit now.
func (s *State) FitAfter(c Node) int {
	room, n := s.room-s.units[c], 0
	for _, j := range s.Waiting {
		if s.units[j] <= room && j != c {
			n++
		}
	}
	return n
}

// TotalWaiting returns the demand of all waiting customers together, in vehicle loads.
func (s *State) TotalWaiting() float32 {
	var units int64
	for _, c := range s.Waiting {
		units += int64(s.units[c])
	}
	return s.share(units)
}

// SectorDemand returns the demand of the waiting customers that lie within the angle width of node c as seen from the
// depot, c among them, in vehicle loads.
func (s *State) SectorDemand(c Node, width float32) float32 {
	var units int64
	for _, j := range s.Waiting {
		if s.Turn(c, j) <= width {
			units += int64(s.units[j])
		}
	}
	return s.share(units)
}

// NextFit returns the nearest waiting customer that still fits after serving c and its distance from c; the depot and its distance
// where none does. Ties go to the lower index.
func (s *State) NextFit(c Node) (j Node, d float32) {
	row, room := s.Row(c), s.room-s.units[c]
	j, d = Depot, row[Depot]
	for _, f := range s.Waiting {
		if s.units[f] <= room && f != c && (j == Depot || row[f] < d) {
			j, d = f, row[f]
		}
	}
	return j, d
}

// Below is a soft switch for little room: 0 while twice the share or more remains, 1 when none is left, linear in between.
func (s *State) Below(share float32) float32 { return min(1, max(0, 1-s.Remaining/(2*share))) }
