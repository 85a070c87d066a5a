package instances

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
)

// aliases are the names that libraries give to arrays, each with the name that arrayFormat knows.
var aliases = map[string]string{
	"loc": "locs", "node_xy": "locs", "problems": "coords", // RL4CO's older sets, POMO
	"depot_xy": "depot", "node_demand": "demand",
}

// canonical returns the name by which arrayFormat knows an array.
func canonical(name string) string { return cmp.Or(aliases[name], name) }

// fromArrays makes files of the arrays of one set, whose instances have equal size.
func fromArrays(path string, named map[string]array) ([]File, error) {
	arrays := map[string]array{}
	from := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		key := canonical(name)
		if other, ok := from[key]; ok {
			return nil, fmt.Errorf("arrays %s and %s both give %s", other, name, key)
		}
		from[key], arrays[key] = name, named[name]
	}
	if d := arrays["depot"]; len(d.Shape) == 3 && d.Shape[1] == 1 {
		d.Shape = []int{d.Shape[0], d.Shape[2]}
		arrays["depot"] = d
	}
	if d, ok := arrays["demand"]; ok {
		var err error
		if arrays["demand"], arrays["capacity"], err = wholeDemands(d, arrays["capacity"]); err != nil {
			return nil, err
		}
	}
	format, err := arraysOf(arrays)
	if err != nil {
		return nil, err
	}
	insts, err := format.read(filepath.Base(path), arrays)
	if err != nil {
		return nil, err
	}
	files := make([]File, len(insts))
	for i, in := range insts {
		coords := format.coordinates(arrays, i)
		if files[i], err = newFile(fmt.Sprintf("%s[%d]", path, i), in, coords, Euclidean); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// wholeDemands returns demands in whole units with their capacity. POMO and RL4CO also save demands as fractions of the
// vehicle: they are multiplied by the capacity beside them or, where there is none, by the smallest that makes all of
// them whole. float32(demand)/float32(capacity) gives the fractions back exactly.
func wholeDemands(demand, capacity array) (array, array, error) {
	if demand.Type == otherArray || len(demand.Shape) == 0 {
		return demand, capacity, errors.New("array demand: want numbers, [instances, customers]")
	}
	for i, q := range capacity.Values {
		if !(q > 0) {
			return demand, capacity, fmt.Errorf("array capacity: element %d is %v, want a positive number", i, q)
		}
	}
	given := len(capacity.Values) > 0 && slices.Max(capacity.Values) > 1
	whole := true
	for i, d := range demand.Values {
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return demand, capacity, fmt.Errorf("array demand: element %d is %v", i, d)
		}
		whole = whole && d == math.Trunc(d)
	}
	if whole && (given || capacity.Shape == nil || len(demand.Values) == 0 || slices.Max(demand.Values) > 1) {
		return demand, capacity, nil
	}
	if i := slices.IndexFunc(demand.Values, func(d float64) bool { return d > 1 }); i >= 0 {
		return demand, capacity, fmt.Errorf("array demand: element %d is %v, want whole numbers throughout or "+
			"fractions of the capacity, up to 1", i, demand.Values[i])
	}
	B := demand.Shape[0]
	if B == 0 || given && len(capacity.Values) != B {
		return demand, capacity, fmt.Errorf("array capacity: shape %v for demands of shape %v", capacity.Shape,
			demand.Shape)
	}
	var scale func(i int) float64 // of element i
	if given {
		per := len(demand.Values) / B
		scale = func(i int) float64 { return capacity.Values[i/per] }
	} else {
		const most = 1000
		c := 1.0
		for ; c <= most && slices.ContainsFunc(demand.Values,
			func(d float64) bool { return !nearlyWhole(d * c) }); c++ {
		}
		if c > most {
			return demand, capacity, fmt.Errorf("array demand: fractions of no whole capacity up to %d", most)
		}
		scale = func(int) float64 { return c }
		capacity = array{Type: intArray, Shape: []int{B}, Values: slices.Repeat([]float64{c}, B)}
	}
	units := array{Type: intArray, Shape: demand.Shape, Values: make([]float64, len(demand.Values))}
	for i, d := range demand.Values {
		v := d * scale(i)
		if !nearlyWhole(v) {
			return demand, capacity, fmt.Errorf("array demand: element %d is %v, no whole number of units of a "+
				"capacity of %v", i, d, scale(i))
		}
		units.Values[i] = math.Round(v)
	}
	return units, capacity, nil
}

// nearlyWhole reports whether v is whole but for the rounding of a float32 fraction. It allows four roundings, as not
// everybody divides units by the capacity once.
func nearlyWhole(v float64) bool { return math.Abs(v-math.Round(v)) <= 4*0x1p-24*math.Abs(v) }
