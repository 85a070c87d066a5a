package teacher

import (
	"slices"

	"github.com/epb-nco/epb/internal/routing"
)

// lehd is LEHD (Luo et al. 2023). It has a light encoder of one layer and a heavy decoder. At every step the decoder
// passes the unvisited nodes, between a first and a last token, through all its layers. It has no normalisation,
// clipping or mask.
type lehd struct {
	passing
	roles  Encoder
	enc    encoderWeights
	layers []layerWeights // of the decoder
	// ends [d,2d] and endsB [2d] turn a node's embedding into its token as first and as last node.
	ends, endsB []float32
	// roomF, roomL [d] are added to these tokens, times the room in the vehicle (1 if empty). CVRP only.
	roomF, roomL []float32
	// final [d,c], finalB [c]: a logit for going to a node directly and, for CVRP (c = 2), one for going by way of the
	// depot.
	final, finalB []float32
}

func buildLEHD(c *checkpoint) (model, error)     { return newLEHD(c, passingTours) }
func buildLEHDCVRP(c *checkpoint) (model, error) { return newLEHD(c, passingRoutes) }

func newLEHD(c *checkpoint, on passing) (model, error) {
	r := newReader(c)
	names := pomoNames{embed: "encoder.embedding", feedForward: "feedForward.W%d.%s"}
	enc, d, err := pomoEncoder(r, on.problem, names)
	if err != nil {
		return nil, err
	}
	net := &lehd{passing: on, roles: enc, enc: enc.slices(d), layers: layerSlices(pomoLayers(r, "decoder", names, d))}
	in := d
	if on.room {
		in++
	}
	if _, ok := r.params[on.unused+".weight"]; ok {
		r.get(on.unused+".weight", d, d)
		r.get(on.unused+".bias", d)
	}
	first, last := r.transposed("decoder.embedding_first_node.weight", d, in), r.transposed(
		"decoder.embedding_last_node.weight", d, in,
	)
	net.ends = make([]float32, d*2*d)
	place(net.ends, first, d, d, 2*d, 0)
	place(net.ends, last, d, d, 2*d, d)
	net.endsB = slices.Concat(
		r.get("decoder.embedding_first_node.bias", d), r.get("decoder.embedding_last_node.bias", d),
	)
	if on.room {
		net.roomF, net.roomL = first[d*d:], last[d*d:]
	}
	net.final, net.finalB = r.transposed("decoder.Linear_final.weight", on.outputs, d), r.get(
		"decoder.Linear_final.bias", on.outputs,
	)
	return net, r.finish()
}

func (net *lehd) describe(info *Info) {
	info.Layers, info.DecoderLayers = len(net.enc.layers), len(net.layers)
	info.Dim, info.FF, info.Heads = net.enc.d, net.enc.layers[0].width(), net.enc.heads
	info.OwnStart, info.View = net.ownStart, routing.Subgraph
}

func (net *lehd) encoder() *Encoder { return &net.roles }

func (net *lehd) decoder() routing.Decoder { return newLEHDDecoder(net) }
