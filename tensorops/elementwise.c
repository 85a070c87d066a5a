#include "kernels.h"
#include "simd.h"

KERNEL void epb_add_bias(int R, int N, float *x, const float *bias) {
    for (int r = 0; r < R; r++, x += N) {
#pragma omp simd
        for (int j = 0; j < N; j++)
            x[j] += bias[j];
    }
}

KERNEL void epb_add_columns(int R, int N, float *db, const float *dy) {
    for (int r = 0; r < R; r++, dy += N) {
#pragma omp simd
        for (int j = 0; j < N; j++)
            db[j] += dy[j];
    }
}

KERNEL void epb_bias_relu(int R, int N, float *x, const float *bias) {
    for (int r = 0; r < R; r++, x += N) {
#pragma omp simd
        for (int j = 0; j < N; j++) {
            float v = x[j] + bias[j];
            x[j] = v > 0.0f ? v : 0.0f;
        }
    }
}

KERNEL void epb_bias_relu_backward(int R, int N, float *dx, float *db, const float *y) {
    for (int r = 0; r < R; r++, dx += N, y += N) {
#pragma omp simd
        for (int j = 0; j < N; j++) {
            float v = y[j] > 0.0f ? dx[j] : 0.0f;
            dx[j] = v;
            db[j] += v;
        }
    }
}

KERNEL void epb_gather_add(int R, int N, float *y, const float *x, int ld, const int *index) {
    for (int r = 0; r < R; r++, y += N) {
        const float *row = x + (long)index[r] * ld;
#pragma omp simd
        for (int j = 0; j < N; j++)
            y[j] += row[j];
    }
}

KERNEL void epb_scatter_add(int R, int N, float *dx, int ld, const float *dy, const int *index) {
    for (int r = 0; r < R; r++, dy += N) {
        float *row = dx + (long)index[r] * ld;
#pragma omp simd
        for (int j = 0; j < N; j++)
            row[j] += dy[j];
    }
}

KERNEL void epb_add(long n, float *dst, const float *src) {
#pragma omp simd
    for (long i = 0; i < n; i++)
        dst[i] += src[i];
}

// The partial sums are LANES on every CPU: a reduction as wide as its vectors would add in another order on each.
KERNEL double epb_sum_squares(long n, const float *x) {
    double s[LANES] = {0}, total = 0;
    long i = 0;
    for (; i + LANES <= n; i += LANES)
        EACH_LANE(l) s[l] += (double)x[i + l] * x[i + l];
    for (int l = 0; i < n; i++, l++)
        s[l] += (double)x[i] * x[i];
    for (int l = 0; l < LANES; l++)
        total += s[l];
    return total;
}

KERNEL void epb_adam(long n, float *p, float *m, float *v, const float *g, float scale, float beta1, float beta2,
                     float step, float correction2, float eps) {
#pragma omp simd
    for (long i = 0; i < n; i++) {
        float d = g[i] * scale;
        m[i] = beta1 * m[i] + (1.0f - beta1) * d;
        v[i] = beta2 * v[i] + (1.0f - beta2) * d * d;
        p[i] -= step * m[i] / (sqrtf(v[i]) * correction2 + eps);
    }
}
