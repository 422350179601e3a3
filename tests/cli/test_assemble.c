/* "zveno assemble", "zveno reduce" and "zveno check" on a parallelogram whose equations are known. */
#define _XOPEN_SOURCE 700
#include "four_bar.h"
#include "support/run_tests.h"

static const double pi = 3.141592653589793;

static void near_a_guess(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    Transcript t = zveno_with("{q: [0.3, -0.2, 0.35]}", "assemble bar.yaml --state - --hold A --json");
    expect_silence(t);
    expect_close(t.out, "q", 3, (double[]){0.3, -0.3, 0.3});
    expect_numbers(t.out, "v", 3, (double[]){0, 0, 0});
    assert_true(number_at(t.out, "residual") <= 1e-12);
    t = zveno("assemble bar.yaml");
    expect_silence(t);
    expect_part(t.out, "# residual ");
    expect_part(t.out, "\nq: [0, 0, 0]\n");
    expect_part(zveno("assemble arm.urdf").err, "zveno: note: the robot has no closed loops");
}

/* What it prints is a state: other verbs take it without a doubt, tables and JSON alike. */
static void answers_are_states(void **state) {
    (void)state;
    static const char *const forms[] = {"", "--json"};
    put_file("bar.yaml", four_bar);
    for (int i = 0; i < 2; i++) {
        char words[128];
        snprintf(words, sizeof words, "assemble bar.yaml --state - --hold A %s", forms[i]);
        Transcript t = zveno_with("{q: [0.3, -0.2, 0.35], v: [1.7, 0, 0], tau: [4, 0, 0]}", words);
        expect_silence(t);
        put_file("closed.yaml", t.out);
        t = zveno("forward bar.yaml --state closed.yaml --json");
        expect_code(t, 0);
        assert_null(strstr(t.err, "warning"));
        const double alpha = (4 - reduced_gravity(pi / 3 + 0.3)) / reduced_inertia();
        double F[6] = {0};
        hinge_force(pi / 3 + 0.3, 1.7, alpha, F);
        expect_close(t.out, "a", 3, (double[]){alpha, -alpha, alpha});
        expect_close(t.out, "loops.0.wrench", 6, F);
    }
    Transcript t = zveno_with("[{q: [0.1, 0, 0]}, {q: [0.2, 0, 0]}]", "assemble bar.yaml --state - --hold A");
    expect_silence(t);
    expect_part(t.out, "# state 2, residual ");
    put_file("closed.yaml", t.out);
    t = zveno("reduce bar.yaml --state closed.yaml --json");
    expect_code(t, 0);
    expect_close(t.out, "1.q", 3, (double[]){0.2, -0.2, 0.2});
}

/* With the crank held a parallelogram can also be crossed: C is the other point where the two circles meet. */
static void several_assemblies(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    Transcript t = zveno("assemble bar.yaml --hold A --guesses 60 --json");
    expect_silence(t);
    expect_close(t.out, "0.q", 3, (double[]){0, 0, 0});
    const double Bx = L * cos(pi / 3), By = L * sin(pi / 3), along = atan2(By, Bx - BASE);
    /* C and its image in the line from D to B */
    const double crossed = 2 * along - pi / 3, q2 = number_at(t.out, "1.q.2");
    assert_true(fabs(remainder(q2 + pi / 3 - crossed, 2 * pi)) < 1e-9);
    assert_true(fabs(number_at(t.out, "1.q.0")) == 0);
    assert_null(strstr(strstr(strstr(t.out, "\"q\"") + 1, "\"q\"") + 1, "\"q\""));
    t = zveno("assemble bar.yaml --hold A --guesses 60");
    expect_silence(t);
    expect_part(t.out, "# assembly 1 of 2, residual ");
    expect_part(t.out, "\n- q: [0, ");
    expect_failure(zveno("assemble bar.yaml --guesses 0"), 2, "expected --guesses N");
}

static void what_cannot_close_is_told(void **state) {
    (void)state;
    put_file("long.yaml", FOUR_BAR_LINKS("1.6")); /* 1.6 m between two ends at most 1.5 m apart */
    Transcript t = zveno("assemble long.yaml");
    expect_failure(t, 3, "loop \"C\" cannot close: nearest gap ");
    /* straight out: the circles of A and D, 0.4 + 0.4 + 0.7 m, leave 100 mm */
    const char *gap = strstr(t.err, "nearest gap ") + strlen("nearest gap ");
    assert_true(fabs(strtod(gap, NULL) - 100) < 1);
    expect_failure(zveno("assemble long.yaml --guesses 5 --json"), 3, "cannot close");
    expect_failure(zveno("reduce long.yaml"), 3, "cannot close");
    t = zveno("check long.yaml");
    expect_code(t, 0);
    expect_part(t.out, "warning: robot \"four_bar\": loop \"C\" cannot close");
    expect_part(t.out, "[closure]\n");
    put_file("bar.yaml", four_bar);
    t = zveno_with("{q: [0.3, 0, 0.1]}", "assemble bar.yaml --state - --hold A,D");
    expect_failure(t, 3, "cannot close");
    t = zveno("check bar.yaml");
    expect_code(t, 0);
    expect_part(t.out, "note: robot \"four_bar\": only 2 of the 5 conditions of its loops are independent");
}

/* Limits are those of the answer: D's angle there is A's. */
static void limits_are_those_of_answers(void **state) {
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s", four_bar);
    char *const at = strstr(text, "{name: D, type: continuous,") + strlen("{name: D, type: ");
    const char *const rest = strstr(four_bar, "{name: D, type: continuous,") + strlen("{name: D, type: continuous,");
    snprintf(at, sizeof text - (size_t)(at - text), "revolute, limits: {lower: -0.2, upper: 0.2},%s", rest);
    put_file("limited.yaml", text);
    expect_silence(zveno_with("{q: [0.1, -0.1, 0.25]}", "assemble limited.yaml --state - --hold A"));
    const Transcript t = zveno_with("{q: [0.3, -0.3, 0.15]}", "assemble limited.yaml --state - --hold A");
    expect_code(t, 0);
    expect_part(t.err, "1 of 1 answer lies outside joint limits, first answer 1: q[2] of joint \"D\" is 0.3");
}

/* A and D must have one angle: of the two wishes one is met. */
static void wishes_may_be_too_many(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    const Transcript t = zveno_with("{q: [0.3, 0, 0.1]}", "reduce bar.yaml --state - --independent A,D --json");
    expect_code(t, 0);
    expect_part(t.err, "state 1: \"D\" was moved: the loops do not close with it where it was\n");
    expect_close(t.out, "q", 3, (double[]){0.3, -0.3, 0.3});
    expect_text(t.out, "status", "degraded");
}

static void velocities_must_close(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    expect_code(zveno_with("{v: [1e200, 0, 0]}", "assemble bar.yaml --state -"), 0); /* up to rounding they do */
    expect_failure(zveno_with("{v: [1.7e308, 1.7e308, -1.7e308]}", "assemble bar.yaml --state -"), 3, "velocities");
}

static void reduction_agrees_with_hand(void **state) {
    (void)state;
    const double theta = pi / 3 + 0.3, D = reduced_inertia(), G = reduced_gravity(theta), tau = 4;
    const double alpha = (tau - G) / D;
    double F[6] = {0};
    put_file("bar.yaml", four_bar);
    Transcript t = zveno_with("{q: [0.3, 0, 0.2], v: [1.7, 5, 5], tau: [4, 0, 0]}",
                              "reduce bar.yaml --state - --independent A --json");
    expect_code(t, 0);
    expect_part(t.err, "zveno: note: conditions of the loops repeat each other");
    expect_text(t.out, "independent.0", "A");
    expect_close(t.out, "q", 3, (double[]){0.3, -0.3, 0.3});
    expect_close(t.out, "v", 3, (double[]){1.7, -1.7, 1.7});
    for (int i = 0; i < 3; i++) {
        char path[16];
        snprintf(path, sizeof path, "P.%d", i);
        expect_close(t.out, path, 1, (double[]){i == 1 ? -1 : 1});
    }
    expect_close(t.out, "gamma", 3, (double[]){0, 0, 0});
    expect_close(t.out, "D.0", 1, &D);
    expect_close(t.out, "C.0", 1, (double[]){0});
    expect_close(t.out, "G", 1, &G);
    expect_close(t.out, "tau_r", 1, &tau);
    expect_close(t.out, "a", 3, (double[]){alpha, -alpha, alpha});
    hinge_force(theta, 1.7, alpha, F);
    expect_close(t.out, "loops.0.wrench", 6, F);
    expect_numbers(t.out, "mobility.redundant", 1, (double[]){3});
    expect_text(t.out, "status", "degraded");
}

static void reduction_for_people(void **state) {
    (void)state;
    put_file("bar.yaml", four_bar);
    Transcript t = zveno("reduce bar.yaml --independent A");
    expect_code(t, 0);
    expect_part(t.out,
                "1 degree of freedom: 3 of the tree less 5 conditions of rank 2 (3 redundant)\nindependent: A\n");
    expect_part(t.out, "P: v = P v_r\ndof  joint   A\n  0  A       1\n  1  B      -1\n  2  D       1\n");
    expect_part(t.out, "D_r, of D_r a_r + C_r v_r + G_r = tau_r\ndof  joint      A\n  0  A      0.675\n");
    t = zveno("reduce bar.yaml --independent A,D");
    expect_code(t, 0);
    expect_part(t.err, "cannot be independent besides the others");
    /* without loops everything is independent */
    t = zveno_with("{q: [0.1, 0.2]}", "reduce arm.urdf --state - --json");
    expect_code(t, 0);
    expect_part(t.err, "zveno: note: the robot has no closed loops");
    expect_text(t.out, "independent.1", "slide");
    expect_text(t.out, "status", "ok");
}

/* A force on the coupler does the same as its moment about the cranks' pivots, and the hinge feels it. */
static void external_forces_are_reduced(void **state) {
    (void)state;
    const double theta = pi / 3, D = reduced_inertia(), f = 7;
    const double tau_r = -f * L * sin(theta), alpha = (tau_r - reduced_gravity(theta)) / D;
    put_file("bar.yaml", four_bar);
    Transcript t = zveno_with("{fext: {coupler: [7, 0, 0, 0, 0, 0]}}", "reduce bar.yaml --state - --json");
    expect_code(t, 0);
    const double sign = number_at(t.out, "P.0.0"); /* the coordinate is B's angle when that is chosen */
    expect_close(t.out, "tau_r", 1, (double[]){sign * tau_r});
    expect_close(t.out, "a", 3, (double[]){alpha, -alpha, alpha});
    Transcript again = zveno_with("{fext: {coupler: [7, 0, 0, 0, 0, 0]}}", "forward bar.yaml --state - --json");
    expect_close(again.out, "a", 3, (double[]){alpha, -alpha, alpha});
}

TESTS_BETWEEN(make_folder, remove_folder, near_a_guess, answers_are_states, several_assemblies,
              what_cannot_close_is_told, limits_are_those_of_answers, wishes_may_be_too_many, velocities_must_close,
              reduction_agrees_with_hand, reduction_for_people, external_forces_are_reduced)
