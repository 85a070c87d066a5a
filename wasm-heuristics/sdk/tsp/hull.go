package tsp

// gap is the widest angle at a candidate with no other candidate in it: its width in turns, and its middle relative to
// the way from Current.
type gap struct{ width, ahead, left float32 }

func (s *State) gaps() []gap {
	if of := s.local.gaps.of; of != nil {
		return of
	}
	return s.findGaps()
}

// findGaps finds the widest gap among M directions without sorting them: it is no narrower than 1/M of a turn, and so
// lies between the last direction of one of M equal sectors and the first one of the next sector that has any.
func (s *State) findGaps() []gap {
	h, l := s.here(), &s.local
	of, K := l.gaps.open(s), len(s.Candidates)
	if l.first == nil {
		both := make([]float32, 2*len(s.gap))
		l.first, l.last = both[:len(s.gap)], both[len(s.gap):]
	}
	M := K - 1
	first, last := l.first[:M], l.last[:M]
	for n, xn := range h.x {
		yn := h.y[n]
		for b := range first {
			first[b], last[b] = 2, -1
		}
		for k, x := range h.x {
			x, y := x-xn, h.y[k]-yn
			if x == 0 && y == 0 {
				continue
			}
			a := turn(x, y)
			b := min(int(a*float32(M)), M-1)
			first[b], last[b] = min(first[b], a), max(last[b], a)
		}
		begin, end := float32(-1), float32(0) // of all directions
		width, from := float32(-1), float32(0)
		for b, a := range first {
			if a > 1 {
				continue
			}
			if begin < 0 {
				begin = a
			} else if a-end > width {
				width, from = a-end, end
			}
			end = last[b]
		}
		of[n] = gap{width: 1}
		if begin < 0 {
			continue // no other candidate, or all in this place
		}
		if begin+1-end > width {
			width, from = begin+1-end, end
		}
		of[n].width = width
		if h.d[n] > 0 {
			middle := from + width/2 - turn(h.ux[n], h.uy[n])
			if middle > 1 {
				middle--
			}
			of[n].left = sine(middle)
			if middle += 0.25; middle > 1 {
				middle--
			}
			of[n].ahead = sine(middle)
		}
	}
	return of
}

// Gap returns the widest angle at candidate k with no other candidate in it, in half turns: more than 1 at a corner of
// their convex hull, 2 with K = 1.
func (s *State) Gap(k int) float32 { return 2 * s.gaps()[k].width }

// OnHull returns 1 if candidate k is a corner of the convex hull of the candidates, 0 if not.
func (s *State) OnHull(k int) float32 { return one(s.gaps()[k].width > 0.5) }

// GapAhead returns the cosine between the way from Current to candidate k and the middle of its Gap: 1 if the gap
// opens straight on, -1 if it opens back towards Current, 0 with K = 1.
func (s *State) GapAhead(k int) float32 { return s.gaps()[k].ahead }

// GapLeft returns the sine of the angle from the way from Current to candidate k to the middle of its Gap: 1 if the
// gap opens to the left, -1 if to the right, 0 with K = 1.
func (s *State) GapLeft(k int) float32 { return s.gaps()[k].left }
