/* Verbs on robots with flexible joints: a link and a rotor whose answers can be written by hand. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

#include "support/near.h"

static const double g = 9.81;
/* One arm of 2 kg at 0.5 m, I = 0.6 about its axis; on the link side J = 0.8, k = 1200, d, motor damping 1. */
static const double I = 0.6, J = 0.8, k = 1200;

static void put_arm(const char *file, const char *more) {
    char text[1024];
    snprintf(text, sizeof text,
             "zveno: 1\nname: geared\nlinks:\n - {name: base}\n"
             " - {name: bob, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0, 0, 0.1, 0, 0.1]}\njoints:\n"
             " - {name: swing, type: continuous, parent: base, child: bob, axis: [0, -1, 0], damping: 0.3,\n"
             "    flexible: {stiffness: 1200, inertia: 8e-5, ratio: -100, motor_damping: 1e-4%s}}\n",
             more);
    put_file(file, text);
}

static int prepare(void **state) {
    const int failed = make_folder(state);
    put_arm("geared.yaml", "");
    put_arm("damped.yaml", ", damping: 5");
    put_file("spun.yaml",
             "zveno: 1\nname: spun\ngravity: [0, 0, 0]\nlinks:\n - {name: base}\n - {name: disk, mass: 1, inertia: "
             "[0.4, 0.4, 0.5]}\n - {name: wheel, mass: 1, inertia: [0.1, 0.1, 0.2]}\njoints:\n - {name: one, type: "
             "continuous, parent: base, child: disk, axis: z}\n - {name: two, type: continuous, parent: disk, child: "
             "wheel, axis: z,\n    flexible: {stiffness: 100, inertia: 0.01, ratio: 10, rotor_axis: z}}\n");
    return failed;
}

/* weight and its derivatives along q = 0.3, v = 1, a = 2, jerk 3, snap 4 */
static void inverse(void **state) {
    (void)state;
    const double q = 0.3, v = 1, a = 2, jerk = 3, snap = 4, w = 2 * g * 0.5;
    const double tau = I * a + w * cos(q), rate = I * jerk - w * sin(q) * v;
    const double second = I * snap - w * (cos(q) * v * v + sin(q) * a);
    static const char line[] = "{q: [0.3], v: [1], a: [2], jerk: [3], snap: [4]}";
    Transcript t = zveno_with(line, "inverse geared.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "gear", 1, &tau);
    expect_numbers(t.out, "theta", 1, (double[]){q + tau / k});
    expect_numbers(t.out, "theta_rate", 1, (double[]){v + rate / k});
    expect_numbers(t.out, "theta_second", 1, (double[]){a + second / k});
    expect_numbers(t.out, "tau", 1, (double[]){J * (a + second / k) + tau + 1 * (v + rate / k)});
    t = zveno_with(line, "inverse geared.yaml --state - --json --passive");
    expect_numbers(t.out, "gear", 1, (double[]){tau + 0.3 * v});
    expect_numbers(t.out, "theta_second", 1, (double[]){a + (second + 0.3 * jerk) / k});
    t = zveno_with("{q: [0.3], v: [1], a: [2], jerk: [3], theta: [0.31]}", "inverse damped.yaml --state - --json");
    expect_silence(t);
    const double slip = (tau - k * (0.31 - q)) / 5;
    expect_numbers(t.out, "theta", 1, (double[]){0.31});
    expect_numbers(t.out, "theta_rate", 1, (double[]){v + slip});
    expect_numbers(t.out, "theta_second", 1, (double[]){a + (rate - k * slip) / 5});
    t = zveno_with("{q: [0.3], a: [2]}", "inverse geared.yaml --state - --json --motors none");
    expect_silence(t);
    expect_numbers(t.out, "tau", 1, &tau);
    assert_null(strstr(t.out, "theta"));
}

/* What inverse prints is a state for forward, which finds the motion again. */
static void inverse_into_forward(void **state) {
    (void)state;
    static const char line[] = "{q: [0.3], v: [1], a: [2], jerk: [3], snap: [4]}";
    const double second = I * 4 - 2 * g * 0.5 * (cos(0.3) + sin(0.3) * 2);
    for (int passive = 0; passive < 2; passive++) {
        Transcript t = zveno_with(line, passive ? "inverse geared.yaml --state - --json --passive"
                                                : "inverse geared.yaml --state - --json");
        char *answer = strdup(t.out);
        assert_non_null(answer);
        t = zveno_with(answer, passive ? "forward geared.yaml --state - --json --passive"
                                       : "forward geared.yaml --state - --json");
        expect_silence(t);
        expect_numbers(t.out, "a", 1, (double[]){2});
        expect_numbers(t.out, "theta_second", 1, (double[]){2 + (second + (passive ? 0.3 * 3 : 0)) / k});
        free(answer);
    }
}

static void forward(void **state) {
    (void)state;
    static const char line[] = "{q: [0.3], v: [1], theta: [0.32], theta_rate: [1.5], tau: [7]}";
    const double gear = k * 0.02, w = 2 * g * 0.5 * cos(0.3);
    Transcript t = zveno_with(line, "forward geared.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "gear", 1, &gear);
    expect_numbers(t.out, "a", 1, (double[]){(gear - w) / I});
    expect_numbers(t.out, "theta_second", 1, (double[]){(7 - gear - 1.5) / J});
    t = zveno_with(line, "forward damped.yaml --state - --json --passive --method mass");
    expect_silence(t);
    expect_numbers(t.out, "gear", 1, (double[]){gear + 5 * 0.5});
    expect_numbers(t.out, "a", 1, (double[]){(gear + 5 * 0.5 - w - 0.3) / I});
    t = zveno_with("{q: [0.3], v: [1]}", "forward geared.yaml --state -"); /* unstretched, motors go with the link */
    expect_part(t.out, "-1.25 ");                                          /* motor damping 1 over 0.8 */
    t = zveno_with("{q: [0.3], theta: [1 deg, 2]}", "forward geared.yaml --state -");
    expect_failure(t, 1, "theta: expected 1 entries, found 2");
}

static void terms(void **state) {
    (void)state;
    Transcript t =
        zveno_with("{q: [0.3], v: [1], theta: [0.32], theta_rate: [1.5]}", "terms damped.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "motors.inertia", 1, &J);
    expect_numbers(t.out, "motors.spring", 1, (double[]){k * 0.02});
    expect_numbers(t.out, "motors.damper", 1, (double[]){5 * 0.5});
    expect_numbers(t.out, "motors.friction", 1, (double[]){1.5});
    expect_numbers(t.out, "energy.gears", 1, (double[]){0.5 * k * 0.0004});
    expect_numbers(t.out, "energy.rotors", 1, (double[]){0.5 * J * 2.25});
    t = zveno_with("{q: [0.3]}", "terms geared.yaml --state - --json --motors none");
    expect_silence(t);
    assert_null(strstr(t.out, "motors"));
}

/* Two masses and a spring without weight; hanging and locked a spring and a weight side by side. */
static void modes(void **state) {
    (void)state;
    Transcript t = zveno("modes geared.yaml --json --gravity 0,0,0");
    expect_silence(t);
    expect_text(t.out, "motors", "free");
    expect_numbers(t.out, "modes.0.frequency", 1, (double[]){0});
    t = zveno("modes geared.yaml --json --motors locked --gravity 0,0,-20");
    expect_numbers(t.out, "modes.0.frequency", 1, (double[]){sqrt(k / I)});
    expect_text(t.out, "motors", "locked");
    t = zveno_with("{theta: [0.2]}", "modes geared.yaml --json --motors locked --equilibrium --state -");
    expect_code(t, 0);
    zvDocument *document = parse(t.out);
    double q = NAN;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), "q.0"), "q", &q, NULL), ZV_OK);
    zv_document_destroy(document);
    assert_near(k * (0.2 - q), 2 * g * 0.5 * cos(q), 1e-9);
    t = zveno_with("{tau: [5]}", "modes geared.yaml --json --equilibrium --state -");
    expect_code(t, 0);
    expect_numbers(t.out, "q", 1, (double[]){-acos(5 / g)});
    expect_numbers(t.out, "theta", 1, (double[]){-acos(5 / g) + 5 / k});
    t = zveno("modes geared.yaml --joints locked");
    expect_part(t.out, "joints locked, motors locked: nothing is left that could move");
    t = zveno("modes geared.yaml --motors none");
    expect_part(t.out, "joints free");
    t = zveno("modes geared.yaml --shapes --count 2");
    expect_part(t.out, "\nmotor swing");
}

static void refused(void **state) {
    (void)state;
    expect_failure(zveno("inverse damped.yaml"), 1,
                   "joint \"swing\": expected theta, where its motor stands, found none; its gear has damping (5 N m "
                   "s/rad or N s/m), and then the motion of the links does not tell its deflection; --motors none");
    expect_failure(zveno_with("{fext: {bob: [0, 0, 1, 0, 0, 0]}}", "inverse geared.yaml --state -"), 1,
                   "expected no fext beside motors of flexible joints, found some");
    put_arm("bad.yaml", ", cubic: -3"); /* at the value, not at the joint */
    expect_failure(zveno("inverse bad.yaml"), 1, "bad.yaml:8:89: joint \"swing\": expected zero or more for the cubic");
    put_arm("bad.yaml", ", law: [[0.1, 9], [0.2, 5]]");
    expect_failure(zveno("inverse bad.yaml"), 1, "bad.yaml:8:87: joint \"swing\": expected a law that rises");
    expect_failure(zveno("inverse geared.yaml --base free"), 1, "universal, curve, spherical or free joints");
    expect_failure(zveno("inverse geared.yaml --method path"), 2, "expected --motors none beside --method, found none");
    expect_failure(zveno("forward geared.yaml --motors locked"), 2,
                   "expected --motors free or none for zveno forward, found locked");
    expect_failure(zveno("forward geared.yaml --motors off"), 2, "expected --motors free|locked|none, found \"off\"");
    Transcript t = zveno("forward arm.urdf --motors free");
    expect_code(t, 0);
    expect_part(t.err, "the joints of this robot are rigid: --motors changes nothing");
    t = zveno_with("{theta: [0, 1], jerk: [1, 0]}", "forward arm.urdf --state -");
    expect_part(t.err, "the state has jerk, theta, which zveno forward does not take");
}

/* A wheel on a disk, all about one axis: the rotor in the disk turns as it and ratio theta' together. */
static void rotor_with_an_axis(void **state) {
    (void)state;
    const double gear = 100 * 0.03, torque = (7 - gear) / 10, one = (1 - gear - torque) / 0.49;
    Transcript t = zveno_with("{q: [0.2, 0.1], v: [1, 2], theta: [0, 0.13], theta_rate: [0, 3], tau: [1, 7]}",
                              "forward spun.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "a", 2, (double[]){one, gear / 0.2 - one});
    expect_numbers(t.out, "theta_second", 2, (double[]){one, (torque / 0.01 - one) / 10});
    t = zveno_with("{v: [1, 2], theta_rate: [0, 3]}", "terms spun.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "momentum", 2, (double[]){0.49 + 0.2 * 3, 0.2 * 3});
    expect_numbers(t.out, "motors.coupling.0", 2, (double[]){0, 0.1});
    expect_numbers(t.out, "energy.rotors", 1, (double[]){0.5 * 0.01 * 31 * 31});
    expect_numbers(t.out, "centroidal_momentum", 6, (double[]){0, 0, 0, 0, 0, 0.49 + 0.6 + 0.31});
    /* the wheel's gear has 0.2 (a1 + a2); the disk has the rest of the turning, the spin of the rotor among it */
    const double bent = 0.2 * (3 + 4) / 100, theta = 4 + 0.2 * (5 + 6) / 100, spin = 0.01 * (10 * theta + 3);
    t = zveno_with("{a: [3, 4], snap: [5, 6]}", "inverse spun.yaml --state - --json");
    expect_silence(t);
    expect_numbers(t.out, "gear", 2, (double[]){0.49 * 3 + 1.4 + spin, 1.4});
    expect_numbers(t.out, "theta", 2, (double[]){0, bent});
    expect_numbers(t.out, "theta_second", 2, (double[]){3, theta});
    expect_numbers(t.out, "tau", 2, (double[]){0.49 * 3 + 1.4 + spin, 1.4 + 10 * spin});
    t = zveno_with("{}", "mass spun.yaml --state -");
    assert_non_null(strstr(t.err, "rotors with a rotor_axis turn freely"));
}

TESTS_BETWEEN(prepare, remove_folder, inverse, inverse_into_forward, forward, terms, modes, refused, rotor_with_an_axis)
