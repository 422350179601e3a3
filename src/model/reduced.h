/* A robot prepared for few operations: the same motions and forces, fewer numbers that are not zero.
 *
 * Frames: the frame of a body under a revolute joint may be turned about and slid along its axis, that of a prismatic
 * one turned about it and put anywhere; z may point the other way. They are chosen so that the link transform to the
 * child with most bodies beyond it is sparse: x along the common normal of the two axes (Denavit-Hartenberg, proximal),
 * axes that are parallel point the same way. What turns becomes an offset of the coordinate, what is turned over its
 * sign. The ground's frame is that of the first joint: gravity is turned instead.
 *
 * Masses: of a body that turns about z, a mass on the axis moves with the parent as well. Mass, first moment along z
 * and second moment zz are moved over; of a body that slides the whole second moment is. Torques and mass matrix stay,
 * reactions do not.
 *
 * Second moments K = int x x^T dm take the place of the moments of inertia J = tr(K) 1 - K. */
#ifndef ZI_MODEL_REDUCED_H
#define ZI_MODEL_REDUCED_H

#include "model/tree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ziReducedBody {
    int parent, q, v; /* coordinates of the tree */
    int end;          /* bodies beyond it, itself included, are those before this one */
    unsigned char type, nv, nq;
    unsigned char joins; /* its frame at rest is parallel to the parent's and both joints move about or along z: the two
                            may share axes; of one parent's bodies at most one joins */
    const ziJointData *data;
    double sign, offset; /* angle = sign q + offset of a revolute joint, shift = sign q of a prismatic one; else 1, 0 */
    double E[9];         /* joint frame in the parent's, by columns; exact zeros and ones where they are meant */
    double r[3];         /* its origin there */
    double m, h[3];
    double K[6];               /* xx xy xz yy yz zz about the origin */
    double own_R[9], own_p[3]; /* its frame in that of the tree's body, by columns */
} ziReducedBody;

typedef struct ziReduced {
    const zvModel *model;
    int nb;
    ziReducedBody *body; /* as in the tree; 0 is the ground */
    double gravity[3];
    double ground_R[9], ground_p[3]; /* the ground's frame in the world, by columns */
    int frame_body;                  /* of pose and jacobian; -1: none */
    double frame_R[9], frame_p[3];   /* frame in that body, by columns */
    double smoothing;                /* of dry friction, when passive forces of joints are among the forces; else 0 */
} ziReduced;

/* -- what recursions read of it -------------------------------------------------------------------------------- */

/* How the joint frame of a body stands in its parent's: parallel to it, turned by a quarter or by any angle about x,
 * anyhow, or with its z, x, y where the parent's x, y, z are, as that of a hip often is; the first three with these
 * bits for the offset of its origin: along x, and off x in the plane of its own z. */
enum {
    ZI_TRANSFORM_LEVEL = 0,
    ZI_TRANSFORM_QUARTER = 4,
    ZI_TRANSFORM_TWISTED = 8,
    ZI_TRANSFORM_ANY = 12,
    ZI_TRANSFORM_CYCLIC = 13,
    ZI_TRANSFORM_X = 1,
    ZI_TRANSFORM_ALONG = 2
};

/* How a body moves: turning about z, sliding along z, freely, by any other joint. */
typedef enum ziReducedKind { ZI_REDUCED_TURNS, ZI_REDUCED_SLIDES, ZI_REDUCED_FLOATS, ZI_REDUCED_ANY } ziReducedKind;

typedef struct ziReducedStep {
    int parent, q, v, nv;
    int v_end;                /* dofs of its subtree are v ... v_end - 1 */
    unsigned char kind, form; /* ziReducedKind; one of the above, ZI_TRANSFORM_ANY unless it turns */
    unsigned char heavy;      /* in it or beyond it there is mass that was not moved over */
    unsigned char first;      /* of its parent's bodies the one that recursions inward come to first */
} ziReducedStep;

/* A base that floats on the ground: where it stands matters for its weight alone. */
static inline bool zi_reduced_floats(const ziReducedStep *b) { return b->kind == ZI_REDUCED_FLOATS && !b->parent; }

/* Numbers of a body, in either precision. Of a body that turns m, hz and zz are zero. */
#define ZI_REDUCED_NUMBERS(number)                           \
    struct {                                                 \
        number sign, cosine, sine; /* of the twist */        \
        number r[3], E[9];                                   \
        number m, h[3], K[6];                                \
        number mass; /* of all beyond it, itself included */ \
    }
typedef ZI_REDUCED_NUMBERS(double) ziReducedNumbers;
typedef ZI_REDUCED_NUMBERS(float) ziReducedSingles;

/* The frame of a reduced body in that of the tree's body; by columns. */
typedef struct ziReducedFrame {
    double R[9], p[3];
} ziReducedFrame;

typedef struct ziReducedTree {
    const ziReducedStep *step;       /* nb */
    const ziReducedNumbers *numbers; /* nb */
    const ziReducedFrame *frame;     /* nb */
    const double *sign, *offset;     /* nq: angle = sign q + offset */
    const double *rate;              /* nv: sign of the joint's rate */
    double ground_R[9];              /* the ground's axes in the world, by columns: gravity is to be turned into them */
    int angles;      /* coordinates from here on may be angles; before it are those of a floating base */
    bool transforms; /* some joint is neither revolute nor that of a base floating on the ground */
    bool branched;   /* some body carries more than one */
    bool arm;        /* revolute joints one on another, no two neighbours about one axis */
} ziReducedTree;

/* Fills all but model, nb and body, which the caller gives room for (nb). frame: index as in kinematics.h, or -1. For
 * trees of rigid links. */
void zi_reduced_prepare(ziReduced *reduced, int frame);

/* Parts of it. */
void zi_reduced_reframe(ziReduced *reduced);
void zi_reduced_regroup(ziReduced *reduced);

/* One body of the last, which are functions of its numbers alone: what moves with its parent as well is taken out of
 * m, h and K, and what the parent gets is found, ready to be added to its m, h and K. */
typedef struct ziMoments {
    double m, h[3], K[6];
} ziMoments;
ziMoments zi_reduced_unfelt(ziReducedBody *body);
/* The moments of a body of the tree in its frame. */
ziMoments zi_body_moments(const ziBody *body);

#ifdef __cplusplus
}
#endif
#endif
