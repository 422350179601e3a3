/* The point of a path nearest to a given one. Ambiguous on the axis of a circle and wherever several parts of a path
 * are equally near; one of them is chosen. Branches on numbers: double only. */
#ifndef ZI_KINEMATICS_NEAREST_H
#define ZI_KINEMATICS_NEAREST_H

#include "kinematics/joint.h"

/* The best so far: piece, parameter on it, distance beyond an end (negative: before the first point), and the squared
 * distance from the point. */
typedef struct nearest {
    int piece;
    real u, beyond, far;
} nearest;

static inline void nearest_try(nearest *best, int piece, real u, real beyond, real far) {
    if (far < best->far) {
        best->piece = piece;
        best->u = u;
        best->beyond = beyond;
        best->far = far;
    }
}

/* A piece c0 + c1 u + c2 u^2 + c3 u^3, 0 <= u <= h, seen from the point: c0 is its start less the point. */
typedef struct nearest_piece {
    vec3 c0, c1, c2, c3;
    real h;
} nearest_piece;

static inline vec3 nearest_at(const nearest_piece *c, real u) {
    return v3_axpy(u, v3_axpy(u, v3_axpy(u, c->c3, c->c2), c->c1), c->c0);
}

/* Newton's iteration for c.c' = 0 from u, kept inside; where c.c'' would turn it away from a minimum it is left out. */
static inline real nearest_refine(const nearest_piece *c, real u) {
    for (int i = 0; i < 40; i++) {
        const vec3 x = nearest_at(c, u), d = v3_axpy(u, v3_axpy(3 * u, c->c3, v3_scale(2, c->c2)), c->c1);
        const vec3 dd = v3_axpy(6 * u, c->c3, v3_scale(2, c->c2));
        const real square = v3_dot(d, d), curved = square + v3_dot(x, dd);
        const real step = v3_dot(x, d) / (curved > 0.25 * square ? curved : square);
        const real next = fmin(fmax(u - fmin(fmax(step, -0.25 * c->h), 0.25 * c->h), 0), c->h);
        if (!(fabs(next - u) > 1e-15 * c->h)) return next;
        u = next;
    }
    return u;
}

/* Tries every minimum that samples of a piece show. */
static inline void nearest_in_piece(const nearest_piece *c, int piece, nearest *best) {
    enum { SAMPLES = 8 };
    real far[SAMPLES + 1];
    for (int k = 0; k <= SAMPLES; k++) {
        const vec3 x = nearest_at(c, c->h * k / SAMPLES);
        far[k] = v3_dot(x, x);
    }
    for (int k = 0; k <= SAMPLES; k++) {
        if ((k > 0 && far[k] > far[k - 1]) || (k < SAMPLES && far[k] > far[k + 1])) continue;
        const real u = nearest_refine(c, c->h * k / SAMPLES);
        const vec3 x = nearest_at(c, u);
        nearest_try(best, piece, u, 0, v3_dot(x, x));
    }
}

/* Beyond an end of an open spline the tangent goes on: tangent points outward, start the end less the point. */
static inline void nearest_beyond(vec3 start, vec3 tangent, int piece, real u, real sign, nearest *best) {
    const real long_tangent = sqrt(v3_dot(tangent, tangent)), beyond = -v3_dot(start, tangent) / long_tangent;
    if (!(beyond > 0)) return;
    const vec3 x = v3_axpy(beyond / long_tangent, tangent, start);
    nearest_try(best, piece, u, sign * beyond, v3_dot(x, x));
}

/* Arc length at parameter u of a piece: Newton's iteration on the polynomial u(s) of the part it lies on. */
static inline real nearest_length(const ziPath *path, int piece, real u) {
    enum { ROUNDS = 20 };
    int low = 0, high = path->parts;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        const ziPathPart *part = &path->part[middle];
        if (part->piece > piece || (part->piece == piece && part->from > u))
            high = middle;
        else
            low = middle;
    }
    const ziPathPart *part = &path->part[low];
    real x = 0;
    for (int i = 0; i < ROUNDS; i++) {
        real value = 0, slope = 0;
        for (int k = ZI_PATH_TERMS - 1; k >= 0; k--) {
            slope = slope * x + value;
            value = value * x + part->u[k];
        }
        const real step = (u - part->from - value) / slope;
        x += step;
        if (!(fabs(step) > 1e-16)) break;
    }
    return path->knots[low] + (1 + x) / part->scale;
}

static inline nearest_piece nearest_piece_of(const ziPath *path, int piece, vec3 p) {
    const double *c = path->coeffs + 12 * piece;
    nearest_piece x;
    x.c0 = v3_sub(v3_of(c), p);
    x.c1 = v3_of(c + 3);
    x.c2 = v3_of(c + 6);
    x.c3 = v3_of(c + 9);
    x.h = path->widths[piece];
    return x;
}

/* No point of the piece is farther from its start than this. */
static inline real nearest_extent(const nearest_piece *c) {
    const real h = c->h;
    return h * (sqrt(v3_dot(c->c1, c->c1)) + h * (sqrt(v3_dot(c->c2, c->c2)) + h * sqrt(v3_dot(c->c3, c->c3))));
}

/* Pieces that cannot be nearer than what is found are skipped; open ends go on straight. */
static ZI_COLD real nearest_on_spline(const ziPath *path, vec3 p) {
    nearest best;
    best.piece = 0;
    best.u = best.beyond = 0;
    best.far = INFINITY;
    for (int i = 0; i < path->pieces; i++) { /* starts of pieces first: they rule most pieces out */
        const vec3 x = v3_sub(v3_of(path->coeffs + 12 * i), p);
        nearest_try(&best, i, 0, 0, v3_dot(x, x));
    }
    for (int i = 0; i < path->pieces; i++) {
        const nearest_piece c = nearest_piece_of(path, i, p);
        const real least = sqrt(v3_dot(c.c0, c.c0)) - nearest_extent(&c);
        if (!(least > 0 && least * least > best.far)) nearest_in_piece(&c, i, &best);
    }
    if (!path->closed) {
        const int end = path->pieces - 1;
        const nearest_piece first = nearest_piece_of(path, 0, p), last = nearest_piece_of(path, end, p);
        const vec3 out = v3_axpy(last.h, v3_axpy(3 * last.h, last.c3, v3_scale(2, last.c2)), last.c1);
        nearest_beyond(first.c0, v3_neg(first.c1), 0, 0, -1, &best);
        nearest_beyond(nearest_at(&last, last.h), out, end, last.h, 1, &best);
    }
    return nearest_length(path, best.piece, best.u) + best.beyond;
}

/* Its arc length: of a circle within half a turn, of a closed spline within its length. */
static inline real path_nearest(const ziPath *path, vec3 p) {
    if (path->kind == ZV_CURVE_LINE) return v3_dot(v3_of(path->a), p);
    if (path->kind == ZV_CURVE_SPLINE) return nearest_on_spline(path, p);
    const vec3 x = v3_sub(p, v3_of(path->a));
    return path->radius * atan2(v3_dot(x, v3_of(path->c)), v3_dot(x, v3_of(path->b)));
}

/* The length after which a path comes back; 0: never. */
static inline real path_period(const ziPath *path) {
    if (path->kind == ZV_CURVE_CIRCLE) return 8 * atan(1.0) * path->radius;
    return path->kind == ZV_CURVE_SPLINE && path->closed ? path->knots[path->parts] : 0;
}

#endif
