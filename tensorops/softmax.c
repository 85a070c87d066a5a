#include "kernels.h"
#include "simd.h"

INLINE void softmax_row(int N, float *y, const float *x, float scale) {
    float last[LANES], m[LANES], b[LANES], s[LANES] = {0};
    load_last(last, x, N, -INFINITY);
    memcpy(m, last, sizeof m);
    EACH_FULL_BLOCK(j, N) {
        load(b, x + j);
        EACH_LANE(i) m[i] = b[i] > m[i] ? b[i] : m[i];
    }
    float top = max_lane(m);
    EACH_FULL_BLOCK(j, N) {
        load(b, x + j);
        EACH_LANE(i) b[i] = exp32((b[i] - top) * scale);
        EACH_LANE(i) s[i] += b[i];
        store(y + j, b);
    }
    int skip = overlap(N);
    EACH_LANE(i) last[i] = exp32((last[i] - top) * scale);
    EACH_LANE(i) s[i] += i < skip ? 0.0f : last[i];
    float norm = 1.0f / sum(s);
    EACH_FULL_BLOCK(j, N) {
        EACH_LANE(i) y[j + i] *= norm;
    }
    EACH_LANE(i) last[i] *= norm;
    store_last(y, N, last);
}

KERNEL void epb_softmax(int R, int N, float *y, const float *x, const unsigned char *mask) {
    if (mask) {
        long n = (long)R * N;
#pragma omp simd
        for (long i = 0; i < n; i++)
            y[i] = mask[i] ? -INFINITY : x[i];
        x = y;
    }
    for (int r = 0; r < R; r++, x += N, y += N)
        softmax_row(N, y, x, 1.0f);
}

KERNEL void epb_softmax_segments(int S, const int *offset, float *y, const float *x, float scale) {
    for (int s = 0; s < S; s++)
        if (offset[s + 1] > offset[s])
            softmax_row(offset[s + 1] - offset[s], y + offset[s], x + offset[s], scale);
}

KERNEL void epb_softmax_backward(int R, int N, float *dx, const float *y, const float *dy) {
    int skip = overlap(N);
    for (int r = 0; r < R; r++, dx += N, y += N, dy += N) {
        float s[LANES] = {0}, a[LANES], b[LANES];
        EACH_FULL_BLOCK(j, N) {
            EACH_LANE(i) s[i] += y[j + i] * dy[j + i];
        }
        load_last(a, y, N, 0);
        load_last(b, dy, N, 0);
        EACH_LANE(i) s[i] += i < skip ? 0.0f : a[i] * b[i];
        float mean = sum(s);
        EACH_FULL_BLOCK(j, N) {
            EACH_LANE(i) dx[j + i] = y[j + i] * (dy[j + i] - mean);
        }
        EACH_LANE(i) a[i] *= b[i] - mean;
        store_last(dx, N, a);
    }
}
