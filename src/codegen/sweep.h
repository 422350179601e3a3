/* Vectors of numbers on a tape, and the nodes of a robot: every shift, turn and slide between two links by itself. */
#ifndef ZI_CODEGEN_SWEEP_H
#define ZI_CODEGEN_SWEEP_H

#include "codegen/derivation.h"
#include "model/coordinate.h"

typedef struct ziTriple {
    ziEdge e[3];
} ziTriple;

ziTriple zi_triple(ziEdge x, ziEdge y, ziEdge z);
ziTriple zi_triple_of(ziTape *t, const double *x);
ziTriple zi_triple_add(ziTape *t, ziTriple a, ziTriple b);
ziTriple zi_triple_sub(ziTape *t, ziTriple a, ziTriple b);
ziTriple zi_triple_scale(ziTape *t, ziEdge k, ziTriple a);
ziTriple zi_triple_cross(ziTape *t, ziTriple a, ziTriple b);
ziEdge zi_triple_dot(ziTape *t, ziTriple a, ziTriple b);

/* A node has a frame of its own. Those of links are behind the last node of the joint above them. */
typedef enum ziNodeKind { ZI_NODE_PLACE, ZI_NODE_TURN, ZI_NODE_SLIDE } ziNodeKind;

typedef struct ziNode {
    int parent;
    ziNodeKind kind;
    ziTriple p;     /* place: origin in the parent; slide: the same, axis x */
    double R[9];    /* place */
    double axis[3]; /* turn and slide */
    int coordinate; /* of the n; -1: none */
    double ratio;
    ziEdge sine, cosine;
    ziTriple w, al, v, a; /* angular velocity and acceleration, velocity, acceleration less gravity: own axes */
    ziTriple world[3];    /* rows of the rotation to the world */
    ziTriple at;          /* origin in the world */
    ziTriple f, m;        /* force and moment through the node, about its origin */
} ziNode;

typedef struct ziLinkSweep {
    const zvModel *model;
    const ziLetters *letters;
    ziTape *tape;
    int n, count;
    ziNode *node;
    int *link; /* node of each link */
} ziLinkSweep;

/* The value of a parameter: its letter, or the number. */
ziEdge zi_parameter(ziLinkSweep *s, ziLetterKind kind, int element, int component, double value);
ziTriple zi_parameters(ziLinkSweep *s, ziLetterKind kind, int element, const double value[3]);

/* A node and its motion from that of its parent. Index of the node. */
int zi_sweep_place(ziLinkSweep *s, int parent, ziTriple p, const double R[9]);
/* Turns or slides by ratio q + offset. */
int zi_sweep_move(ziLinkSweep *s, int parent, ziNodeKind kind, const double axis[3], int coordinate, double ratio,
                  double offset);
/* Along a circle in the axes of the parent, by its arc length; the orientation is kept. */
int zi_sweep_circle(ziLinkSweep *s, int parent, const zvCurve *curve, const ziFollow *follow);
/* All links outward, and inward the forces on coordinates (n, added to). */
void zi_sweep_out(ziLinkSweep *s);
void zi_sweep_in(ziLinkSweep *s, ziEdge *tau);
int zi_sweep_most_nodes(const zvModel *model);

/* A vector in the axes of a node from there to the world. */
ziTriple zi_to_world(ziLinkSweep *s, int node, ziTriple x);
/* From the parent's axes to those behind a constant rotation. */
ziTriple zi_turn_back(ziTape *t, const double R[9], ziTriple x);

#endif
