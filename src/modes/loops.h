/* Closed loops about a state of rest: which degrees of freedom are independent, how the others follow, and what the
 * forces of the loops do. */
#ifndef ZI_MODES_LOOPS_H
#define ZI_MODES_LOOPS_H

#include "modes/statics.h"

typedef struct ziLoopStatics {
    int rows, n;          /* conditions; independent degrees of freedom */
    int *dof;             /* n: which they are */
    double *P;            /* nv x n: x = P (x of these), columns of G x = 0; held degrees of freedom stay */
    double *lambda;       /* rows */
    double *unit;         /* rows: what they are multiplied by to be turns */
    double *force;        /* nv: G^T lambda */
    double *E;            /* rows x (nv + rows): [G | 1] in units, then eliminated */
    unsigned char *kinds; /* nv */
    int *taken;           /* nv */
    double *high, *low;   /* nv: samples */
    double *X;            /* nv x n: products */
} ziLoopStatics;

/* Arrays from the arena of the statics; false when out of memory. */
bool zi_loop_statics_create(ziStatics *s, ziLoopStatics *l);
/* P at q. keep: the choice of the call before stays. */
void zi_loop_statics_at(ziStatics *s, ziLoopStatics *l, const double *q, bool keep);
/* lambda that balances force (nv) in all but the independent degrees of freedom, and its forces at the same q. */
void zi_loop_statics_balance(ziStatics *s, ziLoopStatics *l, const double *q, const double *force);
/* K (nv rows of `width`, the first nv columns) -= d(G^T lambda)/dq with this lambda, by differences of four points. */
void zi_loop_statics_stiffen(ziStatics *s, ziLoopStatics *l, const double *q, size_t width, double *K);
/* Y (n x n) = P^T X P of an X (nv x nv), which may be the same array; made symmetric where only rounding is in the way.
 */
void zi_loop_statics_reduce(ziStatics *s, ziLoopStatics *l, const double *X, double *Y);
/* ZV_CLOSURE with the loop that keeps the largest gap at q; ZV_NOT_SUPPORTED for a state in motion. */
zvStatus zi_loop_statics_check(const ziStatics *s, const double *q, zvError *error);
/* All of it at s->q: M, C and K (nv x nv) become those of the independent degrees of freedom. Creates l. */
zvStatus zi_loop_statics_matrices(ziStatics *s, ziLoopStatics *l, double *M, double *C, double *K, zvError *error);

#endif
