package tensorops

import (
	"fmt"
	"math"
)

// Attention is multi-head self-attention within each instance. It takes the fused projection; the caller combines the
// heads afterwards. For each head, att = softmax(Q·Kᵀ/√(d/heads))·V. p keeps the probabilities for the backward pass.
//
// Shapes: att [B·nodes,d]; p [B,heads,nodes,nodes]; qkv [B·nodes,3d] with Q, K, V side by side.
func Attention(att, p, qkv []float32, nodes, heads, d int) {
	dh, nn := d/heads, nodes*nodes
	scale := float32(1 / math.Sqrt(float64(dh)))
	for i := range instancesOf("Attention", len(att), len(p), len(qkv), nodes, heads, d) {
		q := qkv[i*nodes*3*d:][:nodes*3*d]
		s := p[i*heads*nn:][:heads*nn]
		GemmBatch(heads, false, true, nodes, nodes, dh, scale, q, 3*d, dh, q[d:], 3*d, dh, 0, s, nodes, nn)
		Softmax(s, s, nodes)
		GemmBatch(
			heads, false, false, nodes, dh, nodes, 1, s, nodes, nn, q[2*d:], 3*d, dh, 0, att[i*nodes*d:][:nodes*d], d,
			dh,
		)
	}
}

// AttentionBackward stores the gradient of qkv in dqkv. ds is scratch space for one instance.
//
// Shapes: dqkv, qkv [B·nodes,3d]; ds [heads,nodes,nodes] or longer; p [B,heads,nodes,nodes]; datt [B·nodes,d].
func AttentionBackward(dqkv, ds, p, qkv, datt []float32, nodes, heads, d int) {
	dh, nn := d/heads, nodes*nodes
	scale := float32(1 / math.Sqrt(float64(dh)))
	ds = ds[:heads*nn]
	rows("AttentionBackward", 3*d, len(qkv), len(dqkv))
	for i := range instancesOf("AttentionBackward", len(datt), len(p), len(qkv), nodes, heads, d) {
		q, dq := qkv[i*nodes*3*d:][:nodes*3*d], dqkv[i*nodes*3*d:][:nodes*3*d]
		s, da := p[i*heads*nn:][:heads*nn], datt[i*nodes*d:][:nodes*d]
		GemmBatch(heads, false, true, nodes, nodes, dh, 1, da, d, dh, q[2*d:], 3*d, dh, 0, ds, nodes, nn)
		GemmBatch(heads, true, false, nodes, dh, nodes, 1, s, nodes, nn, da, d, dh, 0, dq[2*d:], 3*d, dh)
		SoftmaxBackward(ds, s, ds, nodes)
		GemmBatch(heads, false, false, nodes, dh, nodes, scale, ds, nodes, nn, q[d:], 3*d, dh, 0, dq, 3*d, dh)
		GemmBatch(heads, true, false, nodes, dh, nodes, scale, ds, nodes, nn, q, 3*d, dh, 0, dq[d:], 3*d, dh)
	}
}

// instancesOf returns B of arrays with the lengths of att [B·nodes,d], p [B,heads,nodes,nodes] and qkv [B·nodes,3d].
func instancesOf(op string, att, p, qkv, nodes, heads, d int) int {
	b := int(rows(op, nodes*d, att))
	if d%heads != 0 || p != b*heads*nodes*nodes || qkv != 3*att {
		panic(fmt.Sprintf("tensorops: %s: %d instances of %d nodes, %d heads and %d channels (a multiple of the "+
			"heads) with probabilities of %d and a projection of %d elements", op, b, nodes, heads, d, p, qkv))
	}
	return b
}
