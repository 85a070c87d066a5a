//go:build tinygo

// Package weights holds what a program reads where its source names a weight. The host gives the values for every
// state again.
package weights

// most is how many weights a program may have, MaxWeights of package compile.
const most = 32

// The values of the variant that is being scored, in both types that a program may read them in.
var (
	Single [most]float32
	Double [most]float64
)

// Count is how many weights the program has; a file of its build sets it.
var Count uint32

// Set makes values the program's weights.
func Set(values []float64) {
	for i, v := range values {
		Single[i], Double[i] = float32(v), v
	}
}
