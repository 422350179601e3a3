/* Random descriptions (random_description.h). */
#include "support/random_description.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Out of memory in a test is no result. */
static void keep(zvStatus status) {
    if (status < 0) abort();
}

static uint64_t seed;
static uint64_t bits(void) { /* splitmix64 */
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
static int below(int n) { return (int)(bits() % (uint64_t)n); }
static bool coin(void) { return bits() >> 63; }

static double number(void) {
    /* clang-format off */
    static const double extremes[] = {
        0.0, -0.0, 1, -1, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 5e-320, 1e300, 1e22, 1e23, 0.1, 1.0 / 3,
        0.1 + 0.2, 1e-5, 9.5e-7, 1e15, 1e16, 123456789012345678.0, 2.5, 100000, 3.14159265358979323846,
    };
    /* clang-format on */
    switch (below(4)) {
    case 0: return extremes[below((int)(sizeof extremes / sizeof *extremes))];
    case 1: return below(2001) / 1000.0 - 1;
    case 2: return (double)(int64_t)bits() / 9e18;
    default: break;
    }
    double value;
    do {
        uint64_t b = bits();
        memcpy(&value, &b, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void numbers(double *values, int count) {
    for (int i = 0; i < count; i++) values[i] = number();
}

static const char *odd_name(void) {
    /* clang-format off */
    static const char *const names[] = {
        "arm", "", "true", "Null", "~", "1e5", "0x10", "a: b", "- x", "#x", "x #y", "a,b", "a}b", "звено",
        "line\nend", "tab\tx", "\"q\"", "back\\slash", "名前", "😀", "\x7f", "\xC2\x85", "\xEF\xBB\xBFx",
        "\xE2\x80\xA8", "pi/2", "30 deg", "[x]", "{x}", "*a", "&a", "!t", "%d", "@x", "`x", "it's", " lead",
        "trail ", "?", "yes", ".5", "+1", "-", "...", "---", "NaN", "<x>", "\x01\x1f", "a/b-c.d_e", "Off",
        "pi", "=", "<<", "\xC2\xA0", "1_000", "2001-01-01", "12:30:45", "\xEF\xBF\xBE", "a\r\nb", "null",
        "\xF0\x9F\xA4\x96 robot", "y", "'", "\"",
    };
    /* clang-format on */
    static char buffers[8][80];
    static int turn;
    if (coin()) return names[below((int)(sizeof names / sizeof *names))];
    char *name = buffers[turn++ % 8];
    snprintf(name, sizeof buffers[0], "%s%d", names[below((int)(sizeof names / sizeof *names))], below(1000));
    return name;
}

/* A rotation that is orthonormal to rounding; sometimes a clean one with a negative zero. */
static zvPose random_pose(void) {
    zvPose pose = zv_pose_identity();
    if (coin()) return pose;
    if (coin()) numbers(pose.p, 3);
    if (coin()) {
        pose.R[1] = coin() ? -0.0 : 0.0;
        return pose;
    }
    double p[3] = {pose.p[0], pose.p[1], pose.p[2]}, rpy[3];
    for (int i = 0; i < 3; i++) rpy[i] = (double)(int64_t)bits() / 3e18;
    return zv_pose_from_rpy(p, rpy);
}

static zvDof random_dof(bool limits) {
    zvDof dof = {0};
    if (coin()) return dof;
    dof.has_limits = limits && coin();
    if (dof.has_limits) dof.lower = number(), dof.upper = number();
    double *rest[] = {&dof.effort,   &dof.velocity,  &dof.armature, &dof.damping,
                      &dof.friction, &dof.stiffness, &dof.rest};
    for (int i = 0; i < 7; i++) *rest[i] = coin() ? number() : 0;
    return dof;
}

/* Any numbers: what they mean is not looked at. */
static const double *random_matrix(zvJointType type, double A[36]) {
    const int nv = zv_joint_type_nv(type);
    if (nv < 2 || coin()) return NULL;
    numbers(A, nv * nv);
    return A;
}

static void random_curve(zvCurve *curve, double points[30]) {
    curve->kind = (zvCurveKind)below(3);
    if (curve->kind == ZV_CURVE_LINE) numbers(curve->direction, 3);
    if (curve->kind == ZV_CURVE_CIRCLE) {
        numbers(curve->center, 3), numbers(curve->normal, 3), numbers(curve->start, 3);
        curve->radius = number();
    }
    if (curve->kind != ZV_CURVE_SPLINE) return;
    numbers(points, 30);
    curve->closed = coin();
    curve->count = 2 + below(9);
    curve->points = points;
}

/* With a cubic or a law, and with an axis of its rotor or without. */
static zvFlexibleJoint random_gear(void) {
    zvFlexibleJoint gear = {.stiffness = number(),
                            .damping = number(),
                            .inertia = number(),
                            .ratio = number(),
                            .motor_damping = number()};
    if (coin()) gear.points = 1 + coin() + 2 * coin();
    if (!gear.points) gear.cubic = number();
    for (int i = 0; i < gear.points; i++) gear.law[i] = (zvGearPoint){number(), number()};
    if (coin()) numbers(gear.rotor_axis, 3);
    return gear;
}

static void add_joint(zvBuilder *builder, zvJointType type) {
    double points[30], K[36], D[36];
    zvJoint joint = zv_joint_default(odd_name(), type, odd_name(), odd_name());
    joint.origin = random_pose();
    if (coin()) numbers(joint.axis, 3);
    if (type == ZV_JOINT_UNIVERSAL) numbers(joint.axis2, 3);
    if (type == ZV_JOINT_HELICAL) joint.pitch = number();
    if (type == ZV_JOINT_CURVE) random_curve(&joint.curve, points);
    bool limits = type != ZV_JOINT_SPHERICAL && type != ZV_JOINT_FREE;
    for (int i = 0; i < zv_joint_type_nv(type); i++) joint.dof[i] = random_dof(limits);
    if (zv_joint_type_nq(type) == 1 && coin())
        joint.mimic = odd_name(), joint.ratio = number(), joint.offset = number();
    joint.stiffness_matrix = random_matrix(type, K);
    joint.damping_matrix = random_matrix(type, D);
    const zvFlexibleJoint gear = random_gear();
    if (zv_joint_type_nv(type) == 1 && coin()) joint.flexible = &gear;
    joint.cut = coin();
    if (joint.cut) joint.child_origin = random_pose();
    keep(zv_builder_add_joint(builder, &joint, NULL));
}

static void add_joint_loop(zvBuilder *builder, zvJointType type) {
    double points[30], K[36], D[36];
    zvLoop loop = zv_loop_default(odd_name(), ZV_LOOP_JOINT, type, odd_name(), odd_name());
    loop.origin = random_pose();
    loop.child_origin = random_pose();
    if (coin()) numbers(loop.axis, 3);
    if (type == ZV_JOINT_UNIVERSAL) numbers(loop.axis2, 3);
    if (type == ZV_JOINT_HELICAL) loop.pitch = number();
    if (type == ZV_JOINT_CURVE) {
        random_curve(&loop.curve, points);
        loop.ball = coin();
    }
    for (int i = 0; i < zv_joint_type_nv(type); i++) {
        loop.dof[i] = random_dof(true);
        if (coin()) break;
    }
    loop.stiffness_matrix = random_matrix(type, K);
    loop.damping_matrix = random_matrix(type, D);
    loop.driven = zv_joint_type_nv(type) == 1 && coin();
    if (loop.driven) loop.value = number();
    keep(zv_builder_add_loop(builder, &loop, NULL));
}

static void add_rod(zvBuilder *builder) {
    zvLoop rod = zv_loop_default(odd_name(), ZV_LOOP_ROD, ZV_JOINT_FIXED, odd_name(), odd_name());
    rod.origin = random_pose();
    rod.child_origin = random_pose();
    rod.length = number();
    keep(zv_builder_add_loop(builder, &rod, NULL));
}

/* Terms are keys of a map: each joint once. One of the names may be too long for a plain key of YAML. */
static void add_coupling(zvBuilder *builder) {
    enum { MOST = 5, LONG = 1500 };
    static char names[MOST][LONG + 100];
    zvLoopTerm terms[MOST];
    const int count = 1 + below(MOST);
    for (int i = 0; i < count; i++) {
        const int padding = below(20) == 0 ? LONG : 0;
        snprintf(names[i], sizeof names[i], "%s%0*d", odd_name(), padding, i);
        terms[i] = (zvLoopTerm){names[i], number()};
    }
    if (count == 1) terms[0].joint = odd_name();
    zvLoop coupling = zv_loop_default(odd_name(), ZV_LOOP_COUPLING, ZV_JOINT_FIXED, NULL, NULL);
    coupling.term_count = count;
    coupling.terms = terms;
    coupling.offset = coin() ? number() : 0;
    keep(zv_builder_add_loop(builder, &coupling, NULL));
}

static void add_loops(zvBuilder *builder) {
    for (int i = below(8); i > 0; i--) {
        const int pick = below(ZV_JOINT_TYPES + 4);
        if (pick >= ZV_JOINT_TYPES + 2)
            add_rod(builder);
        else if (pick >= ZV_JOINT_TYPES)
            add_coupling(builder);
        else if (pick != ZV_JOINT_FREE)
            add_joint_loop(builder, (zvJointType)pick);
    }
}

static void add_shape(zvBuilder *builder, const char *link) {
    zvShape shape = zv_shape_default(link, (zvShapeKind)below(4));
    shape.collision = coin();
    shape.pose = random_pose();
    numbers(shape.size, shape.kind == ZV_SHAPE_BOX || shape.kind == ZV_SHAPE_MESH ? 3
                        : shape.kind == ZV_SHAPE_CYLINDER                         ? 2
                                                                                  : 1);
    if (shape.kind == ZV_SHAPE_MESH) shape.mesh = odd_name();
    if (coin()) shape.name = odd_name();
    shape.has_color = coin();
    if (shape.has_color) numbers(shape.color, 4);
    keep(zv_builder_add_shape(builder, &shape, NULL));
}

static void add_link(zvBuilder *builder, bool with_shapes) {
    zvLink link = zv_link_default(odd_name());
    link.has_inertia = coin();
    if (link.has_inertia) {
        link.inertia.mass = number();
        if (coin()) numbers(link.inertia.com, 3);
        if (coin()) numbers(link.inertia.moment, 6);
        if (coin()) link.inertia.moment[1] = link.inertia.moment[2] = link.inertia.moment[4] = 0;
    }
    keep(zv_builder_add_link(builder, &link, NULL));
    for (int i = below(3); with_shapes && i > 0; i--) add_shape(builder, link.name);
}

zvBuilder *random_description(uint64_t with_seed) {
    seed = with_seed;
    zvBuilder *builder = zv_builder_create(NULL);
    if (!builder) abort();
    bool grouped = coin();
    double gravity[3];
    numbers(gravity, 3);
    if (coin()) keep(zv_builder_set_name(builder, odd_name(), NULL));
    if (coin()) zv_builder_set_gravity(builder, gravity);
    zv_builder_set_free_base(builder, coin());
    zv_builder_set_mimic_coupled(builder, coin());
    for (int i = below(12); i > 0; i--) add_link(builder, grouped);
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        if (coin()) add_joint(builder, (zvJointType)type);
    }
    for (int i = below(4); i > 0; i--) {
        zvFrame frame = zv_frame_default(odd_name(), odd_name());
        frame.pose = random_pose();
        keep(zv_builder_add_frame(builder, &frame, NULL));
    }
    for (int i = below(6); !grouped && i > 0; i--) add_shape(builder, odd_name());
    add_loops(builder);
    return builder;
}
