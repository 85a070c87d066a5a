package teacher

import (
	"fmt"
	"math"

	"github.com/epb-nco/epb/internal/routing"
	"github.com/epb-nco/epb/tensorops"
)

// amClip is C of u = C·tanh(·) in every checkpoint that the authors published; the weights do not tell it.
const amClip = 10

// buildAM reads the attention model for TSP (Kool et al. 2019, sections 3.1 and 3.2): batch normalisation, no
// biases around attention, a query from the mean embedding, the first and the current node, and a learned placeholder in their place at
// the first step, where the model chooses its start itself.
func buildAM(c *checkpoint) (model, error) {
	w, net, err := newAM(c, routing.TSP)
	if err != nil {
		return nil, err
	}
	d := net.d
	step := w.transposed("project_step_context.weight", d, 2*d) // [2d,d]
	place(net.project, step[:d*d], d, d, net.blocks*d, blockFirst*d)
	place(net.project, step[d*d:], d, d, net.blocks*d, blockCurrent*d)
	net.placeholder = make([]float32, d)
	tensorops.Gemm(false, false, 1, d, 2*d, 1, w.get("W_placeholder", 2*d), 2*d, step, d, 0, net.placeholder, d)
	return net, w.finish()
}

// buildAMCVRP reads the attention model for CVRP (appendix C.1): an embedding of its own for the depot, and a query from the mean
// embedding, the current node and the room left in the vehicle.
func buildAMCVRP(c *checkpoint) (model, error) {
	w, net, err := newAM(c, routing.CVRP)
	if err != nil {
		return nil, err
	}
	d := net.d
	net.depotW, net.depotB = w.transposed("init_embed_depot.weight", d, 2), w.get("init_embed_depot.bias", d)
	step := w.transposed("project_step_context.weight", d, d+1) // [d+1,d]
	place(net.project, step[:d*d], d, d, net.blocks*d, blockCurrent*d)
	net.loadW = step[d*d:]
	net.account = amAccount
	return net, w.finish()
}

// newAM reads what AM for TSP and for CVRP share.
func newAM(c *checkpoint, problem routing.Problem) (*weights, *network, error) {
	w := newWeights(c)
	d := w.numbers("init_embed.bias")
	heads := 8
	if q := w.shape("embedder.layers.0.0.module.W_query"); len(q) == 3 && q[0] > 0 {
		heads = q[0]
	}
	if err := w.checkWidth(d, heads); err != nil {
		return nil, nil, err
	}
	net := newNetwork(problem, d, heads, amClip)
	net.ownStart = true
	net.embedW, net.embedB = w.transposed("init_embed.weight", d, inputs(problem)), w.get("init_embed.bias", d)
	for l := range w.layers("embedder.layers.%d.0.module.W_query") {
		net.layers = append(net.layers, amLayer(w, fmt.Sprintf("embedder.layers.%d.", l), d, heads))
	}
	nodes := w.transposed("project_node_embeddings.weight", 3*d, d) // [d,3d]
	out := w.get("project_out.weight", d, d)
	ld := net.blocks * d
	for i := range d {
		copy(net.key[i*d:], nodes[i*3*d:i*3*d+d])
		copy(net.project[i*ld+blockValue*d:], nodes[i*3*d+d:i*3*d+2*d])
	}
	tensorops.Gemm(false, false, d, d, d, 1, nodes[2*d:], 3*d, out, d, 0, net.project[blockLogit*d:], ld)
	net.fixed = w.transposed("project_fixed_context.weight", d, d)
	return w, net, nil
}

func amLayer(w *weights, prefix string, d, heads int) layer {
	f := w.hidden(prefix+"2.module.0.bias", d)
	l := layer{
		qkv: make([]float32, d*3*d),
		// Per head [heads, d/heads, d]: stacked, that is [d,d] already.
		out: w.get(prefix+"0.module.W_out", heads, d/heads, d),
		w1:  w.transposed(prefix+"2.module.0.weight", f, d), b1: w.get(prefix+"2.module.0.bias", f),
		w2: w.transposed(prefix+"2.module.2.weight", d, f), b2: w.get(prefix+"2.module.2.bias", d),
		n1: batchNorm(w, prefix+"1.normalizer.", d), n2: batchNorm(w, prefix+"3.normalizer.", d),
	}
	dh := d / heads
	for k, name := range []string{"W_query", "W_key", "W_val"} {
		per := w.get(prefix+"0.module."+name, heads, d, dh)
		for m := range heads {
			place(l.qkv, per[m*d*dh:(m+1)*d*dh], d, dh, 3*d, k*d+m*dh)
		}
	}
	return l
}

// batchNorm folds running statistics and affine part of a batch normalisation in evaluation mode into one affine map.
func batchNorm(w *weights, prefix string, d int) norm {
	weight, bias := w.get(prefix+"weight", d), w.get(prefix+"bias", d)
	mean, variance := w.get(prefix+"running_mean", d), w.get(prefix+"running_var", d)
	n := norm{make([]float32, d), make([]float32, d)}
	for i := range d {
		gamma := float64(weight[i]) / math.Sqrt(float64(variance[i])+1e-5)
		n.gamma[i] = float32(gamma)
		n.beta[i] = float32(float64(bias[i]) - gamma*float64(mean[i]))
	}
	return n
}
