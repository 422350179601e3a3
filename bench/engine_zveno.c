/* Zveno itself, through its public API. */
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"

typedef struct Zveno {
    const zvModel *model;
    zvWork *work;
    const Ring *ring;
    int frame;
    double *out; /* the last answer */
} Zveno;

const char *task_name(Task task) {
    static const char *const names[TASKS] = {"inverse", "forward",  "mass",      "mass-dense",
                                             "minv",    "jacobian", "d-inverse", "d-forward"};
    return names[task];
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
    zv_frame_jacobian(z->model, z->work, at_q(z, s), z->frame, ZV_AXES_WORLD, z->out);
}

static void run_d_inverse(void *self, int s) {
    Zveno *z = self;
    const size_t n = (size_t)z->ring->nv, square = n * n;
    zv_inverse_derivatives(z->model, z->work, at_q(z, s), at_v(z, s), z->ring->a + (size_t)s * n, NULL, z->out,
                           z->out + square, z->out + 2 * square);
}

static void run_d_forward(void *self, int s) {
    Zveno *z = self;
    const size_t n = (size_t)z->ring->nv, square = n * n;
    zv_forward_derivatives(z->model, z->work, at_q(z, s), at_v(z, s), z->ring->tau + (size_t)s * n, NULL, NULL, z->out,
                           z->out + square, z->out + 2 * square);
}

static const Engine rows = {.name = "Zveno",
                            .run = {run_inverse, run_forward, run_mass, run_mass, run_mass_inverse, run_jacobian,
                                    run_d_inverse, run_d_forward}};

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
enum { LARGEST_MATRIX = 4000, LARGEST_DERIVATIVES = 500 };

static void leave_out(Engine *engine, const zvModel *model, int nv) {
    if (nv > LARGEST_MATRIX)
        engine->run[TASK_MASS] = engine->run[TASK_MASS_DENSE] = engine->run[TASK_MASS_INVERSE] = NULL;
    if (nv > LARGEST_DERIVATIVES || zv_model_nelastic(model) > 0)
        engine->run[TASK_D_INVERSE] = engine->run[TASK_D_FORWARD] = NULL;
}

/* Robots too long for full matrices keep the functions that need none. */
bool zveno_open(const zvModel *model, const Tree *tree, const Ring *ring, Engine *engine) {
    const int nv = ring->nv;
    const size_t numbers = nv > LARGEST_MATRIX ? 6 * (size_t)nv : task_most(nv);
    Zveno *z = calloc(1, sizeof *z);
    if (!z) return false;
    *z = (Zveno){model, zv_work_create(model, NULL), ring, tree->tip_frame, malloc(numbers * sizeof *z->out)};
    if (!z->work || !z->out) {
        destroy(z);
        return false;
    }
    *engine = rows;
    engine->self = z;
    engine->answer = answer;
    engine->destroy = destroy;
    leave_out(engine, model, nv);
    return true;
}
