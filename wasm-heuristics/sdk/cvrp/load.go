package cvrp

import "math"

// most is the largest absolute value of a measure, none stands for the distance to a customer that does not exist.
const (
	most = 20
	none = 10
)

// bounded returns v within ±most.
func bounded(v float32) float32 {
	if v > most {
		return most
	}
	if v < -most {
		return -most
	}
	return v
}

// Unit returns the typical spacing of N uniform nodes in the unit square, 0.7/√N. Measures give lengths in this unit,
// so that a weight means the same for 20 customers as for 100. All of them are within ±20.
func (s *State) Unit() float32 { return s.plane.Unit() }

// length returns the distance between two nodes in units.
func (s *State) length(i, j Node) float32 { return s.Dist(i, j) / s.Unit() }

// Nearest returns the candidates (indices into Candidates) that are the nearest and the second-nearest fitting
// customer; of equals the one of the lower index. With one fitting customer both are that one, without any both are
// the depot.
func (s *State) Nearest() (k1, k2 int) {
	row := s.Row(s.Current)
	k1, k2 = -1, -1
	for k, c := range s.Candidates {
		switch d := row[c]; {
		case c == Depot:
		case k1 < 0 || d < row[s.Candidates[k1]]:
			k1, k2 = k, k1
		case k2 < 0 || d < row[s.Candidates[k2]]:
			k2 = k
		}
	}
	k1 = max(k1, 0)
	if k2 < 0 {
		k2 = k1
	}
	return k1, k2
}

// IsDepot returns 1 if candidate k is the depot, 0 if it is a customer.
func (s *State) IsDepot(k int) float32 { return one(s.Candidates[k] == Depot) }

func one(so bool) float32 {
	if so {
		return 1
	}
	return 0
}

// Distance returns how far candidate k is from Current, in units, the depot too.
func (s *State) Distance(k int) float32 { return bounded(s.length(s.Current, s.Candidates[k])) }

// ToDepot returns how far candidate k is from the depot, in units.
func (s *State) ToDepot(k int) float32 { return bounded(s.length(Depot, s.Candidates[k])) }

// HomeDetour returns by how much candidate k lengthens the way home from Current, in units; 0 for the depot.
func (s *State) HomeDetour(k int) float32 {
	return bounded(s.Detour(s.Current, s.Candidates[k], Depot) / s.Unit())
}

// SavingHere returns what driving on from Current to candidate k saves over driving home and out again, in units
// (Clarke and Wright); 0 at the depot and for it.
func (s *State) SavingHere(k int) float32 {
	return bounded(s.Saving(s.Current, s.Candidates[k]) / s.Unit())
}

// OutwardStep returns how much farther candidate k is from the depot than Current, in units; 0 for the depot.
func (s *State) OutwardStep(k int) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	return bounded(s.Outward(s.Current, s.Candidates[k]) / s.Unit())
}

// Load returns the demand of candidate k as a share of the capacity; 0 for the depot.
func (s *State) Load(k int) float32 { return s.share(int64(s.units[s.Candidates[k]])) }

// RoomAfter returns the room left after serving customer k, as a share of the capacity; 0 for the depot.
func (s *State) RoomAfter(k int) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	return s.Left(s.Candidates[k])
}

// Fill returns the share of the room left that customer k takes: 1 for an exact fit; 0 for the depot.
func (s *State) Fill(k int) float32 {
	return float32(s.units[s.Candidates[k]]) / float32(max(1, s.room))
}

// FitShareAfter returns the share of the other waiting customers that still fit, each alone, after serving customer k;
// 0 for the depot, and without others.
func (s *State) FitShareAfter(k int) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	return float32(s.FitAfter(s.Candidates[k])) / float32(max(1, len(s.Waiting)-1))
}

// NextFitDistance returns how far the nearest waiting customer that still fits after serving customer k is from k, in
// units, the depot where none does; 0 for the depot.
func (s *State) NextFitDistance(k int) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	_, d := s.NextFit(s.Candidates[k])
	return bounded(d / s.Unit())
}

// Larger returns the share of the other waiting customers whose demand is less than that of customer k; 0 for the
// depot.
func (s *State) Larger(k int) float32 {
	units, count := s.units[s.Candidates[k]], 0
	for _, j := range s.Waiting {
		if s.units[j] < units {
			count++
		}
	}
	return float32(count) / float32(max(1, len(s.Waiting)-1))
}

// DemandNear returns the demand of the other waiting customers about customer k, in vehicle loads, where one counts
// the less the farther it is from k: half at about r units, hardly at 3r; 0 for the depot.
func (s *State) DemandNear(k int, r float32) float32 {
	var sum float32
	if c := s.Candidates[k]; c != Depot {
		sum = s.around(c, r, true, s.capacity)
	}
	return bounded(sum)
}

// FitNear returns the number of other waiting customers about customer k that still fit, each alone, after serving k.
// They fade as in DemandNear; 0 for the depot.
func (s *State) FitNear(k int, r float32) float32 {
	var sum float32
	if c := s.Candidates[k]; c != Depot {
		sum = s.around(c, r, false, s.room-s.units[c])
	}
	return bounded(sum)
}

// around returns the number of waiting customers about node c, or their demand in loads, which fade with their
// distance: of those but c whose demand is at most so many units.
func (s *State) around(c Node, r float32, demand bool, atMost int32) float32 {
	const least = 0.01 // smaller radii, and what is no number, count as this one
	if !(r > least) {
		r = least
	}
	row, per := s.Row(c), 1/float32(2.2*r*s.Unit())
	var sum float32
	for _, j := range s.Waiting {
		if j == c || s.units[j] > atMost {
			continue
		}
		t := row[j] * per
		y := 1 + float32(t*t)
		w := 1 / float32(float32(y*y)*y) // as sdk/tsp fades
		if demand {
			w = float32(w * s.shares[j])
		}
		sum += w
	}
	return sum
}

// SectorStep returns the angle, seen from the depot, by which customer k lies counterclockwise of Current, in turns
// from -½ to ½; 0 at the depot and for it.
func (s *State) SectorStep(k int) float32 { return s.Ahead(s.Current, s.Candidates[k]) / (2 * math.Pi) }

// SectorFromFirst returns the angle, seen from the depot, by which customer k lies counterclockwise of the route's
// first customer, in turns from -½ to ½; 0 at the depot and for it.
func (s *State) SectorFromFirst(k int) float32 {
	return s.Ahead(s.First, s.Candidates[k]) / (2 * math.Pi)
}

// SectorX returns the x component of the direction from the depot to candidate k, from -1 to 1; 0 for the depot.
func (s *State) SectorX(k int) float32 { return s.sector(k, s.X) }

// SectorY returns the y component of the direction from the depot to candidate k, from -1 to 1; 0 for the depot.
func (s *State) SectorY(k int) float32 { return s.sector(k, s.Y) }

func (s *State) sector(k int, at []float32) float32 {
	c := s.Candidates[k]
	d := s.Dist(Depot, c)
	if d == 0 {
		return 0
	}
	return max(-1, min(1, (at[c]-at[Depot])/d))
}

// SectorGapRight returns the angle, seen from the depot, from customer k clockwise to the next waiting customer, in
// turns; 1 where no other waits; 0 for the depot.
func (s *State) SectorGapRight(k int) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	clockwise, _ := s.Gaps(s.Candidates[k])
	return clockwise / (2 * math.Pi)
}

// SectorGapLeft returns what SectorGapRight does counterclockwise.
func (s *State) SectorGapLeft(k int) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	_, counter := s.Gaps(s.Candidates[k])
	return counter / (2 * math.Pi)
}

// SectorLoad returns the demand of the waiting customers within an angle, in turns, of customer k as seen from the
// depot, k among them, in vehicle loads; 0 for the depot.
func (s *State) SectorLoad(k int, turns float32) float32 {
	if s.Candidates[k] == Depot {
		return 0
	}
	return bounded(s.SectorDemand(s.Candidates[k], turns*(2*math.Pi)))
}
