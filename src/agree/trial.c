/* Memory for a state and those beside it in lanes, and states drawn by chance. Magnitudes are the robot's: rates of
 * the order of one, elastic links bent by some percent of their size, forces that bear its weight or accelerate it by
 * the order of one. */
#include "agree/trial.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/tree.h"

/* `size` numbers of each state, in both precisions. */
static bool ring_arrays(const ziRing *r, ziArena *arena, size_t size, double **wide, float **narrow) {
    *wide = zi_arena_alloc(arena, (size * r->count + 1) * sizeof **wide);
    *narrow = zi_arena_alloc(arena, (size * r->count + 1) * sizeof **narrow);
    return *wide && *narrow;
}

static int deepest_link(const zvModel *m) {
    int best = 0, most = -1;
    for (int l = 0; l < m->nlink; l++) {
        int depth = 0;
        for (int i = m->link_places[l].body; i > 0; i = m->tree.body[i].parent) depth++;
        if (depth > most) most = depth, best = l;
    }
    return best;
}

/* One state more than lanes hold, so that a second group begins. */
bool zi_ring_create(const zvModel *m, ziArena *arena, ziRing *r) {
    const zvBatchOptions alone = {.threads = 1, .same_bits = true}; /* lanes, however few */
    zvError error = {0};
    *r = (ziRing){.nq = (size_t)m->nq, .nv = (size_t)m->nv, .nload = (size_t)zv_model_nexternal(m)};
    r->batch = zv_batch_create(m, &alone, &error);
    if (!r->batch) {
        snprintf(r->why, sizeof r->why, "%.120s", error.text);
        return error.status == ZV_NOT_SUPPORTED;
    }
    r->count = (size_t)zv_batch_lanes(r->batch, true) + 1; /* more than fit: another group begins */
    r->frame = deepest_link(m);
    const size_t matrix = r->nv <= ZI_RING_MATRIX_MAX ? r->nv * r->nv : 0, jacobian = 12 + 6 * r->nv;
    const size_t inputs[] = {r->nq, r->nv, r->nv, r->nv, r->nload};
    for (size_t k = 0; k < 5; k++)
        if (!(r->rounded[k] = zi_arena_alloc(arena, (inputs[k] + 1) * sizeof(double)))) return false;
    return ring_arrays(r, arena, r->nq, &r->q, &r->q1) && ring_arrays(r, arena, r->nv, &r->v, &r->v1) &&
           ring_arrays(r, arena, r->nv, &r->a, &r->a1) && ring_arrays(r, arena, r->nv, &r->tau, &r->tau1) &&
           ring_arrays(r, arena, r->nload, &r->load, &r->load1) &&
           ring_arrays(r, arena, matrix > jacobian ? matrix : jacobian, &r->out, &r->out1) &&
           ring_arrays(r, arena, r->nv, &r->more, &r->more1) &&
           (r->status = zi_arena_alloc(arena, r->count * sizeof *r->status));
}

void zi_ring_destroy(ziRing *r) { zv_batch_destroy(r->batch); }

static void put_state(const ziRing *r, size_t size, const double *from, double *wide, float *narrow, double *rounded) {
    for (size_t i = 0; i < size; i++) {
        const double x = from ? from[i] : 0;
        const float near = (float)x;
        rounded[i] = (double)near;
        for (size_t s = r->full ? r->place : 0; s < (r->full ? r->place + 1 : r->count); s++) {
            wide[i * r->count + s] = x;
            narrow[i * r->count + s] = near;
        }
    }
}

void zi_ring_put(ziRing *r, int index, const double *q, const double *v, const double *a, const double *tau,
                 const double *load) {
    if (!r->batch) return;
    r->place = (size_t)index % r->count;
    put_state(r, r->nq, q, r->q, r->q1, r->rounded[0]);
    put_state(r, r->nv, v, r->v, r->v1, r->rounded[1]);
    put_state(r, r->nv, a, r->a, r->a1, r->rounded[2]);
    put_state(r, r->nv, tau, r->tau, r->tau1, r->rounded[3]);
    put_state(r, r->nload, load, r->load, r->load1, r->rounded[4]);
    r->full = true;
}

void zi_ring_get(const ziRing *r, bool single, size_t width, double *answer) {
    for (size_t i = 0; i < width; i++) {
        const size_t at = i * r->count + r->place;
        answer[i] = single ? (double)r->out1[at] : r->out[at];
    }
}

/* As many arrays of `size` doubles; false when out of memory. */
static bool trial_arrays(ziTrial *t, size_t size, size_t count, double **parts[]) {
    for (size_t k = 0; k < count; k++)
        if (!(*parts[k] = zi_arena_alloc(&t->arena, (size + 1) * sizeof(double)))) return false;
    return true;
}

/* All arrays from one arena. */
bool zi_trial_create(const zvModel *m, ziTrial *t) {
    *t = (ziTrial){.model = m, .nv = (size_t)m->nv, .rows = (size_t)zv_model_nloop_rows(m)};
    const size_t n = t->nv, r = t->rows;
    double **vectors[] = {&t->v, &t->a, &t->tau, &t->forces, &t->x, &t->y};
    double **squares[] = {&t->S, &t->M, &t->X, &t->square, &t->second, &t->blur};
    double **conditions[] = {&t->lambda, &t->bias, &t->row, &t->unit};
    double **columns[] = {&t->G, &t->GX, &t->Y};
    bool fits = zi_error_scale_create(m, &t->error_scale) &&
                trial_arrays(t, (size_t)m->nq, 2, (double **[]){&t->q, &t->near}) &&
                trial_arrays(t, (size_t)zv_model_nexternal(m), 1, (double **[]){&t->fext}) &&
                trial_arrays(t, 3 * n, 1, (double **[]){&t->differences}) && zi_ring_create(m, &t->arena, &t->ring) &&
                trial_arrays(t, n, 6, vectors) && trial_arrays(t, n * n, 6, squares) &&
                trial_arrays(t, r, 4, conditions) && trial_arrays(t, r * n, 3, columns) &&
                trial_arrays(t, r * r, 1, (double **[]){&t->A});
    fits = fits && (t->given = zi_arena_alloc(&t->arena, n + 1)) && (t->mask = zi_arena_alloc(&t->arena, n + 1));
    return fits && (t->order = zi_arena_alloc(&t->arena, (r + 1) * sizeof *t->order));
}

void zi_trial_destroy(ziTrial *t) {
    zi_error_scale_destroy(&t->error_scale);
    zi_ring_destroy(&t->ring);
    zi_arena_free(&t->arena);
}

static double uniform(ziTrial *t) { return zi_guess_next(&t->random); }
/* Mean 0, variance 1: the sum of three. */
static double normal(ziTrial *t) { return uniform(t) + uniform(t) + uniform(t); }

/* Position -------------------------------------------------------------------------------------------- */

/* How far a body is bent: 2 percent of its radius of gyration, no more energy than it takes to lift it by that. */
static double bending(const zvModel *m, const ziBody *b, int i) {
    const ziElastic *el = b->elastic;
    const double *g = m->tree.gravity, weight = b->m * (1 + sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]));
    const double J = b->J[0] + b->J[5] + b->J[10], M = el->M[i * (el->n + 1)], K = el->K[i * (el->n + 1)];
    if (!(M > 0) || !(b->m > 0)) return 0;
    const double bent = 0.02 * sqrt(J / M), lifted = weight * sqrt(J / b->m);
    return K > 0 ? fmin(bent, sqrt(lifted / K)) : bent;
}

/* x (n) of the elastic coordinates, from q_index or v_index on. */
static void bend(ziTrial *t, double *x, bool velocities) {
    const zvModel *m = t->model;
    for (int l = 0; l < m->nlink; l++) {
        const zvElasticPlace place = zv_model_elastic_place(m, l);
        const ziBody *b = &m->tree.body[m->link_elastic[l]];
        for (int k = 0; k < place.count; k++)
            x[(velocities ? place.v_index : place.q_index) + k] = bending(m, b, k) * normal(t);
    }
}

/* Free joints that carry the whole robot fly to anywhere near. */
static void fly(ziTrial *t, double *step) {
    const zvModel *m = t->model;
    memset(step, 0, t->nv * sizeof *step);
    for (int j = 0; j < m->njoint; j++) {
        if (m->joint_places[j].nq == 0 || !zi_joint_carries(m, j)) continue;
        for (int k = 0; k < m->joint_places[j].nv; k++) step[m->joint_places[j].v_index + k] = normal(t);
    }
    zv_position_add(m, t->q, step, t->q);
}

static void draw_position(ziTrial *t) {
    const zvModel *m = t->model;
    zv_neutral(m, t->q);
    zi_guess_position(&t->random, m, m->tree.closed ? m->tree.closed->size : 1, NULL, t->q);
    bend(t, t->q, false);
    fly(t, t->x);
}

/* Near a dead centre it is a matter of opinion how many conditions count: pivots below this part of the others. */
static const double dead_centre = 1e-6;

/* Whether the position is closed and no dead centre. */
static bool is_regular(ziTrial *t) {
    zvSingularity near = {.margin = 1};
    const zvClosing closing = {.singularity = &near};
    const zvStatus status =
        zv_closed_forward_dynamics(t->model, t->work, &closing, t->q, NULL, NULL, NULL, t->x, t->lambda);
    return status == ZV_SINGULAR || (status >= 0 && near.margin > dead_centre);
}

/* Guesses anywhere, each with some restarts; then from the neutral position, near which loops are often drawn. */
static zvStatus draw_closed(ziTrial *t, zvError *error) {
    enum { GUESSES = 8, RESTARTS = 4, LAST = 50 };
    zvAssembly how = zv_assembly_default();
    how.restarts = RESTARTS;
    for (int k = 0; k < GUESSES; k++) {
        how.seed = (unsigned)t->random.state;
        draw_position(t);
        if (zv_assemble(t->model, t->work, NULL, &how, t->q, NULL) >= 0 && is_regular(t)) return ZV_OK;
    }
    how.restarts = LAST;
    zv_neutral(t->model, t->q);
    return zv_assemble(t->model, t->work, NULL, &how, t->q, error);
}

/* Motion and forces ----------------------------------------------------------------------------------- */

static void draw_motion(ziTrial *t) {
    static const unsigned char masks[] = {ZV_GIVEN_FORCE, ZV_GIVEN_ACCELERATION, ZV_GIVEN_FORCE, ZV_GIVEN_LOCKED};
    for (size_t i = 0; i < t->nv; i++) {
        t->v[i] = normal(t);
        t->a[i] = normal(t);
        t->given[i] = masks[(int)(2 + 2 * uniform(t)) & 3];
    }
    bend(t, t->v, true);
    bend(t, t->a, true);
    if (t->rows > 0) zv_close_velocity(t->model, t->work, NULL, t->q, NULL, t->v, NULL);
}

/* Forces of the order of weight and of unit accelerations; a share of the weight on each link. */
static void draw_forces(ziTrial *t) {
    const zvModel *m = t->model;
    zi_error_scale_forces(&t->error_scale, NULL, NULL, NULL, t->forces);
    for (size_t i = 0; i < t->nv; i++) {
        const double size = t->forces[i] + t->S[i * (t->nv + 1)];
        t->tau[i] = (size > 0 ? size : 1) * uniform(t);
    }
    const double share = m->mass / (m->nlink > 0 ? m->nlink : 1);
    const int count = zv_model_nexternal(m);
    for (int i = 0; i < count; i++) t->fext[i] = (share > 0 ? share : 1) * normal(t);
}

/* By which part of itself errors of M, depth eps S, move its inverse: |M^-1| S is the factor. Beyond a small part the
 * first order that answers are judged by says nothing; from all of it on whether there is an inverse is a matter of
 * opinion. */
static double inverse_error(const ziTrial *t, double epsilon) {
    double most = 0;
    for (size_t k = 0; k < t->nv; k++) {
        t->x[k] = 0;
        for (size_t j = 0; j < t->nv; j++) t->x[k] += t->S[k * t->nv + j];
    }
    for (size_t i = 0; i < t->nv; i++) {
        double sum = 0;
        for (size_t k = 0; k < t->nv; k++) sum += fabs(t->X[i * t->nv + k]) * t->x[k];
        most = fmax(most, sum);
    }
    return most * zi_trial_depth(t) * epsilon;
}

/* Whether single precision has digits. */
static bool is_mild(const ziTrial *t) {
    return t->regular && t->ring.batch && inverse_error(t, FLT_EPSILON) < 1.0 / 64;
}

/* The seed and the index alone decide: states are the same in whichever order they are drawn. */
zvStatus zi_trial_draw(ziTrial *t, uint64_t seed, int index, zvError *error) {
    t->random.state = (seed + 1) * 0xd1342543de82ef95u + (uint64_t)index * 0x2545f4914f6cdd1du;
    zvStatus status = ZV_OK;
    if (t->model->nloop > 0)
        status = draw_closed(t, error);
    else
        draw_position(t);
    if (status < 0) return status;
    zi_error_scale_place(&t->error_scale, t->q);
    zi_error_scale_mass(&t->error_scale, t->S);
    zv_mass_matrix(t->model, t->work, t->q, t->M);
    t->regular = zv_mass_inverse(t->model, t->work, t->q, t->X) == ZV_OK && inverse_error(t, DBL_EPSILON) < 1;
    draw_motion(t);
    draw_forces(t);
    t->load = index % 2 ? t->fext : NULL;
    t->mild = is_mild(t);
    zi_ring_put(&t->ring, index, t->q, t->v, t->a, t->tau, t->load);
    return ZV_OK;
}

ziTrial zi_trial_rounded(const ziTrial *t) {
    ziTrial at = *t;
    double *const *x = t->ring.rounded;
    at.q = x[0], at.v = x[1], at.a = x[2], at.tau = x[3];
    at.load = t->load ? x[4] : NULL;
    return at;
}

static double column_norm(size_t n, const double *A) {
    double most = 0;
    for (size_t i = 0; i < n; i++) { /* symmetric: rows are columns */
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += fabs(A[i * n + j]);
        most = fmax(most, sum);
    }
    return most;
}

double zi_trial_condition(const ziTrial *t) {
    return t->regular ? column_norm(t->nv, t->M) * column_norm(t->nv, t->X) : 0;
}
