package tsp

// visited is the cities visited before Current, as seen from Current: places in units.
type visited struct {
	known bool
	city  []Node    // [V]
	x, y  []float32 // [V]
	w     []float32 // [V] weights about Current
	room  []float32 // [3N] what x, y and w are parts of
}

func (s *State) visited() *visited {
	v := &s.local.visited
	if v.known {
		return v
	}
	N := len(s.gap)
	if v.room == nil {
		v.city, v.room = make([]Node, N), make([]float32, 3*N)
	}
	x0, y0, V, next := s.X[s.Current], s.Y[s.Current], 0, 0
	for i := range N {
		c := Node(i)
		if next < len(s.Candidates) && s.Candidates[next] == c {
			next++
		} else if c != s.Current {
			v.city = v.city[:V+1]
			v.city[V], v.room[V], v.room[N+V] = c, (s.X[i]-x0)*s.perUnit, (s.Y[i]-y0)*s.perUnit
			V++
		}
	}
	v.city = v.city[:V]
	v.x, v.y, v.w = v.room[:V], v.room[N:][:V], v.room[2*N:][:V]
	v.known = true
	return v
}

// track sums over the visited cities about a candidate, and over those about Current, here.
type track struct{ all, right, left, rightHere, nearest float32 }

func (s *State) tracks(r float32) []track {
	if of := s.local.tracks.known(r); of != nil {
		return of
	}
	h, v, of, q := s.here(), s.visited(), s.local.tracks.open(s, r), fading(r)
	var here float32
	for i, x := range v.x {
		v.w[i] = fade(dot(x, v.y[i], x, v.y[i]), q)
		here += v.w[i]
	}
	V, perUnit := len(v.x), s.perUnit
	xs, ys, ws, cities := v.x[:V], v.y[:V], v.w[:V], v.city[:V]
	for n, c := range s.Candidates {
		a := track{nearest: none}
		row := s.Row(c)
		xn, yn := h.x[n], h.y[n]
		for i, x := range xs {
			d := row[cities[i]] * perUnit
			w, left := fade(float32(d*d), q), sign(cross(xn, yn, x, ys[i]))
			a.all += w
			a.left += float32(left * w)
			a.rightHere += float32(left * ws[i])
			if d < a.nearest {
				a.nearest = d
			}
		}
		a.right, a.left = halves(a.all, a.left)
		a.rightHere, _ = halves(here, a.rightHere)
		of[n] = a
	}
	return of
}

// VisitedDistance returns how far candidate k is from the nearest city visited before Current, in units, at most 5.
func (s *State) VisitedDistance(k int) float32 { return s.tracks(2)[k].nearest }

// VisitedCrowd returns the number of cities visited before Current about candidate k, which fade with their distance
// from k: half at about r units, hardly at 3r.
func (s *State) VisitedCrowd(k int, r float32) float32 { return bounded(s.tracks(r)[k].all) }

// VisitedShare returns the VisitedCrowd as a share of VisitedCrowd, Crowd and 0.3: how far the place is done with.
func (s *State) VisitedShare(k int, r float32) float32 {
	v := s.tracks(r)[k].all
	return v / (v + s.crowds(r)[k].all + 0.3)
}

// VisitedRight returns the VisitedCrowd to the right of the line from Current through candidate k.
func (s *State) VisitedRight(k int, r float32) float32 { return bounded(s.tracks(r)[k].right) }

// VisitedLeft returns the VisitedCrowd to the left of the line from Current through candidate k.
func (s *State) VisitedLeft(k int, r float32) float32 { return bounded(s.tracks(r)[k].left) }

// VisitedRightHere returns the number of visited cities to the right of the ray from Current through candidate k,
// which fade with their distance from Current.
func (s *State) VisitedRightHere(k int, r float32) float32 { return bounded(s.tracks(r)[k].rightHere) }
