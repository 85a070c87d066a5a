//go:build tinygo

package solver

import "math"

// begin returns the node that the start rule names, as startrule.Rule.Start does.
func begin(x, y []float32) int {
	score := of.Start.score(x, y)
	best, most := 0, math.Inf(-1)
	for i := range x {
		if v := score(i); v > most {
			best, most = i, v
		}
	}
	return best
}

// score returns the score of a node.
func (s Start) score(x, y []float32) func(i int) float64 {
	switch s.Kind {
	case "near":
		return func(i int) float64 { return -squared(float64(x[i])-s.X, float64(y[i])-s.Y) }
	case "along":
		return func(i int) float64 { return s.X*float64(x[i]) + s.Y*float64(y[i]) }
	case "centroid":
		var cx, cy float64
		for i := range x {
			cx += float64(x[i])
			cy += float64(y[i])
		}
		cx /= float64(len(x))
		cy /= float64(len(x))
		return func(i int) float64 { return s.X * squared(float64(x[i])-cx, float64(y[i])-cy) }
	case "isolation":
		return func(i int) float64 {
			nearest := math.Inf(1)
			for j := range x {
				if j != i {
					d := squared(float64(x[i])-float64(x[j]), float64(y[i])-float64(y[j]))
					nearest = min(nearest, d)
				}
			}
			return s.X * nearest
		}
	}
	return func(i int) float64 { return -float64(i) } // the first node
}

func squared(dx, dy float64) float64 { return float64(dx*dx) + float64(dy*dy) }
