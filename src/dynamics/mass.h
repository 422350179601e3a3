/* The mass matrix by unit accelerations, shared by the table of methods and by models too large for the composite way.
 */
#ifndef ZV_DYNAMICS_MASS_H
#define ZV_DYNAMICS_MASS_H

#include "zveno/dynamics.h"

/* Column j is the force of a unit acceleration of coordinate j at rest without gravity; needs room for one vector only.
 */
void zv_mass_by_columns(const zvModel *model, zvWork *work, const double *q, double *M);

#endif
