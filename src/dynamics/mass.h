/* Ways to the mass matrix in model coordinates, shared by its functions and the tables of methods. */
#ifndef ZI_DYNAMICS_MASS_H
#define ZI_DYNAMICS_MASS_H

#include "dynamics/kernels.h"

/* Column j is the force of a unit acceleration of coordinate j at rest without gravity; needs room for one vector only.
 */
void zi_mass_by_columns(const zvModel *model, zvWork *work, const double *q, double *M);

/* M of the tree by a kernel, then contracted when mimic joints are coupled. ZV_NOT_SUPPORTED when the tree's M would
 * need room in scratch memory and is too large for it. */
typedef void (*ziMassKernel)(const ziTree *t, ziScratch scratch, const real *q, real *M);
zvStatus zi_mass_by_kernel(const zvModel *model, zvWork *work, ziMassKernel kernel, const double *q, double *M);

/* The methods of zv_mass_methods. */
zvStatus zi_mass_composite(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zi_mass_yaskevich(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zi_mass_kosynka(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zi_mass_kane(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zi_mass_columns(const zvModel *model, zvWork *work, const double *q, double *M);
zvStatus zi_mass_path(const zvModel *model, zvWork *work, const double *q, double *M);

#endif
