// Package places returns layouts of nodes on which programs tend to fail.
package places

import "math/rand/v2"

// Uniform returns the coordinates [n,2] of n random nodes.
func Uniform(rng *rand.Rand, n int) []float32 {
	coords := make([]float32, 2*n)
	for i := range coords {
		coords[i] = rng.Float32()
	}
	return coords
}

// OnePlace returns the coordinates of 10 nodes that lie on top of each other.
func OnePlace() []float32 {
	half := func(int) float32 { return 0.5 }
	return place(10, half, half)
}

// Row returns the coordinates of 12 nodes side by side.
func Row() []float32 {
	return place(12, func(i int) float32 { return float32(i) / 11 }, func(int) float32 { return 0.5 })
}

// Doubled returns the coordinates of 12 nodes, of which the last four lie on top of the first four.
func Doubled() []float32 {
	return place(12,
		func(i int) float32 { return float32(i%8*3%8) / 8 },
		func(i int) float32 { return float32(i%8*5%7) / 7 })
}

func place(n int, x, y func(i int) float32) []float32 {
	coords := make([]float32, 2*n)
	for i := range n {
		coords[2*i], coords[2*i+1] = x(i), y(i)
	}
	return coords
}
