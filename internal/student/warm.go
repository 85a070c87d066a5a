package student

import (
	"fmt"
	"math"
	"slices"

	"gorgonia.org/tensor"
)

// WarmStart copies the encoder weights of a teacher, given as the state dict of its original checkpoint: AM or POMO for arch POMO, LEHD
// for arch LEHD, of the model's problem. A teacher with more encoder layers than the model gives its first ones. Query, decoder and keys keep
// their values.
//
// The embeddings are then the teacher's, with one exception: AM's batch norms fit affine norms only. Instance norms get their scale and
// shift, and the embeddings correlate with AM's by 0.9 on TSP-20 and 0.5 on CVRP-50.
//
// The number of heads does not show in the weights of POMO and LEHD: see to it that it is the teacher's. The error names
// the first tensor that is missing or misshapen; the model is then unchanged.
func (m *Model) WarmStart(state map[string]*tensor.Dense) error {
	flat := slices.Clone(m.theta)
	w := warmStart{Config: m.Config, state: state, to: m.Config.over(flat)}
	switch {
	case has(state, "embedder.layers.0.0.module.W_query"):
		w.am()
	case m.Config.Norm == Affine:
		return fmt.Errorf("warm start: norm is %s, which fits AM only: tensor embedder.layers.0.0.module.W_query is missing", Affine)
	case has(state, "encoder.layers.0.Wq.weight"):
		w.pomo()
	default:
		return fmt.Errorf("warm start: neither embedder.layers.0.0.module.W_query (AM) nor encoder.layers.0.Wq.weight (POMO, LEHD) among %d tensors", len(state))
	}
	if w.err != nil {
		return fmt.Errorf("warm start: %w", w.err)
	}
	copy(m.theta, flat)
	return nil
}

func has(state map[string]*tensor.Dense, name string) bool { return state[name] != nil }

// warmStart copies tensors to parameters and keeps the first error.
type warmStart struct {
	Config
	state map[string]*tensor.Dense
	to    weights
	err   error
}

// get returns a tensor's values, or zeros after an error.
func (w *warmStart) get(name string, shape ...int) []float32 {
	t, values := w.state[name], []float32(nil)
	if t != nil {
		values, _ = t.Data().([]float32)
	}
	switch {
	case w.err != nil:
	case t == nil:
		w.err = fmt.Errorf("tensor %s is missing, which %d layers of arch %s for %s need", name, w.Layers, w.arch(), w.For())
	case values == nil:
		w.err = fmt.Errorf("tensor %s is %v, want float32", name, t.Dtype())
	case !slices.Equal(t.Shape(), shape):
		w.err = fmt.Errorf("tensor %s has shape %v, the student wants %v", name, t.Shape(), shape)
	default:
		return values
	}
	return make([]float32, tensor.Shape(shape).TotalSize())
}

// linear copies the weight [out,in] of a PyTorch layer to columns at:at+out of dst, which are ld in all.
func (w *warmStart) linear(dst []float32, ld, at int, name string, out, in int) {
	src := w.get(name, out, in)
	for o := range out {
		for i := range in {
			dst[i*ld+at+o] = src[o*in+i]
		}
	}
}

func (w *warmStart) vector(dst []float32, name string) { copy(dst, w.get(name, len(dst))) }

// affine copies a PyTorch layer with a bias, such as an embedding.
func (w *warmStart) affine(dst, bias []float32, name string, in int) {
	w.linear(dst, len(bias), 0, name+".weight", len(bias), in)
	w.vector(bias, name+".bias")
}

// am copies the attention model's encoder (Kool et al. 2019), whose heads have matrices of their own.
func (w *warmStart) am() {
	D, H := w.D, w.Heads
	dh := D / H
	w.affine(w.to.embed, w.to.embedBias, "init_embed", w.features())
	if w.to.depot != nil {
		w.affine(w.to.depot, w.to.depotBias, "init_embed_depot", 2)
	}
	for i := range w.to.layers {
		l, at := &w.to.layers[i], fmt.Sprintf("embedder.layers.%d.", i)
		for k, name := range []string{"W_query", "W_key", "W_val"} {
			src := w.get(at+"0.module."+name, H, D, dh)
			for row := range H * D {
				head, in := row/D, row%D
				copy(l.qkv[in*3*D+k*D+head*dh:][:dh], src[row*dh:])
			}
		}
		copy(l.combine.w, w.get(at+"0.module.W_out", H, dh, D))
		w.batchNorm(&l.combine, at+"1.normalizer.", nil)
		w.affine(l.ff1, l.ff1Bias, at+"2.module.0", D)
		w.linear(l.ff2.w, D, 0, at+"2.module.2.weight", D, w.FF)
		w.batchNorm(&l.ff2, at+"3.normalizer.", w.get(at+"2.module.2.bias", D))
	}
}

// batchNorm copies a batch norm's scale and shift, for affine norms with its running statistics and the bias before it folded in.
func (w *warmStart) batchNorm(j *joint, at string, bias []float32) {
	w.vector(j.gamma, at+"weight")
	w.vector(j.beta, at+"bias")
	if w.Norm != Affine {
		return
	}
	mean, variance := w.get(at+"running_mean", w.D), w.get(at+"running_var", w.D)
	for d := range j.gamma {
		scale, shift := float64(j.gamma[d])/math.Sqrt(float64(variance[d])+1e-5), -float64(mean[d])
		if bias != nil {
			shift += float64(bias[d])
		}
		j.gamma[d], j.beta[d] = float32(scale), float32(float64(j.beta[d])+scale*shift)
	}
}

// pomo copies the encoder of POMO (Kwon et al. 2020) or LEHD (Luo et al. 2023), which has no norms. POMO's CVRP model spells
// some names in another way.
func (w *warmStart) pomo() {
	D := w.D
	embedding, norm, ff := "encoder.embedding", "addAndNormalization%d.norm", "feedForward"
	if w.to.depot != nil {
		embedding, norm, ff = "encoder.embedding_node", "add_n_normalization_%d.norm", "feed_forward"
		w.affine(w.to.depot, w.to.depotBias, "encoder.embedding_depot", 2)
	}
	w.affine(w.to.embed, w.to.embedBias, embedding, w.features())
	for i := range w.to.layers {
		l, at := &w.to.layers[i], fmt.Sprintf("encoder.layers.%d.", i)
		for k, name := range []string{"Wq", "Wk", "Wv"} {
			w.linear(l.qkv, 3*D, k*D, at+name+".weight", D, D)
		}
		w.affine(l.ff1, l.ff1Bias, at+ff+".W1", D)
		w.join(&l.combine, at+"multi_head_combine", at+fmt.Sprintf(norm, 1), D)
		w.join(&l.ff2, at+ff+".W2", at+fmt.Sprintf(norm, 2), w.FF)
	}
}

func (w *warmStart) join(j *joint, name, norm string, in int) {
	w.linear(j.w, w.D, 0, name+".weight", w.D, in)
	if j.gamma == nil {
		w.vector(j.bias, name+".bias")
		return
	}
	w.vector(j.gamma, norm+".weight")
	w.vector(j.beta, norm+".bias")
}
