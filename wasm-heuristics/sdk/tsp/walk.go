package tsp

import "math"

// Measures that walk on from a candidate. They are worked out for all candidates at the first question of a decision.

// walkSteps is how many steps on the longest walk takes.
const walkSteps = 8

// walk is a nearest-neighbour walk from a candidate, after so many steps on. A walk that has no city left stays where it
// is.
type walk struct {
	length   [walkSteps + 1]float32 // of the steps, without the step to the candidate
	home     [walkSteps + 1]float32 // from its end to First
	stranded [walkSteps + 1]float32 // from its end to the city nearest to Current that it has not visited
}

func (s *State) walks() []walk {
	if of := s.local.walks.of; of != nil {
		return of
	}
	return s.findWalks()
}

func (s *State) findWalks() []walk {
	of, nearest := s.local.walks.open(s), s.byDistance()
	for k, c := range s.Candidates {
		of[k] = s.walkFrom(c, nearest)
	}
	return of
}

func (s *State) walkFrom(at Node, nearest []int32) walk {
	h := s.here()
	var w walk
	var length float32
	s.used[at] = true
	for step := range walkSteps + 1 {
		row := s.Row(at)
		w.length[step], w.home[step] = length, row[s.First]
		for _, n := range nearest {
			if c := s.Candidates[n]; !s.used[c] {
				w.stranded[step] = max(0, row[c]-float32(h.d[n]*s.unit))
				break
			}
		}
		next, best := at, float32(math.MaxFloat32)
		for _, c := range s.Candidates {
			if d := row[c]; d < best && !s.used[c] {
				next, best = c, d
			}
		}
		if next != at {
			s.used[next] = true
			length += best
			at = next
		}
	}
	for _, c := range s.Candidates {
		s.used[c] = false
	}
	return w
}

// WalkLength returns the length of the nearest-neighbour walk that starts in candidate k and visits so many other
// candidates, 8 at most, in units. Ties go to the lower city.
func (s *State) WalkLength(k, steps int) float32 { return s.walked(s.walks()[k].length, steps) }

// WalkHome returns how far the end of the walk of WalkLength is from First, in units.
func (s *State) WalkHome(k, steps int) float32 { return s.walked(s.walks()[k].home, steps) }

// WalkStrands returns how much farther from the end of the walk of WalkLength than from Current the candidate is that is
// the nearest to Current of those that the walk has not visited, in units, at least 0: what the walk leaves behind.
func (s *State) WalkStrands(k, steps int) float32 { return s.walked(s.walks()[k].stranded, steps) }

func (s *State) walked(of [walkSteps + 1]float32, steps int) float32 {
	return bounded(of[min(max(steps, 0), walkSteps)] * s.perUnit)
}

// windowCities is how many cities about Current a window has.
const windowCities = 4

// window is the best way from a candidate through the candidates about Current.
type window struct {
	open float32 // length
	home float32 // length of the best that then goes to First, that step included
}

func (s *State) windows() []window {
	if of := s.local.windows.of; of != nil {
		return of
	}
	return s.findWindows()
}

func (s *State) findWindows() []window {
	of, nearest := s.local.windows.open(s), s.byDistance()
	for k, from := range s.Candidates {
		var city [windowCities]Node
		cities := 0
		for _, n := range nearest {
			if int(n) != k && cities < windowCities {
				city[cities] = s.Candidates[n]
				cities++
			}
		}
		of[k] = s.bestWay(from, &city, cities)
	}
	return of
}

// bestWay returns the length of the shortest way from a city through the first so many of the others, by Held and Karp:
// best[set][last] is that of the shortest way through a set that ends in last.
func (s *State) bestWay(from Node, city *[windowCities]Node, cities int) window {
	if cities == 0 {
		return window{0, s.Dist(from, s.First)}
	}
	var best [1 << windowCities][windowCities]float32
	all := 1<<cities - 1
	w := window{math.MaxFloat32, math.MaxFloat32}
	for set := range 1 << windowCities {
		for last := range windowCities {
			if set > all || set&(1<<last) == 0 {
				continue
			}
			rest, row := set&^(1<<last), s.Row(city[last])
			length := float32(math.MaxFloat32)
			if rest == 0 {
				length = row[from]
			}
			for before := range windowCities {
				if rest&(1<<before) != 0 {
					length = min(length, best[rest][before]+row[city[before]])
				}
			}
			best[set][last] = length
			if set == all {
				w.open, w.home = min(w.open, length), min(w.home, length+row[s.First])
			}
		}
	}
	return w
}

// Window returns the length of the shortest way from candidate k through the four other candidates that are nearest to
// Current, in units: what it takes to be done here if k comes first.
func (s *State) Window(k int) float32 { return bounded(s.windows()[k].open * s.perUnit) }

// WindowHome returns the length of the shortest such way that then goes to First, in units. With at most five
// candidates it is the rest of the best tour that goes to k.
func (s *State) WindowHome(k int) float32 { return bounded(s.windows()[k].home * s.perUnit) }

// byDistance returns the windowCities + walkSteps + 2 candidates (indices into Candidates) that are nearest to Current,
// the nearest first, or all of them. Ties go to the lower city.
func (s *State) byDistance() []int32 {
	if of := s.local.nearest; len(of) > 0 {
		return of
	}
	return s.findNearest()
}

func (s *State) findNearest() []int32 {
	const most = windowCities + walkSteps + 2
	d, of := s.here().d, s.local.nearest
	for k := range s.Candidates {
		at := len(of)
		for at > 0 && d[of[at-1]] > d[k] {
			at--
		}
		if at == most {
			continue
		}
		if len(of) < most {
			of = append(of, 0)
		}
		copy(of[at+1:], of[at:])
		of[at] = int32(k)
	}
	s.local.nearest = of
	return of
}
