#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cblas.h"

void openblas_set_num_threads(int threads);
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
                 const float *b, int ldb, float beta, float *c, int ldc);

void epb_blas_init(void) { openblas_set_num_threads(1); }

// epb_blas_select makes OpenBLAS choose its kernels again. It chose when it was loaded, before any code of ours could
// speak. The entry points that it used then exist in every build for more than one CPU.
void epb_blas_select(const char *core) {
    void (*quit)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "gotoblas_dynamic_quit");
    void (*init)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init");
    if (!quit || !init)
        return;
    const char *inherited = getenv("OPENBLAS_CORETYPE");
    char *before = inherited ? strdup(inherited) : NULL;
    setenv("OPENBLAS_CORETYPE", core, 1);
    quit();
    init();
    if (before)
        setenv("OPENBLAS_CORETYPE", before, 1);
    else
        unsetenv("OPENBLAS_CORETYPE");
    free(before);
}

void epb_sgemm(int count, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
               long stride_a, const float *b, int ldb, long stride_b, float beta, float *c, int ldc, long stride_c) {
    for (int i = 0; i < count; i++)
        cblas_sgemm(101 /* row-major */, trans_a, trans_b, m, n, k, alpha, a + i * stride_a, lda, b + i * stride_b, ldb,
                    beta, c + i * stride_c, ldc);
}
