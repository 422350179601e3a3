/* --passive of inverse, forward, mixed and terms, on an arm whose equations can be written by hand.
 *
 * slide x along the horizontal, mass 2 + 1; swing s about a horizontal axis across it, 1 kg at 1 m with 0.1 kg m^2:
 *   M = (3, -sin s; -sin s, 1.1)    C v = (-cos s s'^2, 0)    g = (0, -9.81 cos s)   for y down the swing, see below */
#define _XOPEN_SOURCE 700
#include "process.h"
#include "support/run_tests.h"

#include <math.h>

static const char arm[] =
    "zveno: 1\nname: cart\nlinks:\n"
    " - {name: base}\n - {name: cart, mass: 2, inertia: [1, 0, 0, 1, 0, 1]}\n"
    " - {name: bob, mass: 1, com: [1, 0, 0], inertia: [0.1, 0, 0, 0.1, 0, 0.1]}\njoints:\n"
    " - {name: slide, type: prismatic, parent: base, child: cart, axis: x, damping: 3, friction: 2,\n"
    "    spring: {stiffness: 50, rest: 0.1}}\n"
    " - {name: swing, type: continuous, parent: cart, child: bob, axis: y, damping: 0.5, friction: "
    "0.4}\n";

#define STATE "q: [0.3, 0.7], v: [0.02, -1.5]"
static const double x = 0.3, s = 0.7, u = 0.02, w = -1.5, g = 9.81;

/* M a + C v + g of the arm: bob at (x + cos s, 0, -sin s). */
static void needed(const double a[2], double tau[2]) {
    tau[0] = 3 * a[0] - sin(s) * a[1] - cos(s) * w * w;
    tau[1] = -sin(s) * a[0] + 1.1 * a[1] - g * cos(s);
}

static void shares(double smoothing, double spring[2], double viscous[2], double dry[2]) {
    const double v[2] = {u, w}, d[2] = {3, 0.5}, f[2] = {2, 0.4};
    spring[0] = -50 * (x - 0.1), spring[1] = 0;
    for (int i = 0; i < 2; i++) {
        viscous[i] = -d[i] * v[i];
        dry[i] = -f[i] * (smoothing > 0 ? tanh(v[i] / smoothing) : (v[i] > 0) - (v[i] < 0));
    }
}

static int prepare(void **state) {
    const int made = make_folder(state);
    put_file("cart.yaml", arm);
    return made;
}

static void expect_shares(const char *out, double smoothing) {
    double spring[2], viscous[2], dry[2];
    shares(smoothing, spring, viscous, dry);
    expect_numbers(out, "passive.spring", 2, spring);
    expect_numbers(out, "passive.viscous", 2, viscous);
    expect_numbers(out, "passive.dry", 2, dry);
}

static void inverse(void **state) {
    (void)state;
    static const double widths[3] = {0.01, 0.05, 0};
    static const char *const words[3] = {"", " --smoothing 0.05", " --smoothing 0"};
    for (int i = 0; i < 3; i++) {
        char line[128];
        double spring[2], viscous[2], dry[2], tau[2];
        snprintf(line, sizeof line, "inverse cart.yaml --state - --json --passive%s", words[i]);
        const Transcript t = zveno_with("{" STATE ", a: [2, -3]}", line);
        expect_silence(t);
        expect_shares(t.out, widths[i]);
        shares(widths[i], spring, viscous, dry);
        needed((double[]){2, -3}, tau);
        for (int k = 0; k < 2; k++) tau[k] -= spring[k] + viscous[k] + dry[k];
        expect_numbers(t.out, "tau", 2, tau);
    }
}

/* Of every method: tau + shares cause a, for which needed() gives them back. */
static void forward(void **state) {
    (void)state;
    double spring[2], viscous[2], dry[2], bias[2], r[2];
    shares(0.01, spring, viscous, dry);
    needed((double[]){0, 0}, bias);
    for (int k = 0; k < 2; k++) r[k] = (k ? -1 : 4) + spring[k] + viscous[k] + dry[k] - bias[k];
    const double c = -sin(s), det = 3.3 - c * c, a[2] = {(1.1 * r[0] - c * r[1]) / det, (3 * r[1] - c * r[0]) / det};
    static const char *const methods[2] = {"articulated", "mass"};
    for (int i = 0; i < 2; i++) {
        char line[128];
        snprintf(line, sizeof line, "forward cart.yaml --state - --json --passive --method %s", methods[i]);
        const Transcript t = zveno_with("{" STATE ", tau: [4, -1]}", line);
        expect_silence(t);
        expect_numbers(t.out, "a", 2, a);
        expect_shares(t.out, 0.01);
    }
}

static void mixed(void **state) {
    (void)state;
    double spring[2], viscous[2], dry[2], tau[2];
    shares(0.01, spring, viscous, dry);
    needed((double[]){0, 0}, tau);
    const double a = (-1 + viscous[1] + dry[1] - tau[1] + sin(s) * 2) / 1.1; /* of the swing while the slide has 2 */
    needed((double[]){2, a}, tau);
    const Transcript t = zveno_with("{" STATE ", given: [a, tau], a: [2, 9], tau: [9, -1]}",
                                    "mixed cart.yaml --state - --json --passive");
    expect_silence(t);
    expect_numbers(t.out, "a", 2, (double[]){2, a});
    expect_numbers(t.out, "tau", 2, (double[]){tau[0] - spring[0] - viscous[0] - dry[0], -1});
    expect_shares(t.out, 0.01);
}

static void terms(void **state) {
    (void)state;
    double bias[2];
    needed((double[]){0, 0}, bias);
    Transcript t = zveno_with("{" STATE "}", "terms cart.yaml --state - --json --passive");
    expect_silence(t);
    expect_numbers(t.out, "bias", 2, bias); /* as without */
    expect_numbers(t.out, "energy.springs", 1, (double[]){25 * (x - 0.1) * (x - 0.1)});
    expect_shares(t.out, 0.01);
    t = zveno_with("{" STATE "}", "terms cart.yaml --state - --json");
    assert_null(strstr(t.out, "passive"));
    assert_null(strstr(t.out, "springs"));
}

static void tables_have_units(void **state) {
    (void)state;
    Transcript t = zveno_with("{" STATE "}", "inverse cart.yaml --state - --passive");
    expect_silence(t);
    expect_part(t.out, "spring [unit]");
    expect_part(t.out, "-10  N ");
    expect_part(t.out, "0.75  N m");
    t = zveno_with("{" STATE "}", "terms cart.yaml --state - --passive");
    expect_part(t.out, "energy of joint springs [J]        1\n");
}

static void wrong_words(void **state) {
    (void)state;
    expect_failure(zveno("inverse cart.yaml --smoothing 0.1"), 2,
                   "expected --passive beside --smoothing, found none; friction acts with --passive only");
    expect_failure(zveno("forward cart.yaml --passive --smoothing -1"), 2, "expected --smoothing V, found \"-1\"");
    expect_failure(zveno("mass cart.yaml --passive"), 2, "--passive");
    const Transcript t = zveno("inverse arm.urdf --passive --json");
    expect_code(t, 0);
    expect_part(t.err,
                "zveno: note: the joints of this robot have no springs, damping or friction: --passive adds nothing");
    expect_numbers(t.out, "passive.dry", 2, (double[]){0, 0});
}

/* Gears of the file are no part of these answers, which say so (of others: test_motors.c); the equations in letters
 * have them when asked. */
static void gears_are_told(void **state) {
    (void)state;
    static const char told[] = "zveno: note: gear and motor of joint \"swing\" are left out: ";
    put_file("geared.yaml", "zveno: 1\nname: pendulum\nlinks:\n - {name: base}\n"
                            " - {name: bob, mass: 1, com: [1, 0, 0], inertia: [0.1, 0, 0, 0.1, 0, 0.1]}\njoints:\n"
                            " - {name: swing, type: continuous, parent: base, child: bob, axis: y,\n"
                            "    flexible: {stiffness: 1200, inertia: 8e-5, ratio: 100}}\n");
    static const char *const verbs[] = {"mixed", "mass"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s geared.yaml", verbs[i]);
        const Transcript t = zveno(line);
        expect_code(t, 0);
        expect_part(t.err, told);
    }
    expect_part(zveno("codegen geared.yaml -o code").err, told);
    expect_silence(zveno("codegen geared.yaml -o letters --language maxima --flexible all"));
    expect_silence(zveno("frame geared.yaml --frame bob"));
    put_file("stiffening.yaml",
             "zveno: 1\nname: pendulum\nlinks:\n - {name: base}\n"
             " - {name: bob, mass: 1, com: [1, 0, 0], inertia: [0.1, 0, 0, 0.1, 0, 0.1]}\njoints:\n"
             " - {name: swing, type: continuous, parent: base, child: bob, axis: y,\n"
             "    flexible: {stiffness: 1200, inertia: 8e-5, ratio: 100, cubic: 5, motor_damping: 1e-6}}\n");
    expect_silence(zveno("codegen stiffening.yaml -o letters --language maxima --flexible all"));
    size_t size;
    char *text = load_file("letters/pendulum.mac", &size);
    expect_part(text, "numbers: [Mm1 = 0.8, Kf1 = 1200, Df1 = 0, Kc1 = 5, Dm1 = 0.01];");
    expect_part(text, "Mm1*tha1 + Dm1*thv1 + Kf1*(th1 - q1) + Kc1*(th1 - q1)^3 + Df1*(thv1 - v1)]);");
    free(text);
    put_file("bent.yaml", "zveno: 1\nname: pendulum\nlinks:\n - {name: base}\n"
                          " - {name: bob, mass: 1, com: [1, 0, 0], inertia: [0.1, 0, 0, 0.1, 0, 0.1]}\njoints:\n"
                          " - {name: swing, type: continuous, parent: base, child: bob, axis: y,\n"
                          "    flexible: {stiffness: 1200, inertia: 8e-5, ratio: 100, rotor_axis: y}}\n");
    expect_failure(zveno("codegen bent.yaml -o letters --language maxima --flexible all"), 1,
                   "joint \"swing\": expected a gear with stiffness and cubic on a rotor that turns by itself, found "
                   "rotor_axis; leave it out of --flexible");
}

/* A damper of one freedom would take the matrix of all away. */
static void matrices_go_whole(void **state) {
    (void)state;
    put_file("table.yaml", "zveno: 1\nname: table\nlinks:\n - {name: base}\n"
                           " - {name: top, mass: 1, inertia: [0.1, 0, 0, 0.1, 0, 0.1]}\njoints:\n"
                           " - {name: slide, type: planar, parent: base, child: top, axis: z,\n"
                           "    damping: [[5, 1, 0], [1, 5, 0], [0, 0, 2]]}\n");
    put_file("one.yaml", "zveno_scenario: 1\nmodel: table.yaml\nduration: 0.01\njoints: {slide.x: {damping: 1}}\n");
    put_file("all.yaml", "zveno_scenario: 1\nmodel: table.yaml\nduration: 0.01\njoints: {slide: {damping: 1}}\n");
    expect_failure(zveno("simulate one.yaml --quiet -o one.csv"), 1,
                   "one.yaml:4:10: expected the whole joint \"slide\", since its damping is a matrix");
    expect_code(zveno("simulate all.yaml --quiet -o all.csv"), 0);
}

TESTS_BETWEEN(prepare, remove_folder, inverse, forward, mixed, terms, tables_have_units, wrong_words, gears_are_told,
              matrices_go_whole)
