/* Dynamics of a robot as its file describes it, link by link, on a tape: the parameters that are letters are inputs
 * beside q, v and a. Nothing is merged, turned or folded before, as kernels do it with numbers.
 *
 * Inputs: q, v, a (n each), letters. n has the freedoms of the tree and, behind them, the arc lengths of loops along
 * lines and circles: what [Liu] calls xi. */
#ifndef ZI_CODEGEN_DERIVATION_H
#define ZI_CODEGEN_DERIVATION_H

#include "codegen/letters.h"
#include "real/tape.h"
#include "zveno/model.h"

enum { ZI_LOOP_ROWS = 6 };

typedef struct ziDerivation {
    int n;
    ziEdge *tau;     /* n: M a + C v + g */
    ziEdge *passive; /* n: springs and dampers, with their sign */
    ziEdge *dry;     /* n: what stands before -sign(v) */
    int rows;
    ziEdge *gap;      /* rows: conditions of loops */
    ziEdge *rate;     /* rows: their rates in axes of another choice; ZI_EDGE_UNKNOWN: the rate of gap */
    ziEdge motion[6]; /* velocity and angular velocity of the frame, world axes */
} ziDerivation;

/* Loops that have an arc length of their own. */
int zi_loop_arcs(const zvModel *model);
/* The index of that among the n coordinates, or -1. */
int zi_loop_arc(const zvModel *model, int loop);

/* frame: -1 for none. flexible (nv of the tree) or NULL: what has its armature in a rotor of its own. The model has
 * been checked: its joints have angles and lengths, its loops are those of zi_loop_obstacle. zi_derivation_free in
 * either case. */
zvStatus zi_derive_dynamics(const zvModel *model, const ziLetters *letters, int frame, const unsigned char *flexible,
                            ziTape *tape, ziDerivation *d);
void zi_derivation_free(ziDerivation *d);

/* Why a loop cannot be written down; NULL: it can. */
const char *zi_loop_obstacle(const zvLoop *loop);
/* Whether springs or dampers act in what its joint leaves free, other than along a curve. */
bool zi_loop_has_passive(const zvLoop *loop);

#endif
