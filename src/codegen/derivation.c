#include "codegen/derivation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/sweep.h"
#include "model/axis.h"
#include "model/coordinate.h"
#include "model/joint_spring.h"
#include "model/tree.h"

/* -- loops ------------------------------------------------------------------------------------------------------ */

static bool has_arc(const zvLoop *loop) { return loop->kind == ZV_LOOP_JOINT && loop->type == ZV_JOINT_CURVE; }

int zi_loop_arcs(const zvModel *model) {
    int count = 0;
    for (int r = 0; r < zv_model_nloop(model); r++) count += has_arc(zv_model_loop(model, r));
    return count;
}

int zi_loop_arc(const zvModel *model, int loop) {
    int at = zv_model_nv(model);
    for (int r = 0; r < loop; r++) at += has_arc(zv_model_loop(model, r));
    return has_arc(zv_model_loop(model, loop)) ? at : -1;
}

const char *zi_loop_obstacle(const zvLoop *loop) {
    if (loop->kind != ZV_LOOP_JOINT) return NULL;
    if (loop->driven) return "follows a given value, which its equations leave out; take the value away";
    if (loop->type == ZV_JOINT_HELICAL)
        return "turns by an angle that is no sum of sines and cosines; put a revolute or a cylindrical joint in its "
               "place";
    if (loop->type == ZV_JOINT_CURVE && loop->curve.kind == ZV_CURVE_SPLINE)
        return "runs along a spline, which chooses its piece at run time; use a line or a circle";
    return NULL;
}

bool zi_loop_has_passive(const zvLoop *loop) {
    const ziJointSpring matrices = zi_joint_spring_of_loop(loop);
    bool acts = matrices.sprung || matrices.damped;
    if (loop->kind != ZV_LOOP_JOINT || has_arc(loop)) return acts;
    for (int k = 0; k < zv_joint_type_nv(loop->type); k++)
        acts |= loop->dof[k].stiffness != 0 || loop->dof[k].damping != 0;
    return acts;
}

/* The two ends of a loop and where its conditions go. */
typedef struct Closure {
    ziLinkSweep *s;
    ziDerivation *d;
    int loop, parent, child; /* nodes of its ends */
} Closure;

static void put_row(Closure *c, ziEdge gap, ziEdge rate) {
    c->d->gap[c->d->rows] = gap;
    c->d->rate[c->d->rows++] = rate;
}

/* A direction given in the parent's end, or the child's, in world axes. */
static ziTriple direction(Closure *c, int node, const double e[3]) {
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = fabs(e[i]) < 1e-15 ? 0 : e[i];
    return zi_to_world(c->s, node, zi_triple_of(c->s->tape, x));
}

/* From the parent's end to the child's. */
static ziTriple distance(Closure *c) {
    return zi_triple_sub(c->s->tape, c->s->node[c->child].at, c->s->node[c->parent].at);
}

static void meet(Closure *c) {
    const ziTriple x = distance(c);
    for (int i = 0; i < 3; i++) put_row(c, x.e[i], ZI_EDGE_UNKNOWN);
}

/* One direction of the parent and one of the child stay at right angles. */
static void keep_square(Closure *c, const double a[3], const double b[3]) {
    put_row(c, zi_triple_dot(c->s->tape, direction(c, c->parent, a), direction(c, c->child, b)), ZI_EDGE_UNKNOWN);
}

/* No motion along a direction of the parent. */
static void stay(Closure *c, const double e[3]) {
    put_row(c, zi_triple_dot(c->s->tape, direction(c, c->parent, e), distance(c)), ZI_EDGE_UNKNOWN);
}

static void keep_orientation(Closure *c, const double x[3], const double y[3], const double z[3]) {
    keep_square(c, y, z), keep_square(c, z, x), keep_square(c, x, y);
}

/* The child's end stands at the arc length of the curve, [Liu] (43): rates in the axes of the child, (44). */
static void follow_curve(Closure *c, const zvLoop *loop) {
    ziLinkSweep *s = c->s;
    const int arc = zi_loop_arc(s->model, c->loop);
    int foot = 0;
    if (loop->curve.kind == ZV_CURVE_CIRCLE) {
        const ziFollow f = {.dof = arc, .coordinate = arc, .ratio = 1};
        foot = zi_sweep_circle(s, c->parent, &loop->curve, &f);
    } else {
        foot = zi_sweep_move(s, c->parent, ZI_NODE_SLIDE, loop->curve.direction, arc, 1, 0);
    }
    const ziNode *a = &s->node[foot], *b = &s->node[c->child];
    const ziTriple gap = zi_triple_sub(s->tape, b->at, a->at), v = zi_to_world(s, foot, a->v);
    for (int i = 0; i < 3; i++) {
        const ziTriple e = zi_to_world(s, c->child, zi_triple_of(s->tape, (const double[3]){i == 0, i == 1, i == 2}));
        put_row(c, gap.e[i], zi_tape_add(s->tape, b->v.e[i], zi_edge_negate(zi_triple_dot(s->tape, e, v))));
    }
}

/* The conditions of a joint: what it does not leave free of displacement, then of orientation. */
static void close_joint(Closure *c, const zvLoop *loop) {
    double Q[9];
    zi_axis_frame(loop->axis, Q);
    const double x[3] = {Q[0], Q[3], Q[6]}, y[3] = {Q[1], Q[4], Q[7]}, z[3] = {Q[2], Q[5], Q[8]};
    switch (loop->type) {
    case ZV_JOINT_PRISMATIC:
    case ZV_JOINT_CYLINDRICAL: stay(c, x), stay(c, y); break;
    case ZV_JOINT_PLANAR: stay(c, z); break;
    case ZV_JOINT_CURVE: follow_curve(c, loop); break;
    default: meet(c);
    }
    switch (loop->type) {
    case ZV_JOINT_FIXED:
    case ZV_JOINT_PRISMATIC: keep_orientation(c, x, y, z); break;
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS:
    case ZV_JOINT_CYLINDRICAL:
    case ZV_JOINT_PLANAR: keep_square(c, x, z), keep_square(c, y, z); break;
    case ZV_JOINT_UNIVERSAL: keep_square(c, loop->axis, loop->axis2); break;
    case ZV_JOINT_CURVE:
        if (!loop->ball) keep_orientation(c, x, y, z);
        break;
    default: break;
    }
}

/* sum of ratio q = offset */
static void close_coupling(Closure *c, const zvLoop *loop) {
    ziTape *t = c->s->tape;
    ziEdge sum = zi_tape_constant(t, -loop->offset);
    for (int k = 0; k < loop->term_count; k++) {
        const ziFollow f = zi_joint_follow(c->s->model, zv_model_find_joint(c->s->model, loop->terms[k].joint));
        const double ratio = loop->terms[k].ratio;
        sum = zi_tape_add(t, sum, zi_tape_constant(t, ratio * f.offset));
        if (f.ratio == 0) continue;
        sum = zi_tape_add(t, sum, zi_tape_mul(t, zi_tape_constant(t, ratio * f.ratio), zi_tape_input(t, f.coordinate)));
    }
    put_row(c, sum, ZI_EDGE_UNKNOWN);
}

/* (d.d - L^2) / 2: the multiplier is the rod's force over its length. */
static void close_rod(Closure *c, const zvLoop *loop) {
    ziTape *t = c->s->tape;
    const ziTriple x = distance(c);
    const ziEdge L = zi_parameter(c->s, ZI_LETTER_ROD, c->loop, 0, loop->length);
    const ziEdge square = zi_tape_add(t, zi_triple_dot(t, x, x), zi_edge_negate(zi_tape_mul(t, L, L)));
    put_row(c, zi_tape_mul(t, zi_tape_constant(t, 0.5), square), ZI_EDGE_UNKNOWN);
}

static int end_node(ziLinkSweep *s, int loop, bool child) {
    const zvLoopPlace place = zv_model_loop_place(s->model, loop);
    const zvPose pose = zv_model_frame(s->model, child ? place.child_frame : place.parent_frame).pose;
    const ziTriple p = zi_parameters(s, ZI_LETTER_LENGTH, zi_point_of_loop(loop, child), pose.p);
    return zi_sweep_place(s, s->link[child ? place.child : place.parent], p, pose.R);
}

/* The conditions of every loop, in the order of the model. */
static void close_loops(ziLinkSweep *s, ziDerivation *d) {
    for (int r = 0; r < zv_model_nloop(s->model); r++) {
        const zvLoop *loop = zv_model_loop(s->model, r);
        Closure c = {.s = s, .d = d, .loop = r};
        if (loop->kind == ZV_LOOP_COUPLING) {
            close_coupling(&c, loop);
            continue;
        }
        c.parent = end_node(s, r, false), c.child = end_node(s, r, true);
        if (loop->kind == ZV_LOOP_ROD)
            close_rod(&c, loop);
        else
            close_joint(&c, loop);
    }
}

/* -- forces in joints ------------------------------------------------------------------------------------------- */

/* A joint's own parameter, or for a follower what it comes to on the coordinate it follows. */
static ziEdge part_of(ziLinkSweep *s, ziLetterKind kind, int joint, int k, bool own, double value) {
    if (value == 0) return ZI_EDGE_ZERO;
    return own ? zi_parameter(s, kind, joint, k, value) : zi_tape_constant(s->tape, value);
}

/* -stiffness (x - rest) - damping v added, and the dry friction that resists v. */
static void add_passive(ziLinkSweep *s, ziDerivation *d, int x, ziEdge stiffness, ziEdge rest, ziEdge damping,
                        ziEdge dry) {
    ziTape *t = s->tape;
    const ziEdge off = zi_tape_add(t, zi_tape_input(t, x), zi_edge_negate(rest));
    const ziEdge pull =
        zi_tape_add(t, zi_tape_mul(t, stiffness, off), zi_tape_mul(t, damping, zi_tape_input(t, d->n + x)));
    d->passive[x] = zi_tape_add(t, d->passive[x], zi_edge_negate(pull));
    d->dry[x] = zi_tape_add(t, d->dry[x], dry);
}

/* Armature belongs to the mass matrix, springs, damping and friction beside. */
static void load_joint(ziLinkSweep *s, ziDerivation *d, int joint, const unsigned char *flexible) {
    ziTape *t = s->tape;
    const zvJoint *j = zv_model_joint(s->model, joint);
    const bool own = zv_model_joint_place(s->model, joint).nv > 0;
    const ziFollow f = zi_joint_follow(s->model, joint);
    for (int k = 0; k < zv_joint_type_nv(j->type); k++) {
        const ziDofPassive p = zi_joint_passive(s->model, joint, k);
        const ziEdge armature = part_of(s, ZI_LETTER_ARMATURE, joint, k, own,
                                        own ? j->dof[k].armature : f.ratio * f.ratio * j->dof[k].armature);
        const int x = p.coordinate;
        if (f.ratio == 0) continue;
        if (!flexible || !flexible[x] || j->flexible) /* the rotor is the armature, or one of its own */
            d->tau[x] = zi_tape_add(t, d->tau[x], zi_tape_mul(t, armature, zi_tape_input(t, 2 * d->n + x)));
        add_passive(s, d, x, part_of(s, ZI_LETTER_STIFFNESS, joint, k, own, p.stiffness),
                    part_of(s, ZI_LETTER_REST, joint, k, own, p.stiffness != 0 ? p.rest : 0),
                    part_of(s, ZI_LETTER_DAMPING, joint, k, own, p.damping),
                    part_of(s, ZI_LETTER_FRICTION, joint, k, own, p.friction));
    }
}

/* Full matrices of springs and dampers: -K (q - rest) - D v. */
static void load_matrices(ziLinkSweep *s, ziDerivation *d, int joint) {
    ziTape *t = s->tape;
    const ziJointSpring spring = zi_joint_spring_of(s->model, joint);
    const int n = spring.n, at = zv_model_joint_place(s->model, joint).v_index;
    for (int i = 0; i < n && (spring.sprung || spring.damped); i++)
        for (int k = 0; k < n; k++) {
            const int entry = zi_matrix_entry(i, k);
            const ziEdge rest = part_of(s, ZI_LETTER_REST, joint, k, true, spring.rest[k]);
            const ziEdge off = zi_tape_add(t, zi_tape_input(t, at + k), zi_edge_negate(rest));
            const ziEdge K = part_of(s, ZI_LETTER_SPRINGS, joint, entry, true, spring.K[i * n + k]);
            const ziEdge D = part_of(s, ZI_LETTER_DAMPERS, joint, entry, true, spring.D[i * n + k]);
            const ziEdge pull =
                zi_tape_add(t, zi_tape_mul(t, K, off), zi_tape_mul(t, D, zi_tape_input(t, d->n + at + k)));
            d->passive[at + i] = zi_tape_add(t, d->passive[at + i], zi_edge_negate(pull));
        }
}

/* Spring and damper along a curve, [Liu] (45): the slider has no mass. */
static void load_arc(ziLinkSweep *s, ziDerivation *d, int loop) {
    const int x = zi_loop_arc(s->model, loop), id = zv_model_njoint(s->model) + loop;
    const zvDof *dof = &zv_model_loop(s->model, loop)->dof[0];
    if (x >= 0)
        add_passive(s, d, x, part_of(s, ZI_LETTER_STIFFNESS, id, 0, true, dof->stiffness),
                    part_of(s, ZI_LETTER_REST, id, 0, true, dof->stiffness != 0 ? dof->rest : 0),
                    part_of(s, ZI_LETTER_DAMPING, id, 0, true, dof->damping),
                    part_of(s, ZI_LETTER_FRICTION, id, 0, true, dof->friction));
}

static void move_frame(ziLinkSweep *s, int frame, ziDerivation *d) {
    const zvFrame f = zv_model_frame(s->model, frame);
    const ziTriple p = zi_parameters(s, ZI_LETTER_LENGTH, ZI_POINT_OF_FRAME, f.pose.p);
    const int at = zi_sweep_place(s, s->link[zv_model_find_frame(s->model, f.link)], p, f.pose.R);
    const ziTriple v = zi_to_world(s, at, s->node[at].v), w = zi_to_world(s, at, s->node[at].w);
    for (int i = 0; i < 3; i++) d->motion[i] = v.e[i], d->motion[3 + i] = w.e[i];
}

/* Links outward, loops and frame from there, forces inward. */
static void derive_all(ziLinkSweep *s, int frame, const unsigned char *flexible, ziDerivation *d) {
    zi_sweep_out(s);
    close_loops(s, d);
    if (frame >= 0) move_frame(s, frame, d);
    zi_sweep_in(s, d->tau);
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        load_joint(s, d, j, flexible);
        load_matrices(s, d, j);
    }
    for (int r = 0; r < zv_model_nloop(s->model); r++) load_arc(s, d, r);
}

/* Memory for the answer and the sweep, and the sweep. */
zvStatus zi_derive_dynamics(const zvModel *model, const ziLetters *letters, int frame, const unsigned char *flexible,
                            ziTape *tape, ziDerivation *d) {
    const int n = zv_model_nv(model) + zi_loop_arcs(model);
    const size_t count = (size_t)n + 1, rows = (size_t)(ZI_LOOP_ROWS * zv_model_nloop(model)) + 1;
    *d = (ziDerivation){.n = n};
    ziLinkSweep s = {.model = model, .letters = letters, .tape = tape, .n = n};
    d->tau = calloc(count, sizeof *d->tau);
    d->passive = calloc(count, sizeof *d->passive);
    d->dry = calloc(count, sizeof *d->dry);
    d->gap = calloc(rows, sizeof *d->gap);
    d->rate = calloc(rows, sizeof *d->rate);
    s.node = calloc((size_t)zi_sweep_most_nodes(model), sizeof *s.node);
    s.link = calloc((size_t)zv_model_nlink(model) + 1, sizeof *s.link);
    const bool fine = d->tau && d->passive && d->dry && d->gap && d->rate && s.node && s.link;
    if (fine) derive_all(&s, frame, flexible, d);
    free(s.node);
    free(s.link);
    return fine && !tape->full ? ZV_OK : ZV_MEMORY;
}

void zi_derivation_free(ziDerivation *d) {
    free(d->tau);
    free(d->passive);
    free(d->dry);
    free(d->gap);
    free(d->rate);
    *d = (ziDerivation){0};
}
