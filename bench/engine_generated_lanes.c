/* Generated code over arrays of states, four at once. Time counts per state. */
#include <stdlib.h>

#include "generated_code.h"
#include "own.h"
#include "states.h"

typedef void (*Inverse)(size_t count, size_t stride, const double *q, const double *v, const double *a, double *tau);
typedef int (*Forward)(size_t count, size_t stride, const double *q, const double *v, const double *tau, double *a,
                       int *status);
typedef void (*Mass)(size_t count, size_t stride, const double *q, double *M);
typedef int (*Minv)(size_t count, size_t stride, const double *q, double *Minv, int *status);
typedef void (*DInverse)(size_t count, size_t stride, const double *q, const double *v, const double *a, double *dq,
                         double *dv, double *da);
typedef int (*DForward)(size_t count, size_t stride, const double *q, const double *v, const double *tau, double *a,
                        double *dq, double *dv, double *dtau, int *status);

typedef struct GeneratedLanes {
    States x;
    int nv;
    Inverse inverse;
    Forward forward;
    Mass mass, jacobian;
    Minv minv;
    DInverse d_inverse;
    DForward d_forward;
    double *out;
} GeneratedLanes;

static void run_inverse(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->inverse(g->x.count, g->x.stride, g->x.q, g->x.v, g->x.a, g->out);
}

static void run_forward(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->forward(g->x.count, g->x.stride, g->x.q, g->x.v, g->x.tau, g->out, NULL);
}

static void run_mass(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->mass(g->x.count, g->x.stride, g->x.q, g->out);
}

static void run_minv(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->minv(g->x.count, g->x.stride, g->x.q, g->out, NULL);
}

static void run_jacobian(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->jacobian(g->x.count, g->x.stride, g->x.q, g->out);
}

static size_t part(const GeneratedLanes *g) { return (size_t)g->nv * (size_t)g->nv * g->x.stride; }

static void run_d_inverse(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->d_inverse(g->x.count, g->x.stride, g->x.q, g->x.v, g->x.a, g->out, g->out + part(g), g->out + 2 * part(g));
}

/* a goes behind the derivatives. */
static void run_d_forward(void *self, int s) {
    GeneratedLanes *g = self;
    (void)s;
    g->d_forward(g->x.count, g->x.stride, g->x.q, g->x.v, g->x.tau, g->out + 3 * part(g), g->out, g->out + part(g),
                 g->out + 2 * part(g), NULL);
}

static const Engine rows = {
    .name = "generated lanes",
    .run = {run_inverse, run_forward, run_mass, run_mass, run_minv, run_jacobian, run_d_inverse, run_d_forward}};

static void answer(void *self, Task task, int state, double *out) {
    GeneratedLanes *g = self;
    rows.run[task](self, state);
    for (size_t i = 0; i < task_size(task, g->nv); ++i) out[i] = g->out[i * g->x.stride + (size_t)state];
}

static void destroy(void *self) {
    GeneratedLanes *g = self;
    states_free(&g->x);
    free(g->out);
    free(g);
}

static bool find_functions(GeneratedLanes *g, const GeneratedCode *code) {
    return generated_code_find(code, TASK_INVERSE, "_batch", &g->inverse) &&
           generated_code_find(code, TASK_FORWARD, "_batch", &g->forward) &&
           generated_code_find(code, TASK_MASS, "_batch", &g->mass) &&
           generated_code_find(code, TASK_MASS_INVERSE, "_batch", &g->minv) &&
           generated_code_find(code, TASK_JACOBIAN, "_batch", &g->jacobian) &&
           generated_code_find(code, TASK_D_INVERSE, "_batch", &g->d_inverse) &&
           generated_code_find(code, TASK_D_FORWARD, "_batch", &g->d_forward);
}

bool generated_lanes_open(const GeneratedCode *code, const Ring *ring, Engine *engine) {
    GeneratedLanes *g = calloc(1, sizeof *g);
    if (!g) return false;
    g->nv = ring->nv;
    if (states_spread(ring, sizeof(double), &g->x))
        g->out = malloc((task_room(g->nv) + (size_t)g->nv) * g->x.stride * sizeof *g->out);
    if (!g->out || !find_functions(g, code)) {
        destroy(g);
        return false;
    }
    *engine = rows;
    engine->self = g;
    engine->answer = answer;
    engine->destroy = destroy;
    const bool has[TASKS] = {g->inverse, g->forward,  g->mass,      g->mass,
                             g->minv,    g->jacobian, g->d_inverse, g->d_forward};
    for (int t = 0; t < TASKS; ++t) {
        engine->states[t] = (int)g->x.count;
        if (!has[t]) engine->run[t] = NULL;
    }
    return true;
}
