/* Eigenfunctions of beams, rods and shafts that are clamped at s = 0 and free, or carry a mass, at s = 1. */
#include <math.h>

#include "beam/shapes.h"

static const double pi = 3.14159265358979323846;

/* A function and its derivative at beta. */
typedef struct ziSlope {
    double f, df;
} ziSlope;

/* 1/cosh + cos + tip beta (cos tanh - sin): vanishing shear force at the tip but for that of the mass there. */
static ziSlope bending_residue(double beta, double tip) {
    const double c = cos(beta), s = sin(beta), h = 1 / cosh(beta), t = tanh(beta);
    const double swing = c * t - s;
    return (ziSlope){h + c + tip * beta * swing, -h * t - s + tip * (swing + beta * (c * (h * h - 1) - s * t))};
}

/* cos - tip beta sin */
static ziSlope rod_residue(double beta, double tip) {
    const double c = cos(beta), s = sin(beta);
    return (ziSlope){c - tip * beta * s, -s - tip * (s + beta * c)};
}

/* The one zero between k pi and (k + 1) pi by Newton's method; where a step would leave the bracket, by halving it. */
static double root_between(ziSlope (*residue)(double beta, double tip), int k, double tip) {
    const double sign = k % 2 ? -1 : 1; /* of the residue at k pi */
    double low = k * pi, high = (k + 1) * pi, beta = low + pi / 2;
    for (int step = 0; step < 200; step++) {
        const ziSlope r = residue(beta, tip);
        if (r.f == 0) break;
        if (sign * r.f > 0)
            low = beta;
        else
            high = beta;
        double next = beta - r.f / r.df;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        const bool same = fabs(next - beta) <= 2e-16 * next;
        beta = next;
        if (same) break;
    }
    return beta;
}

double zi_root_clamped(int k, double tip) { return root_between(bending_residue, k, tip); }

double zi_root_rod(int k, double tip) { return tip > 0 ? root_between(rod_residue, k, tip) : (k + 0.5) * pi; }

double zi_root_pinned(int k, double tip) {
    (void)tip;
    return (k + 1) * pi;
}

ziModeShape zi_shape_sine(const ziShapeSet *set, int k, double s) {
    const double beta = set->root[k], wave = sin(beta * s);
    ziModeShape f = {wave, beta * cos(beta * s), 0, -beta * beta * wave};
    f.turn = f.slope;
    return f;
}

/* cosh x - cos x and sinh x - sin x for x < 1, without their cancellation */
static double even_difference(double x) {
    const double y = x * x * x * x;
    return x * x * (1 + y / 360 * (1 + y / 5040 * (1 + y / 24024)));
}
static double odd_difference(double x) {
    const double y = x * x * x * x;
    return x * x * x / 3 * (1 + y / 840 * (1 + y / 7920 * (1 + y / 32760)));
}

/* phi = cosh - cos - sigma (sinh - sin), of beta s; sigma makes the moment at the tip vanish. */
static ziModeShape slow_wave(double beta, double s) {
    const double x = beta * s, sigma = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta));
    ziModeShape f;
    f.value = even_difference(x) - sigma * odd_difference(x);
    f.slope = beta * (sinh(x) + sin(x) - sigma * even_difference(x));
    f.bend = beta * beta * (cosh(x) + cos(x) - sigma * (sinh(x) + sin(x)));
    f.turn = f.slope;
    return f;
}

/* The same by exponentials that decay from either end: nothing overflows and nothing large is subtracted. */
static ziModeShape fast_wave(double beta, double s) {
    const double tail = exp(-beta), c1 = cos(beta), s1 = sin(beta);
    const double tip = (s1 - c1 - tail) / (1 - tail * tail + 2 * tail * s1); /* (1 - sigma) e^beta / 2 */
    const double sigma = 1 - 2 * tip * tail;
    const double near = 0.5 * (1 + sigma) * exp(-beta * s), far = tip * exp(-beta * (1 - s));
    const double c = cos(beta * s), n = sin(beta * s);
    ziModeShape f;
    f.value = far + near - c + sigma * n;
    f.slope = beta * (far - near + n + sigma * c);
    f.bend = beta * beta * (far + near + c - sigma * n);
    f.turn = f.slope;
    return f;
}

ziModeShape zi_shape_clamped(const ziShapeSet *set, int k, double s) {
    const double beta = set->root[k];
    return beta < 1 ? slow_wave(beta, s) : fast_wave(beta, s);
}
