package subcvrp

// Saving returns what driving on from i to j saves over driving from i to the depot and out again to j
// (Clarke and Wright): d(i,depot) + d(depot,j) - d(i,j), 0 where one of them is the depot.
func (s *State) Saving(i, j Node) float32 { return s.all.Saving(s.place[i], s.place[j]) }

// Detour returns by how much calling at c lengthens the way from i to j: d(i,c) + d(c,j) - d(i,j).
func (s *State) Detour(i, c, j Node) float32 {
	return s.all.Detour(s.place[i], s.place[c], s.place[j])
}

// Turn returns the angle between nodes i and j as seen from the depot, 0 to π; 0 where one of them is the depot.
func (s *State) Turn(i, j Node) float32 { return s.all.Turn(s.place[i], s.place[j]) }

// Angle returns the polar angle of node i around the depot, -π to π, counter-clockwise; 0 at the depot.
func (s *State) Angle(i Node) float32 { return s.all.Angle(s.place[i]) }

// Gaps returns the angles, seen from the depot, from customer c to the next waiting customer clockwise and counter-clockwise; 2π where
// no other waits. Both are 0 where another lies in the same direction.
func (s *State) Gaps(c Node) (clockwise, counter float32) { return s.all.Gaps(s.place[c]) }

// Alignment returns the cosine of the angle at node b between the directions b→c and b→d: 1 when both lie the same way,
// -1 when they lie opposite, 0 where a direction has no length.
func (s *State) Alignment(b, c, d Node) float32 {
	return s.all.Alignment(s.place[b], s.place[c], s.place[d])
}

// DistTo returns the distance from node i to the point (x, y).
func (s *State) DistTo(i Node, x, y float32) float32 { return s.all.DistTo(s.place[i], x, y) }

// Centroid returns the mean position of the waiting customers.
func (s *State) Centroid() (x, y float32) { return s.all.Centroid() }

// NearestOther returns the distance from node c to the nearest waiting customer other than c, 0 when there is none.
func (s *State) NearestOther(c Node) float32 { return s.all.NearestOther(s.place[c]) }

// Corridor returns how far node c lies off the straight line from Current home to the depot; beyond either end it is the distance
// to that end. 0 for the depot.
func (s *State) Corridor(c Node) float32 { return s.all.Corridor(s.place[c]) }

// Left returns the room that is left after serving candidate k (an index into Candidates), as a share of the capacity: 0 for
// an exact fit. By way of the depot the vehicle is full again before.
func (s *State) Left(k int) float32 {
	if s.ViaDepot(k) {
		return 1 - s.Demand[s.Candidates[k]]
	}
	return s.all.Left(s.place[s.Candidates[k]])
}

// TotalWaiting returns the demand of all waiting customers together, in vehicle loads.
func (s *State) TotalWaiting() float32 { return s.all.TotalWaiting() }

// SectorDemand returns the demand of the waiting customers that lie within the angle width of node c as seen from the
// depot, c among them, in vehicle loads.
func (s *State) SectorDemand(c Node, width float32) float32 {
	return s.all.SectorDemand(s.place[c], width)
}
