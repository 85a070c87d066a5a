package tsp

// Measures of the decision as a whole. More of them are those of the nearest and the second-nearest candidate:
//
//	k1, k2 := s.Nearest()
//	lonely := s.Isolation(k1) - s.Isolation(k2)

// StartDistance returns how far Current is from First, in units.
func (s *State) StartDistance() float32 { return bounded(s.here().f) }

// CentroidDistance returns how far Current is from the centroid of the candidates, in units.
func (s *State) CentroidDistance() float32 {
	h := s.here()
	return bounded(root(dot(h.cx, h.cy, h.cx, h.cy)))
}

// CentroidFromStart returns how far First is from the centroid of the candidates, in units.
func (s *State) CentroidFromStart() float32 {
	h := s.here()
	dx, dy := h.cx-h.fx, h.cy-h.fy
	return bounded(root(dot(dx, dy, dx, dy)))
}

// CentroidOffStart returns how far the centroid of the candidates is from the line from Current to First, in units:
// positive to the left.
func (s *State) CentroidOffStart() float32 {
	h := s.here()
	return bounded(cross(h.fx, h.fy, h.cx, h.cy) / (h.f + 0.1))
}

// Spread returns the root mean square distance of the candidates from their centroid, in units.
func (s *State) Spread() float32 {
	var sum float32
	toC := s.here().toC
	for _, d := range toC {
		sum += float32(d * d)
	}
	return bounded(root(sum / float32(len(toC))))
}

// MeanDistance returns the mean distance of the candidates from Current, in units.
func (s *State) MeanDistance() float32 { return bounded(s.here().sum / float32(len(s.Candidates))) }

// OneSided returns how much the candidates lie in one direction from Current: 1 all of them, 0 all around it.
func (s *State) OneSided() float32 {
	h := s.here()
	var x, y float32
	for k := range h.ux {
		x += h.ux[k]
		y += h.uy[k]
	}
	return root(dot(x, y, x, y)) / float32(len(h.ux))
}

// StartOneSided returns how much the candidates lie in one direction from First: 1 all of them, 0 all around it.
func (s *State) StartOneSided() float32 {
	h := s.here()
	var x, y float32
	for k, d := range h.toF {
		if d > 0 {
			x += (h.x[k] - h.fx) / d
			y += (h.y[k] - h.fy) / d
		}
	}
	return root(dot(x, y, x, y)) / float32(len(h.toF))
}

// MostIsolation returns the greatest Isolation of a candidate.
func (s *State) MostIsolation() float32 {
	var most float32
	for _, l := range s.links() {
		most = max(most, l.d1)
	}
	return bounded(most)
}

// MostSkip returns the greatest Skip of a candidate.
func (s *State) MostSkip() float32 {
	var most float32
	for _, l := range s.links() {
		most = max(most, l.skip)
	}
	return bounded(most)
}

// ThirdRatio returns the distance of the third-nearest candidate by that of the nearest plus 0.1, at most 8; with
// fewer than three candidates that of the farthest.
func (s *State) ThirdRatio() float32 {
	h := s.here()
	third := float32(far)
	for k, d := range h.d {
		if k != h.k1 && k != h.k2 {
			third = min(third, d)
		}
	}
	if third == far {
		third = h.d[h.k2]
	}
	return min(8, third/(h.d[h.k1]+0.1))
}

// NearestApart returns how far the nearest and the second-nearest candidate are from each other, in units.
func (s *State) NearestApart() float32 {
	k1, k2 := s.Nearest()
	return bounded(s.units(s.Candidates[k1], s.Candidates[k2]))
}

// NearestCosine returns the cosine of the angle at Current between the nearest and the second-nearest candidate, 0
// where a direction is missing.
func (s *State) NearestCosine() float32 {
	h := s.here()
	return bounded(dot(h.ux[h.k1], h.uy[h.k1], h.ux[h.k2], h.uy[h.k2]))
}

// NearestSine returns the sine of the angle at Current from the nearest to the second-nearest candidate: positive if
// that is to the left.
func (s *State) NearestSine() float32 {
	h := s.here()
	return bounded(cross(h.ux[h.k1], h.uy[h.k1], h.ux[h.k2], h.uy[h.k2]))
}

// NearestToStart returns how far First is from the nearest candidate, in units.
func (s *State) NearestToStart() float32 {
	h := s.here()
	return bounded(h.toF[h.kF])
}

// Within returns how many candidates are less than r units from Current, at most 20.
func (s *State) Within(r float32) float32 {
	var count float32
	for _, d := range s.here().d {
		count += one(d < r)
	}
	return bounded(count)
}

// CrowdHere returns the number of candidates about Current, which fade with their distance: half at about r units,
// hardly at 3r.
func (s *State) CrowdHere(r float32) float32 {
	q := fading(r)
	var sum float32
	for _, d := range s.here().d {
		sum += fade(float32(d*d), q)
	}
	return bounded(sum)
}

// VisitedHere returns the number of visited cities about Current, which fade as in CrowdHere.
func (s *State) VisitedHere(r float32) float32 {
	v, q := s.visited(), fading(r)
	var sum float32
	for i, x := range v.x {
		sum += fade(dot(x, v.y[i], x, v.y[i]), q)
	}
	return bounded(sum)
}

// BehindShare returns the share of the candidates whose Angle is less than that of Current.
func (s *State) BehindShare() float32 {
	here, behind := s.AngleHere(), float32(0)
	for _, angle := range s.here().angle {
		behind += less(angle, here)
	}
	return behind / float32(len(s.Candidates))
}

// LeftOfStartShare returns the share of the candidates to the left of the way from Current to First, 0 where Current is
// First.
func (s *State) LeftOfStartShare() float32 { return s.here().left / float32(len(s.Candidates)) }
