#include "model/arc_length.h"

#include <math.h>

enum { TERMS = ZI_PATH_TERMS };

static const double pi = 3.14159265358979323846;
static const double resolved = 1e-13;   /* last coefficients of 1/|dp/du| beside the first */
static const double shortest = 0x1p-16; /* part of a piece */

/* A stretch of a piece that begins at `from`: dp/du = d0 + d1 x + d2 x^2, x = u - from. Taken about its own start the
 * cubic loses nothing to cancellation where dp/du is small. */
typedef struct Stretch {
    const ziArcRule *rule;
    double from, wide, d[3][3];
} Stretch;

void zi_arc_rule(ziArcRule *rule) {
    zi_gauss(&rule->gauss);
    for (int k = 0; k < 4 * TERMS; k++) rule->wave[k] = cos(pi * k / (2 * TERMS));
}

static Stretch stretch_at(const ziArcRule *rule, const double *c, double from, double wide) {
    Stretch x = {.rule = rule, .from = from, .wide = wide};
    for (int k = 0; k < 3; k++) {
        x.d[0][k] = c[3 + k] + from * (2 * c[6 + k] + from * 3 * c[9 + k]);
        x.d[1][k] = 2 * c[6 + k] + from * 6 * c[9 + k];
        x.d[2][k] = 3 * c[9 + k];
    }
    return x;
}

/* |dp/du| */
static double speed(const Stretch *s, double x) {
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double d = s->d[0][k] + x * (s->d[1][k] + x * s->d[2][k]);
        square += d * d;
    }
    return sqrt(square);
}

/* The length of its part up to x. */
static double length(const Stretch *s, double x) {
    double sum = 0;
    for (int k = 0; k < GAUSS_POINTS; k++) sum += s->rule->gauss.weight[k] * speed(s, s->rule->gauss.at[k] * x);
    return x * sum;
}

/* T_j at Chebyshev's point k of -1 ... 1, cos(j pi (k + 1/2)/TERMS). */
static double wave(const ziArcRule *rule, int j, int k) { return rule->wave[j * (2 * k + 1) % (4 * TERMS)]; }

/* f at the points -> coefficients of Chebyshev's polynomials. */
static void expand(const ziArcRule *rule, const double f[TERMS], double a[TERMS]) {
    for (int j = 0; j < TERMS; j++) {
        double sum = 0;
        for (int k = 0; k < TERMS; k++) sum += f[k] * wave(rule, j, k);
        a[j] = (j ? 2 : 1) * sum / TERMS;
    }
}

/* Coefficients of Chebyshev's polynomials -> of powers, by T_(j+1) = 2 x T_j - T_(j-1). */
static void powers(const double a[TERMS], double b[TERMS]) {
    double before[TERMS] = {0}, now[TERMS] = {1}, next[TERMS];
    for (int k = 0; k < TERMS; k++) b[k] = 0;
    for (int j = 0; j < TERMS; j++) {
        for (int k = 0; k < TERMS; k++) {
            b[k] += a[j] * now[k];
            next[k] = (k ? (j ? 2 : 1) * now[k - 1] : 0) - before[k];
        }
        for (int k = 0; k < TERMS; k++) {
            before[k] = j ? now[k] : k == 0;
            now[k] = next[k];
        }
    }
}

/* Whether the terms that were left out of 1/|dp/du| = du/ds would be lost in rounding, as the last ones tell. They are
 * taken over twice the stretch: seen along s, zeros of |dp/du| (in the complex plane) are nearer by a third. */
static bool is_resolved(const Stretch *s) {
    double f[TERMS], a[TERMS];
    for (int k = 0; k < TERMS; k++) f[k] = 1 / speed(s, s->wide * (0.5 + wave(s->rule, 1, k)));
    expand(s->rule, f, a);
    return fabs(a[TERMS - 1]) + fabs(a[TERMS - 2]) <= resolved * fabs(a[0]);
}

/* x at a distance from the start, a share of the whole length. */
static double place_at(const Stretch *s, double whole, double share) {
    enum { ROUNDS = 20 };
    double x = share * s->wide;
    for (int i = 0; i < ROUNDS; i++) {
        const double step = (share * whole - length(s, x)) / speed(s, x);
        x = fmin(fmax(x + step, 0), s->wide);
        if (!(fabs(step) > 1e-16 * s->wide)) break;
    }
    return x;
}

/* Returns its length. */
static double make_part(const Stretch *s, ziPathPart *part) {
    double x[TERMS], a[TERMS];
    const double whole = length(s, s->wide);
    for (int k = 0; k < TERMS; k++) x[k] = place_at(s, whole, 0.5 + 0.5 * wave(s->rule, 1, k));
    expand(s->rule, x, a);
    powers(a, part->u);
    part->from = s->from;
    part->scale = 2 / whole;
    return whole;
}

/* Stretches are halved until they are resolved, and the next one is tried twice as long; shares of h are exact in
 * binary. */
int zi_arc_parts(const ziArcRule *rule, const double *coeffs, double h, ziPathPart *part, double *lengths) {
    int count = 0;
    for (double at = 0, share = 1; at < 1; at += share, share = fmin(2 * share, 1 - at), count++) {
        Stretch s = stretch_at(rule, coeffs, at * h, share * h);
        while (!is_resolved(&s)) {
            share *= 0.5;
            s.wide *= 0.5;
            if (share < shortest) return -1;
        }
        if (part) lengths[count] = make_part(&s, &part[count]);
    }
    return count;
}
