/* zveno simulate: what it prints, what it refuses, what Ctrl-C leaves behind. */
#define _XOPEN_SOURCE 700
#include "process.h"

#include <math.h>

static const char fall[] = "zveno_scenario: 1\n"
                           "title: Two links fall\n"
                           "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                           "duration: 1\n"
                           "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                           "integrator: {method: adams, rtol: 1e-9, atol: 1e-9}\n"
                           "output: {rate: 50, channels: [q, v, energy]}\n";

static double number_at(const char *json, const char *path) {
    zvDocument *document = parse(json);
    double value = NAN;
    const zvNode *node = node_at(zv_document_root(document), path);
    assert_int_equal(zv_node_number(node, path, &value, NULL), ZV_OK);
    zv_document_destroy(document);
    return value;
}

static void summary_for_people(void **state) {
    (void)state;
    Transcript t = zveno("simulate fall.yaml --quiet");
    expect_silence(t);
    expect_part(t.out, "Two links fall: model two_link, t = 0 to 1 s, ");
    expect_part(t.out, "method            adams\n");
    expect_part(t.out, "right-hand sides  ");
    expect_part(t.out, " x real time\n");
    expect_part(t.out, "state at t = 1 s\ndof  joint ");
    expect_part(t.out, "q [rad]");
    expect_part(t.out, "v [rad/s]");
    expect_part(t.out, "energy ledger");
    expect_part(t.out, " J exchanged\n");
    expect_part(t.out, "nothing was recorded: -o OUT.h5");
    t = zveno("simulate fall.yaml --quiet -o fall.csv");
    expect_silence(t);
    expect_part(t.out, "recording fall.csv: 51 rows; zveno plot fall.csv draws them\n");
    assert_true(has_file("fall.csv"));
    assert_false(has_file("fall.csv.rows"));
    assert_false(has_file("fall.csv.checkpoint"));
}

/* A pendulum with steps that are far too long: exit code 3, and the summary all the same. */
static const char coarse[] =
    "zveno_scenario: 1\n"
    "model: {inline: {links: [{name: ground}, {name: rod, mass: 1, com: [0, 0, -1], inertia: [0, 0, 0]}], joints: "
    "[{name: pivot, type: continuous, parent: ground, child: rod, axis: [0, -1, 0]}]}}\n"
    "duration: 2\n"
    "initial: {q: {pivot: 2}}\n"
    "integrator: {method: euler, step: 0.2}\n";

static void wrong_energy(void **state) {
    (void)state;
    put_file("coarse.yaml", coarse);
    Transcript t = zveno("simulate coarse.yaml --quiet --json -o coarse.csv");
    assert_int_equal(t.code, 3);
    expect_part(t.err, "error: the energy is wrong: the gap of its ledger reached ");
    expect_part(t.err, "; shorten the step (0.2 s)");
    expect_part(t.out, "\"judgement\": \"wrong\"");
    expect_part(t.out, "\"warnings\": [\n    \"the energy is wrong: ");
    assert_true(number_at(t.out, "ledger.largest_gap") > 0.1 * number_at(t.out, "ledger.reference"));
    assert_true(has_file("coarse.csv"));
    assert_false(has_file("coarse.csv.checkpoint"));
    t = zveno("simulate coarse.yaml --quiet --resume -o coarse.csv"); /* is not called complete */
    assert_int_equal(t.code, 1);
    t = zveno("simulate coarse.yaml --quiet --accept-energy-error -o coarse.csv");
    assert_int_equal(t.code, 0);
    expect_part(t.err, "warning: the energy is wrong: ");
    expect_part(t.out, "\nwarning: the energy is wrong: ");
    t = zveno("simulate coarse.yaml --quiet --set integrator.step=0.01");
    assert_int_equal(t.code, 0);
    expect_part(t.err, "warning: the energy is doubtful: ");
    t = zveno("simulate coarse.yaml --quiet --set integrator.step=1e-4");
    expect_silence(t);
}

/* A number that is of weight by itself is not rounding, whatever stands beside it. */
static void table_beside_large_numbers(void **state) {
    (void)state;
    put_file("beside.yaml",
             "zveno_scenario: 1\n"
             "model: {inline: {gravity: [0, 0, 0], links: [{name: ground}, {name: a, mass: 1, inertia: "
             "[1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}], joints: [{name: far, type: prismatic, "
             "parent: ground, child: a, axis: [1, 0, 0]}, {name: turn, type: continuous, parent: a, "
             "child: b, axis: [1, 0, 0]}]}}\n"
             "duration: 1\n"
             "initial: {q: {far: 3e25, turn: 1.57}}\n");
    Transcript t = zveno("simulate beside.yaml --quiet");
    assert_int_equal(t.code, 0);
    expect_part(t.out, "  1.57  ");
    expect_part(t.out, "3e+25");
}

/* The ledger adds up to its gap, and a run with tighter tolerances ends in the same state. */
static void summary_for_programs(void **state) {
    (void)state;
    static const char *const keys[] = {"title",  "model",  "method", "t",       "ending",   "q",
                                       "v",      "rows",   "output", "elapsed", "warnings", "statistics",
                                       "ledger", "events", "advice", "resumed"};
    Transcript t = zveno("simulate fall.yaml --quiet --json");
    expect_silence(t);
    zvDocument *document = parse(t.out);
    const zvNode *root = zv_document_root(document);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) assert_non_null(zv_node_get(root, keys[i]));
    double sum = 0, gap, exchanged;
    const zvNode *rows = node_at(root, "ledger.rows");
    for (int i = 0; i < rows->count; i++) {
        double amount;
        assert_int_equal(zv_node_number(zv_node_get(rows->items[i], "amount"), "amount", &amount, NULL), ZV_OK);
        sum += strcmp(zv_node_get(rows->items[i], "store")->text, "true") ? amount : -amount;
    }
    assert_true(rows->count >= 3);
    zv_document_destroy(document);
    gap = number_at(t.out, "ledger.gap"), exchanged = number_at(t.out, "ledger.exchanged");
    assert_true(exchanged > 10);
    assert_true(fabs(fabs(sum) - fabs(gap)) < 1e-13 * exchanged);
    assert_true(fabs(gap) < 1e-7 * exchanged);
    expect_text(t.out, "title", "Two links fall");
    expect_text(t.out, "method", "adams");
    assert_true(number_at(t.out, "t") == 1);
    assert_true(number_at(t.out, "statistics.rates") > number_at(t.out, "statistics.steps"));
    const double q[2] = {number_at(t.out, "q.0"), number_at(t.out, "q.1")};
    t = zveno("simulate fall.yaml --quiet --json --set integrator.rtol=1e-12 --set integrator.atol=1e-12");
    expect_silence(t);
    for (int i = 0; i < 2; i++) {
        const double tight = number_at(t.out, i ? "q.1" : "q.0");
        assert_true(tight != q[i] && fabs(tight - q[i]) < 1e-6);
    }
}

/* Stiff drives, and no integrator named: the default goes over to bdf early, and says so. */
static void methods_that_ran(void **state) {
    (void)state;
    const char *command = "simulate '" ZV_SOURCE_DIR "'/scenarios/reach.yaml --quiet --set duration=0.2 --set "
                          "'integrator={rtol: 1e-8, atol: 1e-8}' -o reach.csv --restart";
    char json[512];
    Transcript t = zveno(command);
    expect_silence(t);
    expect_part(t.out, "method            auto: erk from 0 s, bdf from 0.000");
    snprintf(json, sizeof json, "%s --json", command);
    t = zveno(json);
    expect_silence(t);
    expect_text(t.out, "method", "auto");
    expect_text(t.out, "changes.0.method", "erk");
    expect_text(t.out, "changes.1.method", "bdf");
    assert_true(number_at(t.out, "changes.0.t") == 0);
    assert_true(number_at(t.out, "changes.1.t") > 0 && number_at(t.out, "changes.1.t") < 0.01);
    assert_true(number_at(t.out, "statistics.rates") < 3000); /* adams takes 27 000 */
}

static void changes_are_applied(void **state) {
    (void)state;
    Transcript t = zveno("simulate fall.yaml --quiet --json --set duration=0.25 --set integrator.method=rk4 --set "
                         "integrator.step=1e-3 --set title=Again");
    expect_silence(t);
    assert_true(number_at(t.out, "t") == 0.25);
    expect_text(t.out, "method", "rk4");
    expect_text(t.out, "title", "Again");
    assert_true(number_at(t.out, "statistics.steps") == 250);
    expect_failure(zveno("simulate fall.yaml --quiet --set integrator.rtool=1"), 1, "rtol");
    expect_failure(zveno("simulate fall.yaml --quiet --set duration"), 2, "--set KEY=VALUE");
    expect_failure(zveno("simulate fall.yaml --quiet --set =1"), 2, "--set KEY=VALUE");
}

static void usage(void **state) {
    (void)state;
    expect_failure(zveno("simulate"), 2, "expected the scenario file, found none");
    expect_failure(zveno("simulate fall.yaml -o -"), 2, "standard output");
    expect_failure(zveno("simulate fall.yaml --resume"), 2,
                   "expected a recording for --resume to go on with, found none");
    expect_failure(zveno("simulate fall.yaml --checkpoint 0"), 2, "--checkpoint SECONDS");
    expect_failure(zveno("simulate fall.yaml --checkpoint soon"), 2, "--checkpoint SECONDS");
    expect_failure(zveno("simulate fall.yaml --quite"), 2, "did you mean \"--quiet\"?");
    expect_failure(zveno("simulate fall.yaml -o a.csv -o b.csv"), 2, "once, found it twice");
}

static void wrong_input(void **state) {
    (void)state;
    expect_failure(zveno("simulate nowhere.yaml"), 1, "nowhere.yaml");
    expect_failure(zveno("simulate arm.urdf"), 1, "arm.urdf");
    expect_failure(zveno("simulate fall.yaml --quiet -o fall.txt"), 1, "fall.txt");
    expect_failure(zveno("simulate fall.yaml --quiet -o nowhere/fall.csv"), 1, "nowhere");
    expect_failure(zveno("simulate fall.yaml --quiet -o other.csv --resume"), 1, "other.csv");
    assert_false(has_file("other.csv"));
    if (geteuid() == 0) return; /* root may write anywhere */
    shell("mkdir -p closed && chmod 555 closed");
    expect_failure(zveno("simulate fall.yaml --quiet -o closed/fall.csv"), 1, "closed/fall.csv");
}

/* A chain whose last link has no inertia has no acceleration. */
static void numerical_failure(void **state) {
    (void)state;
    put_file("light.yaml", "zveno_scenario: 1\n"
                           "model:\n"
                           "  inline:\n"
                           "    zveno: 1\n"
                           "    links: [{name: base}, {name: arm, mass: 1}, {name: tip}]\n"
                           "    joints:\n"
                           "      - {name: a, type: prismatic, parent: base, child: arm}\n"
                           "      - {name: b, type: prismatic, parent: arm, child: tip}\n"
                           "duration: 1\n"
                           "output: {rate: 10, channels: [q]}\n");
    expect_failure(zveno("simulate light.yaml --quiet"), 3, "singular");
}

static void progress_in_lines(void **state) {
    (void)state;
    const Transcript t = zveno("simulate fall.yaml --json");
    expect_code(t, 0);
    expect_part(t.err, "  0%  t = 0 of 1 s");
    expect_part(t.err, "100%  t = 1 of 1 s, took ");
    assert_null(strchr(t.err, '\r'));
    assert_null(strchr(t.err, '\033'));
    zv_document_destroy(parse(t.out));
    expect_silence(zveno("simulate fall.yaml --json --quiet"));
}

/* Interrupted after some rows; the recording is whole; resumed to the same rows as an unbroken run. */
static void interruption(int signal_number, const char *out) {
    char whole[64], duration[40];
    double end = SANITIZED ? 3 : 20;
    snprintf(whole, sizeof whole, "whole-%s", out);
    const char *words[] = {"simulate",     "fall.yaml",
                           "--quiet",      "--json",
                           "--set",        "integrator.method=rk4",
                           "--set",        "integrator.step=1e-4",
                           "--set",        duration,
                           "--checkpoint", "0.01",
                           "-o",           out,
                           NULL,           NULL};
    enum { OUTPUT = 13 };
    int code;
    for (;; end *= 4) { /* long enough for this machine */
        snprintf(duration, sizeof duration, "duration=%g", end);
        code = interrupt_zveno(words, out, signal_number);
        if (code) break;
        remove_file(out);
    }
    assert_int_equal(code, 130);
    get_file("out.txt", printed);
    get_file("err.txt", complained);
    expect_part(complained, "interrupted at t = ");
    expect_text(printed, "ending", "interrupted");
    const double t = number_at(printed, "t"), rows = number_at(printed, "rows");
    assert_true(t > 0 && t < end && rows >= 1);
    char line[256];
    snprintf(line, sizeof line, "info %s --json", out);
    const Transcript info = zveno(line);
    expect_silence(info);
    assert_true(number_at(info.out, "rows") == rows);
    words[OUTPUT + 1] = "--resume";
    assert_int_equal(run_zveno(words), 0);
    get_file("out.txt", printed);
    expect_text(printed, "resumed", "true");
    words[OUTPUT] = whole;
    words[OUTPUT + 1] = NULL;
    assert_int_equal(run_zveno(words), 0);
}

static void ctrl_c_leaves_a_recording_that_can_be_resumed(void **state) {
    (void)state;
    interruption(SIGINT, "broken.csv");
    size_t size, size_whole;
    char *broken = load_file("broken.csv", &size), *whole = load_file("whole-broken.csv", &size_whole);
    assert_string_equal(table_of_csv(broken), table_of_csv(whole));
    free(broken);
    free(whole);
}

static void a_request_to_end_is_the_same(void **state) {
    (void)state;
    interruption(SIGTERM, "ended.csv");
}

/* A good recording stays when the new one cannot be written. */
static void a_full_disk_destroys_nothing(void **state) {
    (void)state;
    expect_silence(zveno("simulate fall.yaml --quiet -o good.csv"));
    size_t before_size, after_size;
    char *before = load_file("good.csv", &before_size);
    expect_failure(shell("(ulimit -f 8; \"$Z\" simulate fall.yaml --quiet -o good.csv --set output.rate=20000)"), 1,
                   "good.csv");
    char *after = load_file("good.csv", &after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    free(before);
    free(after);
}

static int prepare(void **state) {
    if (make_folder(state)) return -1;
    put_file("fall.yaml", fall);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summary_for_people),
        cmocka_unit_test(summary_for_programs),
        cmocka_unit_test(wrong_energy),
        cmocka_unit_test(table_beside_large_numbers),
        cmocka_unit_test(methods_that_ran),
        cmocka_unit_test(changes_are_applied),
        cmocka_unit_test(usage),
        cmocka_unit_test(wrong_input),
        cmocka_unit_test(numerical_failure),
        cmocka_unit_test(progress_in_lines),
        cmocka_unit_test(ctrl_c_leaves_a_recording_that_can_be_resumed),
        cmocka_unit_test(a_request_to_end_is_the_same),
        cmocka_unit_test(a_full_disk_destroys_nothing),
    };
    return cmocka_run_group_tests(tests, prepare, remove_folder);
}
