// Package rewrite changes the numbers and terms of a program in its source, and tells its score as a formula.
//
// SetWeights writes values of weights. Without takes the terms of weights out, with all that only these needed, and
// Terms says which weights multiply such terms. Formula, Unweighted and Measures take the score apart.
package rewrite
