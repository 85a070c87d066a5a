package teacher

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/nlpodyssey/gopickle/types"
	"github.com/x448/float16"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/torchfile"
)

// checkpoint holds the contents of a file: parameters by name, and numbers that its writer added about the model
// (POMO's model_params), NaN for what is no number. Floats are float32, whatever type the file has. Other parameters,
// such as counters, keep their types.
type checkpoint struct {
	params  map[string]*tensor.Dense
	options map[string]float64
}

// parse recognises the form of a checkpoint by its first bytes and reads it.
func parse(data []byte) (*checkpoint, error) {
	switch {
	case torchfile.Sniff(data):
		object, err := torchfile.Read(data)
		if err != nil {
			return nil, err
		}
		return fromTorch(object, maxSharing*len(data))
	case safetensors.Sniff(data):
		return fromSafetensors(data)
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}): // zstd
		return nil, errRollouts // no checkpoint is compressed
	case len(data) < len(torchfile.StreamMagic):
		return nil, fmt.Errorf("%d bytes are no checkpoint", len(data))
	case data[0] == 0x80:
		if _, err := torchfile.Unpickle(data); err != nil {
			return nil, fmt.Errorf("a plain pickle is no checkpoint: %w", err)
		}
	}
	return nil, errors.New("neither a PyTorch checkpoint nor safetensors")
}

// maxSharing limits how often tensors may share their storage. Honest files share a few, but a small file could use one
// storage a million times.
const maxSharing = 4

// fromTorch finds the state dict in the object of a PyTorch file: under model, model_state_dict or state_dict, or the
// object itself. Its tensors may have at most limit bytes together.
func fromTorch(object any, limit int) (*checkpoint, error) {
	state := object
	for _, key := range []string{"model", "model_state_dict", "state_dict"} {
		switch v := torchfile.Item(object, key).(type) {
		case *types.Dict, *types.OrderedDict:
			state = v
		}
	}
	c := &checkpoint{params: map[string]*tensor.Dense{}, options: map[string]float64{}}
	for name, v := range torchfile.Items(state) {
		t, ok := v.(*torchfile.Tensor)
		if !ok {
			continue
		}
		if len(name) > safetensors.MaxName {
			return nil, fmt.Errorf(
				"tensor %.80s…: a name of %d bytes, want %d at most", name, len(name), safetensors.MaxName,
			)
		}
		d, err := t.Dense()
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		if limit -= len(d.Raw); limit < 0 {
			return nil, fmt.Errorf(
				"tensor %s: the tensors have more than %d times the bytes of the file", name, maxSharing,
			)
		}
		if c.params[name], err = toFloat32(d); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
	}
	for name, v := range torchfile.Items(torchfile.Item(object, "model_params")) {
		switch v := v.(type) {
		case int:
			c.options[name] = float64(v)
		case float64:
			c.options[name] = v
		default:
			c.options[name] = math.NaN() // refused where it is asked for
		}
	}
	return c, nil
}

func fromSafetensors(data []byte) (*checkpoint, error) {
	tensors, meta, err := safetensors.Decode(data)
	if err != nil {
		return nil, err
	}
	c := &checkpoint{params: map[string]*tensor.Dense{}, options: map[string]float64{}}
	for _, t := range tensors {
		if c.params[t.Name], err = toFloat32(t.Dense); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
		}
	}
	for name, text := range meta {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			v = math.NaN() // refused where it is asked for
		}
		c.options[name] = v
	}
	return c, nil
}

// toFloat32 returns a tensor of floats as float32, and any other tensor unchanged. It returns an error if a value is
// not finite.
func toFloat32(t *tensor.Dense) (*tensor.Dense, error) {
	switch t.Dtype().Type {
	case reflect.TypeFor[float64]():
		t = convert(t, func(v float64) float32 { return float32(v) })
	case reflect.TypeFor[dense.Float16]():
		t = convert(t, func(v dense.Float16) float32 { return float16.Float16(v).Float32() })
	case reflect.TypeFor[dense.BFloat16]():
		t = convert(t, func(v dense.BFloat16) float32 { return math.Float32frombits(uint32(v) << 16) })
	}
	if t.Dtype() == tensor.Float32 {
		for i, v := range dense.Must[float32]("parameter", t, t.Shape()...) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, fmt.Errorf("element %d is %v", i, v)
			}
		}
	}
	return t, nil
}

func convert[T any](t *tensor.Dense, to func(T) float32) *tensor.Dense {
	from := dense.Must[T]("parameter", t, t.Shape()...)
	values := make([]float32, len(from))
	for i, v := range from {
		values[i] = to(v)
	}
	return dense.Of(values, t.Shape()...)
}

// option returns a number that the checkpoint's writer added, or its usual value.
func (c *checkpoint) option(name string, usual float64) (float64, error) {
	v, ok := c.options[name]
	switch {
	case !ok:
		return usual, nil
	case !(v > 0 && v <= mostOption):
		return 0, fmt.Errorf("%s is %v, want a number above 0, up to %d", name, v, mostOption)
	}
	return v, nil
}

// mostOption bounds heads and clipping, which are 8 and 10 in POMO.
const mostOption = 1024

// numbers returns how many float32 numbers a parameter has. It is 0 if the parameter is missing or has another type.
func (c *checkpoint) numbers(name string) int {
	if t, ok := c.params[name]; ok && t.Dtype() == tensor.Float32 {
		return len(t.Raw) / 4
	}
	return 0
}

// shape returns the shape of a parameter, or nil if it is missing.
func (c *checkpoint) shape(name string) []int {
	if t, ok := c.params[name]; ok {
		return t.Shape()
	}
	return nil
}

// total returns how many float32 numbers all parameters have.
func (c *checkpoint) total() int {
	n := 0
	for name := range c.params {
		n += c.numbers(name)
	}
	return n
}
