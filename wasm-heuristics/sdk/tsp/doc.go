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
// Arithmetic is float32. The package compiles natively and with TinyGo to WebAssembly and gives the same bits on both.
package tsp
