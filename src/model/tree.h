/* What the kernels see of a model: moving bodies in an order where parents come first.
 *
 * Frames: body i has its frame at its joint, turned so that a one-axis joint moves about or along z. A link sits in
 * its body at a constant pose. Bodies hold the links joined to them rigidly; body 0 is the ground.
 *
 * Tree coordinates: every joint has its own entries. When mimic joints are coupled, model coordinates are fewer:
 * tree v[i] = ratio[i] * model v[v_master[i]] (see work/coupling.h). */
#ifndef ZV_MODEL_TREE_H
#define ZV_MODEL_TREE_H

#include "base/arena.h"
#include "beam/modes.h"
#include "zveno/model.h"

/* Cubic pieces of a spline curve: p = c0 + c1 u + c2 u^2 + c3 u^3 with u = q - knot. */
typedef struct zvPath {
    zvCurveKind kind;
    double a[3], b[3], c[3]; /* line: direction a; circle: centre a, axes b, c of length radius */
    double radius;
    bool closed;
    int pieces;
    const double *knots;  /* pieces + 1 */
    const double *coeffs; /* pieces x 4 x 3 */
} zvPath;

/* What joints other than revolute and prismatic need to know. */
typedef struct zvJointData {
    double axis2[3]; /* universal, body joint frame */
    double pitch;    /* helical */
    zvPath path;     /* curve */
} zvJointData;

/* A section of an elastic body that carries a joint or a frame, in the body's axes. With u = d^T e - axis e^T G e / 2
 * and theta = r^T e the section stands at `at` + u, turned by the rotation vector theta. Its frame is parallel to the
 * body's when undeformed. */
typedef struct zvStation {
    int body;
    double at[4];    /* undeformed */
    const double *d; /* n x 3: displacement per unit of each coordinate */
    const double *r; /* n x 3: rotation; NULL where it is always zero */
    const double *G; /* n x n, symmetric: shortening; NULL without stiffening */
} zvStation;

/* The mode integrals of an elastic body, in its frame, about its origin; docs/elastic.md has the formulas. Points are
 * displaced by n shapes with the elastic coordinates e and, with stiffening, by `extra` shapes of shortening whose
 * coordinates follow: zeta_a = e^T G_a e / 2. With all of them, x = (e, zeta):
 *   first moment       S   = h + S1_p x_p
 *   inertia            J   = J + J1_p x_p + J2_pq x_p x_q / 2
 *   spin of shape p    L_p = L0_p + L1_pq x_q
 *   T = m v.v/2 + v.(w x S + dS/dt) + w.J w/2 + w.L_p dx_p + dx.M dx/2,   U = e.K e/2
 * h, J, m are those of the body (undeformed, rigid parts included). Shapes of shortening have unit mass and are
 * orthogonal: M between them is 1, and `couple` between them and modes. */
typedef struct zvElastic {
    int n; /* coordinates; they lie in the tree at q, v: behind those of the joint */
    int q, v;
    int station, stations;    /* its sections that carry bodies: tree.station[station ... station + stations - 1] */
    double axis[4];           /* along which it shortens */
    int extra;                /* shapes of shortening; all = n + extra below */
    const double *S1;         /* all x 3 */
    const double *J1;         /* all x 6: xx xy xz yy yz zz */
    const double *J2;         /* all x all x 6, symmetric in p, q: entry [q][p] */
    const double *L0;         /* all x 3 */
    const double *L1;         /* all x all x 3: entry [q][p] is the part of L_p that goes with x_q */
    const double *G;          /* extra x n x n, symmetric */
    const double *couple;     /* extra x n */
    const double *rest;       /* n x n: M - sum couple_a couple_a^T; the mass matrix is rest + sum s_a s_a^T with
                                 s_a = G_a e + couple_a */
    const double *M, *K, *D;  /* n x n */
    const char *const *parts; /* n: names of the coordinates, "y1" */
    const double *M_factor;   /* n x n: lower triangle L of rest = L diag(d) L^T, unit diagonal; d on the diagonal; NULL
                                 when rest is singular */
} zvElastic;

typedef struct zvBody {
    int parent;
    int base;  /* row of what its joint sits on: the parent, or nb + a station of the parent when that is elastic */
    int q, v;  /* first tree coordinate */
    int v_end; /* dofs of its subtree are v ... v_end - 1 */
    unsigned char type, nv, nq; /* of the joint; a fixed joint next to an elastic link makes a body with nv = 0 */
    double E[12];               /* joint frame in the parent body: columns of four numbers, the last zero */
    double Et[12];              /* its transpose, likewise */
    double r[4];                /* its origin there, or in the station */
    double m;                   /* mass */
    double h[4];                /* first moment, body frame */
    double J[12];               /* moments of inertia about the body's origin, body frame: columns of four */
    const zvJointData *data;    /* NULL for revolute, prismatic and fixed */
    const zvElastic *elastic;   /* NULL: rigid */
} zvBody;

/* One side of a tie: the row of the sweeps it hangs on, and its frame there, turned so that the axis of the tie's joint
 * is z. */
typedef struct zvTieEnd {
    int row;      /* body, or nb + station when that is elastic; 0: ground */
    int body;     /* that body, or the body of that station */
    double R[12]; /* frame in the row: columns of four numbers, the last zero */
    double p[4];  /* its origin there */
} zvTieEnd;

/* ratio times a tree coordinate. */
typedef struct zvTieTerm {
    int q, v; /* tree coordinate and dof */
    double ratio;
} zvTieTerm;

/* What closes a loop, as the kernels see it (zvLoop has the meaning). Behind the model's loops come, in models that
 * have loops, ties of its coupled mimic joints: couplings a_f - ratio a_master = 0. */
typedef struct zvTie {
    zvLoopKind kind;
    bool ball, driven;
    zvBody joint;  /* type (continuous is revolute), nv, nq and data of the loop's joint; nothing else is set */
    zvTieEnd a, b; /* parent's and child's side; rows 0 for a coupling */
    double target; /* length, offset, or value of the driven coordinate */
    int terms;     /* of a coupling */
    const zvTieTerm *term;
    int row, rows; /* its rows among those of all ties */
    int home;      /* body at which its columns are complete and eliminated: last common ancestor; 0: ground */
} zvTie;

/* Columns of multipliers that go through sweeps together: ties with a side at or beyond a body. The ties that are
 * complete at the body come first and are eliminated there; the others are carried on through its joint. */
typedef struct zvFront {
    int ties;
    const int *tie; /* indices, those eliminated first, rising inside each part */
    const int *at;  /* first column of each in the front; at[ties] = columns */
    int done;       /* columns eliminated at its body */
    int width;      /* columns rounded up to a multiple of four */
    size_t room;    /* where its numbers lie among the doubles of all fronts: K (6 x width), then alpha (width), then
                       A (columns x width) */
} zvFront;

/* The fronts of a body: `whole` takes in what comes from beyond, after eliminations `carry` goes through its joint; the
 * same index when nothing is eliminated, -1: none. A body whose only contribution is one child's carry of the same ties
 * shares that front: whole of the parent == carry of the child. to is the place in the parent's whole front of each
 * column of carry, NULL when shared or when the parent is the ground. */
typedef struct zvPassage {
    int whole, carry;
    const int *to;
} zvPassage;

/* The ground's system: symmetric, of the rows of ties with home 0, by blocks of ties in `order`; block i is stored as
 * rows[i] x (from the first column of block first[i] to its own last), row-major, at `at`. */
typedef struct zvSkyline {
    int blocks;
    const int *tie;   /* blocks: which, in the order of elimination (near ones near each other) */
    const int *place; /* ntie: block of each tie, -1: not here */
    const int *row;   /* blocks + 1: first row of each */
    const int *first; /* blocks: the first block it is coupled with */
    const size_t *at; /* blocks + 1: where its numbers begin; at[blocks] = size */
} zvSkyline;

typedef struct zvClosedTree {
    int ties, rows; /* with those of mimic joints */
    int loop_rows;  /* of the model's loops, which come first */
    const zvTie *tie;
    int fronts;
    const zvFront *front;
    const zvPassage *passage; /* nb; that of the ground is unused */
    zvSkyline ground;
    size_t room; /* doubles of all fronts */
    double size; /* of the robot, m: lengths are compared with it */
    /* Each dof keeps e, its share in the columns of the front it is eliminated with: those of body i's joint (nv x
     * width of its carry) lie from e_at[i] on in an array of e_at[nb] doubles, behind them those of its elastic
     * coordinates (n x width of its whole). */
    const size_t *e_at; /* nb + 1 */
} zvClosedTree;

typedef struct zvTree {
    int nb;                 /* bodies with the ground */
    int nq, nv;             /* tree coordinates */
    int max_depth;          /* bodies on the longest path */
    const zvBody *body;     /* nb; body 0 is only the ground's inertia, unused */
    const double *armature; /* nv */
    const int *dof_body;    /* nv: body that a tree dof moves */
    const int *dof_parent;  /* nv: the dof before it on the path to the root, or -1 */
    const int *dof_start;   /* nv: the first of the dofs up to it of which each is the one before the next */
    double gravity[3];
    int ns;                        /* stations that carry bodies: rows nb ... nb + ns - 1 */
    const zvStation *station;      /* those, then the ones that only frames sit on */
    int ne;                        /* elastic coordinates of all bodies; 0: every body is rigid */
    int max_modes;                 /* of one body, with shapes of shortening */
    size_t modes_squared;          /* sum of the squares of that over elastic bodies */
    size_t station_modes;          /* sum of n over all stations */
    const zvClosedTree *closed;    /* NULL: no loops */
    const struct zvLeanTree *lean; /* model/lean.h; NULL: there are elastic links */
} zvTree;

typedef struct zvCoupling {
    int count;                        /* coupled mimic joints; 0: tree and model coordinates are the same */
    const int *q_master;              /* tree nq: model coordinate each follows */
    const int *v_master;              /* tree nv */
    const double *q_ratio, *q_offset; /* tree nq */
    const double *v_ratio;            /* tree nv */
    const unsigned char *follows;     /* tree nv: 1 for a dof of a coupled mimic joint */
    const int *own_v;                 /* model nv: the tree dof that is the coordinate itself */
} zvCoupling;

/* A link in its body. */
typedef struct zvLinkPlace {
    int body;
    int joint;                /* joint above it, -1 for the root */
    int parent;               /* link, -1 for the root */
    const zvInertia *inertia; /* of the whole undeformed link: the description's, with that of its beam or nodes */
    zvPose pose;
} zvLinkPlace;

struct zvModel {
    zvArena arena; /* one block, at most one more for fronts; everything below lies in it */
    const char *name;
    int nq, nv, nlink, njoint, nframe, nshape; /* nframe: named ones only */
    double mass;
    int isa;
    zvTree tree;
    zvCoupling coupling;
    const zvLink *links;
    const zvJoint *joints;
    const zvFrame *frames;
    const zvShape *shapes;
    const zvLinkPlace *link_places;
    const zvJointPlace *joint_places;
    const int *frame_links;    /* nframe */
    const int *frame_stations; /* nframe: index into tree.station, -1 on rigid links */
    const int *link_elastic;   /* nlink: body of an elastic link, else 0 */
    const int *frames_by_name; /* nlink + nframe frame indices in order of their names */
    const int *joints_by_name; /* njoint */
    int nloop;
    const zvLoop *loops;
    const zvLoopPlace *loop_places;
    const int *loops_by_name; /* nloop */
};

/* Pose of a frame (links first) in its body, or in the section it sits on. */
zvPose zv_frame_in_body(const zvModel *model, int frame);
/* The section a frame sits on: index into tree.station, or -1 when it is fixed in its body. */
int zv_frame_station(const zvModel *model, int frame);

#endif
