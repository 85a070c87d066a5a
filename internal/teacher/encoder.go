package teacher

import (
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// encoder embeds the nodes of B instances of one size. A decoder has its own: it holds the buffers of the forward pass.
type encoder struct {
	weights *encoderWeights
	stack
	x []float32 // [rows,F] what the embedding sees
}

func newEncoder(w *encoderWeights) encoder {
	return encoder{weights: w, stack: stack{d: w.d, heads: w.heads, layers: w.layers}}
}

// forward leaves the node embeddings of insts, all of one size and problem, in h.
func (e *encoder) forward(insts []routing.Instance) {
	n, d, w := insts[0].N(), e.d, e.weights
	e.reserve(len(insts), n)
	e.features(insts)
	in := len(w.embedW) / d
	tensorops.Gemm(false, false, len(insts)*n, d, in, 1, e.x, in, w.embedW, d, 0, e.h, d)
	tensorops.AddBias(e.h, w.embedB)
	if w.depotW != nil {
		for r := 0; r < len(insts)*n; r += n {
			depot := e.h[r*d : (r+1)*d]
			tensorops.Gemm(false, false, 1, d, 2, 1, e.x[r*in:], in, w.depotW, d, 0, depot, d)
			tensorops.Add(depot, w.depotB)
		}
	}
	e.run(n)
}

// features lays out the inputs of all nodes.
func (e *encoder) features(insts []routing.Instance) {
	e.x = e.x[:0]
	problem := problems.Must(insts[0].Problem)
	for i := range insts {
		e.x = problem.AppendNodeFeatures(e.x, &insts[i])
	}
}
