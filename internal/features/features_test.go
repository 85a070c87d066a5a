package features_test

import (
	"math"
	"testing"

	"github.com/epb-nco/epb/internal/features"
	"github.com/epb-nco/epb/internal/routing"
)

func TestOf(t *testing.T) {
	if _, ok := features.Of(routing.TSP, routing.Subgraph); ok {
		t.Error("features of a setting that has none")
	}
	set, ok := features.Of(routing.TSP, routing.Full)
	if !ok {
		t.Fatal("no features of the TSP")
	}
	inst := routing.Instance{Problem: routing.TSP, Coords: []float32{0, 0, 0.5, 0, 1, 0, 1, 1}}
	r := set.NewReader()
	r.Open(&inst)
	for _, left := range [][]uint16{{1, 2, 3}, {3}} {
		f, z := make([]float32, len(left)*len(set.Node)), make([]float32, len(set.State))
		r.Read(features.Decision{Step: int32(4 - len(left)), First: 0, Current: 0, Candidates: left}, f, z)
		for i, v := range append(f, z...) {
			if math.IsNaN(float64(v)) || math.Abs(float64(v)) > 20 {
				t.Errorf("value %d is %v", i, v)
			}
		}
	}
}
