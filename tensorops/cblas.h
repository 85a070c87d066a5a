// The part of OpenBLAS the package uses. libopenblas-dev's own headers are not needed.
char *openblas_get_corename(void);
char *openblas_get_config(void);

void epb_blas_init(void);
void epb_blas_select(const char *core);

void epb_sgemm(int count, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda,
               long stride_a, const float *b, int ldb, long stride_b, float beta, float *c, int ldc, long stride_c);
