package cvrp

import "github.com/epb-nco/epb/wasm-heuristics/sdk/tsp"

// Measures of the decision as a whole, most of them on when to go home. More of them are those of the nearest fitting
// customers: see Nearest.

// whole returns a measure of the tour through all waiting customers, 0 if none waits.
func (s *State) whole(measure func(*tsp.State) float32) float32 {
	if len(s.Waiting) == 0 {
		return 0
	}
	return measure(&s.plane)
}

// AtDepot returns 1 at the depot, 0 elsewhere.
func (s *State) AtDepot() float32 { return one(s.Current == Depot) }

// HomeDistance returns how far Current is from the depot, in units.
func (s *State) HomeDistance() float32 { return bounded(s.length(s.Current, Depot)) }

// LoadsLeft returns the demand of all waiting customers together, in vehicle loads, at most 20.
func (s *State) LoadsLeft() float32 { return bounded(s.TotalWaiting()) }

// AllFit returns 1 if all waiting customers together fit into the room left, 0 if not.
func (s *State) AllFit() float32 {
	var units int64
	for _, c := range s.Waiting {
		units += int64(s.units[c])
	}
	return one(units <= int64(s.room))
}

// FitShare returns the share of the waiting customers that fit, each alone; 0 if none waits.
func (s *State) FitShare() float32 {
	return float32(len(s.Fitting())) / float32(max(1, len(s.Waiting)))
}

// FullestFill returns the largest share of the room left that a fitting customer takes: 1 for an exact fit, 0 if none
// fits.
func (s *State) FullestFill() float32 {
	var units int32
	for _, c := range s.Fitting() {
		units = max(units, s.units[c])
	}
	return float32(units) / float32(max(1, s.room))
}

// NearestFit returns how far the nearest fitting customer is from Current, in units, at most 10: 10 if none fits.
func (s *State) NearestFit() float32 {
	d := float32(none)
	for _, c := range s.Fitting() {
		d = min(d, s.length(s.Current, c))
	}
	return d
}

// LeastHomeDetour returns the least HomeDetour over a fitting customer, in units, at most 10: 10 if none fits.
func (s *State) LeastHomeDetour() float32 {
	d := float32(none)
	for _, c := range s.Fitting() {
		d = min(d, s.Detour(s.Current, c, Depot)/s.Unit())
	}
	return d
}

// DensityHere returns the number of waiting customers about Current, where one counts the less the farther it is: half
// at about r units, hardly at 3r. They stay unserved if the vehicle goes home.
func (s *State) DensityHere(r float32) float32 {
	return bounded(s.around(s.Current, r, false, s.capacity))
}

// FitDensityHere returns the number of waiting customers about Current that fit, each alone, which fade as in
// DensityHere.
func (s *State) FitDensityHere(r float32) float32 {
	return bounded(s.around(s.Current, r, false, s.room))
}

// CentroidDistance returns how far Current is from the centroid of the waiting customers, in units.
func (s *State) CentroidDistance() float32 { return s.whole((*tsp.State).CentroidDistance) }

// CentroidFromDepot returns how far the depot is from the centroid of the waiting customers, in units.
func (s *State) CentroidFromDepot() float32 { return s.whole((*tsp.State).CentroidFromStart) }

// CentroidOffHome returns how far the centroid of the waiting customers is from the line from Current to the depot, in
// units: positive to the left, 0 at the depot.
func (s *State) CentroidOffHome() float32 { return s.whole((*tsp.State).CentroidOffStart) }

// Spread returns the root mean square distance of the waiting customers from their centroid, in units.
func (s *State) Spread() float32 { return s.whole((*tsp.State).Spread) }

// MeanDistance returns the mean distance of the waiting customers from Current, in units.
func (s *State) MeanDistance() float32 { return s.whole((*tsp.State).MeanDistance) }

// OneSided returns how much the waiting customers lie in one direction from Current: 1 all of them, 0 all around it.
func (s *State) OneSided() float32 { return s.whole((*tsp.State).OneSided) }

// DepotOneSided returns how much the waiting customers lie in one direction from the depot: 1 all of them, 0 all
// around it.
func (s *State) DepotOneSided() float32 { return s.whole((*tsp.State).StartOneSided) }

// MostIsolation returns the greatest Isolation of a waiting customer.
func (s *State) MostIsolation() float32 { return s.whole((*tsp.State).MostIsolation) }

// MostSkip returns the greatest Skip of a waiting customer.
func (s *State) MostSkip() float32 { return s.whole((*tsp.State).MostSkip) }

// NearestToDepot returns how far the depot is from the nearest waiting customer, in units.
func (s *State) NearestToDepot() float32 { return s.whole((*tsp.State).NearestToStart) }

// LeftOfHomeShare returns the share of the waiting customers to the left of the way from Current to the depot,
// 0 at the depot.
func (s *State) LeftOfHomeShare() float32 { return s.whole((*tsp.State).LeftOfStartShare) }

// Within returns how many waiting customers are less than r units from Current, at most 20.
func (s *State) Within(r float32) float32 {
	if len(s.Waiting) == 0 {
		return 0
	}
	return s.plane.Within(r)
}
