/* Curves of curve joints. A spline is the natural (open) or periodic (closed) cubic through its points over the
 * accumulated chord length: second derivatives from the tridiagonal system
 *   h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (d[i] - d[i-1]),  d[i] = (p[i+1] - p[i]) / h[i]
 * solved by elimination without pivoting (it is diagonally dominant); the periodic corner by Sherman-Morrison. */
#include "model/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void normalized(const double a[3], double out[3]) {
    double length = hypot(hypot(a[0], a[1]), a[2]);
    for (int i = 0; i < 3; i++) out[i] = a[i] / length;
}

/* Axes of the plane, scaled by the radius; the start is made perpendicular to the normal. */
static void make_circle(const zvCurve *curve, ziPath *path) {
    double n[3], u[3];
    normalized(curve->normal, n);
    double along = 0;
    for (int i = 0; i < 3; i++) along += n[i] * curve->start[i];
    for (int i = 0; i < 3; i++) u[i] = curve->start[i] - along * n[i];
    normalized(u, u);
    path->radius = curve->radius;
    memcpy(path->a, curve->center, sizeof path->a);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        path->b[i] = curve->radius * u[i];
        path->c[i] = curve->radius * (n[j] * u[k] - n[k] * u[j]);
    }
}

void zi_path_start(const zvCurve *curve, double p[3]) {
    ziPath path = {0};
    if (curve->kind == ZV_CURVE_CIRCLE) make_circle(curve, &path);
    const bool spline = curve->kind == ZV_CURVE_SPLINE && curve->count > 0;
    for (int i = 0; i < 3; i++) p[i] = spline ? curve->points[i] : path.a[i] + path.b[i];
}

static int piece_count(const zvCurve *curve) { return curve->closed ? curve->count : curve->count - 1; }

static double chord(const zvCurve *curve, int i) {
    const double *p = curve->points + 3 * i, *n = curve->points + 3 * ((i + 1) % curve->count);
    return hypot(hypot(n[0] - p[0], n[1] - p[1]), n[2] - p[2]);
}

/* Solves the tridiagonal system (lower a, diagonal b, upper c) in place of x; b is destroyed. */
static void tridiagonal(int n, const double *a, double *b, const double *c, double *x) {
    for (int i = 1; i < n; i++) {
        double w = a[i] / b[i - 1];
        b[i] -= w * c[i - 1];
        x[i] -= w * x[i - 1];
    }
    x[n - 1] /= b[n - 1];
    for (int i = n - 2; i >= 0; i--) x[i] = (x[i] - c[i] * x[i + 1]) / b[i];
}

/* Second derivatives m (pieces + 1) of one component y over spacings h; scratch has 4 (pieces + 1). */
static void natural_moments(int pieces, const double *h, const double *y, double *m, double *scratch) {
    int n = pieces - 1; /* inner points */
    double *a = scratch, *b = scratch + n, *c = scratch + 2 * n;
    for (int i = 0; i < n; i++) {
        a[i] = h[i];
        b[i] = 2 * (h[i] + h[i + 1]);
        c[i] = h[i + 1];
        m[i + 1] = 6 * ((y[i + 2] - y[i + 1]) / h[i + 1] - (y[i + 1] - y[i]) / h[i]);
    }
    m[0] = m[pieces] = 0;
    if (n > 0) tridiagonal(n, a, b, c, m + 1);
}

/* Second derivatives of the closed spline, by Sherman-Morrison on the open system. */
static void periodic_moments(int n, const double *h, const double *y, double *m, double *scratch) {
    double *a = scratch, *b = scratch + n, *c = scratch + 2 * n, *z = scratch + 3 * n;
    double corner = h[n - 1], gamma = -2 * (h[n - 1] + h[0]);
    for (int pass = 0; pass < 2; pass++) { /* right-hand side, then the corner vector */
        double *x = pass ? z : m;
        for (int i = 0; i < n; i++) {
            int before = (i + n - 1) % n;
            a[i] = h[before];
            b[i] = 2 * (h[before] + h[i]);
            c[i] = h[i];
            x[i] = pass ? 0 : 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - (i ? y[i - 1] : y[n - 1])) / h[before]);
        }
        if (pass) z[0] = gamma, z[n - 1] = corner;
        b[0] -= gamma;
        b[n - 1] -= corner * corner / gamma;
        tridiagonal(n, a, b, c, x);
    }
    double k = (m[0] + corner * m[n - 1] / gamma) / (1 + z[0] + corner * z[n - 1] / gamma);
    for (int i = 0; i < n; i++) m[i] -= k * z[i];
    m[n] = m[0];
}

/* Knots at accumulated chords, then coefficients of the three components. */
static bool make_spline(ziArena *arena, const zvCurve *curve, ziPath *path) {
    int n = piece_count(curve);
    double *knots = zi_arena_alloc(arena, ((size_t)n + 1) * sizeof *knots);
    double *coeffs = zi_arena_alloc(arena, (size_t)n * 12 * sizeof *coeffs);
    double *scratch = malloc(7 * ((size_t)n + 2) * sizeof *scratch);
    if (!knots || !coeffs || !scratch) {
        free(scratch);
        return false;
    }
    double *h = scratch, *y = h + n + 1, *m = y + n + 1, *rest = m + n + 1;
    for (int i = 0; i < n; i++) {
        h[i] = chord(curve, i);
        knots[i + 1] = knots[i] + h[i];
    }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i <= n; i++) y[i] = curve->points[3 * (i % curve->count) + k];
        (curve->closed ? periodic_moments : natural_moments)(n, h, y, m, rest);
        for (int i = 0; i < n; i++) {
            double *piece = coeffs + 12 * i + k;
            piece[0] = y[i];
            piece[3] = (y[i + 1] - y[i]) / h[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
            piece[6] = m[i] / 2;
            piece[9] = (m[i + 1] - m[i]) / (6 * h[i]);
        }
    }
    free(scratch);
    path->pieces = n;
    path->knots = knots;
    path->coeffs = coeffs;
    path->closed = curve->closed;
    return true;
}

bool zi_path_make(ziArena *arena, const zvCurve *curve, ziPath *path) {
    path->kind = curve->kind;
    switch (curve->kind) {
    case ZV_CURVE_LINE: normalized(curve->direction, path->a); return true;
    case ZV_CURVE_CIRCLE: make_circle(curve, path); return true;
    case ZV_CURVE_SPLINE: return make_spline(arena, curve, path);
    }
    return false;
}

size_t zi_path_bytes(const zvCurve *curve) {
    if (curve->kind != ZV_CURVE_SPLINE) return 0;
    return (size_t)curve->count * 13 * sizeof(double) + 64;
}
