/* Derivatives of inverse dynamics by complex step: the text of the Newton-Euler kernel once more, on complex numbers.
 */
#ifndef ZV_TEST_DERIVE_COMPLEX_STEP_H
#define ZV_TEST_DERIVE_COMPLEX_STEP_H

#include "zveno/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* d tau/dt (nv) without external forces where q and v move at rates dq (nq) and dv (nv); tree coordinates, that is
 * models without coupled joints. */
void complex_step(const zvModel *model, const double *q, const double *dq, const double *v, const double *dv,
                  const double *a, double *dtau);
/* dq, dv of the kernel of derivatives itself on these numbers, which must be the library's. */
void complex_derive(const zvModel *model, const double *q, const double *v, const double *a, double *dq, double *dv);

#ifdef __cplusplus
}
#endif
#endif
