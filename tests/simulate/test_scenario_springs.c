/* Springs between frames in scenarios: what is read and what is refused. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "simulate/scenario_text.h"
#include "support/run_tests.h"

/* The energy of spring i in the initial position. */
static double stored(const zvScenario *s, int i) {
    double energy[8] = {0};
    assert_true(zv_drives_nstore(s->drives) <= 8);
    zvWork *work = zv_work_create(s->model, NULL);
    zv_drives_stored(s->drives, work, s->q, s->v, s->z, energy);
    zv_work_destroy(work);
    return energy[i];
}

/* In the neutral position the tool stands 1 m above the base. */
static void lengths(void **state) {
    (void)state;
    zvScenario *s = scenario_of(HEAD "passive: false\nsprings:\n - {from: base, to: tool, stiffness: 3}\n"
                                     " - {from: tool, to: base, stiffness: 3, length: now, name: b}\n"
                                     " - {name: c, from: base, to: tool, stiffness: 3, damping: 2, length: 0}\n"
                                     " - {name: d, from: base, to: tool, stiffness: 3, length: 0.25}\n"
                                     " - {name: e, from: base, to: upper, stiffness: 3}\n");
    const char *const names[] = {"base-tool", "b", "c", "d", "e"};
    const double energies[] = {0, 0, 1.5, 1.5 * 0.75 * 0.75, 0};
    assert_int_equal(zv_drives_nstore(s->drives), 5);
    assert_int_equal(zv_drives_naccount(s->drives), 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(zv_drives_store_name(s->drives, i), names[i]);
        assert_string_equal(zv_drives_account(s->drives, i).name, names[i]);
        assert_true(fabs(stored(s, i) - energies[i]) < 1e-14);
    }
    zv_scenario_destroy(s);
}

/* Between the same frames names have numbers; rest turns in degrees too. */
static void named_apart(void **state) {
    (void)state;
    zvScenario *s = scenario_of(
        HEAD
        "passive: false\nsprings:\n - {from: base, to: tool, stiffness: 3}\n - {from: base, to: tool, stiffness: 4}\n"
        "bushings:\n - {from: base, to: tool, stiffness: [0, 0, 0, 0, 0, 8], rest: [0, 0, 1, 0, 0, 90 deg]}\n"
        " - {from: base, to: upper, stiffness: [1, 1, 1, 1, 1, 1]}\n");
    const char *const names[] = {"base-tool", "base-tool 2", "base-tool 3", "base-upper"};
    assert_int_equal(zv_drives_nstore(s->drives), 4);
    for (int i = 0; i < 4; i++) assert_string_equal(zv_drives_store_name(s->drives, i), names[i]);
    assert_true(fabs(stored(s, 2) - 4 * 0.25 * 3.14159265358979323846 * 3.14159265358979323846) < 1e-12);
    zv_scenario_destroy(s);
}

/* "now" is where the run begins: initial positions and prescribed motions count. */
static void now_is_the_beginning(void **state) {
    (void)state;
    zvScenario *s = scenario_of(HEAD "passive: false\nstart: 1\ninitial: {q: {slide: 0.25}}\n"
                                     "springs: [{from: base, to: tool, stiffness: 8},"
                                     "{name: b, from: lower, to: tool, stiffness: 8, length: 0}]\n"
                                     "drives: [{type: motion, joint: elbow, law: {type: polynomial, coefficients: "
                                     "[0, 0.5]}}]\n");
    assert_true(fabs(s->q[1] - 0.5) < 1e-15);
    assert_true(stored(s, 0) < 1e-28);
    assert_true(fabs(stored(s, 1) - 4 * 0.75 * 0.75) < 1e-14); /* 0.4 + 0.25 + 0.1 */
    zv_scenario_destroy(s);
}

typedef struct Case {
    const char *text;
    zvStatus status;
    int column; /* in line 4 */
    const char *token, *words;
} Case;

static const Case cases[] = {
    {"springs: {from: base}\n", ZV_SCHEMA, 10, "{...}", "springs of the scenario: expected a list"},
    {"springs: [{to: tool, stiffness: 1}]\n", ZV_SCHEMA, 11, "from",
     "spring: expected the key from, found none; add the name of a frame or link"},
    {"springs: [{from: base, stiffness: 1}]\n", ZV_SCHEMA, 11, "to",
     "spring: expected the key to, found none; add the name of a frame or link"},
    {"springs: [{from: base, to: tol, stiffness: 1}]\n", ZV_NAME, 28, "tol",
     "expected a known frame or link, found \"tol\"; did you mean \"tool\"?"},
    {"springs: [{name: s, from: rod, to: tool, stiffness: 1}]\n", ZV_SCHEMA, 36, "tool",
     "to of spring \"s\": expected a frame of another body than from, found one of the same; the spring would do "
     "nothing"},
    {"springs: [{from: base, to: tool}]\n", ZV_SCHEMA, 11, "stiffness",
     "spring \"base-tool\": expected the key stiffness, found none; add stiffness: 1000, in N/m"},
    {"springs: [{name: s, from: base, to: tool, stiffness: -1}]\n", ZV_NUMBER, 54, "-1",
     "stiffness of spring \"s\": expected a number of at least 0, found -1"},
    {"springs: [{from: base, to: tool, stiffness: 1, damping: -2}]\n", ZV_NUMBER, 57, "-2",
     "damping of spring \"base-tool\": expected a number of at least 0, found -2"},
    {"springs: [{from: base, to: tool, stiffness: 1, length: -2}]\n", ZV_NUMBER, 56, "-2",
     "length of spring \"base-tool\": expected a number of at least 0, found -2"},
    {"springs: [{from: base, to: tool, stiffness: 1, length: rest}]\n", ZV_NUMBER, 56, "rest",
     "length of spring \"base-tool\": expected a number, found \"rest\""},
    {"springs: [{from: base, to: tool, stifness: 1}]\n", ZV_SCHEMA, 34, "stifness",
     "expected a key of spring, found \"stifness\"; did you mean \"stiffness\"?"},
    {"springs: [{name: s, from: base, to: tool, stiffness: 1}, {name: s, from: base, to: rod, stiffness: 1}]\n",
     ZV_NAME, 65, "s", "expected a spring of another name, found \"s\", which stands in line 4 already"},
};

static void refusals(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[8192], line[1024];
        zvError error = {0};
        zvScenario *scenario = NULL;
        snprintf(text, sizeof text, HEAD "%s", cases[i].text);
        const zvStatus status = zv_scenario_read_memory("s.yaml", text, strlen(text), 0, NULL, &scenario, &error);
        const bool right = status == cases[i].status && error.line == 4 && error.column == cases[i].column &&
                           strcmp(error.token, cases[i].token) == 0 && strstr(error.text, cases[i].words);
        if (right) continue;
        wrong++;
        print_error("%s got %s [%s]\n", cases[i].text, zv_error_line(&error, line, sizeof line), error.token);
        zv_scenario_destroy(scenario);
    }
    assert_int_equal(wrong, 0);
}

TESTS(lengths, named_apart, now_is_the_beginning, refusals)
