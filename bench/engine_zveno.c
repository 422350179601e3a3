/* Zveno itself, through its public API. */
#include <stdlib.h>
#include <string.h>

#include "own.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/loops.h"
#include "zveno/opspace.h"

typedef struct Zveno {
    const zvModel *model;
    zvWork *work;
    zvTaskWork *task_work;
    const zvModel *welded; /* or NULL */
    zvWork *welded_work;
    const Tree *tree;
    const Ring *ring;
    int frame;
    double *out;   /* the last answer */
    double *rest;  /* (nv) zeros */
    zvPose *poses; /* (nlink) */
} Zveno;

const char *task_name(Task task) {
    static const char *const names[TASKS] = {"inverse",   "forward",    "mass",    "mass-dense", "minv",   "jacobian",
                                             "d-inverse", "d-forward",  "bias",    "links",      "bodies", "pose",
                                             "momentum",  "centroidal", "opspace", "weld"};
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

static void run_bias(void *self, int s) {
    Zveno *z = self;
    zv_bias(z->model, z->work, at_q(z, s), at_v(z, s), z->out);
}

static void run_links(void *self, int s) {
    Zveno *z = self;
    zv_link_poses(z->model, z->work, at_q(z, s), z->poses);
}

static void run_bodies(void *self, int s) {
    Zveno *z = self;
    zv_body_poses(z->model, z->work, at_q(z, s), z->poses);
}

static void run_centroidal(void *self, int s) {
    Zveno *z = self;
    zv_centroidal_map(z->model, z->work, at_q(z, s), z->out, NULL);
}

static void run_pose(void *self, int s) {
    Zveno *z = self;
    zv_frame_pose(z->model, z->work, at_q(z, s), z->frame, z->poses);
}

static void run_momentum(void *self, int s) {
    Zveno *z = self;
    zv_momentum(z->model, z->work, at_q(z, s), at_v(z, s), z->out, NULL);
}

static void run_opspace(void *self, int s) {
    Zveno *z = self;
    const zvTask task = {z->frame, ZV_AXES_WORLD, ZV_TASK_FULL};
    zv_task_inertia(z->model, z->task_work, at_q(z, s), NULL, &task, z->out, NULL, NULL, NULL);
}

static void run_weld(void *self, int s) {
    Zveno *z = self;
    zv_closed_forward_dynamics(z->welded, z->welded_work, NULL, at_q(z, s), z->rest,
                               z->ring->tau + (size_t)s * z->ring->nv, NULL, z->out, NULL);
}

static const Engine rows = {.name = "Zveno",
                            .run = {[TASK_INVERSE] = run_inverse,
                                    [TASK_FORWARD] = run_forward,
                                    [TASK_MASS] = run_mass,
                                    [TASK_MASS_DENSE] = run_mass,
                                    [TASK_MASS_INVERSE] = run_mass_inverse,
                                    [TASK_JACOBIAN] = run_jacobian,
                                    [TASK_D_INVERSE] = run_d_inverse,
                                    [TASK_D_FORWARD] = run_d_forward,
                                    [TASK_BIAS] = run_bias,
                                    [TASK_LINKS] = run_links,
                                    [TASK_BODIES] = run_bodies,
                                    [TASK_POSE] = run_pose,
                                    [TASK_MOMENTUM] = run_momentum,
                                    [TASK_CENTROIDAL] = run_centroidal,
                                    [TASK_OPSPACE] = run_opspace,
                                    [TASK_WELD] = run_weld}};

static void put_pose(const zvPose *pose, double *out) {
    memcpy(out, pose->R, sizeof pose->R);
    memcpy(out + 9, pose->p, sizeof pose->p);
}

static void put_poses(const zvPose *poses, int count, double *out) {
    for (int k = 0; k < count; ++k) put_pose(&poses[k], out + POSE_NUMBERS * (size_t)k);
}

static void answer(void *self, Task task, int state, double *out) {
    Zveno *z = self;
    rows.run[task](self, state);
    if (task == TASK_LINKS)
        put_poses(z->poses, z->ring->nlink, out);
    else if (task == TASK_BODIES)
        put_poses(z->poses + 1, z->ring->nbody, out); /* behind the ground */
    else if (task == TASK_POSE)
        put_pose(z->poses, out);
    else
        memcpy(out, z->out, task_size(task, z->ring) * sizeof *out);
}

static void destroy(void *self) {
    Zveno *z = self;
    zv_work_destroy(z->work);
    zv_work_destroy(z->welded_work);
    zv_task_work_destroy(z->task_work);
    free(z->out);
    free(z->rest);
    free(z->poses);
    free(z);
}

/* Matrices of very long chains would not fit: such robots are asked for vectors only. */
enum { LARGEST_MATRIX = 4000, LARGEST_DERIVATIVES = 500 };

/* Where the tip cannot move in all six directions there is nothing to compare with: every engine damps otherwise, or
 * divides by zero. The states looked at are those that are compared. */
static bool tip_moves_freely(const Zveno *z) {
    const zvTask task = {z->frame, ZV_AXES_WORLD, ZV_TASK_FULL};
    zvTaskDynamics dynamics;
    for (int s = 0; s < 4 && s < z->ring->count; ++s)
        if (zv_task_dynamics(z->model, z->task_work, at_q(z, s), NULL, &task, &dynamics) != ZV_OK) return false;
    return true;
}

static void leave_out(Engine *engine, const Zveno *z) {
    const int nv = z->ring->nv;
    const bool free_tip = tip_moves_freely(z);
    if (nv > LARGEST_MATRIX)
        engine->run[TASK_MASS] = engine->run[TASK_MASS_DENSE] = engine->run[TASK_MASS_INVERSE] = NULL;
    if (nv > LARGEST_DERIVATIVES || zv_model_nelastic(z->model) > 0)
        engine->run[TASK_D_INVERSE] = engine->run[TASK_D_FORWARD] = NULL;
    if (!free_tip) engine->run[TASK_OPSPACE] = NULL;
    if (!free_tip || !z->welded) engine->run[TASK_WELD] = NULL;
}

/* Robots too long for full matrices keep the functions that need none. */
bool zveno_open(const zvModel *model, const zvModel *welded, const Tree *tree, const Ring *ring, Engine *engine) {
    const int nv = ring->nv;
    const size_t vectors = 6 * (size_t)nv + 36;
    const size_t numbers = nv > LARGEST_MATRIX ? vectors : vectors + task_most(ring, TASK_D_FORWARD);
    Zveno *z = calloc(1, sizeof *z);
    if (!z) return false;
    *z = (Zveno){.model = model,
                 .work = zv_work_create(model, NULL),
                 .task_work = zv_task_work_create(model, NULL),
                 .welded = welded,
                 .welded_work = welded ? zv_work_create(welded, NULL) : NULL,
                 .tree = tree,
                 .ring = ring,
                 .frame = tree->tip_frame,
                 .out = malloc(numbers * sizeof *z->out),
                 .rest = calloc((size_t)nv + 1, sizeof *z->rest),
                 .poses = malloc((size_t)tree->nlink * sizeof *z->poses)};
    if (!z->work || !z->task_work || (welded && !z->welded_work) || !z->out || !z->rest || !z->poses) {
        destroy(z);
        return false;
    }
    *engine = rows;
    engine->self = z;
    engine->answer = answer;
    engine->destroy = destroy;
    leave_out(engine, z);
    return true;
}
