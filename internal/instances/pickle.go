package instances

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/nlpodyssey/gopickle/types"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/torchfile"
)

// fromPickle reads the pickles of Kool et al.: a list of instances, each a list of [x, y] for TSP or a tuple (depot,
// locations, demands, capacity) for CVRP; or a dict of nested lists by array name.
func fromPickle(path string, data []byte) ([]File, error) {
	object, err := torchfile.Unpickle(data)
	if err != nil {
		return nil, err
	}
	// A number takes at least one byte. A pickle can name the same list many times, but no data set does.
	left := len(data)
	items, ok := sequence(object)
	if !ok {
		return fromDict(path, object, &left)
	}
	if len(items) == 0 {
		return nil, errors.New("an empty list")
	}
	var files []File
	for i, item := range items {
		arrays, err := koolInstance(item, &left)
		if err != nil {
			return nil, fmt.Errorf("instance %d: %w", i, err)
		}
		one, err := fromArrays(path, arrays)
		if err != nil {
			return nil, fmt.Errorf("instance %d: %w", i, err)
		}
		one[0].Source = fmt.Sprintf("%s[%d]", path, i)
		one[0].Instance.Name = fmt.Sprintf("%s[%d]", filepath.Base(path), i)
		files = append(files, one[0])
	}
	return files, nil
}

// koolInstance returns the arrays of one instance, each with a leading dimension of 1. left is how many numbers the
// file may still hold.
func koolInstance(item any, left *int) (map[string]array, error) {
	parts, ok := sequence(item)
	if !ok {
		return nil, fmt.Errorf("want a list of [x, y] or (depot, locations, demands, capacity), found %s", kind(item))
	}
	names := []string{"depot", "locs", "demand", "capacity"}
	_, isTuple := item.(*types.Tuple)
	if !isTuple || len(parts) != len(names) {
		names, parts = []string{"coords"}, []any{item}
	}
	arrays := map[string]array{}
	for k, name := range names {
		a, err := nested(parts[k], left)
		switch {
		case err != nil && isTuple && name == "coords":
			return nil, errors.New("a tuple that is neither (depot, locations, demands, capacity) nor one of [x, y]")
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if name == "depot" || name == "locs" || name == "coords" {
			a.Type = floatArray
		}
		a.Shape = append([]int{1}, a.Shape...)
		arrays[name] = a
	}
	return arrays, nil
}

// fromTorch reads a set of torch.save: a dict of tensors by array name, as POMO's vrp100_test_seed1234.pt, or one
// tensor of coordinates.
func fromTorch(path string, data []byte) ([]File, error) {
	object, err := torchfile.Read(data)
	if err != nil {
		return nil, err
	}
	if t, ok := object.(*torchfile.Tensor); ok {
		a, err := tensorArray(t)
		if err != nil {
			return nil, err
		}
		return fromArrays(path, map[string]array{"coords": a})
	}
	left := len(data)
	return fromDict(path, object, &left)
}

// fromDict reads a dict of arrays. left is how many numbers the file may still hold.
func fromDict(path string, object any, left *int) ([]File, error) {
	arrays := map[string]array{}
	for name, v := range torchfile.Items(object) {
		if !slices.Contains(instanceArrays, canonical(name)) {
			continue
		}
		var a array
		var err error
		switch v := v.(type) {
		case *torchfile.Tensor:
			a, err = tensorArray(v)
		case *types.List, *types.Tuple:
			if a, err = nested(v, left); len(a.Shape) == 3 || name == "depot" {
				a.Type = floatArray
			}
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		arrays[name] = a
	}
	return fromArrays(path, arrays)
}

// tensorArray returns a tensor of numbers as an array, and one of another type as an otherArray.
func tensorArray(t *torchfile.Tensor) (array, error) {
	a := array{Shape: t.Shape()}
	d, err := t.Dense()
	if err != nil {
		return a, err
	}
	switch d.Dtype() {
	case tensor.Float32:
		a.Type = floatArray
		a.Values = widened[float32](d)
	case tensor.Float64:
		a.Type = floatArray
		a.Values = widened[float64](d)
	case tensor.Int32:
		a.Type = intArray
		a.Values = widened[int32](d)
	case tensor.Int64:
		a.Type = intArray
		a.Values = widened[int64](d)
	}
	return a, nil
}

func widened[T float32 | float64 | int32 | int64](t *tensor.Dense) []float64 {
	values := dense.Must[T]("array", t, t.Shape()...)
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return wide
}

// sequence returns the elements of a list or tuple.
func sequence(v any) ([]any, bool) {
	switch v := v.(type) {
	case *types.List:
		return *v, true
	case *types.Tuple:
		return *v, true
	}
	return nil, false
}

// nested flattens lists of lists of numbers, which must have one length at each level. It subtracts how many numbers
// there are from left.
func nested(v any, left *int) (array, error) {
	a := array{Type: intArray, Shape: []int{}}
	count := 1
	for first := v; ; {
		items, ok := sequence(first)
		if !ok {
			break
		}
		if len(items) == 0 {
			return a, errors.New("an empty list")
		}
		if len(a.Shape) == 3 {
			return a, errors.New("lists nested more than three deep, want [instances, nodes, 2]")
		}
		if len(items) > *left/count {
			return a, errors.New("the lists hold more numbers than the file has bytes")
		}
		a.Shape = append(a.Shape, len(items))
		count *= len(items)
		first = items[0]
	}
	*left -= count
	a.Values = make([]float64, 0, count)
	err := flatten(&a, v, 0)
	return a, err
}

func flatten(a *array, v any, depth int) error {
	if depth < len(a.Shape) {
		items, ok := sequence(v)
		if !ok {
			return fmt.Errorf("%s in place of a list, after %d numbers", kind(v), len(a.Values))
		}
		if len(items) != a.Shape[depth] {
			return fmt.Errorf("lists of different lengths, the first ones are %v", a.Shape)
		}
		for _, item := range items {
			if err := flatten(a, item, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	switch v := v.(type) {
	case int:
		a.Values = append(a.Values, float64(v))
	case float64:
		a.Type = floatArray
		a.Values = append(a.Values, v)
	default:
		return fmt.Errorf("element %d is %s, want a number", len(a.Values), kind(v))
	}
	return nil
}

// kind says in Python's terms what a value of a pickle is.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "None"
	case *types.List:
		return "a list"
	case *types.Tuple:
		return "a tuple"
	case *types.Dict, *types.OrderedDict:
		return "a dict"
	case string:
		return "a text"
	case bool:
		return "a truth value"
	case int, float64:
		return "a number"
	}
	return "an object of another type"
}
