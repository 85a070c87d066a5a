package instances

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npy"
)

// maxMember bounds the unpacked size of one array of an npz file, in bytes, and maxArchive that of all arrays. A small
// file can unpack to a thousand times its size, and name the same bytes many times.
const (
	maxMember  = 1 << 30
	maxArchive = 2 << 30
)

// maxDims is how many dimensions NumPy gives an array at most.
const maxDims = 64

// arrayType is the type of an array's elements.
type arrayType int

// The types of arrays. An otherArray has a shape; its values are not read.
const (
	otherArray arrayType = iota
	floatArray
	intArray
)

// array is an n-dimensional array of a file, row-major. float64 holds every float32, and every integer up to 2^53.
type array struct {
	Type   arrayType
	Shape  []int
	Values []float64
}

// shaped returns the array if it is there and has the given shape; a column [B,1] counts as [B].
func (a array) shaped(name string, shape ...int) (array, error) {
	if a.Shape == nil {
		return a, fmt.Errorf("array %s is missing", name)
	}
	got := a.Shape
	if len(shape) == 1 && len(got) == 2 && got[1] == 1 {
		got = got[:1]
	}
	if !slices.Equal(got, shape) {
		return a, fmt.Errorf("array %s: shape %v, want %v", name, a.Shape, shape)
	}
	return a, nil
}

func (a array) float32s() []float32 {
	out := make([]float32, len(a.Values))
	for i, v := range a.Values {
		out[i] = float32(v)
	}
	return out
}

// int32s returns the values, which must be whole numbers.
func (a array) int32s(name string) ([]int32, error) {
	if a.Type == otherArray {
		return nil, fmt.Errorf("array %s: want numbers", name)
	}
	out := make([]int32, len(a.Values))
	for i, v := range a.Values {
		if out[i] = int32(v); math.Abs(v) > math.MaxInt32 || float64(out[i]) != v {
			return nil, fmt.Errorf("array %s: element %d is %v, want a whole number: "+
				"demands and capacities count units", name, i, v)
		}
	}
	return out, nil
}

// readArrays reads the arrays of an npz archive by their names. Of an array that no set of instances has it reads
// nothing: it is an otherArray.
func readArrays(z *zip.Reader) (map[string]array, error) {
	left := uint64(maxArchive)
	for _, f := range z.File {
		if f.UncompressedSize64 > left {
			return nil, fmt.Errorf("its arrays have more than %d bytes together", maxArchive)
		}
		left -= f.UncompressedSize64
	}
	arrays := map[string]array{}
	for _, f := range z.File {
		key := strings.TrimSuffix(f.Name, ".npy")
		if _, ok := arrays[key]; ok {
			return nil, fmt.Errorf("array %.80s is there twice", key)
		}
		if !slices.Contains(instanceArrays, canonical(key)) {
			arrays[key] = array{}
			continue
		}
		a, err := readMember(f)
		if err != nil {
			return nil, fmt.Errorf("array %.80s: %w", key, err)
		}
		arrays[key] = a
	}
	return arrays, nil
}

func readMember(f *zip.File) (array, error) {
	if f.UncompressedSize64 > maxMember {
		return array{}, fmt.Errorf("%d bytes, want at most %d", f.UncompressedSize64, maxMember)
	}
	rc, err := f.Open()
	if err != nil {
		return array{}, err
	}
	defer rc.Close()
	data, err := io.ReadAll(io.LimitReader(rc, maxMember))
	if err != nil {
		return array{}, fmt.Errorf("truncated or damaged: %w", err)
	}
	return readNPY(data)
}

// readNPY reads one array in NumPy's npy format.
func readNPY(data []byte) (a array, err error) {
	// Package npy indexes into a header that it has not checked, and may panic.
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("malformed header")
		}
	}()
	// Package npy allocates the header of format 2 before it reads it.
	if len(data) < 12 || data[6] == 2 && uint64(binary.LittleEndian.Uint32(data[8:])) > uint64(len(data)) {
		return a, errors.New("malformed header")
	}
	body := bytes.NewReader(data)
	r, err := npy.NewReader(body)
	if err != nil {
		return a, fmt.Errorf("%.200w", err)
	}
	a.Shape = append(make([]int, 0, 4), r.Header.Descr.Shape...) // not nil for a scalar
	if len(a.Shape) > maxDims {
		return array{}, fmt.Errorf("%d dimensions, want %d at most", len(a.Shape), maxDims)
	}
	decode, width, ok := elementOf(r.Header.Descr.Type)
	if !ok {
		return a, nil
	}
	if r.Header.Descr.Fortran {
		return a, errors.New("stored in Fortran order, want C order")
	}
	count := 1
	for _, d := range a.Shape {
		if d < 0 || d > 0 && count > maxMember/d {
			return a, fmt.Errorf("impossible shape %v", a.Shape)
		}
		count *= d
	}
	if count > maxMember/8 { // each becomes a float64
		return a, fmt.Errorf("%d values, want at most %d", count, maxMember/8)
	}
	if body.Len() != count*width {
		return a, fmt.Errorf("%d bytes of values for shape %v, want %d", body.Len(), a.Shape, count*width)
	}
	a.Type = intArray
	if r.Header.Descr.Type[1] == 'f' {
		a.Type = floatArray
	}
	raw := data[len(data)-body.Len():]
	a.Values = make([]float64, count)
	for i := range a.Values {
		a.Values[i] = decode(raw[i*width:])
	}
	return a, nil
}

// elementOf returns how to decode a NumPy type and its size in bytes.
func elementOf(dtype string) (decode func([]byte) float64, width int, ok bool) {
	le := binary.LittleEndian
	switch dtype {
	case "<f4":
		return func(b []byte) float64 { return float64(math.Float32frombits(le.Uint32(b))) }, 4, true
	case "<f8":
		return func(b []byte) float64 { return math.Float64frombits(le.Uint64(b)) }, 8, true
	case "<i4":
		return func(b []byte) float64 { return float64(int32(le.Uint32(b))) }, 4, true
	case "<i8":
		return func(b []byte) float64 { return float64(int64(le.Uint64(b))) }, 8, true
	case "<i2":
		return func(b []byte) float64 { return float64(int16(le.Uint16(b))) }, 2, true
	case "|u1":
		return func(b []byte) float64 { return float64(b[0]) }, 1, true
	}
	return nil, 0, false
}
