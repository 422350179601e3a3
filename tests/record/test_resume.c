/* Runs that end early: a spool cut anywhere beyond the mark and a process killed while writing go on without a row lost
 * or doubled; what does not fit is refused. */
#define _XOPEN_SOURCE 700
#include "record/sample.h"
#include "support/run_tests.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

static uint64_t size_of(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) fail_msg("%s is not there", path);
    return (uint64_t)info.st_size;
}

static zvRecorder *resume(const Sample *sample, const char *path, zvSpoolMark mark, zvError *error) {
    return zv_recorder_resume(path, sample->channel_count, sample->channels, mark, error);
}

/* Goes on from the mark and compares the finished recording. */
static void check_resumed(const Sample *sample, const char *path, zvSpoolMark mark) {
    zvError error = {0};
    zvRecorder *recorder = resume(sample, path, mark, &error);
    if (!recorder) fail_msg("seed %llu: %s", (unsigned long long)sample->seed, error.text);
    assert_int_equal(sample_record(sample, recorder, mark.rows, sample->rows, &error), ZV_OK);
    sample_finish(sample, recorder, NULL);
    zv_recorder_destroy(recorder);
    sample_check(sample, path);
}

static void cut_spools_go_on(void **state) {
    (void)state;
    for (uint64_t seed = 201; seed <= 240; seed++) {
        Sample *sample = sample_make(seed, 200);
        rtRandom random = {seed};
        const char *path = in_folder("cut.csv");
        zvSpoolMark mark;
        zvError error = {0};
        uint64_t half = (uint64_t)rt_below(&random, 200);
        zvRecorder *recorder = sample_recorder(sample, path);
        assert_int_equal(sample_record(sample, recorder, 0, half, &error), ZV_OK);
        assert_int_equal(zv_recorder_sync(recorder, true, &mark, &error), ZV_OK);
        assert_int_equal(mark.rows, half);
        assert_int_equal(mark.bytes, size_of(in_folder("cut.csv.rows")));
        assert_int_equal(sample_record(sample, recorder, half, sample->rows, &error), ZV_OK);
        assert_int_equal(zv_recorder_sync(recorder, false, NULL, &error), ZV_OK);
        zv_recorder_destroy(recorder);
        uint64_t whole = size_of(in_folder("cut.csv.rows"));
        uint64_t cut = mark.bytes + rt_next(&random) % (whole - mark.bytes + 1);
        assert_int_equal(truncate(in_folder("cut.csv.rows"), (off_t)cut), 0);
        check_resumed(sample, path, mark);
        check_resumed(sample, path, mark); /* the spool is still there: once more, with too much in it */
        sample_free(sample);
    }
    empty_folder();
}

/* A child that records for ever, with a checkpoint every few rows. */
static void record_for_ever(const Sample *sample, const char *path, int pipe_end) {
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create(path, sample->channel_count, sample->channels, &error);
    for (uint64_t i = 0; recorder && i < sample->rows; i++) {
        zvSpoolMark mark;
        if (sample_record(sample, recorder, i, i + 1, &error) < 0) _exit(1);
        if (i % 7 != 3) continue;
        if (zv_recorder_sync(recorder, false, &mark, &error) < 0) _exit(1);
        double value = (double)(i + 1);
        if (zv_checkpoint_write(path, "run", mark, 1, &value, &error) < 0) _exit(1);
        if (i == 3 && write(pipe_end, "x", 1) != 1) _exit(1);
    }
    for (;;) pause();
}

static void kill_after(const Sample *sample, const char *path, long microseconds) {
    int ends[2], status;
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) record_for_ever(sample, path, ends[1]);
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1); /* the first checkpoint is written */
    close(ends[0]);
    struct timespec wait = {0, microseconds * 1000};
    nanosleep(&wait, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void killed_runs_go_on(void **state) {
    (void)state;
    for (uint64_t seed = 301; seed <= 315; seed++) {
        Sample *sample = sample_make(seed, 400);
        rtRandom random = {seed};
        const char *path = in_folder("killed.csv");
        kill_after(sample, path, rt_below(&random, 20000));
        zvSpoolMark mark;
        size_t count;
        double *values;
        zvError error = {0};
        if (zv_checkpoint_read(path, "run", &mark, &count, &values, &error) < 0) fail_msg("%s", error.text);
        assert_int_equal(count, 1);
        assert_true(values[0] == (double)mark.rows);
        free(values);
        check_resumed(sample, path, mark);
        sample_free(sample);
        empty_folder();
    }
}

/* Refusals ------------------------------------------------------------------------------------------- */

static void refuse(const Sample *sample, zvSpoolMark mark, zvStatus wanted, const char *words) {
    zvError error = {0};
    zvRecorder *recorder = resume(sample, in_folder("r.csv"), mark, &error);
    assert_null(recorder);
    assert_int_equal(error.status, wanted);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_non_null(strstr(error.file, "r.csv.rows"));
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    Sample *sample = sample_make(401, 50), *other = sample_make(402, 50);
    zvSpoolMark mark = {1000, 10, 0};
    zvError error = {0};
    refuse(sample, mark, ZV_IO, "expected a spool of an earlier run to go on with, found none");
    zvRecorder *recorder = sample_recorder(sample, in_folder("r.csv"));
    assert_int_equal(sample_record(sample, recorder, 0, 50, &error), ZV_OK);
    assert_int_equal(zv_recorder_sync(recorder, false, &mark, &error), ZV_OK);
    refuse(sample, mark, ZV_IO, "another run is writing it");
    assert_null(zv_recorder_create(in_folder("r.csv"), sample->channel_count, sample->channels, &error));
    assert_non_null(strstr(error.text, "another run is writing it"));
    zv_recorder_destroy(recorder);

    refuse(other, mark, ZV_SCHEMA, "expected a spool with the channels of this run, found others");
    const char *unit = sample->channels[0].unit;
    sample->channels[0].unit = "h";
    refuse(sample, mark, ZV_SCHEMA, "expected a spool with the channels of this run, found others");
    sample->channels[0].unit = unit;
    refuse(sample, (zvSpoolMark){mark.bytes + 1, mark.rows, mark.events}, ZV_SYNTAX, "ends early");
    refuse(sample, (zvSpoolMark){mark.bytes, mark.rows + 1, mark.events}, ZV_SYNTAX, "another run");
    refuse(sample, (zvSpoolMark){mark.bytes, mark.rows, mark.events + 1}, ZV_SYNTAX, "another run");
    refuse(sample, (zvSpoolMark){mark.bytes - 1, mark.rows, mark.events}, ZV_SYNTAX, "expected a record, found damage");
    refuse(sample, (zvSpoolMark){0, 0, 0}, ZV_SYNTAX, "ends early");

    Bytes spool = load_bytes(in_folder("r.csv.rows"));
    size_t hole = 20 * (16 + 8 * (size_t)sample->width); /* as a crash of the machine leaves it */
    memset(spool.data + spool.size - hole, 0, hole);
    save_bytes(in_folder("r.csv.rows"), spool.data, spool.size);
    refuse(sample, mark, ZV_SYNTAX, "expected a record, found damage");
    memset(spool.data, 'x', 4);
    save_bytes(in_folder("r.csv.rows"), spool.data, spool.size);
    refuse(sample, mark, ZV_SYNTAX, "expected a spool, found another file");
    free(spool.data);
    sample_free(sample);
    sample_free(other);
    empty_folder();
}

/* Any single bit of what counts. */
static void a_changed_bit_is_noticed(void **state) {
    (void)state;
    Sample *sample = sample_make(403, 40);
    rtRandom random = {403};
    zvSpoolMark mark;
    zvError error = {0};
    zvRecorder *recorder = sample_recorder(sample, in_folder("r.csv"));
    assert_int_equal(sample_record(sample, recorder, 0, 40, &error), ZV_OK);
    assert_int_equal(zv_recorder_sync(recorder, true, &mark, &error), ZV_OK);
    zv_recorder_destroy(recorder);
    Bytes spool = load_bytes(in_folder("r.csv.rows"));
    for (int i = 0; i < 500; i++) {
        const size_t at = (size_t)(rt_next(&random) % spool.size);
        const unsigned char bit = (unsigned char)(1u << (rt_next(&random) % 8));
        spool.data[at] ^= bit;
        save_bytes(in_folder("r.csv.rows"), spool.data, spool.size);
        recorder = resume(sample, in_folder("r.csv"), mark, &error);
        if (recorder) fail_msg("bit %d of byte %zu of %zu passed", bit, at, spool.size);
        spool.data[at] ^= bit;
    }
    save_bytes(in_folder("r.csv.rows"), spool.data, spool.size);
    recorder = resume(sample, in_folder("r.csv"), mark, &error);
    assert_non_null(recorder);
    zv_recorder_destroy(recorder);
    free(spool.data);
    sample_free(sample);
    empty_folder();
}

static void a_new_run_replaces_the_old_spool(void **state) {
    (void)state;
    Sample *sample = sample_make(501, 60);
    zvSpoolMark mark;
    zvError error = {0};
    double value = 1;
    zvRecorder *recorder = sample_recorder(sample, in_folder("new.csv"));
    assert_int_equal(sample_record(sample, recorder, 0, 60, &error), ZV_OK);
    assert_int_equal(zv_recorder_sync(recorder, true, &mark, &error), ZV_OK);
    assert_int_equal(zv_checkpoint_write(in_folder("new.csv"), "", mark, 1, &value, &error), ZV_OK);
    zv_recorder_destroy(recorder);
    assert_int_equal(entries(), 2);
    recorder = sample_recorder(sample, in_folder("new.csv"));
    assert_int_equal(entries(), 1); /* the checkpoint spoke of the old spool */
    assert_int_equal(sample_record(sample, recorder, 0, 60, &error), ZV_OK);
    sample_finish(sample, recorder, NULL);
    sample_check(sample, in_folder("new.csv"));
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
    assert_int_equal(entries(), 1);
    sample_free(sample);
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, cut_spools_go_on, killed_runs_go_on, what_does_not_fit_is_refused,
              a_changed_bit_is_noticed, a_new_run_replaces_the_old_spool)
