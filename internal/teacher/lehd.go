package teacher

import (
	"fmt"
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// lehd is LEHD (Luo et al. 2023): a light encoder of one layer, and a heavy decoder that passes the unvisited nodes, between a first
// and a last token, through all its layers at every step. Nothing is normalised, clipped or masked.
type lehd struct {
	problem routing.Problem
	encoder stack
	layers  stack // of the decoder; no embedding
	// ends [d,2d] and endsB [2d] turn a node's embedding into its token as first and as last node.
	ends, endsB []float32
	// roomF, roomL [d] are what the room in a full vehicle adds to them. CVRP only.
	roomF, roomL []float32
	// final [d,c], finalB [c]: a logit for going to a node directly and, for CVRP (c = 2), one for going by way of the depot.
	final, finalB []float32
}

func buildLEHD(c *checkpoint) (model, error)     { return newLEHD(c, routing.TSP) }
func buildLEHDCVRP(c *checkpoint) (model, error) { return newLEHD(c, routing.CVRP) }

func newLEHD(c *checkpoint, problem routing.Problem) (model, error) {
	w := newWeights(c)
	d := w.numbers("encoder.embedding.bias")
	heads := option(c, "head_num", 8)
	if err := w.checkWidth(d, heads); err != nil {
		return nil, err
	}
	net := &lehd{problem: problem, encoder: stack{d: d, heads: heads}, layers: stack{d: d, heads: heads}}
	net.encoder.embedW, net.encoder.embedB = w.transposed("encoder.embedding.weight", d, inputs(problem)), w.get("encoder.embedding.bias", d)
	names := pomoNames{feedForward: "feedForward.W%d.%s"}
	for l := range w.layers("encoder.layers.%d.Wq.weight") {
		net.encoder.layers = append(net.encoder.layers, pomoLayer(w, fmt.Sprintf("encoder.layers.%d.", l), names, d))
	}
	for l := range w.layers("decoder.layers.%d.Wq.weight") {
		net.layers.layers = append(net.layers.layers, pomoLayer(w, fmt.Sprintf("decoder.layers.%d.", l), names, d))
	}
	outputs := 1
	in := d
	if problem == routing.CVRP {
		outputs, in = 2, d+1
	} else if _, ok := w.params["decoder.k_1.weight"]; ok {
		w.get("decoder.k_1.weight", d, d) // in the original's files, but never used
		w.get("decoder.k_1.bias", d)
	}
	first, last := w.transposed("decoder.embedding_first_node.weight", d, in), w.transposed("decoder.embedding_last_node.weight", d, in)
	net.ends = make([]float32, d*2*d)
	place(net.ends, first, d, d, 2*d, 0)
	place(net.ends, last, d, d, 2*d, d)
	net.endsB = slices.Concat(w.get("decoder.embedding_first_node.bias", d), w.get("decoder.embedding_last_node.bias", d))
	if problem == routing.CVRP {
		net.roomF, net.roomL = first[d*d:], last[d*d:]
	}
	net.final, net.finalB = w.transposed("decoder.Linear_final.weight", outputs, d), w.get("decoder.Linear_final.bias", outputs)
	return net, w.finish()
}

func (net *lehd) describe(info *Info) {
	info.Layers, info.DecoderLayers = len(net.encoder.layers), len(net.layers.layers)
	info.Dim, info.FF, info.Heads = net.encoder.d, net.encoder.layers[0].width(), net.encoder.heads
	info.OwnStart, info.View = net.problem == routing.CVRP, routing.Subgraph
}

func (net *lehd) decoder() routing.Decoder { return newLEHDDecoder(net) }
