/* A batch: a pool of threads and scratch memory for each; the states of a task are divided among them by groups. */
#define _POSIX_C_SOURCE 200809L
#include "zveno/batch.h"

#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/require.h"
#include "batch/few.h"
#include "batch/pool.h"

struct zvBatch {
    const zvModel *model;
    ziPlan plan;
    const ziLanes *lanes[2]; /* double, single */
    size_t stride;
    bool by_state;
    int threads;
    ziPool *pool;
    unsigned char *block, *scratches; /* scratch memory: threads x scratch_bytes, aligned */
    size_t scratch_bytes;
    uint64_t few[2][ZI_QUESTIONS]; /* numbers of states that are answered one by one (zi_few_counts), with these: */
    zvWork *work;
    double *room;
};

/* What lanes cannot do on this model, or NULL. */
static const char *refusal(const zvModel *m) {
    if (m->tree.ne > 0) return "elastic links";
    if (m->nloop > 0) return "closed loops";
    for (int i = 1; i < m->tree.nb; i++) {
        const ziBody *b = &m->tree.body[i];
        if (b->type == ZV_JOINT_CURVE && b->data->path.kind != ZV_CURVE_LINE && b->data->path.kind != ZV_CURVE_CIRCLE)
            return "joints on spline curves";
    }
    return NULL;
}

enum { MOST_THREADS = 1024 };

static int threads_of(const zvBatchOptions *options) {
    long threads = options && options->threads > 0 ? options->threads : sysconf(_SC_NPROCESSORS_ONLN);
    if (threads < 1) threads = 1;
    return threads < MOST_THREADS ? (int)threads : MOST_THREADS;
}

/* Threads first: the system may start fewer than wanted, and each has scratch memory of its own. */
static bool furnish(zvBatch *b, int threads, bool same_bits) {
    b->pool = zi_pool_create(threads);
    if (!b->pool) return false;
    b->threads = zi_pool_threads(b->pool);
    b->block = malloc((size_t)b->threads * b->scratch_bytes + 64);
    if (!b->block) return false;
    b->scratches = (unsigned char *)b->block + (64 - (uintptr_t)b->block % 64) % 64;
    if (!same_bits) {
        zvError error;
        b->work = zv_work_create(b->model, &error);
        b->room = malloc(zi_few_room(b->model) * sizeof *b->room);
        if (!b->work || !b->room) return false;
    }
    return zi_plan_make(b->model, &b->plan);
}

/* same_bits: few states, too, go through lanes. */
static void choose_lanes(zvBatch *b, bool same_bits) {
    for (int i = 0; i < 2 * ZI_QUESTIONS; i++) {
        const bool single = i >= ZI_QUESTIONS;
        const ziAsked asked = (ziAsked)(i % ZI_QUESTIONS);
        b->lanes[single] = zi_lanes(b->model, single);
        b->few[single][asked] = same_bits ? 0 : zi_few_counts(b->model, b->lanes[single], single, asked);
    }
}

/* Fails with NOT_SUPPORTED on models that lanes cannot compute (refusal), with SIZE and with MEMORY; scratch memory of
 * every thread begins at a cache line. */
zvBatch *zv_batch_create(const zvModel *model, const zvBatchOptions *options, zvError *error) {
    ZI_REQUIRE(model);
    const char *what = refusal(model);
    if (what) {
        zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, what,
                "batches do not serve models with %s; use a workspace per thread", what);
        return NULL;
    }
    if (options && options->layout == ZV_LAYOUT_STATES && options->stride) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "stride",
                "expected stride 0 where states lie one after the other, found %zu; a stride is for coordinate after "
                "coordinate",
                options->stride);
        return NULL;
    }
    const size_t bytes = (zi_lanes_scratch(model, zi_lanes(model, false)) + 63) / 64 * 64;
    const int threads = threads_of(options);
    zvBatch *b = malloc(sizeof *b);
    if (b)
        *b = (zvBatch){.model = model,
                       .stride = options ? options->stride : 0,
                       .by_state = options && options->layout == ZV_LAYOUT_STATES,
                       .scratch_bytes = bytes};
    if (b) choose_lanes(b, options && options->same_bits);
    if (!b || !furnish(b, threads, options && options->same_bits)) {
        zv_batch_destroy(b);
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "",
                "out of memory: a batch of this model needs %zu bytes on each of %d threads", bytes, threads);
        return NULL;
    }
    return b;
}

void zv_batch_destroy(zvBatch *batch) {
    if (!batch) return;
    zi_pool_destroy(batch->pool);
    zi_plan_free(&batch->plan);
    zv_work_destroy(batch->work);
    free(batch->room);
    free(batch->block);
    free(batch);
}

int zv_batch_lanes(const zvBatch *batch, bool single) {
    ZI_REQUIRE(batch);
    return (int)(batch->lanes[single]->bytes / (single ? sizeof(float) : sizeof(double)));
}

int zv_batch_threads(const zvBatch *batch) {
    ZI_REQUIRE(batch);
    return batch->threads;
}

/* A task in progress on the threads. A thread that is free takes the next groups: many at first, few at the end, so
 * that all end at about the same time. Results of a group do not depend on the thread. */
typedef struct Round {
    zvBatch *batch;
    const ziLaneTask *task;
    ziLaneRun run;
    size_t group, groups; /* states of a group, and how many groups there are */
    size_t least;         /* groups that are worth being taken */
    int hands;
    atomic_size_t taken;
    atomic_int worst;
} Round;

/* Takes groups *first ... *end - 1; false when all are taken. */
static bool take_groups(Round *r, size_t *first, size_t *end) {
    *first = atomic_load(&r->taken);
    do {
        const size_t rest = r->groups - *first, fair = rest / (3 * (size_t)r->hands);
        if (rest == 0) return false;
        const size_t mine = fair > r->least ? fair : r->least;
        *end = *first + (mine < rest ? mine : rest);
    } while (!atomic_compare_exchange_weak(&r->taken, first, *end));
    return true;
}

/* Job of a thread: takes ranges of groups until none are left, in its own scratch memory; keeps a status that is not
 * OK. */
static void work(void *context, int thread) {
    Round *r = context;
    const size_t count = r->task->count;
    unsigned char *scratch = r->batch->scratches + (size_t)thread * r->batch->scratch_bytes;
    const ziScratch whole = {scratch, scratch + r->batch->scratch_bytes};
    size_t first, end;
    while (take_groups(r, &first, &end)) {
        const size_t last = end * r->group;
        const zvStatus mine = r->run(r->task, whole, first * r->group, last < count ? last : count);
        if (mine != ZV_OK) atomic_store(&r->worst, (int)mine);
    }
}

/* What is asked, and the approximate cost of a state, in ns per body and per square of the coordinates on four lanes of
 * double: enough to decide whether waking another thread pays. */
typedef struct BatchQuestion {
    ziAsked asked;
    double body, square;
} BatchQuestion;

/* Bytes of a matrix of all states beyond which results go past the caches: some times the second; and where entries of
 * a state are a multiple of this apart, so that they fall on few lines of the first cache, a quarter of it. */
static const double worth_streaming = 4e6;
enum { ONE_LINE = 4096 };

/* ns of work for which a thread is woken, is called when it is awake, and takes groups at a time. */
static const double worth_waking = 20e3, worth_calling = 4e3, worth_taking = 500;

static int hands_for(const zvBatch *b, double ns) {
    const double awake = 1 + fmin(ns / worth_calling, zi_pool_awake(b->pool)), woken = 1 + ns / worth_waking;
    return (int)fmin(fmax(awake, woken), b->threads);
}

/* An array of numbers of a task of batch b is there, unless it holds none. */
#define HAS(array) ((array) || !task.count || b->model->nv == 0)

/* entries: of the largest array. */
static zvStatus ask_batch(zvBatch *b, BatchQuestion question, bool single, size_t entries, ziLaneTask task) {
    ZI_REQUIRE(b && (task.q || !task.count || b->model->nq == 0));
    task.plan = &b->plan;
    task.by_state = b->by_state;
    task.stride = b->stride ? b->stride : task.count;
    const size_t number = single ? sizeof(float) : sizeof(double);
    if (task.count > task.stride || task.stride > PTRDIFF_MAX / sizeof(double) / (entries + 1)) return ZV_SIZE;
    if (task.count < 64 && (b->few[single][question.asked] >> task.count & 1))
        return zi_few_run(b->work, b->room, question.asked, single, &task);
    zi_plan_refresh(&b->plan);
    const ziLanes *lanes = b->lanes[single];
    const bool piled = !task.by_state && task.stride * number % ONE_LINE == 0;
    task.stream = (double)task.count * (double)(entries * number) > worth_streaming / (piled ? 4 : 1);
    const double nb = b->model->tree.nb, nv = b->model->tree.nv;
    const size_t group = lanes->group;
    const double ns = 4.0 / zv_batch_lanes(b, single) * (question.body * nb + question.square * nv * nv);
    Round r = {.batch = b, .task = &task, .run = lanes->run[question.asked], .group = group};
    r.groups = (task.count + group - 1) / group;
    r.hands = hands_for(b, ns * (double)task.count);
    r.least = r.hands == 1 ? r.groups : 1 + (size_t)(worth_taking / (ns * (double)group));
    atomic_init(&r.taken, 0);
    atomic_init(&r.worst, ZV_OK);
    if (r.hands > 1)
        zi_pool_run(b->pool, r.hands - 1, work, &r);
    else
        work(&r, 0);
    return (zvStatus)atomic_load(&r.worst);
}

/* Functions whose inputs and results are vectors: q, v, x and fext; the result is `out`, or what is not given. */
static zvStatus vectors(zvBatch *b, BatchQuestion question, bool single, ziLaneTask task) {
    ZI_REQUIRE(b && (HAS(task.out) || (task.given && task.tau && task.a)));
    const zvModel *m = b->model;
    const size_t links = task.fext ? 6 * (size_t)m->nlink : 0, nq = (size_t)m->nq, nv = (size_t)m->nv;
    return ask_batch(b, question, single, links + nq + nv, task);
}

/* Functions whose results are matrices, any of which may be left out. */
static zvStatus matrices(zvBatch *b, BatchQuestion question, bool single, ziLaneTask task) {
    ZI_REQUIRE(b);
    const zvModel *m = b->model;
    const size_t links = task.fext ? 6 * (size_t)m->nlink : 0, nv = (size_t)m->nv;
    if (m->tree.nv > ZI_BATCH_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    return ask_batch(b, question, single, links + (size_t)m->nq + nv * nv, task);
}

/* A matrix that is the whole answer. */
static zvStatus matrix(zvBatch *b, BatchQuestion question, bool single, ziLaneTask task) {
    ZI_REQUIRE(HAS(task.out));
    return matrices(b, question, single, task);
}

/* Coupled coordinates are solved for by their matrix. */
static zvStatus solved(zvBatch *b, BatchQuestion question, bool single, ziLaneTask task) {
    ZI_REQUIRE(b);
    if (b->model->coupling.count && b->model->tree.nv > ZI_BATCH_MATRIX_MAX) return ZV_NOT_SUPPORTED;
    return vectors(b, question, single, task);
}

static zvStatus of_frame(zvBatch *b, BatchQuestion question, bool single, int frame, zvAxes axes, ziLaneTask task) {
    ZI_REQUIRE(b);
    const zvModel *m = b->model;
    ZI_REQUIRE(frame >= 0 && frame < zv_model_nframe(m) && HAS(task.out));
    task.frame = frame;
    task.body = zv_model_frame_body(m, frame);
    task.in_body = zi_frame_in_body(m, frame);
    task.local = axes == ZV_AXES_LOCAL;
    return ask_batch(b, question, single, (size_t)m->nq + 12 + 6 * (size_t)m->nv, task);
}

/* The public functions, once for each precision. */
#define QUESTIONS(number, suffix, single)                                                                              \
    zvStatus zv_batch_inverse##suffix(zvBatch *b, size_t count, const number *q, const number *v, const number *a,     \
                                      const number *fext, number *tau) {                                               \
        return vectors(b, (BatchQuestion){ZI_ASKED_INVERSE, 7, 0}, single,                                             \
                       (ziLaneTask){.count = count, .q = q, .v = v, .x = a, .fext = fext, .out = tau});                \
    }                                                                                                                  \
    zvStatus zv_batch_bias##suffix(zvBatch *b, size_t count, const number *q, const number *v, number *bias) {         \
        return vectors(b, (BatchQuestion){ZI_ASKED_BIAS, 7, 0}, single,                                                \
                       (ziLaneTask){.count = count, .q = q, .v = v, .out = bias});                                     \
    }                                                                                                                  \
    zvStatus zv_batch_forward##suffix(zvBatch *b, size_t count, const number *q, const number *v, const number *tau,   \
                                      const number *fext, number *a, zvStatus *status) {                               \
        const ziLaneTask task = {.count = count, .q = q, .v = v, .x = tau, .fext = fext, .out = a, .status = status};  \
        return solved(b, (BatchQuestion){ZI_ASKED_FORWARD, 18, 0}, single, task);                                      \
    }                                                                                                                  \
    zvStatus zv_batch_mixed##suffix(zvBatch *b, size_t count, const number *q, const number *v,                        \
                                    const unsigned char *given, const number *fext, number *tau, number *a,            \
                                    zvStatus *status) {                                                                \
        const ziLaneTask task = {                                                                                      \
            .count = count, .q = q, .v = v, .fext = fext, .given = given, .tau = tau, .a = a, .status = status};       \
        return solved(b, (BatchQuestion){ZI_ASKED_MIXED, 25, 0}, single, task);                                        \
    }                                                                                                                  \
    zvStatus zv_batch_mass##suffix(zvBatch *b, size_t count, const number *q, number *M) {                             \
        return matrix(b, (BatchQuestion){ZI_ASKED_MASS, 6, 0.5}, single,                                               \
                      (ziLaneTask){.count = count, .q = q, .out = M});                                                 \
    }                                                                                                                  \
    zvStatus zv_batch_minv##suffix(zvBatch *b, size_t count, const number *q, number *Minv, zvStatus *status) {        \
        return matrix(b, (BatchQuestion){ZI_ASKED_MINV, 8, 1.6}, single,                                               \
                      (ziLaneTask){.count = count, .q = q, .out = Minv, .status = status});                            \
    }                                                                                                                  \
    zvStatus zv_batch_inverse_derivatives##suffix(zvBatch *b, size_t count, const number *q, const number *v,          \
                                                  const number *a, const number *fext, number *dq, number *dv,         \
                                                  number *da) {                                                        \
        const ziLaneTask task = {.count = count, .q = q, .v = v, .x = a, .fext = fext, .by = {dq, dv, da}};            \
        return matrices(b, (BatchQuestion){ZI_ASKED_INVERSE_DERIVATIVES, 12, 3}, single, task);                        \
    }                                                                                                                  \
    zvStatus zv_batch_forward_derivatives##suffix(zvBatch *b, size_t count, const number *q, const number *v,          \
                                                  const number *tau, const number *fext, number *a, number *dq,        \
                                                  number *dv, number *dtau, zvStatus *status) {                        \
        const ziLaneTask task = {                                                                                      \
            .count = count, .q = q, .v = v, .x = tau, .fext = fext, .out = a, .status = status, .by = {dq, dv, dtau}}; \
        return matrices(b, (BatchQuestion){ZI_ASKED_FORWARD_DERIVATIVES, 24, 6}, single, task);                        \
    }                                                                                                                  \
    zvStatus zv_batch_pose##suffix(zvBatch *b, int frame, size_t count, const number *q, number *pose) {               \
        ZI_REQUIRE(pose || !count);                                                                                    \
        return of_frame(b, (BatchQuestion){ZI_ASKED_POSE, 6, 0}, single, frame, ZV_AXES_WORLD,                         \
                        (ziLaneTask){.count = count, .q = q, .out = pose});                                            \
    }                                                                                                                  \
    zvStatus zv_batch_jacobian##suffix(zvBatch *b, int frame, zvAxes axes, size_t count, const number *q, number *J) { \
        return of_frame(b, (BatchQuestion){ZI_ASKED_JACOBIAN, 7, 0}, single, frame, axes,                              \
                        (ziLaneTask){.count = count, .q = q, .out = J});                                               \
    }

QUESTIONS(double, , false)
QUESTIONS(float, _single, true)
