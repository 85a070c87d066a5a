package tensorops

/*
#cgo noescape epb_gather_add
#cgo nocallback epb_gather_add
#cgo noescape epb_scatter_add
#cgo nocallback epb_scatter_add
#include "kernels.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// GatherAdd adds row index[r] of x to row r of y. Rows of x are ld apart, so x may be a block of columns.
//
// Shapes: y [R,n], index [R], x [*,n] with row stride ld.
func GatherAdd(y, x []float32, ld int, index []int32, n int) {
	checkIndex("GatherAdd", len(y), len(x), ld, index, n)
	C.epb_gather_add(
		C.int(len(index)), C.int(n), ptr(y), ptr(x), C.int(ld), (*C.int)(unsafe.Pointer(unsafe.SliceData(index))),
	)
}

// ScatterAdd adds row r of dy to row index[r] of dx, for r = 0, 1, … in order. It is the backward of GatherAdd.
//
// Shapes: dx [*,n] with row stride ld, dy [R,n], index [R].
func ScatterAdd(dx []float32, ld int, dy []float32, index []int32, n int) {
	checkIndex("ScatterAdd", len(dy), len(dx), ld, index, n)
	C.epb_scatter_add(
		C.int(len(index)), C.int(n), ptr(dx), C.int(ld), ptr(dy), (*C.int)(unsafe.Pointer(unsafe.SliceData(index))),
	)
}

func checkIndex(op string, packed, strided, ld int, index []int32, n int) {
	if packed != len(index)*n || ld < n {
		panic(fmt.Sprintf("tensorops: %s: %d elements for %d rows of %d, row stride %d", op, packed, len(index), n, ld))
	}
	for r, i := range index {
		if i < 0 || int(i)*ld+n > strided {
			panic(fmt.Sprintf(
				"tensorops: %s: index[%d] = %d is outside %d elements with row stride %d", op, r, i, strided, ld,
			))
		}
	}
}
