// The C kernels behind the package's Go functions, which check the shapes.
// Dimension letters: R rows, N columns, B instances of n nodes each, D channels.

// Clang fuses products and sums within an expression whatever -std says, so that results would have other bits.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

// KERNEL compiles a function for several instruction sets; the loader picks one when the program starts.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#define KERNEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define KERNEL
#endif

// Softmax family: x, y, dx, dy [R,N]; mask [R,N] or NULL; in place allowed.
void epb_softmax(int R, int N, float *y, const float *x, const unsigned char *mask);
void epb_softmax_segments(int S, const int *offset, float *y, const float *x, float scale);
void epb_softmax_backward(int R, int N, float *dx, const float *y, const float *dy);

// Instance normalisation of x + residual over the n nodes of each instance: y, xhat [B·n,D], rstd [B,D]; D % 16 == 0.
void epb_instance_norm(int B, int n, int D, float *y, float *xhat, float *rstd, const float *x, const float *residual,
                       const float *gamma, const float *beta);
void epb_instance_norm_backward(int B, int n, int D, float *dz, float *dgamma, float *dbeta, const float *xhat,
                                const float *rstd, const float *gamma, const float *dy);

// y = gamma·z + beta with z = x + residual, row by row: y, z, x, residual, dz, dy [R,D]; gamma, beta [D].
void epb_affine(int R, int D, float *y, float *z, const float *x, const float *residual, const float *gamma,
                const float *beta);
void epb_affine_backward(int R, int D, float *dz, float *dgamma, float *dbeta, const float *z, const float *gamma,
                         const float *dy);

// Row by row: x, dx, y, dy [R,N]; bias, db [N]; index [R] of rows that are ld apart.
void epb_add_bias(int R, int N, float *x, const float *bias);
void epb_add_columns(int R, int N, float *db, const float *dy);
void epb_bias_relu(int R, int N, float *x, const float *bias);
void epb_bias_relu_backward(int R, int N, float *dx, float *db, const float *y);
void epb_gather_add(int R, int N, float *y, const float *x, int ld, const int *index);
void epb_scatter_add(int R, int N, float *dx, int ld, const float *dy, const int *index);

// Optimiser: flat arrays of length n.
void epb_add(long n, float *dst, const float *src);
double epb_sum_squares(long n, const float *x);
void epb_adam(long n, float *p, float *m, float *v, const float *g, float scale, float beta1, float beta2, float step,
              float correction2, float eps);
