/* What zveno simulate must not harm: its spool, an earlier run, its inputs, files of others; and what it must hear
 * while events come thick. */
#define _XOPEN_SOURCE 700
#include "process.h"
#include "support/run_tests.h"

static const char fall[] = "zveno_scenario: 1\n"
                           "title: Two links fall\n"
                           "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                           "duration: 1\n"
                           "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                           "integrator: {method: rk4, step: 1e-3}\n"
                           "output: {rate: 50, channels: [q, v]}\n";

/* A ball between two walls that it reaches again and again within every step. */
static const char storm[] =
    "zveno_scenario: 1\n"
    "model:\n"
    "  inline:\n"
    "    zveno: 1\n"
    "    links: [{name: ground}, {name: ball, mass: 1}]\n"
    "    joints: [{name: slide, type: prismatic, parent: ground, child: ball, axis: [0, 0, 1]}]\n"
    "gravity: [0, 0, 0]\n"
    "duration: 1e5\n"
    "initial: {v: {slide: 1}}\n"
    "events:\n"
    "  - {type: plane, name: floor, frame: ball, offset: -1e-3, action: bounce}\n"
    "  - {type: plane, name: roof, frame: ball, normal: [0, 0, -1], offset: -1e-3, action: bounce}\n"
    "integrator: {method: erk, max_step: %g}\n"
    "output: {interval: %g, channels: [q]}\n";

static pid_t start(const char *scenario, const char *out, const char *duration, const char *more) {
    const char *const words[] = {"simulate", scenario, "--quiet", "--json", "--checkpoint", "0.05",
                                 "--set",    duration, "-o",      out,      more,           NULL};
    return start_zveno(words);
}

/* Until the run has written it anew so many times: then it is under way. */
static void wait_for_news(pid_t child, const char *name, int times) {
    int code = 0;
    if (!comes_anew(child, name, times, &code)) fail_msg("it ended before %s came: exit code %d", name, code);
}

static void closed_streams_get_no_file(void **state) {
    (void)state;
    Transcript t = shell("\"$Z\" simulate fall.yaml -o closed.csv 2>&- && \"$Z\" info closed.csv");
    expect_silence(t);
    expect_part(t.out, "51 rows");
    expect_code(shell("\"$Z\" simulate fall.yaml --quiet -o closed.csv <&- >&-"), 1); /* the summary is lost */
    expect_part(zveno("info closed.csv").out, "51 rows");
}

/* Killed, then begun again without a word: refused, nothing lost. */
static void an_earlier_run_is_not_thrown_away(void **state) {
    (void)state;
    pid_t child = start("fall.yaml", "killed.csv", "duration=4000", NULL);
    wait_for_news(child, "killed.csv.checkpoint", 2);
    assert_int_equal(wait_for(start("fall.yaml", "killed.csv", "duration=4000", NULL)), 1);
    get_file("err.txt", complained);
    expect_part(complained, "another run is writing it");
    kill(child, SIGKILL);
    assert_int_equal(wait_for(child), -SIGKILL);
    size_t before, after;
    free(load_file("killed.csv.rows", &before));
    assert_int_equal(wait_for(start("fall.yaml", "killed.csv", "duration=4000", NULL)), 1);
    get_file("err.txt", complained);
    expect_part(complained, "an earlier run of this scenario stopped at t = ");
    expect_part(complained, "--resume");
    expect_part(complained, "--restart");
    free(load_file("killed.csv.rows", &after));
    assert_int_equal(before, after);
    expect_failure(zveno("simulate fall.yaml -o killed.csv --resume --restart"), 2, "leave one out");
    child = start("fall.yaml", "killed.csv", "duration=4000", "--restart");
    wait_for_news(child, "killed.csv.checkpoint", 2);
    kill(child, SIGINT);
    assert_int_equal(wait_for(child), 130);
}

static void a_complete_run_needs_no_resumption(void **state) {
    (void)state;
    expect_silence(zveno("simulate fall.yaml --quiet -o done.csv"));
    const Transcript t = zveno("simulate fall.yaml --quiet -o done.csv --resume");
    expect_silence(t);
    expect_part(t.out, "done.csv is already complete");
    expect_failure(zveno("simulate fall.yaml --quiet -o done.csv --resume --set duration=2"), 1, "checkpoint");
}

static void inputs_are_no_outputs(void **state) {
    (void)state;
    put_file("law.csv", "time,joint1,joint2\n0,0,0\n1,1,1\n");
    put_file("table.yaml", "zveno_scenario: 1\n"
                           "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                           "duration: 1\n"
                           "drives:\n"
                           "  - {name: push, type: torque, joints: all, law: {type: csv, file: law.csv}}\n"
                           "integrator: {method: rk4, step: 1e-3}\n");
    expect_silence(zveno("simulate table.yaml --quiet -o other.csv"));
    expect_failure(zveno("simulate table.yaml --quiet -o ./law.csv"), 1, "read from");
    expect_failure(shell("cp fall.yaml fall.csv; \"$Z\" simulate fall.csv --quiet -o fall.csv"), 1, "read from");
    size_t size;
    char *law = load_file("law.csv", &size);
    expect_part(law, "time,joint1,joint2\n");
    free(law);
}

/* OUT.partial.csv is removed at the end only when the run itself wrote it. */
static void files_of_others_stay(void **state) {
    (void)state;
    put_file("mine.csv", "old\n");
    put_file("mine.partial.csv", "precious\n");
    expect_silence(zveno("simulate fall.yaml --quiet -o mine.csv"));
    assert_true(has_file("mine.partial.csv"));
    put_file("own.csv", "old\n");
    char duration[40];
    const char *words[] = {"simulate", "fall.yaml", "--quiet", "--checkpoint", "0.01", "--set", "integrator.step=1e-4",
                           "--set",    duration,    "-o",      "own.csv",      NULL,   NULL};
    int code = 0;
    for (double end = 15; code == 0; end *= 4) { /* long enough for this machine */
        snprintf(duration, sizeof duration, "duration=%g", end);
        code = interrupt_zveno(words, "own.csv", SIGHUP);
    }
    assert_int_equal(code, 130);
    assert_true(has_file("own.partial.csv"));
    words[11] = "--resume";
    assert_int_equal(run_zveno(words), 0);
    assert_false(has_file("own.partial.csv"));
}

/* The rows before a failure go beside a good file, and that is where the warning points. */
static void the_warning_names_the_file(void **state) {
    (void)state;
    put_file("wild.yaml", "zveno_scenario: 1\n"
                          "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                          "duration: 1\n"
                          "integrator: {method: adams, max_steps: 5}\n"
                          "output: {rate: 1000, channels: [q]}\n");
    put_file("wild.csv", "old\n");
    const Transcript t = zveno("simulate wild.yaml --quiet -o wild.csv");
    expect_code(t, 3);
    expect_part(t.err, "the rows before the failure are in wild.partial.csv");
    assert_true(has_file("wild.partial.csv"));
}

static void endless_runs_are_refused(void **state) {
    (void)state;
    expect_failure(zveno("simulate fall.yaml --set integrator.method=adams --set integrator.max_step=1e-300"), 1,
                   "expected at most 1e12 steps");
    expect_failure(zveno("simulate fall.yaml --set start=1e9 --set duration=1e-6"), 1, "rounding of the start");
}

/* Checkpoints come and Ctrl-C is heard although no step ends without an event. */
static void a_storm_of_events_starves_nothing(void **state) {
    (void)state;
    const pid_t child = start("storm.yaml", "storm.csv", "duration=1e5", NULL);
    wait_for_news(child, "storm.csv.checkpoint", 2);
    kill(child, SIGSTOP); /* both signals find it at the same moment */
    kill(child, SIGINT);
    kill(child, SIGTERM); /* belongs to the first */
    kill(child, SIGCONT);
    assert_int_equal(wait_for(child), 130); /* of a run that would take hours */
    get_file("out.txt", printed);
    expect_text(printed, "ending", "interrupted");
}

/* A storm that is broken off and resumed counts the same bounces as one that is not. */
static void a_broken_storm_counts_the_same(void **state) {
    (void)state;
    char duration[40];
    int code = 0;
    for (double end = SANITIZED ? 15 : 160; code == 0; end *= 4) { /* long enough for this machine */
        snprintf(duration, sizeof duration, "duration=%g", end);
        remove_file("broken-storm.csv");
        const pid_t child = start("squall.yaml", "broken-storm.csv", duration, NULL);
        if (!comes_anew(child, "broken-storm.csv.checkpoint", 2, &code)) continue;
        kill(child, SIGINT);
        code = wait_for(child);
    }
    assert_int_equal(code, 130);
    assert_int_equal(wait_for(start("squall.yaml", "whole-storm.csv", duration, NULL)), 0);
    assert_int_equal(wait_for(start("squall.yaml", "broken-storm.csv", duration, "--resume")), 0);
    size_t size;
    char *whole = load_file("whole-storm.csv", &size), *broken = load_file("broken-storm.csv", &size);
    long counts[2] = {0};
    for (const char *at = whole; (at = strstr(at, "\n# event ")); at++) counts[0]++;
    for (const char *at = broken; (at = strstr(at, "\n# event ")); at++) counts[1]++;
    assert_true(counts[0] > 1000);
    assert_int_equal(counts[0], counts[1]);
    free(whole);
    free(broken);
}

static int prepare(void **state) {
    if (make_folder(state)) return -1;
    put_file("fall.yaml", fall);
    char text[2048];
    snprintf(text, sizeof text, storm, 1e5, 1e5);
    put_file("storm.yaml", text);
    snprintf(text, sizeof text, storm, 5.0, 5.0);
    put_file("squall.yaml", text);
    return 0;
}

TESTS_BETWEEN(prepare, remove_folder, closed_streams_get_no_file, an_earlier_run_is_not_thrown_away,
              a_complete_run_needs_no_resumption, inputs_are_no_outputs, files_of_others_stay,
              the_warning_names_the_file, endless_runs_are_refused, a_storm_of_events_starves_nothing,
              a_broken_storm_counts_the_same)
