package instances

import (
	"fmt"
	"maps"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// instanceArrays are the arrays that describe instances.
var instanceArrays = []string{"coords", "locs", "depot", "demand", "capacity"}

// arraysOf finds the format of a set of arrays.
func arraysOf(arrays map[string]array) (*arrayFormat, error) {
	for _, f := range slices.Backward(allFormats) {
		if f.arrays.holds(arrays) {
			return &f.arrays, nil
		}
	}
	return nil, noInstances(arrays)
}

func noInstances(arrays map[string]array) error {
	return fmt.Errorf("no instances: want an array coords [instances, nodes, 2], found %.80v; CVRP wants depot, locs, "+
		"demand and capacity",
		fmt.Sprint(slices.Sorted(maps.Keys(arrays))))
}

// named returns B instances of a problem, called "name[i]". The array key [B,N,2] holds their N nodes, without a depot.
// The caller fills in the coordinates and all else.
func named(name string, problem routing.Problem, arrays map[string]array, key string) ([]routing.Instance, error) {
	locs, ok := arrays[key]
	if !ok {
		return nil, noInstances(arrays)
	}
	if locs.Type != floatArray {
		return nil, fmt.Errorf("array %s: want float32 or float64", key)
	}
	if len(locs.Shape) != 3 || locs.Shape[2] != 2 {
		return nil, fmt.Errorf("array %s: shape %v, want [instances, nodes, 2]", key, locs.Shape)
	}
	B, N := locs.Shape[0], locs.Shape[1]
	if B == 0 || N == 0 { // with N = 0, an array of any number of instances takes no bytes
		return nil, fmt.Errorf("no instances: array %s has shape %v", key, locs.Shape)
	}
	insts := make([]routing.Instance, B)
	for i := range insts {
		insts[i] = routing.Instance{Name: fmt.Sprintf("%s[%d]", name, i), Problem: problem}
	}
	return insts, nil
}

// placesOf returns the coordinates of instance i in an array [B,N,2].
func placesOf(locs array, i int) []float64 {
	size := 2 * locs.Shape[1]
	return locs.Values[i*size : (i+1)*size]
}
