package student

import (
	"fmt"
	"strings"
)

// weights are the parameters, or their gradients, by role. Matrices are [in,out] row-major. A part that a configuration
// does not have is nil.
type weights struct {
	embed, embedBias []float32      // [F,D], [D]
	depot, depotBias []float32      // [2,D], [D] in place of them for a CVRP's depot
	layers           []layerWeights // of the encoder

	pomo pomoWeights // Arch POMO
	lehd lehdWeights // Arch LEHD

	keys []float32 // [D,M] one column per heuristic; nil where the keys are Eq. 4

	named    namedWeights // of a named router, which has nothing of the above
	programs []float32    // [ΣW_m] weights of the programs, while they are trained
}

// columns are the parameters that the router has for each heuristic, [D,M] row-major: static keys, or the biases of a
// named router. They are the last of all parameters, and nil where the router has none.
func (w *weights) columns() []float32 {
	if w.keys != nil {
		return w.keys
	}
	return w.named.bias
}

// parts divides x, which is laid out like the model's parameters, into those of the programs' weights, those that all
// heuristics share, and the columns.
func (m *Model) parts(x []float32) (programs, shared, columns []float32) {
	first, last := len(m.w.programs), len(x)-len(m.w.columns())
	return x[:first], x[first:last], x[last:]
}

// pomoWeights are a linear map of [mean of all h, mean of the candidates' h, h_current, h_first, load], block by block,
// and the glimpse's.
type pomoWeights struct {
	graph, bias []float32 // [D,D], [D]
	nodes       []float32 // [D,3D]: candidates | current | first
	load        []float32 // [1,D] CVRP

	glimpseKV, glimpseOut []float32 // [D,2D]: keys | values; [D,D]
}

// lehdWeights embed the first and the last node of the partial solution, read the tokens, and map [mean of the
// candidates' h, h_first, h_last] as they leave the layers to the query.
type lehdWeights struct {
	ends, endsBias []float32 // [D,2D], [2D]: first | last
	load           []float32 // [1,2D] CVRP
	layers         []layerWeights
	query, bias    []float32 // [3D,D], [D]
	via            []float32 // [D,D] CVRP: h by way of the depot
}

type layerWeights struct {
	qkv          []float32 // [D,3D]
	combine      joint     // of the heads
	ff1, ff1Bias []float32 // [D,FF], [FF]
	ff2          joint
}

// joint is a linear map into the residual stream and the norm after the sum, if there is one. There is no bias before a
// norm: an instance norm cancels it, and an affine norm has beta for it.
type joint struct {
	w, bias     []float32 // [in,D], [D]
	gamma, beta []float32 // [D], [D]
}

// layout names every parameter in order. take returns the place of each.
func (c Config) layout(take func(name string, shape ...int) []float32) weights {
	if c.named() {
		return c.layoutNamed(take)
	}
	D, traits := c.D, c.definition().Traits()
	w := weights{programs: c.layoutPrograms(take)}
	w.embed, w.embedBias = take("embed.weight", c.features(), D), take("embed.bias", D)
	if c.depot() {
		w.depot, w.depotBias = take("embed.depot.weight", 2, D), take("embed.depot.bias", D)
	}
	w.layers = c.layers("encoder", c.Layers, take)
	if c.lehd() {
		d := &w.lehd
		d.ends, d.endsBias = take("decoder.ends.weight", D, 2*D), take("decoder.ends.bias", 2*D)
		if traits.Load {
			d.load = take("decoder.load.weight", 1, 2*D)
		}
		d.layers = c.layers("decoder", c.DecoderLayers, take)
		d.query, d.bias = take("query.weight", 3*D, D), take("query.bias", D)
		if traits.Depot {
			d.via = take("decoder.via.weight", D, D)
		}
	} else {
		q := &w.pomo
		q.graph, q.bias = take("query.graph.weight", D, D), take("query.bias", D)
		q.nodes = take("query.nodes.weight", D, 3*D)
		if traits.Load {
			q.load = take("query.load.weight", 1, D)
		}
		if c.Glimpse {
			q.glimpseKV, q.glimpseOut = take("glimpse.kv.weight", D, 2*D), take("glimpse.out.weight", D, D)
		}
	}
	if c.StaticKeys > 0 {
		w.keys = take("router.keys", D, c.StaticKeys)
	}
	return w
}

// layers lays out a stack's parameters.
func (c Config) layers(stack string, count int, take func(name string, shape ...int) []float32) []layerWeights {
	D, ls := c.D, make([]layerWeights, count)
	for i := range ls {
		at := fmt.Sprintf("%s.%d.", stack, i)
		into := func(name, norm string, in int) joint {
			j := joint{w: take(at+name+".weight", in, D)}
			if c.normed() {
				j.gamma, j.beta = take(at+norm+".gamma", D), take(at+norm+".beta", D)
			} else {
				j.bias = take(at+name+".bias", D)
			}
			return j
		}
		ls[i] = layerWeights{
			qkv:     take(at+"qkv.weight", D, 3*D),
			combine: into("combine", "norm1", D),
			ff1:     take(at+"ff1.weight", D, c.FF),
			ff1Bias: take(at+"ff1.bias", c.FF),
			ff2:     into("ff2", "norm2", c.FF),
		}
	}
	return ls
}

func isScale(name string) bool { return strings.HasSuffix(name, ".gamma") }

// over returns the same roles over another flat vector, such as a gradient.
func (c Config) over(flat []float32) weights {
	return c.layout(func(_ string, shape ...int) []float32 {
		n := 1
		for _, d := range shape {
			n *= d
		}
		x := flat[:n:n]
		flat = flat[n:]
		return x
	})
}
