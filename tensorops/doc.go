// Package tensorops holds the numeric kernels of the project: matrix products on OpenBLAS, the other operations of an
// attention network as small C kernels compiled for AVX-512, AVX2 and the baseline (chosen at run time), each with its
// hand-written backward, and Adam.
//
// Conventions. Everything is float32 and row-major. The destination comes first. The gradient of x is named dx.
// Functions add to gradients of parameters and overwrite gradients of activations, unless their comment says otherwise.
// A shape mismatch is an error of the programmer and panics. A plain Go version of each kernel is in reference_test.go.
//
// Slices, not tensors. Between packages, arrays are passed as *tensor.Dense (internal/dense); kernels take slices. They
// are called thousands of times a batch, mostly on parts of larger buffers: of one instance, one head, one block of
// parameters. To wrap such a part as a tensor takes about 450 ns and 8 allocations, more than many of these calls take.
// Callers check the tensors' shapes when they open them, and the kernels check the lengths again.
//
// Parallelism is the caller's task: a kernel, including those of OpenBLAS, runs on the calling goroutine only. So a
// result never depends on GOMAXPROCS.
//
// Bits. The C kernels give the same bits on every CPU: their sums run over a fixed number of lanes, and the
// compiler does not fuse a product with a sum: -std=c11 prevents it of GCC, which does so in its default dialect, and a
// pragma of Clang. OpenBLAS's products differ in their last bits from one family of kernels to another. Identity names
// what the bits of a process depend on.
package tensorops
