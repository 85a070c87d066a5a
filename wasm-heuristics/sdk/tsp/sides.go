package tsp

// side is what lies on the two sides of the ray from Current through a candidate.
type side struct {
	more                  float32 // number of others on the left, less those on the right
	cosRight, cosLeft     float32 // of the smallest angle to a near one
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
		a := side{cosRight: -2, cosLeft: -2, wedgeRight: 1, wedgeLeft: 1}
		xn, yn, uxn, uyn, dn := h.x[n], h.y[n], h.ux[n], h.uy[n], h.d[n]
		reach := float32(1.5*dn) + 1
		for k := range n {
			b, dk := &of[k], h.d[k]
			left := sign(cross(xn, yn, h.x[k], h.y[k]))
			a.more += left
			b.more -= left
			cos := dot(uxn, uyn, h.ux[k], h.uy[k])
			if dk < reach {
				a.open(cos, left)
			}
			if dn < float32(1.5*dk)+1 {
				b.open(cos, -left)
			}
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		a.wedgeRight, a.wedgeLeft = between(a.cosRight), between(a.cosLeft)
	}
	return of
}

// open counts in a near candidate at an angle of this cosine; left is 1 on the left, -1 on the right.
func (a *side) open(cos, left float32) {
	if cos > a.cosRight && left < 0 {
		a.cosRight = cos
	}
	if cos > a.cosLeft && left > 0 {
		a.cosLeft = cos
	}
}

// between returns the angle of a cosine in half turns, 1 of -2, which stands for none.
func between(cos float32) float32 {
	if cos == -2 {
		return 1
	}
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
type sight struct{ right, left, ahead, behind float32 }

func (s *State) sights(r float32) []sight {
	if of := s.local.sights.known(r); of != nil {
		return of
	}
	h, of, q := s.here(), s.local.sights.open(s, r), fading(r)
	var sum float32
	for n := range of {
		var a sight
		xn, yn, uxn, uyn, an := h.x[n], h.y[n], h.ux[n], h.uy[n], h.angle[n]
		w := fade(float32(h.d[n]*h.d[n]), q)
		sum += w
		a.right = w // until the end, the weight of n itself; left is what the left has more
		for k := range n {
			b := &of[k]
			left := sign(cross(xn, yn, h.x[k], h.y[k]))
			const narrow = 0.8660254 // cosine of a twelfth of a turn
			near := less(0, max(0, dot(uxn, uyn, h.ux[k], h.uy[k])-narrow))
			a.left += float32(left * b.right)
			b.left -= float32(left * w)
			a.ahead += float32(near * b.right)
			b.ahead += float32(near * w)
			a.behind += float32(less(h.angle[k], an) * b.right)
			b.behind += float32(less(an, h.angle[k]) * w)
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		a.right, a.left = halves(sum-a.right, a.left)
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
func (s *State) Ahead(k int, r float32) float32 { return bounded(s.sights(r)[k].ahead) }
