package subcvrp

import "math"

// AtDepot reports whether a route begins here: the vehicle stands at the depot.
func (s *State) AtDepot() bool { return s.place[s.Current] == s.place[s.Depot] }

// Begins reports whether candidate k begins a route: driven to by way of the depot, or from there.
func (s *State) Begins(k int) bool { return s.ViaDepot(k) || s.AtDepot() }

// Fitting returns the waiting customers that fit into the vehicle: those of the candidates driven to straight. It may be empty.
func (s *State) Fitting() []Node { return s.Candidates[:s.direct:s.direct] }

// WaySaving returns what candidate k saves against going by way of the depot: its Saving from Current if driven to straight, else 0.
func (s *State) WaySaving(k int) float32 {
	if s.ViaDepot(k) {
		return 0
	}
	return s.Saving(s.Current, s.Candidates[k])
}

// Fill returns the share of the room left that candidate k takes up, 1 for an exact fit; by way of the depot, of a full vehicle.
func (s *State) Fill(k int) float32 {
	left := s.Left(k)
	if left == 0 {
		return 1
	}
	demand := s.Demand[s.Candidates[k]]
	return demand / (demand + left)
}

// Outward returns how well driving on to node c keeps the direction from the depot to Current: a cosine, -1 straight back to the depot,
// 0 at the depot.
func (s *State) Outward(c Node) float32 { return 0 - s.Alignment(s.Current, s.Depot, c) }

// Coherence returns the cosine of the angle between Current and node c as seen from the depot: 1 in the same direction, 0 at the depot.
func (s *State) Coherence(c Node) float32 { return s.Alignment(s.Depot, s.Current, c) }

// Isolation returns the angle, seen from the depot, from customer c to the next waiting customer on either side, at most π.
func (s *State) Isolation(c Node) float32 {
	clockwise, counter := s.Gaps(c)
	return min(clockwise, counter, math.Pi)
}

// Density returns the demand of the waiting customers within radius of node c, c among them, in vehicle loads.
func (s *State) Density(c Node, radius float32) float32 {
	var sum float32
	row := s.Row(c)
	for _, j := range s.Waiting {
		if row[j] <= radius {
			sum += s.Demand[j]
		}
	}
	return sum
}

// NearestFitting returns the fitting customer nearest to node i, other than i, and its distance; Depot and 0 when there is none.
// Ties go to the lower index.
func (s *State) NearestFitting(i Node) (c Node, d float32) {
	row := s.Row(i)
	c = s.Depot
	for _, j := range s.Fitting() {
		if j != i && (c == s.Depot || row[j] < d) {
			c, d = j, row[j]
		}
	}
	return c, d
}

// MeanDist returns the mean distance from node i to the fitting customers, 0 when there is none.
func (s *State) MeanDist(i Node) float32 {
	row := s.Row(i)
	var sum float32
	for _, c := range s.Fitting() {
		sum += row[c]
	}
	return sum / float32(max(1, s.direct))
}

// MeanTurn returns the mean angle between Current and the fitting customers as seen from the depot, 0 when there is none.
func (s *State) MeanTurn() float32 {
	var sum float32
	for _, c := range s.Fitting() {
		sum += s.Turn(s.Current, c)
	}
	return sum / float32(max(1, s.direct))
}

// Rotation returns the angle counter-clockwise from Current to node c as seen from the depot, 0 to 2π; from the depot it starts in the east.
func (s *State) Rotation(c Node) float32 {
	a := s.Angle(c) - s.Angle(s.Current)
	if a < 0 {
		a += 2 * math.Pi
	}
	return a
}

// LeastTurn returns the smallest angle between Current and a fitting customer as seen from the depot, π when there is none.
func (s *State) LeastTurn() float32 {
	least := float32(math.Pi)
	for _, c := range s.Fitting() {
		least = min(least, s.Turn(s.Current, c))
	}
	return least
}

// FittingDemand returns the demand of all fitting customers together, in vehicle loads.
func (s *State) FittingDemand() float32 {
	var sum float32
	for _, c := range s.Fitting() {
		sum += s.Demand[c]
	}
	return sum
}

// BestSaving returns the largest Saving from Current to a fitting customer, 0 when there is none.
func (s *State) BestSaving() float32 {
	var best float32
	for _, c := range s.Fitting() {
		best = max(best, s.Saving(s.Current, c))
	}
	return best
}
