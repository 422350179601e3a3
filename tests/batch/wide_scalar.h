/* Operations of the scalar of lanes (src/real/wide.h), lane by lane: that scalar is C++, the tests are C. */
#ifndef ZV_TEST_BATCH_WIDE_SCALAR_H
#define ZV_TEST_BATCH_WIDE_SCALAR_H

#ifdef __cplusplus
extern "C" {
#endif

enum { WIDE_MOST = 16 }; /* lanes at most */
typedef enum wideOperation {
    WIDE_FLOOR,
    WIDE_MIN,
    WIDE_MAX,
    WIDE_LESS,
    WIDE_GREATER,
    WIDE_DIFFERENT,
    WIDE_EXCEEDS,
    WIDE_OPERATIONS
} wideOperation;

/* How many lanes there are; out[i] := a[i] op b[i], 1 or 0 of comparisons. */
int wide_double(wideOperation operation, const double *a, const double *b, double *out);
int wide_single(wideOperation operation, const float *a, const float *b, float *out);
/* Whether a branch by a < b is taken; the same in all lanes. */
int wide_branch_double(const double *a, const double *b);
int wide_branch_single(const float *a, const float *b);

#ifdef __cplusplus
}
#endif
#endif
