/* CSV: the text itself, and tables of other programs. */
#define _XOPEN_SOURCE 700
#include "record/sample.h"

static void text_reads_well(void **state) {
    (void)state;
    const char *labels[2] = {"shoulder", "a, \"b\""}, *units[2] = {"rad", "m"};
    zvChannel channels[4] = {{"time", "s", "simulated time", 1, NULL, NULL},
                             {"q", "rad", "", 2, labels, units},
                             {"none", "1", "", 0, NULL, NULL},
                             {"p", "m", "", 2, NULL, NULL}};
    zvNote notes[2] = {{"scenario", "a: 1\n  b: \"two\"\n"}, {"empty", ""}};
    zvEvent event = {0.25, "limit", "at \"end\"\n"};
    double rows[2][5] = {{0, 0.1, 1.0 / 3, -0.0, INFINITY}, {0.01, NAN, -1e-300, 123456789, -INFINITY}};
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create_memory(4, channels, &error);
    assert_int_equal(zv_recorder_row(recorder, rows[0], &error), ZV_OK);
    assert_int_equal(zv_recorder_event(recorder, &event, &error), ZV_OK);
    assert_int_equal(zv_recorder_row(recorder, rows[1], &error), ZV_OK);
    assert_int_equal(zv_recorder_finish(recorder, in_folder("t.csv"), 2, notes, &error), ZV_OK);
    zv_recorder_destroy(recorder);
    Bytes text = load_bytes(in_folder("t.csv"));
    assert_string_equal((char *)text.data, "# zveno recording, format 1\n"
                                           "# rows 2\n"
                                           "# channel \"time\" width 1 unit \"s\" about \"simulated time\"\n"
                                           "# channel \"q\" width 2 unit \"rad\" about \"\"\n"
                                           "# labels \"shoulder\" \"a, \\\"b\\\"\"\n"
                                           "# units \"rad\" \"m\"\n"
                                           "# channel \"none\" width 0 unit \"1\" about \"\"\n"
                                           "# channel \"p\" width 2 unit \"m\" about \"\"\n"
                                           "# note \"scenario\"\n"
                                           "# | a: 1\n"
                                           "# |   b: \"two\"\n"
                                           "# | \n"
                                           "# note \"empty\"\n"
                                           "# | \n"
                                           "# event 0.25 \"limit\" \"at \\\"end\\\"\\n\"\n"
                                           "time [s],q.shoulder [rad],\"q.a, \"\"b\"\" [m]\",p.1 [m],p.2 [m]\n"
                                           "0,0.1,0.33333333333333331,-0,inf\n"
                                           "0.01,nan,-1e-300,123456789,-inf\n");
    free(text.data);
    empty_folder();
}

/* Version 0.1 called events "happening" in their comment. */
static void events_of_version_0_1(void **state) {
    (void)state;
    zvRecording *recording;
    zvError error = {0};
    static const char text[] = "# zveno recording, format 1\n"
                               "# rows 2\n"
                               "# channel \"time\" width 1 unit \"s\" about \"simulated time\"\n"
                               "# channel \"p\" width 1 unit \"m\" about \"\"\n"
                               "# happening 0.25 \"limit\" \"at \\\"end\\\"\"\n"
                               "# happening 0.5 \"touch\" \"\"\n"
                               "time [s],p [m]\n"
                               "0,1\n"
                               "1,2\n";
    save_bytes(in_folder("old.csv"), text, strlen(text));
    if (zv_recording_open(in_folder("old.csv"), &recording, &error) < 0) fail_msg("%s", error.text);
    assert_int_equal(zv_recording_rows(recording), 2);
    assert_int_equal(zv_recording_channels(recording), 2);
    assert_int_equal(zv_recording_events(recording), 2);
    const zvEvent limit = zv_recording_event(recording, 0), touch = zv_recording_event(recording, 1);
    assert_true(limit.t == 0.25 && touch.t == 0.5);
    assert_string_equal(limit.name, "limit");
    assert_string_equal(limit.text, "at \"end\"");
    assert_string_equal(touch.name, "touch");
    zv_recording_destroy(recording);
    empty_folder();
}

/* Every number has a text that means it and no other: compared with what the C library reads. */
static void numbers_are_exact(void **state) {
    (void)state;
    zvChannel channel = {"x", "1", "", 1, NULL, NULL};
    zvRecorder *recorder = zv_recorder_create_memory(1, &channel, NULL);
    enum { COUNT = 20000 };
    static double values[COUNT];
    rtRandom random = {21};
    for (int i = 0; i < COUNT; i++) {
        uint64_t bits = rt_next(&random);
        memcpy(&values[i], &bits, sizeof bits);
        assert_int_equal(zv_recorder_row(recorder, &values[i], NULL), ZV_OK);
    }
    assert_int_equal(zv_recorder_finish(recorder, in_folder("n.csv"), 0, NULL, NULL), ZV_OK);
    zv_recorder_destroy(recorder);
    Bytes text = load_bytes(in_folder("n.csv"));
    char *at = strstr((char *)text.data, "x [1]\n") + 6;
    for (int i = 0; i < COUNT; i++) {
        char *end;
        double value = strtod(at, &end);
        if (!same_number(value, values[i])) fail_msg("number %d: %.17g is not %.17g", i, value, values[i]);
        assert_int_equal(*end, '\n');
        at = end + 1;
    }
    assert_int_equal(*at, '\0');
    free(text.data);
    empty_folder();
}

/* What people write with few digits is written so: all multiples of 1e-k look as printf with 15 digits has them. */
static void short_numbers_stay_short(void **state) {
    (void)state;
    zvChannel channel = {"x", "1", "", 1, NULL, NULL};
    zvRecorder *recorder = zv_recorder_create_memory(1, &channel, NULL);
    enum { COUNT = 40000 };
    static char wanted[COUNT][32];
    rtRandom random = {22};
    for (int i = 0; i < COUNT; i++) {
        int digits = 1 + rt_below(&random, 15);
        snprintf(wanted[i], sizeof wanted[i], "%.*e", digits - 1,
                 rt_signed(&random, 1, 10) * rt_decades(&random, -9, 9));
        double value = strtod(wanted[i], NULL);
        snprintf(wanted[i], sizeof wanted[i], "%.15g\n", value);
        assert_int_equal(zv_recorder_row(recorder, &value, NULL), ZV_OK);
    }
    assert_int_equal(zv_recorder_finish(recorder, in_folder("s.csv"), 0, NULL, NULL), ZV_OK);
    zv_recorder_destroy(recorder);
    Bytes text = load_bytes(in_folder("s.csv"));
    char *at = strstr((char *)text.data, "x [1]\n") + 6;
    for (int i = 0; i < COUNT; i++, at = strchr(at, '\n') + 1)
        if (strncmp(at, wanted[i], strlen(wanted[i])) != 0) fail_msg("%.30s is not %s", at, wanted[i]);
    free(text.data);
    empty_folder();
}

/* Other programs' tables ------------------------------------------------------------------------------- */

static void check_foreign(const char *text, int count, const char *const *names, const char *const *units, int rows,
                          const double *values) {
    save_bytes(in_folder("f.csv"), text, strlen(text));
    zvRecording *recording;
    zvError error = {0};
    char line[900];
    if (zv_recording_open(in_folder("f.csv"), &recording, &error) < 0)
        fail_msg("%s\n%s", zv_error_line(&error, line, sizeof line), text);
    assert_int_equal(zv_recording_channels(recording), count);
    assert_int_equal(zv_recording_rows(recording), rows);
    for (int c = 0; c < count; c++) {
        double found[8];
        assert_string_equal(zv_recording_channel(recording, c)->name, names[c]);
        assert_string_equal(zv_recording_channel(recording, c)->unit, units[c]);
        assert_int_equal(zv_recording_read(recording, c, 0, (uint64_t)rows, found, &error), ZV_OK);
        for (int i = 0; i < rows; i++)
            if (!same_number(found[i], values[i * count + c]))
                fail_msg("row %d, column %d: %g is not %g\n%s", i, c, found[i], values[i * count + c], text);
    }
    assert_int_equal(zv_recording_notes(recording), 0);
    zv_recording_destroy(recording);
}

static void foreign_tables_are_read(void **state) {
    (void)state;
    const char *const names[2] = {"time", "q 1"}, *const units[2] = {"s", "1"};
    const char *const numbered[2] = {"column 1", "column 2"}, *const none[2] = {"1", "1"};
    const double values[4] = {0, 1.5, 0.1, -2e3}, gap[4] = {0, NAN, NAN, -2e3};
    check_foreign("time [s],q 1\n0,1.5\n0.1,-2e3\n", 2, names, units, 2, values);
    check_foreign("time [s],q 1\r\n0,1.5\r\n0.1,-2e3\r\n", 2, names, units, 2, values);
    check_foreign("\xEF\xBB\xBF\"time [s]\";\"q 1\"\n0;1.5\n\n0.1;-2e3", 2, names, units, 2, values);
    check_foreign("time [s]\tq 1\n0\t1.5\n0.1\t-2e3\n", 2, names, units, 2, values);
    check_foreign("# by hand\n time [s] , q 1 \n 0 , 1.5 \n# more\n 0.1 , -2e3 \n", 2, names, units, 2, values);
    check_foreign("\xEF\xBB\xBF"
                  "0,1.5\n0.1,-2e3\n",
                  2, numbered, none, 2, values);
    check_foreign("0,1.5\n0.1,-2e3\n", 2, numbered, none, 2, values);
    check_foreign("0,\n,-2e3\n", 2, numbered, none, 2, gap);
    check_foreign("0\t\n\t-2e3\n", 2, numbered, none, 2, gap);
    check_foreign("time [s],q 1\n0,\n,-2000\n", 2, names, units, 2, gap);
    check_foreign("7", 1, numbered, none, 1, (const double[]){7});
    empty_folder();
}

static void doubled_columns_are_refused(void **state) {
    (void)state;
    zvRecording *recording;
    zvError error = {0};
    save_bytes(in_folder("f.csv"), "a,a\n1,2\n", 8);
    assert_int_equal(zv_recording_open(in_folder("f.csv"), &recording, &error), ZV_NAME);
    empty_folder();
}

/* A note that would steer the terminal of whoever looks at the file is escaped there, and reads back as it was. */
static void notes_do_not_steer(void **state) {
    (void)state;
    const char *text = "plain \"line\"\nred \x1b[31m and \\ \"quoted\"\r\ntab\tstays";
    zvChannel channel = {"time", "s", "", 1, NULL, NULL};
    zvNote note = {"title", text};
    zvError error = {0};
    double row = 1;
    zvRecorder *recorder = zv_recorder_create_memory(1, &channel, &error);
    assert_int_equal(zv_recorder_row(recorder, &row, &error), ZV_OK);
    assert_int_equal(zv_recorder_finish(recorder, in_folder("steer.csv"), 1, &note, &error), ZV_OK);
    zv_recorder_destroy(recorder);
    Bytes bytes = load_bytes(in_folder("steer.csv"));
    assert_null(memchr(bytes.data, 0x1b, bytes.size));
    assert_non_null(strstr((char *)bytes.data, "# | plain \"line\"\n"));
    free(bytes.data);
    zvRecording *recording = NULL;
    assert_int_equal(zv_recording_open(in_folder("steer.csv"), &recording, &error), ZV_OK);
    assert_string_equal(zv_recording_note(recording, 0).text, text);
    zv_recording_destroy(recording);
    empty_folder();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_reads_well),         cmocka_unit_test(events_of_version_0_1),
        cmocka_unit_test(numbers_are_exact),       cmocka_unit_test(short_numbers_stay_short),
        cmocka_unit_test(foreign_tables_are_read), cmocka_unit_test(doubled_columns_are_refused),
        cmocka_unit_test(notes_do_not_steer),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
