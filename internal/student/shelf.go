package student

import (
	"sync"

	"github.com/x448/float16"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/scratch"
)

// shelf is where a memo keeps numbers: in memory or in a file, in full or in half precision. The buffer is that of the
// goroutine that calls.
type shelf interface {
	// get returns the numbers from:to, which may lie in the buffer.
	get(from, to int64, buffer *measured) ([]float32, error)
	// put copies what is in the buffer to the numbers from at on: with half precision, what round left there.
	put(at int64, buffer *measured) error
	// expect says that the numbers from:to are read soon.
	expect(from, to int64)
	close()
}

// measured is where one goroutine has the features of a span.
type measured struct {
	full []float32
	half []uint16 // the same as bits of half precision, after round
}

// numberBytes returns how many bytes a number takes on a shelf.
func (c Config) numberBytes() int64 {
	if c.HalfFeatures {
		return 2
	}
	return 4
}

// newShelf returns a shelf of n numbers in memory.
func (c Config) newShelf(n int64) shelf {
	if c.HalfFeatures {
		return &halfShelf{numbers[uint16]{x: make([]uint16, n)}}
	}
	return &fullShelf{numbers[float32]{x: make([]float32, n)}}
}

// newFileShelf returns a shelf of n numbers in a file of a folder.
func (c Config) newFileShelf(n int64, dir string) (shelf, error) {
	if c.HalfFeatures {
		file, err := scratch.New[uint16](dir, n)
		return &halfShelf{numbers[uint16]{file: file}}, err
	}
	file, err := scratch.New[float32](dir, n)
	return &fullShelf{numbers[float32]{file: file}}, err
}

type fullShelf struct{ numbers[float32] }

func (s *fullShelf) get(from, to int64, buffer *measured) ([]float32, error) {
	return s.read(from, to, &buffer.full)
}

func (s *fullShelf) put(at int64, buffer *measured) error { return s.write(buffer.full, at) }

type halfShelf struct{ numbers[uint16] }

func (s *halfShelf) get(from, to int64, buffer *measured) ([]float32, error) {
	x, err := s.read(from, to, &buffer.half)
	if err != nil {
		return nil, err
	}
	buffer.full = dense.Sized(buffer.full, len(x))
	widen(buffer.full, x)
	return buffer.full, nil
}

func (s *halfShelf) put(at int64, buffer *measured) error { return s.write(buffer.half, at) }

// numbers are those of a shelf, as they are kept.
type numbers[T scratch.Number] struct {
	x    []T
	file *scratch.Array[T] // in place of x; or nil
}

// read returns the numbers from:to, in the buffer if they lie in a file.
func (n *numbers[T]) read(from, to int64, buffer *[]T) ([]T, error) {
	if n.file == nil {
		return n.x[from:to], nil
	}
	*buffer = dense.Sized(*buffer, int(to-from))
	return *buffer, n.file.Read(*buffer, from)
}

func (n *numbers[T]) write(x []T, at int64) error {
	if n.file != nil {
		return n.file.Write(x, at)
	}
	copy(n.x[at:], x)
	return nil
}

func (n *numbers[T]) expect(from, to int64) {
	if n.file != nil {
		n.file.Expect(from, to)
	}
}

func (n *numbers[T]) close() {
	if n.file != nil {
		n.file.Close()
	}
}

// A model with Config.HalfFeatures is trained and measured on features of half precision (IEEE 754 binary16): 11
// significant bits, so that a value is off by at most a 2,000th.

// mostHalf is the largest number of half precision.
const mostHalf = 65504

// halve stores the numbers of x, rounded to half precision, in h. What is larger becomes the largest there is.
func halve(h []uint16, x []float32) {
	for i, v := range x {
		h[i] = float16.Fromfloat32(min(max(v, -mostHalf), mostHalf)).Bits()
	}
}

// widen stores the numbers of h in x.
func widen(x []float32, h []uint16) {
	table := widened()
	for i, v := range h {
		x[i] = table[v]
	}
}

// widened lists all numbers of half precision by their bits.
var widened = sync.OnceValue(func() *[1 << 16]float32 {
	var table [1 << 16]float32
	for i := range table {
		table[i] = float16.Frombits(uint16(i)).Float32()
	}
	return &table
})

// round rounds the features in the buffer to half precision.
func (b *measured) round() {
	b.half = dense.Sized(b.half, len(b.full))
	halve(b.half, b.full)
	widen(b.full, b.half)
}
