/* "zveno ik" on an arm of two links and a four-bar whose positions are known, and along a path. */
#define _XOPEN_SOURCE 700
#include "four_bar.h"
#include "support/run_tests.h"

/* Links of 0.5 and 0.4 m in the plane z = 0. */
static const char planar[] =
    "{zveno: 1, name: planar, links: [{name: base}, {name: upper, mass: 1}, {name: lower, mass: 1}], joints: [{name: "
    "shoulder, type: continuous, parent: base, child: upper}, {name: elbow, type: continuous, parent: upper, child: "
    "lower, origin: {xyz: [0.5, 0, 0]}}], frames: [{name: tip, link: lower, pose: {xyz: [0.4, 0, 0]}}]}";

/* The law of cosines has two elbows. */
static void two_elbows(void **state) {
    (void)state;
    put_file("planar.yaml", planar);
    Transcript t = zveno("ik planar.yaml --frame tip --pose 0.3,0.5,0 --task x,y --guesses 40 --json");
    expect_silence(t);
    const double x = 0.3, y = 0.5, r = x * x + y * y, elbow = acos((r - 0.25 - 0.16) / (2 * 0.5 * 0.4));
    int seen = 0;
    for (int side = -1; side <= 1; side += 2) {
        const double b = side * elbow, a = atan2(y, x) - atan2(0.4 * sin(b), 0.5 + 0.4 * cos(b));
        for (int k = 0; k < 2; k++) {
            char path[16];
            snprintf(path, sizeof path, "%d.q.1", k);
            if (fabs(remainder(number_at(t.out, path) - b, 2 * acos(-1))) > 1e-9) continue;
            snprintf(path, sizeof path, "%d.q.0", k);
            assert_near(remainder(number_at(t.out, path) - a, 2 * acos(-1)), 0, 1e-10);
            seen++;
        }
    }
    assert_int_equal(seen, 2);
    /* what it prints is a state */
    put_file("answers.json", t.out);
    t = zveno("frame planar.yaml --state answers.json --frame tip --json");
    expect_code(t, 0);
    expect_close(t.out, "1.position", 3, (double[]){0.3, 0.5, 0});
    t = zveno("ik planar.yaml --frame tip --pose 1.2,0.5,0 --task x,y");
    expect_code(t, 3);
    expect_part(t.err, "the pose is out of reach of frame \"tip\": 0.4 m or rad is left");
    expect_part(zveno("ik planar.yaml --frame tip --pose 1,2").err, "expected --pose x,y,z, ");
    expect_part(zveno("ik planar.yaml --frame tip").err, "found neither");
    expect_part(zveno("ik planar.yaml --frame tipp --pose 1,2,3").err, "did you mean \"tip\"?");
}

/* The coupler of a parallelogram keeps its direction: its origin at B = L (cos, sin) of the crank's angle. */
static void loops_stay_closed(void **state) {
    (void)state;
    const double theta = 1.3;
    char words[160];
    put_file("bar.yaml", four_bar);
    snprintf(words, sizeof words, "ik bar.yaml --frame coupler --pose %.17g,%.17g,0 --json", L * cos(theta),
             L * sin(theta));
    const Transcript t = zveno(words);
    expect_silence(t);
    const double q = theta - acos(-1) / 3;
    expect_close(t.out, "0.q", 3, (double[]){q, -q, q});
    expect_part(zveno("ik bar.yaml --frame coupler --pose 0,0,0 --task x").err, "expected --task full or xyz");
}

static const char corner[] = "segments:\n"
                             "  - {line: {to: [0.6, 0.2, 0]}, duration: 1}\n"
                             "  - {line: {to: [0.6, -0.2, 0]}, duration: 1, blend: 0.5}\n"
                             "  - {arc: {center: [0.4, -0.2, 0], axis: [0, 0, 1], angle: -90 deg}, duration: 1}\n";

/* s of a quintic from rest to rest. */
static double quintic(double t) {
    t = fmin(fmax(t, 0), 1);
    return t * t * t * (10 + t * (6 * t - 15));
}

/* Every row by the forward kinematics written out: displacements of segments that overlap add up, ends are exact. */
static void path_is_followed(void **state) {
    (void)state;
    static char table[1 << 20];
    put_file("planar.yaml", planar);
    put_file("corner.yaml", corner);
    put_file("start.yaml", "{q: [-0.3, 1.2]}");
    Transcript t = zveno("ik planar.yaml --frame tip --task x,y --state start.yaml --path corner.yaml --every 0.02 -o "
                         "corner.csv --json");
    expect_silence(t);
    assert_near(number_at(t.out, "duration"), 2.5, 1e-12);
    assert_near(number_at(t.out, "rows"), 126, 0);
    get_file("corner.csv", table);
    const double x0 = 0.5 * cos(-0.3) + 0.4 * cos(0.9), y0 = 0.5 * sin(-0.3) + 0.4 * sin(0.9);
    int rows = 0;
    for (char *line = strtok(table, "\n"); line; line = strtok(NULL, "\n")) {
        double at, a, b;
        if (sscanf(line, "%lf,%lf,%lf", &at, &a, &b) != 3) continue;
        const double angle = -acos(-1) / 2 * quintic(at - 1.5);
        const double x = x0 + (0.6 - x0) * quintic(at) + 0.2 * (cos(angle) - 1),
                     y = y0 + (0.2 - y0) * quintic(at) - 0.4 * quintic(at - 0.5) + 0.2 * sin(angle);
        near_about("t = %g", at);
        assert_near(0.5 * cos(a) + 0.4 * cos(a + b), x, 1e-11);
        assert_near(0.5 * sin(a) + 0.4 * sin(a + b), y, 1e-11);
        rows++;
    }
    assert_int_equal(rows, 126);
    put_file("far.yaml", "segments: [{line: {to: [2, 0, 0]}, duration: 1}]");
    t = zveno("ik planar.yaml --frame tip --task x,y --state start.yaml --path far.yaml -o far.csv");
    expect_code(t, 3);
    expect_part(t.err, "s of the path: the pose is out of reach");
    put_file("far.yaml", "segments: [{line: {to: [2, 0, 0]}}]");
    t = zveno("ik planar.yaml --frame tip --path far.yaml -o far.csv");
    expect_code(t, 1);
    expect_part(t.err, "far.yaml:1:12: expected the key \"duration\" of a segment, found none");
}

TESTS_BETWEEN(make_folder, remove_folder, two_elbows, loops_stay_closed, path_is_followed)
