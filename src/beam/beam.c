#include "zveno/beam.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "beam/modes.h"

const char *zv_shapes_word(zvShapes shapes) {
    static const char *const words[] = {
#define ZV_X(name, word) word,
        ZV_SHAPES_LIST(ZV_X)
#undef ZV_X
    };
    return shapes >= 0 && shapes < ZV_SHAPES_COUNT ? words[shapes] : "?";
}

zvBeam zv_beam_default(void) { return (zvBeam){.length = 1, .axis = {1, 0, 0}, .shapes = ZV_SHAPES_POWERS}; }

/* axis of unit length, also where the squares of its entries leave the range of doubles */
static void direction(const double axis[3], double unit[3]) {
    const double largest = fmax(fmax(fabs(axis[0]), fabs(axis[1])), fabs(axis[2]));
    for (int k = 0; k < 3; k++) unit[k] = axis[k] / largest;
    const double length = hypot(hypot(unit[0], unit[1]), unit[2]);
    for (int k = 0; k < 3; k++) unit[k] /= length;
}

/* The least rotation turns about x cross axis; written so that nothing cancels near x and near -x. */
void zi_beam_pose(const zvBeam *beam, double R[9], double p[3]) {
    double a[3];
    direction(beam->axis, a);
    const double sine = hypot(a[1], a[2]), rest = a[0] > 0 ? sine * sine / (1 + a[0]) : 1 - a[0]; /* 1 - cosine */
    const double y = sine > 0 ? a[1] / sine : 1, z = sine > 0 ? a[2] / sine : 0;
    const double columns[3][3] = {{a[0], a[1], a[2]},
                                  {0 - a[1], 1 - rest * y * y, 0 - rest * y * z}, /* along x 0, where - 0 is -0 */
                                  {0 - a[2], 0 - rest * y * z, 1 - rest * z * z}};
    for (int k = 0; k < 9; k++) R[k] = columns[k % 3][k / 3];
    memcpy(p, beam->start, sizeof beam->start);
}

double zi_beam_along(const zvBeam *beam, const double point[3]) {
    double a[3], x = 0;
    direction(beam->axis, a);
    for (int k = 0; k < 3; k++) x += (point[k] - beam->start[k]) * a[k];
    return x;
}

static int at_least_zero(int count) { return count > 0 ? count : 0; }

int zi_beam_count(const zvBeam *beam) {
    int count = 0;
    for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++) count += at_least_zero(beam->modes[motion]);
    return count;
}

bool zi_beam_shortens(const zvBeam *beam) {
    return beam->stiffening != ZV_STIFFENING_OFF &&
           (beam->modes[ZV_BEAM_BEND_Y] > 0 || beam->modes[ZV_BEAM_BEND_Z] > 0);
}

/* Motion of coordinate k and its number within it. */
static zvBeamMotion locate(const zvBeam *beam, int k, int *number) {
    int motion = 0;
    for (; motion < ZV_BEAM_MOTIONS - 1 && k >= at_least_zero(beam->modes[motion]); motion++)
        k -= at_least_zero(beam->modes[motion]);
    *number = k;
    return (zvBeamMotion)motion;
}

zvBeamMotion zi_beam_motion(const zvBeam *beam, int k) {
    int number;
    return locate(beam, k, &number);
}

bool zi_beam_angular(const zvBeam *beam, int k) {
    int number;
    const zvBeamMotion motion = locate(beam, k, &number);
    if (motion == ZV_BEAM_TWIST) return true;
    return motion != ZV_BEAM_EXTEND && beam->shapes == ZV_SHAPES_CUBIC && number == 1;
}

const char *zi_beam_part(const zvBeam *beam, int k, char room[16]) {
    static const char *const words[ZV_BEAM_MOTIONS] = {"y", "z", "twist", "axial"};
    int number;
    const zvBeamMotion motion = locate(beam, k, &number);
    snprintf(room, 16, "%s%u", words[motion], (unsigned)(number + 1) % 1000); /* at most ZV_MAX_MODES */
    return room;
}
