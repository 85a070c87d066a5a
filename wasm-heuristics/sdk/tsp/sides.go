package tsp

import "math"

// side is what lies on the two sides of the ray from Current through a candidate.
type side struct {
	more                  float32 // number of others on the left, less those on the right
	cosRight, cosLeft     int32   // of the smallest angle to a near one: see open
	wedgeRight, wedgeLeft float32 // that angle
}

func (s *State) sides() []side {
	if of := s.local.sides.of; of != nil {
		return of
	}
	return s.findSides()
}

func (s *State) findSides() []side {
	h, of := s.here(), s.local.sides.open(s)
	for n := range of {
		var a side
		xn, yn, uxn, uyn, dn := h.x[n], h.y[n], h.ux[n], h.uy[n], h.d[n]
		reach := float32(1.5*dn) + 1
		before, xs, ys, uxs, uys, ds := of[:n], h.x[:n], h.y[:n], h.ux[:n], h.uy[:n], h.d[:n]
		for k := range before {
			b, dk := &before[k], ds[k]
			left := sign(cross(xn, yn, xs[k], ys[k]))
			a.more += left
			b.more -= left
			cos := dot(uxn, uyn, uxs[k], uys[k])
			a.open(cos, left, dk-reach)
			b.open(cos, -left, dn-float32(1.5*dk)-1)
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		a.wedgeRight, a.wedgeLeft = between(a.cosRight), between(a.cosLeft)
	}
	return of
}

// open counts in one at an angle of this cosine; left is 1 on the left, -1 on the right, and far is negative if it is
// near. The cosine plus 2 is positive, and so its bits have the order of cosines; 0 stands for none. There is no
// branch.
func (a *side) open(cos, left, far float32) {
	near := bits(cos+2) & (bits(far) >> 31)
	a.cosRight = max(a.cosRight, near&(bits(left)>>31))
	a.cosLeft = max(a.cosLeft, near&(bits(0-left)>>31))
}

// between returns the angle of a cosine as open keeps it in half turns, 1 of none.
func between(open int32) float32 {
	if open == 0 {
		return 1
	}
	cos := math.Float32frombits(uint32(open)) - 2
	return 2 * turn(cos, root(max(0, 1-float32(cos*cos))))
}

// LeftShare returns the share of the other candidates on the left of the line from Current through candidate k. One on
// the line counts half. With K = 1 it is ½.
func (s *State) LeftShare(k int) float32 { return (1 + s.share(s.sides()[k].more)) / 2 }

// Cut returns the share of the other candidates on the smaller side of the line from Current through candidate k: 0 if
// all lie on one side, ½ if the line halves them, or with K = 1.
func (s *State) Cut(k int) float32 {
	left := s.LeftShare(k)
	return min(left, 1-left)
}

// WedgeRight returns the smallest angle at Current from candidate k clockwise to another candidate of less than one
// and a half times its distance plus one unit, in half turns; 1 if there is none.
func (s *State) WedgeRight(k int) float32 { return s.sides()[k].wedgeRight }

// WedgeLeft returns what WedgeRight does counterclockwise.
func (s *State) WedgeLeft(k int) float32 { return s.sides()[k].wedgeLeft }

// sight sums over the candidates about Current, as the ray from Current through one of them divides them.
type sight struct{ right, left float32 }

func (s *State) sights(r float32) []sight {
	if of := s.local.sights.known(r); of != nil {
		return of
	}
	return s.findSights(r)
}

func (s *State) findSights(r float32) []sight {
	h, of, q := s.here(), s.local.sights.open(s, r), fading(r)
	var sum float32
	for n := range of {
		xn, yn := h.x[n], h.y[n]
		w := fade(float32(h.d[n]*h.d[n]), q)
		sum += w
		a := sight{right: w} // until the end, the weight of n itself; left is what the left has more
		before, xs, ys := of[:n], h.x[:n], h.y[:n]
		for k := range before {
			b := &before[k]
			left := sign(cross(xn, yn, xs[k], ys[k]))
			a.left += float32(left * b.right)
			b.left -= float32(left * w)
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		a.right, a.left = halves(sum-a.right, a.left)
	}
	return of
}

// glance sums over the candidates about Current: those in nearly the same direction as one of them, and those behind
// it by angle.
type glance struct{ weight, ahead, behind float32 }

func (s *State) glances(r float32) []glance {
	if of := s.local.glances.known(r); of != nil {
		return of
	}
	return s.findGlances(r)
}

func (s *State) findGlances(r float32) []glance {
	const narrow = 0.8660254 // cosine of a twelfth of a turn
	h, of, q := s.here(), s.local.glances.open(s, r), fading(r)
	for n := range of {
		a := glance{weight: fade(float32(h.d[n]*h.d[n]), q)}
		uxn, uyn, an := h.ux[n], h.uy[n], h.angle[n]
		before, uxs, uys, angles := of[:n], h.ux[:n], h.uy[:n], h.angle[:n]
		for k := range before {
			b := &before[k]
			near := (1 + half(dot(uxn, uyn, uxs[k], uys[k])-narrow)) / 2
			a.ahead += float32(near * b.weight)
			b.ahead += float32(near * a.weight)
			a.behind += float32(less(angles[k], an) * b.weight)
			b.behind += float32(less(an, angles[k]) * a.weight)
		}
		of[n] = a
	}
	return of
}

// RightHere returns the number of candidates to the right of the ray from Current through candidate k, where one
// counts the less the farther it is from Current: half at about r units, hardly at 3r.
func (s *State) RightHere(k int, r float32) float32 { return bounded(s.sights(r)[k].right) }

// LeftHere returns what RightHere does on the left.
func (s *State) LeftHere(k int, r float32) float32 { return bounded(s.sights(r)[k].left) }

// RightMore returns by how much RightHere exceeds LeftHere, as a share of their sum plus 0.3: from -1, all on the
// left, to 1, all on the right.
func (s *State) RightMore(k int, r float32) float32 {
	a := s.sights(r)[k]
	return (a.right - a.left) / (a.right + a.left + 0.3)
}

// Ahead returns the number of other candidates within 30 degrees of the direction from Current to candidate k, which
// fade with their distance from Current as in RightHere.
func (s *State) Ahead(k int, r float32) float32 { return bounded(s.glances(r)[k].ahead) }
