package teacher

import (
	"fmt"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/tensorops"
)

// amClip is C of u = C·tanh(·) in every checkpoint that the authors published. The weights do not contain it.
const amClip = 10

// buildAM reads the attention model for TSP (Kool et al. 2019, sections 3.1 and 3.2). It has batch normalisation and no
// biases around attention. Its query comes from the mean embedding, the first and the current node. The model chooses
// its start itself: at the first step, a learned placeholder takes the place of both nodes.
func buildAM(c *checkpoint) (model, error) {
	r, net, err := newAM(c, pointingTours, "")
	if err != nil {
		return nil, err
	}
	d := net.d
	step := r.transposed("project_step_context.weight", d, 2*d) // [2d,d]
	place(net.project, step[:d*d], d, d, net.blocks*d, blockFirst*d)
	place(net.project, step[d*d:], d, d, net.blocks*d, blockCurrent*d)
	net.placeholder = make([]float32, d)
	tensorops.Gemm(false, false, 1, d, 2*d, 1, r.get("W_placeholder", 2*d), 2*d, step, d, 0, net.placeholder, d)
	return net, r.finish()
}

// buildAMCVRP reads the attention model for CVRP (appendix C.1). The depot has an embedding of its own. The query comes
// from the mean embedding, the current node and the room left in the vehicle.
func buildAMCVRP(c *checkpoint) (model, error) {
	r, net, err := newAM(c, pointingRoutes, "init_embed_depot")
	if err != nil {
		return nil, err
	}
	d := net.d
	step := r.transposed("project_step_context.weight", d, d+1) // [d+1,d]
	place(net.project, step[:d*d], d, d, net.blocks*d, blockCurrent*d)
	net.loadW = step[d*d:]
	net.account = amAccount
	return net, r.finish()
}

// newAM reads the weights that AM for TSP and AM for CVRP share. depot is the name of the depot's embedding, or empty.
func newAM(c *checkpoint, on pointing, depot string) (*reader, *network, error) {
	r := newReader(c)
	d := r.width("init_embed.bias")
	heads := 8
	if q := r.shape("embedder.layers.0.0.module.W_query"); len(q) == 3 && q[0] > 0 {
		heads = q[0]
	}
	if err := r.checkWidth(d, heads); err != nil {
		return nil, nil, err
	}
	enc := Encoder{Heads: heads}
	enc.readEmbeddings(r, "init_embed", depot, d, inputs(on.problem))
	for l := range r.layers("embedder.layers.%d.0.module.W_query") {
		enc.Layers = append(enc.Layers, amLayer(r, fmt.Sprintf("embedder.layers.%d.", l), d, heads))
	}
	net := newNetwork(on, enc, d, amClip)
	net.ownStart = true
	nodes := r.transposed("project_node_embeddings.weight", 3*d, d) // [d,3d]
	out := r.get("project_out.weight", d, d)
	ld := net.blocks * d
	for i := range d {
		copy(net.key[i*d:], nodes[i*3*d:i*3*d+d])
		copy(net.project[i*ld+blockValue*d:], nodes[i*3*d+d:i*3*d+2*d])
	}
	tensorops.Gemm(false, false, d, d, d, 1, nodes[2*d:], 3*d, out, d, 0, net.project[blockLogit*d:], ld)
	net.fixed = r.transposed("project_fixed_context.weight", d, d)
	return r, net, nil
}

func amLayer(r *reader, prefix string, d, heads int) Layer {
	f := r.hidden(prefix+"2.module.0.bias", d)
	dh := d / heads
	l := Layer{
		// The original stores the heads one by one, [heads, d/heads, d]. Stacked, this is [d,d].
		Combine: dense.Of(r.get(prefix+"0.module.W_out", heads, dh, d), d, d),
		FF1:     r.linear(prefix+"2.module.0.weight", f, d), FF1Bias: r.vector(prefix+"2.module.0.bias", f),
		FF2: r.linear(prefix+"2.module.2.weight", d, f), FF2Bias: r.vector(prefix+"2.module.2.bias", d),
		Norm1: batchNorm(r, prefix+"1.normalizer.", d), Norm2: batchNorm(r, prefix+"3.normalizer.", d),
	}
	qkv := make([]float32, d*3*d)
	for k, name := range []string{"W_query", "W_key", "W_val"} {
		per := r.get(prefix+"0.module."+name, heads, d, dh)
		for m := range heads {
			place(qkv, per[m*d*dh:(m+1)*d*dh], d, dh, 3*d, k*d+m*dh)
		}
	}
	l.QKV = dense.Of(qkv, d, 3*d)
	return l
}

func batchNorm(r *reader, prefix string, d int) Norm {
	n := Norm{
		Kind: BatchNorm, Gamma: r.vector(prefix+"weight", d), Beta: r.vector(prefix+"bias", d),
		Mean: r.vector(prefix+"running_mean", d), Variance: r.vector(prefix+"running_var", d),
	}
	for i, v := range values(n.Variance) {
		if v < 0 && r.err == nil {
			r.err = fmt.Errorf("tensor %srunning_var: element %d is %v, want a variance", prefix, i, v)
		}
	}
	return n
}
