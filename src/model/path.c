/* Curves of curve joints. A spline is the natural (open) or periodic (closed) cubic through its points over the
 * accumulated chord length: second derivatives from the tridiagonal system
 *   h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (d[i] - d[i-1]),  d[i] = (p[i+1] - p[i]) / h[i]
 * solved by elimination without pivoting (it is diagonally dominant); the periodic corner by Sherman-Morrison. The
 * joint runs along it by arc length (arc_length.h). */
#include "model/arc_length.h"
#include "model/tree.h"

#include <assert.h>
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

/* A spline's pieces: chords and coefficients (pieces x 12), in one block that scratch begins. */
typedef struct Cubics {
    int pieces;
    double *scratch, *widths, *coeffs;
    ziArcRule rule;
} Cubics;

/* Coefficients of the three components over the chords; false when out of memory. */
static bool make_cubics(const zvCurve *curve, Cubics *x) {
    const int n = piece_count(curve);
    x->pieces = n;
    x->scratch = malloc(19 * ((size_t)n + 2) * sizeof *x->scratch);
    if (!x->scratch) return false;
    zi_arc_rule(&x->rule);
    double *y = x->scratch, *m = y + n + 1, *rest = m + n + 1, *h = rest + 4 * (n + 1);
    x->widths = h;
    x->coeffs = h + n + 1;
    for (int i = 0; i < n; i++) h[i] = chord(curve, i);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i <= n; i++)
            y[i] = curve->points[3 * (i < curve->count ? i : 0) + k]; /* closed: the first again */
        (curve->closed ? periodic_moments : natural_moments)(n, h, y, m, rest);
        for (int i = 0; i < n; i++) {
            double *piece = x->coeffs + 12 * i + k;
            piece[0] = y[i];
            piece[3] = (y[i + 1] - y[i]) / h[i] - h[i] * (2 * m[i] + m[i + 1]) / 6;
            piece[6] = m[i] / 2;
            piece[9] = (m[i + 1] - m[i]) / (6 * h[i]);
        }
    }
    return true;
}

/* Parts of all pieces by arc length; *cusp: the piece that has none, or -1. */
static int count_parts(const Cubics *x, int *cusp) {
    int parts = 0;
    *cusp = -1;
    for (int i = 0; i < x->pieces; i++) {
        const int count = zi_arc_parts(&x->rule, x->coeffs + 12 * i, x->widths[i], NULL, NULL);
        if (count < 0) {
            *cusp = i;
            return parts;
        }
        parts += count;
    }
    return parts;
}

static const void *copied(ziArena *arena, const double *numbers, size_t count) {
    double *copy = zi_arena_alloc(arena, count * sizeof *copy);
    if (copy) memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

/* Pieces, then their parts with arc length summed up. */
static bool lay_spline(ziArena *arena, const zvCurve *curve, const Cubics *x, ziPath *path) {
    int cusp;
    const int parts = count_parts(x, &cusp);
    double *knots = zi_arena_alloc(arena, ((size_t)parts + 1) * sizeof *knots);
    ziPathPart *part = zi_arena_alloc(arena, (size_t)parts * sizeof *part);
    path->widths = copied(arena, x->widths, (size_t)x->pieces);
    path->coeffs = copied(arena, x->coeffs, 12 * (size_t)x->pieces);
    if (!knots || !part || !path->widths || !path->coeffs) return false;
    int at = 0;
    for (int i = 0; i < x->pieces; i++) {
        const int count = zi_arc_parts(&x->rule, x->coeffs + 12 * i, x->widths[i], part + at, knots + at + 1);
        for (int end = at + count; at < end; at++) {
            part[at].piece = i;
            knots[at + 1] += knots[at];
        }
    }
    path->pieces = x->pieces;
    path->parts = parts;
    path->knots = knots;
    path->part = part;
    path->closed = curve->closed;
    return true;
}

static bool make_spline(ziArena *arena, const zvCurve *curve, ziPath *path) {
    Cubics x;
    const bool made = make_cubics(curve, &x) && lay_spline(arena, curve, &x, path);
    free(x.scratch);
    return made;
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

/* Without memory to count the parts there is none to lay them out either. */
size_t zi_path_bytes(const zvCurve *curve) {
    Cubics x;
    int cusp;
    if (curve->kind != ZV_CURVE_SPLINE) return 0;
    const bool made = make_cubics(curve, &x);
    const size_t parts = made ? (size_t)count_parts(&x, &cusp) : 0;
    free(x.scratch);
    return parts * (sizeof(ziPathPart) + sizeof(double)) + (size_t)curve->count * 13 * sizeof(double) + 128;
}

int zi_path_cusp(const zvCurve *curve) {
    Cubics x;
    int cusp = -1;
    if (make_cubics(curve, &x)) count_parts(&x, &cusp);
    free(x.scratch);
    return cusp;
}

/* The spline is laid out as for a joint: the length is where the parts of piece `to` begin. */
double zv_spline_length(const zvCurve *curve, int to) {
    assert(curve && curve->kind == ZV_CURVE_SPLINE && to >= 0 && to <= piece_count(curve));
    ziArena arena = {0};
    ziPath path = {0};
    double length = NAN;
    if (zi_path_cusp(curve) < 0 && zi_path_make(&arena, curve, &path)) {
        int part = 0;
        while (part < path.parts && path.part[part].piece < to) part++;
        length = path.knots[part];
    }
    zi_arena_free(&arena);
    return length;
}
