/* Volume or area, centre of mass and moments of inertia of triangles.
 *
 * A closed surface is a sum of pyramids with their tips in one point o: of triangle a b c, seen from o,
 *   V = a . (b x c) / 6,   centre (a + b + c) / 4,   integral x x^T dV = V/20 (2 (a a^T + b b^T + c c^T) + mixed terms)
 * [Mirtich 1996]; a flat triangle of area A has the centre (a + b + c) / 3 and A/12 in place of V/20. The tip is the
 * centre of the surface first, then the centre of mass: so nothing is lost far from the origin, and pyramids that count
 * by their absolute volume are those of the centre of mass. */
#include "mesh/measure.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct Triangle {
    double a[3], b[3], c[3];
    double normal[3]; /* twice the area long */
} Triangle;

/* Corners as seen from the tip: differences of near numbers are taken once, here. */
static Triangle triangle_at(const double *corners, const double tip[3]) {
    Triangle t;
    for (int i = 0; i < 3; i++) {
        t.a[i] = corners[i] - tip[i];
        t.b[i] = corners[3 + i] - tip[i];
        t.c[i] = corners[6 + i] - tip[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        t.normal[i] = (t.b[j] - t.a[j]) * (t.c[k] - t.a[k]) - (t.b[k] - t.a[k]) * (t.c[j] - t.a[j]);
    }
    return t;
}

static double dot_product(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Area, or volume of the pyramid. */
static double size_of(const Triangle *t, ziMeshMethod method) {
    if (method == ZI_MESH_SHELL) return 0.5 * sqrt(dot_product(t->normal, t->normal));
    const double volume = dot_product(t->a, t->normal) / 6;
    return method == ZI_MESH_PYRAMIDS ? fabs(volume) : volume;
}

/* Sum of sizes, and their centre as seen from the tip. */
static double centre(const double *corners, size_t count, ziMeshMethod method, const double tip[3], double com[3]) {
    const double share = method == ZI_MESH_SHELL ? 1.0 / 3 : 1.0 / 4;
    double sum = 0, first[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const Triangle t = triangle_at(corners + 9 * i, tip);
        const double size = size_of(&t, method);
        sum += size;
        for (int k = 0; k < 3; k++) first[k] += size * share * (t.a[k] + t.b[k] + t.c[k]);
    }
    for (int k = 0; k < 3; k++) com[k] = sum != 0 ? tip[k] + first[k] / sum : tip[k];
    return sum;
}

/* P = integral x x^T about the centre of mass: xx xy xz yy yz zz. */
static double second(const double *corners, size_t count, ziMeshMethod method, const double com[3], double P[6]) {
    static const int of[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    const double share = method == ZI_MESH_SHELL ? 1.0 / 12 : 1.0 / 20;
    double sum = 0;
    memset(P, 0, 6 * sizeof *P);
    for (size_t i = 0; i < count; i++) {
        const Triangle t = triangle_at(corners + 9 * i, com);
        const double size = size_of(&t, method);
        sum += size;
        for (int k = 0; k < 6; k++) {
            const int m = of[k][0], n = of[k][1];
            const double whole = (t.a[m] + t.b[m] + t.c[m]) * (t.a[n] + t.b[n] + t.c[n]);
            P[k] += size * share * (t.a[m] * t.a[n] + t.b[m] * t.b[n] + t.c[m] * t.c[n] + whole);
        }
    }
    return sum;
}

/* Twice: what the first pass finds as the centre of mass is the tip of the second. */
int zi_mesh_measure(const double *corners, size_t count, ziMeshMethod method, ziMeshMeasure *measure) {
    double start[3] = {0, 0, 0}, middle[3], P[6];
    if (count > 0) memcpy(start, corners, sizeof start);
    centre(corners, count, ZI_MESH_SHELL, start, middle);
    measure->size = centre(corners, count, method, middle, measure->com);
    if (!(measure->size > 1e-18)) return false;
    measure->size = second(corners, count, method, measure->com, P);
    const double moment[6] = {P[3] + P[5], -P[1], -P[2], P[0] + P[5], -P[4], P[0] + P[3]};
    memcpy(measure->moment, moment, sizeof moment);
    return measure->size > 1e-18;
}
