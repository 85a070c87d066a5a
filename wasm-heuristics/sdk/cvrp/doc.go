// Package cvrp is what a heuristic program for the capacitated vehicle routing problem sees of a decision state: the depot, all
// customers with their demands, where the vehicle stands and how much room it has left, and which nodes it may drive to next.
//
// A heuristic is one Go file with one exported function:
//
//	// Score prefers the nearest customer that fits; the depot comes last.
//	func Score(s *cvrp.State, score []float32) {
//		fromHere := s.Row(s.Current)
//		for k, c := range s.Candidates {
//			score[k] = -fromHere[c]
//			if c == cvrp.Depot {
//				score[k] -= 1
//			}
//		}
//	}
//
// score[k] belongs to s.Candidates[k]; higher is preferred; every score must be finite. Distances are Euclidean in the
// unit square, so negative lengths are the common scale of scores; demands are shares of the vehicle's capacity. The doc comment of
// Score is the heuristic's description.
//
// The depot is node 0 and a candidate wherever the vehicle stands elsewhere, so a state needs not hold a customer that fits:
//   - Candidates may be the depot alone, when no waiting customer fits. Waiting may then be empty too: the last way home.
//   - Candidates may be one customer, at the depot with one left.
//   - At the depot there is no heading and no saving: Alignment and Saving are 0 there, Turn is 0.
//
// A mean, nearest or largest over customers must hold in all of these.
//
// A program must give the same scores for the same state: it keeps nothing between calls and leaves the State's slices as it
// found them. It may import this package, math, slices and sort.
//
// # Measures
//
// A measure is a method that takes k, the index of a candidate, and gives one number within ±20. Lengths are in units of
// the typical spacing (Unit), so that a weight means the same for 20 customers as for 100. For the depot all measures are
// 0 but Distance, IsDepot and those that walk on. With a radius r, in units, a customer counts the less the farther it
// is: by 1/(1 + (t/2.2r)²)³ at distance t, half at about r, hardly at 3r. "Right" and "left" are those of a traveller from
// Current to the candidate. They see all customers in Waiting, whether they fit or not.
//
//	the step        Distance, LogDistance, DistanceSquared, DistanceRatio, Rank, ToCentroid, TowardsCentroid,
//	                LeftOfCentroid
//	the way home    ToDepot, HomeDetour, SavingHere, OutwardStep, TowardsDepot, LeftOfHome, OffHome, SameSide,
//	                InTriangle, HomeRight, HomeRightNear, FartherFromDepot
//	load            Load, RoomAfter, Fill, FitShareAfter, NextFitDistance, Larger, DemandNear, FitNear
//	sectors         SectorStep, SectorFromFirst, SectorX, SectorY, SectorGapRight, SectorGapLeft, SectorLoad
//	neighbours      Isolation, Regret, TwoStep, Rise, SecondRise, Closer, Onward, Missed, NeighbourRegret
//	left for later  Skip, Via, ViaRight, ViaLeft, LeftBehind, LeftBehindMost, LeftBehindRight, LeftBehindLeft,
//	                SecondStep, NearestLeftBehind
//	sides           LeftShare, Cut, WedgeRight, WedgeLeft, RightHere, LeftHere, RightMore, AheadHere
//	surroundings    Density, DensityRight, DensityLeft, DensityBeyond, Tip, TipAlong, TipAcross, Outlying, OutAlong,
//	                OutAcross, OpenAngle, OpenAhead, OpenLeft, ServedDistance, ServedDensity, ServedShare
//	place           PlaceX, PlaceY, DirectionX, DirectionY, ToEdge
//	going home now  HomeDistance, Remaining, FitShare, NearestFit, LeastHomeDetour, FullestFill, DensityHere,
//	                FitDensityHere, LoadsLeft, AllFit, AtDepot: of the decision as a whole
//
// Nearest gives the two nearest customers that fit. More on the whole are CentroidDistance, CentroidFromDepot,
// CentroidOffHome, Spread, MeanDistance, OneSided, DepotOneSided, MostIsolation, MostSkip, NearestToDepot,
// LeftOfHomeShare and Within.
//
// Arithmetic is float32; questions of what fits are answered in whole demand units. The package compiles natively and with TinyGo
// to WebAssembly and gives the same bits on both.
package cvrp
