package tsp

import "math"

// Unit returns the typical spacing of N uniform cities in the unit square, 0.7/√N. The measures of a candidate give
// lengths in this unit, so that a weight means the same for 20 cities as for 100.
func (s *State) Unit() float32 { return 0.7 / float32(math.Sqrt(float64(s.N))) }

// most is the largest absolute value of a measure.
const most = 20

// bounded returns v within ±most.
func bounded(v float32) float32 { return min(most, max(-most, v)) }

// Nearest returns the candidates (indices into Candidates) that are nearest and second-nearest to Current; of equals
// the one of the lower index. With one candidate both are that one.
func (s *State) Nearest() (k1, k2 int) {
	row := s.Row(s.Current)
	k2 = -1
	for k, c := range s.Candidates {
		switch d := row[c]; {
		case k == 0:
		case d < row[s.Candidates[k1]]:
			k1, k2 = k, k1
		case k2 < 0 || d < row[s.Candidates[k2]]:
			k2 = k
		}
	}
	if k2 < 0 {
		k2 = k1
	}
	return k1, k2
}

// Distance returns how far candidate k is from Current, in units.
func (s *State) Distance(k int) float32 { return bounded(s.Row(s.Current)[s.Candidates[k]] / s.Unit()) }

// DistanceSquared returns the square of half of Distance.
func (s *State) DistanceSquared(k int) float32 {
	d := s.Distance(k) / 2
	return bounded(d * d)
}

// ToStart returns how far candidate k is from First, in units.
func (s *State) ToStart(k int) float32 { return bounded(s.Row(s.First)[s.Candidates[k]] / s.Unit()) }

// Isolation returns how far candidate k is from the nearest other candidate, in units; with K = 1 it is ToStart.
func (s *State) Isolation(k int) float32 {
	if len(s.Candidates) == 1 {
		return s.ToStart(k)
	}
	return bounded(s.NearestOther(k) / s.Unit())
}

// Regret returns how much farther the second-nearest other candidate is from candidate k than the nearest one, in
// units; 0 with fewer than two others.
func (s *State) Regret(k int) float32 {
	d1, d2 := s.NearestTwo(k)
	return bounded((d2 - d1) / s.Unit())
}

// ToCentroid returns how far candidate k is from the centroid of the candidates, in units.
func (s *State) ToCentroid(k int) float32 {
	x, y := s.Centroid()
	return bounded(s.DistTo(s.Candidates[k], x, y) / s.Unit())
}

// TowardsStart returns the cosine of the angle at Current between candidate k and First, 0 where one has no direction.
func (s *State) TowardsStart(k int) float32 {
	return s.Alignment(s.Current, s.Candidates[k], s.X[s.First], s.Y[s.First])
}

// TowardsCentroid returns the cosine of the angle at Current between candidate k and the centroid of the candidates, 0
// where one has no direction.
func (s *State) TowardsCentroid(k int) float32 {
	x, y := s.Centroid()
	return s.Alignment(s.Current, s.Candidates[k], x, y)
}
