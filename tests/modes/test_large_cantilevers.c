/* Cantilevers bent far by a dead force at the tip, as chains of elastic links with two cubic modes in each plane,
 * shear, twist and extension: every link sees small deflections, the chain large ones. The tables show the convergence
 * to geometrically exact beams (an independent computation in absolute coordinates, converged; its first case agrees
 * with Nachbagauer et al. 2011 to the digits printed there, its second with Bathe and Bolourchi 1979). */
#include "modes/beam_stand.h"
#include "support/run_tests.h"

enum { MOST = 64 };

typedef struct Cantilever {
    zvBeam beam;    /* of the whole, straight length */
    double bend;    /* angle from root to tip about z, rad: a polygon */
    double load[6]; /* at the tip */
    int steps;
} Cantilever;

static double tip_moves(const Cantilever *c, int links, double u[3]) {
    zvBuilder *b = stand_builder(0, 0, 0);
    char names[MOST][8];
    zvBeam beam = c->beam;
    const double turn = c->bend / links;
    /* chords of the arc: straight without a bend */
    beam.length = turn > 0 ? 2 * c->beam.length / c->bend * sin(0.5 * turn) : c->beam.length / links;
    for (int i = 0; i < links; i++) {
        snprintf(names[i], sizeof names[i], "b%d", i);
        zvLink link = zv_link_default(names[i]);
        zvJoint joint = zv_joint_default(names[i], ZV_JOINT_FIXED, i ? names[i - 1] : "base", names[i]);
        link.beam = &beam;
        joint.origin = zv_pose_from_rpy((double[]){i ? beam.length : 0, 0, 0}, (double[]){0, 0, i ? turn : 0.5 * turn});
        stand_add(b, &link, joint);
    }
    add_tip(b, "tip", names[links - 1], beam.length);
    Stand s = stand_open(b);
    const int tip = zv_model_find_frame(s.model, "tip");
    zvPose before, after;
    zv_frame_pose(s.model, s.work, s.q, tip, &before);
    find_rest(&s, (zvRest){.load_count = 1, .load_frames = &tip, .loads = c->load}, c->steps);
    zv_frame_pose(s.model, s.work, s.q, tip, &after);
    double length = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = after.p[k] - before.p[k];
        length += u[k] * u[k];
    }
    stand_close(&s);
    return sqrt(length);
}

/* Prints the table up to `most` links; returns the error of the finest relative to the length of the displacement. */
static double converge(const char *title, const Cantilever *c, const double want[3], int most, double *order) {
    double last = 0, error = 0, size = sqrt(want[0] * want[0] + want[1] * want[1] + want[2] * want[2]);
    print_message("%s\nlinks  displacement of the tip                        error    order\n", title);
    for (int links = 1; links <= most; links *= 2) {
        double u[3], gap = 0;
        tip_moves(c, links, u);
        for (int k = 0; k < 3; k++) gap += (u[k] - want[k]) * (u[k] - want[k]);
        error = sqrt(gap) / size;
        *order = log2(last / error);
        print_message("%5d  %15.10g %15.10g %15.10g  %.1e", links, u[0], u[1], u[2], error);
        print_message(links > 1 ? "  %.2f\n" : "\n", *order);
        last = error;
    }
    return error;
}

/* Nachbagauer et al.: a short beam, so that shear counts. */
static Cantilever short_beam(double force) {
    const double L = 2, w = 0.1, h = 0.5, E = 2.07e11, nu = 0.3, G = E / (2 * (1 + nu)), A = w * h;
    const double ks = 10 * (1 + nu) / (12 + 11 * nu);
    Cantilever c = {.beam = zv_beam_default(), .load = {0, force}, .steps = 1};
    c.beam.length = L;
    c.beam.EA = E * A;
    c.beam.EIz = E * w * h * h * h / 12;
    c.beam.EIy = E * h * w * w * w / 12;
    c.beam.kGAy = c.beam.kGAz = ks * G * A;
    c.beam.GJ = G * h * w * w * w / 3;
    c.beam.rhoA = 7850 * A;
    c.beam.rhoIy = 7850 * h * w * w * w / 12;
    c.beam.rhoIz = 7850 * w * h * h * h / 12;
    c.beam.shapes = ZV_SHAPES_CUBIC;
    c.beam.modes[ZV_BEAM_BEND_Y] = 2;
    c.beam.modes[ZV_BEAM_EXTEND] = 1;
    return c;
}

static void short_beam_bends_little(void **state) {
    (void)state;
    static const double want[3] = {-1.8884916253014694e-07, 0.0008099032539769416, 0};
    const Cantilever c = short_beam(62500);
    double order;
    assert_true(converge("short beam, 62.5 kN", &c, want, MOST, &order) < 1e-6);
}

static void short_beam_bends_far(void **state) {
    (void)state;
    static const double want[3] = {-0.1509711442392916, 0.7105685978536344, 0};
    const Cantilever c = short_beam(6.25e7);
    double order;
    const double coarse = converge("short beam, 62.5 MN, up to four links", &c, want, 4, &order);
    assert_true(coarse < 3e-3 && order > 2.5);
    assert_true(converge("short beam, 62.5 MN", &c, want, MOST, &order) < 1e-4);
}

/* Bathe and Bolourchi: an arc of 45 degrees in the plane, pushed out of it; twist and bending in both planes. */
static void arc_bends_out_of_plane(void **state) {
    (void)state;
    static const double want[3] = {-23.560653368007614, -13.604671462551119, 53.475541012508934};
    const double pi = 3.141592653589793;
    Cantilever c = {.beam = zv_beam_default(), .bend = pi / 4, .load = {0, 0, 600}, .steps = 4};
    c.beam.length = 100 * c.bend;
    c.beam.EA = 1e7;
    c.beam.kGAy = c.beam.kGAz = 4166666.5;
    c.beam.EIy = c.beam.EIz = 833330;
    c.beam.GJ = 833330;
    c.beam.rhoA = 1;
    c.beam.rhoIy = c.beam.rhoIz = 1.0 / 12;
    c.beam.shapes = ZV_SHAPES_CUBIC;
    c.beam.modes[ZV_BEAM_BEND_Y] = c.beam.modes[ZV_BEAM_BEND_Z] = 2;
    c.beam.modes[ZV_BEAM_TWIST] = c.beam.modes[ZV_BEAM_EXTEND] = 1;
    double order;
    const double error = converge("arc of 45 degrees, 600", &c, want, 32, &order);
    assert_true(error < 6e-5 && order > 1.7);
}

TESTS(short_beam_bends_little, short_beam_bends_far, arc_bends_out_of_plane)
