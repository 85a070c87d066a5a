package subtsp

import "math"

// Centroid returns the mean position of the candidates.
func (s *State) Centroid() (x, y float32) { return s.all.Centroid() }

// Spread returns the mean distance of the candidates from the point (x, y).
func (s *State) Spread(x, y float32) float32 {
	var sum float32
	for _, c := range s.Candidates {
		sum += s.DistTo(c, x, y)
	}
	return sum / float32(len(s.Candidates))
}

// DistTo returns the distance from city i to the point (x, y).
func (s *State) DistTo(i Node, x, y float32) float32 { return s.all.DistTo(s.city[i], x, y) }

// Alignment returns the cosine of the angle at city b between the directions b→c and b→(x, y):
// 1 when c lies towards the point, -1 when it lies the other way, 0 where a direction has no length.
func (s *State) Alignment(b, c Node, x, y float32) float32 {
	return s.all.Alignment(s.city[b], s.city[c], x, y)
}

// Heading returns the cosine of the turn from First→Current into Current→c: 1 straight on, -1 back, 0 in the first step.
func (s *State) Heading(c Node) float32 { return s.all.Heading(s.city[c]) }

// Steer returns where candidate k lies for one who stands at Current and looks along the way that the tour has come, First→Current:
// so far ahead (behind where negative) and so far to the left (to the right where negative). At the start of a tour, when
// First and Current are one place, the look goes to the centroid of the candidates.
func (s *State) Steer(k int) (ahead, left float32) {
	hx, hy := s.X[s.Current]-s.X[s.First], s.Y[s.Current]-s.Y[s.First]
	if hx == 0 && hy == 0 {
		x, y := s.Centroid()
		hx, hy = x-s.X[s.Current], y-s.Y[s.Current]
	}
	length := float32(math.Sqrt(float64(float32(hx*hx) + float32(hy*hy))))
	if length == 0 {
		return 0, 0
	}
	hx, hy = hx/length, hy/length
	dx, dy := s.X[k]-s.X[s.Current], s.Y[k]-s.Y[s.Current]
	return float32(dx*hx) + float32(dy*hy), float32(hx*dy) - float32(hy*dx)
}

// Nearest returns the candidate nearest to city i, i itself left out, and its distance; i and 0 when there is no other.
// Ties go to the lower index.
func (s *State) Nearest(i Node) (c Node, d float32) {
	row := s.Row(i)
	c, d = i, math.MaxFloat32
	for _, j := range s.Candidates {
		if row[j] < d && j != i {
			c, d = j, row[j]
		}
	}
	if c == i {
		return i, 0
	}
	return c, d
}

// NearestTwo returns the distances from candidate k to the nearest and the second-nearest other candidate; where one is missing
// it repeats the one before, 0 when the candidate is the only one.
func (s *State) NearestTwo(k int) (d1, d2 float32) { return s.all.NearestTwo(k) }

// Density returns how many candidates, k itself left out, lie within the radius of candidate k.
func (s *State) Density(k int, radius float32) int {
	row, n := s.Row(Node(k)), -1
	for _, c := range s.Candidates {
		if row[c] <= radius {
			n++
		}
	}
	return n
}
