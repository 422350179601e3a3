/* Beams that lie anywhere in their link: random elastic trees whose beams go along x, and the same trees with every
 * beam link described in another frame, are one mechanism in the same coordinates. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "beam/modes.h"
#include "support/elastic_case.h"
#include "support/run_tests.h"

static const double tight = 1e-12;

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Directions ------------------------------------------------------------------------------------- */

/* R of the unit quaternion that turns by the angle between x and axis about their normal. */
static void least_rotation(const double axis[3], double R[9]) {
    const double sine = hypot(axis[1], axis[2]), half = atan2(sine, axis[0]) / 2;
    const double u[3] = {0, sine > 0 ? -axis[2] / sine : 0, sine > 0 ? axis[1] / sine : 1};
    const double w = cos(half), x = u[0] * sin(half), y = u[1] * sin(half), z = u[2] * sin(half);
    const double turned[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                              2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                              2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, turned, sizeof turned);
}

static void draw_axis(rtRandom *random, double axis[3]) {
    static const double axes[][3] = {{0, 0, 1},  {0, 1, 0},        {0, 0, -1},   {0, -1, 0},
                                     {-1, 0, 0}, {-1, 1e-9, 2e-9}, {1, -1e-9, 0}};
    const int count = sizeof axes / sizeof *axes, pick = rt_below(random, 2 * count);
    const double size = pow(10, rt_uniform(random, -3, 3));
    if (pick >= count) rt_vector(random, 1, 3, axis);
    for (int k = 0; k < 3; k++) axis[k] = size * (pick < count ? axes[pick][k] : axis[k]);
}

static void expect_rotation(const double axis[3]) {
    zvBeam beam = zv_beam_default();
    double R[9], p[3], want[9];
    const double start[3] = {1, -2, 3};
    memcpy(beam.axis, axis, sizeof beam.axis);
    memcpy(beam.start, start, sizeof start);
    zi_beam_pose(&beam, R, p);
    least_rotation(axis, want);
    assert_memory_equal(p, start, sizeof start);
    for (int k = 0; k < 9; k++) {
        if (!(fabs(R[k] - want[k]) < 8 * DBL_EPSILON))
            fail_msg("axis %g %g %g: R[%d] is %.17g, not %.17g", axis[0], axis[1], axis[2], k, R[k], want[k]);
        const double product = dot(R + 3 * (k / 3), R + 3 * (k % 3));
        assert_true(fabs(product - (k / 3 == k % 3)) < 8 * DBL_EPSILON);
    }
    const double point[3] = {0.5, 0.25, -1}, off[3] = {-0.5, 2.25, -4}, along[3] = {R[0], R[3], R[6]};
    assert_true(fabs(zi_beam_along(&beam, point) - dot(off, along)) < 20 * DBL_EPSILON);
}

static void poses_are_least_rotations(void **state) {
    (void)state;
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, half[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1};
    static const double size[] = {1, 7e-300, 3e300, 1.0 / 3};
    for (int i = 0; i < 4; i++) {
        zvBeam beam = zv_beam_default();
        double R[9], p[3];
        beam.axis[0] = size[i];
        zi_beam_pose(&beam, R, p);
        assert_memory_equal(R, identity, sizeof R); /* no negative zeros either */
        beam.axis[0] = -size[i];
        zi_beam_pose(&beam, R, p);
        for (int k = 0; k < 9; k++) assert_true(R[k] == half[k]);
    }
    rtRandom random = {11};
    for (int i = 0; i < 1000; i++) {
        double axis[3];
        draw_axis(&random, axis);
        expect_rotation(axis);
    }
    expect_rotation((double[]){0, 2e150, 1e150});
    expect_rotation((double[]){-1, 1e-200, 1e-200});
}

/* The same tree in other frames -------------------------------------------------------------------- */

/* Old link frames, whose x axes the beams lie along, in the new ones. */
typedef struct Turned {
    zvPose pose[RT_MAX_LINKS];
    zvBeam beam[RT_MAX_LINKS];
    bool carried[RT_MAX_LINKS]; /* by a link without mass in the old frame */
} Turned;

static zvPose inverse(const zvPose *pose) {
    zvPose back;
    for (int k = 0; k < 9; k++) back.R[k] = pose->R[3 * (k % 3) + k / 3];
    for (int k = 0; k < 3; k++) back.p[k] = -dot(back.R + 3 * k, pose->p);
    return back;
}

static void turn_vector(const double R[9], double x[3]) {
    const double y[3] = {dot(R, x), dot(R + 3, x), dot(R + 6, x)};
    memcpy(x, y, sizeof y);
}

static void turn_inertia(const zvPose *pose, zvInertia *inertia) {
    const double *m = inertia->moment, I[9] = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
    double rows[9]; /* R I, by rows of the symmetric I */
    for (int k = 0; k < 9; k++) rows[k] = dot(pose->R + 3 * (k / 3), I + 3 * (k % 3));
    for (int i = 0, at = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) inertia->moment[at++] = dot(rows + 3 * i, pose->R + 3 * j);
    }
    turn_vector(pose->R, inertia->com);
    for (int k = 0; k < 3; k++) inertia->com[k] += pose->p[k];
}

/* Joints whose coordinates do not know how the frame of their child is turned. The others keep their frames: they move
 * a carrier to which the beam is fixed. */
static bool knows_axis_only(zvJointType type) {
    return type == ZV_JOINT_FIXED || type == ZV_JOINT_REVOLUTE || type == ZV_JOINT_CONTINUOUS ||
           type == ZV_JOINT_PRISMATIC || type == ZV_JOINT_HELICAL || type == ZV_JOINT_CYLINDRICAL ||
           type == ZV_JOINT_UNIVERSAL;
}

static void draw_poses(ecCase *c, Turned *t) {
    for (int i = 0; i < c->tree->nlink; i++) {
        zvLink *link = &c->tree->links[i];
        t->pose[i] = zv_pose_identity();
        t->carried[i] = false;
        if (!link->beam) continue;
        t->beam[i] = *link->beam;
        t->carried[i] = !knows_axis_only(c->tree->joints[i - 1].type) || rt_chance(&c->random, 0.5);
        draw_axis(&c->random, t->beam[i].axis);
        if (t->carried[i]) rt_vector(&c->random, 0.5, 3, t->beam[i].start); /* a joint axis goes through the origin */
        least_rotation(t->beam[i].axis, t->pose[i].R);
        memcpy(t->pose[i].p, t->beam[i].start, sizeof t->beam[i].start);
        link->beam = &t->beam[i];
        turn_inertia(&t->pose[i], &link->inertia);
    }
}

static void add_carried(zvBuilder *b, const rtTree *tree, const Turned *t, int i) {
    char link_name[32], joint_name[32];
    zvJoint joint = tree->joints[i - 1];
    const zvPose back = inverse(&t->pose[i]);
    joint.origin = zv_pose_compose(&t->pose[tree->parent[i - 1]], &joint.origin);
    if (t->carried[i]) {
        snprintf(link_name, sizeof link_name, "carrier%d", i);
        snprintf(joint_name, sizeof joint_name, "seat%d", i);
        const zvLink carrier = zv_link_default(link_name);
        zvJoint seat = zv_joint_default(joint_name, ZV_JOINT_FIXED, link_name, joint.child);
        seat.origin = back;
        joint.child = link_name;
        assert_int_equal(zv_builder_add_link(b, &carrier, NULL), ZV_OK);
        assert_int_equal(zv_builder_add_joint(b, &seat, NULL), ZV_OK);
    } else {
        joint.origin = zv_pose_compose(&joint.origin, &back);
        turn_vector(t->pose[i].R, joint.axis);
        turn_vector(t->pose[i].R, joint.axis2);
    }
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
}

static zvModel *build(const rtTree *tree, const Turned *t) {
    zvBuilder *b = zv_builder_create(NULL);
    zvError error = {0};
    zvModel *model = NULL;
    zv_builder_set_gravity(b, tree->gravity);
    zv_builder_set_mimic_coupled(b, tree->coupled);
    for (int i = 0; i < tree->nlink; i++) assert_int_equal(zv_builder_add_link(b, &tree->links[i], NULL), ZV_OK);
    for (int i = 1; i < tree->nlink; i++) add_carried(b, tree, t, i);
    for (int i = 0; i < tree->nframe; i++) {
        zvFrame frame = tree->frames[i];
        for (int k = 0; k < tree->nlink; k++) {
            if (frame.link == tree->link_names[k]) frame.pose = zv_pose_compose(&t->pose[k], &frame.pose);
        }
        assert_int_equal(zv_builder_add_frame(b, &frame, NULL), ZV_OK);
    }
    if (zv_builder_freeze(b, &model, &error) != ZV_OK) fail_msg("refused: %s", error.text);
    zv_builder_destroy(b);
    return model;
}

static bool same_answers(ecCase *c, const zvModel *model, zvWork *work) {
    const int n = c->nv;
    double largest = 0;
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    zv_mass_matrix(model, work, c->q, c->B);
    for (int i = 0; i < n * n; i++) {
        const double scale = sqrt(c->A[i / n * (n + 1)] * c->A[i % n * (n + 1)]);
        if (!ec_near(c, "mass matrix", i, c->B[i], c->A[i], tight * scale)) return false;
    }
    zv_bias(c->model, c->work, c->q, c->v, c->x);
    zv_bias(model, work, c->q, c->v, c->y);
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(c->x[i]));
    for (int i = 0; i < n; i++) {
        if (!ec_near(c, "bias", i, c->y[i], c->x[i], tight * largest)) return false;
    }
    return true;
}

/* Named frames are where they were, and so are the links when seen in their old frames. */
static bool same_places(ecCase *c, const Turned *t, const zvModel *model, zvWork *work) {
    for (int f = 0; f < zv_model_nframe(c->model); f++) {
        zvPose a, b;
        const char *name = zv_model_frame(c->model, f).name;
        zv_frame_pose(c->model, c->work, c->q, f, &a);
        zv_frame_pose(model, work, c->q, zv_model_find_frame(model, name), &b);
        for (int k = 0; k < c->tree->nlink; k++) {
            if (strcmp(name, c->tree->link_names[k]) == 0) b = zv_pose_compose(&b, &t->pose[k]);
        }
        for (int k = 0; k < 9; k++) {
            if (!ec_near(c, "frame axes", k, b.R[k], a.R[k], tight)) return false;
        }
        for (int k = 0; k < 3; k++) {
            if (!ec_near(c, "frame position", k, b.p[k], a.p[k], tight)) return false;
        }
    }
    return true;
}

static int beams_seen;

static bool check_case(ecCase *c) {
    static Turned turned;
    for (int i = 0; i < c->tree->nlink; i++)
        beams_seen += c->tree->links[i].beam && zi_beam_count(c->tree->links[i].beam);
    draw_poses(c, &turned);
    zvModel *model = build(c->tree, &turned);
    zvWork *work = zv_work_create(model, NULL);
    assert_non_null(work);
    assert_int_equal(zv_model_nq(model), c->nq);
    assert_int_equal(zv_model_nv(model), c->nv);
    const bool same = fabs(zv_model_mass(model) - zv_model_mass(c->model)) <= tight * zv_model_mass(c->model) &&
                      same_answers(c, model, work) && same_places(c, &turned, model, work);
    zv_work_destroy(work);
    zv_model_destroy(model);
    return same;
}

static void turned_trees_are_the_same(void **state) {
    (void)state;
    for (int i = 0; i < 300; i++) {
        rtOptions options = ec_options(i, RT_ALL_TYPES);
        options.free_base = false; /* its coordinates are those of the link frame */
        ecCase c;
        const bool good = ec_open(&c, 4100 + (uint64_t)i, &options) && check_case(&c);
        ec_close(&c);
        if (!good) fail_msg("seed %d", 4100 + i);
    }
    print_message("%d beams\n", beams_seen);
    assert_true(beams_seen > 200);
}

TESTS(poses_are_least_rotations, turned_trees_are_the_same)
