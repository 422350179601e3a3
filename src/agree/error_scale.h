/* How large the terms of an answer are before they cancel: the scale of unavoidable rounding errors.
 *
 * The recursions of Newton and Euler on lengths and absolute values in place of vectors, so that nothing cancels:
 *
 *   outward   w = w_p + |s| |v|,  alpha and a likewise with all products of rates     per body, and per section of an
 *   inward    f = m a + |h| (alpha + w^2), n = |h| a + |J| (alpha + w^2), summed      elastic body that carries others
 *   joints    tau = |S.lin| f + |S.ang| (n + lever f)
 *
 * A method that is stable is within a small multiple of depth eps of the truth, relative to these. */
#ifndef ZI_AGREE_ERROR_SCALE_H
#define ZI_AGREE_ERROR_SCALE_H

#include "model/tree.h"

/* What is known of a row: a body, or behind all of them a section of an elastic one. */
typedef struct ziErrorScaleRow {
    double lever;       /* from the row it sits on */
    double w, alpha, a; /* angular velocity; accelerations, weight included */
    double f, n;        /* force and moment through the joint above */
} ziErrorScaleRow;

/* Sizes of an elastic body's terms at a position (dynamics/elastic.h has the terms): n + extra entries each. */
typedef struct ziErrorScaleElastic {
    double S, J;
    double *x, *dS, *L, *dJ;
    double *b, *s;     /* extra x n: slopes of shortening, and with couple */
    double *M;         /* n x n */
    double *dx, *rate; /* rates of all shapes; |dL_p/dt| */
    double *kappa;     /* extra */
} ziErrorScaleElastic;

typedef struct ziErrorScale {
    const zvModel *model;
    ziErrorScaleRow *row; /* nb + ns */
    double *lin, *ang;    /* tree nv: sizes of the joints' columns; of elastic coordinates unused */
    double *swing, *sway; /* nb: the joint's own acceleration: angular per w_rel^2, linear per product of rates */
    ziErrorScaleElastic *elastic; /* nb; all zero for rigid bodies */
    double *q, *v, *a, *tau;      /* tree coordinates, absolute values */
    double *load;                 /* nb x 2: external force and moment */
    double *extra;                /* ne: external forces of elastic coordinates */
    void *block;
} ziErrorScale;

/* False when out of memory; zi_error_scale_destroy in either case. */
bool zi_error_scale_create(const zvModel *model, ziErrorScale *error_scale);
void zi_error_scale_destroy(ziErrorScale *error_scale);

/* Everything that depends on q only; before the others. */
void zi_error_scale_place(ziErrorScale *error_scale, const double *q);
/* Sizes of the forces (nv) of a motion under gravity; v, a, fext may be NULL: zero. */
void zi_error_scale_forces(ziErrorScale *error_scale, const double *v, const double *a, const double *fext,
                           double *tau);
/* Sizes of the entries of the mass matrix, (nv x nv). */
void zi_error_scale_mass(ziErrorScale *error_scale, double *S);

#endif
