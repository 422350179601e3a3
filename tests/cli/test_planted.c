/* Names that others may have planted beside an output, outputs and inputs that are pipes or devices, and several runs
 * on one output. A line that would wait for ever is ended by timeout, whose exit code is 124. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

static const char numbers[] = "t,x\n0,0\n1,1\n2,4\n";
static const char fall[] = "zveno_scenario: 1\n"
                           "model: " ZV_SOURCE_DIR "/models/two_link.yaml\n"
                           "duration: 0.1\n"
                           "integrator: {method: rk4, step: 1e-2}\n";

static int set_up(void **state) {
    const int code = make_folder(state);
    put_file("numbers.csv", numbers);
    put_file("fall.yaml", fall);
    return code;
}

/* The file that the planted names would lead to is as before. */
static void expect_victim(void) {
    static char text[TRANSCRIPT_CAPACITY];
    get_file("victim", text);
    assert_string_equal(text, "precious");
}

static void plant(const char *line) {
    put_file("victim", "precious");
    expect_code(shell(line), 0);
}

/* Every way of writing, by the command and the name of its output. */
static const struct {
    const char *command, *output;
} writers[] = {
    {"plot numbers.csv -o out.svg", "out.svg"},
    {"convert numbers.csv -o out.csv", "out.csv"},
    {"report numbers.csv -o out.html", "out.html"},
    {"simulate fall.yaml --quiet -o run.csv", "run.csv"},
    {"codegen '" ZV_SOURCE_DIR "'/models/two_link.yaml -o . --name made", "made.c"},
    {"convert arm.urdf -o arm.yaml", "arm.yaml"},
};

static void a_planted_partial_is_refused(void **state) {
    (void)state;
    static const char *const plants[] = {"ln -s victim", "ln victim", "mkfifo"};
    for (size_t w = 0; w < sizeof writers / sizeof *writers; w++) {
        for (size_t p = 0; p < sizeof plants / sizeof *plants; p++) {
            char line[512];
            snprintf(line, sizeof line, "rm -f %s.partial && %s %s.partial", writers[w].output, plants[p],
                     writers[w].output);
            plant(line);
            snprintf(line, sizeof line, "timeout 60 \"$Z\" %s", writers[w].command);
            const Transcript t = shell(line);
            if (strstr(t.err, "this build")) break; /* draws or writes nothing */
            expect_code(t, 1);
            expect_part(t.err, ".partial");
            expect_part(t.err, "stands in the way");
            expect_victim();
        }
        char line[512];
        snprintf(line, sizeof line, "rm -f %s.partial* && \"$Z\" %s", writers[w].output, writers[w].command);
        if (strstr(shell(line).err, "this build")) continue;
        expect_code(shell(line), 0);
    }
}

/* The name that plot took before. */
static void a_name_beside_a_picture_is_not_followed(void **state) {
    (void)state;
    plant("rm -f pic.svg* && ln -s victim pic.svg.part");
    Transcript t = shell("timeout 60 \"$Z\" plot numbers.csv -o pic.svg");
    if (strstr(t.err, "this build")) skip();
    expect_code(t, 0);
    expect_victim();
    plant("rm -f pic.svg* && mkfifo pic.svg.part");
    expect_code(shell("timeout 60 \"$Z\" plot numbers.csv -o pic.svg"), 0);
}

static void planted_rows_and_checkpoints_are_refused(void **state) {
    (void)state;
    plant("ln victim spool.csv.rows");
    Transcript t = zveno("simulate fall.yaml --quiet -o spool.csv");
    expect_code(t, 1);
    expect_part(t.err, "spool.csv.rows");
    expect_part(t.err, "stands in the way");
    expect_victim();
    plant("rm spool.csv.rows && ln -s victim spool.csv.checkpoint");
    t = zveno("simulate fall.yaml --quiet --resume -o spool.csv");
    expect_code(t, 1);
    expect_part(t.err, "stands in the way");
    expect_victim();
}

/* Only one who may give files away can try this. */
static void what_others_own_is_refused(void **state) {
    (void)state;
    if (geteuid() != 0) skip();
    plant("rm -f own.csv* && : >own.csv.partial && chown 12345 own.csv.partial");
    expect_part(zveno("convert numbers.csv -o own.csv").err, "stands in the way");
    /* in a folder for all a link of someone else leads nowhere, one's own does */
    plant("mkdir -m 1777 open && ln -s ../victim open/link.csv && chown -h 12345 open/link.csv");
    expect_part(zveno("convert numbers.csv -o open/link.csv").err, "stands in the way");
    expect_victim();
    expect_code(
        shell("chown -h 0 open/link.csv && \"$Z\" convert numbers.csv -o open/link.csv && test -L open/link.csv"), 0);
    expect_part(shell("cat victim").out, "t");
}

static void the_mode_is_the_users(void **state) {
    (void)state;
    Transcript t = shell("umask 077; \"$Z\" convert numbers.csv -o mode.csv; stat -c %a mode.csv; chmod 640 mode.csv; "
                         "umask 0; \"$Z\" convert numbers.csv -o mode.csv; stat -c %a mode.csv; chmod 4755 mode.csv; "
                         "\"$Z\" convert numbers.csv -o mode.csv; stat -c %a mode.csv");
    expect_part(t.out, "600\n");
    expect_part(t.out, "640\n");
    expect_part(t.out, "\n755\n"); /* what runs as another user does not become another program */
}

static void many_runs_on_one_output_do_not_mix(void **state) {
    (void)state;
    if (strstr(zveno("plot numbers.csv -o alone.svg").err, "this build")) skip();
    const Transcript t =
        shell("for i in 1 2 3 4 5 6; do \"$Z\" plot numbers.csv -o same.svg || echo failed & done; wait; "
              "cmp alone.svg same.svg; ls same.svg.*");
    assert_null(strstr(t.out, "failed"));
    assert_null(strstr(t.out, "differ"));
    expect_part(t.err, "same.svg.*"); /* nothing is left beside it */
}

static void a_pipe_that_nobody_reads_is_not_waited_for(void **state) {
    (void)state;
    Transcript t = shell("mkfifo pipe.csv; timeout 60 \"$Z\" convert numbers.csv -o pipe.csv");
    expect_failure(t, 1, "nobody reads this pipe");
    /* held open by the shell: read */
    t = shell("exec 3<>pipe.csv; timeout 60 \"$Z\" convert numbers.csv -o pipe.csv || exit; head -n 1 <&3");
    expect_code(t, 0);
    expect_part(t.out, "# zveno recording");
    t = shell("ln -s /dev/stdout through.csv; \"$Z\" convert numbers.csv -o through.csv | cat");
    expect_part(t.out, "# zveno recording");
}

static void inputs_that_never_end_are_refused(void **state) {
    (void)state;
    put_file("holder.yaml", "zveno: 1\ninclude: [pipe.yaml]\nlinks: [{name: a}]\n");
    expect_code(shell("mkfifo pipe.yaml"), 0);
    expect_failure(shell("timeout 60 \"$Z\" info pipe.yaml"), 1, "nobody writes");
    expect_failure(shell("timeout 60 \"$Z\" info /dev/zero"), 1, "device");
    Transcript t = shell("timeout 60 \"$Z\" info holder.yaml");
    expect_code(t, 1);
    t = shell(
        "sed 's/^model:.*/model: pipe.yaml/' fall.yaml >piped.yaml; timeout 60 \"$Z\" simulate piped.yaml -o x.csv");
    expect_code(t, 1);
    expect_part(t.err, "nobody writes");
}

/* Streams that a shell passes, and pipes with a name and a writer, are read as before. */
static void pipes_that_are_written_are_read(void **state) {
    (void)state;
    expect_silence(shell("cat arm.urdf | \"$Z\" info -"));
    expect_silence(shell("cat arm.urdf | \"$Z\" info /dev/stdin"));
    expect_silence(shell("\"$Z\" info /dev/stdin <arm.urdf"));
    expect_silence(shell("{ sleep 1.5; cat arm.urdf; } | \"$Z\" info /dev/fd/0"));
    expect_silence(shell("mkfifo named; cat arm.urdf >named & \"$Z\" info named"));
}

TESTS_BETWEEN(set_up, remove_folder, a_planted_partial_is_refused, a_name_beside_a_picture_is_not_followed,
              planted_rows_and_checkpoints_are_refused, what_others_own_is_refused, the_mode_is_the_users,
              many_runs_on_one_output_do_not_mix, a_pipe_that_nobody_reads_is_not_waited_for,
              inputs_that_never_end_are_refused, pipes_that_are_written_are_read)
