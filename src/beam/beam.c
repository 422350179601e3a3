/* A beam as described: its place in the link, its coordinates and their names; its numbers from material and section.
 */
#include "zveno/beam.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/require.h"
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

const char *zi_beam_part(const zvBeam *beam, int k, char buffer[16]) {
    static const char *const words[ZV_BEAM_MOTIONS] = {"y", "z", "twist", "axial"};
    int number;
    const zvBeamMotion motion = locate(beam, k, &number);
    snprintf(buffer, 16, "%s%u", words[motion], (unsigned)(number + 1) % 1000); /* at most ZV_MAX_MODES */
    return buffer;
}

/* Numbers of a beam from its material and section. Shear factors: G. R. Cowper, The shear coefficient in Timoshenko's
 * beam theory, J. Appl. Mech. 33 (1966). */

static const double pi = 3.14159265358979323846;

/* Area, second moments about y and z, torsion constant; shear factors along y and z. */
typedef struct BeamSection {
    double A, Iy, Iz, J, ky, kz;
} BeamSection;

static BeamSection tube(double outer, double inner, double nu) {
    const double a = outer * outer, b = inner * inner, m = b / a, w = (1 + m) * (1 + m);
    BeamSection s = {pi * (a - b), pi / 4 * (a - b) * (a + b), 0, 0, 0, 0};
    s.Iz = s.Iy;
    s.J = 2 * s.Iy;
    s.ky = s.kz = 6 * (1 + nu) * w / ((7 + 6 * nu) * w + (20 + 12 * nu) * m);
    return s;
}

/* Torsion constant of a rectangle by Saint-Venant's series of tanh(k pi a / 2b) / k^5 over odd k, of which the sum of
 * 1 / k^5 is taken out: what is left is gone after a few terms. */
static double rectangle_torsion(double width, double height) {
    const double a = fmax(width, height), b = fmin(width, height);
    double sum = 1.00452376279513961; /* 31/32 zeta(5) */
    for (int k = 1; k < 13; k += 2) sum -= 2 / (exp(k * pi * a / b) + 1) / pow(k, 5);
    return a * b * b * b / 3 * (1 - 192 / pow(pi, 5) * b / a * sum);
}

static BeamSection box(double width, double height, double nu) {
    BeamSection s = {width * height, width * pow(height, 3) / 12, height * pow(width, 3) / 12, 0, 0, 0};
    s.J = rectangle_torsion(width, height);
    s.ky = s.kz = 10 * (1 + nu) / (12 + 11 * nu);
    return s;
}

/* Of a thin-walled box of uniform thickness, sides of the middle line: `web` along the shear force, `flange` across. */
static double thin_shear_factor(double web, double flange, double nu) {
    const double m = flange / web, m2 = m * m, m3 = m2 * m;
    const double below =
        12 + 72 * m + 150 * m2 + 90 * m3 + nu * (11 + 66 * m + 135 * m2 + 90 * m3) + 10 * m2 * ((3 + nu) * m + 3 * m2);
    return 10 * (1 + nu) * (1 + 3 * m) * (1 + 3 * m) / below;
}

/* Torsion by Bredt's formula for thin walls. */
static BeamSection frame(double width, double height, double wall, double nu) {
    const double b = width - 2 * wall, h = height - 2 * wall, w = width - wall, v = height - wall;
    BeamSection s = {width * height - b * h, 0, 0, 0, 0, 0};
    s.Iy = (width * pow(height, 3) - b * pow(h, 3)) / 12;
    s.Iz = (height * pow(width, 3) - h * pow(b, 3)) / 12;
    s.J = 2 * wall * w * w * v * v / (w + v);
    s.ky = thin_shear_factor(w, v, nu);
    s.kz = thin_shear_factor(v, w, nu);
    return s;
}

static BeamSection section_of(zvSectionKind kind, const double size[3], double nu) {
    switch (kind) {
    case ZV_SECTION_TUBE: return tube(size[0], size[1], nu);
    case ZV_SECTION_BOX: return box(size[0], size[1], nu);
    case ZV_SECTION_FRAME: return frame(size[0], size[1], size[2], nu);
    default: return tube(size[0], 0, nu);
    }
}

static bool exists(zvSectionKind kind, const double size[3]) {
    switch (kind) {
    case ZV_SECTION_TUBE: return size[1] >= 0 && size[0] > size[1];
    case ZV_SECTION_BOX: return size[0] > 0 && size[1] > 0;
    case ZV_SECTION_FRAME: return size[2] > 0 && 2 * size[2] <= fmin(size[0], size[1]);
    default: return size[0] > 0;
    }
}

/* Stiffness and inertia per length from material and section; NaN where the sizes make no section, so that the rules
 * find it. */
void zv_section_fill(zvBeam *beam, double E, double G, double density, zvSectionKind kind, const double size[3],
                     bool shear) {
    ZI_REQUIRE(beam && size);
    const double none = (double)NAN;
    const BeamSection impossible = {none, none, none, none, none, none};
    const BeamSection s = exists(kind, size) ? section_of(kind, size, E / (2 * G) - 1) : impossible;
    beam->EIy = E * s.Iy;
    beam->EIz = E * s.Iz;
    beam->GJ = G * s.J;
    beam->EA = E * s.A;
    beam->rhoA = density * s.A;
    beam->rhoIy = density * s.Iy;
    beam->rhoIz = density * s.Iz;
    beam->kGAy = shear ? s.ky * G * s.A : 0;
    beam->kGAz = shear ? s.kz * G * s.A : 0;
}
