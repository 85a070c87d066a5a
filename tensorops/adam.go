package tensorops

/*
#cgo noescape epb_add
#cgo nocallback epb_add
#cgo noescape epb_sum_squares
#cgo nocallback epb_sum_squares
#cgo noescape epb_adam
#cgo nocallback epb_adam
#include "kernels.h"
*/
import "C"

import "math"

// The constants of Adam, with the values of the paper's frameworks.
const (
	adamBeta1 = 0.9
	adamBeta2 = 0.999
	adamEps   = 1e-8
)

// Adam moves the parameters p against the gradient scale·g by one step of size lr and updates the moments m and v. step
// counts from 1. p may be any slice of the parameters, so a caller may split the work.
//
// Shapes: p, m, v, g [n].
func Adam(p, m, v, g []float32, scale float32, lr float64, step int) {
	rows("Adam", 1, len(p), len(m), len(v), len(g))
	c1 := 1 - math.Pow(adamBeta1, float64(step))
	c2 := 1 - math.Pow(adamBeta2, float64(step))
	C.epb_adam(C.long(len(p)), ptr(p), ptr(m), ptr(v), ptr(g), C.float(scale), adamBeta1, adamBeta2,
		C.float(lr/c1), C.float(1/math.Sqrt(c2)), adamEps)
}

// Add adds src to dst, element by element.
func Add(dst, src []float32) {
	rows("Add", 1, len(dst), len(src))
	C.epb_add(C.long(len(dst)), ptr(dst), ptr(src))
}

// SumSquares returns the sum of the squares of x.
func SumSquares(x []float32) float64 { return float64(C.epb_sum_squares(C.long(len(x)), ptr(x))) }
