package rollout

import (
	"fmt"
	"math"
	"slices"

	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/internal/safetensors"
)

// arrays are the tensors of the plain layout in the types that a shard has.
type arrays struct {
	shape  map[string][]int
	floats map[string][]float32
	ints   map[string][]int32
}

// newArrays converts the tensors and checks the numbers of their dimensions.
func newArrays(tensors []safetensors.Tensor) (arrays, error) {
	a := arrays{map[string][]int{}, map[string][]float32{}, map[string][]int32{}}
	dims := map[string]int{"coords": 3, "actions": 2, "probs": 3, "instance_of": 1, "demand": 2, "capacity": 1}
	for _, t := range tensors {
		want, known := dims[t.Name]
		if !known {
			return a, fmt.Errorf("unknown tensor %s", t.Name)
		}
		shape := t.Shape()
		if len(shape) != want || slices.Contains(shape, 0) {
			return a, fmt.Errorf("tensor %s has shape %v, want %d dimensions, none of them empty",
				t.Name, []int(shape), want)
		}
		a.shape[t.Name] = shape
		var err error
		if t.Name == "coords" || t.Name == "probs" {
			a.floats[t.Name], err = reals(t)
		} else {
			a.ints[t.Name], err = whole(t)
		}
		if err != nil {
			return a, fmt.Errorf("tensor %s: %w", t.Name, err)
		}
	}
	for _, name := range []string{"coords", "actions", "probs"} {
		if a.shape[name] == nil {
			return a, fmt.Errorf("tensor %s is missing", name)
		}
	}
	if s := a.shape["coords"]; s[2] != 2 {
		return a, fmt.Errorf("tensor coords has shape %v, want [instances, nodes, 2]", s)
	}
	R, T := a.shape["actions"][0], a.shape["actions"][1]
	if s := a.shape["probs"]; s[0] != R || s[1] != T {
		return a, fmt.Errorf("tensor probs has shape %v, but actions %v", s, a.shape["actions"])
	}
	if s := a.shape["instance_of"]; s != nil && s[0] != R {
		return a, fmt.Errorf("tensor instance_of has shape %v, want [%d]", s, R)
	}
	return a, nil
}

// instances returns the validated instances of a problem, or of the one that the tensors suggest.
func (a arrays) instances(problem string) ([]routing.Instance, error) {
	I, n := a.shape["coords"][0], a.shape["coords"][1]
	load := a.ints["demand"] != nil || a.ints["capacity"] != nil
	name := routing.Problem(problem)
	if name == "" {
		name = suggested(load)
	}
	p, err := problems.Of(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("metadata %w", err)
	case load && !p.Traits().Load:
		return nil, fmt.Errorf("tensors demand and capacity are for %s, the metadata says %s", suggested(true), name)
	}
	load = p.Traits().Load
	if load && !slices.Equal(a.shape["demand"], []int{I, n}) {
		return nil, fmt.Errorf("tensor demand has shape %v, want [%d %d]", a.shape["demand"], I, n)
	}
	if load && !slices.Equal(a.shape["capacity"], []int{I}) {
		return nil, fmt.Errorf("tensor capacity has shape %v, want [%d]", a.shape["capacity"], I)
	}
	insts := make([]routing.Instance, I)
	for i := range insts {
		insts[i] = routing.Instance{Name: fmt.Sprint(i), Problem: name, Coords: a.floats["coords"][2*n*i : 2*n*(i+1)]}
		if load {
			insts[i].Demand, insts[i].Capacity = a.ints["demand"][n*i:n*(i+1)], a.ints["capacity"][i]
		}
		if err := problems.Validate(&insts[i]); err != nil {
			return nil, err
		}
	}
	return insts, nil
}

// suggested returns the first problem whose instances have a load, or have none.
func suggested(load bool) routing.Problem {
	for _, p := range problems.All() {
		if p.Traits().Load == load {
			return p.Name()
		}
	}
	return ""
}

func reals(t safetensors.Tensor) ([]float32, error) {
	switch t.DType() {
	case safetensors.F32:
		return safetensors.Values[float32](t)
	case safetensors.F64:
		wide, err := safetensors.Values[float64](t)
		out := make([]float32, len(wide))
		for i, v := range wide {
			out[i] = float32(v)
		}
		return out, err
	}
	return nil, fmt.Errorf("type %s, want F32 or F64", t.DType())
}

func whole(t safetensors.Tensor) ([]int32, error) {
	switch t.DType() {
	case safetensors.I32:
		return safetensors.Values[int32](t)
	case safetensors.I64:
		return toWhole[int64](t)
	case safetensors.U16:
		return toWhole[uint16](t)
	case safetensors.U8:
		return toWhole[uint8](t)
	case safetensors.F32:
		return toWhole[float32](t)
	case safetensors.F64:
		return toWhole[float64](t)
	}
	return nil, fmt.Errorf("type %s, want I32, I64, U8, U16, F32 or F64", t.DType())
}

func toWhole[T uint8 | uint16 | int64 | float32 | float64](t safetensors.Tensor) ([]int32, error) {
	values, err := safetensors.Values[T](t)
	out := make([]int32, len(values))
	for i, v := range values {
		f := float64(v)
		if f != math.Trunc(f) || math.Abs(f) > math.MaxInt32 {
			return nil, fmt.Errorf("element %d is %v, want a whole number of 32 bits", i, v)
		}
		out[i] = int32(f)
	}
	return out, err
}
