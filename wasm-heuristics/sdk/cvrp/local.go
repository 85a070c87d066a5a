package cvrp

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// The measures in this file are those of a tour from Current through all waiting customers to the depot, without
// regard to loads: sdk/tsp works them out.

// spots says which waiting customer a candidate is.
type spots struct {
	known bool
	of    []int32 // [K] index into Waiting, -1 for the depot
	room  []int32 // [N] what of is a part of
}

// spot returns which waiting customer candidate k is, an index into Waiting, -1 for the depot.
func (s *State) spot(k int) int {
	return int(s.spotted()[k])
}

// spotted returns which waiting customer each candidate is, [K].
func (s *State) spotted() []int32 {
	if p := &s.spots; p.known {
		return p.of
	}
	return s.findSpots()
}

func (s *State) findSpots() []int32 {
	p := &s.spots
	if p.room == nil {
		p.room = make([]int32, len(s.used))
	}
	p.of = p.room[:len(s.Candidates)]
	w := 0
	for k, c := range s.Candidates {
		for w < len(s.Waiting) && s.Waiting[w] < c {
			w++
		}
		p.of[k] = -1
		if w < len(s.Waiting) && s.Waiting[w] == c {
			p.of[k] = int32(w)
		}
	}
	p.known = true
	return p.of
}

// of returns a measure of candidate k, 0 if it is the depot.
func (s *State) of(k int, measure func(*tsp.State, int) float32) float32 {
	if w := s.spot(k); w >= 0 {
		return measure(&s.plane, w)
	}
	return 0
}

// about returns a measure of candidate k with a radius, 0 if it is the depot.
func (s *State) about(k int, r float32, measure func(*tsp.State, int, float32) float32) float32 {
	if w := s.spot(k); w >= 0 {
		return measure(&s.plane, w, r)
	}
	return 0
}

// LogDistance returns the natural logarithm of the Distance of customer k plus 0.1: small distances differ more than
// large ones.
func (s *State) LogDistance(k int) float32 { return s.of(k, (*tsp.State).LogDistance) }

// DistanceSquared returns the square of half the Distance of customer k: large distances differ more than small ones.
func (s *State) DistanceSquared(k int) float32 { return s.of(k, (*tsp.State).DistanceSquared) }

// DistanceRatio returns the distance of customer k from Current by that of the nearest waiting one plus 0.1, at most
// 8.
func (s *State) DistanceRatio(k int) float32 { return s.of(k, (*tsp.State).DistanceRatio) }

// Rank returns how many waiting customers are nearer to Current than customer k, at most 20.
func (s *State) Rank(k int) float32 { return s.of(k, (*tsp.State).Rank) }

// TowardsDepot returns the cosine of the angle at Current between customer k and the depot: 1 if it lies on the way
// home, -1 if the other way, 0 at the depot.
func (s *State) TowardsDepot(k int) float32 { return s.of(k, (*tsp.State).TowardsStart) }

// LeftOfHome returns the sine of the angle at Current from the depot to customer k: positive if it lies to the left
// of the way home, 0 at the depot.
func (s *State) LeftOfHome(k int) float32 { return s.of(k, (*tsp.State).LeftOfStart) }

// ToCentroid returns how far customer k is from the centroid of the waiting customers, in units.
func (s *State) ToCentroid(k int) float32 { return s.of(k, (*tsp.State).ToCentroid) }

// TowardsCentroid returns the cosine of the angle at Current between customer k and the centroid of the waiting
// customers.
func (s *State) TowardsCentroid(k int) float32 { return s.of(k, (*tsp.State).TowardsCentroid) }

// LeftOfCentroid returns the sine of the angle at Current from the centroid of the waiting customers to customer k:
// positive if it lies to the left.
func (s *State) LeftOfCentroid(k int) float32 { return s.of(k, (*tsp.State).LeftOfCentroid) }

// PlaceX returns where customer k lies from left to right in the unit square: -1 on its left edge, 1 on the right.
func (s *State) PlaceX(k int) float32 { return s.of(k, (*tsp.State).PlaceX) }

// PlaceY returns where customer k lies from bottom to top in the unit square: -1 on its lower edge, 1 on the upper.
func (s *State) PlaceY(k int) float32 { return s.of(k, (*tsp.State).PlaceY) }

// DirectionX returns the x component of the direction from Current to customer k, from -1 to 1.
func (s *State) DirectionX(k int) float32 { return s.of(k, (*tsp.State).DirectionX) }

// DirectionY returns the y component of the direction from Current to customer k, from -1 to 1.
func (s *State) DirectionY(k int) float32 { return s.of(k, (*tsp.State).DirectionY) }

// ToEdge returns how far customer k is from the nearest edge of the unit square, in units.
func (s *State) ToEdge(k int) float32 { return s.of(k, (*tsp.State).ToEdge) }

// Isolation returns how far customer k is from the nearest other waiting customer, in units; from the depot if there
// is none.
func (s *State) Isolation(k int) float32 { return s.of(k, (*tsp.State).Isolation) }

// Regret returns how much farther the second-nearest other waiting customer is from customer k than the nearest one,
// in units.
func (s *State) Regret(k int) float32 { return s.of(k, (*tsp.State).Regret) }

// TwoStep returns the length of the best step on from customer k, in units: to another waiting customer, and from
// there home, which counts by 1.6/√W, at most 1.
func (s *State) TwoStep(k int) float32 { return s.of(k, (*tsp.State).TwoStep) }

// Rise returns how much longer the nearest step on from customer k is than the step to it, in units, at least 0: it
// tells the last one of a cluster.
func (s *State) Rise(k int) float32 { return s.of(k, (*tsp.State).Rise) }

// SecondRise returns how much farther the second-nearest other waiting customer is from customer k than Current is,
// in units, at least 0.
func (s *State) SecondRise(k int) float32 { return s.of(k, (*tsp.State).SecondRise) }

// Closer returns how many other waiting customers are closer to customer k than Current is, at most 20.
func (s *State) Closer(k int) float32 { return s.of(k, (*tsp.State).Closer) }

// Onward returns how much farther from Current the nearest other waiting customer of customer k lies than k itself,
// in units: negative if it lies on the way back.
func (s *State) Onward(k int) float32 { return s.of(k, (*tsp.State).Onward) }

// Missed returns how much longer the nearest links of the other waiting customers get without customer k, in all, in
// units.
func (s *State) Missed(k int) float32 { return s.of(k, (*tsp.State).Missed) }

// NeighbourRegret returns how much longer a link the nearest other waiting customer of customer k needs without k, in
// units.
func (s *State) NeighbourRegret(k int) float32 { return s.of(k, (*tsp.State).NeighbourRegret) }

// Skip returns what customer k costs if it is left for later, in units: the detour over it on the way between its two
// nearest other waiting customers, or between the nearest one and the depot if that is less.
func (s *State) Skip(k int) float32 { return s.of(k, (*tsp.State).Skip) }

// Via returns the least detour over another waiting customer on the way from Current to customer k, in units, at most
// 5.
func (s *State) Via(k int) float32 { return s.of(k, (*tsp.State).Via) }

// ViaRight returns Via over the waiting customers to the right of the way.
func (s *State) ViaRight(k int) float32 { return s.of(k, (*tsp.State).ViaRight) }

// ViaLeft returns Via over the waiting customers to the left of the way.
func (s *State) ViaLeft(k int) float32 { return s.of(k, (*tsp.State).ViaLeft) }

// LeftBehind returns the sum of how much less a detour over each other waiting customer costs now than later, where it
// does, in units: what a step to customer k loses (see Skip).
func (s *State) LeftBehind(k int) float32 { return s.of(k, (*tsp.State).LeftBehind) }

// LeftBehindMost returns what a step to customer k loses on one other waiting customer, at most, in units.
func (s *State) LeftBehindMost(k int) float32 { return s.of(k, (*tsp.State).LeftBehindMost) }

// LeftBehindRight returns LeftBehind of the waiting customers to the right of the way from Current to customer k.
func (s *State) LeftBehindRight(k int) float32 { return s.of(k, (*tsp.State).LeftBehindRight) }

// LeftBehindLeft returns LeftBehind of the waiting customers to the left of the way from Current to customer k.
func (s *State) LeftBehindLeft(k int) float32 { return s.of(k, (*tsp.State).LeftBehindLeft) }

// SecondStep returns the least distance from customer k to another waiting customer minus the Skip of that one, in
// units: the best step on.
func (s *State) SecondStep(k int) float32 { return s.of(k, (*tsp.State).SecondStep) }

// NearestLeftBehind returns what the nearest other waiting customer costs if it is left for later, less the detour
// over it on the way to customer k, in units: positive if it is better served on the way.
func (s *State) NearestLeftBehind(k int) float32 { return s.of(k, (*tsp.State).NearestLeftBehind) }

// LeftShare returns the share of the other waiting customers on the left of the line from Current through customer k.
func (s *State) LeftShare(k int) float32 { return s.of(k, (*tsp.State).LeftShare) }

// Cut returns the share of the other waiting customers on the smaller side of the line from Current through customer
// k, at most ½.
func (s *State) Cut(k int) float32 { return s.of(k, (*tsp.State).Cut) }

// WedgeRight returns the smallest angle at Current from customer k clockwise to another waiting customer of less than
// one and a half times its distance plus one unit, in half turns; 1 if there is none.
func (s *State) WedgeRight(k int) float32 { return s.of(k, (*tsp.State).WedgeRight) }

// WedgeLeft returns what WedgeRight does counterclockwise.
func (s *State) WedgeLeft(k int) float32 { return s.of(k, (*tsp.State).WedgeLeft) }

// RightHere returns the number of waiting customers to the right of the ray from Current through customer k, where
// one counts the less the farther it is from Current: half at about r units, hardly at 3r.
func (s *State) RightHere(k int, r float32) float32 { return s.about(k, r, (*tsp.State).RightHere) }

// LeftHere returns what RightHere does on the left.
func (s *State) LeftHere(k int, r float32) float32 { return s.about(k, r, (*tsp.State).LeftHere) }

// RightMore returns by how much RightHere exceeds LeftHere, as a share of their sum plus 0.3, from -1 to 1.
func (s *State) RightMore(k int, r float32) float32 { return s.about(k, r, (*tsp.State).RightMore) }

// AheadHere returns the number of other waiting customers within 30 degrees of the direction from Current to customer
// k, which fade with their distance from Current as in RightHere.
func (s *State) AheadHere(k int, r float32) float32 { return s.about(k, r, (*tsp.State).Ahead) }

// Density returns the number of other waiting customers about customer k, where one counts the less the farther it is
// from k: half at about r units, hardly at 3r.
func (s *State) Density(k int, r float32) float32 { return s.about(k, r, (*tsp.State).Crowd) }

// DensityRight returns the Density to the right of the line from Current through customer k.
func (s *State) DensityRight(k int, r float32) float32 { return s.about(k, r, (*tsp.State).CrowdRight) }

// DensityLeft returns the Density to the left of the line from Current through customer k.
func (s *State) DensityLeft(k int, r float32) float32 { return s.about(k, r, (*tsp.State).CrowdLeft) }

// DensityBeyond returns the Density of those that are farther from Current than customer k.
func (s *State) DensityBeyond(k int, r float32) float32 {
	return s.about(k, r, (*tsp.State).CrowdBeyond)
}

// Tip returns how much the other waiting customers about customer k lie in one direction: 1 all of them, 0 all around
// it. They fade as in Density.
func (s *State) Tip(k int, r float32) float32 { return s.about(k, r, (*tsp.State).Tip) }

// TipAlong returns how much the other waiting customers about customer k lie straight on from Current over k: 1 all
// of them, -1 if all lie back towards Current.
func (s *State) TipAlong(k int, r float32) float32 { return s.about(k, r, (*tsp.State).TipAlong) }

// TipAcross returns how much the other waiting customers about customer k lie to the left of the way from Current
// over k: 1 all of them, -1 if all lie to the right.
func (s *State) TipAcross(k int, r float32) float32 { return s.about(k, r, (*tsp.State).TipAcross) }

// Outlying returns how much all other waiting customers lie in one direction from customer k: 1 seen from far
// outside, 0 from their middle.
func (s *State) Outlying(k int) float32 { return s.of(k, (*tsp.State).Outlying) }

// OutAlong returns how much all other waiting customers lie straight on from Current over customer k, from -1 to 1.
func (s *State) OutAlong(k int) float32 { return s.of(k, (*tsp.State).OutAlong) }

// OutAcross returns how much all other waiting customers lie to the left of the way from Current over customer k,
// from -1 to 1.
func (s *State) OutAcross(k int) float32 { return s.of(k, (*tsp.State).OutAcross) }

// OpenAngle returns the widest angle at customer k with no other waiting customer in it, in half turns: more than 1
// at a corner of their convex hull.
func (s *State) OpenAngle(k int) float32 { return s.of(k, (*tsp.State).Gap) }

// OpenAhead returns the cosine between the way from Current to customer k and the middle of its OpenAngle.
func (s *State) OpenAhead(k int) float32 { return s.of(k, (*tsp.State).GapAhead) }

// OpenLeft returns the sine of the angle from the way from Current to customer k to the middle of its OpenAngle: 1 if
// it opens to the left.
func (s *State) OpenLeft(k int) float32 { return s.of(k, (*tsp.State).GapLeft) }

// ServedDistance returns how far customer k is from the nearest node that is done with, the depot among them
// unless the vehicle is there, in units, at most 5.
func (s *State) ServedDistance(k int) float32 { return s.of(k, (*tsp.State).VisitedDistance) }

// ServedDensity returns the number of served customers and the depot about customer k, which fade as in Density.
func (s *State) ServedDensity(k int, r float32) float32 {
	return s.about(k, r, (*tsp.State).VisitedCrowd)
}

// ServedShare returns ServedDensity as a share of ServedDensity, Density and 0.3: how far the place is done with.
func (s *State) ServedShare(k int, r float32) float32 {
	return s.about(k, r, (*tsp.State).VisitedShare)
}

// OffHome returns how far customer k is from the line from Current to the depot, in units: positive to the left, 0 at
// the depot.
func (s *State) OffHome(k int) float32 { return s.of(k, (*tsp.State).OffStart) }

// SameSide returns the share of the other waiting customers on the same side of the line from Current to the depot as
// customer k.
func (s *State) SameSide(k int) float32 { return s.of(k, (*tsp.State).SameSide) }

// InTriangle returns how many other waiting customers are inside the triangle of Current, customer k and the depot,
// at most 20.
func (s *State) InTriangle(k int) float32 { return s.of(k, (*tsp.State).InTriangle) }

// HomeRight returns the share of the other waiting customers to the right of the way from customer k to the depot.
func (s *State) HomeRight(k int) float32 { return s.of(k, (*tsp.State).HomeRight) }

// HomeRightNear returns how much of the Density about customer k is to the right of the way from k to the depot, as a
// share of the Density plus 0.3.
func (s *State) HomeRightNear(k int, r float32) float32 {
	return s.about(k, r, (*tsp.State).HomeRightNear)
}

// FartherFromDepot returns the share of the other waiting customers that are farther from the depot than customer k.
func (s *State) FartherFromDepot(k int) float32 { return s.of(k, (*tsp.State).FartherFromStart) }
