/* The search for an equilibrium: Newton's iteration (equilibrium.c), and the same for systems that are more than their
 * model (equilibrium_outside.c). */
#ifndef ZI_MODES_SEARCH_H
#define ZI_MODES_SEARCH_H

#include "modes/loops.h"

typedef struct ziSearch {
    ziStatics s;
    size_t wide;           /* nv, and the states of a system outside */
    int n;                 /* unknowns: degrees of freedom, then these states */
    int *dof;              /* n: which they are, states from nv on */
    double *unit;          /* wide */
    double *z, *z_next;    /* states */
    double *given;         /* wide: force of the first guess, of which 1 - share is given */
    zvStatus refused;      /* of the system outside */
    double *q, *next;      /* nq */
    double *force;         /* wide */
    double *size;          /* wide: of the forces it is the sum of */
    double *K;             /* wide x wide */
    double *A;             /* n x n: K of the unknowns, then its factors */
    int *pivots;           /* n */
    double *x, *y;         /* n: corrections */
    double *step;          /* wide */
    double *samples;       /* 4 x wide */
    double *block;         /* nv x nv */
    double left;           /* largest force left, of the forces involved */
    int worst;             /* and where */
    bool moved;            /* at this share of the loads: a tangent is factored */
    double *full;          /* wide: the whole correction */
    bool closed;           /* there are loops */
    bool chosen;           /* independent degrees of freedom stay what they are */
    unsigned char *locked; /* nv: for closing */
    ziLoopStatics loops;
} ziSearch;

/* Memory, scales and the state to start from, its loops closed. The search is zero before, and its statics are to be
 * freed in any case. */
zvStatus zi_search_begin(ziSearch *w, const zvModel *model, zvWork *work, const zvRest *rest, const ziOutside *outside,
                         zvError *error);
/* Equilibrium at the share of the loads that acts now. */
zvStatus zi_search_settle(ziSearch *w, zvError *error);
/* Degrees of freedom that may move (count; NULL: they are listed already), then the states of a system outside. */
void zi_search_list(ziSearch *w, int count, const int *dofs);
/* The forces of (q, z) as they are, of a system outside as far as the first guess does not balance them. */
void zi_search_forces(ziSearch *w, const double *q, const double *z);
/* The force that is not balanced at q, and what it is the sum of. */
void zi_search_unbalanced(ziSearch *w, const double *q, const double *z);
/* K at w->q; force and size are those there afterwards. */
void zi_search_tangent(ziSearch *w, int points);
/* A (n x n of the unknowns) from K; of closed loops reduced, with what their forces add. */
void zi_search_reduce(ziSearch *w, double *A);

/* K of a system outside, by differences of 2 or 4 points; entries that rounding alone could have made are zero. Spoils
 * force. */
void zi_search_outside_stiffness(ziSearch *w, int points);

#endif
