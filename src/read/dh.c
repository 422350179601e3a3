/* Geometry of Denavit-Hartenberg rows (dh.h). Sums end in "+ 0.0" to turn a negative zero into a positive one, so that
 * quarter turns give clean files. */
#include "read/dh.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/native.h"

static const double quarter = 1.57079632679489661923;

/* Quarter turns are exact, so that axes of tables written in multiples of pi/2 are clean. */
void zi_dh_sincos(double angle, double *sine, double *cosine) {
    static const double sines[4] = {0, 1, 0, -1};
    double turns = nearbyint(angle / quarter);
    if (fabs(turns) < 1e6 && fabs(angle - turns * quarter) <= 4 * DBL_EPSILON * fabs(angle)) {
        int k = (int)turns & 3;
        *sine = sines[k];
        *cosine = sines[(k + 1) & 3];
        return;
    }
    *sine = sin(angle);
    *cosine = cos(angle);
}

zvPose zi_dh_pose(double a, double alpha, double theta, double d) {
    double sa, ca, st, ct;
    zi_dh_sincos(alpha, &sa, &ca);
    zi_dh_sincos(theta, &st, &ct);
    zvPose pose = {
        .R = {ct, -st + 0.0, 0, /**/ ca * st + 0.0, ca * ct + 0.0, -sa + 0.0, /**/ sa * st + 0.0, sa * ct + 0.0, ca},
        .p = {a, -d * sa + 0.0, d * ca + 0.0},
    };
    return pose;
}

static double row_times(const double *row, const double *column, int stride) {
    return row[0] * column[0] + row[1] * column[stride] + row[2] * column[2 * stride] + 0.0;
}

zvPose zi_dh_compose(const zvPose *outer, const zvPose *inner) {
    zvPose pose;
    for (int i = 0; i < 3; i++) {
        const double *row = outer->R + 3 * i;
        for (int j = 0; j < 3; j++) pose.R[3 * i + j] = row_times(row, inner->R + j, 3);
        pose.p[i] = outer->p[i] + row_times(row, inner->p, 1);
    }
    return pose;
}

/* J' = R J R^T at the same centre of mass, of which only the coordinates change. */
zvInertia zi_dh_move_inertia(const zvPose *place, const zvInertia *inertia) {
    static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    const double *m = inertia->moment, *R = place->R;
    const double J[9] = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
    double JRt[9]; /* J R^T */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) JRt[3 * i + j] = row_times(J + 3 * i, R + 3 * j, 1);
    }
    zvInertia moved = {.mass = inertia->mass};
    for (int k = 0; k < 6; k++) moved.moment[k] = row_times(R + 3 * row[k], JRt + column[k], 3);
    for (int i = 0; i < 3; i++) moved.com[i] = place->p[i] + row_times(R + 3 * i, inertia->com, 1);
    return moved;
}

/* Chains written as Denavit-Hartenberg rows: every row becomes a link and the joint above it.
 *
 * The link frame is on the joint's axis and coincides with the joint frame at q = 0. For the modified and the
 * screw convention this is the frame of the row itself. A standard row has its frame at the far end of the link: it
 * becomes a named frame "<link>_dh", and mass data and shapes, which are given in it, are moved to the link frame. */

typedef enum DhConvention { STANDARD, MODIFIED, SCREW } DhConvention;

/* Where the next row hangs on: the link above, and a and alpha that a standard row has left to its successor. */
typedef struct DhChain {
    DhConvention convention;
    const char *parent;
    double a, alpha;
} DhChain;

typedef struct DhRow {
    ziNamedMap element;
    const char *link;
    zvJointType type;
    double a, alpha, d, theta;
    zvPose place; /* of the row's frame in the link */
} DhRow;

static zvStatus open_row(const ziReading *reading, const zvNode *node, DhConvention convention, ziNamedMap *element) {
#define ROW_KEYS "joint", "link", "type", "a", "alpha", ZI_DOF_KEYS, ZI_INERTIA_KEYS, "shapes"
    static const char *const table[] = {ROW_KEYS, "d", "theta"};
    static const char *const screw[] = {ROW_KEYS, "b", "nu", "offset"};
    bool is_screw = convention == SCREW;
    return zi_map_open(reading, node, "row of joint", "joint", is_screw ? screw : table,
                       is_screw ? sizeof screw / sizeof *screw : sizeof table / sizeof *table, element);
}

/* The word under type, or the number nu of the screw convention; both when they agree. */
static zvStatus read_row_type(const ziReading *reading, const ziNamedMap *element, zvJointType *type) {
    static const char *const words[] = {"revolute", "continuous", "prismatic", "fixed"};
    static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_CONTINUOUS, ZV_JOINT_PRISMATIC, ZV_JOINT_FIXED};
    int choice = 0, nu = 0;
    zvStatus status = zi_map_word(reading, element, "type", words, 4, &choice);
    if (status < 0) return status;
    const zvNode *node = zv_node_get(element->node, "nu");
    char what[ZI_WHAT];
    if (node && (status = zv_node_integer(node, zi_map_what(element, "nu", what), &nu, reading->error)) < 0) {
        return status;
    }
    if (nu != 0 && nu != 1) return zi_map_expected(reading, element, "nu", "0 (revolute) or 1 (prismatic)", "");
    if (node && !zi_map_has(element, "type")) choice = nu == 1 ? 2 : 0;
    *type = types[choice];
    if (node && (nu == 1) != (*type == ZV_JOINT_PRISMATIC)) {
        return zi_map_refuse(reading, element, "nu",
                             "expected nu 1 for prismatic and 0 otherwise, found it contradicting type; remove one");
    }
    return ZV_OK;
}

/* Screw rows call d and theta b and offset; the place of a standard row is that of its far end. */
static zvStatus read_row(const ziReading *reading, const zvNode *node, DhConvention convention, DhRow *row) {
    zvStatus status = open_row(reading, node, convention, &row->element);
    if (status < 0) return status;
    const ziNamedMap *element = &row->element;
    status = zi_map_need(reading, element, "link", "link, the name of the link below the joint");
    if (status < 0) return status;
    if ((status = zi_map_text(reading, element, "link", &row->link)) < 0) return status;
    if ((status = read_row_type(reading, element, &row->type)) < 0) return status;
    if ((status = zi_map_number(reading, element, "a", &row->a)) < 0) return status;
    if ((status = zi_map_angle(reading, element, "alpha", &row->alpha)) < 0) return status;
    const char *d = convention == SCREW ? "b" : "d", *theta = convention == SCREW ? "offset" : "theta";
    if ((status = zi_map_number(reading, element, d, &row->d)) < 0) return status;
    if ((status = zi_map_angle(reading, element, theta, &row->theta)) < 0) return status;
    row->place = convention == STANDARD ? zi_dh_pose(row->a, row->alpha, 0, 0) : zv_pose_identity();
    return ZV_OK;
}

/* The frame that the table of a standard chain speaks of, NAME_dh, for users who look for it. */
static zvStatus add_dh_frame(const ziReading *reading, const DhRow *row) {
    size_t size = strlen(row->link) + sizeof "_dh";
    char *name = malloc(size);
    zvMark mark = zi_reading_mark(reading, row->element.node->mark);
    if (!name) return zv_fail(reading->error, ZV_MEMORY, mark, row->link, "no memory for a frame");
    snprintf(name, size, "%s_dh", row->link);
    zvFrame frame = zv_frame_default(name, row->link);
    frame.pose = row->place;
    frame.mark = mark;
    zvStatus status = zv_builder_add_frame(reading->builder, &frame, reading->error);
    free(name);
    return status;
}

/* What a standard row gives in the frame of its far end is moved into the frame of the link. */
static zvStatus add_link(const ziReading *reading, const DhRow *row, bool standard) {
    zvLink link = zv_link_default(row->link);
    link.mark = zi_reading_mark(reading, row->element.node->mark);
    zvStatus status = zi_native_inertia(reading, &row->element, &link);
    if (status < 0) return status;
    if (standard && link.has_inertia) link.inertia = zi_dh_move_inertia(&row->place, &link.inertia);
    if ((status = zv_builder_add_link(reading->builder, &link, reading->error)) < 0) return status;
    const zvNode *shapes = NULL;
    if ((status = zi_map_list(reading, &row->element, "shapes", &shapes)) < 0) return status;
    if (shapes) status = zi_native_shapes(reading, shapes, row->link, standard ? &row->place : NULL);
    if (status < 0 || !standard) return status;
    return add_dh_frame(reading, row);
}

/* Link and joint of a row; a standard row leaves a and alpha to the joint behind it. */
static zvStatus add_row(const ziReading *reading, const DhRow *row, DhChain *chain) {
    bool standard = chain->convention == STANDARD;
    zvJoint joint = zv_joint_default(row->element.name, row->type, chain->parent, row->link);
    joint.mark = zi_reading_mark(reading, row->element.node->mark);
    double a = standard ? chain->a : row->a, alpha = standard ? chain->alpha : row->alpha;
    joint.origin = zi_dh_pose(a, alpha, row->theta, row->d);
    zvStatus status = zi_native_dofs(reading, &row->element, zi_native_joint_dof_keys(), joint.type, joint.dof,
                                     &joint.stiffness_matrix, &joint.damping_matrix);
    if (status < 0) return status;
    if ((status = add_link(reading, row, standard)) < 0) return status;
    chain->parent = row->link;
    chain->a = row->a;
    chain->alpha = row->alpha;
    return zv_builder_add_joint(reading->builder, &joint, reading->error);
}

static zvStatus add_parent(const ziReading *reading, const ziNamedMap *element, const char *name) {
    if (zv_builder_find_link(reading->builder, name) >= 0) return ZV_OK;
    zvLink link = zv_link_default(name);
    link.mark = zi_reading_mark(reading, zv_node_get(element->node, "parent")->mark);
    return zv_builder_add_link(reading->builder, &link, reading->error);
}

/* Keys of a chain before its rows: all three have no default. */
static zvStatus open_chain(const ziReading *reading, const zvNode *node, ziNamedMap *element, DhChain *chain) {
    static const char *const keys[] = {"convention", "parent", "rows"};
    static const char *const conventions[] = {"standard", "modified", "screw"};
    zvStatus status = zi_map_open(reading, node, "chain", NULL, keys, 3, element);
    if (status < 0) return status;
    status = zi_map_need(reading, element, "convention", "convention: standard, modified or screw");
    if (status < 0) return status;
    int convention = 0;
    if ((status = zi_map_word(reading, element, "convention", conventions, 3, &convention)) < 0) return status;
    status = zi_map_need(reading, element, "parent", "parent, the link the first joint hangs on");
    if (status < 0) return status;
    if ((status = zi_map_need(reading, element, "rows", "rows, one map for each joint")) < 0) return status;
    *chain = (DhChain){.convention = (DhConvention)convention};
    return zi_map_text(reading, element, "parent", &chain->parent);
}

/* Rows are added one by one, each on the link of the row before. */
static zvStatus read_chain(const ziReading *reading, const zvNode *node) {
    ziNamedMap element;
    DhChain chain;
    const zvNode *rows = NULL;
    zvStatus status = open_chain(reading, node, &element, &chain);
    if (status < 0) return status;
    if ((status = zi_map_list(reading, &element, "rows", &rows)) < 0) return status;
    if (rows->count == 0)
        return zi_map_refuse(reading, &element, "rows", "expected one map for each joint, found none");
    if ((status = add_parent(reading, &element, chain.parent)) < 0) return status;
    for (int i = 0; i < rows->count; i++) {
        DhRow row = {0};
        if ((status = read_row(reading, rows->items[i], chain.convention, &row)) < 0) return status;
        if ((status = add_row(reading, &row, &chain)) < 0) return status;
    }
    return ZV_OK;
}

zvStatus zi_native_chains(const ziReading *reading, const zvNode *node) {
    if (node->kind != ZV_NODE_LIST) return read_chain(reading, node);
    for (int i = 0; i < node->count; i++) {
        zvStatus status = read_chain(reading, node->items[i]);
        if (status < 0) return status;
    }
    return ZV_OK;
}
