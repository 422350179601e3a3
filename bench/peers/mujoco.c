/* MuJoCo: the stages each task strictly needs, called one by one. Contacts, constraints and actuators take no part.
 *
 * Differs from Zveno in the free joint: linear velocity along the world's axes, quaternion w, x, y, z. States are
 * converted once, before any timing; answers are converted back only where agreement is checked:
 *   v_mujoco = T v,  a_mujoco = T (a + (omega x v_linear, 0)),  tau_mujoco = T tau,  T = diag(R, 1). */
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "engine.h"
#include "mjcf.h"

typedef struct Mujoco {
    mjModel *m;
    mjData *d;
    const Ring *ring;
    bool free_base;
    int tip;
    double *q, *v, *a, *tau; /* the ring in MuJoCo's conventions */
    double *R;               /* (count x 9) orientation of a free base */
    double *identity;        /* (nv x nv) */
    double *out;             /* (nv x nv) or (6 x nv) */
    double *columns;         /* (6 x nv): M^-1 J^T */
    const Tree *tree;
    mjModel *closed; /* for steps: with what closes loops; NULL until they are asked for */
} Mujoco;

/* What the current library names otherwise ---------------------------------------------------------- */

#if MUJOCO_CURRENT
static void mj_mass(const mjModel *m, mjData *d) { mj_makeM(m, d); }
static void mj_mass_full(const mjModel *m, const mjData *d, double *M) { mj_fullM(m, d, M); }
#else
static void mj_mass(const mjModel *m, mjData *d) { mj_crb(m, d); }
static void mj_mass_full(const mjModel *m, const mjData *d, double *M) { mj_fullM(m, M, d->qM); }
#endif

/* Stages ------------------------------------------------------------------------------------------ */

static void place(Mujoco *s, int i) {
    memcpy(s->d->qpos, s->q + (size_t)i * s->m->nq, (size_t)s->m->nq * sizeof(double));
    mj_kinematics(s->m, s->d);
    mj_comPos(s->m, s->d);
}

static void place_moving(Mujoco *s, int i) {
    place(s, i);
    memcpy(s->d->qvel, s->v + (size_t)i * s->m->nv, (size_t)s->m->nv * sizeof(double));
    mj_comVel(s->m, s->d);
}

static void run_inverse(void *self, int i) {
    Mujoco *s = self;
    place_moving(s, i);
    memcpy(s->d->qacc, s->a + (size_t)i * s->m->nv, (size_t)s->m->nv * sizeof(double));
    mj_rne(s->m, s->d, 1, s->out);
}

static void run_forward(void *self, int i) {
    Mujoco *s = self;
    const int nv = s->ring->nv;
    place_moving(s, i);
    mj_mass(s->m, s->d);
    mj_factorM(s->m, s->d);
    mj_rne(s->m, s->d, 0, s->d->qfrc_bias);
    for (int k = 0; k < nv; ++k) s->d->qfrc_smooth[k] = s->tau[(size_t)i * nv + k] - s->d->qfrc_bias[k];
    mj_solveM(s->m, s->d, s->out, s->d->qfrc_smooth, 1);
}

static void run_mass(void *self, int i) {
    Mujoco *s = self;
    place(s, i);
    mj_mass(s->m, s->d);
}

static void run_mass_dense(void *self, int i) {
    Mujoco *s = self;
    run_mass(self, i);
    mj_mass_full(s->m, s->d, s->out);
}

static void run_mass_inverse(void *self, int i) {
    Mujoco *s = self;
    run_mass(self, i);
    mj_factorM(s->m, s->d);
    mj_solveM(s->m, s->d, s->out, s->identity, s->ring->nv);
}

static void run_jacobian(void *self, int i) {
    Mujoco *s = self;
    place(s, i);
    mj_jacBody(s->m, s->d, s->out, s->out + 3 * (size_t)s->m->nv, s->tip);
}

static void run_bias(void *self, int i) {
    Mujoco *s = self;
    place_moving(s, i);
    mj_rne(s->m, s->d, 0, s->out);
}

/* All bodies, one of them: nothing of MuJoCo's follows a single path. */
static void run_poses(void *self, int i) {
    Mujoco *s = self;
    memcpy(s->d->qpos, s->q + (size_t)i * s->m->nq, (size_t)s->m->nq * sizeof(double));
    mj_kinematics(s->m, s->d);
}

static void run_momentum(void *self, int i) {
    Mujoco *s = self;
    place_moving(s, i);
    mj_subtreeVel(s->m, s->d);
    mju_scl3(s->out, s->d->subtree_linvel, s->m->body_subtreemass[0]);
    mju_copy3(s->out + 3, s->d->subtree_angmom);
}

#if MUJOCO_CURRENT
static void run_centroidal(void *self, int i) {
    Mujoco *s = self;
    const int n = 3 * s->ring->nv;
    place(s, i);
    mj_jacSubtreeCom(s->m, s->d, s->out, 0);
    mju_scl(s->out, s->out, s->m->body_subtreemass[0], n);
    mj_angmomMat(s->m, s->d, s->out + n, 0);
}
#endif

/* (J M^-1 J^T)^-1 by the factors of M. */
static void run_opspace(void *self, int i) {
    Mujoco *s = self;
    const int nv = s->ring->nv;
    double A[36];
    run_mass(self, i);
    mj_factorM(s->m, s->d);
    mj_jacBody(s->m, s->d, s->out, s->out + 3 * (size_t)nv, s->tip);
    mj_solveM(s->m, s->d, s->columns, s->out, 6);
    mju_mulMatMatT(A, s->out, s->columns, 6, nv, 6);
    mju_cholFactor(A, 6, 0);
    for (int k = 0; k < 6; ++k) {
        double unit[6] = {0};
        unit[k] = 1;
        mju_cholSolve(s->out + 6 * (size_t)k, A, unit, 6);
    }
}

/* Conventions ------------------------------------------------------------------------------------- */

static void rotate(const double *R, const double *x, double *y) { mju_mulMatVec(y, R, x, 3, 3); }
static void rotate_back(const double *R, const double *x, double *y) { mju_mulMatTVec(y, R, x, 3, 3); }

static void convert_base(Mujoco *s, int i) {
    const size_t nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    const double *v = s->ring->v + i * nv, *a = s->ring->a + i * nv;
    double *R = s->R + 9 * (size_t)i, sum[3];
    mju_quat2Mat(R, s->q + i * nq + 3);
    rotate(R, v, s->v + i * nv);
    mju_cross(sum, v + 3, v);
    mju_addTo3(sum, a);
    rotate(R, sum, s->a + i * nv);
    rotate(R, s->ring->tau + i * nv, s->tau + i * nv);
}

/* MuJoCo has w first in quaternions and the base's linear velocity in world axes. */
static void convert_ring(Mujoco *s, const Tree *tree) {
    const size_t count = (size_t)s->ring->count, nq = (size_t)s->m->nq, nv = (size_t)s->m->nv;
    memcpy(s->q, s->ring->q, count * nq * sizeof(double));
    memcpy(s->v, s->ring->v, count * nv * sizeof(double));
    memcpy(s->a, s->ring->a, count * nv * sizeof(double));
    memcpy(s->tau, s->ring->tau, count * nv * sizeof(double));
    for (size_t i = 0; i < count; ++i) {
        for (int b = 1; b < tree->nbody; ++b) {
            const zvJointType type = tree->body[b].type;
            if (type != ZV_JOINT_FREE && type != ZV_JOINT_SPHERICAL) continue;
            double *q = s->q + i * nq + tree->body[b].q_index + (type == ZV_JOINT_FREE ? 3 : 0);
            const double x = q[0], y = q[1], z = q[2], w = q[3];
            q[0] = w;
            q[1] = x;
            q[2] = y;
            q[3] = z;
        }
        if (s->free_base) convert_base(s, (int)i);
    }
}

/* X T: the first three columns of a matrix of `rows` rows. */
static void times_base(const double *R, int rows, int nv, double *X) {
    for (int r = 0; r < rows; ++r) {
        double y[3];
        rotate_back(R, X + (size_t)r * nv, y);
        memcpy(X + (size_t)r * nv, y, sizeof y);
    }
}

/* T^T X: the first three rows. */
static void base_times(const double *R, int nv, double *X) {
    for (int c = 0; c < nv; ++c) {
        const double x[3] = {X[c], X[nv + c], X[2 * nv + c]};
        double y[3];
        rotate_back(R, x, y);
        for (int k = 0; k < 3; ++k) X[(size_t)k * nv + c] = y[k];
    }
}

/* Back to Zveno's conventions: axes of the base, and the convective part of its acceleration. */
static void convert_answer(const Mujoco *s, Task task, int i, double *out) {
    const int nv = s->ring->nv;
    const double *R = s->R + 9 * (size_t)i, *v = s->ring->v + (size_t)i * nv;
    double convective[3];
    switch (task) {
    case TASK_INVERSE: times_base(R, 1, nv, out); break;
    case TASK_FORWARD:
        times_base(R, 1, nv, out);
        mju_cross(convective, v + 3, v);
        for (int k = 0; k < 3; ++k) out[k] -= convective[k];
        break;
    case TASK_CENTROIDAL:
    case TASK_JACOBIAN: times_base(R, 6, nv, out); break;
    case TASK_BODIES:
    case TASK_POSE:
    case TASK_MOMENTUM:
    case TASK_OPSPACE: break;
    case TASK_BIAS: times_base(R, 1, nv, out); break;
    default:
        times_base(R, nv, nv, out);
        base_times(R, nv, out);
        break;
    }
}

/* The engine -------------------------------------------------------------------------------------- */

static const Engine rows = {.name = "MuJoCo",
                            .run = {[TASK_INVERSE] = run_inverse,
                                    [TASK_FORWARD] = run_forward,
                                    [TASK_MASS] = run_mass,
                                    [TASK_MASS_DENSE] = run_mass_dense,
                                    [TASK_MASS_INVERSE] = run_mass_inverse,
                                    [TASK_JACOBIAN] = run_jacobian,
                                    [TASK_BIAS] = run_bias,
                                    [TASK_BODIES] = run_poses,
                                    [TASK_POSE] = run_poses,
                                    [TASK_MOMENTUM] = run_momentum,
#if MUJOCO_CURRENT
                                    [TASK_CENTROIDAL] = run_centroidal,
#endif
                                    [TASK_OPSPACE] = run_opspace}};

static void put_pose(const mjData *d, int body, double *out) {
    memcpy(out, d->xmat + 9 * (size_t)body, 9 * sizeof *out);
    memcpy(out + 9, d->xpos + 3 * (size_t)body, 3 * sizeof *out);
}

/* Zveno's bias is tau without acceleration in the axes of the base; in MuJoCo's that is an acceleration of its own. */
static void still_base(Mujoco *s, int state) {
    const double *v = s->ring->v + (size_t)state * s->m->nv;
    double convective[3];
    mju_zero(s->d->qacc, s->ring->nv);
    mju_cross(convective, v + 3, v);
    rotate(s->R + 9 * (size_t)state, convective, s->d->qacc);
    mj_rne(s->m, s->d, 1, s->out);
}

static void answer(void *self, Task task, int state, double *out) {
    Mujoco *s = self;
    if (task == TASK_MASS) task = TASK_MASS_DENSE;
    rows.run[task](self, state);
    if (task == TASK_BIAS && s->free_base) still_base(s, state);
    if (task == TASK_POSE) {
        put_pose(s->d, s->tip, out);
    } else if (task == TASK_BODIES) {
        for (int b = 1; b < s->m->nbody; ++b) put_pose(s->d, b, out + POSE_NUMBERS * (size_t)(b - 1));
    } else {
        memcpy(out, s->out, task_size(task, s->ring) * sizeof *out);
        if (s->free_base) convert_answer(s, task, state, out);
    }
}

/* w back behind x, y, z; axes of the base. */
static void hand_back(const Mujoco *s, const mjData *d, double *q, double *v) {
    memcpy(q, d->qpos, (size_t)s->ring->nq * sizeof *q);
    memcpy(v, d->qvel, (size_t)s->ring->nv * sizeof *v);
    for (int b = 1; b < s->tree->nbody; ++b) {
        const zvJointType type = s->tree->body[b].type;
        if (type != ZV_JOINT_FREE && type != ZV_JOINT_SPHERICAL) continue;
        const int at = s->tree->body[b].q_index + (type == ZV_JOINT_FREE ? 3 : 0);
        memcpy(q + at, d->qpos + at + 1, 3 * sizeof *q);
        q[at + 3] = d->qpos[at];
    }
    if (!s->free_base) return;
    double R[9], turned[3];
    mju_quat2Mat(R, d->qpos + 3);
    rotate_back(R, v, turned);
    memcpy(v, turned, sizeof turned);
}

/* mj_step, contacts and all that the robot does not have switched off. */
static bool march(void *self, int state, bool euler, double step, int steps, double *q, double *v) {
    Mujoco *s = self;
    if (s->tree->nloop < 0) return false;
    if (!s->closed) s->closed = mjcf_load(s->tree, s->tree->nloop > 0);
    if (!s->closed) return false;
    mjModel *m = s->closed;
    m->opt.timestep = step;
    m->opt.integrator = euler ? mjINT_EULER : mjINT_RK4;
    m->opt.disableflags = mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION | mjDSBL_SENSOR |
                          (s->tree->nloop ? 0 : mjDSBL_CONSTRAINT | mjDSBL_EQUALITY);
    mjData *d = mj_makeData(m);
    if (!d) return false;
    memcpy(d->qpos, s->q + (size_t)state * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, s->v + (size_t)state * m->nv, (size_t)m->nv * sizeof(double));
    for (int k = 0; k < steps; ++k) mj_step(m, d);
    hand_back(s, d, q, v);
    mj_deleteData(d);
    return true;
}

/* Everything that open_robot made. */
static void destroy(void *self) {
    Mujoco *s = self;
    mj_deleteData(s->d);
    mj_deleteModel(s->m);
    mj_deleteModel(s->closed);
    free(s->q);
    free(s->v);
    free(s->a);
    free(s->tau);
    free(s->R);
    free(s->identity);
    free(s->out);
    free(s->columns);
    free(s);
}

static double *numbers(size_t count) {
    double *x = calloc(count, sizeof *x);
    if (!x) abort();
    return x;
}

/* Robots whose joints MuJoCo has; others take no part. */
static bool open_robot(const Tree *tree, const Ring *ring, Engine *engine) {
    if (!tree->simple || tree->nv == 0) return false;
    mjModel *m = mjcf_load(tree, false);
    if (!m) return false;
    const size_t count = (size_t)ring->count, nv = (size_t)m->nv, nq = (size_t)m->nq;
    Mujoco *s = calloc(1, sizeof *s);
    if (!s) abort();
    *s = (Mujoco){m,
                  mj_makeData(m),
                  ring,
                  tree->free_base,
                  tree->tip,
                  numbers(count * nq),
                  numbers(count * nv),
                  numbers(count * nv),
                  numbers(count * nv),
                  numbers(count * 9),
                  numbers(nv * nv),
                  numbers((nv > 6 ? nv : 6) * nv + 36),
                  numbers(6 * nv),
                  tree,
                  NULL};
    for (size_t i = 0; i < nv; ++i) s->identity[i * (nv + 1)] = 1;
    convert_ring(s, tree);
    *engine = rows;
    engine->self = s;
    engine->answer = answer;
    engine->march = march;
    engine->destroy = destroy;
    return true;
}

PEER_EXPORT const Peer zveno_peer = {PEER_VERSION, "MuJoCo", open_robot};
