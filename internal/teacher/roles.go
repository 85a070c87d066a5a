package teacher

import (
	"math"

	"gorgonia.org/tensor"

	"github.com/epb-nco/epb/internal/dense"
)

// Encoder holds the weights of a teacher's encoder by role, not by the names of an architecture. Matrices are float32
// [in,out], vectors float32. They share the teacher's memory: do not write to them.
//
// Letters: F inputs of a node (x, y and, for CVRP, demand/capacity), d channels, f hidden channels.
type Encoder struct {
	Heads            int
	Embed, EmbedBias *tensor.Dense // [F,d], [d]
	Depot, DepotBias *tensor.Dense // [2,d], [d] of the depot; nil if it uses Embed
	Layers           []Layer
}

// Layer holds the weights of one layer of self-attention: x ← norm1(x + MHA(x)), x ← norm2(x + FF(x)).
type Layer struct {
	QKV                  *tensor.Dense // [d,3d] queries | keys | values, each with its heads side by side
	Combine, CombineBias *tensor.Dense // [d,d], [d] combination of the heads; the bias is nil in AM
	FF1, FF1Bias         *tensor.Dense // [d,f], [f]
	FF2, FF2Bias         *tensor.Dense // [f,d], [d]
	Norm1, Norm2         Norm
}

// Norm is the normalisation that follows a sum in a layer.
type Norm struct {
	Kind           NormKind
	Gamma, Beta    *tensor.Dense // [d] scale and shift; nil with NoNorm
	Mean, Variance *tensor.Dense // [d] running statistics; BatchNorm only
}

// NormKind names a normalisation.
type NormKind string

// The normalisations.
const (
	NoNorm       NormKind = ""         // LEHD
	InstanceNorm NormKind = "instance" // POMO: over the nodes of an instance
	BatchNorm    NormKind = "batch"    // AM: by running statistics, as after training
)

// readEmbeddings reads the embedding of nodes with F inputs and, unless depot is empty, that of the depot.
func (e *Encoder) readEmbeddings(r *reader, embed, depot string, d, F int) {
	e.Embed, e.EmbedBias = r.linear(embed+".weight", d, F), r.vector(embed+".bias", d)
	if depot != "" {
		e.Depot, e.DepotBias = r.linear(depot+".weight", d, 2), r.vector(depot+".bias", d)
	}
}

// batchEpsilon is PyTorch's. It keeps the root of a variance above 0.
const batchEpsilon = 1e-5

// Affine returns a batch norm in evaluation mode as one map z·gamma + beta per channel. It adds bias [d] to z first;
// bias may be nil.
func (n Norm) Affine(bias []float32) (gamma, beta []float32) {
	scale := dense.Must[float32]("gamma", n.Gamma, dense.Any)
	d := len(scale)
	shift := dense.Must[float32]("beta", n.Beta, d)
	mean, variance := dense.Must[float32]("mean", n.Mean, d), dense.Must[float32]("variance", n.Variance, d)
	gamma, beta = make([]float32, d), make([]float32, d)
	for i := range d {
		g, centre := float64(scale[i])/math.Sqrt(float64(variance[i])+batchEpsilon), -float64(mean[i])
		if bias != nil {
			centre += float64(bias[i])
		}
		gamma[i], beta[i] = float32(g), float32(float64(shift[i])+g*centre)
	}
	return gamma, beta
}

// encoderWeights holds an Encoder's weights as slices, with batch norms as affine maps. The forward pass uses it.
type encoderWeights struct {
	d, heads       int
	embedW, embedB []float32 // [F,d], [d]
	depotW, depotB []float32 // [2,d], [d]; nil if the depot has none
	layers         []layerWeights
}

// layerWeights holds the weights of one Layer.
type layerWeights struct {
	qkv       []float32 // [d,3d]
	out, outB []float32 // [d,d], [d]; outB is nil without bias
	w1, b1    []float32 // [d,f], [f]
	w2, b2    []float32 // [f,d], [d]
	n1, n2    affine
	instance  bool // instance norm (POMO), else the affine map alone (AM)
}

// affine is γ·z + β per channel. γ is nil if no normalisation follows a sum (LEHD).
type affine struct{ gamma, beta []float32 }

// width returns f, the hidden width of the feed-forward part.
func (l *layerWeights) width() int { return len(l.b1) }

// slices returns the encoder's weights as slices. d is its width.
func (e *Encoder) slices(d int) encoderWeights {
	w := encoderWeights{
		d: d, heads: e.Heads, embedW: values(e.Embed), embedB: values(e.EmbedBias), layers: layerSlices(e.Layers),
	}
	w.depotW, w.depotB = values(e.Depot), values(e.DepotBias)
	return w
}

func layerSlices(layers []Layer) []layerWeights {
	ws := make([]layerWeights, len(layers))
	for i := range layers {
		l := &layers[i]
		ws[i] = layerWeights{
			qkv: values(l.QKV), out: values(l.Combine), outB: values(l.CombineBias),
			w1: values(l.FF1), b1: values(l.FF1Bias), w2: values(l.FF2), b2: values(l.FF2Bias),
			n1: l.Norm1.slices(), n2: l.Norm2.slices(), instance: l.Norm1.Kind == InstanceNorm,
		}
	}
	return ws
}

func (n Norm) slices() affine {
	if n.Kind == BatchNorm {
		gamma, beta := n.Affine(nil)
		return affine{gamma, beta}
	}
	return affine{values(n.Gamma), values(n.Beta)}
}

// values returns the values of a weight that the reader of the checkpoint has checked. For nil it returns nil.
func values(t *tensor.Dense) []float32 {
	if t == nil {
		return nil
	}
	return dense.Must[float32]("weight", t, t.Shape()...)
}
