/* What the files of operational space share: the workspace, the task's rows, and the inversion of a mobility. */
#ifndef ZI_OPSPACE_TASK_H
#define ZI_OPSPACE_TASK_H

#include <math.h>

#include "model/tree.h"
#include "zveno/opspace.h"

struct zvTaskWork {
    const zvModel *model;
    zvWork *work;
    double *J, *Y;         /* 6 x nv: Jacobian, and M^-1 J^T by columns */
    double *x, *y;         /* nv */
    double *lower, *upper; /* nv: limits, +-infinity where there are none */
    double *q, *best;      /* nq */
    int *q_of;             /* nv: the entry of q that this velocity alone moves, or -1 */
    unsigned char *turns;  /* nv: rad, not m */
    unsigned char *fixed;  /* nv */
    double *Minv;          /* nv x nv where it is small, else NULL */
    double *reach;         /* nb: how far the origins of rigid trees can be from the root, m */
    void *block;
};

static inline double zi_dot(int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static inline double zi_length(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static inline bool zi_all_zero(int n, const double *x) {
    for (int i = 0; i < n; i++) {
        if (x[i] != 0) return false;
    }
    return true;
}

/* The rows of a task, in order, and m. */
typedef struct ziTaskRows {
    int count;
    int at[6];
} ziTaskRows;

ziTaskRows zi_task_rows(const zvTask *task);

/* How far the frame can be from the root at q = 0, m: sum of the offsets that lead to it; 1 when all are zero. */
double zi_task_reach(const zvModel *model, int frame);

/* Inverse of the task's rows of a mobility, damped where it is near singular. */
typedef struct ziMobility {
    double inverse[36]; /* m x m */
    double damping[2];  /* added to the diagonal: linear, angular rows */
    double rcond;
} ziMobility;

/* B (6 x 6) is J W J^T of a frame with some positive W. ZV_DEGRADED when damped. */
zvStatus zi_mobility_invert(const zvModel *model, const double B[36], const ziTaskRows *rows, double reach,
                            ziMobility *out);

/* y = A x for the (m x m) inverse of a mobility. */
void zi_mobility_times(const ziMobility *mobility, int m, const double *x, double *y);

/* A task at a position: the frame's Jacobian, the accelerations that its rows cause as forces, and what inverts them.
 */
typedef struct ziOpenTask {
    int nv;
    ziTaskRows rows;
    double *J, *Y;       /* 6 x nv: J, and M^-1 J^T by columns */
    double *Minv;        /* room for nv x nv, or NULL: by six sweeps */
    ziMobility mobility; /* its inverse is Lambda */
} ziOpenTask;

/* Where not all degrees of freedom are driven: reduce makes forces f (nv) to what is left of them, given (nv, or NULL)
 * says which are locked. */
typedef struct ziTaskDrive {
    zvStatus (*reduce)(const void *context, double *f);
    const void *context;
    const unsigned char *given;
} ziTaskDrive;

/* Fills J and Y, which the caller gives room for, and the rest. drive NULL: all are driven; else every row of J is
 * reduced first. ZV_DEGRADED when damped, negative where M is singular. */
zvStatus zi_task_open(const zvModel *model, zvWork *work, const double *q, const zvTask *task, const ziTaskDrive *drive,
                      ziOpenTask *open);

/* tau (nv) += J^T Lambda (x - J M^-1 tau): forces tau, changed so that the task's rows have the acceleration x (m;
 * NULL: zero). */
void zi_task_correct(const ziOpenTask *open, const double *x, double *tau);

/* error := the rows of the pose error in the axes of the task (6, zeros elsewhere), and with J (6 x nv, the frame's
 * Jacobian in the same axes) -d(error)/dv in place of J. J may be NULL. */
void zi_pose_error_rates(int nv, zvAxes axes, const zvPose *actual, double error[6], double *J);

#endif
