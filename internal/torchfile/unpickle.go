package torchfile

import (
	"bytes"
	"errors"
	"fmt"
	"unsafe"

	"github.com/nlpodyssey/gopickle/pickle"
	"github.com/nlpodyssey/gopickle/types"
	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
)

// Limits on the length of errors about a file: the bytes of a storage's name, and the dimensions of a tensor, of which
// PyTorch has at most 64.
const (
	maxName = 80
	maxDims = 64
)

// storageClass is a torch storage type: its element size in bytes, and the function that reads tensors of it.
type storageClass struct {
	size   int
	decode func(data []byte, shape []int) *tensor.Dense
}

func storageOf[T any]() *storageClass {
	return &storageClass{int(unsafe.Sizeof(*new(T))), dense.Decode[T]}
}

// A tensor that was saved on a GPU has another storage type, such as torch.cuda.FloatStorage, but is read in the same
// way.
var floats, longs = storageOf[float32](), storageOf[int64]()

// storage is the memory of one or several tensors. data is set once the pickle has been read.
type storage struct {
	*storageClass
	key   string
	count int // elements
	data  []byte
}

// Tensor is a tensor of a file: a view of a storage, with offset, shape and strides in elements.
type Tensor struct {
	storage       *storage
	offset        int
	shape, stride []int
}

// Shape returns the tensor's shape.
func (t *Tensor) Shape() []int { return t.shape }

// Dense returns a copy of the tensor, with the Go element type that corresponds to torch's. It takes only whole,
// contiguous views, because a state dict contains no others.
func (t *Tensor) Dense() (*tensor.Dense, error) {
	count := 1
	for i := len(t.shape) - 1; i >= 0; i-- {
		if t.shape[i] != 1 && t.stride[i] != count {
			return nil, fmt.Errorf("shape %v with strides %v is not contiguous", t.shape, t.stride)
		}
		if t.shape[i] < 0 || t.shape[i] > 0 && count > t.storage.count/t.shape[i] {
			return nil, fmt.Errorf("shape %v exceeds its storage of %d elements", t.shape, t.storage.count)
		}
		count *= t.shape[i]
	}
	if t.offset < 0 || t.offset > t.storage.count-count {
		return nil, fmt.Errorf(
			"offset %d and shape %v exceed the storage of %d elements", t.offset, t.shape, t.storage.count,
		)
	}
	n, size := len(t.storage.data), t.storage.size
	if n%size != 0 || n/size != t.storage.count { // a product may overflow
		return nil, fmt.Errorf("storage %s is missing from the file", t.storage.key)
	}
	return t.storage.decode(t.storage.data[t.offset*t.storage.size:(t.offset+count)*t.storage.size], t.shape), nil
}

// globals are the only names that a file may use, with their values.
var globals = map[string]any{
	"collections.OrderedDict":         nil, // gopickle has its own
	"collections.Counter":             call(newCounter),
	"torch._utils._rebuild_tensor":    call(rebuildTensor),
	"torch._utils._rebuild_tensor_v2": call(rebuildTensor),
	"torch._utils._rebuild_parameter": call(rebuildParameter),
	"torch.FloatStorage":              floats,
	"torch.DoubleStorage":             storageOf[float64](),
	"torch.HalfStorage":               storageOf[dense.Float16](),
	"torch.BFloat16Storage":           storageOf[dense.BFloat16](),
	"torch.LongStorage":               longs,
	"torch.IntStorage":                storageOf[int32](),
	"torch.ShortStorage":              storageOf[int16](),
	"torch.CharStorage":               storageOf[int8](),
	"torch.ByteStorage":               storageOf[uint8](),
	"torch.BoolStorage":               storageOf[uint8](), // a byte other than 0 or 1 is not a Go bool
	"torch.cuda.FloatStorage":         floats,
	"torch.cuda.LongStorage":          longs,
}

// call adapts a function to gopickle.
type call func(args []any) (any, error)

func (c call) Call(args ...any) (any, error) { return c(args) }

// unpickle reads the pickle at the start of data. It returns its value, its storages by key (without data) and its
// length.
func unpickle(data []byte) (value any, storages map[string]*storage, n int, err error) {
	n, err = scanPickle(data, func(name string) bool { _, ok := globals[name]; return ok })
	if err != nil {
		return nil, nil, 0, err
	}
	value, storages, err = run(data[:n])
	return value, storages, n, err
}

// Unpickle reads a plain pickle of numbers, strings and containers, of any protocol. It returns an error if the pickle
// names a global.
func Unpickle(data []byte) (any, error) {
	n, err := scanPickle(data, func(string) bool { return false })
	if err != nil {
		return nil, err
	}
	if n != len(data) {
		return nil, fmt.Errorf("%d bytes follow the pickle", len(data)-n)
	}
	value, storages, err := run(data)
	if len(storages) > 0 {
		return nil, errors.New("a pickle with tensors: save it with torch.save")
	}
	return value, err
}

// run executes a pickle that scanPickle has accepted.
func run(data []byte) (value any, storages map[string]*storage, err error) {
	// gopickle does not check the types that it takes from the stack, so it may panic.
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("malformed pickle: %.200v", r)
		}
	}()
	storages = map[string]*storage{}
	u := pickle.NewUnpickler(bytes.NewReader(data))
	u.FindClass = func(module, name string) (any, error) {
		class, ok := globals[module+"."+name]
		if !ok {
			return nil, fmt.Errorf("the pickle names %.80s.%.80s", module, name)
		}
		return class, nil
	}
	u.PersistentLoad = func(id any) (any, error) { return findStorage(storages, id) }
	value, err = u.Load()
	if err != nil {
		return nil, nil, fmt.Errorf("malformed pickle: %.200w", err)
	}
	return value, storages, nil
}

// findStorage resolves ('storage', class, key, device, elements[, view]); a view must be None.
func findStorage(storages map[string]*storage, id any) (*storage, error) {
	t, ok := id.(*types.Tuple)
	if !ok || t.Len() < 5 || t.Len() > 6 || t.Get(0) != "storage" || t.Len() == 6 && t.Get(5) != nil {
		return nil, errors.New("a persistent id is not ('storage', class, key, device, elements)")
	}
	class, okClass := t.Get(1).(*storageClass)
	key, okKey := t.Get(2).(string)
	count, okCount := t.Get(4).(int)
	if !okClass || !okKey || !okCount || count < 0 || len(key) > maxName {
		return nil, errors.New("a persistent id has values of the wrong type")
	}
	s, ok := storages[key]
	if !ok {
		s = &storage{storageClass: class, key: key, count: count}
		storages[key] = s
	}
	if s.storageClass != class || s.count != count {
		return nil, fmt.Errorf("storage %s is described in two ways", key)
	}
	return s, nil
}

// rebuildTensor is torch._utils._rebuild_tensor(storage, offset, shape, stride, …).
func rebuildTensor(args []any) (any, error) {
	if len(args) < 4 {
		return nil, fmt.Errorf("a tensor of %d arguments, want at least 4", len(args))
	}
	s, okStorage := args[0].(*storage)
	offset, okOffset := args[1].(int)
	shape, okShape := ints(args[2])
	stride, okStride := ints(args[3])
	if !okStorage || !okOffset || !okShape || !okStride || len(shape) != len(stride) || len(shape) > maxDims {
		return nil, errors.New("a tensor with arguments of the wrong type")
	}
	return &Tensor{s, offset, shape, stride}, nil
}

// rebuildParameter is torch._utils._rebuild_parameter(tensor, requires_grad, hooks).
func rebuildParameter(args []any) (any, error) {
	if len(args) < 1 {
		return nil, errors.New("a parameter without a tensor")
	}
	t, ok := args[0].(*Tensor)
	if !ok {
		return nil, errors.New("a parameter that is no tensor")
	}
	return t, nil
}

// newCounter is collections.Counter(dict). It returns an empty dict, because EPB reads no counter.
func newCounter([]any) (any, error) { return types.NewDict(), nil }

func ints(v any) ([]int, bool) {
	t, ok := v.(*types.Tuple)
	if !ok {
		return nil, false
	}
	out := make([]int, t.Len())
	for i := range out {
		if out[i], ok = t.Get(i).(int); !ok {
			return nil, false
		}
	}
	return out, true
}

// Item returns the value of a string key of a dict, or nil.
func Item(dict any, key string) any {
	for k, v := range Items(dict) {
		if k == key {
			return v
		}
	}
	return nil
}

// Items iterates over the string keys of a Dict or OrderedDict in order; anything else has none.
func Items(dict any) func(yield func(string, any) bool) {
	return func(yield func(string, any) bool) {
		switch d := dict.(type) {
		case *types.Dict:
			for _, e := range *d {
				if k, ok := e.Key.(string); ok && !yield(k, e.Value) {
					return
				}
			}
		case *types.OrderedDict:
			for e := d.List.Front(); e != nil; e = e.Next() {
				entry := e.Value.(*types.OrderedDictEntry)
				if k, ok := entry.Key.(string); ok && !yield(k, entry.Value) {
					return
				}
			}
		}
	}
}
