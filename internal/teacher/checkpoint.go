package teacher

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/nlpodyssey/gopickle/types"

	"github.com/epb-nco/epb/internal/safetensors"
	"github.com/epb-nco/epb/internal/torchfile"
)

// param is one named parameter, row-major.
type param struct {
	shape  []int
	values []float32
}

// checkpoint is what a file holds: parameters, and numbers that its writer noted about the model (POMO's model_params).
type checkpoint struct {
	params  map[string]param
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
	case len(data) < len(torchfile.StreamMagic):
		return nil, fmt.Errorf("%d bytes are no checkpoint", len(data))
	case data[0] == 0x80:
		if _, err := torchfile.Unpickle(data); err != nil {
			return nil, fmt.Errorf("a plain pickle is no checkpoint: %w", err)
		}
	}
	return nil, errors.New("neither a PyTorch checkpoint nor safetensors")
}

// maxSharing bounds how often tensors may share their storage: a few do in honest files, but a small file could name one
// storage a million times.
const maxSharing = 4

// fromTorch finds the state dict in the object of a PyTorch file: under model, model_state_dict or state_dict, or the
// object itself. Its tensors may have limit bytes together.
func fromTorch(object any, limit int) (*checkpoint, error) {
	state := object
	for _, key := range []string{"model", "model_state_dict", "state_dict"} {
		switch v := torchfile.Item(object, key).(type) {
		case *types.Dict, *types.OrderedDict:
			state = v
		}
	}
	c := &checkpoint{params: map[string]param{}, options: map[string]float64{}}
	for name, v := range torchfile.Items(state) {
		t, ok := v.(*torchfile.Tensor)
		if !ok {
			continue
		}
		if len(name) > safetensors.MaxName {
			return nil, fmt.Errorf("tensor %.80s…: a name of %d bytes, want %d at most", name, len(name), safetensors.MaxName)
		}
		data, err := t.Bytes()
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		if limit -= len(data); limit < 0 {
			return nil, fmt.Errorf("tensor %s: the tensors have more than %d times the bytes of the file", name, maxSharing)
		}
		p, err := newParam(t.DType(), t.Shape(), data)
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		c.params[name] = p
	}
	for name, v := range torchfile.Items(torchfile.Item(object, "model_params")) {
		switch v := v.(type) {
		case int:
			c.options[name] = float64(v)
		case float64:
			c.options[name] = v
		}
	}
	return c, nil
}

func fromSafetensors(data []byte) (*checkpoint, error) {
	tensors, meta, err := safetensors.Decode(data)
	if err != nil {
		return nil, err
	}
	c := &checkpoint{params: map[string]param{}, options: map[string]float64{}}
	for _, t := range tensors {
		p, err := newParam(string(t.DType), t.Shape, t.Data)
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
		}
		c.params[t.Name] = p
	}
	for name, text := range meta {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			c.options[name] = v
		}
	}
	return c, nil
}

// newParam converts floats to float32. Other types (counters such as num_batches_tracked) keep their shape alone.
func newParam(dtype string, shape []int, data []byte) (param, error) {
	p := param{shape: shape}
	var err error
	switch dtype {
	case "float32", "F32":
		p.values, err = safetensors.Values[float32](safetensors.Tensor{DType: safetensors.F32, Data: data})
	case "float64", "F64":
		var wide []float64
		wide, err = safetensors.Values[float64](safetensors.Tensor{DType: safetensors.F64, Data: data})
		p.values = make([]float32, len(wide))
		for i, v := range wide {
			p.values[i] = float32(v)
		}
	}
	if i := slices.IndexFunc(p.values, func(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }); i >= 0 {
		return param{}, fmt.Errorf("element %d is %v", i, p.values[i])
	}
	return p, err
}
