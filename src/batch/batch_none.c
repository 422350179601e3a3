/* The functions of batches in builds without a C++ compiler: creating a batch fails with NOT_SUPPORTED. */
#include "zveno/batch.h"

zvBatch *zv_batch_create(const zvModel *model, const zvBatchOptions *options, zvError *error) {
    (void)model, (void)options;
    zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "",
            "this build has no lanes and threads; configure it with -DZVENO_BATCH=ON");
    return NULL;
}

void zv_batch_destroy(zvBatch *batch) { (void)batch; }
int zv_batch_lanes(const zvBatch *batch, bool single) { return (void)batch, (void)single, 1; }
int zv_batch_threads(const zvBatch *batch) { return (void)batch, 1; }

#define QUESTIONS(number, suffix)                                                                                      \
    zvStatus zv_batch_inverse##suffix(zvBatch *b, size_t count, const number *q, const number *v, const number *a,     \
                                      const number *fext, number *tau) {                                               \
        return (void)b, (void)count, (void)q, (void)v, (void)a, (void)fext, (void)tau, ZV_NOT_SUPPORTED;               \
    }                                                                                                                  \
    zvStatus zv_batch_bias##suffix(zvBatch *b, size_t count, const number *q, const number *v, number *bias) {         \
        return (void)b, (void)count, (void)q, (void)v, (void)bias, ZV_NOT_SUPPORTED;                                   \
    }                                                                                                                  \
    zvStatus zv_batch_forward##suffix(zvBatch *b, size_t count, const number *q, const number *v, const number *tau,   \
                                      const number *fext, number *a, zvStatus *status) {                               \
        (void)b, (void)count, (void)q, (void)v, (void)tau, (void)fext, (void)a, (void)status;                          \
        return ZV_NOT_SUPPORTED;                                                                                       \
    }                                                                                                                  \
    zvStatus zv_batch_mixed##suffix(zvBatch *b, size_t count, const number *q, const number *v,                        \
                                    const unsigned char *given, const number *fext, number *tau, number *a,            \
                                    zvStatus *status) {                                                                \
        (void)b, (void)count, (void)q, (void)v, (void)given, (void)fext, (void)tau, (void)a, (void)status;             \
        return ZV_NOT_SUPPORTED;                                                                                       \
    }                                                                                                                  \
    zvStatus zv_batch_mass##suffix(zvBatch *b, size_t count, const number *q, number *M) {                             \
        return (void)b, (void)count, (void)q, (void)M, ZV_NOT_SUPPORTED;                                               \
    }                                                                                                                  \
    zvStatus zv_batch_minv##suffix(zvBatch *b, size_t count, const number *q, number *Minv, zvStatus *status) {        \
        return (void)b, (void)count, (void)q, (void)Minv, (void)status, ZV_NOT_SUPPORTED;                              \
    }                                                                                                                  \
    zvStatus zv_batch_inverse_derivatives##suffix(zvBatch *b, size_t count, const number *q, const number *v,          \
                                                  const number *a, const number *fext, number *dq, number *dv,         \
                                                  number *da) {                                                        \
        (void)b, (void)count, (void)q, (void)v, (void)a, (void)fext, (void)dq, (void)dv, (void)da;                     \
        return ZV_NOT_SUPPORTED;                                                                                       \
    }                                                                                                                  \
    zvStatus zv_batch_forward_derivatives##suffix(zvBatch *b, size_t count, const number *q, const number *v,          \
                                                  const number *tau, const number *fext, number *a, number *dq,        \
                                                  number *dv, number *dtau, zvStatus *status) {                        \
        (void)b, (void)count, (void)q, (void)v, (void)tau, (void)fext, (void)a, (void)dq, (void)dv, (void)dtau;        \
        return (void)status, ZV_NOT_SUPPORTED;                                                                         \
    }                                                                                                                  \
    zvStatus zv_batch_pose##suffix(zvBatch *b, int frame, size_t count, const number *q, number *pose) {               \
        return (void)b, (void)frame, (void)count, (void)q, (void)pose, ZV_NOT_SUPPORTED;                               \
    }                                                                                                                  \
    zvStatus zv_batch_jacobian##suffix(zvBatch *b, int frame, zvAxes axes, size_t count, const number *q, number *J) { \
        return (void)b, (void)frame, (void)axes, (void)count, (void)q, (void)J, ZV_NOT_SUPPORTED;                      \
    }

QUESTIONS(double, )
QUESTIONS(float, _single)
