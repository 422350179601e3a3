/* Checkpoints: read back bit by bit; any byte changed, lost or added is noticed. */
#define _XOPEN_SOURCE 700
#include "record/sample.h"
#include "support/run_tests.h"

#include <sys/stat.h>

enum { COUNT = 9 };
static const zvSpoolMark MARK = {123456789012345, 6789, 3};

static void write_one(const char *fingerprint, size_t count, const double *values) {
    zvError error = {0};
    if (zv_checkpoint_write(in_folder("run.h5"), fingerprint, MARK, count, values, &error) < 0)
        fail_msg("%s", error.text);
}

static zvStatus read_one(const char *fingerprint, size_t *count, double **values, zvError *error) {
    zvSpoolMark mark = {0};
    zvStatus status = zv_checkpoint_read(in_folder("run.h5"), fingerprint, &mark, count, values, error);
    if (status == ZV_OK) assert_memory_equal(&mark, &MARK, sizeof mark);
    return status;
}

static void fill(double values[COUNT]) {
    rtRandom random = {11};
    for (int i = 0; i < COUNT; i++) values[i] = any_number(&random);
    values[3] = NAN;
}

static void values_come_back(void **state) {
    (void)state;
    double values[COUNT], *back;
    size_t count;
    fill(values);
    for (size_t n = 0; n <= COUNT; n++) {
        write_one("scenario 12ab, модель", n, values);
        assert_int_equal(read_one("scenario 12ab, модель", &count, &back, NULL), ZV_OK);
        assert_int_equal(count, n);
        assert_memory_equal(back, values, n * sizeof *values);
        free(back);
        assert_int_equal(entries(), 1); /* nothing else is left lying about */
    }
    write_one(NULL, 0, NULL);
    assert_int_equal(read_one("", &count, &back, NULL), ZV_OK);
    free(back);
    empty_folder();
}

static void refuse(const char *fingerprint, zvStatus wanted, const char *words) {
    zvError error = {0};
    size_t count = 1;
    double *values;
    assert_int_equal(read_one(fingerprint, &count, &values, &error), wanted);
    assert_null(values);
    assert_int_equal(count, 0);
    if (!strstr(error.text, words)) fail_msg("\"%s\" does not say \"%s\"", error.text, words);
    assert_non_null(strstr(error.file, "run.h5.checkpoint"));
}

static void other_runs_are_told(void **state) {
    (void)state;
    double values[COUNT];
    fill(values);
    refuse("a", ZV_IO, "expected a checkpoint of an earlier run, found none");
    write_one("abc", COUNT, values);
    refuse("abd", ZV_SCHEMA, "expected the checkpoint of this run, found that of another");
    refuse("ab", ZV_SCHEMA, "expected the checkpoint of this run, found that of another");
    refuse("abcd", ZV_SCHEMA, "expected the checkpoint of this run, found that of another");
    refuse(NULL, ZV_SCHEMA, "expected the checkpoint of this run, found that of another");
    empty_folder();
}

static void damage_is_noticed(void **state) {
    (void)state;
    double values[COUNT];
    fill(values);
    write_one("abc", COUNT, values);
    Bytes good = load_bytes(in_folder("run.h5.checkpoint"));
    rtRandom random = {12};
    for (size_t i = 0; i < good.size; i++) {
        unsigned char was = good.data[i];
        good.data[i] = (unsigned char)(was ^ (1 + rt_below(&random, 255)));
        save_bytes(in_folder("run.h5.checkpoint"), good.data, good.size);
        refuse("abc", ZV_SYNTAX, "damaged");
        good.data[i] = was;
    }
    for (size_t size = 0; size < good.size; size++) {
        save_bytes(in_folder("run.h5.checkpoint"), good.data, size);
        refuse("abc", ZV_SYNTAX, "damaged");
    }
    save_bytes(in_folder("run.h5.checkpoint"), good.data, good.size + 1);
    refuse("abc", ZV_SYNTAX, "damaged");
    free(good.data);
    empty_folder();
}

static void old_checkpoint_stays_when_a_new_one_fails(void **state) {
    (void)state;
    double values[COUNT], *back;
    size_t count;
    zvError error = {0};
    fill(values);
    assert_int_equal(zv_checkpoint_write(in_folder("none/run.h5"), "a", MARK, COUNT, values, &error), ZV_IO);
    assert_non_null(strstr(error.text, "none, found that it does not exist"));
    write_one("a", COUNT, values);
    /* a directory where the new file would be written */
    assert_int_equal(mkdir(in_folder("run.h5.checkpoint.partial"), 0777), 0);
    assert_int_equal(zv_checkpoint_write(in_folder("run.h5"), "b", MARK, 1, values, &error), ZV_IO);
    assert_int_equal(rmdir(in_folder("run.h5.checkpoint.partial")), 0);
    assert_int_equal(read_one("a", &count, &back, NULL), ZV_OK);
    assert_int_equal(count, COUNT);
    free(back);
    empty_folder();
}

TESTS_BETWEEN(make_folder, remove_folder, values_come_back, other_runs_are_told, damage_is_noticed,
              old_checkpoint_stays_when_a_new_one_fails)
