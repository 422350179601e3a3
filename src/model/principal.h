/* Principal moments of inertia. */
#ifndef ZV_MODEL_PRINCIPAL_H
#define ZV_MODEL_PRINCIPAL_H

/* Eigenvalues of the symmetric matrix xx xy xz yy yz zz, least first. */
void zv_principal_moments(const double moment[6], double principal[3]);

#endif
