package cvrp

// A route plan is a path: an order in which to visit some of the fitting customers between Current and the depot. All of them
// together fit into the vehicle. The functions that draft one share a buffer, so a draft is valid until the next one.

// GrowRoute drafts the rest of the route under way after Mole and Jameson. Again and again the customer joins it that fits
// beside the others and for which reach · d(depot, c) less the detour to it, at the best place of the path, is largest;
// it ends when no customer fits or none has a positive balance. A reach of 2 takes every customer that it would be dearer
// to serve alone. At the depot the route begins with the farthest customer. One call costs W · (length of the path)².
func (s *State) GrowRoute(reach float32) []Node {
	path, room := s.path[:0], s.room
	home := s.Row(Depot)
	if s.Current == Depot {
		far := s.Fitting()[0]
		for _, c := range s.Fitting() {
			if home[c] > home[far] {
				far = c
			}
		}
		path = append(path, far)
		s.used[far] = true
		room -= s.units[far]
	}
	for {
		var add Node
		at, best := 0, float32(0)
		for _, c := range s.Fitting() {
			if s.units[c] > room || s.used[c] {
				continue
			}
			row, before := s.Row(c), s.Current
			for i := 0; i <= len(path); i++ {
				after := Depot
				if i < len(path) {
					after = path[i]
				}
				if gain := float32(reach*home[c]) - (row[before] + row[after] - s.Dist(before, after)); gain > best {
					add, at, best = c, i, gain
				}
				before = after
			}
		}
		if add == Depot {
			break
		}
		path = append(path, add)
		copy(path[at+1:], path[at:])
		path[at] = add
		s.used[add] = true
		room -= s.units[add]
	}
	for _, c := range path {
		s.used[c] = false
	}
	return path[:len(path):len(path)]
}

// RouteLength returns the length of Current → path → depot.
func (s *State) RouteLength(path []Node) float32 { return s.plane.PathLength(s.Current, path) }

// Uncross shortens Current → path → depot in place: a stretch of the path is reversed wherever that shortens it (2-opt), for at most
// so many rounds over the path.
func (s *State) Uncross(path []Node, rounds int) { s.plane.Uncross(s.Current, path, rounds) }

// ScoreAlong scores every candidate by minus the length of the way to it along Current → path → depot; a candidate off the path
// comes after the depot by its distance from Current.
func (s *State) ScoreAlong(path []Node, score []float32) {
	whole := s.RouteLength(path)
	here := s.Row(s.Current)
	for k, c := range s.Candidates {
		score[k] = -whole
		if c != Depot {
			score[k] -= here[c]
		}
	}
	at, walked := s.Current, float32(0)
	for _, p := range path {
		walked += s.Dist(at, p)
		for k, c := range s.Candidates {
			if c == p {
				score[k] = -walked
			}
		}
		at = p
	}
}
