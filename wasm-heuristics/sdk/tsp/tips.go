package tsp

// tip is the mean direction from a candidate to the others: its length, its part along the way from Current to the
// candidate, and its part across, positive to the left.
type tip struct{ along, across, length float32 }

func (s *State) tips(r float32) []tip {
	if of := s.local.tips.known(r); of != nil {
		return of
	}
	of := s.local.tips.open(s, r)
	s.lean(of, fading(r), 0.3)
	return of
}

func (s *State) outs() []tip {
	if of := s.local.outs.of; of != nil {
		return of
	}
	of := s.local.outs.open(s)
	s.lean(of, 0, 0)
	return of
}

// lean works out tips whose weights fade with q; rest is added to the sum of the weights.
func (s *State) lean(of []tip, q, rest float32) {
	h, perUnit := s.here(), s.perUnit
	for n, c := range s.Candidates {
		var a tip // until the end, the sums of the directions' x and y and of the weights
		row := s.Row(c)
		xn, yn := h.x[n], h.y[n]
		before, xs, ys := of[:n], h.x[:n], h.y[:n]
		for k, j := range s.Candidates[:n] {
			b, d := &before[k], row[j]*perUnit
			if d == 0 {
				d = 1 // of a vector of no length
			}
			w := fade(float32(d*d), q)
			per := w / d
			x, y := float32((xs[k]-xn)*per), float32((ys[k]-yn)*per)
			a.along += x
			b.along -= x
			a.across += y
			b.across -= y
			a.length += w
			b.length += w
		}
		of[n] = a
	}
	for n := range of {
		a, ux, uy := &of[n], h.ux[n], h.uy[n]
		sum := a.length + rest
		if sum == 0 {
			continue
		}
		x, y := a.along/sum, a.across/sum
		*a = tip{dot(x, y, ux, uy), cross(ux, uy, x, y), root(dot(x, y, x, y))}
	}
}

// Tip returns how much the other candidates about candidate k lie in one direction: 1 all of them, 0 all around it or
// none. They fade with their distance from k: half at about r units, hardly at 3r.
func (s *State) Tip(k int, r float32) float32 { return s.tips(r)[k].length }

// TipAlong returns how much the other candidates about candidate k lie straight on from Current over k: 1 all of them,
// -1 if all lie back towards Current. They fade as in Tip.
func (s *State) TipAlong(k int, r float32) float32 { return s.tips(r)[k].along }

// TipAcross returns how much the other candidates about candidate k lie to the left of the way from Current over k: 1
// all of them, -1 if all lie to the right. They fade as in Tip.
func (s *State) TipAcross(k int, r float32) float32 { return s.tips(r)[k].across }

// Outlying returns how much all other candidates lie in one direction from candidate k: 1 seen from far outside, 0
// from their middle or with K = 1.
func (s *State) Outlying(k int) float32 { return s.outs()[k].length }

// OutAlong returns how much all other candidates lie straight on from Current over candidate k, from -1 to 1.
func (s *State) OutAlong(k int) float32 { return s.outs()[k].along }

// OutAcross returns how much all other candidates lie to the left of the way from Current over candidate k, from -1 to
// 1.
func (s *State) OutAcross(k int) float32 { return s.outs()[k].across }
