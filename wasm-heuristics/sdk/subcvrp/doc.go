// Package subcvrp is what a heuristic program for the capacitated vehicle routing problem sees of a decision state when its
// teacher works on the subgraph that remains, as LEHD does: the depot, the customers still waiting with their demands, where the
// vehicle stands and how much room it has left. The customers served before, the routes driven and the size of the instance are not
// there to be seen.
//
// A decision is about the next customer and the way there: straight on, or home to the depot first, to fill up. The same customer may
// be a candidate in both ways. The vehicle goes home by itself after the last customer.
//
// A heuristic is one Go file with one exported function:
//
//	// Score prefers the shortest way to a customer, whether straight on or by way of the depot.
//	func Score(s *subcvrp.State, score []float32) {
//		for k := range s.Candidates {
//			score[k] = -s.Way(k)
//		}
//	}
//
// score[k] belongs to s.Candidates[k]; higher is preferred; every score must be finite. Distances are Euclidean in the
// unit square, so negative lengths are the common scale of scores; demands are shares of the vehicle's capacity. The doc comment of
// Score is the heuristic's description.
//
// At the start of a route every way is straight on, Alignment at the depot is 0, and so are Saving and Turn. The last call may have one
// customer waiting and one candidate: a mean, nearest or largest over other customers is then over nothing.
//
// A program must give the same scores for the same state: it keeps nothing between calls and leaves the State's slices as it
// found them. It may import this package, math, slices and sort.
//
// Arithmetic is float32; questions of what fits are answered in whole demand units. The package compiles natively and with TinyGo
// to WebAssembly and gives the same bits on both.
package subcvrp
