package cvrp

import "math"

// Saving returns what driving on from i to j saves over driving from i to the depot and out again to j
// (Clarke and Wright): d(i,0) + d(0,j) - d(i,j), 0 where one of them is the depot.
func (s *State) Saving(i, j Node) float32 { return s.Detour(i, Depot, j) }

// Detour returns by how much calling at c lengthens the way from i to j: d(i,c) + d(c,j) - d(i,j).
func (s *State) Detour(i, c, j Node) float32 { return s.Dist(i, c) + s.Dist(c, j) - s.Dist(i, j) }

// Turn returns the angle between nodes i and j as seen from the depot, 0 to π; 0 where one of them is the depot.
func (s *State) Turn(i, j Node) float32 {
	if i == Depot || j == Depot {
		return 0
	}
	a := s.angle[i] - s.angle[j]
	a = max(a, -a)
	return min(a, 2*math.Pi-a)
}

// Angle returns the polar angle of node i around the depot, -π to π, counter-clockwise; 0 for the depot.
func (s *State) Angle(i Node) float32 { return s.angle[i] }

// Gaps returns the angles, seen from the depot, from customer c to the next waiting customer clockwise and counter-clockwise; 2π where
// no other waits. Both are 0 where another lies in the same direction.
func (s *State) Gaps(c Node) (clockwise, counter float32) {
	clockwise, counter = 2*math.Pi, 2*math.Pi
	for _, j := range s.Waiting {
		if j == c {
			continue
		}
		a := s.angle[j] - s.angle[c]
		if a < 0 {
			a += 2 * math.Pi
		}
		counter = min(counter, a)
		if a > 0 {
			a = 2*math.Pi - a
		}
		clockwise = min(clockwise, a)
	}
	return clockwise, counter
}

// Alignment returns the cosine of the angle at node b between the directions b→c and b→d: 1 when both lie the same way,
// -1 when they lie opposite, 0 where a direction has no length.
func (s *State) Alignment(b, c, d Node) float32 { return s.plane.Alignment(b, c, s.X[d], s.Y[d]) }

// DistTo returns the distance from node i to the point (x, y).
func (s *State) DistTo(i Node, x, y float32) float32 { return s.plane.DistTo(i, x, y) }

// Centroid returns the mean position of the waiting customers, the depot's when there is none.
func (s *State) Centroid() (x, y float32) {
	if len(s.Waiting) == 0 {
		return s.X[Depot], s.Y[Depot]
	}
	for _, c := range s.Waiting {
		x += s.X[c]
		y += s.Y[c]
	}
	w := float32(len(s.Waiting))
	return x / w, y / w
}

// NearestOther returns the distance from node c to the nearest waiting customer other than c, 0 when there is none.
func (s *State) NearestOther(c Node) float32 {
	row, best := s.Row(c), float32(math.MaxFloat32)
	for _, j := range s.Waiting {
		if row[j] < best && j != c {
			best = row[j]
		}
	}
	if best == math.MaxFloat32 {
		return 0
	}
	return best
}

// NearestFitting returns the fitting customer nearest to node c, other than c, and its distance; Depot and 0 when there is none.
// Ties go to the lower index.
func (s *State) NearestFitting(c Node) (j Node, d float32) {
	row := s.Row(c)
	j = Depot
	for _, f := range s.Fitting() {
		if f != c && (j == Depot || row[f] < d) {
			j, d = f, row[f]
		}
	}
	return j, d
}

// Corridor returns how far node c lies off the straight line from Current home to the depot; beyond either end it is the distance
// to that end. 0 for the depot.
func (s *State) Corridor(c Node) float32 {
	ux, uy := s.X[Depot]-s.X[s.Current], s.Y[Depot]-s.Y[s.Current]
	vx, vy := s.X[c]-s.X[s.Current], s.Y[c]-s.Y[s.Current]
	uu := float32(ux*ux) + float32(uy*uy)
	if uu == 0 {
		return s.Dist(s.Current, c)
	}
	along := min(1, max(0, (float32(ux*vx)+float32(uy*vy))/uu))
	if along == 1 {
		return s.Dist(c, Depot)
	}
	return s.DistTo(c, s.X[s.Current]+float32(along*ux), s.Y[s.Current]+float32(along*uy))
}

// Outward returns by how much node j lies farther from the depot than node i: d(0,j) - d(0,i), negative inward.
func (s *State) Outward(i, j Node) float32 { return s.Dist(Depot, j) - s.Dist(Depot, i) }

// Arm returns where node c lies on the ray from the depot through node i: how far along it and how far beside it, in
// lengths; behind the depot along is negative. Where i has no direction it is 0 and the distance to the depot.
func (s *State) Arm(i, c Node) (along, beside float32) {
	d := s.Dist(Depot, i)
	if d == 0 {
		return 0, s.Dist(Depot, c)
	}
	ux, uy := (s.X[i]-s.X[Depot])/d, (s.Y[i]-s.Y[Depot])/d
	vx, vy := s.X[c]-s.X[Depot], s.Y[c]-s.Y[Depot]
	along = float32(ux*vx) + float32(uy*vy)
	beside = float32(ux*vy) - float32(uy*vx)
	return along, max(beside, -beside)
}

// Crowd returns how many other waiting customers lie within the radius of node c, a customer at distance d counting 1 - d/radius.
func (s *State) Crowd(c Node, radius float32) float32 {
	row, mass := s.Row(c), float32(0)
	for _, j := range s.Waiting {
		if j != c {
			mass += max(0, 1-row[j]/radius)
		}
	}
	return mass
}

// Ahead returns the angle, seen from the depot, by which node j lies counter-clockwise of node i: -π to π, negative clockwise; 0 where
// one of them is the depot.
func (s *State) Ahead(i, j Node) float32 {
	if i == Depot || j == Depot {
		return 0
	}
	a := s.angle[j] - s.angle[i]
	switch {
	case a > math.Pi:
		a -= 2 * math.Pi
	case a < -math.Pi:
		a += 2 * math.Pi
	}
	return a
}
