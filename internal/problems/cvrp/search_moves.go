package cvrp

import (
	"slices"

	"github.com/epb-nco/epb/internal/problems/localsearch"
)

// relocate moves up to three consecutive customers that begin at a next to a neighbour of a, either way round, or into
// a route of their own.
func (s *routeSearch) relocate(a int32) bool {
	ra := s.of[a]
	for _, da := range [2]int{1, -1} { // where the path extends from a
		p, e := s.step(a, -da), a
		var load int64
		for length := 1; length <= localsearch.LongestPath && e != 0; length++ {
			load += s.demand[e]
			q := s.step(e, da)
			removed := s.Dist(p, a) + s.Dist(e, q) - s.Dist(p, q)
			if (p != 0 || q != 0) && removed-s.Dist(0, a)-s.Dist(e, 0) > localsearch.MinGain {
				s.move(a, length, da, 0, 1)
				s.changed(a, e, p, q)
				return true
			}
			for _, c := range s.Near[a] {
				g := removed - s.Dist(a, c)
				if g <= 0 {
					break
				}
				if s.of[c] == ra && s.within(c, a, da, length) || s.of[c] != ra && s.load[s.of[c]]+load > s.capacity {
					continue
				}
				for _, dc := range [2]int{1, -1} {
					f := s.step(c, dc)
					if g+s.Dist(c, f)-s.Dist(e, f) <= localsearch.MinGain || f != 0 && s.of[f] == ra &&
						s.within(f, a, da, length) {
						continue
					}
					s.move(a, length, da, c, dc)
					s.changed(a, e, p, q, c, f)
					return true
				}
			}
			e = q
		}
	}
	return false
}

// within reports whether c, of a's route, is one of the length customers from a in direction dir.
func (s *routeSearch) within(c, a int32, dir, length int) bool {
	d := (int(s.at[c]) - int(s.at[a])) * dir
	return d >= 0 && d < length
}

// move takes the path of length customers from a in direction da out of its route and puts it between c and the
// customer after it in direction dc, a next to c; c = 0 is an empty route.
func (s *routeSearch) move(a int32, length, da int, c int32, dc int) {
	from := s.of[a]
	i := int(s.at[a])
	if da < 0 {
		i -= length - 1
	}
	path := s.two[:0]
	path = appendAlong(path, s.routes[from][i:i+length], da) // a first
	s.two = path
	s.one = append(append(s.one[:0], s.routes[from][:i]...), s.routes[from][i+length:]...)
	s.set(from, s.one)
	if c == 0 {
		s.set(s.open(), path)
		return
	}
	to := s.of[c]
	at := int(s.at[c])
	if dc > 0 {
		at++
	} else {
		slices.Reverse(path) // a last, just before c
	}
	s.one = append(append(append(s.one[:0], s.routes[to][:at]...), path...), s.routes[to][at:]...)
	s.set(to, s.one)
}

// swap exchanges a with a customer next to one of a's neighbours.
func (s *routeSearch) swap(a int32) bool {
	ra, pa, na := s.of[a], s.step(a, -1), s.step(a, 1)
	around := s.Dist(pa, a) + s.Dist(a, na)
	for _, c := range s.Near[a] {
		if around-s.Dist(a, c) <= 0 {
			break
		}
		for _, dc := range [2]int{1, -1} {
			x := s.step(c, dc)
			if x == 0 || x == a || x == pa || x == na || c == a {
				continue
			}
			w := s.step(x, dc)
			gain := around - s.Dist(pa, x) - s.Dist(x, na) + s.Dist(c, x) + s.Dist(x, w) - s.Dist(c, a) - s.Dist(a, w)
			if w == a || gain <= localsearch.MinGain {
				continue
			}
			rx, more := s.of[x], s.demand[x]-s.demand[a]
			if rx != ra && (s.load[ra]+more > s.capacity || s.load[rx]-more > s.capacity) {
				continue
			}
			s.routes[ra][s.at[a]], s.routes[rx][s.at[x]] = x, a
			for _, r := range [2]int32{ra, rx} {
				s.one = append(s.one[:0], s.routes[r]...)
				s.set(r, s.one)
			}
			s.changed(a, x, pa, na, c, w)
			return true
		}
	}
	return false
}
