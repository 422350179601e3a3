/* Newton and Euler's equations on a tape, in the axes of every node: [Luh-Walker-Paul], with base acceleration -g. */
#include "codegen/sweep.h"

#include <math.h>
#include <string.h>

#include "model/axis.h"
#include "model/coordinate.h"
#include "model/tree.h"

ziTriple zi_triple(ziEdge x, ziEdge y, ziEdge z) { return (ziTriple){{x, y, z}}; }

ziTriple zi_triple_of(ziTape *t, const double *x) {
    return zi_triple(zi_tape_constant(t, x[0]), zi_tape_constant(t, x[1]), zi_tape_constant(t, x[2]));
}

ziTriple zi_triple_add(ziTape *t, ziTriple a, ziTriple b) {
    for (int i = 0; i < 3; i++) a.e[i] = zi_tape_add(t, a.e[i], b.e[i]);
    return a;
}

ziTriple zi_triple_sub(ziTape *t, ziTriple a, ziTriple b) {
    for (int i = 0; i < 3; i++) a.e[i] = zi_tape_add(t, a.e[i], zi_edge_negate(b.e[i]));
    return a;
}

ziTriple zi_triple_scale(ziTape *t, ziEdge k, ziTriple a) {
    for (int i = 0; i < 3; i++) a.e[i] = zi_tape_mul(t, k, a.e[i]);
    return a;
}

ziTriple zi_triple_cross(ziTape *t, ziTriple a, ziTriple b) {
    ziTriple x;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        x.e[i] = zi_tape_add(t, zi_tape_mul(t, a.e[j], b.e[k]), zi_edge_negate(zi_tape_mul(t, a.e[k], b.e[j])));
    }
    return x;
}

ziEdge zi_triple_dot(ziTape *t, ziTriple a, ziTriple b) {
    ziEdge sum = ZI_EDGE_ZERO;
    for (int i = 0; i < 3; i++) sum = zi_tape_add(t, sum, zi_tape_mul(t, a.e[i], b.e[i]));
    return sum;
}

ziEdge zi_parameter(ziLinkSweep *s, ziLetterKind kind, int element, int component, double value) {
    const ziLetter *letter = zi_letter_of(s->letters, kind, element, component);
    if (!letter) return zi_tape_constant(s->tape, value);
    const ziEdge x = zi_tape_input(s->tape, 3 * s->n + letter->input);
    return letter->sign < 0 ? zi_edge_negate(x) : x;
}

/* What is nothing beside the others counts as zero, whether these are letters or not. */
ziTriple zi_parameters(ziLinkSweep *s, ziLetterKind kind, int element, const double value[3]) {
    const double largest = fmax(fabs(value[0]), fmax(fabs(value[1]), fabs(value[2])));
    ziTriple x;
    for (int i = 0; i < 3; i++) {
        const bool zero = !(fabs(value[i]) > 1e-14 * largest);
        x.e[i] = zero ? ZI_EDGE_ZERO : zi_parameter(s, kind, element, i, value[i]);
    }
    return x;
}

ziTriple zi_turn_back(ziTape *t, const double R[9], ziTriple x) {
    ziTriple y;
    for (int j = 0; j < 3; j++) {
        y.e[j] = ZI_EDGE_ZERO;
        for (int i = 0; i < 3; i++) {
            const double r = fabs(R[3 * i + j]) < 1e-15 ? 0 : R[3 * i + j];
            y.e[j] = zi_tape_add(t, y.e[j], zi_tape_mul(t, zi_tape_constant(t, r), x.e[i]));
        }
    }
    return y;
}

static ziTriple turn_forth(ziTape *t, const double R[9], ziTriple x) {
    const double B[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
    return zi_turn_back(t, B, x);
}

/* R(axis, angle) x, or with the sine's sign turned its inverse: what lies along the axis stays. */
static ziTriple turn(ziTape *t, const ziNode *n, bool back, ziTriple x) {
    const ziTriple e = zi_triple_of(t, n->axis);
    const ziTriple along = zi_triple_scale(t, zi_triple_dot(t, e, x), e), across = zi_triple_sub(t, x, along);
    const ziEdge sine = back ? zi_edge_negate(n->sine) : n->sine;
    const ziTriple side = zi_triple_scale(t, sine, zi_triple_cross(t, e, x));
    return zi_triple_add(t, along, zi_triple_add(t, zi_triple_scale(t, n->cosine, across), side));
}

/* A vector from the parent's axes to the node's, and forth. */
static ziTriple into(ziTape *t, const ziNode *n, ziTriple x) {
    if (n->kind == ZI_NODE_PLACE) return zi_turn_back(t, n->R, x);
    return n->kind == ZI_NODE_TURN ? turn(t, n, true, x) : x;
}

static ziTriple out_of(ziTape *t, const ziNode *n, ziTriple x) {
    if (n->kind == ZI_NODE_PLACE) return turn_forth(t, n->R, x);
    return n->kind == ZI_NODE_TURN ? turn(t, n, false, x) : x;
}

static ziEdge input(const ziLinkSweep *s, const ziNode *n, int kind) {
    if (n->coordinate < 0) return ZI_EDGE_ZERO;
    return zi_tape_mul(s->tape, zi_tape_constant(s->tape, n->ratio),
                       zi_tape_input(s->tape, kind * s->n + n->coordinate));
}

ziTriple zi_to_world(ziLinkSweep *s, int node, ziTriple x) {
    const ziTriple *row = s->node[node].world;
    return zi_triple(zi_triple_dot(s->tape, row[0], x), zi_triple_dot(s->tape, row[1], x),
                     zi_triple_dot(s->tape, row[2], x));
}

/* The acceleration of a point p that is fixed in the axes of the motion. */
static ziTriple carried(ziTape *t, const ziNode *up, ziTriple p) {
    return zi_triple_add(
        t, up->a,
        zi_triple_add(t, zi_triple_cross(t, up->al, p), zi_triple_cross(t, up->w, zi_triple_cross(t, up->w, p))));
}

/* Motion and placement of a node behind its parent: first the shift, then the turn, then what its coordinate adds. */
static int move_node(ziLinkSweep *s, ziNode n) {
    ziTape *t = s->tape;
    const ziNode *up = &s->node[n.parent];
    const ziTriple e = zi_triple_of(t, n.axis);
    ziTriple v = up->v, a = up->a;
    if (n.kind != ZI_NODE_TURN) {
        v = zi_triple_add(t, v, zi_triple_cross(t, up->w, n.p));
        a = carried(t, up, n.p);
    }
    n.w = into(t, &n, up->w), n.al = into(t, &n, up->al), n.v = into(t, &n, v), n.a = into(t, &n, a);
    for (int i = 0; i < 3; i++) n.world[i] = into(t, &n, up->world[i]);
    n.at = n.kind == ZI_NODE_TURN ? up->at : zi_triple_add(t, up->at, zi_to_world(s, n.parent, n.p));
    const ziTriple rate = zi_triple_scale(t, input(s, &n, 1), e), second = zi_triple_scale(t, input(s, &n, 2), e);
    if (n.kind == ZI_NODE_TURN) {
        n.al = zi_triple_add(t, n.al, zi_triple_add(t, second, zi_triple_cross(t, n.w, rate)));
        n.w = zi_triple_add(t, n.w, rate);
    }
    if (n.kind == ZI_NODE_SLIDE) {
        const ziTriple turned = zi_triple_cross(t, n.w, rate);
        n.a = zi_triple_add(t, n.a, zi_triple_add(t, second, zi_triple_add(t, turned, turned)));
        n.v = zi_triple_add(t, n.v, rate);
    }
    n.f = n.m = zi_triple(ZI_EDGE_ZERO, ZI_EDGE_ZERO, ZI_EDGE_ZERO);
    s->node[s->count] = n;
    return s->count++;
}

int zi_sweep_place(ziLinkSweep *s, int parent, ziTriple p, const double R[9]) {
    ziNode n = {.parent = parent, .kind = ZI_NODE_PLACE, .p = p, .coordinate = -1};
    memcpy(n.R, R, sizeof n.R);
    return move_node(s, n);
}

int zi_sweep_move(ziLinkSweep *s, int parent, ziNodeKind kind, const double axis[3], int coordinate, double ratio,
                  double offset) {
    ziTape *t = s->tape;
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    ziNode n = {.parent = parent, .kind = kind, .coordinate = ratio == 0 ? -1 : coordinate, .ratio = ratio};
    for (int i = 0; i < 3; i++) n.axis[i] = fabs(axis[i]) < 1e-15 * length ? 0 : axis[i] / length;
    const ziEdge x = zi_tape_add(t, input(s, &n, 0), zi_tape_constant(t, offset));
    if (kind == ZI_NODE_TURN) n.sine = zi_tape_sin(t, x), n.cosine = zi_tape_cos(t, x);
    if (kind == ZI_NODE_SLIDE) n.p = zi_triple_scale(t, x, zi_triple_of(t, n.axis));
    return move_node(s, n);
}

/* -- links and joints ------------------------------------------------------------------------------------------- */

static ziTriple numbers(ziLinkSweep *s, double x, double y, double z) {
    return zi_triple_of(s->tape, (const double[3]){x, y, z});
}

static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Round a circle with the orientation kept: a turn about its centre and back. */
int zi_sweep_circle(ziLinkSweep *s, int at, const zvCurve *curve, const ziFollow *f) {
    ziPath path = {0};
    zi_path_make(NULL, curve, &path);
    const double *b = path.b, *c = path.c, k = 1 / path.radius;
    const double normal[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]};
    at = zi_sweep_place(s, at, numbers(s, path.a[0], path.a[1], path.a[2]), unit);
    at = zi_sweep_move(s, at, ZI_NODE_TURN, normal, f->coordinate, k * f->ratio, k * f->offset);
    at = zi_sweep_place(s, at, numbers(s, b[0], b[1], b[2]), unit);
    return zi_sweep_move(s, at, ZI_NODE_TURN, normal, f->coordinate, -k * f->ratio, -k * f->offset);
}

static int planar_nodes(ziLinkSweep *s, int at, const double axis[3], const ziFollow *f) {
    double Q[9];
    zi_axis_frame(axis, Q);
    const double x[3] = {Q[0], Q[3], Q[6]}, y[3] = {Q[1], Q[4], Q[7]};
    at = zi_sweep_move(s, at, ZI_NODE_SLIDE, x, f->coordinate, 1, 0);
    at = zi_sweep_move(s, at, ZI_NODE_SLIDE, y, f->coordinate + 1, 1, 0);
    return zi_sweep_move(s, at, ZI_NODE_TURN, axis, f->coordinate + 2, 1, 0);
}

/* What a joint is made of: turns and slides about axes in its frame. Joints of several freedoms follow no other. */
static int joint_nodes(ziLinkSweep *s, int at, int joint) {
    const zvJoint *j = zv_model_joint(s->model, joint);
    const ziFollow f = zi_joint_follow(s->model, joint);
    const int q = f.coordinate;
    switch (j->type) {
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS: return zi_sweep_move(s, at, ZI_NODE_TURN, j->axis, q, f.ratio, f.offset);
    case ZV_JOINT_PRISMATIC: return zi_sweep_move(s, at, ZI_NODE_SLIDE, j->axis, q, f.ratio, f.offset);
    case ZV_JOINT_HELICAL:
        at = zi_sweep_move(s, at, ZI_NODE_TURN, j->axis, q, f.ratio, f.offset);
        return zi_sweep_move(s, at, ZI_NODE_SLIDE, j->axis, q, j->pitch * f.ratio, j->pitch * f.offset);
    case ZV_JOINT_CYLINDRICAL:
        at = zi_sweep_move(s, at, ZI_NODE_SLIDE, j->axis, q, 1, 0);
        return zi_sweep_move(s, at, ZI_NODE_TURN, j->axis, q + 1, 1, 0);
    case ZV_JOINT_UNIVERSAL:
        at = zi_sweep_move(s, at, ZI_NODE_TURN, j->axis, q, 1, 0);
        return zi_sweep_move(s, at, ZI_NODE_TURN, j->axis2, q + 1, 1, 0);
    case ZV_JOINT_PLANAR: return planar_nodes(s, at, j->axis, &f);
    case ZV_JOINT_CURVE:
        if (j->curve.kind == ZV_CURVE_CIRCLE) return zi_sweep_circle(s, at, &j->curve, &f);
        return zi_sweep_move(s, at, ZI_NODE_SLIDE, j->curve.direction, q, f.ratio, f.offset);
    default: return at; /* fixed; others have been refused */
    }
}

enum { NODES_OF_JOINT = 5, NODES_OF_LOOP = 6 };

int zi_sweep_most_nodes(const zvModel *model) {
    return 2 + NODES_OF_JOINT * zv_model_njoint(model) + NODES_OF_LOOP * zv_model_nloop(model);
}

/* Links in the order of the model, parents first. */
void zi_sweep_out(ziLinkSweep *s) {
    double g[3];
    const ziTriple zero = numbers(s, 0, 0, 0);
    ziNode ground = {.parent = -1,
                     .kind = ZI_NODE_PLACE,
                     .coordinate = -1,
                     .p = zero,
                     .w = zero,
                     .al = zero,
                     .v = zero,
                     .at = zero,
                     .f = zero,
                     .m = zero};
    zv_model_gravity(s->model, g);
    ground.a = zi_triple_scale(s->tape, zi_tape_constant(s->tape, -1), zi_parameters(s, ZI_LETTER_GRAVITY, 0, g));
    for (int i = 0; i < 3; i++) ground.world[i] = numbers(s, i == 0, i == 1, i == 2);
    memcpy(ground.R, unit, sizeof ground.R);
    s->node[s->count++] = ground;
    s->link[0] = 0;
    for (int j = 0; j < zv_model_njoint(s->model); j++) {
        const zvJointPlace place = zv_model_joint_place(s->model, j);
        const zvPose *origin = &zv_model_joint(s->model, j)->origin;
        const ziTriple p = zi_parameters(s, ZI_LETTER_LENGTH, zi_point_of_joint(j), origin->p);
        s->link[place.child] = joint_nodes(s, zi_sweep_place(s, s->link[place.parent], p, origin->R), j);
    }
}

static ziTriple moment_times(ziTape *t, const ziEdge J[6], ziTriple x) {
    return zi_triple(zi_triple_dot(t, zi_triple(J[0], J[1], J[2]), x), zi_triple_dot(t, zi_triple(J[1], J[3], J[4]), x),
                     zi_triple_dot(t, zi_triple(J[2], J[4], J[5]), x));
}

/* Force and moment about its origin that a link wants: F = m (a + al x c + w x (w x c)), and with moments about the
 * centre of mass N = J al + w x J w + c x F, about the origin N = J al + w x J w + m c x a. */
static void load_link(ziLinkSweep *s, int link) {
    ziTape *t = s->tape;
    ziNode *n = &s->node[s->link[link]];
    const zvInertia *inertia = &zv_model_link(s->model, link)->inertia;
    double moment[6], largest = 0;
    ziEdge J[6];
    zi_link_moment(inertia, s->letters->origin, moment);
    for (int k = 0; k < 6; k++) largest = fmax(largest, fabs(moment[k]));
    for (int k = 0; k < 6; k++)
        J[k] = fabs(moment[k]) > 1e-14 * largest ? zi_parameter(s, ZI_LETTER_MOMENT, link, k, moment[k]) : ZI_EDGE_ZERO;
    const ziEdge m = inertia->mass == 0 ? ZI_EDGE_ZERO : zi_parameter(s, ZI_LETTER_MASS, link, 0, inertia->mass);
    const ziTriple c = zi_parameters(s, ZI_LETTER_CENTRE, link, inertia->com);
    const ziTriple F = zi_triple_scale(t, m, carried(t, n, c));
    const ziTriple lever = s->letters->origin ? zi_triple_scale(t, m, n->a) : F;
    const ziTriple spin =
        zi_triple_add(t, moment_times(t, J, n->al), zi_triple_cross(t, n->w, moment_times(t, J, n->w)));
    n->f = zi_triple_add(t, n->f, F);
    n->m = zi_triple_add(t, n->m, zi_triple_add(t, spin, zi_triple_cross(t, c, lever)));
}

/* Nodes are in the order in which they were reached: backwards, children come first. */
void zi_sweep_in(ziLinkSweep *s, ziEdge *tau) {
    ziTape *t = s->tape;
    for (int i = 1; i < zv_model_nlink(s->model); i++) load_link(s, i);
    for (int i = s->count - 1; i > 0; i--) {
        const ziNode *n = &s->node[i];
        ziNode *up = &s->node[n->parent];
        const ziTriple e = zi_triple_of(t, n->axis);
        if (n->coordinate >= 0) {
            const ziEdge force = zi_triple_dot(t, e, n->kind == ZI_NODE_TURN ? n->m : n->f);
            tau[n->coordinate] =
                zi_tape_add(t, tau[n->coordinate], zi_tape_mul(t, zi_tape_constant(t, n->ratio), force));
        }
        const ziTriple f = out_of(t, n, n->f), m = out_of(t, n, n->m);
        up->f = zi_triple_add(t, up->f, f);
        up->m = zi_triple_add(t, up->m, m);
        if (n->kind != ZI_NODE_TURN) up->m = zi_triple_add(t, up->m, zi_triple_cross(t, n->p, f));
    }
}
