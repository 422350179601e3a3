/* Numbers of a beam from its material and section. Shear factors: G. R. Cowper, The shear coefficient in Timoshenko's
 * beam theory, J. Appl. Mech. 33 (1966). */
#include <math.h>

#include "zveno/beam.h"

static const double pi = 3.14159265358979323846;

/* Area, second moments about y and z, torsion constant; shear factors along y and z. */
typedef struct ziSection {
    double A, Iy, Iz, J, ky, kz;
} ziSection;

static ziSection tube(double outer, double inner, double nu) {
    const double a = outer * outer, b = inner * inner, m = b / a, w = (1 + m) * (1 + m);
    ziSection s = {pi * (a - b), pi / 4 * (a - b) * (a + b), 0, 0, 0, 0};
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

static ziSection box(double width, double height, double nu) {
    ziSection s = {width * height, width * pow(height, 3) / 12, height * pow(width, 3) / 12, 0, 0, 0};
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
static ziSection frame(double width, double height, double wall, double nu) {
    const double b = width - 2 * wall, h = height - 2 * wall, w = width - wall, v = height - wall;
    ziSection s = {width * height - b * h, 0, 0, 0, 0, 0};
    s.Iy = (width * pow(height, 3) - b * pow(h, 3)) / 12;
    s.Iz = (height * pow(width, 3) - h * pow(b, 3)) / 12;
    s.J = 2 * wall * w * w * v * v / (w + v);
    s.ky = thin_shear_factor(w, v, nu);
    s.kz = thin_shear_factor(v, w, nu);
    return s;
}

static ziSection section_of(zvSectionKind kind, const double size[3], double nu) {
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

void zv_section_fill(zvBeam *beam, double E, double G, double density, zvSectionKind kind, const double size[3],
                     bool shear) {
    const double none = (double)NAN;
    const ziSection impossible = {none, none, none, none, none, none};
    const ziSection s = exists(kind, size) ? section_of(kind, size, E / (2 * G) - 1) : impossible;
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
