/* The one door to LAPACK (through LAPACKE); what the room needs of it is in dense.h. */
#ifndef ZI_MODES_LAPACK_H
#define ZI_MODES_LAPACK_H

#include <lapacke.h>
#undef I /* <complex.h> takes it */

#endif
