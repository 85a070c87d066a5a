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

// Completion returns a short way from the last node of an unfinished tour through all nodes that it has not visited
// and back to its first, without the two ends: iterated local search from the nearest neighbour's way. The tour has at
// least two nodes. The same tour and seed give the same completion. It is optimal up to seven nodes (TestCompletion).
func Completion(inst *routing.Instance, tour []int32, kicks int, seed uint64) []int32 {
	first, last := tour[0], tour[len(tour)-1]
	visited := make([]bool, inst.N())
	for _, v := range tour {
		visited[v] = true
	}
	nodes := []int32{first, last}
	for v := range int32(inst.N()) {
		if !visited[v] {
			nodes = append(nodes, v)
		}
	}
	p := localsearch.NewPlane(inst, nodes, neighbours, false)
	s := newTourSearch(p, nearestWay(p, len(nodes)))
	s.held = [2]int32{0, 1}
	s.optimise()
	if len(nodes) >= 5 {
		s.iterate(kicks, rand.New(rand.NewPCG(seed, 0x2f0e)))
	}
	dir := 1
	if s.step(0, 1) != 1 { // the tour is read from first over last
		dir = -1
	}
	way := make([]int32, 0, len(nodes)-2)
	for v := s.step(1, dir); v != 0; v = s.step(v, dir) {
		way = append(way, nodes[v])
	}
	return way
}

// nearestWay returns the tour 0, 1, and then again and again the node nearest to the last, ties to the lowest.
func nearestWay(p *localsearch.Plane, n int) []int32 {
	way := localsearch.EveryNode(n)
	for i := 2; i < n; i++ {
		best := i
		for j := i + 1; j < n; j++ {
			a, b := p.Dist(way[i-1], way[j]), p.Dist(way[i-1], way[best])
			if a < b || a == b && way[j] < way[best] {
				best = j
			}
		}
		way[i], way[best] = way[best], way[i]
	}
	return way
}

// tourSearch is a tour as an array, changed by reversals only, so that it can be taken back.
type tourSearch struct {
	*localsearch.Plane
	held      [2]int32 // two nodes that stay neighbours; -1 where none have to
	tour, pos []int32  // pos[tour[i]] = i
	work      localsearch.WorkList
	log       [][2]int // positions reversed since the log was emptied
	gained    float64
}

func newTourSearch(p *localsearch.Plane, tour []int32) *tourSearch {
	n := len(tour)
	s := &tourSearch{Plane: p, held: [2]int32{-1, -1}, tour: append([]int32(nil), tour...), pos: make([]int32, n)}
	s.work = localsearch.NewWorkList(n)
	for i, v := range s.tour {
		s.pos[v] = int32(i)
		s.work.Push(v)
	}
	return s
}

// holding is what the edge between two held nodes costs: less than any improvement could be worth in the unit square.
const holding = -1e3

// Dist returns the length of the edge between two nodes, and holding between the two that stay neighbours.
func (s *tourSearch) Dist(a, b int32) float64 {
	if h := s.held; a == h[0] && b == h[1] || a == h[1] && b == h[0] {
		return holding
	}
	return s.Plane.Dist(a, b)
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
