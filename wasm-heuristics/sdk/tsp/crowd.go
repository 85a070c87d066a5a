package tsp

// crowd sums over the other candidates about one of them.
type crowd struct{ all, right, left, beyond float32 }

func (s *State) crowds(r float32) []crowd {
	if of := s.local.crowds.known(r); of != nil {
		return of
	}
	return s.findCrowds(r)
}

func (s *State) findCrowds(r float32) []crowd {
	h, of, q, perUnit := s.here(), s.local.crowds.open(s, r), fading(r), s.perUnit
	for n, c := range s.Candidates {
		var a crowd
		row := s.Row(c)
		xn, yn, dn := h.x[n], h.y[n], h.d[n]
		before, xs, ys, ds := of[:n], h.x[:n], h.y[:n], h.d[:n]
		for k, j := range s.Candidates[:n] {
			b, d := &before[k], row[j]*perUnit
			w := fade(float32(d*d), q)
			left := float32(sign(cross(xn, yn, xs[k], ys[k])) * w)
			a.all += w
			b.all += w
			a.left += left
			b.left -= left
			a.beyond += float32(less(dn, ds[k]) * w)
			b.beyond += float32(less(ds[k], dn) * w)
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		a.right, a.left = halves(a.all, a.left)
	}
	return of
}

// Crowd returns the number of other candidates about candidate k, where one counts the less the farther it is from k:
// half at about r units, hardly at 3r.
func (s *State) Crowd(k int, r float32) float32 { return bounded(s.crowds(r)[k].all) }

// CrowdRight returns the Crowd to the right of the line from Current through candidate k.
func (s *State) CrowdRight(k int, r float32) float32 { return bounded(s.crowds(r)[k].right) }

// CrowdLeft returns the Crowd to the left of the line from Current through candidate k.
func (s *State) CrowdLeft(k int, r float32) float32 { return bounded(s.crowds(r)[k].left) }

// CrowdBeyond returns the Crowd of those that are farther from Current than candidate k.
func (s *State) CrowdBeyond(k int, r float32) float32 { return bounded(s.crowds(r)[k].beyond) }

// CrowdBetween returns the Crowd of those that are at most as far from Current as candidate k.
func (s *State) CrowdBetween(k int, r float32) float32 {
	a := s.crowds(r)[k]
	return bounded(a.all - a.beyond)
}

// flank sums over the other candidates about one of them, as the way home and the angle divide them.
type flank struct{ all, homeRight, behind float32 }

func (s *State) flanks(r float32) []flank {
	if of := s.local.flanks.known(r); of != nil {
		return of
	}
	return s.findFlanks(r)
}

func (s *State) findFlanks(r float32) []flank {
	h, of, q, perUnit := s.here(), s.local.flanks.open(s, r), fading(r), s.perUnit
	for n, c := range s.Candidates {
		var a flank
		row := s.Row(c)
		xn, yn, an := h.x[n], h.y[n], h.angle[n]
		fx, fy := h.fx-xn, h.fy-yn
		before, xs, ys, angles := of[:n], h.x[:n], h.y[:n], h.angle[:n]
		for k, j := range s.Candidates[:n] {
			b, d := &before[k], row[j]*perUnit
			w := fade(float32(d*d), q)
			right := float32(sign(cross(fx, fy, xs[k]-xn, ys[k]-yn)) * w)
			a.all += w
			b.all += w
			a.homeRight -= right
			b.homeRight += right
			a.behind += float32(less(angles[k], an) * w)
			b.behind += float32(less(an, angles[k]) * w)
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		_, a.homeRight = halves(a.all, a.homeRight)
	}
	return of
}
