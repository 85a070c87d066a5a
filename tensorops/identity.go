package tensorops

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
)

// Identity names what the bits of a result depend on besides the program, its seed and its input. Equal identities give
// equal bits.
type Identity struct {
	Core    string `json:"core"`    // family of OpenBLAS kernels, such as SkylakeX
	Library string `json:"library"` // BLAS library and version
	Arch    string `json:"arch"`    // GOARCH
	Probe   string `json:"probe"`   // hash of the results of a fixed set of operations, 12 hex digits
}

// ID returns the identity as one word of letters, digits and dashes, such as skylakex-5f0c2d9a81b3. Names of task
// queues and keys of results contain it.
func (id Identity) ID() string { return strings.ToLower(id.Core) + "-" + id.Probe }

// String returns the identity in a form for people.
func (id Identity) String() string {
	return fmt.Sprintf("%s kernels of %s, %s, probe %s", id.Core, id.Library, id.Arch, id.Probe)
}

// CurrentIdentity returns the identity of this process. The first call computes the probe, which takes some
// milliseconds.
var CurrentIdentity = sync.OnceValue(func() Identity {
	return Identity{Core: Core(), Library: library(), Arch: runtime.GOARCH, Probe: probe()}
})

// probe hashes the bits of what this package and Go's math compute on fixed inputs.
//
// A name alone is not enough. Debian's OpenBLAS computes the block sizes of its Prescott kernels from the size of the
// cache, another build may have other kernels under the same name, and Go's math and its fused multiply-add differ
// between architectures. The probe contains products of the shapes that networks use: every combination of transposed
// operands, sums longer than a block, edges of every width, one long batch of rows.
func probe() string {
	h := sha256.New()
	put := func(x any) { _ = binary.Write(h, binary.LittleEndian, x) } // a hash never fails
	values := sequence(1)
	const most = 2048
	a, b := values(most*128), values(most*128)
	for _, s := range [][3]int{ // m, n, k
		{1, 128, 128}, {7, 9, 16}, {50, 50, 16}, {50, 16, 50}, {101, 101, 16}, {33, 47, 512},
		{128, 384, 640}, {128, 128, most},
		{most, 128, 128}, {most, 3, 32}, {20, 512, 128}, {100, 128, 512},
	} {
		m, n, k := s[0], s[1], s[2]
		for t := range 4 {
			transA, transB := t&1 != 0, t&2 != 0
			lda, ldb := k, n
			if transA {
				lda = m
			}
			if transB {
				ldb = k
			}
			c := make([]float32, m*n)
			Gemm(transA, transB, m, n, k, 0.25, a, lda, b, ldb, 0, c, n)
			put(c)
		}
	}
	put(probeLayers(values))
	put(probeMath(values(256)))
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// probeLayers returns results of the package's own kernels.
func probeLayers(values func(n int) []float32) []float32 {
	const nodes, heads, d = 21, 4, 32
	x, att, p := values(2*nodes*3*d), make([]float32, 2*nodes*d), make([]float32, 2*heads*nodes*nodes)
	Attention(att, p, x, nodes, heads, d)
	dx, ds := make([]float32, len(x)), make([]float32, heads*nodes*nodes)
	AttentionBackward(dx, ds, p, x, att, nodes, heads, d)
	params, m, v := values(1000), make([]float32, 1000), make([]float32, 1000)
	Adam(params, m, v, x[:1000], float32(1/math.Sqrt(SumSquares(x[:999]))), 1e-3, 3)
	return append(append(append(att, p...), dx...), params...)
}

// probeMath returns results of Go's own arithmetic.
func probeMath(x []float32) []float64 {
	var out []float64
	for _, f := range []func(float64) float64{
		math.Exp, math.Exp2, math.Log, math.Log1p, math.Sqrt, math.Cbrt, math.Tanh, math.Sin, math.Cos, math.Atan,
	} {
		for _, v := range x {
			out = append(out, f(math.Abs(float64(v))))
		}
	}
	for i, v := range x { // one rounding if the compiler fuses the two operations, two if not
		out = append(out, float64(v)*float64(x[0])+out[i], float64(v*x[0]+x[i/2]))
	}
	return out
}

// sequence returns a function that yields the next n numbers in [-1, 1) of a linear congruential generator.
func sequence(state uint32) func(n int) []float32 {
	return func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			state = 1664525*state + 1013904223
			x[i] = float32(int32(state)) / (1 << 31)
		}
		return x
	}
}
