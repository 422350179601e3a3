/* Dynamics of robots with closed loops through the command, compared with the hand formulas of a parallelogram. */
#define _XOPEN_SOURCE 700
#include "four_bar.h"
#include "support/run_tests.h"

static const double pi = 3.141592653589793;

static void loops_are_listed(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    Transcript t = zveno("info bar.yaml");
    expect_silence(t);
    expect_part(t.out, "C     revolute  rocker -> coupler           5  ground           loop\n");
    expect_part(t.out, "\nU  C\nA  +\nB  +\nD  -\n");
    expect_part(t.out, "at the neutral position: 1 degree of freedom: 3 of the tree less 5 conditions of rank 2 "
                       "(3 redundant)\n");
    t = zveno("info bar.yaml --json");
    expect_silence(t);
    expect_text(t.out, "loops.0.name", "C");
    expect_text(t.out, "loops.0.type", "revolute");
    expect_text(t.out, "loops.0.parent", "rocker");
    expect_text(t.out, "loops.0.common_ancestor", "ground");
    expect_text(t.out, "loops.0.was_joint", "false");
    expect_text(t.out, "methods.5.question", "closed-forward");
    expect_text(t.out, "methods.5.method", "multipliers");
    expect_text(t.out, "methods.6.question", "closed-mixed");
    expect_text(t.out, "methods.7.question", "closed-inverse");
    expect_text(t.out, "methods.7.method", "least-norm");
    expect_text(t.out, "position", "neutral");
    static const double signs[] = {1, 1, -1};
    for (int i = 0; i < 3; i++) {
        char path[32];
        snprintf(path, sizeof path, "loop_matrix.%d", i);
        expect_numbers(t.out, path, 1, &signs[i]);
    }
    expect_numbers(t.out, "mobility.freedoms", 1, (double[]){1});
    expect_numbers(t.out, "mobility.conditions", 1, (double[]){5});
    expect_numbers(t.out, "mobility.rank", 1, (double[]){2});
    expect_numbers(t.out, "mobility.redundant", 1, (double[]){3});
    assert_null(strstr(zveno("info arm.urdf --json").out, "loop"));
    assert_null(strstr(zveno("info arm.urdf").out, "loop"));
}

/* A joint with "cut" is a loop of the same name, and a robot that is open at its neutral position is assembled. */
static void cut_joints_are_listed(void **state) {
    (void)state;
    put_file("cut.yaml", "zveno: 1\nname: cut\nlinks:\n  - {name: ground}\n  - {name: a, mass: 1, com: [0.5, 0, 0]}\n"
                         "  - {name: b, mass: 1, com: [0.5, 0, 0]}\n  - {name: c, mass: 1, com: [0.5, 0, 0]}\n"
                         "joints:\n  - {name: j1, type: continuous, parent: ground, child: a}\n"
                         "  - {name: j2, type: continuous, parent: a, child: b, origin: {xyz: [1, 0, 0]}}\n"
                         "  - {name: j3, type: continuous, parent: ground, child: c, origin: {xyz: [0, 1.5, 0]}}\n"
                         "  - {name: j4, type: revolute, parent: c, child: b, origin: {xyz: [1, 0, 0]}, cut: true}\n");
    Transcript t = zveno("info cut.yaml");
    expect_silence(t);
    expect_part(t.out, "cut joint\n");
    expect_part(t.out, "where the loops close near the neutral position: 1 degree of freedom");
    t = zveno("info cut.yaml --json");
    expect_text(t.out, "position", "assembled");
    expect_text(t.out, "loops.0.name", "j4");
    expect_text(t.out, "loops.0.was_joint", "true");
}

/* All links in one line: one freedom more than anywhere near. */
static void dead_centres_are_told(void **state) {
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s", four_bar);
    for (char *angle; (angle = strstr(text, "pi/3"));) memcpy(angle, "0.00", 4);
    put_file("flat.yaml", text);
    Transcript t = zveno("info flat.yaml");
    expect_silence(t);
    expect_part(t.out, "at the neutral position: 2 degrees of freedom: 3 of the tree less 5 conditions of rank 1");
    expect_part(t.out, "\nthat position is singular; nearby: 1 degree of freedom: ");
    t = zveno("info flat.yaml --json");
    expect_numbers(t.out, "mobility.freedoms", 1, (double[]){2});
    expect_numbers(t.out, "nearby.freedoms", 1, (double[]){1});
    t = zveno("forward flat.yaml --json"); /* finite at the very point */
    expect_code(t, 0);
    assert_true(isfinite(number_at(t.out, "a.0")));
    expect_part(t.err, "note: state 1 is at a singular position: 2 degrees of freedom there, 1 nearby\n");
    expect_part(zveno("reduce flat.yaml").err, "note: state 1 is at a singular position: 2 degrees");
    put_file("bar.yaml", four_bar);
    assert_null(strstr(zveno("forward bar.yaml").err, "singular"));
}

static void forward_agrees_with_hand(void **state) {
    (void)state;
    static const char *const methods[] = {"", "--method multipliers", "--method partition"};
    const double q = 0.3, w = 1.7, tau = 4, theta = pi / 3 + q;
    const double alpha = (tau - reduced_gravity(theta)) / reduced_inertia();
    double F[6] = {0};
    hinge_force(theta, w, alpha, F);
    put_file("bar.yaml", four_bar);
    for (int i = 0; i < 3; i++) {
        char words[128];
        snprintf(words, sizeof words, "forward bar.yaml --state - --json %s", methods[i]);
        Transcript t = zveno_with("{q: [0.3, -0.3, 0.3], v: [1.7, -1.7, 1.7], tau: [4, 0, 0]}", words);
        expect_code(t, 0);
        expect_close(t.out, "a", 3, (double[]){alpha, -alpha, alpha});
        expect_text(t.out, "loops.0.name", "C");
        expect_close(t.out, "loops.0.wrench", 6, F);
        /* linear directions along the rocker's axes; the other two rows are redundant */
        const double c = cos(theta), s = sin(theta);
        expect_close(t.out, "lambda", 5, (double[]){c * F[0] + s * F[1], -s * F[0] + c * F[1], 0, 0, 0});
        assert_string_equal(t.err, "zveno: note: conditions of the loops repeat each other in 1 of 1 state: the loop "
                                   "forces are those of least norm\n");
    }
    expect_failure(zveno("forward bar.yaml --method articulated"), 2, "closed loops, found \"articulated\"");
    expect_failure(zveno("forward arm.urdf --method partition"), 2, "closed loops, found \"partition\"");
    expect_part(zveno("forward bar.yaml --method articulated").err, "known: multipliers partition");
    const Transcript t = zveno("forward bar.yaml");
    expect_part(t.out, "\nloop forces of parent on child, in the loop's child frame\nloop ");
    expect_part(zveno("help forward").out, "Methods for robots with loops\n  multipliers ");
}

static void open_states_are_doubted(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    Transcript t = zveno_with("[{}, {q: [0.3, 0, 0]}]", "forward bar.yaml --state -");
    expect_code(t, 0);
    expect_part(t.err, "warning: the loops are not closed in 1 of 2 states, first state 2: loop \"C\" has a gap of ");
    expect_part(t.err, "zveno assemble closes them");
    t = zveno_with("{v: [1, 0, 0]}", "mixed bar.yaml --state -");
    expect_code(t, 0);
    expect_part(t.err, "the loops are not closed in 1 of 1 state, first state 1: loop \"C\" has a gap of 0 (of the "
                       "robot's size, or rad) and a rate");
    t = zveno_with("{q: [0.3, 0, 0]}", "reduce bar.yaml --state -");
    assert_null(strstr(t.err, "not closed"));
}

static void inverse_agrees_with_hand(void **state) {
    (void)state;
    const double theta = pi / 3, alpha = 2, x = reduced_inertia() * alpha + reduced_gravity(theta);
    double F[6] = {0};
    put_file("bar.yaml", four_bar);
    /* one drive */
    Transcript t = zveno_with("{a: [2, -2, 2]}", "inverse bar.yaml --state - --json --actuated A --reactions");
    expect_code(t, 0);
    hinge_force(theta, 0, alpha, F);
    expect_close(t.out, "tau", 3, (double[]){x, 0, 0});
    expect_close(t.out, "loops.0.wrench", 6, F);
    assert_true(number_at(t.out, "missing") < 1e-10);
    /* the rocker's pivot gives it its acceleration, bears its weight, and what it does to the coupler */
    const double c = cos(theta), s = sin(theta), a = L / 2 * alpha;
    const double Rx = -M_ROCKER * a * s + F[0], Ry = M_ROCKER * (a * c + G0) + F[1];
    expect_close(t.out, "reactions.D", 6, (double[]){c * Rx + s * Ry, -s * Rx + c * Ry, 0, 0, 0, 0});
    /* drives everywhere: of all tau with P^T tau = x the one of least norm */
    t = zveno_with("{a: [2, -2, 2]}", "inverse bar.yaml --state - --json");
    expect_close(t.out, "tau", 3, (double[]){x / 3, -x / 3, x / 3});
    t = zveno_with("{a: [2, 0, 2]}", "inverse bar.yaml --state -");
    expect_failure(t, 3, "contradict the loops");
    expect_failure(zveno("inverse arm.urdf --actuated swing"), 2,
                   "expected a robot with loops for --actuated, found none");
    t = zveno("inverse bar.yaml --actuated A,E");
    expect_failure(t, 1, "expected a known joint or degree of freedom, found \"E\"");
    expect_part(t.err, "known: A B D\n");
    expect_failure(zveno("inverse bar.yaml --actuated C"), 1, "\"C\" is a loop, not a joint of the tree");
}

/* A pendulum beside the loop has no drive: it stays without the moment that would hold it. */
static void missing_drives_are_told(void **state) {
    (void)state;
    char text[4096];
    put_file("bar.yaml", four_bar);
    const char *joints = strstr(four_bar, "joints:\n"), *loops = strstr(four_bar, "loops:\n");
    snprintf(text, sizeof text,
             "%.*s  - {name: bob, mass: 1, com: [0.25, 0, 0]}\n%.*s"
             "  - {name: E, type: continuous, parent: ground, child: bob}\n%s",
             (int)(joints - four_bar), four_bar, (int)(loops - joints), joints, loops);
    put_file("two.yaml", text);
    const Transcript t = zveno("inverse two.yaml --actuated A --json");
    expect_code(t, 0);
    expect_part(t.err, "state 1: the drives cannot give this acceleration; a force of norm 2.4525 is missing");
    expect_close(t.out, "missing", 1, (double[]){G0 * 0.25});
    expect_close(t.out, "tau", 4, (double[]){reduced_gravity(pi / 3), 0, 0, 0});
}

static void mixed_agrees_with_hand(void **state) {
    (void)state;
    const double alpha = 2, x = reduced_inertia() * alpha + reduced_gravity(pi / 3);
    put_file("bar.yaml", four_bar);
    Transcript t = zveno_with("{given: [a, tau, tau], a: [2, 0, 0]}", "mixed bar.yaml --state - --json");
    expect_code(t, 0);
    expect_close(t.out, "a", 3, (double[]){alpha, -alpha, alpha});
    expect_close(t.out, "tau", 3, (double[]){x, 0, 0});
    expect_text(t.out, "loops.0.name", "C");
    t = zveno_with("{given: [a, tau, a], a: [2, 0, 1]}", "mixed bar.yaml --state -");
    expect_failure(t, 3, "contradict the loops");
    t = zveno_with("{given: [a, tau, a], a: [2, 0, 2]}", "mixed bar.yaml --state - --json");
    expect_code(t, 0);
    expect_close(t.out, "a", 3, (double[]){alpha, -alpha, alpha});
}

/* Two discs on gears, q1 + 2 q2 = 0: J1 a1 = tau + lambda, J2 a2 = 2 lambda. */
static void couplings_have_multipliers(void **state) {
    (void)state;
    const double J1 = 0.3, J2 = 0.8, tau = 5, a = tau / (J1 + J2 / 4);
    put_file("gears.yaml", "zveno: 1\nname: gears\nlinks:\n  - {name: ground}\n"
                           "  - {name: d1, mass: 1, inertia: [0.3, 0.3, 0.3]}\n"
                           "  - {name: d2, mass: 1, inertia: [0.8, 0.8, 0.8]}\n"
                           "joints:\n  - {name: j1, type: continuous, parent: ground, child: d1}\n"
                           "  - {name: j2, type: continuous, parent: ground, child: d2}\n"
                           "loops:\n  - {name: teeth, type: coupling, terms: {j1: 1, j2: 2}}\n");
    Transcript t = zveno_with("{tau: [5, 0]}", "forward gears.yaml --state - --json");
    expect_silence(t);
    expect_close(t.out, "a", 2, (double[]){a, -a / 2});
    expect_close(t.out, "loops.0.multiplier", 1, (double[]){J1 * a - tau});
    t = zveno_with("{tau: [5, 0]}", "forward gears.yaml --state -");
    expect_part(t.out, "\nmultiplier of coupling teeth: -2\n");
    assert_null(strstr(t.out, "loop forces"));
    t = zveno("info gears.yaml");
    expect_part(t.out, "teeth  coupling  joints j1, j2");
}

static void tree_answers_say_so(void **state) {
    (void)state;
    static const char *const verbs[] = {"mass bar.yaml", "terms bar.yaml", "frame bar.yaml --frame coupler"};
    put_file("bar.yaml", four_bar);
    for (int i = 0; i < 3; i++) {
        char words[128];
        expect_part(zveno(verbs[i]).out,
                    "\nof the spanning tree: 1 loop is left open; zveno reduce gives the equations");
        snprintf(words, sizeof words, "%s --json", verbs[i]);
        expect_text(zveno(words).out, "of", "spanning tree");
    }
    assert_null(strstr(zveno("terms arm.urdf").out, "spanning"));
    expect_failure(zveno_with("{q: [1, 0, 0]}", "modes bar.yaml --state -"), 3,
                   "expected a position that closes the loops");
}

static double swing(double theta) { return -reduced_gravity(theta) / reduced_inertia(); }

/* D theta'' = -G(theta) by a Runge-Kutta method of its own. */
static void integrate(double *theta, double *w, double h, int steps) {
    for (int i = 0; i < steps; i++) {
        const double k1 = swing(*theta), k2 = swing(*theta + h / 2 * *w);
        const double k3 = swing(*theta + h / 2 * (*w + h / 2 * k1)), k4 = swing(*theta + h * (*w + h / 2 * k2));
        *theta += h * *w + h * h / 6 * (k1 + k2 + k3);
        *w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
}

static void simulation_tells_of_loops(void **state) {
    (void)state;
    double theta = pi / 3, w = 0;
    put_file("bar.yaml", four_bar);
    put_file("fall.yaml", "zveno_scenario: 1\nmodel: bar.yaml\nduration: 0.25\n"
                          "integrator: {method: rk4, step: 0.001}\n");
    Transcript t = zveno("simulate fall.yaml --quiet --json");
    expect_silence(t);
    integrate(&theta, &w, 1e-3, 250);
    assert_true(fabs(number_at(t.out, "q.0") - (theta - pi / 3)) < 1e-9);
    assert_true(fabs(number_at(t.out, "v.2") - w) < 1e-8);
    assert_true(number_at(t.out, "loops.residual") <= 1e-12);
    assert_true(number_at(t.out, "loops.rate") <= 1e-11);
    expect_numbers(t.out, "loops.mobility.redundant", 1, (double[]){3});
    t = zveno("simulate fall.yaml --quiet");
    expect_silence(t);
    expect_part(t.out, "\nloops             residuals up to ");
    expect_part(t.out, "; 3 of 5 conditions are redundant\n");
}

/* Elastic links have room for external forces of their own. */
static void forces_on_elastic_links(void **state) {
    (void)state;
    put_file("boom.yaml", "zveno: 1\nname: boom\ngravity: [0, 0, 0]\nlinks:\n  - {name: base}\n"
                          "  - {name: boom, beam: {length: 1, EIy: 200, EIz: 100, EA: 1e6, rhoA: 1, "
                          "shapes: clamped-free, modes: {y: 3, z: 3}}}\n"
                          "joints:\n  - {name: root, type: continuous, parent: base, child: boom}\n"
                          "frames:\n  - {name: tip, link: boom, pose: {xyz: [1, 0, 0]}}\n");
    const Transcript t = zveno_with("[{fext: {tip: [0, 3, 0, 0, 0, 0]}}, {}]", "forward boom.yaml --state - --json");
    expect_silence(t);
    assert_true(number_at(t.out, "0.a.1") > 0);
    expect_numbers(t.out, "1.a", 7, (double[7]){0});
}

/* Sections that are turned by more than a turn: beyond, rotations mean nothing (they gave 7e11 with exit code 0). The
 * tip of this shape turns by 1.3765 y1. */
static void turned_elastic_links(void **state) {
    (void)state;
    put_file("twist.yaml",
             "zveno: 1\nname: twist\nlinks:\n  - {name: base}\n"
             "  - {name: boom, beam: {length: 1, EIy: 200, EIz: 100, rhoA: 1, shapes: clamped-free, modes: "
             "{y: 1}}}\njoints:\n  - {name: root, type: continuous, parent: base, child: boom}\n"
             "frames:\n  - {name: tip, link: boom, pose: {xyz: [1, 0, 0]}}\n");
    expect_silence(zveno_with("{q: [0, 4]}", "frame twist.yaml --frame tip --state - --json"));
    expect_failure(
        zveno_with("[{q: [0, 4]}, {q: [0, 400]}]", "frame twist.yaml --frame tip --state - --json"), 3,
        "state 2: expected sections of elastic links to turn by less than a turn (6.283 rad), found 550.6 rad "
        "of link \"boom\"; give smaller elastic coordinates\n");
    expect_failure(zveno_with("{q: [0, -5]}", "inverse twist.yaml --state -"), 3, "found 6.88");
}

TESTS_BETWEEN(make_folder, remove_folder, loops_are_listed, cut_joints_are_listed, dead_centres_are_told,
              forward_agrees_with_hand, open_states_are_doubted, inverse_agrees_with_hand, missing_drives_are_told,
              mixed_agrees_with_hand, couplings_have_multipliers, tree_answers_say_so, forces_on_elastic_links,
              turned_elastic_links, simulation_tells_of_loops)
