/* Inverse kinematics as the command has it. */
#ifndef ZVENO_CLI_VERBS_IK_H
#define ZVENO_CLI_VERBS_IK_H

#include "args.h"
#include "robot.h"
#include "zveno/opspace.h"

/* A robot, what is asked of it, and room. */
typedef struct Ik {
    const Args *args;
    Robot robot;
    const zvModel *model;
    zvTask task;
    zvWork *work;
    zvTaskWork *task_work;
    unsigned char *held; /* nv */
    double *q;           /* nq: the guess */
} Ik;

/* The position nearest to q (nq) that places the frame; ZV_NO_CONVERGENCE and what is left. Loops stay closed. */
zvStatus ik_find(Ik *ik, const zvPose *target, int restarts, double *q, double *gap, zvError *error);

/* --path: the joints along lines and arcs, as a table over time. */
Code ik_follow(Ik *ik, Text *out);

#endif
