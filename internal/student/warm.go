package student

import (
	"fmt"
	"slices"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
	"github.com/epb-nco/epb/internal/teacher"
)

// warmStart copies the encoder weights of a teacher of the model's problem: AM or POMO for arch POMO, LEHD for arch
// LEHD. A teacher with more encoder layers than the model gives its first ones. Query, decoder and keys keep their
// values.
//
// The embeddings are then the teacher's, with one exception: AM's batch norms fit affine norms only. Instance norms get
// their scale and shift, and the embeddings correlate with AM's by 0.9 on TSP-20 and 0.5 on CVRP-50.
//
// The error names the first weight that does not fit; the model is then unchanged.
func (m *Model) warmStart(from *teacher.Encoder) error {
	flat := slices.Clone(m.theta)
	w := warmStart{Config: m.Config, to: m.Config.over(flat)}
	if w.encoder(from); w.err != nil {
		return fmt.Errorf("warm start: %w", w.err)
	}
	copy(m.theta, flat)
	return nil
}

// warmStart copies a teacher's weights to parameters and keeps the first error.
type warmStart struct {
	Config
	to  weights
	err error
}

func (w *warmStart) encoder(from *teacher.Encoder) {
	switch {
	case from.Heads != w.Heads:
		w.err = fmt.Errorf("the teacher has %d heads, the student %d", from.Heads, w.Heads)
	case len(from.Layers) < w.Layers:
		w.err = fmt.Errorf("the teacher has %d encoder layers, the student %d", len(from.Layers), w.Layers)
	case (from.Depot != nil) != w.depot():
		w.err = fmt.Errorf(
			"the teacher's depot has an embedding of its own: %v, the student's: %v", from.Depot != nil, w.depot(),
		)
	}
	w.copy(w.to.embed, "embedding", from.Embed, w.features(), w.D)
	w.copy(w.to.embedBias, "embedding's bias", from.EmbedBias, w.D)
	if w.depot() {
		w.copy(w.to.depot, "depot's embedding", from.Depot, 2, w.D)
		w.copy(w.to.depotBias, "depot's bias", from.DepotBias, w.D)
	}
	for i := range w.to.layers {
		if w.err != nil {
			return
		}
		w.layer(i, &w.to.layers[i], &from.Layers[i])
	}
}

func (w *warmStart) layer(i int, to *layerWeights, from *teacher.Layer) {
	at := func(what string) string { return fmt.Sprintf("layer %d, %s", i, what) }
	w.copy(to.qkv, at("queries, keys and values"), from.QKV, w.D, 3*w.D)
	w.copy(to.ff1, at("first feed-forward weight"), from.FF1, w.D, w.FF)
	w.copy(to.ff1Bias, at("first feed-forward bias"), from.FF1Bias, w.FF)
	w.copy(to.combine.w, at("combination of the heads"), from.Combine, w.D, w.D)
	w.copy(to.ff2.w, at("second feed-forward weight"), from.FF2, w.FF, w.D)
	w.join(&to.combine, at("combination of the heads"), from.CombineBias, from.Norm1)
	w.join(&to.ff2, at("second feed-forward"), from.FF2Bias, from.Norm2)
}

// join copies the bias or the norm after a residual sum. A bias before an instance norm is left out, because the norm
// cancels it. A bias before a batch norm becomes part of the affine norm that replaces the batch norm; if an instance
// norm replaces it, the bias is left out.
func (w *warmStart) join(to *joint, what string, bias *tensor.Dense, from teacher.Norm) {
	switch {
	case w.err != nil:
	case to.gamma == nil:
		if from.Kind != teacher.NoNorm {
			w.err = fmt.Errorf("%s: the teacher has %s norms, the student none", what, from.Kind)
		}
		w.copy(to.bias, what+": bias", bias, w.D)
	case w.Norm == Affine:
		w.affine(to, what, bias, from)
	default:
		if from.Kind == teacher.NoNorm {
			w.err = fmt.Errorf("%s: the teacher has no norms, the student %s norms", what, Instance)
		}
		w.copy(to.gamma, what+": norm's scale", from.Gamma, w.D)
		w.copy(to.beta, what+": norm's shift", from.Beta, w.D)
	}
}

func (w *warmStart) affine(to *joint, what string, bias *tensor.Dense, from teacher.Norm) {
	if from.Kind != teacher.BatchNorm {
		w.err = fmt.Errorf(
			"norm is %s, which fits AM only: %s: the teacher has norm %q, want %q", Affine, what, from.Kind,
			teacher.BatchNorm,
		)
		return
	}
	var before []float32
	if bias != nil {
		before = w.values(what+": bias", bias, w.D)
	}
	w.values(what+": norm's scale", from.Gamma, w.D)
	if w.err == nil {
		gamma, beta := from.Affine(before)
		copy(to.gamma, gamma)
		copy(to.beta, beta)
	}
}

// copy copies a weight, unless there was an error before.
func (w *warmStart) copy(dst []float32, what string, t *tensor.Dense, shape ...int) {
	copy(dst, w.values(what, t, shape...))
}

// values returns a weight's values, or nil after an error.
func (w *warmStart) values(what string, t *tensor.Dense, shape ...int) []float32 {
	if w.err != nil {
		return nil
	}
	values, err := dense.Values[float32]("the teacher's "+what, t, shape...)
	w.err = err
	return values
}
