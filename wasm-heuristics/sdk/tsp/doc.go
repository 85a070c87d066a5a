// Package tsp is what a heuristic program for the travelling salesman problem sees of a decision state:
// all cities, the tour so far by its first and current city, and the cities still to visit.
//
// A heuristic is one Go file with one exported function:
//
//	// Score prefers the nearest city.
//	func Score(s *tsp.State, score []float32) {
//		fromHere := s.Row(s.Current)
//		for k, c := range s.Candidates {
//			score[k] = -fromHere[c]
//		}
//	}
//
// score[k] belongs to s.Candidates[k]; higher is preferred; every score must be finite. Distances are Euclidean in the
// unit square, so negative lengths are the common scale of scores. The doc comment of Score is the heuristic's description.
//
// A program must give the same scores for the same state: it keeps nothing between calls and leaves the State's slices as it
// found them. It may import this package, math, slices and sort.
//
// # Measures
//
// A measure is a method that takes k, the index of a candidate, and gives one number within ±20. Lengths are in units of
// the typical spacing (Unit), so that a weight means the same for 20 cities as for 100. Those with a radius r, in units,
// count a city the less the farther it is: by 1/(1 + (t/2.2r)²)³ at distance t, half at about r, hardly at 3r. "Right"
// and "left" are those of a traveller from Current to the candidate. Measures are worked out for all candidates at the
// first question of a decision; asking again costs nothing.
//
//	the step        Distance, LogDistance, DistanceSquared, DistanceRatio, Rank, IsNearest
//	start, centroid ToStart, TowardsStart, LeftOfStart, OffStart, ToCentroid, TowardsCentroid, LeftOfCentroid
//	neighbours      Isolation, Regret, TwoStep, Rise, SecondRise, Closer, Onward, Missed, MissedMost, NeighbourRegret
//	left for later  Skip, Via, ViaRight, ViaLeft, LeftBehind, LeftBehindMost, LeftBehindRight, LeftBehindLeft,
//	                SecondStep, ViaNearest, NearestLeftBehind
//	sides           LeftShare, Cut, WedgeRight, WedgeLeft, RightHere, LeftHere, RightMore, Ahead
//	density         Crowd, CrowdRight, CrowdLeft, CrowdBeyond, CrowdBetween
//	tip of a line   Tip, TipAlong, TipAcross, Outlying, OutAlong, OutAcross
//	hull            Gap, OnHull, GapAhead, GapLeft
//	the way home    StartTriangle, SameSide, InTriangle, HomeRight, HomeRightNear, FartherFromStart, IsNearestToStart,
//	                FartherFromCentroid
//	angle           Angle, AngleStep, ArcStep, AngleLag, Radius, Behind, BehindNear, BehindHere
//	visited cities  VisitedDistance, VisitedCrowd, VisitedShare, VisitedRight, VisitedLeft, VisitedRightHere
//	place           PlaceX, PlaceY, DirectionX, DirectionY, ToEdge
//
// Of the decision as a whole: Nearest gives the two nearest candidates, whose measures say most of it. Beside these there
// are StartDistance, CentroidDistance, CentroidFromStart, CentroidOffStart, Spread, MeanDistance, OneSided,
// StartOneSided, MostIsolation, MostSkip, ThirdRatio, NearestApart, NearestCosine, NearestSine, NearestToStart, Within,
// CrowdHere, VisitedHere, AngleHere, LeastAngle, BehindShare and LeftOfStartShare.
//
// Arithmetic is float32. The package compiles natively and with TinyGo to WebAssembly and gives the same bits on both.
package tsp
