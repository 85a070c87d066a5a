package teacher

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/epb-nco/epb/internal/dense"
)

// weights hands out the parameters of a checkpoint by name and shape. The first that is missing or misshapen is kept in err, so that a
// builder can ask for all and check once.
type weights struct {
	*checkpoint
	used map[string]bool
	all  int // numbers in the checkpoint
	err  error
}

func newWeights(c *checkpoint) *weights {
	return &weights{checkpoint: c, used: map[string]bool{}, all: c.total()}
}

// checkWidth reports widths that the kernels do not take, or that are larger than the checkpoint can have weights for: what is
// allocated by them is bounded by what the file holds.
func (w *weights) checkWidth(d, heads int) error {
	if d == 0 || d%16 != 0 || heads < 1 || d%heads != 0 {
		return fmt.Errorf("embedding width %d with %d heads: want a multiple of 16 and of the heads", d, heads)
	}
	if d > w.all/d {
		return fmt.Errorf("embedding width %d: the file has %d numbers, too few for its weights", d, w.all)
	}
	return nil
}

// hidden returns the hidden width of a feed-forward part, by its bias. It is 0, and an error in w.err, where the checkpoint
// cannot have the weights for it.
func (w *weights) hidden(bias string, d int) int {
	f := w.numbers(bias)
	if f <= w.all/d {
		return f
	}
	if w.err == nil {
		w.err = fmt.Errorf("tensor %s: the file has %d numbers, too few for weights of width %d", bias, w.all, f)
	}
	return 0
}

// get returns the values of a parameter, or zeros of the right shape and an error in w.err.
func (w *weights) get(name string, shape ...int) []float32 {
	w.used[name] = true
	t, ok := w.params[name]
	if ok {
		values, err := dense.Values[float32]("tensor "+name, t, shape...)
		if err == nil {
			return values
		}
		if w.err == nil {
			w.err = err
		}
	} else if w.err == nil {
		w.err = fmt.Errorf("tensor %s is missing", name)
	}
	n, _ := dense.Elements(shape)
	return make([]float32, n)
}

// transposed returns a weight of PyTorch's linear layer, stored [out,in], as [in,out].
func (w *weights) transposed(name string, out, in int) []float32 {
	return transpose(w.get(name, out, in), out, in)
}

// layers are consecutive layers l = 0, 1, … that have the parameter format % l, up to the first fault: what stands in for
// missing weights is held of one layer at most.
func (w *weights) layers(format string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for l := 0; w.err == nil; l++ {
			if _, ok := w.params[fmt.Sprintf(format, l)]; !ok || !yield(l) {
				return
			}
		}
	}
}

// finish reports the first fault, or the first parameter in the file that the architecture has no place for.
func (w *weights) finish() error {
	if w.err != nil {
		return w.err
	}
	for _, name := range slices.Sorted(maps.Keys(w.params)) {
		if !w.used[name] && !strings.HasSuffix(name, "num_batches_tracked") {
			return fmt.Errorf("tensor %s has no place in this architecture", name)
		}
	}
	return nil
}

// transpose returns the [cols,rows] transpose of a [rows,cols].
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
