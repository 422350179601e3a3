/* Principal moments of inertia. */
#ifndef ZI_MODEL_PRINCIPAL_H
#define ZI_MODEL_PRINCIPAL_H

/* Eigenvalues of the symmetric matrix xx xy xz yy yz zz, least first. */
void zi_principal_moments(const double moment[6], double principal[3]);

#endif
