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
// Arithmetic is float32; questions of what fits are answered in whole demand units. The package compiles natively and with TinyGo
// to WebAssembly and gives the same bits on both.
package cvrp
