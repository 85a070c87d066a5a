package tsp

// here is the decision as seen from Current: places in units, with Current at the origin. Each slice has an entry for
// each candidate.
type here struct {
	known  bool
	x, y   []float32 // place
	d      []float32 // distance
	ux, uy []float32 // direction, a vector of length 1, or 0 for a candidate in Current's place
	toF    []float32 // distance to First
	toC    []float32 // distance to the centroid
	angle  []float32 // angle about the middle of all cities, counterclockwise from First, in turns
	room   []float32 // [8N] what the slices are parts of

	k1, k2, kF  int     // the nearest, the second-nearest, and that nearest to First
	fx, fy, f   float32 // First, and its distance
	cx, cy      float32 // the centroid of the candidates
	sum         float32 // of all distances
	least       float32 // the least angle
	left, right float32 // number of candidates on the left and on the right of the line from Current to First
}

func (s *State) here() *here {
	if !s.local.here.known {
		s.look()
	}
	return &s.local.here
}

// look works out here.
func (s *State) look() {
	h, K, N := &s.local.here, len(s.Candidates), len(s.gap)
	if h.room == nil {
		h.room = make([]float32, 8*N)
	}
	part := func(i int) []float32 { return h.room[i*N : (i+1)*N : (i+1)*N][:K] }
	h.x, h.y, h.d, h.ux, h.uy, h.toF = part(0), part(1), part(2), part(3), part(4), part(5)
	h.toC, h.angle = part(6), part(7)
	row, start := s.Row(s.Current), s.Row(s.First)
	x0, y0 := s.X[s.Current], s.Y[s.Current]
	h.fx, h.fy = (s.X[s.First]-x0)*s.perUnit, (s.Y[s.First]-y0)*s.perUnit
	h.f = row[s.First] * s.perUnit
	h.k1, h.k2, h.kF = 0, -1, 0
	h.cx, h.cy, h.sum, h.left, h.right, h.least = 0, 0, 0, 0, 0, 1
	for k, c := range s.Candidates {
		x, y := float32((s.X[c]-x0)*s.perUnit), float32((s.Y[c]-y0)*s.perUnit)
		d := float32(row[c] * s.perUnit)
		h.x[k], h.y[k], h.d[k], h.toF[k] = x, y, d, start[c]*s.perUnit
		h.angle[k] = s.angle[c] - s.angle[s.First]
		if h.angle[k] < 0 {
			h.angle[k]++
		}
		h.least = min(h.least, h.angle[k])
		h.ux[k], h.uy[k] = 0, 0
		if d > 0 {
			h.ux[k], h.uy[k] = x/d, y/d
		}
		h.cx += x
		h.cy += y
		h.sum += d
		switch {
		case k == 0:
		case d < h.d[h.k1]:
			h.k1, h.k2 = k, h.k1
		case h.k2 < 0 || d < h.d[h.k2]:
			h.k2 = k
		}
		if h.toF[k] < h.toF[h.kF] {
			h.kF = k
		}
		switch side := cross(h.fx, h.fy, x, y); {
		case side > 0:
			h.left++
		case side < 0:
			h.right++
		}
	}
	if h.k2 < 0 {
		h.k2 = h.k1
	}
	h.cx, h.cy = h.cx/float32(K), h.cy/float32(K)
	for k := range h.toC {
		dx, dy := h.x[k]-h.cx, h.y[k]-h.cy
		h.toC[k] = root(dot(dx, dy, dx, dy))
	}
	h.known = true
}

// Unit returns the typical spacing of N uniform cities in the unit square, 0.7/√N. The measures of a candidate give
// lengths in this unit, so that a weight means the same for 20 cities as for 100. All of them are within ±20.
func (s *State) Unit() float32 { return s.unit }

// Nearest returns the candidates (indices into Candidates) that are nearest and second-nearest to Current; of equals
// the one of the lower index. With one candidate both are that one.
func (s *State) Nearest() (k1, k2 int) {
	h := s.here()
	return h.k1, h.k2
}

// Distance returns how far candidate k is from Current, in units.
func (s *State) Distance(k int) float32 { return bounded(s.here().d[k]) }

// LogDistance returns the natural logarithm of Distance + 0.1: small distances differ more than large ones.
func (s *State) LogDistance(k int) float32 { return bounded(logarithm(s.here().d[k] + 0.1)) }

// DistanceSquared returns the square of half the Distance: large distances differ more than small ones.
func (s *State) DistanceSquared(k int) float32 {
	d := s.here().d[k] / 2
	return bounded(d * d)
}

// DistanceRatio returns Distance by that of the nearest candidate plus 0.1, at most 8.
func (s *State) DistanceRatio(k int) float32 {
	h := s.here()
	return min(8, h.d[k]/(h.d[h.k1]+0.1))
}

// IsNearest returns 1 for the candidate nearest to Current, 0 for any other.
func (s *State) IsNearest(k int) float32 { return one(k == s.here().k1) }

// ToStart returns how far candidate k is from First, in units.
func (s *State) ToStart(k int) float32 { return bounded(s.here().toF[k]) }

// IsNearestToStart returns 1 for the candidate nearest to First, 0 for any other.
func (s *State) IsNearestToStart(k int) float32 { return one(k == s.here().kF) }

// TowardsStart returns the cosine of the angle at Current between candidate k and First: 1 if it lies towards First,
// -1 if the other way, 0 where a direction is missing.
func (s *State) TowardsStart(k int) float32 {
	h := s.here()
	return along(h.ux[k], h.uy[k], h.fx, h.fy, h.f)
}

// LeftOfStart returns the sine of the angle at Current from First to candidate k: positive if it lies to the left of
// the way to First, negative to the right, 0 where a direction is missing.
func (s *State) LeftOfStart(k int) float32 {
	h := s.here()
	return across(h.ux[k], h.uy[k], h.fx, h.fy, h.f)
}

// ToCentroid returns how far candidate k is from the centroid of the candidates, in units.
func (s *State) ToCentroid(k int) float32 { return bounded(s.here().toC[k]) }

// TowardsCentroid returns the cosine of the angle at Current between candidate k and the centroid of the candidates, 0
// where a direction is missing.
func (s *State) TowardsCentroid(k int) float32 {
	h := s.here()
	return along(h.ux[k], h.uy[k], h.cx, h.cy, root(dot(h.cx, h.cy, h.cx, h.cy)))
}

// LeftOfCentroid returns the sine of the angle at Current from the centroid of the candidates to candidate k: positive
// if it lies to the left of the way to the centroid.
func (s *State) LeftOfCentroid(k int) float32 {
	h := s.here()
	return across(h.ux[k], h.uy[k], h.cx, h.cy, root(dot(h.cx, h.cy, h.cx, h.cy)))
}

// PlaceX returns where candidate k lies from left to right in the unit square: -1 on its left edge, 1 on the right.
func (s *State) PlaceX(k int) float32 { return bounded(2*s.X[s.Candidates[k]] - 1) }

// PlaceY returns where candidate k lies from bottom to top in the unit square: -1 on its lower edge, 1 on the upper.
func (s *State) PlaceY(k int) float32 { return bounded(2*s.Y[s.Candidates[k]] - 1) }

// DirectionX returns the x component of the direction from Current to candidate k, from -1 to 1.
func (s *State) DirectionX(k int) float32 { return s.here().ux[k] }

// DirectionY returns the y component of the direction from Current to candidate k, from -1 to 1.
func (s *State) DirectionY(k int) float32 { return s.here().uy[k] }

// ToEdge returns how far candidate k is from the nearest edge of the unit square, in units.
func (s *State) ToEdge(k int) float32 {
	x, y := s.X[s.Candidates[k]], s.Y[s.Candidates[k]]
	return bounded(min(x, 1-x, y, 1-y) * s.perUnit)
}

// along returns the cosine between a direction and the vector (vx, vy) of length v, 0 where that is too short.
func along(ux, uy, vx, vy, v float32) float32 {
	if v < 1e-4 {
		return 0
	}
	return bounded(dot(ux, uy, vx, vy) / v)
}

// across returns the sine of the angle from the vector (vx, vy) of length v to a direction, 0 where v is too short.
func across(ux, uy, vx, vy, v float32) float32 {
	if v < 1e-4 {
		return 0
	}
	return bounded(cross(vx, vy, ux, uy) / v)
}

// one returns 1 if so, 0 if not.
func one(so bool) float32 {
	if so {
		return 1
	}
	return 0
}

// rank says how many candidates stand before or behind one of them.
type rank struct{ nearer, fartherF, fartherC, behind float32 }

func (s *State) ranks() []rank {
	if of := s.local.ranks.of; of != nil {
		return of
	}
	return s.findRanks()
}

func (s *State) findRanks() []rank {
	h, of := s.here(), s.local.ranks.open(s)
	d, toF, toC, angle := h.d, h.toF, h.toC, h.angle
	for n := range of {
		var a rank
		const rounding = 1e-3 // two candidates are equally far from their centroid
		dn, fn, cn, an := d[n], toF[n], toC[n], angle[n]
		before := of[:n]
		d, toF, toC, angle := d[:n], toF[:n], toC[:n], angle[:n]
		for k := range before {
			b := &before[k]
			a.nearer += less(d[k], dn)
			b.nearer += less(dn, d[k])
			a.fartherF += less(fn, toF[k])
			b.fartherF += less(toF[k], fn)
			a.fartherC += less(cn+rounding, toC[k])
			b.fartherC += less(toC[k]+rounding, cn)
			a.behind += less(angle[k], an)
			b.behind += less(an, angle[k])
		}
		of[n] = a
	}
	return of
}

// share returns the share of the other candidates that a number of them is, 0 without others.
func (s *State) share(of float32) float32 { return of / float32(max(1, len(s.Candidates)-1)) }

// Rank returns how many candidates are nearer to Current than candidate k: 0 for the nearest; at most 20.
func (s *State) Rank(k int) float32 { return bounded(s.ranks()[k].nearer) }
