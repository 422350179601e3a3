/* Generated code as two engines: one state at a time, and lanes, which take arrays of states four at once and whose
 * time counts per state. What they call differs in the counts before q, in where the states lie and in a status behind
 * the answers; everything else is written once. */
#include <stdlib.h>

#include "generated_code.h"
#include "own.h"
#include "states.h"

/* What stands before q in a call, what follows the answers of functions that can fail, and the states themselves. */
#define one_count_types
#define one_counts
#define one_status_type
#define one_status
#define one_q (g->ring->q + (size_t)s * (size_t)g->ring->nq)
#define one_of(entry) (g->ring->entry + (size_t)s * (size_t)g->nv)
#define lanes_count_types size_t, size_t,
#define lanes_counts g->x.count, g->x.stride,
#define lanes_status_type , int *
#define lanes_status , NULL
#define lanes_q ((void)s, g->x.q)
#define lanes_of(entry) (g->x.entry)

#define FUNCTIONS(kind)                                                                                     \
    typedef struct kind##Functions {                                                                        \
        void (*inverse)(kind##_count_types const double *q, const double *v, const double *a, double *tau); \
        int (*forward)(kind##_count_types const double *q, const double *v, const double *tau,              \
                       double *a kind##_status_type);                                                       \
        void (*mass)(kind##_count_types const double *q, double *M);                                        \
        int (*mass_inverse)(kind##_count_types const double *q, double *Minv kind##_status_type);           \
        void (*jacobian)(kind##_count_types const double *q, double *J);                                    \
        void (*d_inverse)(kind##_count_types const double *q, const double *v, const double *a, double *dq, \
                          double *dv, double *da);                                                          \
        void (*bias)(kind##_count_types const double *q, const double *v, double *b);                       \
        void (*pose)(kind##_count_types const double *q, double *pose);                                     \
        int (*d_forward)(kind##_count_types const double *q, const double *v, const double *tau, double *a, \
                         double *dq, double *dv, double *dtau kind##_status_type);                          \
    } kind##Functions;
FUNCTIONS(one)
FUNCTIONS(lanes)

typedef struct Generated {
    const Ring *ring;
    States x; /* of lanes */
    int nv;
    size_t stride; /* from one number of an answer to the next */
    size_t part;   /* numbers of one derivative */
    double *out;   /* derivatives of the acceleration have it behind them */
    oneFunctions one;
    lanesFunctions lanes;
} Generated;

#define RUNS(kind)                                                                                                 \
    static void kind##_inverse(void *self, int s) {                                                                \
        const Generated *g = self;                                                                                 \
        g->kind.inverse(kind##_counts kind##_q, kind##_of(v), kind##_of(a), g->out);                               \
    }                                                                                                              \
    static void kind##_forward(void *self, int s) {                                                                \
        const Generated *g = self;                                                                                 \
        g->kind.forward(kind##_counts kind##_q, kind##_of(v), kind##_of(tau), g->out kind##_status);               \
    }                                                                                                              \
    static void kind##_mass(void *self, int s) {                                                                   \
        const Generated *g = self;                                                                                 \
        g->kind.mass(kind##_counts kind##_q, g->out);                                                              \
    }                                                                                                              \
    static void kind##_mass_inverse(void *self, int s) {                                                           \
        const Generated *g = self;                                                                                 \
        g->kind.mass_inverse(kind##_counts kind##_q, g->out kind##_status);                                        \
    }                                                                                                              \
    static void kind##_jacobian(void *self, int s) {                                                               \
        const Generated *g = self;                                                                                 \
        g->kind.jacobian(kind##_counts kind##_q, g->out);                                                          \
    }                                                                                                              \
    static void kind##_bias(void *self, int s) {                                                                   \
        const Generated *g = self;                                                                                 \
        g->kind.bias(kind##_counts kind##_q, kind##_of(v), g->out);                                                \
    }                                                                                                              \
    static void kind##_pose(void *self, int s) {                                                                   \
        const Generated *g = self;                                                                                 \
        g->kind.pose(kind##_counts kind##_q, g->out);                                                              \
    }                                                                                                              \
    static void kind##_d_inverse(void *self, int s) {                                                              \
        const Generated *g = self;                                                                                 \
        g->kind.d_inverse(kind##_counts kind##_q, kind##_of(v), kind##_of(a), g->out, g->out + g->part,            \
                          g->out + 2 * g->part);                                                                   \
    }                                                                                                              \
    static void kind##_d_forward(void *self, int s) {                                                              \
        const Generated *g = self;                                                                                 \
        g->kind.d_forward(kind##_counts kind##_q, kind##_of(v), kind##_of(tau), g->out + 3 * g->part, g->out,      \
                          g->out + g->part, g->out + 2 * g->part kind##_status);                                   \
    }                                                                                                              \
    static void (*const kind##_run[TASKS])(void *, int) = {[TASK_INVERSE] = kind##_inverse,                        \
                                                           [TASK_FORWARD] = kind##_forward,                        \
                                                           [TASK_MASS] = kind##_mass,                              \
                                                           [TASK_MASS_DENSE] = kind##_mass,                        \
                                                           [TASK_MASS_INVERSE] = kind##_mass_inverse,              \
                                                           [TASK_JACOBIAN] = kind##_jacobian,                      \
                                                           [TASK_D_INVERSE] = kind##_d_inverse,                    \
                                                           [TASK_D_FORWARD] = kind##_d_forward,                    \
                                                           [TASK_BIAS] = kind##_bias,                              \
                                                           [TASK_POSE] = kind##_pose};                             \
    /* The functions that were generated; those that were not have no run. False: a symbol is missing. */          \
    static bool kind##_find(const GeneratedCode *code, const char *suffix, kind##Functions *f, Engine *engine) {   \
        const bool found = generated_code_find(code, TASK_INVERSE, suffix, &f->inverse) &&                         \
                           generated_code_find(code, TASK_FORWARD, suffix, &f->forward) &&                         \
                           generated_code_find(code, TASK_MASS, suffix, &f->mass) &&                               \
                           generated_code_find(code, TASK_MASS_INVERSE, suffix, &f->mass_inverse) &&               \
                           generated_code_find(code, TASK_JACOBIAN, suffix, &f->jacobian) &&                       \
                           generated_code_find(code, TASK_D_INVERSE, suffix, &f->d_inverse) &&                     \
                           generated_code_find(code, TASK_D_FORWARD, suffix, &f->d_forward) &&                     \
                           generated_code_find(code, TASK_BIAS, suffix, &f->bias) &&                               \
                           generated_code_find(code, TASK_POSE, suffix, &f->pose);                                 \
        for (int t = 0; t < TASKS; ++t) engine->run[t] = generated_code_has(code, (Task)t) ? kind##_run[t] : NULL; \
        return found;                                                                                              \
    }
RUNS(one)
RUNS(lanes)

/* Of lanes one state out of all; the numbers of a single state lie one behind another. */
static void hand_over(const Generated *g, Task task, size_t state, double *out) {
    for (size_t i = 0; i < task_size(task, g->ring); ++i) out[i] = g->out[i * g->stride + state];
}

static void one_answer(void *self, Task task, int state, double *out) {
    one_run[task](self, state);
    hand_over(self, task, 0, out);
}

static void lanes_answer(void *self, Task task, int state, double *out) {
    lanes_run[task](self, state);
    hand_over(self, task, (size_t)state, out);
}

static void destroy(void *self) {
    Generated *g = self;
    states_free(&g->x);
    free(g->out);
    free(g);
}

/* Memory for the states and answers of either engine, and its functions. */
static bool open_engine(const GeneratedCode *code, const Ring *ring, bool lanes, Engine *engine) {
    Generated *g = calloc(1, sizeof *g);
    if (!g) return false;
    *g = (Generated){.ring = ring, .nv = ring->nv, .stride = 1};
    bool enough = true;
    if (lanes && (enough = states_spread(ring, sizeof(double), &g->x))) g->stride = g->x.stride;
    g->part = (size_t)g->nv * (size_t)g->nv * g->stride;
    if (enough) g->out = malloc((task_most(ring, TASK_D_FORWARD) + (size_t)g->nv) * g->stride * sizeof *g->out);
    *engine = (Engine){.name = lanes ? "generated lanes" : "generated",
                       .self = g,
                       .answer = lanes ? lanes_answer : one_answer,
                       .destroy = destroy};
    for (int t = 0; lanes && t < TASKS; ++t) engine->states[t] = (int)g->x.count;
    if (g->out && (lanes ? lanes_find(code, "_batch", &g->lanes, engine) : one_find(code, "", &g->one, engine)))
        return true;
    destroy(g);
    *engine = (Engine){0};
    return false;
}

bool generated_open(const GeneratedCode *code, const Ring *ring, Engine *engine) {
    return open_engine(code, ring, false, engine);
}

bool generated_lanes_open(const GeneratedCode *code, const Ring *ring, Engine *engine) {
    return open_engine(code, ring, true, engine);
}
