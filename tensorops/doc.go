// Package tensorops holds the numeric kernels of the project: matrix products on OpenBLAS, the other
// operations of an attention network as small C kernels compiled for AVX-512, AVX2 and the baseline
// (chosen at run time), each with its hand-written backward, and Adam.
//
// Conventions. Everything is float32 and row-major. The destination comes first; gradients are named d
// plus the name of what they belong to. Gradients of parameters are added to, gradients of activations are
// overwritten, unless a function says otherwise. A shape mismatch is a programmer's error and panics.
// A plain Go version of each kernel lives in reference_test.go.
//
// Parallelism belongs to the caller: a kernel runs on the calling goroutine only, OpenBLAS included, so a
// result depends on the machine but never on GOMAXPROCS.
package tensorops
