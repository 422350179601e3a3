/* Random trees as robots mostly are: axes along those of the parent, offsets along few of them. Lanes take such joints
 * a short way that random axes never go. */
#ifndef ZV_TEST_SQUARE_TREE_H
#define ZV_TEST_SQUARE_TREE_H

#include <math.h>
#include <string.h>

#include "support/random_tree_case.h"

/* Rotation that takes coordinate axes to coordinate axes. */
static inline void st_quarters(rtRandom *random, double R[9]) {
    const int x = rt_below(random, 3), y = (x + 1 + rt_below(random, 2)) % 3, z = 3 - x - y;
    const double sx = rt_chance(random, 0.5) ? 1 : -1, sy = rt_chance(random, 0.5) ? 1 : -1;
    const double cyclic = y == (x + 1) % 3 ? 1 : -1;
    memset(R, 0, 9 * sizeof *R);
    R[3 * x] = sx;
    R[3 * y + 1] = sy;
    R[3 * z + 2] = sx * sy * cyclic;
}

/* Every joint of a tree; some are turned by any angle about their own axis. */
static inline void st_square(rtTree *tree) {
    rtRandom random = {tree->seed ^ 77};
    for (int i = 0; i < tree->njoint; i++) {
        zvJoint *j = &tree->joints[i];
        double Q[9], angle = rt_chance(&random, 0.3) ? rt_uniform(&random, -3, 3) : 0, s = sin(angle), c = cos(angle);
        st_quarters(&random, Q);
        const double turn[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) {
                j->origin.R[3 * r + k] = 0;
                for (int l = 0; l < 3; l++) j->origin.R[3 * r + k] += Q[3 * r + l] * turn[3 * l + k];
            }
        j->axis[0] = j->axis[1] = 0;
        j->axis[2] = rt_chance(&random, 0.5) ? 1 : -1;
        for (int k = 0; k < 3; k++)
            if (rt_chance(&random, 0.5)) j->origin.p[k] = 0;
        if (j->type == ZV_JOINT_UNIVERSAL) j->axis2[0] = 1, j->axis2[1] = j->axis2[2] = 0;
    }
}

#endif
