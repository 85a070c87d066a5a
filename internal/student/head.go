package student

// head turns node embeddings into queries: the part of the network between encoder and router.
type head interface {
	// project computes what all states of an instance share.
	project(w *weights, e *encoder)
	// forward sets p.Q and, unless the keys are static, p.u for the states.
	forward(w *weights, e *encoder, st *states, p *pointer)
	// backward adds the gradient of the node embeddings to dh [B·n,D] and the gradient of the parameters to g. It reads
	// p.du, or p.dQ with static keys. Call it after forward on the same states.
	backward(g, w *weights, e *encoder, st *states, p *pointer, dh []float32)
}

// pointer is what a head gives the router, and the gradients that the router gives back.
type pointer struct {
	Q, dQ []float32 // [T,D] Q(s;θ)
	// u [L] holds the pointer scores Q·h(s,n)/τ_r of the candidates, which stand for the keys of Eq. 4. Static keys
	// need none.
	u, du []float32
}

func (c Config) head() head {
	if c.named() {
		return &namedHead{}
	}
	if c.lehd() {
		return &lehdHead{stack: stack{cfg: c}}
	}
	return &pomoHead{cfg: c}
}
