#include "kernels.h"
#include "simd.h"

#define NORM_EPS 1e-5f // PyTorch's default

// Statistics run over the nodes of one instance, so that LANES channels are worked on at a time, node by node.

KERNEL void epb_instance_norm(int B, int n, int D, float *y, float *xhat, float *rstd, const float *x,
                              const float *residual, const float *gamma, const float *beta) {
    float inverse = 1.0f / n;
    for (int b = 0; b < B; b++, rstd += D) {
        for (int d = 0; d < D; d += LANES) {
            long at = (long)b * n * D + d;
            float mean[LANES] = {0}, var[LANES] = {0}, r[LANES];
            for (long i = 0, o = at; i < n; i++, o += D)
                EACH_LANE(l) {
                    xhat[o + l] = x[o + l] + residual[o + l];
                    mean[l] += xhat[o + l];
                }
            EACH_LANE(l) mean[l] *= inverse;
            for (long i = 0, o = at; i < n; i++, o += D)
                EACH_LANE(l) {
                    float c = xhat[o + l] - mean[l];
                    xhat[o + l] = c;
                    var[l] += c * c;
                }
            EACH_LANE(l) r[l] = 1.0f / sqrtf(var[l] * inverse + NORM_EPS);
            store(rstd + d, r);
            for (long i = 0, o = at; i < n; i++, o += D)
                EACH_LANE(l) {
                    float h = xhat[o + l] * r[l];
                    xhat[o + l] = h;
                    y[o + l] = h * gamma[d + l] + beta[d + l];
                }
        }
    }
}

KERNEL void epb_instance_norm_backward(int B, int n, int D, float *dz, float *dgamma, float *dbeta, const float *xhat,
                                       const float *rstd, const float *gamma, const float *dy) {
    float inverse = 1.0f / n;
    for (int b = 0; b < B; b++, rstd += D) {
        for (int d = 0; d < D; d += LANES) {
            long at = (long)b * n * D + d;
            float s[LANES] = {0}, t[LANES] = {0}, scale[LANES];
            for (long i = 0, o = at; i < n; i++, o += D)
                EACH_LANE(l) {
                    s[l] += dy[o + l];
                    t[l] += dy[o + l] * xhat[o + l];
                }
            EACH_LANE(l) {
                dbeta[d + l] += s[l];
                dgamma[d + l] += t[l];
                scale[l] = rstd[d + l] * gamma[d + l];
                s[l] *= inverse;
                t[l] *= inverse;
            }
            for (long i = 0, o = at; i < n; i++, o += D)
                EACH_LANE(l) dz[o + l] = scale[l] * (dy[o + l] - s[l] - xhat[o + l] * t[l]);
        }
    }
}

KERNEL void epb_affine(int R, int D, float *y, float *z, const float *x, const float *residual, const float *gamma,
                       const float *beta) {
    for (int r = 0; r < R; r++, y += D, z += D, x += D, residual += D) {
#pragma omp simd
        for (int d = 0; d < D; d++) {
            float v = x[d] + residual[d];
            z[d] = v;
            y[d] = gamma[d] * v + beta[d];
        }
    }
}

KERNEL void epb_affine_backward(int R, int D, float *dz, float *dgamma, float *dbeta, const float *z,
                                const float *gamma, const float *dy) {
    for (int r = 0; r < R; r++, dz += D, z += D, dy += D) {
#pragma omp simd
        for (int d = 0; d < D; d++) {
            float v = dy[d];
            dgamma[d] += v * z[d];
            dbeta[d] += v;
            dz[d] = gamma[d] * v;
        }
    }
}
