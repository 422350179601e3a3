/* Assembling from far: four-bars whose two assemblies circles give, the nearest gap of one that is too short, held
 * coordinates, massless and elastic links, dead centres, random mechanisms taken apart, and robots far from the origin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/loop_conditions.h"
#include "support/near.h"
#include "support/run_tests.h"

static const double pi = 3.14159265358979323846;

/* A planar four-bar: crank from (0, 0), rocker from (d, 0), coupler on the crank; the coupler's end meets the rocker's.
 * q: crank, coupler against the crank, rocker. */
typedef struct FourBar {
    double d, crank, coupler, rocker;
    double mass;     /* of each link; 0: none */
    bool elastic;    /* coupler */
    zvJointType by;  /* type of the loop */
    bool flies;      /* its base does; coordinates before the others */
    double armature; /* of crank and rocker */
} FourBar;

typedef struct Bench {
    zvModel *model;
    zvWork *work;
} Bench;

static void add_bar(zvBuilder *b, const char *name, double length, double mass, const zvBeam *beam) {
    zvLink link = zv_link_default(name);
    if (mass > 0)
        link.inertia = (zvInertia){.mass = mass, .com = {length / 2}, .moment = {1e-3, 0, 0, mass / 12, 0, mass / 12}};
    link.beam = beam;
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
}

static void add_hinge(zvBuilder *b, const char *name, const char *parent, const char *child, double x,
                      double armature) {
    zvJoint joint = zv_joint_default(name, ZV_JOINT_REVOLUTE, parent, child);
    joint.origin.p[0] = x;
    joint.dof[0].armature = armature;
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
}

static Bench open_four_bar(FourBar f) {
    Bench bench = {0};
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    zvBeam beam = zv_beam_default();
    beam.length = f.coupler;
    beam.EIy = beam.EIz = 50;
    beam.rhoA = 1;
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    add_bar(b, "base", 1, f.flies ? 5 : 0, NULL);
    add_bar(b, "crank", f.crank, f.mass, NULL);
    add_bar(b, "coupler", f.coupler, f.elastic ? 0 : f.mass, f.elastic ? &beam : NULL);
    add_bar(b, "rocker", f.rocker, f.mass, NULL);
    if (f.flies) zv_builder_set_free_base(b, true);
    add_hinge(b, "a", "base", "crank", 0, f.armature);
    add_hinge(b, "b", "crank", "coupler", f.crank, 0);
    add_hinge(b, "c", "base", "rocker", f.d, f.armature);
    zvLoop loop = zv_loop_default("pin", ZV_LOOP_JOINT, f.by, "coupler", "rocker");
    loop.origin.p[0] = f.coupler;
    loop.child_origin.p[0] = f.rocker;
    assert_int_equal(zv_builder_add_loop(b, &loop, NULL), ZV_OK);
    if (zv_builder_freeze(b, &bench.model, &error) < 0) fail_msg("%s", error.text);
    bench.work = zv_work_create(bench.model, NULL);
    zv_builder_destroy(b);
    return bench;
}

static void close_bench(Bench bench) {
    zv_work_destroy(bench.work);
    zv_model_destroy(bench.model);
}

/* Angles of coupler and rocker for a crank angle: the circles about the crank's end and the rocker's root meet on
 * either side. side: +1 or -1. */
static void circles(FourBar f, double crank, int side, double q[3]) {
    const double x = f.crank * cos(crank), y = f.crank * sin(crank), dx = f.d - x, dy = -y, r = hypot(dx, dy);
    const double along = (f.coupler * f.coupler - f.rocker * f.rocker + r * r) / (2 * r);
    const double h = side * sqrt(f.coupler * f.coupler - along * along);
    const double px = x + (along * dx - h * dy) / r, py = y + (along * dy + h * dx) / r;
    q[0] = crank;
    q[1] = atan2(py - y, px - x) - crank;
    q[2] = atan2(py, px - f.d);
}

static bool same(const double a[3], const double b[3]) {
    for (int k = 0; k < 3; k++) {
        if (fabs(remainder(a[k] - b[k], 2 * pi)) > 1e-11) return false;
    }
    return true;
}

static const FourBar ordinary = {
    .d = 1, .crank = 0.4, .coupler = 0.9, .rocker = 0.7, .mass = 1, .by = ZV_JOINT_REVOLUTE};

/* From any guess with the crank held one of the two is found; with several guesses both. */
static void both_assemblies(void **state) {
    (void)state;
    static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_SPHERICAL, ZV_JOINT_CYLINDRICAL};
    const unsigned char hold[3] = {1, 0, 0};
    for (int t = 0; t < 3; t++) {
        for (int massless = 0; massless < 2; massless++) {
            FourBar f = ordinary;
            f.by = types[t];
            if (massless) f.mass = 0;
            Bench bench = open_four_bar(f);
            zvAssembly options = zv_assembly_default();
            options.held = hold;
            for (int k = 0; k < 12; k++) {
                const double crank = 0.3 + k * pi / 6;
                double up[3], down[3], q[3] = {crank, 2 * sin(7.0 * k), 3 * cos(5.0 * k)}, found[8 * 3];
                circles(f, crank, 1, up);
                circles(f, crank, -1, down);
                assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, NULL), ZV_OK);
                assert_true(q[0] == crank);
                assert_true(same(q, up) || same(q, down));
                assert_int_equal(zv_assemblies(bench.model, bench.work, NULL, &options, q, 20, 8, found), 2);
                assert_true((same(found, up) && same(found + 3, down)) || (same(found, down) && same(found + 3, up)));
            }
            close_bench(bench);
        }
    }
}

/* Too short: stretched towards each other the bars leave d - crank - coupler - rocker open. */
static void cannot_close(void **state) {
    (void)state;
    FourBar f = ordinary;
    f.d = 2.012;
    Bench bench = open_four_bar(f);
    double q[3] = {2, 1, 0.5};
    zvError error = {0};
    assert_int_equal(zv_close_position(bench.model, bench.work, NULL, NULL, q, NULL), ZV_CLOSURE);
    assert_true(q[0] == 2 && q[1] == 1 && q[2] == 0.5);
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, NULL, q, &error), ZV_CLOSURE);
    assert_string_equal(error.text, "loop \"pin\" cannot close: nearest gap 12 mm");
    assert_string_equal(error.token, "pin");
    assert_int_equal(error.status, ZV_CLOSURE);
    assert_near(remainder(q[0], 2 * pi), 0, 1e-3);
    assert_near(remainder(q[1], 2 * pi), 0, 1e-3);
    assert_near(fabs(remainder(q[2], 2 * pi)), pi, 1e-3);
    zvAssembly options = zv_assembly_default();
    double found[3];
    options.restarts = 3;
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, NULL), ZV_CLOSURE);
    assert_int_equal(zv_assemblies(bench.model, bench.work, NULL, &options, q, 3, 1, found), 0);
    close_bench(bench);
}

/* Held where the other two do not reach; and all held. */
static void held_too_far(void **state) {
    (void)state;
    FourBar f = ordinary;
    f.rocker = 0.3; /* reach 1.2 from (1, 0); a crank of 0.4 at 180 degrees is 1.4 away */
    Bench bench = open_four_bar(f);
    const unsigned char hold[3] = {1, 0, 0}, all[3] = {1, 1, 1};
    double q[3] = {pi, 0.3, 0.3};
    zvError error = {0};
    zvAssembly options = zv_assembly_default();
    options.held = hold;
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, &error), ZV_CLOSURE);
    assert_string_equal(error.text, "loop \"pin\" cannot close: nearest gap 200 mm");
    assert_true(q[0] == pi);
    options.held = all;
    q[1] = q[2] = 0;
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, &error), ZV_CLOSURE);
    assert_true(q[0] == pi && q[1] == 0 && q[2] == 0);
    close_bench(bench);
}

/* A loop that wants another direction of its axis: degrees. */
static void cannot_turn(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    add_bar(b, "base", 1, 0, NULL);
    add_bar(b, "arm", 1, 1, NULL);
    add_hinge(b, "a", "base", "arm", 0, 0);
    zvLoop loop = zv_loop_default("guide", ZV_LOOP_JOINT, ZV_JOINT_PLANAR, "base", "arm");
    const double tilt[3] = {0.1, 0, 0}, nowhere[3] = {0};
    loop.child_origin = zv_pose_from_rpy(nowhere, tilt);
    assert_int_equal(zv_builder_add_loop(b, &loop, NULL), ZV_OK);
    Bench bench = {0};
    zvError error = {0};
    if (zv_builder_freeze(b, &bench.model, &error) < 0) fail_msg("%s", error.text);
    bench.work = zv_work_create(bench.model, NULL);
    double q[1] = {0.4};
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, NULL, q, &error), ZV_CLOSURE);
    assert_string_equal(error.text, "loop \"guide\" cannot close: nearest gap 5.73 deg");
    close_bench(bench);
    zv_builder_destroy(b);
}

/* All in one line: no direction leads towards closing at first. */
static void from_a_dead_centre(void **state) {
    (void)state;
    const FourBar f = {.d = 1, .crank = 0.5, .coupler = 0.5, .rocker = 0.5, .mass = 1, .by = ZV_JOINT_REVOLUTE};
    Bench bench = open_four_bar(f);
    double q[3] = {0, 0, 0}, gap;
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, NULL, q, NULL), ZV_OK);
    zv_loop_residual(bench.model, bench.work, NULL, q, NULL, -1, &gap, NULL);
    assert_true(gap <= 1e-12);
    close_bench(bench);
}

/* An elastic coupler stays straight where it can, and bends where it must. */
static void elastic_coupler(void **state) {
    (void)state;
    FourBar f = ordinary;
    f.elastic = true;
    Bench bench = open_four_bar(f);
    const zvElasticPlace place = zv_model_elastic_place(bench.model, 2);
    const int nv = zv_model_nv(bench.model), rocker = zv_model_joint_place(bench.model, 2).q_index;
    assert_int_equal(nv, 5);
    double q[5] = {0.7, 1, 0, 0, 0}, up[3], down[3], gap;
    q[rocker] = 2;
    unsigned char hold[5] = {1};
    zvAssembly options = zv_assembly_default();
    options.held = hold;
    circles(f, 0.7, 1, up);
    circles(f, 0.7, -1, down);
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, NULL), ZV_OK);
    assert_true(q[place.q_index] == 0 && q[place.q_index + 1] == 0);
    const double rigid[3] = {q[0], q[1], q[rocker]};
    assert_true(same(rigid, up) || same(rigid, down));
    hold[1] = hold[rocker] = 1; /* joints held a little aside */
    q[1] += 0.02;
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, NULL), ZV_CLOSURE); /* along the beam */
    hold[rocker] = 0;
    q[1] -= 0.01;
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, NULL), ZV_OK);
    assert_true(fabs(q[place.q_index]) > 1e-3 && fabs(q[place.q_index]) < 0.1);
    zv_loop_residual(bench.model, bench.work, NULL, q, NULL, -1, &gap, NULL);
    assert_true(gap <= 1e-12);
    close_bench(bench);
}

/* Targets move the goal: a rod of another length; its rate does not matter. */
static void targets_count(void **state) {
    (void)state;
    int rods = 0;
    for (int i = 0; i < 20; i++) {
        rcOptions options = rc_options_spread(i);
        rcCase c;
        options.kinds = RC_ROD;
        options.loops = 1;
        assert_true(rc_open(&c, 24000 + (uint64_t)i, &options));
        if (c.loops == 1) {
            const double targets[3] = {1.05 * c.loop[0].loop.length, 5, 7};
            const zvClosing closing = {.targets = targets};
            double length;
            if (zv_assemble(c.model, c.work, &closing, NULL, c.q, NULL) == ZV_OK) {
                zv_loop_coordinates(c.model, c.work, c.q, NULL, 0, &length, NULL);
                assert_near(length, targets[0], 1e-11);
                rods++;
            }
        }
        rc_close(&c);
    }
    assert_true(rods >= 8);
}

/* Crank, coupler or rocker of a cell of the row. */
static double *row_angle(const zvModel *model, double *q, int cell, int which) {
    char name[16];
    snprintf(name, sizeof name, "%c%d", "xyz"[which], cell);
    return q + zv_model_joint_place(model, zv_model_find_joint(model, name)).q_index;
}

/* Eight hundred parallelograms, each on the coupler of the one before: too many freedoms for matrices, and every call
 * works in scratch memory it has. */
static void a_long_row(void **state) {
    (void)state;
    enum { CELLS = 800 };
    Bench bench = {0};
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    add_bar(b, "base", 1, 0, NULL);
    for (int i = 0; i < CELLS; i++) {
        char on[16] = "base", bar[4][16], pin[4][16];
        for (int k = 0; k < 3; k++) snprintf(bar[k], sizeof bar[k], "%c%d", "clr"[k], i);
        for (int k = 0; k < 4; k++) snprintf(pin[k], sizeof pin[k], "%c%d", "xyzo"[k], i);
        if (i > 0) snprintf(on, sizeof on, "l%d", i - 1);
        for (int k = 0; k < 3; k++) add_bar(b, bar[k], 0.5, 1, NULL);
        add_hinge(b, pin[0], on, bar[0], 0, 0);
        add_hinge(b, pin[1], bar[0], bar[1], 0.5, 0);
        add_hinge(b, pin[2], on, bar[2], 0.5, 0);
        zvLoop loop = zv_loop_default(pin[3], ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, bar[1], bar[2]);
        loop.origin.p[0] = loop.child_origin.p[0] = 0.5;
        assert_int_equal(zv_builder_add_loop(b, &loop, NULL), ZV_OK);
    }
    if (zv_builder_freeze(b, &bench.model, &error) < 0) fail_msg("%s", error.text);
    bench.work = zv_work_create(bench.model, NULL);
    double *q = calloc(3 * CELLS, sizeof *q), *a = calloc(3 * CELLS, sizeof *a), gap;
    assert_true(q && a);
    for (int i = 0; i < 3 * CELLS; i++)
        *row_angle(bench.model, q, i / 3, i % 3) = (i % 3 == 1 ? -0.5 : 0.5) + 1e-3 * sin(i);
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, NULL, q, NULL), ZV_OK);
    zv_loop_residual(bench.model, bench.work, NULL, q, NULL, -1, &gap, NULL);
    assert_true(gap <= 1e-12);
    for (int i = 0; i < 3 * CELLS; i++) q[i] += 1e-6 * sin(i);
    assert_int_equal(zv_close_position(bench.model, bench.work, NULL, NULL, q, &gap), ZV_OK);
    for (int i = 0; i < CELLS; i++) { /* parallelograms again */
        const double crank = *row_angle(bench.model, q, i, 0);
        assert_near(crank, 0.5, 0.1);
        assert_near(*row_angle(bench.model, q, i, 1), -crank, 1e-10);
        assert_near(*row_angle(bench.model, q, i, 2), crank, 1e-10);
    }
    assert_true(zv_closed_forward_dynamics(bench.model, bench.work, NULL, q, NULL, NULL, NULL, a, NULL) >= 0);
    free(q);
    free(a);
    close_bench(bench);
    zv_builder_destroy(b);
}

/* Random mechanisms, taken apart by half a radian and ten centimetres in every freedom of a joint. */
static void random_mechanisms(void **state) {
    (void)state;
    int count = 0, failed = 0;
    for (int i = 0; i < 200; i++) {
        const rcOptions options = rc_options_spread(i);
        rcCase c;
        exact F[LC_MOST], worst = 0;
        assert_true(rc_open(&c, 25000 + (uint64_t)i, &options));
        double step[256] = {0};
        for (int j = 0; j < zv_model_njoint(c.model); j++) {
            const zvJointPlace place = zv_model_joint_place(c.model, j);
            for (int k = 0; k < place.nv; k++) {
                const char *unit = zv_joint_type_v_unit(zv_model_joint(c.model, j)->type, k, ZV_QUANTITY_POSITION);
                step[place.v_index + k] = rt_uniform(&c.random, -1, 1) * (unit[0] == 'r' ? 0.5 : 0.1);
            }
        }
        zv_position_add(c.model, c.q, step, c.q);
        zvAssembly how = zv_assembly_default();
        how.restarts = 20;
        if (zv_assemble(c.model, c.work, NULL, &how, c.q, NULL) != ZV_OK) {
            failed++;
        } else {
            for (int l = 0; l < c.loops; l++) {
                const zvLoop *loop = &c.loop[l].loop; /* conditions along curves know the place drawn only */
                if (loop->kind == ZV_LOOP_JOINT && (loop->type == ZV_JOINT_CURVE || loop->type == ZV_JOINT_HELICAL))
                    continue;
                const int n = lc_conditions(&c, l, c.q, F);
                for (int k = 0; k < n; k++) worst = fmaxl(worst, fabsl(F[k]));
            }
            if (worst > 1e-11) fail_msg("seed %d: a condition is %.3Lg", 25000 + i, worst);
        }
        count += c.loops > 0;
        rc_close(&c);
    }
    print_message("%d mechanisms from seed 25000, %d not assembled\n", count, failed);
    assert_true(count > 150 && failed <= count / 50);
}

/* A robot that flies closes in the same way wherever it is, as well as places there are known; its base stays. */
static void far_away(void **state) {
    (void)state;
    static const double places[] = {0, 1e3, 1e5, 1e7};
    FourBar f = ordinary;
    f.flies = true;
    Bench bench = open_four_bar(f);
    const unsigned char hold[9] = {[6] = 1};
    for (int k = 0; k < 8; k++) {
        const double x = places[k / 2], step = 1e-15 + 4 * 0x1p-52 * x; /* a few roundings of a place */
        const double start[10] = {x, -x, x, 0.5, -0.5, 0.5, 0.5, 1, k % 2 ? -2 : -0.5, k % 2 ? -1.6 : 1.7};
        double q[10], want[3], v[9] = {1, 2, 3, 0.1, 0.2, 0.3, 1, 0, 0}, gap, rate;
        zvAssembly options = zv_assembly_default();
        options.held = hold;
        options.restarts = 3;
        circles(f, 1, k % 2 ? -1 : 1, want);
        memcpy(q, start, sizeof q);
        assert_int_equal(zv_assemble(bench.model, bench.work, NULL, &options, q, NULL), ZV_OK);
        for (int i = 0; i < 8; i++) assert_true(q[i] == start[i]);
        for (int i = 1; i < 3; i++) assert_near(remainder(q[7 + i] - want[i], 2 * pi), 0, 1e-13 + 20 * step);
        q[9] += 1e-3;
        assert_int_equal(zv_close_position(bench.model, bench.work, NULL, NULL, q, &gap), ZV_OK);
        for (int i = 0; i < 3; i++) assert_near(q[i], start[i], 1e-2);
        assert_int_equal(zv_close_velocity(bench.model, bench.work, NULL, q, NULL, v, &rate), ZV_OK);
        assert_near(gap, 0, 1e-14 + 4 * step);
        assert_near(rate, 0, 1e-13 + 20 * step);
        q[8] += 0.1; /* not closed by being far */
        zv_loop_residual(bench.model, bench.work, NULL, q, NULL, -1, &gap, NULL);
        assert_true(gap > 1e-3);
    }
    double found[8 * 10], q[10] = {1e5, 0, 0, 0, 0, 0, 1, 1};
    zvAssembly options = zv_assembly_default();
    options.held = hold;
    assert_int_equal(zv_assemblies(bench.model, bench.work, NULL, &options, q, 20, 8, found), 2);
    for (int i = 0; i < 8; i++) assert_true(found[i] == q[i] && found[10 + i] == q[i]);
    close_bench(bench);
}

/* Drives that are heavy for a robot do not make its conditions weak. */
static void heavy_drives(void **state) {
    (void)state;
    const FourBar f = {.d = 0.05,
                       .crank = 0.02,
                       .coupler = 0.05,
                       .rocker = 0.04,
                       .mass = 0.1,
                       .by = ZV_JOINT_REVOLUTE,
                       .armature = 10};
    Bench bench = open_four_bar(f);
    const zvClosing closing = {.floor = 1e-4};
    double q[3], v[3] = {3, 0, 0}, rate;
    circles(f, 1, 1, q);
    assert_int_equal(zv_close_velocity(bench.model, bench.work, &closing, q, NULL, v, &rate), ZV_OK);
    assert_near(rate, 0, 1e-13);
    v[1] += 1e-8; /* little is not left either */
    assert_int_equal(zv_close_velocity(bench.model, bench.work, &closing, q, NULL, v, &rate), ZV_OK);
    assert_near(rate, 0, 1e-13);
    close_bench(bench);
}

static void not_a_number(void **state) {
    (void)state;
    Bench bench = open_four_bar(ordinary);
    double q[3] = {1, NAN, 1};
    zvError error = {0};
    assert_int_equal(zv_assemble(bench.model, bench.work, NULL, NULL, q, &error), ZV_NUMBER);
    assert_string_equal(error.text, "entry 2 of the guess q is not finite");
    close_bench(bench);
}

TESTS(both_assemblies, cannot_close, held_too_far, cannot_turn, from_a_dead_centre, elastic_coupler, targets_count,
      a_long_row, random_mechanisms, far_away, heavy_drives, not_a_number)
