/* Zveno itself, through its public API. */
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

typedef struct Zveno {
    const zvModel *model;
    zvWork *work;
    const Ring *ring;
    int frame;
    double *out; /* (nv x nv) or (6 x nv), whichever is larger */
} Zveno;

const char *task_name(Task task) {
    static const char *const names[TASKS] = {"inverse", "forward", "mass", "mass dense", "mass inverse", "jacobian"};
    return names[task];
}

size_t task_size(Task task, int nv) {
    const size_t n = (size_t)nv;
    if (task == TASK_INVERSE || task == TASK_FORWARD) return n;
    return task == TASK_JACOBIAN ? 6 * n : n * n;
}

static const double *at_q(const Zveno *z, int s) { return z->ring->q + (size_t)s * z->ring->nq; }
static const double *at_v(const Zveno *z, int s) { return z->ring->v + (size_t)s * z->ring->nv; }

static void run_inverse(void *self, int s) {
    Zveno *z = self;
    zv_inverse_dynamics(z->model, z->work, at_q(z, s), at_v(z, s), z->ring->a + (size_t)s * z->ring->nv, NULL, z->out);
}

static void run_forward(void *self, int s) {
    Zveno *z = self;
    zv_forward_dynamics(z->model, z->work, at_q(z, s), at_v(z, s), z->ring->tau + (size_t)s * z->ring->nv, NULL,
                        z->out);
}

static void run_mass(void *self, int s) {
    Zveno *z = self;
    zv_mass_matrix(z->model, z->work, at_q(z, s), z->out);
}

static void run_mass_inverse(void *self, int s) {
    Zveno *z = self;
    zv_mass_inverse(z->model, z->work, at_q(z, s), z->out);
}

static void run_jacobian(void *self, int s) {
    Zveno *z = self;
    zv_frame_jacobian(z->model, z->work, at_q(z, s), z->frame, ZV_WORLD_AXES, z->out);
}

static const Engine rows = {
    "Zveno", NULL, {run_inverse, run_forward, run_mass, run_mass, run_mass_inverse, run_jacobian}, NULL, NULL};

static void answer(void *self, Task task, int state, double *out) {
    Zveno *z = self;
    rows.run[task](self, state);
    memcpy(out, z->out, task_size(task, z->ring->nv) * sizeof *out);
}

static void destroy(void *self) {
    Zveno *z = self;
    zv_work_destroy(z->work);
    free(z->out);
    free(z);
}

/* Matrices of very long chains would not fit: such robots are asked for vectors only. */
enum { LARGEST_MATRIX = 4000 };

bool zveno_open(const zvModel *model, const Tree *tree, const Ring *ring, Engine *engine) {
    const bool matrices = ring->nv <= LARGEST_MATRIX;
    const size_t n = (size_t)ring->nv, rows_out = matrices && n > 6 ? n : 6;
    Zveno *z = calloc(1, sizeof *z);
    if (!z) return false;
    *z = (Zveno){model, zv_work_create(model, NULL), ring, tree->tip_frame, malloc(rows_out * n * sizeof(double))};
    if (!z->work || !z->out) {
        destroy(z);
        return false;
    }
    *engine = rows;
    engine->self = z;
    engine->answer = answer;
    engine->destroy = destroy;
    if (!matrices) engine->run[TASK_MASS] = engine->run[TASK_MASS_DENSE] = engine->run[TASK_MASS_INVERSE] = NULL;
    return true;
}
