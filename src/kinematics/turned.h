/* The rotation of a body on a revolute joint, where only rotations are wanted: E Rz(angle) first, which does not wait
 * for the parent, so that one product is on the way from the root. */
#ifndef ZI_KINEMATICS_TURNED_H
#define ZI_KINEMATICS_TURNED_H

#include "model/tree.h"
#include "spatial/vec3.h"

/* P: of the parent. */
static ZI_HOT mat3 turned_rotation(const ziBody *b, mat3 P, real sine, real cosine) {
    const vec3 x = v3_of4(b->E), y = v3_of4(b->E + 4);
    return m3(m3_mulv(P, v3_axpy(cosine, x, v3_scale(sine, y))), m3_mulv(P, v3_axpy(cosine, y, v3_scale(-sine, x))),
              m3_mulp(P, b->E + 8));
}

#endif
