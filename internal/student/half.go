package student

import (
	"sync"

	"github.com/x448/float16"

	"github.com/epb-nco/epb/internal/dense"
)

// A model with Config.HalfFeatures is trained and measured on features of half precision (IEEE 754 binary16): 11
// significant bits, so that a value is off by at most a 2,000th. They take half the room.

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
