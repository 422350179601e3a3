/* What the world does to outputs: full disks, limits, wrong paths. Every failure is told, nothing good is destroyed,
 * nothing is left lying about, and after the cause is gone the recording is whole. */
#define _XOPEN_SOURCE 700
#include "record/output.h"
#include "record/sample.h"
#include "support/run_tests.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>

static const zvChannel TIME = {"time", "s", "", 1, NULL, NULL};

/* Files may not grow beyond size; -1: no limit. The signal is ignored, as a program that records should do. */
static void limit_files(long size) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = size < 0 ? limit.rlim_max : (rlim_t)size;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void check_text(const zvError *error, zvStatus status, const char *words) {
    assert_int_equal(error->status, status);
    if (!strstr(error->text, words)) fail_msg("\"%s\" does not say \"%s\"", error->text, words);
    assert_true(error->file[0] != '\0');
}

/* Finishing under a limit, at many limits: refused, the old output untouched; then without one: whole. */
static void finish_under_limits(const char *name, long limit_step) {
    Sample *old = sample_make(601, 20), *sample = sample_make(602, 3000);
    char path[300];
    snprintf(path, sizeof path, "%s", in_folder(name));
    sample_write(sample, path);
    struct stat whole;
    assert_int_equal(stat(path, &whole), 0);
    sample_write(old, path);
    zvError error = {0};
    zvRecorder *recorder = sample_recorder(sample, path);
    assert_int_equal(sample_record(sample, recorder, 0, sample->rows, &error), ZV_OK);
    assert_int_equal(zv_recorder_sync(recorder, false, NULL, &error), ZV_OK);
    for (long limit = 0; limit < whole.st_size; limit += limit_step) {
        error = (zvError){0};
        limit_files(limit);
        zvStatus status = zv_recorder_finish(recorder, NULL, sample->note_count, sample->notes, &error);
        limit_files(-1);
        if (status != ZV_IO) fail_msg("limit %ld of %ld: status %d", limit, (long)whole.st_size, (int)status);
        check_text(&error, ZV_IO, "larger than files may be");
        assert_int_equal(entries(), 2);
    }
    sample_check(old, path);
    sample_finish(sample, recorder, NULL);
    sample_check(sample, path);
    zv_recorder_destroy(recorder);
    sample_free(old);
    sample_free(sample);
    empty_folder();
}

static void limited_csv_keeps_the_old_file(void **state) {
    (void)state;
    finish_under_limits("limited.csv", 99991);
}

static void limited_hdf5_keeps_the_old_file(void **state) {
    (void)state;
    if (has_hdf5()) finish_under_limits("limited.h5", 9973);
}

/* A row that is refused may be tried again: the spool is then as if nothing had happened. */
static void spool_goes_on_when_there_is_room(void **state) {
    (void)state;
    Sample *sample = sample_make(603, 40000);
    const char *path = in_folder("spool.csv");
    zvError error = {0};
    zvRecorder *recorder = sample_recorder(sample, path);
    uint64_t row = 0;
    int refusals = 0;
    sample->event_count = 0;
    limit_files(1000000);
    while (row < sample->rows) {
        zvStatus status = zv_recorder_row(recorder, sample->values + row * (uint64_t)sample->width, &error);
        if (status < 0) {
            check_text(&error, ZV_IO, "larger than files may be");
            assert_non_null(strstr(error.file, "spool.csv.rows"));
            if (++refusals % 3 == 0) limit_files(1000000L + 777777L * refusals);
        } else {
            row++;
        }
    }
    limit_files(-1);
    assert_true(refusals > 5);
    sample_finish(sample, recorder, NULL);
    sample_check(sample, path);
    zv_recorder_destroy(recorder);
    sample_free(sample);
    empty_folder();
}

static void full_devices_are_told(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0) skip();
    zvError error = {0};
    double row = 1;
    zvRecorder *recorder = zv_recorder_create_memory(1, &TIME, &error);
    assert_int_equal(zv_recorder_row(recorder, &row, &error), ZV_OK);
    assert_int_equal(symlink("/dev/full", in_folder("full.csv")), 0);
    assert_int_equal(zv_recorder_finish(recorder, in_folder("full.csv"), 0, NULL, &error), ZV_IO);
    check_text(&error, ZV_IO, "disk is full");
    if (has_hdf5()) {
        assert_int_equal(symlink("/dev/full", in_folder("full.h5")), 0);
        assert_int_equal(zv_recorder_finish(recorder, in_folder("full.h5"), 0, NULL, &error), ZV_NOT_SUPPORTED);
        check_text(&error, ZV_NOT_SUPPORTED, "expected a regular file for HDF5, found another");
    }
    zv_recorder_destroy(recorder);
    empty_folder();
}

static void links_stay_links(void **state) {
    (void)state;
    Sample *sample = sample_make(604, 20);
    struct stat info;
    sample_write(sample, in_folder("real.csv"));
    assert_int_equal(chmod(in_folder("real.csv"), 0640), 0);
    assert_int_equal(symlink("real.csv", in_folder("link.csv")), 0);
    sample->values[0] = 5;
    sample_write(sample, in_folder("link.csv"));
    assert_int_equal(lstat(in_folder("link.csv"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    sample_check(sample, in_folder("real.csv"));
    assert_int_equal(stat(in_folder("real.csv"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(entries(), 2);
    sample_free(sample);
    empty_folder();
}

/* What a killed finish left is used again; what another run is writing is left alone. */
static void partial_files_are_no_obstacle(void **state) {
    (void)state;
    Sample *sample = sample_make(605, 20);
    save_bytes(in_folder("p.csv.partial"), "rubbish", 7);
    sample_write(sample, in_folder("p.csv"));
    sample_check(sample, in_folder("p.csv"));
    assert_int_equal(entries(), 1);
    assert_int_equal(symlink(in_folder("p.csv"), in_folder("p.csv.partial")), 0);
    zvRecording *recording;
    zvError error = {0};
    assert_int_equal(zv_recording_open(in_folder("p.csv"), &recording, &error), ZV_OK);
    assert_int_equal(zv_recording_write(recording, in_folder("p.csv"), &error), ZV_IO);
    check_text(&error, ZV_IO, "in the way");
    unlink(in_folder("p.csv.partial"));
    assert_int_equal(zv_recording_write(recording, in_folder("p.csv"), &error), ZV_OK); /* over itself */
    zv_recording_destroy(recording);
    sample_check(sample, in_folder("p.csv"));
    sample_free(sample);
    empty_folder();
}

/* Paths and channels --------------------------------------------------------------------------------- */

static void refuse(const char *path, int count, const zvChannel *channels, zvStatus status, const char *words) {
    zvError error = {0};
    assert_null(zv_recorder_create(path, count, channels, &error));
    check_text(&error, status, words);
}

static void bad_paths_are_refused_at_once(void **state) {
    (void)state;
    refuse(in_folder("none/x.csv"), 1, &TIME, ZV_IO,
           "none, found that it does not exist; make it or choose another path");
    assert_int_equal(mkdir(in_folder("d.csv"), 0777), 0);
    refuse(in_folder("d.csv"), 1, &TIME, ZV_IO, "this is a directory");
    assert_int_equal(rmdir(in_folder("d.csv")), 0);
    assert_int_equal(mkdir(in_folder("e.csv.rows"), 0777), 0);
    refuse(in_folder("e.csv"), 1, &TIME, ZV_IO, "this is a directory");
    assert_int_equal(rmdir(in_folder("e.csv.rows")), 0);
    refuse(in_folder("x.txt"), 1, &TIME, ZV_NOT_SUPPORTED, ".h5, .hdf5 or .csv");
    refuse(in_folder("csv"), 1, &TIME, ZV_NOT_SUPPORTED, ".h5, .hdf5 or .csv");
    if (!has_hdf5()) refuse(in_folder("x.h5"), 1, &TIME, ZV_NOT_SUPPORTED, "cannot write HDF5");
    if (geteuid() != 0) {
        assert_int_equal(mkdir(in_folder("locked"), 0555), 0);
        refuse(in_folder("locked/x.csv"), 1, &TIME, ZV_IO, "no permission");
        assert_int_equal(rmdir(in_folder("locked")), 0);
    }
    assert_int_equal(entries(), 0);
}

static void bad_channels_are_refused(void **state) {
    (void)state;
    const char *path = in_folder("c.csv");
    zvChannel twice[2] = {TIME, TIME}, nameless = {"", "s", "", 1, NULL, NULL}, empty = {"a", "s", "", 0, NULL, NULL};
    zvChannel negative = {"a", "s", "", -1, NULL, NULL}, huge = {"a", "s", "", INT32_MAX, NULL, NULL};
    refuse(path, 2, twice, ZV_NAME, "channels: expected names that differ, found \"time\" twice");
    refuse(path, 1, &nameless, ZV_NAME, "channel 1: expected a name, found none");
    refuse(path, 1, &empty, ZV_SIZE, "expected a channel that holds numbers, found none");
    refuse(path, 0, NULL, ZV_SIZE, "expected a channel that holds numbers, found none");
    refuse(path, 1, &negative, ZV_SIZE, "found a width of -1");
    refuse(path, 1, &huge, ZV_SIZE, "split the recording");
    assert_int_equal(entries(), 0);
}

/* Links and pipes --------------------------------------------------------------------------------------- */

static void a_link_to_nothing_stays_a_link(void **state) {
    (void)state;
    Sample *sample = sample_make(620, 20);
    struct stat info;
    assert_int_equal(symlink("second.csv", in_folder("first.csv")), 0);
    assert_int_equal(symlink(in_folder("third.csv"), in_folder("second.csv")), 0);
    sample_write(sample, in_folder("first.csv"));
    assert_int_equal(lstat(in_folder("first.csv"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(in_folder("second.csv"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(in_folder("third.csv"), &info), 0);
    assert_true(S_ISREG(info.st_mode));
    sample_check(sample, in_folder("third.csv"));
    unlink(in_folder("first.csv"));
    assert_int_equal(symlink("first.csv", in_folder("first.csv")), 0);
    zvError error = {0};
    assert_null(zv_recorder_create(in_folder("first.csv"), sample->channel_count, sample->channels, &error));
    assert_int_equal(error.status, ZV_IO);
    sample_free(sample);
    empty_folder();
}

static void pipes_are_told_at_once(void **state) {
    (void)state;
    zvError error = {0};
    zvSpoolMark mark;
    size_t count;
    double *values;
    assert_int_equal(mkfifo(in_folder("p.csv.checkpoint"), 0600), 0);
    assert_int_equal(zv_checkpoint_read(in_folder("p.csv"), "", &mark, &count, &values, &error), ZV_IO);
    check_text(&error, ZV_IO, "no regular file");
    if (has_hdf5()) {
        assert_int_equal(mkfifo(in_folder("p.h5"), 0600), 0);
        assert_null(zv_recorder_create(in_folder("p.h5"), 1, &TIME, &error));
        check_text(&error, ZV_NOT_SUPPORTED, "expected a regular file for HDF5, found another");
    }
    empty_folder();
}

/* A program may have closed its streams and write to them all the same. */
static void spools_take_no_number_of_a_stream(void **state) {
    (void)state;
    zvError error = {0};
    const int saved = fcntl(0, F_DUPFD_CLOEXEC, 10);
    assert_true(saved >= 0);
    close(0);
    zvRecorder *recorder = zv_recorder_create(in_folder("low.csv"), 1, &TIME, &error);
    const bool taken = fcntl(0, F_GETFD) >= 0;
    dup2(saved, 0);
    close(saved);
    assert_non_null(recorder);
    assert_false(taken);
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
    empty_folder();
}

enum { TICKS_MAX = 2000 };
static volatile sig_atomic_t ticks;
static int far_end;

/* Whoever waits anew after each signal waits for ever; he is told the end at last. */
static void tick(int number) {
    (void)number;
    if (++ticks == TICKS_MAX && write(far_end, "", 1) < 0) ticks = TICKS_MAX;
}

/* Signals come ten times as often as patience ends, in real time. */
static void signals_do_not_prolong_patience(void **state) {
    (void)state;
    struct sigaction action = {.sa_handler = tick}, before;
    struct itimerval timer = {{0, 5000}, {0, 5000}};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    far_end = ends[1];
    assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
    assert_false(zi_descriptor_wait(ends[0], 50));
    timer = (struct itimerval){0};
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
    assert_true(ticks < TICKS_MAX);
    assert_int_equal(write(far_end, "", 1), 1);
    assert_true(zi_descriptor_wait(ends[0], 50));
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    close(ends[0]);
    close(ends[1]);
}

TESTS_BETWEEN(make_folder, remove_folder, signals_do_not_prolong_patience, limited_csv_keeps_the_old_file,
              limited_hdf5_keeps_the_old_file, spool_goes_on_when_there_is_room, full_devices_are_told,
              links_stay_links, partial_files_are_no_obstacle, bad_paths_are_refused_at_once, bad_channels_are_refused,
              a_link_to_nothing_stays_a_link, pipes_are_told_at_once, spools_take_no_number_of_a_stream)
