package tsp

// link is what candidates have to the others nearest to them. Where a first or second other is missing, First stands
// in.
type link struct {
	d1, d2  float32 // distances to the nearest and the second-nearest other candidate
	j1, j2  int32   // which these are, -1 for First
	twoStep float32
	near    float32 // number of others that are nearer than Current

	// What follows from all candidates' links.
	skip, missed, missedMost float32
}

func (s *State) links() []link {
	if of := s.local.links.of; of != nil {
		return of
	}
	return s.findLinks()
}

func (s *State) findLinks() []link {
	h, of, K := s.here(), s.local.links.open(s), len(s.Candidates)
	home, perUnit := min(1, 1.6/root(float32(K))), s.perUnit
	for n, c := range s.Candidates {
		a := link{d1: far, d2: far, j1: -1, j2: -1, twoStep: far}
		row := s.Row(c)
		dn, homeN := h.d[n], float32(home*h.toF[n])
		before, ds, toF := of[:n], h.d[:n], h.toF[:n]
		for k, j := range s.Candidates[:n] {
			b, d := &before[k], float32(row[j]*perUnit)
			a.add(d, d+float32(home*toF[k]), int32(k))
			b.add(d, d+homeN, int32(n))
			a.near += less(d, dn)
			b.near += less(d, ds[k])
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		if K == 1 {
			a.d1, a.twoStep = h.toF[n], h.toF[n]
		}
		if K <= 2 {
			a.d2 = max(a.d1, h.toF[n])
		}
		if K >= 2 {
			a.skip = a.d1 + h.toF[n] - s.units(s.First, s.Candidates[a.j1])
		}
		if K >= 3 {
			a.skip = min(a.skip, a.d1+a.d2-s.units(s.Candidates[a.j1], s.Candidates[a.j2]))
		}
	}
	if K >= 2 {
		for k := range of {
			loss := of[k].d2 - of[k].d1
			a := &of[of[k].j1]
			a.missed += loss
			a.missedMost = max(a.missedMost, loss)
		}
	}
	return of
}

// add counts in another candidate k at distance d, and the two steps over it.
func (l *link) add(d, twoStep float32, k int32) {
	if twoStep < l.twoStep {
		l.twoStep = twoStep
	}
	if d < l.d1 {
		l.d1, l.d2, l.j1, l.j2 = d, l.d1, k, l.j1
	} else if d < l.d2 {
		l.d2, l.j2 = d, k
	}
}

// without returns the distance from a candidate to its nearest other candidate but n.
func (l *link) without(n int) float32 {
	if l.j1 == int32(n) {
		return l.d2
	}
	return l.d1
}

// Isolation returns how far candidate k is from the nearest other candidate, in units; with K = 1 how far from First.
func (s *State) Isolation(k int) float32 { return bounded(s.links()[k].d1) }

// Regret returns how much farther the second-nearest other candidate is from candidate k than the nearest one, in
// units. With K = 2 First is the second one if it is the farther; with K = 1 it is 0.
func (s *State) Regret(k int) float32 {
	l := s.links()[k]
	return bounded(l.d2 - l.d1)
}

// TwoStep returns the length of the best step on from candidate k, in units: to another candidate, and from there to
// First, which counts by 1.6/√K, at most 1. With K = 1 it is ToStart.
func (s *State) TwoStep(k int) float32 { return bounded(s.links()[k].twoStep) }

// Rise returns how much longer the nearest step on from candidate k is than the step to it, in units, at least 0: it
// tells the last city of a cluster.
func (s *State) Rise(k int) float32 { return bounded(max(0, s.links()[k].d1-s.here().d[k])) }

// SecondRise returns how much farther the second-nearest other candidate is from candidate k than Current is, in
// units, at least 0.
func (s *State) SecondRise(k int) float32 { return bounded(max(0, s.links()[k].d2-s.here().d[k])) }

// Closer returns how many other candidates are closer to candidate k than Current is, at most 20.
func (s *State) Closer(k int) float32 { return bounded(s.links()[k].near) }

// Onward returns how much farther from Current the nearest other candidate of candidate k lies than k itself, in
// units: negative if it lies on the way back, 0 with K = 1.
func (s *State) Onward(k int) float32 {
	if len(s.Candidates) == 1 {
		return 0
	}
	h := s.here()
	return bounded(h.d[s.links()[k].j1] - h.d[k])
}

// Skip returns what candidate k costs if it is left for later, in units: the detour over it on the way between its two
// nearest other candidates, or between the nearest one and First if that is less. With K = 1 it is 0.
func (s *State) Skip(k int) float32 { return bounded(s.links()[k].skip) }

// Missed returns how much longer the nearest links of the other candidates get without candidate k, in all, in units:
// 0 if it is the nearest of none.
func (s *State) Missed(k int) float32 { return bounded(s.links()[k].missed) }

// MissedMost returns how much longer the nearest link of one other candidate gets without candidate k, at most, in
// units.
func (s *State) MissedMost(k int) float32 { return bounded(s.links()[k].missedMost) }

// NeighbourRegret returns how much longer a link the nearest other candidate of candidate k needs if k is visited
// before it and left, in units: its nearest link but k, less the one to k. With K = 1 it is 0.
func (s *State) NeighbourRegret(k int) float32 {
	l := s.links()
	if len(l) == 1 {
		return 0
	}
	return bounded(l[l[k].j1].without(k) - l[k].d1)
}
