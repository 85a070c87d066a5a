package tsp

import (
	"math/rand/v2"

	"github.com/epb-nco/epb/internal/problems/localsearch"
	"github.com/epb-nco/epb/internal/routing"
)

// neighbours is the neighbour list length: beyond it moves hardly ever improve (Johnson, McGeoch 1997).
const neighbours = 10

// IteratedTwoOpt improves a TSP tour by 2-opt and Or-opt until neither finds anything, then by kicks: each swaps two
// neighbouring paths of the tour at a random place, repairs the surroundings by 2-opt and Or-opt, and is taken back if
// the tour got longer (iterated local search). Neighbour lists and don't-look bits keep it near O(N) distances a pass.
// The same seed gives the same tour.
func IteratedTwoOpt(inst *routing.Instance, tour []int32, kicks int, seed uint64) []int32 {
	s := newTourSearch(localsearch.NewPlane(inst, localsearch.EveryNode(inst.N()), neighbours, false), tour)
	s.optimise()
	if len(tour) >= 5 {
		s.iterate(kicks, rand.New(rand.NewPCG(seed, 0x2f0e)))
	}
	return s.tour
}

// tourSearch is a tour as an array, changed by reversals only, so that it can be taken back.
type tourSearch struct {
	*localsearch.Plane
	tour, pos []int32 // pos[tour[i]] = i
	work      localsearch.WorkList
	log       [][2]int // positions reversed since the log was emptied
	gained    float64
}

func newTourSearch(p *localsearch.Plane, tour []int32) *tourSearch {
	n := len(tour)
	s := &tourSearch{Plane: p, tour: append([]int32(nil), tour...), pos: make([]int32, n)}
	s.work = localsearch.NewWorkList(n)
	for i, v := range s.tour {
		s.pos[v] = int32(i)
		s.work.Push(v)
	}
	return s
}

// optimise empties the work list.
func (s *tourSearch) optimise() {
	s.work.Drain(func(a int32) {
		for s.twoOpt(a) || s.orOpt(a) {
		}
	})
}

// step returns the node after a, or before it if dir is -1.
func (s *tourSearch) step(a int32, dir int) int32 {
	i, n := int(s.pos[a])+dir, len(s.tour)
	if i >= n {
		i -= n
	} else if i < 0 {
		i += n
	}
	return s.tour[i]
}

// twoOpt looks for an edge at a and another whose exchange shortens the tour, and exchanges them.
func (s *tourSearch) twoOpt(a int32) bool {
	for _, dir := range [2]int{1, -1} {
		na := s.step(a, dir)
		old := s.Dist(a, na)
		for _, c := range s.Near[a] {
			g := old - s.Dist(a, c)
			if g <= 0 {
				break
			}
			nc := s.step(c, dir)
			if g += s.Dist(c, nc) - s.Dist(na, nc); g <= localsearch.MinGain {
				continue
			}
			if dir > 0 {
				s.reverse(int(s.pos[na]), int(s.pos[c]))
			} else {
				s.reverse(int(s.pos[a]), int(s.pos[nc]))
			}
			s.changed(g, a, na, c, nc)
			return true
		}
	}
	return false
}

// orOpt looks for a path of up to three nodes that begins at a, and an edge elsewhere that it fits into with a next to
// one of its neighbours, and moves it there, either way round.
func (s *tourSearch) orOpt(a int32) bool {
	n := len(s.tour)
	for _, dir := range [2]int{1, -1} { // where the path extends from a
		p := s.step(a, -dir)
		e := a
		for length := 1; length <= localsearch.LongestPath && 2*length < n-1; length++ {
			if length > 1 {
				e = s.step(e, dir)
			}
			q := s.step(e, dir)
			removed := s.Dist(p, a) + s.Dist(e, q) - s.Dist(p, q)
			for _, c := range s.Near[a] {
				g := removed - s.Dist(a, c)
				if g <= 0 {
					break
				}
				if s.within(c, a, dir, length) {
					continue
				}
				for _, side := range [2]int{1, -1} {
					f := s.step(c, side)
					gain := g + s.Dist(c, f) - s.Dist(e, f)
					if gain <= localsearch.MinGain || s.within(f, a, dir, length) {
						continue
					}
					first, last, u := a, e, c
					if dir < 0 {
						first, last = e, a
					}
					if side < 0 {
						u = f
					}
					s.swapPaths(int(s.pos[first]), int(s.pos[last]), int(s.pos[u]), dir == side)
					s.changed(gain, a, e, p, q, c, f)
					return true
				}
			}
		}
	}
	return false
}

// within reports whether c is one of the length nodes from a in direction dir.
func (s *tourSearch) within(c, a int32, dir, length int) bool {
	d := (int(s.pos[c]) - int(s.pos[a])) * dir
	if d < 0 {
		d += len(s.tour)
	}
	return d < length
}

func (s *tourSearch) changed(gain float64, ends ...int32) {
	s.gained += gain
	for _, v := range ends {
		s.work.Push(v)
	}
}

// swapPaths exchanges the path at positions i..j, at most half the tour, with the one behind it at j+1..k, all
// positions cyclic, and turns the first round unless keep is set.
func (s *tourSearch) swapPaths(i, j, k int, keep bool) {
	n := len(s.tour)
	length := (j-i+n)%n + 1
	if keep {
		s.reverse(i, j)
	}
	if s.reverse((j+1)%n, k) {
		// The rest was turned instead, and with it the first path now lies behind the second.
		i, k = (j+1)%n, (k+length)%n
	}
	s.reverse(i, k)
}

// reverse reverses the path at cyclic positions i..j. If the rest of the tour is shorter, it reverses the rest, which
// gives the same tour read backwards, and returns true.
func (s *tourSearch) reverse(i, j int) (rest bool) {
	s.log = append(s.log, [2]int{i, j})
	return s.turn(i, j)
}

func (s *tourSearch) turn(i, j int) (rest bool) {
	n := len(s.tour)
	length := (j-i+n)%n + 1
	if rest = 2*length > n; rest {
		i, j, length = (j+1)%n, (i-1+n)%n, n-length
	}
	for range length / 2 {
		a, b := s.tour[i], s.tour[j]
		s.tour[i], s.tour[j] = b, a
		s.pos[b], s.pos[a] = int32(i), int32(j)
		if i++; i == n {
			i = 0
		}
		if j--; j < 0 {
			j = n - 1
		}
	}
	return rest
}

// iterate makes the kicks of IteratedTwoOpt.
func (s *tourSearch) iterate(kicks int, rng *rand.Rand) {
	n := len(s.tour)
	longest := min(50, n/3)
	for range kicks {
		s.log, s.gained = s.log[:0], 0
		i := rng.IntN(n)
		j := i + rng.IntN(longest)
		k := j + 1 + rng.IntN(longest)
		p, a, b := s.tour[(i+n-1)%n], s.tour[i], s.tour[j%n]
		c, d, q := s.tour[(j+1)%n], s.tour[k%n], s.tour[(k+1)%n]
		s.swapPaths(i, j%n, k%n, true)
		s.changed(s.Dist(p, a)+s.Dist(b, c)+s.Dist(d, q)-s.Dist(p, c)-s.Dist(d, a)-s.Dist(b, q), p, a, b, c, d, q)
		s.optimise()
		if s.gained < 0 {
			for t := len(s.log) - 1; t >= 0; t-- {
				s.turn(s.log[t][0], s.log[t][1])
			}
		}
	}
}
