package tensorops

/*
#cgo noescape epb_instance_norm
#cgo nocallback epb_instance_norm
#cgo noescape epb_instance_norm_backward
#cgo nocallback epb_instance_norm_backward
#cgo noescape epb_affine
#cgo nocallback epb_affine
#cgo noescape epb_affine_backward
#cgo nocallback epb_affine_backward
#include "kernels.h"
*/
import "C"

import "fmt"

// InstanceNorm normalises z = x + residual over the nodes of each instance, channel by channel:
// y = gamma·(z − mean)/√(var + 1e-5) + beta with the biased variance, as PyTorch's InstanceNorm1d.
// It keeps the normalised xhat and rstd = 1/√(var + 1e-5) for the backward pass.
//
// A constant added to all nodes of a channel cancels, so a bias just before this operation has no effect.
//
// Shapes: y, xhat, x, residual [B·nodes,d]; rstd [B,d]; gamma, beta [d]; d a multiple of 16. y may be x or residual.
func InstanceNorm(y, xhat, rstd, x, residual, gamma, beta []float32, nodes, d int) {
	b := instances("InstanceNorm", nodes, d, len(rstd), len(gamma), len(beta), len(y), len(xhat), len(x), len(residual))
	C.epb_instance_norm(
		b, C.int(nodes), C.int(d), ptr(y), ptr(xhat), ptr(rstd), ptr(x), ptr(residual), ptr(gamma), ptr(beta),
	)
}

// InstanceNormBackward stores in dz the gradient of z, which is also the gradient of x and of residual, and adds to
// dgamma and dbeta; dz may be dy.
//
// Shapes: dz, xhat, dy [B·nodes,d]; rstd [B,d]; dgamma, dbeta, gamma [d].
func InstanceNormBackward(dz, dgamma, dbeta, xhat, rstd, gamma, dy []float32, nodes, d int) {
	b := instances("InstanceNormBackward", nodes, d, len(rstd), len(gamma), len(dgamma), len(dz), len(xhat), len(dy))
	rows("InstanceNormBackward", d, len(dgamma), len(dbeta))
	C.epb_instance_norm_backward(
		b, C.int(nodes), C.int(d), ptr(dz), ptr(dgamma), ptr(dbeta), ptr(xhat), ptr(rstd), ptr(gamma), ptr(dy),
	)
}

// Affine is a batch norm after training. It stores z = x + residual for the backward pass and y = gamma·z + beta.
//
// Shapes: y, z, x, residual [R,d]; gamma, beta [d].
func Affine(y, z, x, residual, gamma, beta []float32) {
	d := len(gamma)
	rows("Affine", d, d, len(beta))
	C.epb_affine(
		rows("Affine", d, len(y), len(z), len(x), len(residual)), C.int(d), ptr(y), ptr(z), ptr(x), ptr(residual),
		ptr(gamma), ptr(beta),
	)
}

// AffineBackward stores in dz the gradient of z, which is also the gradient of x and of residual, and adds to dgamma
// and dbeta; dz may be dy.
//
// Shapes: dz, z, dy [R,d]; dgamma, dbeta, gamma [d].
func AffineBackward(dz, dgamma, dbeta, z, gamma, dy []float32) {
	d := len(gamma)
	rows("AffineBackward", d, d, len(dgamma), len(dbeta))
	C.epb_affine_backward(
		rows("AffineBackward", d, len(dz), len(z), len(dy)), C.int(d), ptr(dz), ptr(dgamma), ptr(dbeta), ptr(z),
		ptr(gamma), ptr(dy),
	)
}

// instances returns B of arrays that must all have the shape [B·nodes,d].
func instances(op string, nodes, d, rstd, gamma, beta int, lengths ...int) C.int {
	b := int(rows(op, nodes*d, lengths...))
	if d%16 != 0 || rstd != b*d || gamma != d || beta != d {
		panic(fmt.Sprintf("tensorops: %s: %d instances of %d nodes and %d channels (a multiple of 16) "+
			"with rstd of %d, gamma of %d and beta of %d elements",
			op, b, nodes, d, rstd, gamma, beta))
	}
	return C.int(b)
}
