/* What the bench asks of an engine. Every task starts from q (v, a or tau): kinematics included. */
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "ring.h"
#include "tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum Task {
    TASK_INVERSE,      /* tau from q, v, a */
    TASK_FORWARD,      /* a from q, v, tau */
    TASK_MASS,         /* M in the engine's own storage */
    TASK_MASS_DENSE,   /* M as a full matrix */
    TASK_MASS_INVERSE, /* M^-1, full */
    TASK_JACOBIAN,     /* of the tip, world axes */
    TASK_D_INVERSE,    /* d tau/d q, d tau/d v, d tau/d a, full, one after the other */
    TASK_D_FORWARD,    /* d a/d q, d a/d v, d a/d tau */
    TASK_BIAS,         /* C v + g from q, v */
    TASK_LINKS,        /* poses of all links, 12 numbers each: R by rows, then p */
    TASK_BODIES,       /* poses of the links that joints move; what is welded to them is left out */
    TASK_POSE,         /* of the tip */
    TASK_MOMENTUM,     /* linear, and angular about the centre of mass, from q, v */
    TASK_CENTROIDAL,   /* (6 x nv): momentum over v */
    TASK_OPSPACE,      /* (6 x 6): (J M^-1 J^T)^-1 of the tip */
    TASK_WELD,         /* a from q, tau at rest, the tip welded to the ground where it is */
    TASKS
} Task;

enum { POSE_NUMBERS = 12 };

/* Numbers in the answer to a task. */
static inline size_t task_size(Task task, const Ring *ring) {
    const size_t n = (size_t)ring->nv;
    switch (task) {
    case TASK_INVERSE:
    case TASK_FORWARD:
    case TASK_BIAS:
    case TASK_WELD: return n;
    case TASK_JACOBIAN:
    case TASK_CENTROIDAL: return 6 * n;
    case TASK_D_INVERSE:
    case TASK_D_FORWARD: return 3 * n * n;
    case TASK_LINKS: return POSE_NUMBERS * (size_t)ring->nlink;
    case TASK_BODIES: return POSE_NUMBERS * (size_t)ring->nbody;
    case TASK_POSE: return POSE_NUMBERS;
    case TASK_MOMENTUM: return 6;
    case TASK_OPSPACE: return 36;
    default: return n * n;
    }
}

/* Numbers in the largest answer to the tasks from the first to this one. */
static inline size_t task_most(const Ring *ring, Task last) {
    size_t most = 0;
    for (int t = 0; t <= (int)last; ++t)
        if (task_size((Task)t, ring) > most) most = task_size((Task)t, ring);
    return most;
}

typedef struct Engine {
    const char *name;
    void *self;
    /* One call on a state of the ring; NULL where the engine has no such function. */
    void (*run[TASKS])(void *self, int state);
    /* Runs the task and hands the answer over in Zveno's conventions, full row-major matrices. */
    void (*answer)(void *self, Task task, int state, double *out);
    /* So many steps of the classical Runge-Kutta method (or one rate each: semi-implicit Euler) from a state of the
     * ring on, without forces, loops closed; then q and v, in Zveno's conventions. False: it cannot. */
    bool (*march)(void *self, int state, bool euler, double step, int steps, double *q, double *v);
    void (*destroy)(void *self);
    int states[TASKS]; /* that one call works on; 0: one, the state named */
    bool single;       /* answers have seven digits */
} Engine;

static inline int engine_states(const Engine *engine, Task task) {
    return engine->states[task] > 0 ? engine->states[task] : 1;
}

/* -- peers: modules that are loaded when they are there ------------------------------------------------------------ */

enum { PEER_VERSION = 3 }; /* of what stands above, ring.h and tree.h: a module of another one is not taken */

typedef struct Peer {
    int version;
    const char *name;
    /* Fills *engine and returns true, or returns false when the engine cannot take this robot. tree and ring must
     * outlive the engine. */
    bool (*open)(const Tree *tree, const Ring *ring, Engine *engine);
} Peer;

/* The one symbol of a module. */
#define PEER_SYMBOL "zveno_peer"
#define PEER_EXPORT __attribute__((visibility("default")))
extern PEER_EXPORT const Peer zveno_peer;

#ifdef __cplusplus
}
#endif
#endif
