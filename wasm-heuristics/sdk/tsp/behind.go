package tsp

// detour is what candidates cost the others that are not visited on the way to them. Going over k on the way from
// Current to n costs via = d(k) + D(n, k) - d(n). If k is left for later it costs Skip(k). The difference, where it is
// positive, is what a step to n loses on k.
type detour struct {
	via, viaRight, viaLeft float32 // the least of all others, of those on one side
	most, sum, right, left float32 // what is lost
	second                 float32 // the least of D(n, k) - Skip(k)
}

// none stands for the cheapest detour where there is none, in units.
const none = 5

func (s *State) detours() []detour {
	if of := s.local.detours.of; of != nil {
		return of
	}
	return s.findDetours()
}

func (s *State) findDetours() []detour {
	h, links, of, perUnit := s.here(), s.links(), s.local.detours.open(s), s.perUnit
	for n, c := range s.Candidates {
		a := detour{via: none, viaRight: none, viaLeft: none, second: far}
		row := s.Row(c)
		xn, yn, dn, skipN := h.x[n], h.y[n], h.d[n], links[n].skip
		before, xs, ys, ds, link := of[:n], h.x[:n], h.y[:n], h.d[:n], links[:n]
		for k, j := range s.Candidates[:n] {
			b, d, dk, skipK := &before[k], float32(row[j]*perUnit), ds[k], link[k].skip
			// 1 if k is on the left of the way to n, and so n on the right of that to k.
			side := sign(cross(xn, yn, xs[k], ys[k]))
			over, back := dk+d-dn, dn+d-dk
			a.over(over, d-skipK, side)
			b.over(back, d-skipN, -side)
			lost := positive(skipK - over)
			a.lose(lost, side)
			lost = positive(skipN - back)
			b.lose(lost, -side)
		}
		of[n] = a
	}
	for n := range of {
		a := &of[n]
		a.right, a.left = halves(a.sum, a.left)
		if len(of) == 1 {
			a.second = h.toF[n]
		}
	}
	return of
}

// over counts in a detour over another candidate, and the step to it less its Skip; side is 1 if it is on the left, -1
// on the right.
func (a *detour) over(via, second, side float32) {
	if via < a.via {
		a.via = via
	}
	if right := via + float32(none*(1+side)); right < a.viaRight {
		a.viaRight = right
	}
	if left := via + float32(none*(1-side)); left < a.viaLeft {
		a.viaLeft = left
	}
	if second < a.second {
		a.second = second
	}
}

// lose counts in what is lost on another candidate.
func (a *detour) lose(lost, side float32) {
	if lost > a.most {
		a.most = lost
	}
	a.sum += lost
	a.left += float32(side * lost)
}

// halves returns what lies on the right and on the left, of a sum and of what the left has more than the right. What
// lies on the line counts half on each side.
func halves(sum, more float32) (right, left float32) {
	return max(0, (sum-more)/2), max(0, (sum+more)/2)
}

// Via returns the least detour over another candidate on the way from Current to candidate k, in units, at most 5: 0
// if one lies on the way.
func (s *State) Via(k int) float32 { return s.detours()[k].via }

// ViaRight returns Via over the candidates to the right of the way.
func (s *State) ViaRight(k int) float32 { return s.detours()[k].viaRight }

// ViaLeft returns Via over the candidates to the left of the way.
func (s *State) ViaLeft(k int) float32 { return s.detours()[k].viaLeft }

// LeftBehind returns the sum of how much less a detour over each other candidate costs now than later, where it does,
// in units: what a step to candidate k loses (see Skip).
func (s *State) LeftBehind(k int) float32 { return bounded(s.detours()[k].sum) }

// LeftBehindMost returns what a step to candidate k loses on one other candidate, at most, in units.
func (s *State) LeftBehindMost(k int) float32 { return bounded(s.detours()[k].most) }

// LeftBehindRight returns LeftBehind of the candidates to the right of the way from Current to candidate k.
func (s *State) LeftBehindRight(k int) float32 { return bounded(s.detours()[k].right) }

// LeftBehindLeft returns LeftBehind of the candidates to the left of the way from Current to candidate k.
func (s *State) LeftBehindLeft(k int) float32 { return bounded(s.detours()[k].left) }

// SecondStep returns the least distance from candidate k to another candidate minus what that one costs if it is left
// for later, in units: the best step on (see Skip). With K = 1 it is ToStart.
func (s *State) SecondStep(k int) float32 { return bounded(s.detours()[k].second) }

// ViaNearest returns the detour over the nearest candidate, or the second-nearest if k is that one, on the way from
// Current to candidate k, in units; 0 with K = 1.
func (s *State) ViaNearest(k int) float32 {
	via, _ := s.overNearest(k)
	return bounded(via)
}

// NearestLeftBehind returns what the candidate of ViaNearest costs if it is left for later, less ViaNearest, in units:
// positive if it is better visited on the way. With K = 1 it is 0.
func (s *State) NearestLeftBehind(k int) float32 {
	via, j := s.overNearest(k)
	return bounded(s.links()[j].skip - via)
}

// overNearest returns the detour over the nearest candidate but k, and which that is.
func (s *State) overNearest(k int) (via float32, j int) {
	h := s.here()
	if j = h.k1; j == k {
		j = h.k2
	}
	if j == k {
		return 0, j
	}
	return h.d[j] + s.units(s.Candidates[j], s.Candidates[k]) - h.d[k], j
}
