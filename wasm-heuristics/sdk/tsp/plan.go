package tsp

import "math"

// A plan is a path: an order in which to visit the candidates on the way to First. The functions that draft one share
// a buffer, so a draft is valid until the next one. A path has as many entries as the instance has cities at most: those that take
// one panic on a longer one.

// NearestPath returns the candidates (but from, where it is one) in the order of a nearest-neighbour walk from city from.
// One call costs K².
func (s *State) NearestPath(from Node) []Node {
	path := s.path[:0]
	s.used[from] = true
	at := from
	for {
		row := s.Row(at)
		next, best := from, float32(math.MaxFloat32)
		for _, c := range s.Candidates {
			if d := row[c]; d < best && !s.used[c] {
				next, best = c, d
			}
		}
		if next == from {
			break
		}
		s.used[next] = true
		path = append(path, next)
		at = next
	}
	s.used[from] = false
	for _, c := range path {
		s.used[c] = false
	}
	return path[:len(path):len(path)]
}

// InsertionPath returns an order in which to visit all candidates (but from, where it is one) on the way from city from
// to First, built by farthest insertion: the city farthest from the path joins it where it lengthens it least.
// The result is valid until the next call. One call costs K².
func (s *State) InsertionPath(from Node) []Node {
	path, gap := s.path[:0], s.gap
	a, b := s.Row(from), s.Row(s.First)
	left := 0
	for _, c := range s.Candidates {
		if s.used[c] = c == from; c != from {
			gap[c] = min(a[c], b[c])
			left++
		}
	}
	for range left {
		add, far := from, float32(-1)
		for _, c := range s.Candidates {
			if !s.used[c] && gap[c] > far {
				add, far = c, gap[c]
			}
		}
		path = s.insertCheapest(path, from, add)
		s.used[add] = true
		row := s.Row(add)
		for _, c := range s.Candidates {
			if d := row[c]; d < gap[c] {
				gap[c] = d
			}
		}
	}
	for _, c := range s.Candidates {
		s.used[c] = false
	}
	return path[:len(path):len(path)]
}

// insertCheapest puts city add into the path from → … → First where it lengthens it least.
func (s *State) insertCheapest(path []Node, from, add Node) []Node {
	row := s.Row(add)
	at, best := 0, float32(math.MaxFloat32)
	before := from
	for i, c := range path {
		if d := row[before] + row[c] - s.Dist(before, c); d < best {
			at, best = i, d
		}
		before = c
	}
	if d := row[before] + row[s.First] - s.Dist(before, s.First); d < best {
		at = len(path)
	}
	path = append(path, add)
	copy(path[at+1:], path[at:])
	path[at] = add
	return path
}

// PathLength returns the length of from → path → First.
func (s *State) PathLength(from Node, path []Node) float32 {
	s.fits(path)
	var length float32
	for _, c := range path {
		length += s.Dist(from, c)
		from = c
	}
	return length + s.Dist(from, s.First)
}

// Uncross shortens from → path → First in place: a stretch of the path is reversed wherever that shortens it (2-opt), for at
// most so many rounds over the path, each of cost K².
func (s *State) Uncross(from Node, path []Node, rounds int) {
	const least = 1e-6 // a gain below it is rounding
	s.fits(path)
	for better := true; better && rounds > 0; rounds-- {
		better = false
		before := from
		for i := range path {
			// Reversing path[i:j+1] trades the links before–path[i] and path[j]–after for before–path[j] and path[i]–after.
			left := s.Row(before)
			here := s.Row(path[i])
			link := left[path[i]]
			for j := i + 1; j < len(path); j++ {
				c, after := path[j], s.First
				if j+1 < len(path) {
					after = path[j+1]
				}
				if link+s.Dist(c, after)-left[c]-here[after] > least {
					reverse(path[i : j+1])
					here = s.Row(path[i])
					link = left[path[i]]
					better = true
				}
			}
			before = path[i]
		}
	}
}

func reverse(path []Node) {
	for a, b := 0, len(path)-1; a < b; a, b = a+1, b-1 {
		path[a], path[b] = path[b], path[a]
	}
}

// ScoreAlong scores every candidate by minus the length of the way to it along Current → path, one off the path by minus all of it.
func (s *State) ScoreAlong(path []Node, score []float32) {
	s.fits(path)
	const off = -1
	for _, c := range s.Candidates {
		s.gap[c] = off
	}
	at, walked := s.Current, float32(0)
	for _, c := range path {
		walked += s.Dist(at, c)
		s.gap[c] = walked
		at = c
	}
	for k, c := range s.Candidates {
		score[k] = -walked
		if s.gap[c] != off {
			score[k] = -s.gap[c]
		}
	}
}

// fits panics on a path longer than the instance, whose work fuel would not count.
func (s *State) fits(path []Node) {
	if len(path) > len(s.gap) {
		panic("tsp: the path is longer than the instance")
	}
}
