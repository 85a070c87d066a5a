// Package tensorops holds the numeric kernels of the project: matrix products on OpenBLAS, the other operations of an
// attention network as small C kernels compiled for AVX-512, AVX2 and the baseline (chosen at run time), each with its
// hand-written backward, and Adam.
//
// Conventions. Everything is float32 and row-major. The destination comes first; gradients are named d plus the name of
// what they belong to. Gradients of parameters are added to, gradients of activations are overwritten, unless a
// function says otherwise. A shape mismatch is a programmer's error and panics. A plain Go version of each kernel lives
// in reference_test.go.
//
// Slices, not tensors. Between packages arrays cross as *tensor.Dense (internal/dense); kernels take slices. They are
// called thousands of times a batch, mostly on parts of larger buffers: of one instance, one head, one block of
// parameters. To wrap such a part as a tensor takes about 450 ns and 8 allocations, more than many of these calls do.
// Whoever calls has checked the tensors' shapes when it opened them, and the kernels check lengths once more.
//
// Parallelism belongs to the caller: a kernel runs on the calling goroutine only, OpenBLAS included, so a result never
// depends on GOMAXPROCS.
//
// Bits. The C kernels give the same bits on every CPU: their sums run over a fixed number of lanes, and -std=c11 keeps
// the compiler from fusing a product with a sum (GCC does so in its default dialect). OpenBLAS's products differ in
// their last bits from one family of kernels to another. Identity names what a process computes with.
package tensorops
