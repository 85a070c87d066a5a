package tensorops

/*
#cgo noescape epb_sgemm
#cgo nocallback epb_sgemm
#cgo LDFLAGS: -lopenblas
#include "cblas.h"
*/
import "C"

import (
	"fmt"
	"unsafe"
)

// Gemm computes C = alpha·op(A)·op(B) + beta·C with op(A) [m,k], op(B) [k,n] and C [m,n].
//
// lda, ldb and ldc are the row strides of the matrices as stored: A is [m,k], or [k,m] if transA, and so on.
func Gemm(
	transA, transB bool, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32,
	c []float32, ldc int,
) {
	GemmBatch(1, transA, transB, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0)
}

// GemmBatch computes count products like Gemm's in one call. The i-th reads a[i·strideA:] and b[i·strideB:] and writes
// c[i·strideC:]. Use it for many small products, such as the heads of an attention layer.
func GemmBatch(
	count int, transA, transB bool, m, n, k int, alpha float32, a []float32, lda, strideA int, b []float32, ldb,
	strideB int, beta float32, c []float32, ldc, strideC int,
) {
	if count == 0 || m == 0 || n == 0 {
		return
	}
	checkMatrix("A", transA, count, m, k, len(a), lda, strideA)
	checkMatrix("B", transB, count, k, n, len(b), ldb, strideB)
	checkMatrix("C", false, count, m, n, len(c), ldc, strideC)
	C.epb_sgemm(C.int(count), trans(transA), trans(transB), C.int(m), C.int(n), C.int(k), C.float(alpha),
		ptr(a), C.int(lda), C.long(strideA), ptr(b), C.int(ldb), C.long(strideB),
		C.float(beta), ptr(c), C.int(ldc), C.long(strideC))
}

func checkMatrix(name string, transposed bool, count, rows, cols, length, ld, stride int) {
	if transposed {
		rows, cols = cols, rows
	}
	if count < 0 || rows <= 0 || cols <= 0 || ld < cols || stride < 0 || length < (count-1)*stride+(rows-1)*ld+cols {
		panic(fmt.Sprintf("tensorops: Gemm: %s is %d × [%d,%d] with row stride %d and stride %d, but has %d elements",
			name, count, rows, cols, ld, stride, length))
	}
}

func trans(t bool) C.int {
	if t {
		return 112 // CblasTrans
	}
	return 111 // CblasNoTrans
}

func ptr(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
