package tsp

import "math"

// Centroid returns the mean position of the candidates.
func (s *State) Centroid() (x, y float32) {
	for _, c := range s.Candidates {
		x += s.X[c]
		y += s.Y[c]
	}
	k := float32(len(s.Candidates))
	return x / k, y / k
}

// DistTo returns the distance from city i to the point (x, y).
func (s *State) DistTo(i Node, x, y float32) float32 {
	dx, dy := s.X[i]-x, s.Y[i]-y
	return float32(math.Sqrt(float64(float32(dx*dx) + float32(dy*dy))))
}

// Alignment returns the cosine of the angle at city b between the directions b→c and b→(x, y):
// 1 when c lies towards the point, -1 when it lies the other way, 0 where a direction has no length.
func (s *State) Alignment(b, c Node, x, y float32) float32 {
	ux, uy := s.X[c]-s.X[b], s.Y[c]-s.Y[b]
	vx, vy := x-s.X[b], y-s.Y[b]
	uu := float32(ux*ux) + float32(uy*uy)
	vv := float32(vx*vx) + float32(vy*vy)
	if uu == 0 || vv == 0 {
		return 0
	}
	return (float32(ux*vx) + float32(uy*vy)) / float32(math.Sqrt(float64(uu)*float64(vv)))
}

// Heading returns the cosine of the turn from First→Current into Current→c: 1 straight on, -1 back, 0 in the first step.
func (s *State) Heading(c Node) float32 {
	return s.Alignment(s.Current, c, 2*s.X[s.Current]-s.X[s.First], 2*s.Y[s.Current]-s.Y[s.First])
}

// NearestOther returns the distance from candidate k (an index into Candidates) to the nearest other candidate,
// 0 when it is the only one.
func (s *State) NearestOther(k int) float32 {
	d, _ := s.NearestTwo(k)
	return d
}

// NearestTwo returns the distances from candidate k (an index into Candidates) to the nearest and the second-nearest
// other candidate; where one is missing it repeats the one before, 0 when the candidate is the only one.
func (s *State) NearestTwo(k int) (d1, d2 float32) {
	const far = math.MaxFloat32
	row := s.Row(s.Candidates[k])
	d1, d2 = far, far
	for l, j := range s.Candidates {
		if l == k {
			continue
		}
		if d := row[j]; d < d1 {
			d1, d2 = d, d1
		} else if d < d2 {
			d2 = d
		}
	}
	if d1 == far {
		return 0, 0
	}
	if d2 == far {
		d2 = d1
	}
	return d1, d2
}
