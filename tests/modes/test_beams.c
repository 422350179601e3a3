/* Natural frequencies of beams against the roots of their frequency equations (computed with 30 digits). */
#include "modes/beam_stand.h"
#include "support/run_tests.h"

static const double pi = 3.141592653589793;
/* clamped and free */
static const double clamped[4] = {1.87510406871196117, 4.69409113297417458, 7.85475743823761256, 10.995540734875467};
/* clamped, with a point of the beam's own mass at the tip */
static const double tip_mass[4] = {1.24791740960646946, 4.03113943671495955, 7.13413224093974582, 10.2566210737140291};
/* pinned, with a rotor of moment 0.1 rho A L^3 at the root, free */
static const double hub[3] = {2.63892469629659451, 4.79377085045777748, 7.87565294277776973};

/* Whether one of the modes has this frequency. */
static void assert_has(const Stand *s, const char *what, double rate, double tolerance) {
    double best = INFINITY;
    for (int k = 0; k < s->count; k++) {
        if (fabs(s->modes[k].frequency - rate) < fabs(best - rate)) best = s->modes[k].frequency;
    }
    expect_near(what, best, rate, tolerance);
}

static void cantilever_vibrates(void **state) {
    (void)state;
    const double L = 1.3;
    zvBeam beam = slender_beam(L, ZV_SHAPES_CLAMPED_FREE, 4, 4, 3, 2);
    Stand s = clamped_beam(&beam);
    find_modes(&s, (zvRest){0});
    assert_int_equal(s.count, 13);
    for (int k = 0; k < 4; k++) {
        assert_has(&s, "along y", bending_rate(clamped[k], L, beam.EIz, beam.rhoA), 1e-11);
        assert_has(&s, "along z", bending_rate(clamped[k], L, beam.EIy, beam.rhoA), 1e-11);
    }
    for (int k = 0; k < 3; k++)
        assert_has(&s, "twist", (k + 0.5) * pi / L * sqrt(beam.GJ / (beam.rhoIy + beam.rhoIz)), 1e-11);
    for (int k = 0; k < 2; k++) assert_has(&s, "extension", (k + 0.5) * pi / L * sqrt(beam.EA / beam.rhoA), 1e-11);
    stand_close(&s);
}

static void tip_mass_slows(void **state) {
    (void)state;
    const double L = 0.9, none[3] = {0};
    zvBeam beam = slender_beam(L, ZV_SHAPES_CLAMPED_TIP_MASS, 3, 0, 0, 0);
    beam.tip_mass = beam.rhoA * L;
    zvBuilder *b = stand_builder(0, 0, 0);
    zvLink load = rigid_link("load", beam.tip_mass, none, none);
    add_beam(b, "beam", "base", ZV_JOINT_FIXED, 0, &beam);
    stand_add(b, &load, joint_at("load", ZV_JOINT_FIXED, "beam", (double[]){0, 0, 1}, (double[]){L, 0, 0}));
    Stand s = stand_open(b);
    find_modes(&s, (zvRest){0});
    for (int k = 0; k < 3; k++)
        expect_near("tip mass", s.modes[k].frequency, bending_rate(tip_mass[k], L, beam.EIz, beam.rhoA), 1e-10);
    stand_close(&s);
}

/* Two powers in each plane: Ritz with s^2, s^3 gives the first to 0.5 % and from above. */
static void two_powers_do(void **state) {
    (void)state;
    zvBeam beam = slender_beam(1, ZV_SHAPES_POWERS, 2, 2, 2, 2);
    Stand s = clamped_beam(&beam);
    find_modes(&s, (zvRest){0});
    const double y = bending_rate(clamped[0], 1, beam.EIz, beam.rhoA);
    const double z = bending_rate(clamped[0], 1, beam.EIy, beam.rhoA);
    expect_near("first along y", s.modes[0].frequency, y, 0.005);
    expect_near("first along z", s.modes[1].frequency, z, 0.005);
    assert_true(s.modes[0].frequency > y && s.modes[1].frequency > z);
    stand_close(&s);
    beam = slender_beam(1, ZV_SHAPES_POWERS, 7, 0, 0, 0); /* more of them converge */
    s = clamped_beam(&beam);
    find_modes(&s, (zvRest){0});
    for (int k = 0; k < 3; k++)
        expect_near("seven powers", s.modes[k].frequency, bending_rate(clamped[k], 1, beam.EIz, beam.rhoA),
                    k < 2 ? 1e-6 : 3e-4);
    stand_close(&s);
}

/* The rotor is the armature of the joint that the beam turns on. */
static double hub_error(int modes, int which) {
    zvBeam beam = slender_beam(1, ZV_SHAPES_CLAMPED_FREE, modes, 0, 0, 0);
    zvBuilder *b = stand_builder(0, 0, 0);
    add_beam(b, "arm", "base", ZV_JOINT_CONTINUOUS, 0, &beam);
    zv_builder_joint(b, 0)->dof[0].armature = 0.1 * beam.rhoA;
    Stand s = stand_open(b);
    find_modes(&s, (zvRest){0});
    assert_true(s.modes[0].frequency == 0);
    const double want = bending_rate(hub[which], 1, beam.EIz, beam.rhoA), got = s.modes[1 + which].frequency;
    stand_close(&s);
    return got / want - 1;
}

static void hub_turns(void **state) {
    (void)state;
    double last = INFINITY;
    print_message("modes  error of the first three frequencies of a beam on a hub\n");
    for (int modes = 2; modes <= 16; modes *= 2) {
        const double first = hub_error(modes, 0), second = hub_error(modes, 1);
        print_message("%5d  %.2e  %.2e  %.2e\n", modes, first, second, modes > 2 ? hub_error(modes, 2) : NAN);
        assert_true(first > 0 && first < 0.2 * last); /* Ritz: from above, order 3 at least */
        last = first;
    }
    assert_true(last < 1e-5);
}

/* Chain of finite elements: fourth order. */
static double chain_error(int links, int which) {
    zvBeam beam = slender_beam(1.0 / links, ZV_SHAPES_CUBIC, 2, 0, 0, 0);
    zvBuilder *b = stand_builder(0, 0, 0);
    char names[64][8];
    for (int i = 0; i < links; i++) {
        snprintf(names[i], sizeof names[i], "b%d", i);
        add_beam(b, names[i], i ? names[i - 1] : "base", ZV_JOINT_FIXED, i ? beam.length : 0, &beam);
    }
    Stand s = stand_open(b);
    find_modes(&s, (zvRest){0});
    const double got = s.modes[which].frequency, want = bending_rate(clamped[which], 1, beam.EIz, beam.rhoA);
    stand_close(&s);
    return got / want - 1;
}

static void chain_converges(void **state) {
    (void)state;
    double last = chain_error(1, 1);
    print_message("links  error of the second frequency of a cantilever  order\n");
    for (int links = 2; links <= 32; links *= 2) {
        const double error = chain_error(links, 1), order = log2(last / error);
        print_message("%5d  %.3e  %.2f\n", links, error, order);
        assert_true(fabs(order - 4) < (links < 8 ? 3 : links < 16 ? 0.2 : 0.05));
        last = error;
    }
}

static void tip_bends_under_load(void **state) {
    (void)state;
    const double L = 2, F = 1e-3, forces[6] = {0, F, 2 * F, 0, 0, 0}, moment[6] = {0, 0, 0, F, 0, 0};
    zvBeam beam = slender_beam(L, ZV_SHAPES_POWERS, 2, 2, 1, 1);
    Stand s = clamped_beam(&beam);
    const int tip = zv_model_find_frame(s.model, "tip");
    zvPose pose;
    find_rest(&s, (zvRest){.load_count = 1, .load_frames = &tip, .loads = forces}, 1);
    zv_frame_pose(s.model, s.work, s.q, tip, &pose);
    /* F L^3 / 3 EI but for the square of the slopes, 1e-9 */
    expect_near("along y", pose.p[1], F * L * L * L / (3 * beam.EIz), 1e-8);
    expect_near("along z", pose.p[2], 2 * F * L * L * L / (3 * beam.EIy), 1e-8);
    find_rest(&s, (zvRest){.load_count = 1, .load_frames = &tip, .loads = moment}, 1);
    zv_frame_pose(s.model, s.work, s.q, tip, &pose);
    expect_near("twist", pose.R[7], sin(F * L / beam.GJ), 1e-11);
    stand_close(&s);
}

TESTS(cantilever_vibrates, tip_mass_slows, two_powers_do, hub_turns, chain_converges, tip_bends_under_load)
