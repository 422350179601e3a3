/* Line, circle and cubic spline. The spline's second derivatives m come from continuity of the first derivative,
 *   h0 m0 + 2 (h0 + h1) m1 + h1 m2 = 6 ((P2 - P1)/h1 - (P1 - P0)/h0),
 * as one dense system: natural ends add m = 0, a closed path wraps round. */
#include "support/reference_curve.h"

#include <math.h>
#include <stdlib.h>

static exact length3(const exact a[3]) { return sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

static void unit3(const double a[3], exact out[3]) {
    exact wide[3] = {a[0], a[1], a[2]}, length = length3(wide);
    for (int k = 0; k < 3; k++) out[k] = wide[k] / length;
}

static void lay_knots(refCurve *path) {
    const zvCurve *curve = path->curve;
    for (int i = 0; i <= path->segments; i++) {
        exact chord[3];
        for (int k = 0; k < 3; k++) {
            path->points[3 * i + k] = curve->points[3 * (i % curve->count) + k];
            chord[k] = i ? path->points[3 * i + k] - path->points[3 * i - 3 + k] : 0;
        }
        path->knots[i] = i ? path->knots[i - 1] + length3(chord) : 0;
        if (i) path->sharpest = fmaxl(path->sharpest, 12 / length3(chord));
    }
}

static exact rise(const refCurve *path, int segment, int k) {
    exact h = path->knots[segment + 1] - path->knots[segment];
    return (path->points[3 * segment + 3 + k] - path->points[3 * segment + k]) / h;
}

static void bend(refCurve *path) {
    int n = path->curve->closed ? path->segments : path->segments + 1;
    exact *A = lin_numbers(n * n), *b = lin_numbers(n), *m = lin_numbers(n);
    int *rows = calloc((size_t)n, sizeof *rows);
    if (!rows) abort();
    for (int i = 0; i < n; i++) {
        bool end = !path->curve->closed && (i == 0 || i == n - 1);
        int before = (i + path->segments - 1) % path->segments;
        exact h0 = path->knots[before + 1] - path->knots[before];
        exact h1 = end ? 0 : path->knots[i + 1] - path->knots[i];
        A[i * n + i] += end ? 1 : 2 * (h0 + h1);
        if (end) continue;
        A[i * n + (i + n - 1) % n] += h0;
        A[i * n + (i + 1) % n] += h1;
    }
    lin_lu(n, A, rows);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++) {
            bool end = !path->curve->closed && (i == 0 || i == n - 1);
            b[i] = end ? 0 : 6 * (rise(path, i, k) - rise(path, (i + path->segments - 1) % path->segments, k));
        }
        lin_lu_solve(n, A, rows, b, m);
        for (int i = 0; i <= path->segments; i++) path->bending[3 * i + k] = m[i % n];
    }
    free(A);
    free(b);
    free(m);
    free(rows);
}

void ref_curve_open(refCurve *path, const zvCurve *curve) {
    *path = (refCurve){.curve = curve};
    if (curve->kind == ZV_CURVE_CIRCLE) path->sharpest = 1 / (exact)curve->radius;
    if (curve->kind != ZV_CURVE_SPLINE) return;
    path->segments = curve->closed ? curve->count : curve->count - 1;
    path->knots = lin_numbers(path->segments + 1);
    path->points = lin_numbers(3 * (path->segments + 1));
    path->bending = lin_numbers(3 * (path->segments + 1));
    lay_knots(path);
    bend(path);
}

void ref_curve_close(refCurve *path) {
    free(path->knots);
    free(path->points);
    free(path->bending);
}

static void line_at(const zvCurve *curve, exact q, exact c[3], exact dc[3], exact ddc[3]) {
    unit3(curve->direction, dc);
    for (int k = 0; k < 3; k++) {
        c[k] = q * dc[k];
        ddc[k] = 0;
    }
}

static void circle_at(const zvCurve *curve, exact q, exact c[3], exact dc[3], exact ddc[3]) {
    exact n[3], u[3], r = curve->radius;
    unit3(curve->normal, n);
    unit3(curve->start, u);
    exact w[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    exact cosine = cosl(q / r), sine = sinl(q / r);
    for (int k = 0; k < 3; k++) {
        c[k] = curve->center[k] + r * (cosine * u[k] + sine * w[k]);
        dc[k] = -sine * u[k] + cosine * w[k];
        ddc[k] = -(cosine * u[k] + sine * w[k]) / r;
    }
}

static void spline_at(const refCurve *path, exact q, exact c[3], exact dc[3], exact ddc[3]) {
    exact end = path->knots[path->segments], beyond = 0;
    if (path->curve->closed) {
        q -= end * floorl(q / end);
    } else {
        beyond = q < 0 ? q : q > end ? q - end : 0;
        q -= beyond;
    }
    int s = 0;
    while (s < path->segments - 1 && q > path->knots[s + 1]) s++;
    exact h = path->knots[s + 1] - path->knots[s], x = q - path->knots[s], y = path->knots[s + 1] - q;
    for (int k = 0; k < 3; k++) {
        exact p0 = path->points[3 * s + k], p1 = path->points[3 * s + 3 + k];
        exact m0 = path->bending[3 * s + k], m1 = path->bending[3 * s + 3 + k];
        c[k] = (m0 * y * y * y + m1 * x * x * x) / (6 * h) + (p0 / h - m0 * h / 6) * y + (p1 / h - m1 * h / 6) * x;
        dc[k] = (m1 * x * x - m0 * y * y) / (2 * h) + (p1 - p0) / h - (m1 - m0) * h / 6;
        ddc[k] = beyond == 0 ? (m0 * y + m1 * x) / h : 0;
        c[k] += beyond * dc[k];
    }
}

void ref_curve_at(const refCurve *path, exact q, exact c[3], exact dc[3], exact ddc[3]) {
    switch (path->curve->kind) {
    case ZV_CURVE_LINE: line_at(path->curve, q, c, dc, ddc); break;
    case ZV_CURVE_CIRCLE: circle_at(path->curve, q, c, dc, ddc); break;
    case ZV_CURVE_SPLINE: spline_at(path, q, c, dc, ddc); break;
    }
}
