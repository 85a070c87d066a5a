package teacher

import "github.com/epb-nco/epb/internal/routing"

// network is the common form of AM and POMO. All products that do not depend on the instance are computed beforehand.
type network struct {
	roles Encoder
	encoderWeights
	pointing

	// key [d,d] maps an embedding h to its glimpse key. project [d,blocks·d] maps it to blocks: glimpse value, logit
	// key, and the query terms of the node as current and (TSP) as first one. The logit key contains the combination of
	// the heads: (W_o g)·(W_k h) = g·(W_oᵀ W_k h). So a step costs attention only.
	key     []float32
	project []float32
	blocks  int
	// logitB [d] contains the bias of the combination: it adds h·logitB to node h's logit. POMO only.
	logitB []float32
	// fixed [d,d] maps the mean embedding to a query term of all steps. AM only.
	fixed []float32
	// placeholder [d] is the query term of the step that chooses the first node. AM for TSP only.
	placeholder []float32
	// loadW [d] is the query term of a full vehicle. CVRP only.
	loadW []float32
	// account computes the room in the vehicle as the model does. CVRP only.
	account account
	// ownStart: the model chooses its first node itself.
	ownStart bool
	// viaDepot: distributions are recorded over customers and the way there, see Teacher.ViaDepot. CVRP only.
	viaDepot bool
	clip     float32 // C of u = C·tanh(·)
}

// The blocks of project.
const (
	blockValue = iota
	blockLogit
	blockCurrent
	blockFirst
)

// newNetwork returns a network of width d with empty projections.
func newNetwork(on pointing, enc Encoder, d int, clip float32) *network {
	net := &network{roles: enc, encoderWeights: enc.slices(d), pointing: on, clip: clip, blocks: blockCurrent + 1}
	if on.first {
		net.blocks = blockFirst + 1
	}
	net.key, net.project = make([]float32, d*d), make([]float32, d*net.blocks*d)
	return net
}

func (net *network) describe(info *Info) {
	info.Layers, info.Dim, info.FF, info.Heads = len(net.layers), net.d, net.layers[0].width(), net.heads
	info.OwnStart, info.View = net.ownStart, routing.Full
}

func (net *network) encoder() *Encoder { return &net.roles }

func (net *network) decoder() routing.Decoder { return newPointerDecoder(net) }
