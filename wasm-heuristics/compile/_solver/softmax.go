//go:build tinygo

package solver

import "math"

// lanes is how many partial sums a row has, as in tensorops/simd.h.
const lanes = 16

// softmax stores the softmax of scale·x in y, bit for bit as tensorops/softmax.c does.
func softmax(y, x []float32, scale float32) {
	top := x[0]
	for _, v := range x[1:] {
		top = max(top, v)
	}
	var s [lanes]float32
	n := len(x)
	full := (n - 1) / lanes * lanes // the last block holds the last 16 and overlaps the one before it
	for k, v := range x {
		y[k] = exp32(float32(v-top) * scale)
		lane := k % lanes
		if k >= full && n >= lanes {
			lane = k - n + lanes
		}
		s[lane] += y[k]
	}
	for w := lanes / 2; w > 0; w /= 2 {
		for i := range w {
			s[i] += s[i+w]
		}
	}
	norm := 1 / s[0]
	for k := range y {
		y[k] *= norm
	}
}

// exp32 is e^x for x ≤ 0, bit for bit as in tensorops/simd.h.
func exp32(x float32) float32 {
	if !(x >= -87.3) {
		return 0
	}
	const round = 12582912 // 1.5·2^23: adding it leaves the nearest integer in the low bits
	k := float32(x*1.44269504) + round
	bits := math.Float32bits(k)
	k -= round
	r := x - float32(k*0.693359375)
	r += float32(k * 2.12194440e-4)
	p := float32(1.9875691500e-4)
	p = float32(p*r) + 1.3981999507e-3
	p = float32(p*r) + 8.3334519073e-3
	p = float32(p*r) + 4.1665795894e-2
	p = float32(p*r) + 1.6666665459e-1
	p = float32(p*r) + 5.0000001201e-1
	p = float32(float32(p*r)*r) + r + 1
	return math.Float32frombits(math.Float32bits(p) + bits<<23)
}

func argmax(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

func dot(x, y []float32) float32 {
	var s float32
	for k, v := range x {
		s += float32(v * y[k])
	}
	return s
}

func axpy(y []float32, a float32, x []float32) {
	for k, v := range x {
		y[k] += float32(a * v)
	}
}

// affine stores zᵀA in y, the rows of A added from the first to the last.
func affine(y, z, A []float32) {
	clear(y)
	for i, v := range z {
		axpy(y, v, A[i*len(y):][:len(y)])
	}
}
