/* Stability margins of a loop that is broken in one place, from the closed system: with G = -L/(1 + L) from there back
 * to there the loop gain is L = -G/(1 + G), whether the broken loop is stable or not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/require.h"
#include "modes/pencil.h"

static const double PI = 3.14159265358979323846;

enum { POINTS = 1500, AROUND = 12, HALVINGS = 60 };

typedef struct LoopGain {
    const zvStateSpace *closed;
    ziArena arena;
    zvStatus status;
    int count;
    double *omega, *L; /* (count), (count x 2) */
} LoopGain;

/* L of points first ... */
static void gains(LoopGain *g, int count, const double *omega, double *L) {
    if (g->status < 0) return;
    g->status = zv_frequency_response(g->closed, count, omega, L, NULL, NULL);
    for (int k = 0; k < count && g->status == ZV_OK; k++) {
        double *at = L + 2 * k;
        const double re = 1 + at[0], im = at[1], square = re * re + im * im;
        if (!isfinite(at[0])) { /* G is infinite: L = -1 */
            at[0] = -1, at[1] = 0;
            continue;
        }
        const double a = -(at[0] * re + at[1] * im) / square, b = -(at[1] * re - at[0] * im) / square;
        at[0] = a, at[1] = b;
    }
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Evenly over the logarithm, and close to each vibration. */
static bool choose_points(LoopGain *g, zvMargins *m) {
    const int n = g->closed->nx;
    double *real = zi_arena_alloc(&g->arena, 2 * ((size_t)n + 1) * sizeof *real), *imag = real + n + 1;
    const size_t most = POINTS + (size_t)n * (2 * AROUND + 1);
    g->omega = zi_arena_alloc(&g->arena, most * sizeof *g->omega);
    g->L = zi_arena_alloc(&g->arena, 2 * most * sizeof *g->L);
    if (!real || !g->omega || !g->L) return false;
    g->status = zv_poles(g->closed, real, imag, NULL);
    if (g->status < 0) return true;
    double slow = INFINITY, fast = 0;
    m->stable = true;
    for (int i = 0; i < n; i++) {
        const double rate = hypot(real[i], imag[i]);
        m->stable &= real[i] < 0;
        fast = fmax(fast, rate);
        if (rate > 0) slow = fmin(slow, rate);
    }
    if (!(fast > 0)) return true;
    slow = fmax(slow, 1e-9 * fast);
    for (int k = 0; k < POINTS; k++) g->omega[g->count++] = 1e-2 * slow * pow(1e4 * fast / slow, k / (POINTS - 1.0));
    for (int i = 0; i < n; i++) {
        if (!(imag[i] > 0)) continue;
        const double width = fmax(fabs(real[i]), 1e-9 * imag[i]);
        for (int k = -AROUND; k <= AROUND; k++) {
            const double at = imag[i] + width * (k < 0 ? -1 : 1) * (exp2(fabs((double)k) / 2) - 1) / 4;
            if (at > 0) g->omega[g->count++] = at;
        }
    }
    qsort(g->omega, (size_t)g->count, sizeof *g->omega, by_size);
    return true;
}

/* What falls through zero where the phase is half a turn, and where the gain is one. */
static double phase_function(const double L[2]) { return L[1]; }
static double gain_function(const double L[2]) { return L[0] * L[0] + L[1] * L[1] - 1; }

/* The frequency between points k and k + 1 where the function is zero, and L there. */
static double crossing(LoopGain *g, int k, double (*function)(const double *), double L[2]) {
    double from = g->omega[k], to = g->omega[k + 1];
    const bool rises = function(g->L + 2 * k) < 0;
    for (int i = 0; i < HALVINGS && g->status == ZV_OK; i++) {
        const double middle = 0.5 * (from + to);
        if (middle <= from || middle >= to) break;
        gains(g, 1, &middle, L);
        if ((function(L) < 0) == rises)
            from = middle;
        else
            to = middle;
    }
    gains(g, 1, &to, L);
    return to;
}

/* L real and negative: the factor 1 / |L| leads to -1. A change of sign through infinity is none. */
static void note_gain(zvMargins *m, double omega, const double L[2]) {
    if (!(L[0] < 0) || fabs(L[1]) > 1e-3 * fabs(L[0])) return;
    const double factor = -1 / L[0];
    if (factor >= 1 && factor < m->gain_up) m->gain_up = factor, m->gain_up_at = omega;
    if (factor < 1 && factor > m->gain_down) m->gain_down = factor, m->gain_down_at = omega;
}

static void note_phase(zvMargins *m, double omega, const double L[2]) {
    double lag = atan2(L[1], L[0]) + PI;
    if (lag >= 2 * PI) lag -= 2 * PI;
    if (lag < m->phase) m->phase = lag, m->phase_at = omega;
    m->delay = fmin(m->delay, lag / omega);
}

/* What happens between two points, and how near -1 the first is. */
static void look_at_interval(LoopGain *g, int k, zvMargins *m) {
    const double *a = g->L + 2 * k, *b = a + 2;
    double L[2];
    const double distance = hypot(1 + a[0], a[1]);
    if (distance < m->modulus) m->modulus = distance, m->modulus_at = g->omega[k];
    if (k + 1 == g->count || g->omega[k] == g->omega[k + 1]) return;
    if ((phase_function(a) < 0) != (phase_function(b) < 0)) {
        const double at = crossing(g, k, phase_function, L);
        note_gain(m, at, L);
    }
    if ((gain_function(a) < 0) != (gain_function(b) < 0)) {
        const double at = crossing(g, k, gain_function, L);
        note_phase(m, at, L);
    }
}

zvStatus zv_margins(const zvStateSpace *closed, zvMargins *m, zvError *error) {
    ZI_REQUIRE(closed && m && closed->nu == 1 && closed->ny == 1);
    LoopGain g = {.closed = closed};
    *m = (zvMargins){.gain_up = INFINITY, .phase = INFINITY, .delay = INFINITY, .modulus = INFINITY};
    if (!choose_points(&g, m)) g.status = ZV_MEMORY;
    gains(&g, g.count, g.omega, g.L);
    for (int k = 0; k < g.count && g.status == ZV_OK; k++) look_at_interval(&g, k, m);
    zi_arena_free(&g.arena);
    return g.status < 0 ? zi_response_fail(g.status, error) : ZV_OK;
}
