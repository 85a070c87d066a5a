package teacher

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
)

// reader returns the parameters of a checkpoint by name and shape. It keeps the first error, of a missing parameter or
// a wrong shape, in err. So a builder reads all parameters and checks for errors once.
type reader struct {
	*checkpoint
	used map[string]bool
	all  int // numbers in the checkpoint
	err  error
}

func newReader(c *checkpoint) *reader {
	return &reader{checkpoint: c, used: map[string]bool{}, all: c.total()}
}

// width returns how many numbers a bias has. If there are none, it sets r.err.
func (r *reader) width(bias string) int {
	n := r.numbers(bias)
	if n > 0 || r.err != nil {
		return n
	}
	switch t, ok := r.params[bias]; {
	case !ok:
		r.err = fmt.Errorf("tensor %s is missing", bias)
	case t.Dtype() != tensor.Float32:
		r.err = fmt.Errorf("tensor %s has type %v, want float32", bias, t.Dtype())
	default:
		r.err = fmt.Errorf("tensor %s is empty", bias)
	}
	return 0
}

// checkWidth returns an error if there is one already, if the kernels do not take the widths, or if the checkpoint has
// too few numbers for weights of these widths. This limits allocations by the size of the file.
func (r *reader) checkWidth(d, heads int) error {
	if r.err != nil {
		return r.err
	}
	if d%16 != 0 || heads < 1 || d%heads != 0 {
		return fmt.Errorf("embedding width %d with %d heads: want a multiple of 16 and of the heads", d, heads)
	}
	if d > r.all/d {
		return fmt.Errorf("embedding width %d: the file has %d numbers, too few for its weights", d, r.all)
	}
	return nil
}

// hidden returns the hidden width of a feed-forward part, from the length of its bias. If there is no such bias, or the
// checkpoint is too small for its weights, hidden returns 0 and sets r.err.
func (r *reader) hidden(bias string, d int) int {
	f := r.width(bias)
	if f <= r.all/d {
		return f
	}
	if r.err == nil {
		r.err = fmt.Errorf("tensor %s: the file has %d numbers, too few for weights of width %d", bias, r.all, f)
	}
	return 0
}

// get returns the values of a parameter. On an error it returns zeros of the right shape and sets r.err.
func (r *reader) get(name string, shape ...int) []float32 {
	r.used[name] = true
	t, ok := r.params[name]
	if ok {
		values, err := dense.Values[float32]("tensor "+name, t, shape...)
		if err == nil {
			return values
		}
		if r.err == nil {
			r.err = err
		}
	} else if r.err == nil {
		r.err = fmt.Errorf("tensor %s is missing", name)
	}
	n, _ := dense.Elements(shape)
	return make([]float32, n)
}

// transposed returns a weight of PyTorch's linear layer, stored [out,in], as [in,out].
func (r *reader) transposed(name string, out, in int) []float32 {
	return transpose(r.get(name, out, in), out, in)
}

// linear returns a weight of PyTorch's linear layer as [in,out].
func (r *reader) linear(name string, out, in int) *tensor.Dense {
	return dense.Of(r.transposed(name, out, in), in, out)
}

// vector returns a parameter of one dimension.
func (r *reader) vector(name string, n int) *tensor.Dense { return dense.Vector(r.get(name, n)) }

// layers yields l = 0, 1, … while the checkpoint has the parameter format % l, which it must have for l = 0. It stops
// at the first error, so that zeros are allocated in place of the missing weights of one layer at most.
func (r *reader) layers(format string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for l := 0; r.err == nil; l++ {
			name := fmt.Sprintf(format, l)
			_, ok := r.params[name]
			if !ok && l == 0 {
				r.err = fmt.Errorf("tensor %s is missing", name)
			}
			if !ok || !yield(l) {
				return
			}
		}
	}
}

// finish returns the first error, or one that names the first parameter in the file that the architecture does not use.
func (r *reader) finish() error {
	if r.err != nil {
		return r.err
	}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		if !r.used[name] && !strings.HasSuffix(name, "num_batches_tracked") {
			return fmt.Errorf("tensor %s has no place in this architecture", name)
		}
	}
	return nil
}

// transpose returns the [cols,rows] transpose of a, which is [rows,cols].
func transpose(a []float32, rows, cols int) []float32 {
	out := make([]float32, len(a))
	for i := range rows {
		for j := range cols {
			out[j*rows+i] = a[i*cols+j]
		}
	}
	return out
}

// place copies src [rows,cols] into the columns of dst [rows,width] that begin at column at.
func place(dst, src []float32, rows, cols, width, at int) {
	for i := range rows {
		copy(dst[i*width+at:i*width+at+cols], src[i*cols:(i+1)*cols])
	}
}
