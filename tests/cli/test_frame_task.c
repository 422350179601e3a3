/* lambda, mu and rho of "zveno frame" on the arm whose equations can be written by hand (test_answers.c). At s = 0 the
 * tip moves by x' = d', z' = -r s', hence, with m = 0.61 + r^2,
 *   lambda = diag(1, m / r^2)   mu = (0, 2 s' d' (m / r^2 - 1))   rho = (0, g (1 + r) / r) */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

static const double g = 9.81;

static void by_hand(void **state) {
    (void)state;
    const double r = 1.2, w = 1.5, u = -0.4, m = 0.61 + r * r;
    const Transcript t =
        zveno_with("{q: [0, 0.2], v: [1.5, -0.4]}", "frame arm.urdf --frame tip --task z,x --state - --json");
    expect_silence(t);
    expect_part(t.out, "\"task\": [\"x\", \"z\"]");
    expect_text(t.out, "status", "ok");
    expect_numbers(t.out, "lambda.0", 2, (double[]){1, 0});
    expect_numbers(t.out, "lambda.1", 2, (double[]){0, m / (r * r)});
    expect_numbers(t.out, "mu", 2, (double[]){0, 2 * w * u * (m / (r * r) - 1)});
    expect_numbers(t.out, "rho", 2, (double[]){0, g * (1 + r) / r});
    expect_numbers(t.out, "damping", 2, (double[]){0, 0});
    expect_part(t.out, "\"rcond\": 0.");
    assert_null(strstr(t.out, "\"note\""));
}

/* In the frame's own axes the same holds at every angle; gravity alone turns. */
static void in_local_axes(void **state) {
    (void)state;
    const double r = 1.2, m = 0.61 + r * r, s = 0.9;
    const Transcript t = zveno_with("{q: [0.9, 0.2]}", "frame arm.urdf --frame tip --task x,z --axes local --state - "
                                                       "--json");
    expect_silence(t);
    expect_numbers(t.out, "lambda.1", 2, (double[]){0, m / (r * r)});
    expect_numbers(t.out, "rho", 2, (double[]){-g * sin(s), g * (1 + r) * cos(s) / r});
}

static void degraded(void **state) {
    (void)state;
    Transcript t = zveno("frame arm.urdf --frame tool --json"); /* six rows, two joints */
    expect_silence(t);
    expect_text(t.out, "status", "degraded");
    expect_part(t.out, "\"task\": [\"x\", \"y\", \"z\", \"rx\", \"ry\", \"rz\"]");
    expect_part(t.out, "--task");
    expect_numbers(t.out, "rcond", 1, (double[]){0});
    t = zveno("frame arm.urdf --frame tool");
    expect_silence(t);
    expect_part(t.out, "degraded: 6 rows are asked of 2 degrees of freedom, damped; --task names fewer");
    expect_part(t.out, " 1/kg, ");
    expect_silence(zveno("frame arm.urdf --frame base --json")); /* nothing moves it */
    expect_text(zveno("frame arm.urdf --frame tip --task y --json").out, "status", "degraded");
}

/* A robot without inertia has no lambda, but still a pose and a Jacobian. */
static void singular(void **state) {
    (void)state;
    put_file("light.urdf", "<robot name=\"light\"><link name=\"a\"/><link name=\"b\"/>"
                           "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
                           "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 1\"/></joint></robot>");
    Transcript t = zveno("frame light.urdf --frame b --json");
    expect_code(t, 0);
    expect_numbers(t.out, "position", 3, (double[]){1, 0, 0});
    expect_text(t.out, "status", "singular");
    assert_null(strstr(t.out, "\"lambda\""));
    t = zveno("frame light.urdf --frame b");
    expect_code(t, 0);
    expect_part(t.out, "singular: a part without inertia");
}

static void rows(void **state) {
    (void)state;
    static const char *const bad[] = {"", "q", "x,", ",x", "x,x", "xyz,x", "full,rx", "X", "x y"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char words[128];
        snprintf(words, sizeof words, "frame arm.urdf --frame tip --task '%s'", bad[i]);
        expect_failure(zveno(words), 2, "expected --task xyz|rot|x,rz");
    }
    expect_part(zveno("frame arm.urdf --frame tip --task rot --json").out, "[\"rx\", \"ry\", \"rz\"]");
    expect_part(zveno("frame arm.urdf --frame tip --task=xyz,ry --json").out, "[\"x\", \"y\", \"z\", \"ry\"]");
    expect_failure(zveno("inverse arm.urdf --task x"), 2, "expected a known option of \"zveno inverse\"");
}

TESTS_BETWEEN(make_folder, remove_folder, by_hand, in_local_axes, degraded, singular, rows)
