package dense

import (
	"slices"
	"strings"
	"testing"

	"gorgonia.org/tensor"
)

func TestValuesShareMemory(t *testing.T) {
	x := []float32{1, 2, 3, 4, 5, 6}
	d := Of(x, 2, 3)
	values, err := Values[float32]("x", d, 2, Any)
	if err != nil {
		t.Fatal(err)
	}
	values[5] = 7
	if x[5] != 7 || !slices.Equal(d.Shape(), []int{2, 3}) {
		t.Errorf("x is %v, the shape %v: want the memory of x as [2 3]", x, d.Shape())
	}
	if v := Vector([]uint16{4, 5}); !slices.Equal(v.Shape(), []int{2}) {
		t.Errorf("a vector of 2 has shape %v", v.Shape())
	}
}

func TestOpen(t *testing.T) {
	x := []int32{1, 2, 3, 4}
	if got := Open[int32](Of(x, 2, 2)); !slices.Equal(got, x) || &got[0] != &x[0] {
		t.Errorf("%v, want the memory of %v", got, x)
	}
	if got := Open[int32](nil); len(got) != 0 {
		t.Errorf("a tensor that is missing has elements %v", got)
	}
}

// TestShapesOfGorgonia: tensors of the shapes on which Dense.Data panics or returns a number work like all others.
func TestShapesOfGorgonia(t *testing.T) {
	for _, shape := range [][]int{nil, {0}, {0, 4}, {4, 0}, {1}, {1, 1}, {2, 1, 3}} {
		n, _ := Elements(shape)
		x := make([]int64, n)
		got, err := Values[int64]("x", Of(x, shape...), shape...)
		if err != nil || len(got) != n {
			t.Errorf("shape %v: %d values (%v), want %d", shape, len(got), err, n)
		}
	}
}

func TestCheck(t *testing.T) {
	matrix := func() *tensor.Dense { return Of(make([]float32, 6), 2, 3) }
	transposed := matrix()
	if err := transposed.T(); err != nil {
		t.Fatal(err)
	}
	row, err := matrix().Slice(tensor.S(1))
	if err != nil {
		t.Fatal(err)
	}
	masked := tensor.New(tensor.WithShape(2), tensor.WithBacking([]float32{1, 2}, []bool{true, false}))
	for _, c := range []struct {
		d     *tensor.Dense
		shape []int
		want  string
	}{
		{nil, []int{2, Any}, "x is missing, want float32 [2 any]"},
		{matrix(), []int{3, 2}, "x has shape [2 3], want [3 2]"},
		{matrix(), []int{6}, "x has shape [2 3], want [6]"},
		{matrix(), nil, "x has shape [2 3], want []"},
		{Of([]float64{1}, 1), []int{1}, "x has type float64, want float32"},
		{transposed, []int{3, 2}, "x is a view"},
		{row.(*tensor.Dense), []int{3}, "x is a view"},
		{masked, []int{2}, "x is a view"},
	} {
		if err := Check[float32]("x", c.d, c.shape...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("error %v, want one that begins with %q", err, c.want)
		}
	}
	if err := Check[float32]("x", matrix(), Any, 3); err != nil {
		t.Error(err)
	}
}

func TestPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"Of":                        func() { Of([]float32{1, 2}, 3) },
		"Must":                      func() { Must[float32]("x", Vector([]int32{1}), 1) },
		"Open":                      func() { Open[float32](Vector([]int32{1})) },
		"Decode of too few bytes":   func() { Decode[int32](make([]byte, 4), []int{2}) },
		"Decode of half an element": func() { Decode[int32](make([]byte, 6), []int{1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s took a wrong shape or type", name)
				}
			}()
			f()
		}()
	}
}

func TestElements(t *testing.T) {
	for _, c := range []struct {
		shape []int
		n     int
		ok    bool
	}{{nil, 1, true}, {[]int{2, 3}, 6, true}, {[]int{5, 0}, 0, true}, {[]int{-1}, 0, false}, {
		[]int{1 << 40, 1 << 40}, 0, false,
	}} {
		if n, ok := Elements(c.shape); n != c.n || ok != c.ok {
			t.Errorf("%v: %d %v, want %d %v", c.shape, n, ok, c.n, c.ok)
		}
	}
}

func TestDecode(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	d := Decode[int32](data, []int{2, 1})
	if got := Must[int32]("x", d, 2, 1); !slices.Equal(got, []int32{0x04030201, 0x08070605}) {
		t.Errorf("%x", got)
	}
	if !slices.Equal(Bytes(d), data) {
		t.Errorf("the bytes are %v, want %v", Bytes(d), data)
	}
	data[0] = 9
	if Bytes(d)[0] != 1 {
		t.Error("the tensor shares the memory of the bytes that it was read from")
	}
	if got := Must[Float16]("x", Decode[Float16](data[:2], nil)); got[0] != 0x0209 {
		t.Errorf("%x", got)
	}
	swapped := slices.Clone(data)
	if swap(swapped, 4); !slices.Equal(swapped, []byte{4, 3, 2, 9, 8, 7, 6, 5}) {
		t.Errorf("swapped: %v", swapped)
	}
}

func BenchmarkOpen(b *testing.B) {
	d := Of(make([]float32, 100), 10, 10)
	b.ReportAllocs()
	for b.Loop() {
		if len(Open[float32](d)) != 100 {
			b.Fatal("not 100")
		}
	}
}

func BenchmarkValues(b *testing.B) {
	d := Of(make([]float32, 100), 10, 10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Values[float32]("x", d, 10, Any); err != nil {
			b.Fatal(err)
		}
	}
}
