/* Ways to the mass matrix in model coordinates, shared by its functions and the tables of methods. */
#ifndef ZV_DYNAMICS_MASS_H
#define ZV_DYNAMICS_MASS_H

#include "dynamics/kernels.h"

/* Column j is the force of a unit acceleration of coordinate j at rest without gravity; needs room for one vector only.
 */
void zv_mass_by_columns(const zvModel *model, zvWork *work, const double *q, double *M);

/* M of the tree by a kernel, then contracted when mimic joints are coupled. ZV_NOT_SUPPORTED when the tree's M would
 * need room on the desk and is too large for it. */
typedef void (*zvMassKernel)(const zvTree *t, zvDesk desk, const real *q, real *M);
zvStatus zv_mass_by_kernel(const zvModel *model, zvWork *work, zvMassKernel kernel, const double *q, double *M);

/* The methods of zv_mass_methods. */
zvStatus zv_mass_composite(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zv_mass_yaskevich(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zv_mass_kosynka(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zv_mass_kane(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zv_mass_columns(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zv_mass_path(const zvModel *model, zvWork *work, const double *q, double *M);

#endif
