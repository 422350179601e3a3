/* What there is to tell of an equilibrium: forces, stability, the band of friction. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "actuate/element.h"
#include "base/require.h"
#include "modes/dense.h"
#include "modes/vibration.h"
#include "simulate/equilibrium.h"

static const double noise_of_stiffness = 1e-9; /* of what a stiffness is the sum of: none, but for differences */
static const double even = 1e-7;               /* asymmetry that differences leave */

struct zvEquilibrium {
    ziArena arena;
    double *q, *v, *z, *tau, *holding, *lambda;
    double *squares, *softest;
    double *band; /* 2 nv */
    double residual, acceleration;
    int steps, freedoms;
    zvStability stability;
};

const char *zv_stability_word(zvStability stability) {
    static const char *const words[] = {"stable", "indifferent", "unstable", "flutter", "fixed"};
    return words[stability];
}

void zv_equilibrium_destroy(zvEquilibrium *e) {
    if (!e) return;
    zi_arena_free(&e->arena);
    free(e);
}

const double *zv_equilibrium_position(const zvEquilibrium *e) { return e->q; }
const double *zv_equilibrium_velocity(const zvEquilibrium *e) { return e->v; }
const double *zv_equilibrium_states(const zvEquilibrium *e) { return e->z; }
const double *zv_equilibrium_tau(const zvEquilibrium *e) { return e->tau; }
const double *zv_equilibrium_holding(const zvEquilibrium *e) { return e->holding; }
const double *zv_equilibrium_multipliers(const zvEquilibrium *e) { return e->lambda; }
double zv_equilibrium_residual(const zvEquilibrium *e) { return e->residual; }
double zv_equilibrium_acceleration(const zvEquilibrium *e) { return e->acceleration; }
int zv_equilibrium_steps(const zvEquilibrium *e) { return e->steps; }
zvStability zv_equilibrium_stability(const zvEquilibrium *e) { return e->stability; }
int zv_equilibrium_freedoms(const zvEquilibrium *e) { return e->freedoms; }
const double *zv_equilibrium_squares(const zvEquilibrium *e) { return e->squares; }
const double *zv_equilibrium_softest(const zvEquilibrium *e) { return e->freedoms > 0 ? e->softest : NULL; }

void zv_equilibrium_band(const zvEquilibrium *e, int dof, double band[2]) {
    ZI_REQUIRE(e && dof >= 0 && band);
    band[0] = e->band[2 * dof];
    band[1] = e->band[2 * dof + 1];
}

/* What is asked of one equilibrium, and room for it. */
typedef struct Inquiry {
    ziSystem *system;
    zvEquilibrium *answer;
    double t;
    unsigned char *held; /* nv */
    double *y;
    ziEquilibriumFacts facts;
    size_t nv, n, all, width; /* all: independent degrees of freedom and motors; width: of facts.K */
    size_t *entry;            /* all: column of facts.K */
    double *inertia;          /* all: of motors */
    double *K, *M;            /* all x all */
} Inquiry;

/* Stability -------------------------------------------------------------------------------------------------- */

/* Motors of gears stand behind the degrees of freedom. */
static void find_entries(Inquiry *i) {
    const zvDrives *d = i->system->drives;
    for (i->all = 0; i->all < i->n; i->all++) i->entry[i->all] = i->all;
    for (size_t k = 0; k < d->nelement; k++) {
        const ziElement *e = &d->elements[k];
        if (e->kind != &zi_flexible_kind) continue;
        i->entry[i->all] = i->n + (size_t)e->state;
        i->inertia[i->all++] = e->of.motor.gear.inertia * e->of.motor.gear.ratio * e->of.motor.gear.ratio;
    }
}

/* P^T M P, and the inertia of motors. */
static void fill_masses(Inquiry *i) {
    const size_t nv = i->nv, n = i->n;
    double *M = zi_arena_alloc(&i->system->arena, (nv * nv + nv) * sizeof *M), *column = M + nv * nv;
    if (!M) return;
    zv_mass_matrix(i->system->model, i->system->work, i->y, M);
    for (size_t b = 0; b < n; b++) {
        for (size_t k = 0; k < nv; k++) {
            column[k] = 0;
            for (size_t j = 0; j < nv; j++) column[k] += M[k * nv + j] * i->facts.P[j * n + b];
        }
        for (size_t a = 0; a < n; a++) {
            double sum = 0;
            for (size_t k = 0; k < nv; k++) sum += i->facts.P[k * n + a] * column[k];
            i->M[a * i->all + b] = sum;
        }
    }
    for (size_t a = n; a < i->all; a++) i->M[a * i->all + a] = i->inertia[a];
}

/* Rows of motors are those of the rates of their rates, an inertia away from forces. */
static void fill_stiffness(Inquiry *i) {
    double asymmetry = 0;
    for (size_t a = 0; a < i->all; a++) {
        const bool motor = a >= i->n;
        for (size_t b = 0; b < i->all; b++)
            i->K[a * i->all + b] =
                (motor ? -i->inertia[a] : 1) * i->facts.K[(i->entry[a] + motor) * i->width + i->entry[b]];
    }
    for (size_t a = 0; a < i->all; a++) {
        for (size_t b = 0; b < a; b++) {
            const double x = i->K[a * i->all + b], y = i->K[b * i->all + a];
            const double size = sqrt(fabs(i->K[a * i->all + a] * i->K[b * i->all + b])) + fabs(x) + fabs(y);
            if (size > 0) asymmetry = fmax(asymmetry, fabs(x - y) / size);
        }
    }
    for (size_t a = 0; asymmetry <= even && a < i->all; a++) {
        for (size_t b = 0; b < a; b++) {
            double *x = &i->K[a * i->all + b], *y = &i->K[b * i->all + a];
            *x = *y = 0.5 * (*x + *y);
        }
    }
}

/* Whether a motion meets no stiffness but that of differences. */
static bool is_indifferent(const Inquiry *i, const double *x) {
    double stiffness = 0, size = 0;
    for (size_t a = 0; a < i->all; a++) {
        for (size_t b = 0; b < i->all; b++) {
            const double part = x[a] * i->K[a * i->all + b] * x[b];
            stiffness += part;
            size += fabs(part);
        }
        const double unit = a < i->n ? i->facts.unit[i->facts.dof[a]] : 0;
        if (a < i->n) size += i->facts.scale * x[a] * x[a] / (unit * unit);
    }
    return fabs(stiffness) <= noise_of_stiffness * size;
}

/* The motion of all degrees of freedom, its largest entry 1. */
static void tell_softest(const Inquiry *i, const double *x) {
    double largest = 0, *out = i->answer->softest;
    for (size_t k = 0; k < i->nv; k++) {
        out[k] = 0;
        for (size_t c = 0; c < i->n; c++) out[k] += i->facts.P[k * i->n + c] * x[c];
        if (fabs(out[k]) > (1 + 1e-9) * fabs(largest)) largest = out[k];
    }
    for (size_t k = 0; largest != 0 && k < i->nv; k++) out[k] = out[k] == 0 ? 0 : out[k] / largest;
}

static int compare_squares(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Eigenvalues of K x = square M x as those of a vibration without damping. */
static zvStatus judge_stability(Inquiry *i, zvError *error) {
    ziArena *arena = &i->system->arena;
    zvEquilibrium *e = i->answer;
    const size_t n = i->all, bytes = (n * n + 1) * sizeof(double);
    double least = INFINITY, fastest = 0, *K = zi_arena_alloc(arena, bytes);
    ziVibration v = {(int)n, i->M, zi_arena_alloc(arena, bytes), K, arena, NULL, zi_arena_alloc(arena, bytes)};
    v.modes = zi_arena_alloc(arena, (n + 1) * sizeof *v.modes);
    if (!K || !v.C || !v.shapes || !v.modes) return zi_dense_fail(ZV_MEMORY, error);
    memcpy(K, i->K, n * n * sizeof *K);
    const zvStatus status = zi_vibration_solve(&v);
    if (status < 0) return zi_dense_fail(status, error);
    e->freedoms = (int)n;
    e->stability = n ? ZV_STABILITY_STABLE : ZV_STABILITY_FIXED;
    bool indifferent = false, flutters = false, unstable = false;
    for (size_t k = 0; k < n; k++) fastest = fmax(fastest, v.modes[k].frequency);
    for (size_t k = 0; k < n; k++) {
        const zvMode *m = &v.modes[k];
        const double rounding = 64 * (double)n * DBL_EPSILON * fastest * fastest;
        const bool idle = m->frequency * m->frequency <= rounding || is_indifferent(i, v.shapes + k * n);
        e->squares[k] = idle ? 0 : m->imag * m->imag - m->real * m->real;
        indifferent |= idle;
        flutters |= !idle && m->real > 0 && m->imag > 1e-6 * m->real;
        unstable |= !idle && m->real > 0 && m->imag <= 1e-6 * m->real;
        if (e->squares[k] < least) tell_softest(i, v.shapes + k * n);
        least = fmin(least, e->squares[k]);
    }
    if (unstable || flutters || indifferent)
        e->stability = unstable ? ZV_STABILITY_UNSTABLE : flutters ? ZV_STABILITY_FLUTTER : ZV_STABILITY_INDIFFERENT;
    qsort(e->squares, n, sizeof *e->squares, compare_squares);
    return ZV_OK;
}

/* Friction: p^T K^-1 p of the motion p of a joint, times what holds it. Where K is singular nothing ends the band. */
static zvStatus find_bands(Inquiry *i, zvError *error) {
    ziArena *arena = &i->system->arena;
    const zvDrives *d = i->system->drives;
    const size_t n = i->all;
    double *A = zi_arena_alloc(arena, (n * n + 1) * sizeof *A), *x = zi_arena_alloc(arena, (n + 1) * sizeof *x);
    int *pivots = zi_arena_alloc(arena, (n + 1) * sizeof *pivots);
    if (!A || !x || !pivots) return zi_dense_fail(ZV_MEMORY, error);
    memcpy(A, i->K, n * n * sizeof *A);
    const bool regular = n > 0 && d->nstick > 0 && zi_dense_factor((int)n, A, pivots) == ZV_OK;
    for (size_t k = 0; k < d->nstick; k++) {
        const ziStick *stick = &d->sticks[k];
        const double *p = i->facts.P + (size_t)stick->dof * i->n;
        double give = 0, moves = 0;
        if (i->held[stick->dof]) continue;
        for (size_t c = 0; c < n; c++) x[c] = c < i->n ? p[c] : 0;
        if (regular) zi_dense_solve((int)n, A, pivots, x);
        for (size_t c = 0; c < i->n; c++) give += p[c] * x[c], moves += fabs(p[c]);
        if (moves > 0 && !(regular && give > 0)) give = INFINITY;
        i->answer->band[2 * stick->dof] = -give * stick->hold[1];
        i->answer->band[2 * stick->dof + 1] = give * stick->hold[0];
    }
    return ZV_OK;
}

/* Forces ------------------------------------------------------------------------------------------------------- */

/* By mixed dynamics, which knows nothing of the search: what is held does not accelerate, everything else should not.
 */
static zvStatus find_forces(Inquiry *i, zvError *error) {
    ziSystem *s = i->system;
    zvEquilibrium *e = i->answer;
    const size_t nv = i->nv, one = sizeof(double);
    zi_system_copy(s, i->t, i->y);
    for (size_t k = 0; k < nv; k++) s->held[k] = i->held[k] && !s->drives->prescribed[k];
    zi_efforts_loosen(s->efforts, true);
    const zvStatus status = zi_system_accelerate(s);
    zi_efforts_loosen(s->efforts, false);
    memset(s->held, 0, nv);
    if (status < 0)
        return zv_fail(error, status, (zvMark){0}, NULL, "no motion follows from the forces at the equilibrium: %s",
                       zv_status_sentence(status));
    memcpy(e->tau, s->efforts->tau, nv * one);
    for (size_t k = 0; k < nv; k++) {
        if (i->held[k]) e->holding[k] = e->tau[k] - zi_efforts_known(s->efforts)[k];
        if (!i->held[k]) e->acceleration = fmax(e->acceleration, fabs(s->efforts->a[k]));
    }
    memcpy(e->lambda, s->efforts->lambda, (size_t)zv_model_nloop_rows(s->model) * one);
    return ZV_OK;
}

/* The whole way ------------------------------------------------------------------------------------------------ */

static double *numbers(ziArena *arena, size_t count) { return zi_arena_alloc(arena, (count + 1) * sizeof(double)); }

/* Room for the answer and what is asked. */
static bool take_room(Inquiry *i, zvEquilibrium *e) {
    ziSystem *s = i->system;
    ziArena *own = &e->arena, *arena = &s->arena;
    const size_t nv = i->nv, wide = nv + (size_t)s->nz, rows = (size_t)zv_model_nloop_rows(s->model);
    i->answer = e;
    e->q = numbers(own, (size_t)s->nq);
    e->v = numbers(own, nv);
    e->z = numbers(own, (size_t)s->nz);
    e->tau = numbers(own, nv);
    e->holding = numbers(own, nv);
    e->lambda = numbers(own, rows);
    e->squares = numbers(own, wide);
    e->softest = numbers(own, nv);
    e->band = numbers(own, 2 * nv);
    i->y = numbers(arena, (size_t)s->size);
    i->held = zi_arena_alloc(arena, nv + 1);
    i->entry = zi_arena_alloc(arena, (wide + 1) * sizeof *i->entry);
    i->inertia = numbers(arena, wide);
    i->K = numbers(arena, wide * wide);
    i->M = numbers(arena, wide * wide);
    i->facts.dof = zi_arena_alloc(arena, (nv + 1) * sizeof(int));
    i->facts.P = numbers(arena, nv * nv);
    i->facts.K = numbers(arena, wide * wide);
    i->facts.unit = numbers(arena, nv);
    return e->q && e->v && e->z && e->tau && e->holding && e->lambda && e->squares && e->softest && e->band && i->y &&
           i->held && i->entry && i->inertia && i->K && i->M && i->facts.dof && i->facts.P && i->facts.K &&
           i->facts.unit;
}

/* Guess, search, and everything there is to tell. */
static zvStatus inquire(Inquiry *i, const zvRestOptions *options, zvError *error) {
    ziSystem *s = i->system;
    zvEquilibrium *e = i->answer;
    zvStatus status = zi_system_guess(s, options->q, i->y);
    if (status >= 0) status = zi_system_rest(s, options, i->y, i->held, &i->facts, error);
    if (status < 0) return status;
    memcpy(e->q, i->y, (size_t)s->nq * sizeof *e->q);
    memcpy(e->v, i->y + s->at_v, i->nv * sizeof *e->v);
    memcpy(e->z, i->y + s->at_z, (size_t)s->nz * sizeof *e->z);
    e->residual = i->facts.left;
    e->steps = i->facts.steps;
    i->n = (size_t)i->facts.n;
    i->width = i->n + (size_t)s->nz;
    find_entries(i);
    fill_masses(i);
    fill_stiffness(i);
    status = find_bands(i, error);
    if (status >= 0) status = judge_stability(i, error);
    return status < 0 ? status : find_forces(i, error);
}

/* Memory of the question ends with it, that of the answer is the caller's. */
zvStatus zv_scenario_equilibrium(const zvScenario *scenario, const zvRestOptions *options, zvEquilibrium **equilibrium,
                                 zvError *error) {
    ZI_REQUIRE(scenario && equilibrium);
    const zvRestOptions usual = zv_rest_default();
    zvError own = {0};
    if (!error) error = &own;
    if (!options) options = &usual;
    *equilibrium = NULL;
    Inquiry i = {.system = zi_system_create(scenario, error), .nv = (size_t)zv_model_nv(scenario->model)};
    if (!i.system) return error->status < 0 ? error->status : ZV_MEMORY;
    zvEquilibrium *e = calloc(1, sizeof *e);
    i.t = isnan(options->t) ? scenario->start : options->t;
    zvStatus status = e && take_room(&i, e) ? inquire(&i, options, error) : zi_dense_fail(ZV_MEMORY, error);
    zi_system_destroy(i.system);
    if (status >= 0)
        *equilibrium = e;
    else
        zv_equilibrium_destroy(e);
    return status;
}
