// The peak of one x86-64 core in single precision: fused multiply-adds on registers alone, of 512 and of 256 bits.
//
//   cc -O2 -o fma infra/peak/fma.c && ./fma [seconds]
//
// prints, for each kind of vector that the CPU has, its name and GFLOP per second of CPU time.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS 1000000
#define CHAINS 12 // independent sums: enough to hide the latency of two units, few enough for 16 registers

#define FMA(v, c) "vfmadd231ps %%" v "15, %%" v "15, %%" v c "\n"
#define FMAS(v)                                                                                                        \
    FMA(v, "0") FMA(v, "1") FMA(v, "2") FMA(v, "3") FMA(v, "4") FMA(v, "5")                                            \
    FMA(v, "6") FMA(v, "7") FMA(v, "8") FMA(v, "9") FMA(v, "10") FMA(v, "11")
// Sums and factors are 0, so that no subnormal number slows the loop.
#define ZERO(c) "vxorps %%xmm" c ", %%xmm" c ", %%xmm" c "\n"
#define ZEROS                                                                                                          \
    ZERO("0") ZERO("1") ZERO("2") ZERO("3") ZERO("4") ZERO("5") ZERO("6") ZERO("7") ZERO("8") ZERO("9") ZERO("10")     \
    ZERO("11") ZERO("15")
#define USED                                                                                                           \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm15"

static void avx512(void) {
    __asm__ volatile(ZEROS ::: USED);
    for (int i = 0; i < STEPS; i++)
        __asm__ volatile(FMAS("zmm") ::: USED);
    __asm__ volatile("vzeroupper");
}

static void avx2(void) {
    __asm__ volatile(ZEROS ::: USED);
    for (int i = 0; i < STEPS; i++)
        __asm__ volatile(FMAS("ymm") ::: USED);
    __asm__ volatile("vzeroupper");
}

static double cpu_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void measure(const char *name, void (*loop)(void), int lanes, double seconds) {
    double start = cpu_time(), steps = 0, spent;
    do {
        loop();
        steps += STEPS;
    } while ((spent = cpu_time() - start) < seconds);
    printf("%s %.1f\n", name, steps * CHAINS * lanes * 2 / spent / 1e9);
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 0.3;
    if (__builtin_cpu_supports("avx512f"))
        measure("avx512", avx512, 16, seconds);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        measure("avx2", avx2, 8, seconds);
    return 0;
}
