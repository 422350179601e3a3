/* Maps over poses: each thread takes the next poses that nobody has, with a workspace of its own. */
#define _POSIX_C_SOURCE 200809L
#include "zveno/map.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ZI_WITH_BATCH
#include "batch/pool.h"
#endif
#include "base/require.h"
#include "linalg/jacobi.h"
#include "modes/dense.h"
#include "zveno/kinematics.h"

enum { AT_ONCE = 8 }; /* poses that a thread takes */

/* What all threads share. */
typedef struct Survey {
    const zvModel *model;
    const zvMapOptions *options;
    size_t count, nq, nv;
    const double *q, *v;
    int value_count;
    const zvMapValue *values;
    double *answer;
    zvStatus *status;
    bool vibrates, stiff, moves; /* what the values need: modes, K, the Jacobian */
    bool *elastic;               /* nv: no coordinate of a joint */
    atomic_size_t next, done;
    atomic_bool stopped;
    zvError *errors; /* of each thread, the first */
    bool *failed;    /* memory of each thread */
} Survey;

/* What a thread has for itself. */
typedef struct Surveyor {
    const Survey *s;
    zvWork *work;
    zvRest rest;
    double *q;           /* nq: the pose, or the equilibrium near it */
    double *K, *J, *g;   /* nv x nv, 6 x nv, nv */
    double *A, *column;  /* n x n, n */
    int *pivots, *place; /* n: which degrees of freedom move */
    zvMode *modes;
} Surveyor;

static bool is_held(const Surveyor *w, size_t i) { return w->rest.held && w->rest.held[i]; }

/* Eigenvalues of a symmetric matrix of up to 6 rows, in any order. */
static void eigenvalues(int n, double *A, double *values) {
    double V[36];
    jacobi_eigen(n, A, V);
    for (int i = 0; i < n; i++) values[i] = A[i * n + i];
}

/* Root of the determinant of J J^T, or of J^T J where that is smaller, joints only. */
static double manipulability(const Surveyor *w, int rows) {
    const size_t nv = w->s->nv;
    double G[36], values[6], product = 1;
    size_t joints = 0, at[6];
    for (size_t i = 0; i < nv; i++) {
        if (w->s->elastic[i] || is_held(w, i)) continue;
        if (joints < 6) at[joints] = i;
        joints++;
    }
    const bool few = joints < (size_t)rows;
    const int n = few ? (int)joints : rows;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double sum = 0;
            for (int k = 0; few && k < rows; k++) sum += w->J[(size_t)k * nv + at[a]] * w->J[(size_t)k * nv + at[b]];
            for (size_t i = 0; !few && i < nv; i++)
                if (!w->s->elastic[i] && !is_held(w, i)) sum += w->J[(size_t)a * nv + i] * w->J[(size_t)b * nv + i];
            G[a * n + b] = sum;
        }
    }
    eigenvalues(n, G, values);
    for (int i = 0; i < n; i++) product *= fmax(values[i], 0);
    return n ? sqrt(product) : 0;
}

/* 1 over the largest eigenvalue of the compliance J K^-1 J^T of the frame's place; 0 where something moves freely. */
static double stiffness(Surveyor *w) {
    const size_t nv = w->s->nv;
    double C[9], values[3], most = 0;
    size_t n = 0;
    for (size_t i = 0; i < nv; i++)
        if (!is_held(w, i)) w->place[n++] = (int)i;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) w->A[a * n + b] = w->K[(size_t)w->place[a] * nv + (size_t)w->place[b]];
    if (zi_dense_factor((int)n, w->A, w->pivots) < 0) return 0;
    for (int k = 0; k < 3; k++) {
        for (size_t a = 0; a < n; a++) w->column[a] = w->J[(size_t)k * nv + (size_t)w->place[a]];
        zi_dense_solve((int)n, w->A, w->pivots, w->column);
        for (int m = 0; m < 3; m++) {
            C[m * 3 + k] = 0;
            for (size_t a = 0; a < n; a++) C[m * 3 + k] += w->J[(size_t)m * nv + (size_t)w->place[a]] * w->column[a];
        }
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < a; b++) C[a * 3 + b] = C[b * 3 + a] = 0.5 * (C[a * 3 + b] + C[b * 3 + a]);
    eigenvalues(3, C, values);
    for (int k = 0; k < 3; k++) most = fmax(most, values[k]);
    return most > 0 && isfinite(most) ? 1 / most : most > 0 ? 0 : INFINITY;
}

/* The largest force in a joint, or one of them. */
static double gravity(const Surveyor *w, int dof) {
    double most = 0;
    if (dof >= 0) return w->g[dof];
    for (size_t i = 0; i < w->s->nv; i++)
        if (!w->s->elastic[i]) most = fmax(most, fabs(w->g[i]));
    return most;
}

/* Mode `index` of those that vibrate. */
static const zvMode *vibration(const Surveyor *w, int modes, int index) {
    for (int k = 0; k < modes; k++)
        if (w->modes[k].frequency > 0 && index-- == 0) return &w->modes[k];
    return NULL;
}

/* One row of the answer. */
static void put_values(Surveyor *w, int modes, const zvPose *pose, double *out) {
    const double turn = 6.283185307179586;
    for (int i = 0; i < w->s->value_count; i++) {
        const zvMapValue value = w->s->values[i];
        const zvMode *mode = value.kind <= ZV_MAP_DAMPING ? vibration(w, modes, value.index) : NULL;
        out[i] = NAN;
        switch (value.kind) {
        case ZV_MAP_FREQUENCY: out[i] = mode ? mode->frequency / turn : NAN; break;
        case ZV_MAP_DAMPING: out[i] = mode ? mode->damping : NAN; break;
        case ZV_MAP_GRAVITY: out[i] = gravity(w, value.index); break;
        case ZV_MAP_STIFFNESS: out[i] = pose ? stiffness(w) : NAN; break;
        case ZV_MAP_MANIPULABILITY: out[i] = pose ? manipulability(w, 6) : NAN; break;
        case ZV_MAP_MANIPULABILITY_XYZ: out[i] = pose ? manipulability(w, 3) : NAN; break;
        case ZV_MAP_PLACE: out[i] = pose ? pose->p[value.index] : NAN; break;
        }
    }
}

/* One pose: equilibrium, modes, matrices, as far as the values need them. */
static zvStatus survey_pose(Surveyor *w, size_t at, zvError *error) {
    const Survey *s = w->s;
    zvStatus status = ZV_OK;
    int modes = 0;
    zvPose pose;
    w->rest.q = w->q;
    w->rest.v = s->v ? s->v + at * s->nv : NULL;
    memcpy(w->q, s->q + at * s->nq, s->nq * sizeof *w->q);
    if (s->options->equilibrium) {
        status = zv_equilibrium(s->model, w->work, &w->rest, 1, w->q, error);
        if (status == ZV_NO_CONVERGENCE) status = zv_equilibrium(s->model, w->work, &w->rest, 10, w->q, error);
    }
    if (status >= 0 && s->vibrates) status = zv_modes(s->model, w->work, &w->rest, w->modes, NULL, &modes, error);
    if (status >= 0 && s->stiff) status = zv_linearize(s->model, w->work, &w->rest, NULL, NULL, w->K, error);
    if (status < 0) return status;
    const int frame = s->options->frame;
    if (frame >= 0) zv_frame_pose(s->model, w->work, w->q, frame, &pose);
    if (frame >= 0 && s->moves) zv_frame_jacobian(s->model, w->work, w->q, frame, ZV_AXES_WORLD, w->J);
    zv_inverse_dynamics(s->model, w->work, w->q, NULL, NULL, NULL, w->g);
    put_values(w, modes, frame >= 0 ? &pose : NULL, s->answer + at * (size_t)s->value_count);
    return ZV_OK;
}

static void surveyor_free(Surveyor *w) {
    zv_work_destroy(w->work);
    free(w->q);
    free(w->pivots);
    free(w->modes);
}

/* One block of numbers, one of whole numbers. */
static bool surveyor_create(const Survey *s, Surveyor *w) {
    const size_t nv = s->nv, n = s->nq + 2 * nv * nv + 8 * nv;
    *w = (Surveyor){.s = s};
    if (s->options->rest) w->rest = *s->options->rest;
    w->work = zv_work_create(s->model, NULL);
    w->q = calloc(n + 1, sizeof *w->q);
    w->pivots = calloc(2 * nv + 1, sizeof *w->pivots);
    w->modes = calloc(nv + 1, sizeof *w->modes);
    if (!w->work || !w->q || !w->pivots || !w->modes) return false;
    w->K = w->q + s->nq;
    w->A = w->K + nv * nv;
    w->J = w->A + nv * nv;
    w->g = w->J + 6 * nv;
    w->column = w->g + nv;
    w->place = w->pivots + nv;
    return true;
}

/* Poses until none is left; what fails is NAN, and its status told. */
static void survey_thread(void *context, int thread) {
    Survey *s = context;
    Surveyor w;
    if (!surveyor_create(s, &w)) s->failed[thread] = true;
    for (size_t first = 0; !s->failed[thread] && !atomic_load(&s->stopped);) {
        first = atomic_fetch_add(&s->next, AT_ONCE);
        if (first >= s->count) break;
        const size_t end = first + AT_ONCE < s->count ? first + AT_ONCE : s->count;
        for (size_t at = first; at < end; at++) {
            zvError error = {0};
            const zvStatus status = survey_pose(&w, at, &error);
            for (int i = 0; status < 0 && i < s->value_count; i++)
                s->answer[at * (size_t)s->value_count + (size_t)i] = NAN;
            if (status < 0 && s->errors[thread].status == ZV_OK) s->errors[thread] = error;
            if (s->status) s->status[at] = status;
        }
        const size_t done = atomic_fetch_add(&s->done, end - first) + end - first;
        if (thread == 0 && s->options->progress && !s->options->progress(s->options->context, done, s->count))
            atomic_store(&s->stopped, true);
    }
    surveyor_free(&w);
}

#ifdef ZI_WITH_BATCH
/* On all threads; returns how many there were. */
static int run_survey(Survey *s, int most) {
    ziPool *pool = zi_pool_create(most);
    if (!pool) return survey_thread(s, 0), 1;
    const int threads = zi_pool_threads(pool);
    zi_pool_run(pool, threads - 1, survey_thread, s);
    zi_pool_destroy(pool);
    return threads;
}

static int most_threads(const zvMapOptions *options) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return options->threads > 0 ? options->threads : processors > 0 ? (int)processors : 1;
}
#else
static int run_survey(Survey *s, int most) {
    (void)most;
    survey_thread(s, 0);
    return 1;
}

static int most_threads(const zvMapOptions *options) { return (void)options, 1; }
#endif

/* What the values need. */
static void look_at_values(Survey *s) {
    for (int i = 0; i < s->value_count; i++) {
        const zvMapKind kind = s->values[i].kind;
        s->vibrates |= kind == ZV_MAP_FREQUENCY || kind == ZV_MAP_DAMPING;
        s->stiff |= kind == ZV_MAP_STIFFNESS;
        s->moves |= kind == ZV_MAP_STIFFNESS || kind == ZV_MAP_MANIPULABILITY || kind == ZV_MAP_MANIPULABILITY_XYZ;
    }
    for (int link = 0; link < zv_model_nlink(s->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(s->model, link);
        for (int k = 0; k < place.count; k++) s->elastic[place.v_index + k] = true;
    }
}

/* The map, once there is memory for what the threads tell. */
static zvStatus survey(Survey *s, int most, zvError *error) {
    look_at_values(s);
    if (s->stiff && zv_model_nloop(s->model) > 0)
        return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "stiffness",
                       "expected a robot without closed loops for the stiffness of a frame, found one with loops");
    const int threads = run_survey(s, most);
    for (int i = 0; i < threads; i++)
        if (s->failed[i]) return zi_dense_fail(ZV_MEMORY, error);
    if (atomic_load(&s->stopped)) return ZV_INTERRUPTED;
    for (int i = 0; i < threads; i++)
        if (s->errors[i].status < 0 && error) return *error = s->errors[i], ZV_DEGRADED;
    return ZV_OK;
}

/* Errors and failures have a place for each thread. */
zvStatus zv_map(const zvModel *model, const zvMapOptions *options, size_t count, const double *q, const double *v,
                int value_count, const zvMapValue *values, double *answer, zvStatus *status, zvError *error) {
    ZI_REQUIRE(model && options && (q || !count) && (values || !value_count) && (answer || !count));
    const int most = most_threads(options);
    Survey s = {.model = model, .options = options, .count = count, .q = q, .v = v, .value_count = value_count};
    s.values = values;
    s.answer = answer;
    s.status = status;
    s.nq = (size_t)zv_model_nq(model);
    s.nv = (size_t)zv_model_nv(model);
    s.errors = calloc((size_t)most, sizeof *s.errors);
    s.failed = calloc((size_t)most, sizeof *s.failed);
    s.elastic = calloc(s.nv + 1, sizeof *s.elastic);
    const zvStatus done = s.errors && s.failed && s.elastic ? survey(&s, most, error) : zi_dense_fail(ZV_MEMORY, error);
    free(s.errors);
    free(s.failed);
    free(s.elastic);
    return done;
}
