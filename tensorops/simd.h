// Rows in blocks of LANES floats. Loops over a block have a fixed count, so that the compiler turns each into one or
// two vector instructions. A row that is no multiple of LANES ends in a *last* block that overlaps its predecessor
// instead of a scalar tail (three times faster at 50 columns); a row shorter than a block is padded.
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LANES 16
#define INLINE static inline __attribute__((always_inline))
#define EACH_LANE(i) _Pragma("omp simd") for (int i = 0; i < LANES; i++)
#define EACH_FULL_BLOCK(j, N) for (int j = 0, full_ = full(N); j < full_; j += LANES)

// full is the number of columns in the blocks before the last one.
INLINE int full(int N) { return (N - 1) / LANES * LANES; }

// overlap is the number of leading lanes of the last block that the block before it covers already.
INLINE int overlap(int N) { return N < LANES ? 0 : full(N) + LANES - N; }

INLINE void load(float b[LANES], const float *x) { memcpy(b, x, LANES * sizeof(float)); }
INLINE void store(float *x, const float b[LANES]) { memcpy(x, b, LANES * sizeof(float)); }

INLINE void load_last(float b[LANES], const float *x, int N, float pad) {
    if (N >= LANES) {
        load(b, x + N - LANES);
        return;
    }
    EACH_LANE(i) b[i] = pad;
    for (int i = 0; i < N; i++)
        b[i] = x[i];
}

INLINE void store_last(float *x, int N, const float b[LANES]) {
    if (N >= LANES)
        store(x + N - LANES, b);
    else
        for (int i = 0; i < N; i++)
            x[i] = b[i];
}

// sum adds the lanes pairwise, always in the same order.
INLINE float sum(const float b[LANES]) {
    float t[LANES];
    memcpy(t, b, sizeof t);
    for (int w = LANES / 2; w > 0; w /= 2)
        for (int i = 0; i < w; i++)
            t[i] += t[i + w];
    return t[0];
}

INLINE float max_lane(const float b[LANES]) {
    float m = b[0];
    for (int i = 1; i < LANES; i++)
        m = b[i] > m ? b[i] : m;
    return m;
}

// exp32 is e^x for x ≤ 0 with a relative error below 2e-7: Cody-Waite reduction and the polynomial of Cephes' expf.
// Below -87.3, where float32 turns subnormal, it is exactly 0.
INLINE float exp32(float x) {
    const float round = 12582912.0f; // 1.5·2^23: adding it leaves the nearest integer in the low bits
    float z = x > -87.3f ? x : -87.3f;
    float k = z * 1.44269504f + round;
    int32_t bits;
    memcpy(&bits, &k, sizeof bits);
    k -= round;
    float r = z - k * 0.693359375f;
    r += k * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    int32_t e;
    memcpy(&e, &p, sizeof e);
    e += (int32_t)((uint32_t)bits << 23);
    memcpy(&p, &e, sizeof p);
    return x >= -87.3f ? p : 0.0f;
}
