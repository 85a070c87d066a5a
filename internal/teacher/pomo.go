package teacher

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/routing"
)

// buildPOMO reads POMO for TSP (Kwon et al. 2020). It has instance normalisation and biases after attention. Its query
// comes from the first and the current node, and its logit keys are the embeddings themselves. Every start is given.
// The checkpoint does not show the number of heads; it is 8 unless model_params say otherwise.
func buildPOMO(c *checkpoint) (model, error) {
	r, net, err := newPOMO(c, pointingTours, pomoNames{
		embed: "encoder.embedding", feedForward: "feedForward.W%d.%s", norm: "addAndNormalization%d.norm.%s",
	})
	if err != nil {
		return nil, err
	}
	d := net.d
	place(net.project, r.transposed("decoder.Wq_first.weight", d, d), d, d, net.blocks*d, blockFirst*d)
	place(net.project, r.transposed("decoder.Wq_last.weight", d, d), d, d, net.blocks*d, blockCurrent*d)
	return net, r.finish()
}

// buildPOMOCVRP reads POMO for CVRP. The depot has an embedding of its own. The query comes from the current node and
// the load.
func buildPOMOCVRP(c *checkpoint) (model, error) {
	r, net, err := newPOMO(c, pointingRoutes, pomoNames{
		embed: "encoder.embedding_node", depot: "encoder.embedding_depot",
		feedForward: "feed_forward.W%d.%s", norm: "add_n_normalization_%d.norm.%s",
	})
	if err != nil {
		return nil, err
	}
	d := net.d
	last := r.transposed("decoder.Wq_last.weight", d, d+1) // [d+1,d]
	place(net.project, last[:d*d], d, d, net.blocks*d, blockCurrent*d)
	net.loadW = last[d*d:]
	net.account = pomoAccount
	return net, r.finish()
}

// newPOMO reads the weights that POMO for TSP and POMO for CVRP share.
func newPOMO(c *checkpoint, on pointing, names pomoNames) (*reader, *network, error) {
	r := newReader(c)
	enc, d, err := pomoEncoder(r, on.problem, names)
	if err != nil {
		return nil, nil, err
	}
	clip, err := c.option("logit_clipping", 10)
	if err != nil {
		return nil, nil, err
	}
	net := newNetwork(on, enc, d, float32(clip))
	net.key = r.transposed("decoder.Wk.weight", d, d)
	place(net.project, r.transposed("decoder.Wv.weight", d, d), d, d, net.blocks*d, blockValue*d)
	// (W o + b)·h = o·(Wᵀ h) + b·h, and a row h times W is Wᵀ h.
	place(net.project, r.get("decoder.multi_head_combine.weight", d, d), d, d, net.blocks*d, blockLogit*d)
	net.logitB = r.get("decoder.multi_head_combine.bias", d)
	return r, net, nil
}

// pomoNames are the parameter names in which the family's encoders differ. embed and depot name the embeddings; depot
// is empty if the depot has none of its own. feedForward and norm are patterns of the feed-forward parts and the
// normalisations; LEHD has no normalisations.
type pomoNames struct{ embed, depot, feedForward, norm string }

// pomoEncoder reads the encoder of POMO or LEHD, and returns its width d.
func pomoEncoder(r *reader, problem routing.Problem, names pomoNames) (enc Encoder, d int, err error) {
	d = r.width(names.embed + ".bias")
	heads, err := r.option("head_num", 8)
	if err == nil && heads != math.Trunc(heads) {
		err = fmt.Errorf("head_num is %v, want a whole number", heads)
	}
	if err != nil {
		return Encoder{}, 0, err
	}
	enc.Heads = int(heads)
	if err := r.checkWidth(d, enc.Heads); err != nil {
		return Encoder{}, 0, err
	}
	enc.readEmbeddings(r, names.embed, names.depot, d, inputs(problem))
	enc.Layers = pomoLayers(r, "encoder", names, d)
	return enc, d, nil
}

// pomoLayers reads the layers of an encoder, or of LEHD's decoder.
func pomoLayers(r *reader, part string, names pomoNames, d int) []Layer {
	var layers []Layer
	for l := range r.layers(part + ".layers.%d.Wq.weight") {
		layers = append(layers, pomoLayer(r, fmt.Sprintf("%s.layers.%d.", part, l), names, d))
	}
	return layers
}

func pomoLayer(r *reader, prefix string, names pomoNames, d int) Layer {
	ff := func(i int, what string) string { return prefix + fmt.Sprintf(names.feedForward, i, what) }
	f := r.hidden(ff(1, "bias"), d)
	l := Layer{
		Combine:     r.linear(prefix+"multi_head_combine.weight", d, d),
		CombineBias: r.vector(prefix+"multi_head_combine.bias", d),
		FF1:         r.linear(ff(1, "weight"), f, d), FF1Bias: r.vector(ff(1, "bias"), f),
		FF2: r.linear(ff(2, "weight"), d, f), FF2Bias: r.vector(ff(2, "bias"), d),
	}
	if names.norm != "" {
		for i, n := range []*Norm{&l.Norm1, &l.Norm2} {
			n.Kind = InstanceNorm
			n.Gamma = r.vector(prefix+fmt.Sprintf(names.norm, i+1, "weight"), d)
			n.Beta = r.vector(prefix+fmt.Sprintf(names.norm, i+1, "bias"), d)
		}
	}
	qkv := make([]float32, d*3*d)
	for k, name := range []string{"Wq", "Wk", "Wv"} {
		place(qkv, r.transposed(prefix+name+".weight", d, d), d, d, 3*d, k*d)
	}
	l.QKV = dense.Of(qkv, d, 3*d)
	return l
}
