/* How large the terms of an answer are before they cancel: the scale of unavoidable rounding errors.
 *
 * The recursions of Newton and Euler on lengths and absolute values in place of vectors, so that nothing cancels:
 *
 *   outward   w = w_p + |s| |v|,  alpha and a likewise with all products of rates     per body, and per section of an
 *   inward    f = m a + |h| (alpha + w^2), n = |h| a + |J| (alpha + w^2), summed      elastic body that carries others
 *   joints    tau = |S.lin| f + |S.ang| (n + lever f)
 *
 * A method that is stable is within a small multiple of depth eps of the truth, relative to these. */
#ifndef ZV_AGREE_GROSS_H
#define ZV_AGREE_GROSS_H

#include "model/tree.h"

/* What is known of a row: a body, or behind all of them a section of an elastic one. */
typedef struct zvGrossRow {
    double lever;       /* from the row it sits on */
    double w, alpha, a; /* angular velocity; accelerations, weight included */
    double f, n;        /* force and moment through the joint above */
} zvGrossRow;

/* Sizes of an elastic body's terms at a position (dynamics/elastic.h has the terms): n + extra entries each. */
typedef struct zvGrossElastic {
    double S, J;
    double *x, *dS, *L, *dJ;
    double *b, *s;     /* extra x n: slopes of shortening, and with couple */
    double *M;         /* n x n */
    double *dx, *rate; /* rates of all shapes; |dL_p/dt| */
    double *kappa;     /* extra */
} zvGrossElastic;

typedef struct zvGross {
    const zvModel *model;
    zvGrossRow *row;         /* nb + ns */
    double *lin, *ang;       /* tree nv: sizes of the joints' columns; of elastic coordinates unused */
    double *swing, *sway;    /* nb: the joint's own acceleration: angular per w_rel^2, linear per product of rates */
    zvGrossElastic *elastic; /* nb; all zero for rigid bodies */
    double *q, *v, *a, *tau; /* tree coordinates, absolute values */
    double *load;            /* nb x 2: external force and moment */
    double *extra;           /* ne: external forces of elastic coordinates */
    void *block;
} zvGross;

/* False when out of memory; zv_gross_destroy in either case. */
bool zv_gross_create(const zvModel *model, zvGross *gross);
void zv_gross_destroy(zvGross *gross);

/* Everything that depends on q only; before the others. */
void zv_gross_place(zvGross *gross, const double *q);
/* Sizes of the forces (nv) of a motion under gravity; v, a, fext may be NULL: zero. */
void zv_gross_forces(zvGross *gross, const double *v, const double *a, const double *fext, double *tau);
/* Sizes of the entries of the mass matrix, (nv x nv). */
void zv_gross_mass(zvGross *gross, double *S);

/* gross_elastic.c ----------------------------------------------------------------------------------------------- */

/* Doubles of an elastic body, and where they lie from `room` on. */
size_t zv_gross_elastic_room(const zvElastic *elastic);
void zv_gross_elastic_lay(const zvElastic *elastic, double *room, zvGrossElastic *x);
/* Sizes at the body's elastic coordinates |e|, and levers of its sections. */
void zv_gross_elastic_place(zvGross *gross, int body);
/* Motion of its sections, once its own is known. */
void zv_gross_elastic_carry(zvGross *gross, int body);
/* f, n of the body and tau of its elastic coordinates: its own, and what its sections bear. stiff: with K e and D de.
 */
void zv_gross_elastic_forces(zvGross *gross, int body, bool stiff);

#endif
