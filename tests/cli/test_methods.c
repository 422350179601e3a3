/* --method: every row of every table answers on an arm whose equations can be written by hand (test_answers.c has
 * them), and what a method cannot do is told before anything is computed. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include <math.h>

#include "zveno/dynamics.h"

#define MODELS "'" ZV_SOURCE_DIR "'/models/"

static const double g = 9.81;
static const double s = 0.3, w = 1.5, u = -0.4, r = 1.2; /* swing and its rate, rate and reach of the slide */

static const char *words_of(const char *verb, const char *model, const char *method) {
    static char words[256];
    snprintf(words, sizeof words, "%s %s --state - --json --method %s", verb, model, method);
    return words;
}

static void inverse_by_every_method(void **state) {
    (void)state;
    const double tau[2] = {(0.61 + r * r) * 2 + 2 * r * w * u - g * (1 + r) * cos(s), 3 - r * w * w - g * sin(s)};
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_INVERSE, &count);
    for (size_t i = 0; i < count; i++) {
        const Transcript t =
            zveno_with("{q: [0.3, 0.2], v: [1.5, -0.4], a: [2, 3]}", words_of("inverse", "arm.urdf", methods[i].name));
        expect_silence(t);
        expect_numbers(t.out, "tau", 2, tau);
    }
}

static void bias_by_every_method(void **state) {
    (void)state;
    const double bias[2] = {2 * r * w * u - g * (1 + r) * cos(s), -r * w * w - g * sin(s)};
    size_t count;
    const zvMethod *methods = zv_methods(ZV_QUESTION_BIAS, &count);
    for (size_t i = 0; i < count; i++) {
        const Transcript t =
            zveno_with("{q: [0.3, 0.2], v: [1.5, -0.4]}", words_of("terms", "arm.urdf", methods[i].name));
        expect_silence(t);
        expect_numbers(t.out, "bias", 2, bias);
        expect_numbers(t.out, "mass.0", 2, (double[]){0.61 + r * r, 0});
    }
}

/* Forces on links and reactions go with every method. */
static void loads(void **state) {
    (void)state;
    const Transcript t = zveno_with("fext: {tool: [5, 0, 7, 0, 3, 0]}",
                                    "inverse arm.urdf --state - --json --gravity 0,0,0 --method path --reactions");
    expect_silence(t);
    expect_numbers(t.out, "tau", 2, (double[]){-(0.5 - 7 + 3), -5});
    expect_part(t.out, "\"reactions\"");
}

static void elastic_links(void **state) {
    (void)state;
    static const char arm[] = MODELS "flexible_arm.yaml";
    expect_failure(zveno(words_of("mass", arm, "composite-reduced")), 1,
                   "expected rigid links for method composite-reduced, found link \"c2\" elastic; use auto, composite, "
                   "yaskevich, kosynka, kane, columns or path\n");
    expect_failure(zveno(words_of("inverse", arm, "newton-euler-reduced")), 1,
                   "found link \"c2\" elastic; use auto, newton-euler or path\n");
    expect_failure(zveno(words_of("terms", arm, "newton-euler-reduced")), 1,
                   "found link \"c2\" elastic; use auto, newton-euler, yaskevich, kane or path\n");
    expect_failure(zveno(words_of("forward", arm, "mass-reduced")), 1,
                   "found link \"c2\" elastic; use auto, articulated, mass, mass-dense, columns, mass-yaskevich, "
                   "mass-kosynka, mass-kane or mass-path\n");
    static const char *const answers[][2] = {
        {"mass", "yaskevich"},         {"mass", "kosynka"},         {"mass", "kane"},         {"mass", "path"},
        {"terms", "yaskevich"},        {"terms", "kane"},           {"terms", "path"},        {"inverse", "path"},
        {"forward", "mass-yaskevich"}, {"forward", "mass-kosynka"}, {"forward", "mass-kane"}, {"forward", "mass-path"}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        expect_silence(zveno_with("{}", words_of(answers[i][0], arm, answers[i][1])));
    expect_silence(zveno_with("{}", words_of("mass", arm, "columns")));
    expect_silence(zveno_with("{}", words_of("forward", arm, "columns")));
    expect_silence(zveno_with("{}", words_of("inverse", arm, "newton-euler")));
}

/* The refusal does not wait for a state: this one cannot be read. */
static void refused_before_states(void **state) {
    (void)state;
    const Transcript t = zveno("mass " MODELS "flexible_arm.yaml --state missing.yaml --method composite-reduced");
    expect_failure(t, 1, "expected rigid links for method composite-reduced");
    assert_null(strstr(t.err, "missing.yaml"));
}

static void unknown_methods(void **state) {
    (void)state;
    expect_failure(zveno(words_of("inverse", "arm.urdf", "x")), 2, "expected a known method, found \"x\"\n");
    expect_part(zveno(words_of("inverse", "arm.urdf", "x")).err,
                "known: auto newton-euler newton-euler-reduced path\n");
    expect_part(zveno(words_of("terms", "arm.urdf", "x")).err,
                "known: auto newton-euler newton-euler-reduced yaskevich kane path\n");
    expect_failure(zveno(words_of("mass", "arm.urdf", "jaskevich")), 2, "did you mean \"yaskevich\"?");
    expect_part(zveno(words_of("mass", "arm.urdf", "x")).err,
                "known: auto composite composite-reduced yaskevich kosynka kane columns path\n");
    expect_part(
        zveno(words_of("forward", "arm.urdf", "x")).err,
        "known: auto articulated mass mass-dense mass-reduced mass-reduced-ldl columns mass-yaskevich mass-kosynka "
        "mass-kane mass-path\n");
}

static void loops(void **state) {
    (void)state;
    expect_failure(zveno("inverse " MODELS "five_bar.yaml --method path"), 2,
                   "expected a robot without loops for --method, found some; with loops there is one method\n");
    const Transcript t = zveno("terms " MODELS "five_bar.yaml --method path");
    expect_code(t, 0);
    expect_part(t.out, "of the spanning tree");
}

/* More joints than fit into a square matrix of a workspace. */
static void too_large(void **state) {
    (void)state;
    enum { JOINTS = 2050, CAPACITY = 200 * JOINTS };
    char *text = malloc(CAPACITY);
    assert_non_null(text);
    int at = snprintf(text, CAPACITY, "zveno: 1\nlinks:\n  - {name: l0}\n");
    for (int i = 1; i <= JOINTS; i++)
        at += snprintf(text + at, (size_t)(CAPACITY - at), "  - {name: l%d, mass: 1, inertia: [1, 1, 1]}\n", i);
    at += snprintf(text + at, (size_t)(CAPACITY - at), "joints:\n");
    for (int i = 1; i <= JOINTS; i++)
        at += snprintf(text + at, (size_t)(CAPACITY - at),
                       "  - {name: j%d, type: continuous, parent: l%d, child: l%d}\n", i, i - 1, i);
    put_file("long.yaml", text);
    free(text);
    expect_failure(zveno("forward long.yaml --method mass-path"), 1,
                   "method mass-path: it needs a square matrix for which this robot has too many coordinates; use "
                   "auto\n");
    expect_code(zveno("forward long.yaml --json"), 0);
}

static void help(void **state) {
    (void)state;
    expect_part(zveno("help inverse").out, "Methods\n  auto ");
    expect_part(zveno("help terms").out, "Methods for the bias\n  auto ");
    expect_part(zveno("help mass").out, "screw path matrix (Liu)\n");
}

TESTS_BETWEEN(make_folder, remove_folder, inverse_by_every_method, bias_by_every_method, loads, elastic_links,
              refused_before_states, unknown_methods, loops, too_large, help)
