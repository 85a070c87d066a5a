package teacher

import (
	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/tensorops"
)

// stack is several layers of self-attention over B sequences of n rows each. In an encoder the rows are the nodes of an
// instance, in LEHD's decoder the tokens of a state. stack holds the buffers of the forward pass; rows is B·n.
type stack struct {
	d, heads  int
	layers    []layerWeights
	h, z, att []float32 // [rows,d]; h is input and output
	qkv       []float32 // [rows,3d]
	p         []float32 // [heads,n,n], of one sequence
	ff        []float32 // [rows,f]
	rstd      []float32 // [B,d]
}

// run applies all layers in place to h, sequences of n rows.
func (s *stack) run(n int) {
	for l := range s.layers {
		s.layer(&s.layers[l], n)
	}
}

// layer applies one layer to h in place.
func (s *stack) layer(l *layerWeights, n int) {
	d, heads := s.d, s.heads
	rows := len(s.h) / d
	tensorops.Gemm(false, false, rows, 3*d, d, 1, s.h, d, l.qkv, 3*d, 0, s.qkv, 3*d)
	for r := 0; r < rows; r += n {
		tensorops.Attention(s.att[r*d:(r+n)*d], s.p, s.qkv[r*3*d:(r+n)*3*d], n, heads, d)
	}
	tensorops.Gemm(false, false, rows, d, d, 1, s.att, d, l.out, d, 0, s.z, d)
	if l.outB != nil {
		tensorops.AddBias(s.z, l.outB)
	}
	s.addNorm(l, &l.n1, n)

	f := l.width()
	tensorops.Gemm(false, false, rows, f, d, 1, s.h, d, l.w1, f, 0, s.ff, f)
	tensorops.BiasReLU(s.ff[:rows*f], l.b1)
	tensorops.Gemm(false, false, rows, d, f, 1, s.ff, f, l.w2, d, 0, s.z, d)
	tensorops.AddBias(s.z, l.b2)
	s.addNorm(l, &l.n2, n)
}

// addNorm stores norm(h + z) in h.
func (s *stack) addNorm(l *layerWeights, norm *affine, n int) {
	d := s.d
	switch {
	case norm.gamma == nil:
		tensorops.Add(s.h, s.z)
	case l.instance:
		tensorops.InstanceNorm(s.h, s.att, s.rstd, s.z, s.h, norm.gamma, norm.beta, n, d)
	default:
		for r := 0; r < len(s.h); r += d {
			h, z := s.h[r:r+d], s.z[r:r+d]
			for i, gamma := range norm.gamma {
				h[i] = gamma*(h[i]+z[i]) + norm.beta[i]
			}
		}
	}
}

// reserve sizes the buffers for B sequences of n rows.
func (s *stack) reserve(B, n int) {
	d, rows, f := s.d, B*n, 0
	for l := range s.layers {
		f = max(f, s.layers[l].width())
	}
	s.h = dense.Sized(s.h, rows*d)
	s.z = dense.Sized(s.z, rows*d)
	s.att = dense.Sized(s.att, rows*d)
	s.qkv = dense.Sized(s.qkv, rows*3*d)
	s.p = dense.Sized(s.p, s.heads*n*n)
	s.ff = dense.Sized(s.ff, rows*f)
	s.rstd = dense.Sized(s.rstd, B*d)
}
