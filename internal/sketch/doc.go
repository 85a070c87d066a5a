// Package sketch fits the first bank of a run to the teacher's decisions: M programs, each the weighted sum of a few
// named features (package features), and the named router that chooses among them. No language model takes part.
//
// Fit begins with programs that weigh all features, trains programs and router together on the loss of Eq. 6, and
// prunes the weights step by step to a few terms a program. Write turns the programs into Go source: each weight is a
// named constant, and the doc comment lists in words what counts for a candidate and against it.
//
// For example, a program of two terms beside the distance may read
//
//	const (
//		distance        = -1.4  // of its distance
//		isolation       = 0.36  // of how isolated it is
//		leftBehindRight = -0.52 // of what leaving it costs on the right
//	)
//
// It is also the simplest alternative to everything that edits programs: what a language model adds must be measured
// against a sketch of the same size.
package sketch
