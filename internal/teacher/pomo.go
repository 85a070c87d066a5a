package teacher

import (
	"fmt"

	"github.com/epb-nco/epb/internal/routing"
)

// buildPOMO reads POMO for TSP (Kwon et al. 2020): instance normalisation, biases after attention, a query from the first and the
// current node, and the embeddings themselves as logit keys. Every start is given. The checkpoint does not show the
// number of heads; it is 8 unless model_params say otherwise.
func buildPOMO(c *checkpoint) (model, error) {
	w, net, err := newPOMO(c, routing.TSP, "encoder.embedding", pomoNames{"feedForward.W%d.%s", "addAndNormalization%d.norm.%s"})
	if err != nil {
		return nil, err
	}
	d := net.d
	place(net.project, w.transposed("decoder.Wq_first.weight", d, d), d, d, net.blocks*d, blockFirst*d)
	place(net.project, w.transposed("decoder.Wq_last.weight", d, d), d, d, net.blocks*d, blockCurrent*d)
	return net, w.finish()
}

// buildPOMOCVRP reads POMO for CVRP: the depot has an embedding of its own, and the query is made of the current node and the load.
func buildPOMOCVRP(c *checkpoint) (model, error) {
	w, net, err := newPOMO(c, routing.CVRP, "encoder.embedding_node", pomoNames{"feed_forward.W%d.%s", "add_n_normalization_%d.norm.%s"})
	if err != nil {
		return nil, err
	}
	d := net.d
	net.depotW, net.depotB = w.transposed("encoder.embedding_depot.weight", d, 2), w.get("encoder.embedding_depot.bias", d)
	last := w.transposed("decoder.Wq_last.weight", d, d+1) // [d+1,d]
	place(net.project, last[:d*d], d, d, net.blocks*d, blockCurrent*d)
	net.loadW = last[d*d:]
	net.account = pomoAccount
	return net, w.finish()
}

// newPOMO reads what POMO for TSP and for CVRP share. embedding is the nodes' one.
func newPOMO(c *checkpoint, problem routing.Problem, embedding string, names pomoNames) (*weights, *network, error) {
	w := newWeights(c)
	d := w.numbers(embedding + ".bias")
	heads := option(c, "head_num", 8)
	if err := w.checkWidth(d, heads); err != nil {
		return nil, nil, err
	}
	net := newNetwork(problem, d, heads, float32(option(c, "logit_clipping", 10)))
	net.embedW, net.embedB = w.transposed(embedding+".weight", d, inputs(problem)), w.get(embedding+".bias", d)
	for l := range w.layers("encoder.layers.%d.Wq.weight") {
		net.layers = append(net.layers, pomoLayer(w, fmt.Sprintf("encoder.layers.%d.", l), names, d))
	}
	net.key = w.transposed("decoder.Wk.weight", d, d)
	place(net.project, w.transposed("decoder.Wv.weight", d, d), d, d, net.blocks*d, blockValue*d)
	// (W o + b)·h = o·(Wᵀ h) + b·h, and a row h times W is Wᵀ h.
	place(net.project, w.get("decoder.multi_head_combine.weight", d, d), d, d, net.blocks*d, blockLogit*d)
	net.logitB = w.get("decoder.multi_head_combine.bias", d)
	return w, net, nil
}

// pomoNames are the patterns of parameter names in which the family's layers differ: of the feed-forward part, and of the
// normalisations, which LEHD lacks.
type pomoNames struct{ feedForward, norm string }

func pomoLayer(w *weights, prefix string, names pomoNames, d int) layer {
	ff := func(i int, what string) string { return prefix + fmt.Sprintf(names.feedForward, i, what) }
	f := w.hidden(ff(1, "bias"), d)
	l := layer{
		qkv: make([]float32, d*3*d),
		out: w.transposed(prefix+"multi_head_combine.weight", d, d), outB: w.get(prefix+"multi_head_combine.bias", d),
		w1: w.transposed(ff(1, "weight"), f, d), b1: w.get(ff(1, "bias"), f),
		w2: w.transposed(ff(2, "weight"), d, f), b2: w.get(ff(2, "bias"), d),
	}
	if names.norm != "" {
		l.instance = true
		for i, n := range []*norm{&l.n1, &l.n2} {
			n.gamma = w.get(prefix+fmt.Sprintf(names.norm, i+1, "weight"), d)
			n.beta = w.get(prefix+fmt.Sprintf(names.norm, i+1, "bias"), d)
		}
	}
	for k, name := range []string{"Wq", "Wk", "Wv"} {
		place(l.qkv, w.transposed(prefix+name+".weight", d, d), d, d, 3*d, k*d)
	}
	return l
}

// option returns a number that the checkpoint's writer noted, or its usual value.
func option(c *checkpoint, name string, usual int) int {
	if v, ok := c.options[name]; ok && v >= 1 && v <= 1024 {
		return int(v)
	}
	return usual
}
