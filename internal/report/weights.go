package report

import (
	"fmt"
	"slices"
	"strings"
)

// WeightWay is the way of one weight of a program through the training of weights.
type WeightWay struct {
	Heuristic string    `json:"heuristic"`
	Weight    string    `json:"weight"`
	Epochs    []int     `json:"epochs"` // of the changes
	Values    []float64 `json:"values"` // the first one, and that after each change
	Gone      bool      `json:"gone,omitempty"`
}

// First is the value before the first change.
func (w WeightWay) First() float64 { return w.Values[0] }

// Last is the value after the last change; it means nothing where the weight is gone.
func (w WeightWay) Last() float64 { return w.Values[len(w.Values)-1] }

// Points draws the values as a polyline in a 60 × 16 drawing, from the smallest at its bottom to the largest.
func (w WeightWay) Points() string {
	low, high := slices.Min(w.Values), slices.Max(w.Values)
	var b strings.Builder
	for i, v := range w.Values {
		x, y := 60*float64(i)/max(float64(len(w.Values)-1), 1), 8.0
		if high > low {
			y = 15 - 14*(v-low)/(high-low)
		}
		fmt.Fprintf(&b, "%g,%g ", round1(x), round1(y))
	}
	return strings.TrimSpace(b.String())
}

// waysOf returns the ways of a program's weights.
func (d Data) waysOf(heuristic string) (ways []WeightWay) {
	for _, w := range d.Weights {
		if w.Heuristic == heuristic && len(w.Values) > 0 {
			ways = append(ways, w)
		}
	}
	return ways
}
