/* Line, circle and cubic spline. The spline's second derivatives m come from continuity of the first derivative,
 *   h0 m0 + 2 (h0 + h1) m1 + h1 m2 = 6 ((P2 - P1)/h1 - (P1 - P0)/h0),
 * as one dense system: natural ends add m = 0, a closed path wraps round. Arc length is the integral of |dc/du|, by
 * panels that are halved until halves give the same; where a coordinate lies is found by Newton's iteration on it. */
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

/* Place and derivatives by the parameter of the cubics, inside. */
static void cubic_at(const refCurve *path, exact u, exact c[3], exact dc[3], exact ddc[3]) {
    int s = 0;
    while (s < path->segments - 1 && u > path->knots[s + 1]) s++;
    exact h = path->knots[s + 1] - path->knots[s], x = u - path->knots[s], y = path->knots[s + 1] - u;
    for (int k = 0; k < 3; k++) {
        exact p0 = path->points[3 * s + k], p1 = path->points[3 * s + 3 + k];
        exact m0 = path->bending[3 * s + k], m1 = path->bending[3 * s + 3 + k];
        c[k] = (m0 * y * y * y + m1 * x * x * x) / (6 * h) + (p0 / h - m0 * h / 6) * y + (p1 / h - m1 * h / 6) * x;
        dc[k] = (m1 * x * x - m0 * y * y) / (2 * h) + (p1 - p0) / h - (m1 - m0) * h / 6;
        ddc[k] = (m0 * y + m1 * x) / h;
    }
}

static exact speed_at(const refCurve *path, exact u) {
    exact c[3], dc[3], ddc[3];
    cubic_at(path, u, c, dc, ddc);
    return length3(dc);
}

/* Ten-point Gauss-Legendre quadrature of the speed, [Abramowitz] 25.4.30. */
static exact length_between(const refCurve *path, exact from, exact to) {
    static const exact at[] = {0.14887433898163121088482600112971998L, 0.43339539412924719079926594316578416L,
                               0.67940956829902440623432736511487358L, 0.86506336668898451073209668842349305L,
                               0.97390652851717172007796401208445206L};
    static const exact weight[] = {0.29552422471475287017389299465133833L, 0.26926671930999635509122692156946935L,
                                   0.21908636251598204399553493422816319L, 0.14945134915058059314586339765769733L,
                                   0.06667134430868813759356880989333179L};
    exact middle = (from + to) / 2, half = (to - from) / 2, sum = 0;
    for (int k = 0; k < 5; k++)
        sum += weight[k] * (speed_at(path, middle - half * at[k]) + speed_at(path, middle + half * at[k]));
    return half * sum;
}

/* Adds panels from the last break to u. A half misses a millionth of what the whole does, until rounding is all that is
 * left: where the parent's miss was hardly larger, halving goes on for nothing, and doubles the work each time. */
static void add_panels(refCurve *path, exact to, exact parent_miss, int depth) {
    exact from = path->breaks[path->panels], middle = (from + to) / 2;
    exact whole = length_between(path, from, to);
    exact halves = length_between(path, from, middle) + length_between(path, middle, to);
    exact miss = fabsl(halves - whole) / whole;
    bool rounding = miss < 1e-16L && miss > parent_miss / 100;
    if (miss > 2e-18L && !rounding && depth < 30) {
        add_panels(path, middle, miss, depth + 1);
        add_panels(path, to, miss, depth + 1);
        return;
    }
    path->breaks = realloc(path->breaks, ((size_t)path->panels + 2) * sizeof *path->breaks);
    path->lengths = realloc(path->lengths, ((size_t)path->panels + 2) * sizeof *path->lengths);
    if (!path->breaks || !path->lengths) abort();
    path->lengths[path->panels + 1] = path->lengths[path->panels] + halves;
    path->breaks[++path->panels] = to;
}

/* Bounds of terms before they cancel, for error bounds. The cubic's first derivative has terms up to 4, its second up
 * to 12 over the chord; tangent and curvature divide them by |c'| and |c'|^2, and the curvature has terms with the
 * tangent, whose error they take along. */
static void measure(refCurve *path) {
    path->breaks = lin_numbers(1);
    path->lengths = lin_numbers(1);
    for (int i = 0; i < path->segments; i++) {
        const int first = path->panels;
        exact slowest = 1;
        add_panels(path, path->knots[i + 1], INFINITY, 0);
        for (int k = first; k <= path->panels; k++) slowest = fminl(slowest, speed_at(path, path->breaks[k]));
        exact chord = path->knots[i + 1] - path->knots[i];
        path->steepest = fmaxl(path->steepest, 4 / slowest);
        path->sharpest = fmaxl(path->sharpest, 12 / (chord * slowest * slowest * slowest));
    }
}

void ref_curve_open(refCurve *path, const zvCurve *curve) {
    *path = (refCurve){.curve = curve, .steepest = 1};
    if (curve->kind == ZV_CURVE_CIRCLE) path->sharpest = 1 / (exact)curve->radius;
    if (curve->kind != ZV_CURVE_SPLINE) return;
    path->segments = curve->closed ? curve->count : curve->count - 1;
    path->knots = lin_numbers(path->segments + 1);
    path->points = lin_numbers(3 * (path->segments + 1));
    path->bending = lin_numbers(3 * (path->segments + 1));
    lay_knots(path);
    bend(path);
    measure(path);
}

void ref_curve_close(refCurve *path) {
    free(path->knots);
    free(path->points);
    free(path->bending);
    free(path->breaks);
    free(path->lengths);
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

/* The parameter at arc length q: in its panel, kept inside. */
static exact parameter_at(const refCurve *path, exact q) {
    int k = 0;
    while (k < path->panels - 1 && q > path->lengths[k + 1]) k++;
    exact from = path->breaks[k], to = path->breaks[k + 1], whole = path->lengths[k + 1] - path->lengths[k];
    exact u = from + (to - from) * (q - path->lengths[k]) / whole;
    for (int i = 0; i < 12; i++) {
        exact step = (q - path->lengths[k] - length_between(path, from, u)) / speed_at(path, u);
        u = fminl(fmaxl(u + step, from), to);
        if (fabsl(step) < 1e-19L * (to - from)) break;
    }
    return u;
}

/* With t = c'/|c'| by the parameter: t and (c'' - t t.c'')/|c'|^2 by arc length. */
static void spline_at(const refCurve *path, exact q, exact c[3], exact dc[3], exact ddc[3]) {
    exact end = path->lengths[path->panels], beyond = 0;
    if (path->curve->closed) {
        q -= end * floorl(q / end);
    } else {
        beyond = q < 0 ? q : q > end ? q - end : 0;
        q -= beyond;
    }
    cubic_at(path, parameter_at(path, q), c, dc, ddc);
    exact speed = length3(dc), along = 0;
    for (int k = 0; k < 3; k++) {
        dc[k] /= speed;
        along += dc[k] * ddc[k];
    }
    for (int k = 0; k < 3; k++) {
        ddc[k] = beyond == 0 ? (ddc[k] - along * dc[k]) / (speed * speed) : 0;
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
