package tsp

// home is what lies about the way from a candidate to First: how many other candidates have it on their left less
// those on the right, and how many are inside the triangle of Current, the candidate and First.
type home struct{ right, inside, side float32 }

func (s *State) homes() []home {
	if of := s.local.homes.of; of != nil {
		return of
	}
	return s.findHomes()
}

func (s *State) findHomes() []home {
	h, of := s.here(), s.local.homes.open(s)
	for n := range of {
		var a home
		xn, yn := h.x[n], h.y[n]
		fx, fy := h.fx-xn, h.fy-yn
		a.side = sign(cross(h.fx, h.fy, xn, yn))
		before, xs, ys := of[:n], h.x[:n], h.y[:n]
		for k := range before {
			b, xk, yk := &before[k], xs[k], ys[k]
			// On which side of the way from n to First k lies, and of that from Current to n. For n and k exchanged
			// both change.
			home, here := sign(cross(fx, fy, xk-xn, yk-yn)), sign(cross(xn, yn, xk, yk))
			a.right -= home
			b.right += home
			// k is inside the triangle of n if it is on the same side of the way from Current to First, and on the
			// other side of both of these: if the four numbers add up to 4 or -4.
			sides := a.side + b.side
			a.inside += positive(size(sides-home-here) - 3)
			b.inside += positive(size(sides+home+here) - 3)
		}
		of[n] = a
	}
	return of
}

// StartTriangle returns the area of the triangle of Current, First and candidate k by 4, in square units: positive if
// k is to the left of the way from Current to First, negative to the right.
func (s *State) StartTriangle(k int) float32 { return bounded(s.here().besideStart(k) / 8) }

// besideStart returns twice the area of the triangle of Current, First and candidate k.
func (h *here) besideStart(k int) float32 { return cross(h.fx, h.fy, h.x[k], h.y[k]) }

// OffStart returns how far candidate k is from the line from Current to First, in units: positive to the left. It
// fades to 0 where the two are closer than 0.1.
func (s *State) OffStart(k int) float32 {
	h := s.here()
	return bounded(h.besideStart(k) / (h.f + 0.1))
}

// SameSide returns the share of the other candidates on the same side of the line from Current to First as candidate
// k; 0 if k is on the line.
func (s *State) SameSide(k int) float32 {
	h := s.here()
	switch side := h.besideStart(k); {
	case side > 0:
		return s.share(h.left - 1)
	case side < 0:
		return s.share(h.right - 1)
	}
	return 0
}

// InTriangle returns how many other candidates are inside the triangle of Current, candidate k and First, at most 20.
func (s *State) InTriangle(k int) float32 { return bounded(s.homes()[k].inside) }

// HomeRight returns the share of the other candidates to the right of the way from candidate k to First. One on the
// line counts half. With K = 1 it is ½.
func (s *State) HomeRight(k int) float32 { return (1 + s.share(s.homes()[k].right)) / 2 }

// HomeRightNear returns how much of the Crowd about candidate k is to the right of the way from k to First, as a
// share of the Crowd plus 0.3.
func (s *State) HomeRightNear(k int, r float32) float32 {
	a := s.flanks(r)[k]
	return a.homeRight / (a.all + 0.3)
}

// FartherFromStart returns the share of the other candidates that are farther from First than candidate k; 0 with K =
// 1.
func (s *State) FartherFromStart(k int) float32 { return s.share(s.ranks()[k].fartherF) }

// FartherFromCentroid returns the share of the other candidates that are farther from their centroid than candidate
// k; 0 with K = 1.
func (s *State) FartherFromCentroid(k int) float32 { return s.share(s.ranks()[k].fartherC) }
