package teacher

import (
	"github.com/epb-nco/epb/internal/problems"
	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// encoder embeds the nodes of B instances of one size. It holds the buffers of the forward pass, so each decoder has
// its own encoder.
type encoder struct {
	weights *encoderWeights
	stack
	x []float32 // [rows,F] inputs of the embedding
}

func newEncoder(w *encoderWeights) encoder {
	return encoder{weights: w, stack: stack{d: w.d, heads: w.heads, layers: w.layers}}
}

// forward computes the node embeddings of insts and stores them in h. All instances have one size and problem.
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

// features writes the inputs of all nodes to x.
func (e *encoder) features(insts []routing.Instance) {
	e.x = e.x[:0]
	problem := problems.Must(insts[0].Problem)
	for i := range insts {
		e.x = problem.AppendNodeFeatures(e.x, &insts[i])
	}
}
