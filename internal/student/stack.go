package student

import (
	"github.com/epb-nco/epb/internal/dense"
	ops "github.com/epb-nco/epb/tensorops"
)

// stack is self-attention layers over segments of rows: the nodes of an instance in the encoder, the tokens of a state
// in a decoder. It holds the activations of all its layers, R rows in G segments, and the scratch of the backward pass.
type stack struct {
	cfg    Config
	offset []int32 // [G+1] segment g has the rows offset[g]:offset[g+1]; all are of one length where there are norms
	acts   []layerActs

	z, dqkv, datt, ds, df []float32 // scratch
}

// layerActs holds the activations that the backward pass of one layer reads.
type layerActs struct {
	x            []float32 // [R,D] input
	qkv, p, att  []float32 // [R,3D]; [H,n,n] segment by segment; [R,D]
	xhat1, rstd1 []float32 // [R,D], [G,D]; with norms only: the sum normalised, or as it is for an affine one
	x1           []float32 // [R,D]
	f            []float32 // [R,FF] after the ReLU
	xhat2, rstd2 []float32
}

// resize makes room for the segments of offset in as many layers and returns the input to fill in, [R,D].
func (s *stack) resize(layers int) []float32 {
	G, D := len(s.offset)-1, s.cfg.D
	R, pairs := int(s.offset[G]), 0
	for g := range G {
		n := int(s.offset[g+1] - s.offset[g])
		pairs += n * n
	}
	if len(s.acts) != layers {
		s.acts = make([]layerActs, layers)
	}
	for i := range s.acts {
		a := &s.acts[i]
		a.x, a.qkv, a.att = dense.Sized(a.x, R*D), dense.Sized(a.qkv, R*3*D), dense.Sized(a.att, R*D)
		a.p = dense.Sized(a.p, s.cfg.Heads*pairs)
		a.x1, a.f = dense.Sized(a.x1, R*D), dense.Sized(a.f, R*s.cfg.FF)
		if s.cfg.normed() {
			a.xhat1, a.rstd1 = dense.Sized(a.xhat1, R*D), dense.Sized(a.rstd1, G*D)
			a.xhat2, a.rstd2 = dense.Sized(a.xhat2, R*D), dense.Sized(a.rstd2, G*D)
		}
	}
	s.z = dense.Sized(s.z, R*D)
	return s.acts[0].x
}

// forward computes out [R,D]: layer by layer self-attention and a feed-forward block, each joining the residual stream.
func (s *stack) forward(out []float32, layers []layerWeights) {
	D := s.cfg.D
	for i := range layers {
		a, l := &s.acts[i], &layers[i]
		y := out
		if i+1 < len(layers) {
			y = s.acts[i+1].x
		}
		ops.Linear(a.qkv, a.x, l.qkv, nil, D)
		s.segments(func(from, to, pFrom, pTo int) {
			ops.Attention(a.att[from*D:to*D], a.p[pFrom:pTo], a.qkv[from*3*D:to*3*D], to-from, s.cfg.Heads, D)
		})
		s.join(a.x1, a.xhat1, a.rstd1, a.x, a.att, &l.combine)
		ops.Linear(a.f, a.x1, l.ff1, nil, D)
		ops.BiasReLU(a.f, l.ff1Bias)
		s.join(y, a.xhat2, a.rstd2, a.x1, a.f, &l.ff2)
	}
}

// segments calls f for every segment with its rows and its part of the attention probabilities.
func (s *stack) segments(f func(from, to, pFrom, pTo int)) {
	p := 0
	for g := range len(s.offset) - 1 {
		from, to := int(s.offset[g]), int(s.offset[g+1])
		next := p + s.cfg.Heads*(to-from)*(to-from)
		f(from, to, p, next)
		p = next
	}
}

// join computes y = norm(x + in·W), or x + in·W + b without norms.
func (s *stack) join(y, xhat, rstd, x, in []float32, j *joint) {
	D := s.cfg.D
	width := len(j.w) / D
	if j.gamma == nil {
		copy(y, x)
		ops.Gemm(false, false, len(y)/D, D, width, 1, in, width, j.w, D, 1, y, D)
		ops.AddBias(y, j.bias)
		return
	}
	ops.Linear(s.z, in, j.w, nil, width)
	if s.cfg.Norm == Affine {
		ops.Affine(y, xhat, s.z, x, j.gamma, j.beta)
	} else {
		ops.InstanceNorm(y, xhat, rstd, s.z, x, j.gamma, j.beta, int(s.offset[1]), D)
	}
}

// joinBackward replaces the gradient of y in d by the gradient of x, stores the gradient of in in din, and adds to g.
func (s *stack) joinBackward(g *joint, d, din, xhat, rstd, in []float32, j *joint) {
	D := s.cfg.D
	switch {
	case j.gamma == nil:
	case s.cfg.Norm == Affine:
		ops.AffineBackward(d, g.gamma, g.beta, xhat, j.gamma, d)
	default:
		ops.InstanceNormBackward(d, g.gamma, g.beta, xhat, rstd, j.gamma, d, int(s.offset[1]), D)
	}
	ops.LinearBackward(din, g.w, g.bias, in, j.w, d, len(j.w)/D)
}

// backward adds the gradient of the parameters to g, and replaces the gradient of the output in d [R,D] by the gradient
// of the input.
func (s *stack) backward(g, layers []layerWeights, d []float32) {
	D, FF := s.cfg.D, s.cfg.FF
	R, longest := len(d)/D, 0
	for g := range len(s.offset) - 1 {
		longest = max(longest, int(s.offset[g+1]-s.offset[g]))
	}
	s.dqkv, s.datt, s.df = dense.Sized(s.dqkv, R*3*D), dense.Sized(s.datt, R*D), dense.Sized(s.df, R*FF)
	s.ds = dense.Sized(s.ds, s.cfg.Heads*longest*longest)
	for i := len(layers) - 1; i >= 0; i-- {
		a, l, dl := &s.acts[i], &layers[i], &g[i]
		s.joinBackward(&dl.ff2, d, s.df, a.xhat2, a.rstd2, a.f, &l.ff2)
		ops.BiasReLUBackward(s.df, dl.ff1Bias, a.f)
		ops.LinearBackward(nil, dl.ff1, nil, a.x1, l.ff1, s.df, D)
		ops.Gemm(false, true, R, D, FF, 1, s.df, FF, l.ff1, FF, 1, d, D) // joins the residual's gradient
		s.joinBackward(&dl.combine, d, s.datt, a.xhat1, a.rstd1, a.att, &l.combine)
		s.segments(func(from, to, pFrom, pTo int) {
			ops.AttentionBackward(
				s.dqkv[from*3*D:to*3*D], s.ds, a.p[pFrom:pTo], a.qkv[from*3*D:to*3*D], s.datt[from*D:to*D], to-from,
				s.cfg.Heads, D,
			)
		})
		ops.LinearBackward(nil, dl.qkv, nil, a.x, l.qkv, s.dqkv, D)
		ops.Gemm(false, true, R, D, 3*D, 1, s.dqkv, 3*D, l.qkv, 3*D, 1, d, D)
	}
}
