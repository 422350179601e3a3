/* Generated code, one state at a time. */
#include <stdlib.h>
#include <string.h>

#include "generated_code.h"
#include "own.h"

typedef void (*Inverse)(const double *q, const double *v, const double *a, double *tau);
typedef int (*Forward)(const double *q, const double *v, const double *tau, double *a);
typedef void (*Mass)(const double *q, double *M);
typedef int (*Minv)(const double *q, double *Minv);
typedef void (*DInverse)(const double *q, const double *v, const double *a, double *dq, double *dv, double *da);
typedef int (*DForward)(const double *q, const double *v, const double *tau, double *a, double *dq, double *dv,
                        double *dtau);

typedef struct Generated {
    const GeneratedCode *code;
    const Ring *ring;
    Inverse inverse;
    Forward forward;
    Mass mass, jacobian;
    Minv minv;
    DInverse d_inverse;
    DForward d_forward;
    double *out;
} Generated;

static const double *at_q(const Generated *g, int s) { return g->ring->q + (size_t)s * (size_t)g->ring->nq; }
static size_t at(const Generated *g, int s) { return (size_t)s * (size_t)g->ring->nv; }

static void run_inverse(void *self, int s) {
    Generated *g = self;
    g->inverse(at_q(g, s), g->ring->v + at(g, s), g->ring->a + at(g, s), g->out);
}

static void run_forward(void *self, int s) {
    Generated *g = self;
    g->forward(at_q(g, s), g->ring->v + at(g, s), g->ring->tau + at(g, s), g->out);
}

static void run_mass(void *self, int s) {
    Generated *g = self;
    g->mass(at_q(g, s), g->out);
}

static void run_minv(void *self, int s) {
    Generated *g = self;
    g->minv(at_q(g, s), g->out);
}

static void run_jacobian(void *self, int s) {
    Generated *g = self;
    g->jacobian(at_q(g, s), g->out);
}

static size_t square(const Generated *g) { return (size_t)g->ring->nv * (size_t)g->ring->nv; }

static void run_d_inverse(void *self, int s) {
    Generated *g = self;
    g->d_inverse(at_q(g, s), g->ring->v + at(g, s), g->ring->a + at(g, s), g->out, g->out + square(g),
                 g->out + 2 * square(g));
}

/* a goes behind the derivatives. */
static void run_d_forward(void *self, int s) {
    Generated *g = self;
    g->d_forward(at_q(g, s), g->ring->v + at(g, s), g->ring->tau + at(g, s), g->out + 3 * square(g), g->out,
                 g->out + square(g), g->out + 2 * square(g));
}

static const Engine rows = {
    .name = "generated",
    .run = {run_inverse, run_forward, run_mass, run_mass, run_minv, run_jacobian, run_d_inverse, run_d_forward}};

static void answer(void *self, Task task, int state, double *out) {
    Generated *g = self;
    rows.run[task](self, state);
    memcpy(out, g->out, task_size(task, g->ring->nv) * sizeof *out);
}

static void destroy(void *self) {
    Generated *g = self;
    free(g->out);
    free(g);
}

static bool find_functions(Generated *g) {
    return generated_code_find(g->code, TASK_INVERSE, "", &g->inverse) &&
           generated_code_find(g->code, TASK_FORWARD, "", &g->forward) &&
           generated_code_find(g->code, TASK_MASS, "", &g->mass) &&
           generated_code_find(g->code, TASK_MASS_INVERSE, "", &g->minv) &&
           generated_code_find(g->code, TASK_JACOBIAN, "", &g->jacobian) &&
           generated_code_find(g->code, TASK_D_INVERSE, "", &g->d_inverse) &&
           generated_code_find(g->code, TASK_D_FORWARD, "", &g->d_forward);
}

bool generated_open(const GeneratedCode *code, const Ring *ring, Engine *engine) {
    Generated *g = calloc(1, sizeof *g);
    if (!g) return false;
    g->code = code;
    g->ring = ring;
    g->out = malloc((task_room(ring->nv) + (size_t)ring->nv) * sizeof *g->out);
    if (!g->out || !find_functions(g)) {
        destroy(g);
        return false;
    }
    *engine = rows;
    engine->self = g;
    engine->answer = answer;
    engine->destroy = destroy;
    const bool has[TASKS] = {g->inverse, g->forward,  g->mass,      g->mass,
                             g->minv,    g->jacobian, g->d_inverse, g->d_forward};
    for (int t = 0; t < TASKS; ++t)
        if (!has[t]) engine->run[t] = NULL;
    return true;
}
