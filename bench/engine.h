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
    TASKS
} Task;

const char *task_name(Task task);
/* Numbers in the answer to a task. */
size_t task_size(Task task, int nv);

typedef struct Engine {
    const char *name;
    void *self;
    /* One call on a state of the ring; NULL where the engine has no such function. */
    void (*run[TASKS])(void *self, int state);
    /* Runs the task and hands the answer over in Zveno's conventions, full row-major matrices. */
    void (*answer)(void *self, Task task, int state, double *out);
    void (*destroy)(void *self);
} Engine;

/* Each fills *engine and returns true, or returns false when the engine cannot take this robot.
 * tree, ring and model must outlive the engine. */
bool zveno_open(const zvModel *model, const Tree *tree, const Ring *ring, Engine *engine);
bool generated_open(const zvModel *model, const Tree *tree, const Ring *ring, Engine *engine);
bool mujoco_open(const Tree *tree, const Ring *ring, Engine *engine);
bool kdl_open(const Tree *tree, const Ring *ring, Engine *engine);

#ifdef __cplusplus
}
#endif
#endif
