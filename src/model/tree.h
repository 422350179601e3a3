/* What the kernels see of a model: moving bodies in an order where parents come first.
 *
 * Frames: body i has its frame at its joint, turned so that a one-axis joint moves about or along z. A link sits in
 * its body at a constant pose. Bodies hold the links joined to them rigidly; body 0 is the ground.
 *
 * Tree coordinates: every joint has its own entries. When mimic joints are coupled, model coordinates are fewer:
 * tree v[i] = ratio[i] * model v[v_master[i]] (see work/coupling.h). */
#ifndef ZI_MODEL_TREE_H
#define ZI_MODEL_TREE_H

#include "base/arena.h"
#include "beam/modes.h"
#include "zveno/model.h"

enum { ZI_PATH_TERMS = 16 };

/* A part of a piece of a spline, on which the piece's parameter is a polynomial of arc length s (model/arc_length.h):
 * u = from + sum u[k] x^k, x = scale (s - knot) - 1 from -1 to 1. */
typedef struct ziPathPart {
    int piece;
    double from;  /* u at its start */
    double scale; /* 2 / length */
    double u[ZI_PATH_TERMS];
} ziPathPart;

/* A curve by arc length. Pieces of a spline: p = c0 + c1 u + c2 u^2 + c3 u^3, 0 <= u <= width. */
typedef struct ziPath {
    zvCurveKind kind;
    double a[3], b[3], c[3]; /* line: direction a; circle: centre a, axes b, c of length radius */
    double radius;
    bool closed;
    int pieces, parts;
    const double *widths; /* pieces: chords between the points */
    const double *coeffs; /* pieces x 4 x 3 */
    const double *knots;  /* parts + 1: arc length at the start of each part, and the whole */
    const ziPathPart *part;
} ziPath;

/* Lays the curve out in the arena; false when out of memory. The curve has passed the checks. */
bool zi_path_make(ziArena *arena, const zvCurve *curve, ziPath *path);
/* Where the curve is at q = 0; not finite when its numbers make no curve. */
void zi_path_start(const zvCurve *curve, double p[3]);
/* Bytes zi_path_make takes, with alignment. */
size_t zi_path_bytes(const zvCurve *curve);
/* The piece of a spline on which it all but stops and turns back, so that it has no arc length to go by; -1: none. The
 * points are finite and apart from each other. */
int zi_path_cusp(const zvCurve *curve);

/* What joints other than revolute and prismatic need to know. */
typedef struct ziJointData {
    double axis2[3]; /* universal, body joint frame */
    double pitch;    /* helical */
    ziPath path;     /* curve */
} ziJointData;

/* A section of an elastic body that carries a joint or a frame, in the body's axes. With u = d^T e - axis e^T G e / 2
 * and theta = r^T e the section stands at `at` + u, turned by the rotation vector theta. Its frame is parallel to the
 * body's when undeformed. */
typedef struct ziAttachment {
    int body;
    double at[4];    /* undeformed */
    const double *d; /* n x 3: displacement per unit of each coordinate */
    const double *r; /* n x 3: rotation; NULL where it is always zero */
    const double *G; /* n x n, symmetric: shortening; NULL without stiffening */
} ziAttachment;

/* The mode integrals of an elastic body, in its frame, about its origin; docs/elastic.md has the formulas. Points are
 * displaced by n shapes with the elastic coordinates e and, with stiffening, by `extra` shapes of shortening whose
 * coordinates follow: zeta_a = e^T G_a e / 2. With all of them, x = (e, zeta):
 *   first moment       S   = h + S1_p x_p
 *   inertia            J   = J + J1_p x_p + J2_pq x_p x_q / 2
 *   spin of shape p    L_p = L0_p + L1_pq x_q
 *   T = m v.v/2 + v.(w x S + dS/dt) + w.J w/2 + w.L_p dx_p + dx.M dx/2,   U = e.K e/2
 * h, J, m are those of the body (undeformed, rigid parts included). Shapes of shortening have unit mass and are
 * orthogonal: M between them is 1, and `couple` between them and modes. */
typedef struct ziElastic {
    int n; /* coordinates; they lie in the tree at q, v: behind those of the joint */
    int q, v;
    int attachment,
        attachments;  /* its sections that carry bodies: tree.attachment[attachment ... attachment + attachments - 1] */
    double axis[4];   /* along which it shortens */
    int extra;        /* shapes of shortening; all = n + extra below */
    const double *S1; /* all x 3 */
    const double *J1; /* all x 6: xx xy xz yy yz zz */
    const double *J2; /* all x all x 6, symmetric in p, q: entry [q][p] */
    const double *L0; /* all x 3 */
    const double *L1; /* all x all x 3: entry [q][p] is the part of L_p that goes with x_q */
    const double *G;  /* extra x n x n, symmetric */
    const double *couple;     /* extra x n */
    const double *rest;       /* n x n: M - sum couple_a couple_a^T; the mass matrix is rest + sum s_a s_a^T with
                                 s_a = G_a e + couple_a */
    const double *M, *K, *D;  /* n x n */
    const char *const *parts; /* n: names of the coordinates, "y1" */
    const double *M_factor;   /* n x n: lower triangle L of rest = L diag(d) L^T, unit diagonal; d on the diagonal; NULL
                                 when rest is singular */
} ziElastic;

typedef struct ziBody {
    int parent;
    int base;  /* row of what its joint sits on: the parent, or nb + an attachment of the parent when that is elastic */
    int q, v;  /* first tree coordinate */
    int v_end; /* dofs of its subtree are v ... v_end - 1 */
    unsigned char type, nv, nq; /* of the joint; a fixed joint next to an elastic link makes a body with nv = 0 */
    bool columns_move;          /* columns of the joint are not constant in the joint frame */
    double E[12];               /* joint frame in the parent body: columns of four numbers, the last zero */
    double Et[12];              /* its transpose, likewise */
    double r[4];                /* its origin there, or in the attachment */
    double m;                   /* mass */
    double h[4];                /* first moment, body frame */
    double J[12];               /* moments of inertia about the body's origin, body frame: columns of four */
    const ziJointData *data;    /* NULL: the joint needs to know nothing more */
    const ziElastic *elastic;   /* NULL: rigid */
} ziBody;

/* One side of a constraint: the row of the sweeps it hangs on, and its frame there, turned so that the axis of the
 * constraint's joint is z. */
typedef struct ziConstraintEnd {
    int row;      /* body, or nb + attachment when that is elastic; 0: ground */
    int body;     /* that body, or the body of that attachment */
    double R[12]; /* frame in the row: columns of four numbers, the last zero */
    double p[4];  /* its origin there */
} ziConstraintEnd;

/* ratio times a tree coordinate. */
typedef struct ziConstraintTerm {
    int q, v; /* tree coordinate and dof */
    double ratio;
} ziConstraintTerm;

/* How the rows of a constraint are found: from the axes its joint slides along and turns about, from its two axes, from
 * its path. */
typedef enum ziConstraintForm { ZI_CONSTRAINT_AXES, ZI_CONSTRAINT_TWO_AXES, ZI_CONSTRAINT_PATH } ziConstraintForm;

/* What closes a loop, as the kernels see it (zvLoop has the meaning). Behind the model's loops come, in models that
 * have loops, constraints of its coupled mimic joints: couplings a_f - ratio a_master = 0. */
typedef struct ziConstraint {
    zvLoopKind kind;
    bool ball, driven;
    unsigned char form;          /* ziConstraintForm of a joint */
    unsigned char slides, turns; /* axes of the joint frame along and about which it moves: bits x 1, y 2, z 4; a ball
                                    turns about all */
    ziBody joint;         /* type (continuous is revolute), nv, nq and data of the loop's joint; nothing else is set */
    ziConstraintEnd a, b; /* parent's and child's side; rows 0 for a coupling */
    double target;        /* length, offset, or value of the driven coordinate */
    int terms;            /* of a coupling */
    const ziConstraintTerm *term;
    int row, rows; /* its rows among those of all constraints */
    int ancestor;  /* body at which its columns are complete and eliminated: last common ancestor; 0: ground */
    int side[2];   /* the bodies below its ancestor that carry its two ends; 0: the end is the ancestor */
} ziConstraint;

/* Columns of multipliers that go through sweeps together: constraints with a side at or beyond a body. The constraints
 * that are complete at the body come first and are eliminated there; the others are carried on through its joint. */
typedef struct ziFront {
    int constraints;
    const int *constraint; /* indices, those eliminated first, rising inside each part */
    const int *at;         /* first column of each in the front; at[constraints] = columns */
    int done;              /* columns eliminated at its body */
    int width;             /* columns rounded up to a multiple of four */
    size_t offset; /* where its numbers lie among the doubles of all fronts: K (6 x width), then alpha (width), then
                    A (columns x width) */
} ziFront;

/* The fronts of a body: `whole` takes in what comes from beyond, after eliminations `carry` goes through its joint; the
 * same index when nothing is eliminated, -1: none. A body whose only contribution is one child's carry of the same
 * constraints shares that front: whole of the parent == carry of the child. to is the place in the parent's whole front
 * of each column of carry, NULL when shared or when the parent is the ground. */
typedef struct ziPassage {
    int whole, carry;
    const int *to;
} ziPassage;

/* The ground's system: symmetric, of the rows of constraints whose common ancestor is 0, by blocks of constraints in
 * `order`; block i is stored as rows[i] x (from the first column of block first[i] to its own last), row-major, at
 * `at`. */
typedef struct ziSkyline {
    int blocks;
    const int *constraint; /* blocks: which, in the order of elimination (near ones near each other) */
    const int *place;      /* constraints: block of each constraint, -1: not here */
    const int *row;        /* blocks + 1: first row of each */
    const int *first;      /* blocks: the first block it is coupled with */
    const size_t *at;      /* blocks + 1: where its numbers begin; at[blocks] = size */
} ziSkyline;

typedef struct ziClosedTree {
    int constraints, rows; /* with those of mimic joints */
    int loop_rows;         /* of the model's loops, which come first */
    const ziConstraint *constraint;
    const unsigned char *open; /* constraints: 1 where zvLoop.open is set */
    int fronts;
    const ziFront *front;
    const ziPassage *passage; /* nb; that of the ground is unused */
    ziSkyline ground;
    size_t front_doubles; /* doubles of all fronts */
    double size;          /* of the robot, m: lengths are compared with it */
    /* Each dof keeps e, its share in the columns of the front it is eliminated with: those of body i's joint (nv x
     * width of its carry) lie from e_at[i] on in an array of e_at[nb] doubles, behind them those of its elastic
     * coordinates (n x width of its whole). */
    const size_t *e_at; /* nb + 1 */
} ziClosedTree;

typedef struct ziTree {
    int nb;                 /* bodies with the ground */
    int nq, nv;             /* tree coordinates */
    int max_depth;          /* bodies on the longest path */
    int max_dofs;           /* most dofs on a path */
    const ziBody *body;     /* nb; body 0 is only the ground's inertia, unused */
    const double *armature; /* nv */
    const int *dof_body;    /* nv: body that a tree dof moves */
    const int *dof_parent;  /* nv: the dof before it on the path to the root, or -1 */
    const int *dof_start;   /* nv: the first of the dofs up to it of which each is the one before the next */
    double gravity[3];
    int ns;                              /* attachments that carry bodies: rows nb ... nb + ns - 1 */
    const ziAttachment *attachment;      /* those, then the ones that only frames sit on */
    int ne;                              /* elastic coordinates of all bodies; 0: every body is rigid */
    int max_modes;                       /* of one body, with shapes of shortening */
    size_t modes_squared;                /* sum of the squares of that over elastic bodies */
    size_t attachment_modes;             /* sum of n over all attachments */
    const ziClosedTree *closed;          /* NULL: no loops */
    const double *beyond;                /* nb, with loops: kg of a body and of all beyond it, with their armature */
    const struct ziReducedTree *reduced; /* model/reduced.h; NULL: there are elastic links */
} ziTree;

typedef struct ziCoupling {
    int count;                        /* coupled mimic joints; 0: tree and model coordinates are the same */
    const int *q_master;              /* tree nq: model coordinate each follows */
    const int *v_master;              /* tree nv */
    const double *q_ratio, *q_offset; /* tree nq */
    const double *v_ratio;            /* tree nv */
    const unsigned char *follows;     /* tree nv: 1 for a dof of a coupled mimic joint */
    const int *own_v;                 /* model nv: the tree dof that is the coordinate itself */
} ziCoupling;

/* A link in its body. */
typedef struct ziLinkPlace {
    int body;
    int joint;                /* joint above it, -1 for the root */
    int parent;               /* link, -1 for the root */
    const zvInertia *inertia; /* of the whole undeformed link: the description's, with that of its beam or nodes */
    zvPose pose;
} ziLinkPlace;

struct zvModel {
    struct ziPayload *payload; /* model/payload.h: what a private copy can change; NULL: frozen */
    ziArena arena;             /* one block, at most one more for fronts; everything below lies in it */
    const char *name;
    int nq, nv, nlink, njoint, nframe, nshape; /* nframe: named ones only */
    double mass;
    int isa;
    ziTree tree;
    ziCoupling coupling;
    const zvLink *links;
    const zvJoint *joints;
    const zvFrame *frames;
    const zvShape *shapes;
    const ziLinkPlace *link_places;
    const zvJointPlace *joint_places;
    const int *frame_links;       /* nframe */
    const int *frame_attachments; /* nframe: index into tree.attachment, -1 on rigid links */
    const int *link_elastic;      /* nlink: body of an elastic link, else 0 */
    const int *frames_by_name;    /* nlink + nframe frame indices in order of their names */
    const int *joints_by_name;    /* njoint */
    int nloop;
    const zvLoop *loops;
    const zvLoopPlace *loop_places;
    const int *loops_by_name; /* nloop */
};

/* Sets zvLoop.open of a model that nobody else looks at yet. */
void zi_model_open_loop(zvModel *model, int loop, bool open);
/* Pose of a frame (links first) in its body, or in the section it sits on. */
zvPose zi_frame_in_body(const zvModel *model, int frame);
/* The section a frame sits on: index into tree.attachment, or -1 when it is fixed in its body. */
int zi_frame_attachment(const zvModel *model, int frame);

#endif
