package instances

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// instanceArrays are the arrays that describe instances; any other is extra.
var instanceArrays = []string{"coords", "locs", "depot", "demand", "capacity"}

// instancesOf makes instances named "name[i]" of the arrays of one file, as ReadNPZ describes them. Instances are not validated,
// so that they may be scaled first; arrays are: types, shapes, and whole numbers where these are wanted.
func instancesOf(name string, arrays map[string]array) ([]routing.Instance, error) {
	_, hasDepot := arrays["depot"]
	_, hasDemand := arrays["demand"]
	cvrp := hasDepot || hasDemand
	key := "locs"
	if _, ok := arrays["coords"]; ok && !cvrp {
		key = "coords"
	}
	locs, ok := arrays[key]
	if !ok {
		return nil, fmt.Errorf("no instances: want an array coords [instances, nodes, 2], found %.80v; CVRP wants depot, locs, demand and capacity",
			fmt.Sprint(slices.Sorted(maps.Keys(arrays))))
	}
	if locs.Type != floatArray {
		return nil, fmt.Errorf("array %s: want float32 or float64", key)
	}
	if len(locs.Shape) != 3 || locs.Shape[2] != 2 {
		return nil, fmt.Errorf("array %s: shape %v, want [instances, nodes, 2]", key, locs.Shape)
	}
	B, N := locs.Shape[0], locs.Shape[1]
	if B == 0 || N == 0 { // of no nodes there could be any number of instances in no bytes
		return nil, fmt.Errorf("no instances: array %s has shape %v", key, locs.Shape)
	}
	insts := make([]routing.Instance, B)
	if !cvrp {
		coords := locs.float32s()
		for i := range insts {
			insts[i] = routing.Instance{Name: fmt.Sprintf("%s[%d]", name, i), Problem: routing.TSP, Coords: coords[2*N*i : 2*N*(i+1) : 2*N*(i+1)]}
		}
		return insts, nil
	}
	return insts, cvrpFromArrays(insts, name, arrays)
}

// cvrpFromArrays fills insts; locs has been checked.
func cvrpFromArrays(insts []routing.Instance, name string, arrays map[string]array) error {
	B, N := arrays["locs"].Shape[0], arrays["locs"].Shape[1]
	depot, err := arrays["depot"].shaped("depot", B, 2)
	if err != nil {
		return err
	}
	if depot.Type != floatArray {
		return errors.New("array depot: want float32 or float64")
	}
	demand, err := arrays["demand"].shaped("demand", B, N)
	if err != nil {
		return err
	}
	capacity, err := arrays["capacity"].shaped("capacity", B)
	if err != nil {
		return err
	}
	demands, err := demand.int32s("demand")
	if err != nil {
		return err
	}
	caps, err := capacity.int32s("capacity")
	if err != nil {
		return err
	}
	places, depots := arrays["locs"].float32s(), depot.float32s()
	for i := range insts {
		insts[i] = routing.Instance{
			Name: fmt.Sprintf("%s[%d]", name, i), Problem: routing.CVRP, Capacity: caps[i],
			Coords: slices.Concat(depots[2*i:2*i+2], places[2*N*i:2*N*(i+1)]),
			Demand: append(make([]int32, 1, N+1), demands[N*i:N*(i+1)]...),
		}
	}
	return nil
}
