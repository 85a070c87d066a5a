package tsp

import "math"

// gap is the widest angle at a candidate with no other candidate in it: its width in turns, and its middle relative to
// the way from Current.
type gap struct{ width, ahead, left float32 }

func (s *State) gaps() []gap {
	if of := s.local.gaps.of; of != nil {
		return of
	}
	return s.findGaps()
}

// nowhere stands for the direction to a city in the same place.
const nowhere = 2

// directions returns the direction, as turn gives it, from candidate n to each candidate k before it in Candidates, at
// n(n-1)/2 + k.
func (s *State) directions() []float32 {
	h, l, K := s.here(), &s.local, len(s.Candidates)
	if cap(l.turns) < K*(K-1)/2 {
		l.turns = make([]float32, K*(K-1)/2)
	}
	turns := l.turns[:K*(K-1)/2]
	for n, xn := range h.x {
		yn := h.y[n]
		xs, ys, to := h.x[:n], h.y[:n], turns[n*(n-1)/2:][:n]
		for k := range to {
			x, y := xs[k]-xn, ys[k]-yn
			to[k] = turn(x, y)
			if x == 0 && y == 0 {
				to[k] = nowhere
			}
		}
	}
	return turns
}

// findGaps finds the widest gap among M directions without sorting them: it is no narrower than 1/M of a turn, and so
// lies between the last direction of one of M equal sectors and the first one of the next sector that has any.
func (s *State) findGaps() []gap {
	h, l := s.here(), &s.local
	of, K := l.gaps.open(s), len(s.Candidates)
	if l.to == nil {
		l.to, l.sectors = make([]float32, len(s.gap)), make([]int32, 2*len(s.gap))
	}
	M := K - 1
	to, first, last := l.to[:M], l.sectors[:M], l.sectors[M:2*M]
	turns, sectors := s.directions(), float32(M)
	for n := range of {
		at := n * (n - 1) / 2
		copy(to, turns[at:at+n])
		for k := n + 1; k < K; k++ {
			at = k * (k - 1) / 2
			a := turns[at+n]
			to[k-1] = a + half(0.5-a)/2 // the way back; of nowhere more than 1
		}
		// First and last directions are compared by their bits, whose order is that of numbers that are not negative:
		// of whole numbers the builtin min and max have no branch that a processor would guess wrong.
		for b := range first {
			first[b], last[b] = bits(nowhere), math.MinInt32
		}
		var end float32 // the last of all directions
		others := false
		for _, a := range to {
			if a > 1 {
				continue
			}
			b := min(int(a*sectors), M-1)
			first[b], last[b] = min(first[b], bits(a)), max(last[b], bits(a))
			if others = true; a > end {
				end = a
			}
		}
		of[n] = gap{width: 1}
		if !others {
			continue
		}
		width, from, before := float32(0), float32(0), bits(end-1) // the last direction up to here
		for b, i := range first {
			a, end := math.Float32frombits(uint32(i)), math.Float32frombits(uint32(before))
			if g := a - end - 4*less(1, a); g > width { // it is negative in an empty sector
				width, from = g, end
			}
			before = max(before, last[b])
		}
		of[n].width = width
		if h.d[n] > 0 {
			middle := from + width/2 - turn(h.ux[n], h.uy[n])
			of[n].ahead, of[n].left = sine(middle+0.25), sine(middle)
		}
	}
	return of
}

// Gap returns the widest angle at candidate k with no other candidate in it, in half turns: more than 1 at a corner of
// their convex hull, 2 with K = 1.
func (s *State) Gap(k int) float32 { return 2 * s.gaps()[k].width }

// OnHull returns 1 if candidate k is a corner of the convex hull of the candidates, 0 if not.
func (s *State) OnHull(k int) float32 { return one(s.gaps()[k].width > 0.5+1e-5) }

// GapAhead returns the cosine between the way from Current to candidate k and the middle of its Gap: 1 if the gap
// opens straight on, -1 if it opens back towards Current, 0 with K = 1.
func (s *State) GapAhead(k int) float32 { return s.gaps()[k].ahead }

// GapLeft returns the sine of the angle from the way from Current to candidate k to the middle of its Gap: 1 if the
// gap opens to the left, -1 if to the right, 0 with K = 1.
func (s *State) GapLeft(k int) float32 { return s.gaps()[k].left }
