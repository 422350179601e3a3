/* zveno report: the document in the page is the recording, number by number; nothing in it can be markup; what cannot
 * be shown is told. */
#define _XOPEN_SOURCE 700
#include "report_page.h"
#include "support/run_tests.h"

#include <float.h>

#include "zveno/record.h"

static const char swing[] = "zveno_scenario: 1\n"
                            "title: Two links <b>swing</b> & \"fall\"\n"
                            "model: '" ZV_SOURCE_DIR "/models/two_link.yaml'\n"
                            "duration: 1\n"
                            "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                            "output: {rate: 50, channels: [q, v, tau, energy, pose link2]}\n";

#define REC(name) name ZV_RECORDING

/* Skips the test in a build without the page. */
static void need_page(void) {
    if (strstr(zveno("report none.csv").err, "carries no page")) skip();
}

static char *path_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A channel of time and the others, rows of numbers, no notes but these. */
static void record(const char *name, int channels, const zvChannel *described, int rows, const double *numbers,
                   int notes, const zvNote *said) {
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create(path_of(name), channels, described, &error);
    if (!recorder) fail_msg("%s", error.text);
    for (int i = 0; i < rows; i++)
        assert_true(zv_recorder_row(recorder, numbers + i * zv_recorder_width(recorder), &error) >= 0);
    if (zv_recorder_finish(recorder, NULL, notes, said, &error) < 0) fail_msg("%s", error.text);
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
}

/* All numbers of one recording in a page against those of the file. */
static void expect_recording(const zvNode *shown, const char *name) {
    zvRecording *recording = NULL;
    zvError error = {0};
    if (zv_recording_open(path_of(name), &recording, &error) < 0) fail_msg("%s", error.text);
    const size_t rows = (size_t)zv_recording_rows(recording);
    assert_true(number_at(shown, "rows") == (double)rows && number_at(shown, "all_rows") == (double)rows);
    assert_true(is_null(node_at(shown, "decimated")));
    assert_int_equal(node_at(shown, "channels")->count, zv_recording_channels(recording) - 1);
    for (int c = 0; c < zv_recording_channels(recording); c++) {
        const zvChannel *channel = zv_recording_channel(recording, c);
        const size_t width = (size_t)channel->width;
        double *there = calloc(rows * width + 1, sizeof *there);
        assert_true(zv_recording_read(recording, c, 0, rows, there, &error) >= 0);
        double *here = c ? channel_numbers(shown, c - 1, rows) : page_times(shown, rows);
        const bool exact = !c || is_precise(node_at(shown, "channels")->items[c - 1]);
        if (c) assert_string_equal(node_at(node_at(shown, "channels")->items[c - 1], "name")->text, channel->name);
        if (!strcmp(channel->name, "q")) assert_true(exact);
        for (size_t i = 0; i < rows; i++)
            for (size_t k = 0; k < width; k++) {
                const double expected = exact ? there[i * width + k] : (double)(float)there[i * width + k];
                if (here[k * rows + i] != expected && !(isnan(expected) && isnan(here[k * rows + i])))
                    fail_msg("%s: row %zu, entry %zu: %.17g, not %.17g", channel->name, i, k, here[k * rows + i],
                             expected);
            }
        free(here);
        free(there);
    }
    zv_recording_destroy(recording);
}

static void numbers_are_those_of_the_recording(void **state) {
    (void)state;
    need_page();
    const Transcript t = zveno("report " REC("swing"));
    expect_silence(t);
    expect_part(t.out, "wrote swing.html: 51 rows of 51, 6 channels, ");
    zvDocument *document = read_page("swing.html");
    const zvNode *root = zv_document_root(document);
    assert_true(number_at(root, "zveno_page") == 1);
    assert_string_equal(node_at(root, "kind")->text, "report");
    expect_part(node_at(root, "command")->text, "zveno report " REC("swing"));
    assert_true(strlen(node_at(root, "machine.processor")->text) > 0);
    assert_int_equal(strlen(node_at(root, "machine.date")->text), strlen("2026-01-01T00:00:00Z"));
    assert_int_equal(node_at(root, "problems")->count, 0);
    assert_true(is_null(node_at(root, "modes")));
    const zvNode *shown = node_at(root, "recordings.0");
    assert_string_equal(node_at(shown, "file")->text, REC("swing"));
    assert_string_equal(node_at(shown, "title")->text, "Two links <b>swing</b> & \"fall\"");
    assert_true(number_at(shown, "q") == 0);
    assert_string_equal(node_at(shown, "channels.0.labels.1")->text, "joint2");
    assert_string_equal(node_at(shown, "channels.0.units.1")->text, "rad");
    expect_recording(shown, REC("swing"));
    zv_document_destroy(document);
}

/* The ledger of the page is the note, line by line. */
static void ledger_is_the_note(void **state) {
    (void)state;
    need_page();
    static const zvChannel channels[] = {{.name = "t", .unit = "s", .width = 1}};
    const zvNote notes[] = {{"ledger", "kind,name,J\nstore,kinetic,1.25\nwork,spring a, b,-0.5\nwork,odd,nan\n"}};
    record("ledger.csv", 1, channels, 1, (double[]){0}, 1, notes);
    expect_code(zveno("report ledger.csv"), 0);
    zvDocument *document = read_page("ledger.html");
    const zvNode *ledger = node_at(zv_document_root(document), "recordings.0.ledger");
    assert_int_equal(ledger->count, 3);
    assert_string_equal(node_at(ledger, "0.kind")->text, "store");
    assert_true(number_at(ledger, "0.J") == 1.25);
    assert_string_equal(node_at(ledger, "1.kind")->text, "work");
    assert_string_equal(node_at(ledger, "1.name")->text, "spring a, b");
    assert_true(number_at(ledger, "1.J") == -0.5);
    assert_true(is_null(node_at(ledger, "2.J")));
    zv_document_destroy(document);
}

static void odd_numbers_pass_through(void **state) {
    (void)state;
    need_page();
    static const zvChannel channels[] = {{.name = "t", .unit = "s", .width = 1},
                                         {.name = "odd", .unit = "N", .width = 2},
                                         {.name = "huge", .unit = "N", .width = 1},
                                         {.name = "kept", .unit = "J", .width = 1},
                                         {.name = "lost", .unit = "1", .width = 1}};
    const double rows[] = {0, NAN, 1,         1e300, 1e5,        NAN, /**/
                           1, 2,   INFINITY,  1e300, 1e5 + 1e-6, NAN, /**/
                           2, 3,   -INFINITY, 1e300, 1e5 - 1e-6, NAN};
    record(REC("odd"), 5, channels, 3, rows, 0, NULL);
    expect_code(zveno("report " REC("odd")), 0);
    zvDocument *document = read_page("odd.html");
    const zvNode *shown = node_at(zv_document_root(document), "recordings.0");
    expect_recording(shown, REC("odd"));
    static const bool precise[] = {false, true, true, false}; /* beyond single precision; a small part varies */
    for (int i = 0; i < 4; i++) assert_int_equal(is_precise(node_at(shown, "channels")->items[i]), precise[i]);
    zv_document_destroy(document);
}

static void few_rows_are_documents(void **state) {
    (void)state;
    need_page();
    static const zvChannel channels[] = {{.name = "t", .unit = "s", .width = 1},
                                         {.name = "x", .unit = "m", .width = 3}};
    for (int rows = 0; rows <= 1; rows++) {
        record(REC("few"), 2, channels, rows, (double[]){7, 1, 2, 3}, 0, NULL);
        const Transcript t = zveno("report " REC("few"));
        expect_code(t, 0);
        expect_part(t.out, rows ? "1 rows of 1" : "0 rows of 0");
        if (!rows) expect_part(t.err, "has no rows");
        zvDocument *document = read_page("few.html");
        const zvNode *shown = node_at(zv_document_root(document), "recordings.0");
        expect_recording(shown, REC("few"));
        assert_true(is_null(node_at(shown, "model")) && number_at(shown, "q") == -1);
        zv_document_destroy(document);
    }
}

static void names_are_data(void **state) {
    (void)state;
    need_page();
    static const char evil[] = "</script><img src=x onerror=alert(1)><!--",
                      knee[] = "колено \xF0\x9F\xA6\xBF \"q\" \\ \x01";
    const char *const labels[] = {evil, knee};
    const zvChannel channels[] = {{.name = "t", .unit = "s", .width = 1},
                                  {.name = evil, .unit = evil, .about = evil, .width = 2, .labels = labels}};
    const zvNote notes[] = {{"title", evil}, {evil, knee}, {"model", evil}};
    record(REC("evil"), 2, channels, 1, (double[]){0, 1, 2}, 3, notes);
    const Transcript t = zveno("report " REC("evil") " --title '</SCRIPT>ж'");
    expect_code(t, 0);
    expect_part(t.err, "its model cannot be read");
    zvDocument *document = read_page("evil.html"); /* which asserts that no "<" is in it */
    const zvNode *shown = node_at(zv_document_root(document), "recordings.0"), *channel = node_at(shown, "channels.0");
    assert_string_equal(node_at(shown, "title")->text, "</SCRIPT>ж");
    assert_string_equal(node_at(channel, "name")->text, evil);
    assert_string_equal(node_at(channel, "about")->text, evil);
    assert_string_equal(node_at(channel, "labels.0")->text, evil);
    assert_string_equal(node_at(channel, "labels.1")->text, knee);
    assert_string_equal(node_at(shown, "notes.1.name")->text, evil);
    assert_string_equal(node_at(shown, "notes.1.text")->text, knee);
    assert_true(is_null(node_at(shown, "model")));
    assert_int_equal(node_at(zv_document_root(document), "problems")->count, 1);
    zv_document_destroy(document);
}

static void a_million_rows_are_thinned(void **state) {
    (void)state;
    need_page();
    enum { ROWS = 1000001, SPIKE = 777777, DIP = 123456 };
    static const zvChannel channels[] = {{.name = "t", .unit = "s", .width = 1},
                                         {.name = "x", .unit = "m", .width = 2}};
    zvError error = {0};
    zvRecorder *recorder = zv_recorder_create(path_of(REC("long")), 2, channels, &error);
    assert_non_null(recorder);
    for (int i = 0; i < ROWS; i++) {
        const double row[] = {i,
                              i == SPIKE          ? 99
                              : i == SPIKE - 5000 ? 98
                                                  : (double)(i % 1000),
                              i == DIP ? (double)NAN : -(double)i};
        assert_true(zv_recorder_row(recorder, row, &error) >= 0);
    }
    assert_true(zv_recorder_finish(recorder, NULL, 0, NULL, &error) >= 0);
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
    const Transcript t = zveno("report " REC("long"));
    expect_code(t, 0);
    expect_part(t.out, " of 1000001 rows: one in 101, and between two of them the one that departs most from a line; "
                       "least and greatest values are kept");
    zvDocument *document = read_page("long.html");
    const zvNode *shown = node_at(zv_document_root(document), "recordings.0");
    const size_t rows = (size_t)number_at(shown, "rows");
    assert_true(number_at(shown, "all_rows") == ROWS && rows > 9900 && rows <= 20000);
    double *time = page_times(shown, rows), *x = channel_numbers(shown, 0, rows);
    bool dip = false;
    int spikes = 0;
    assert_true(time[0] == 0 && time[rows - 1] == ROWS - 1);
    for (size_t i = 0; i < rows; i++) {
        const int row = (int)time[i];
        if (i) assert_true(time[i] > time[i - 1] && time[i] - time[i - 1] <= 101);
        assert_true(x[i] == (row == SPIKE ? 99 : row == SPIKE - 5000 ? 98 : row % 1000));
        if (row == DIP) assert_true(isnan(x[rows + i]));
        if (row != DIP) assert_true(x[rows + i] == -(double)row);
        dip |= row == DIP;
        spikes += row == SPIKE || row == SPIKE - 5000;
    }
    assert_true(dip && spikes == 2);
    free(time);
    free(x);
    zv_document_destroy(document);
    remove(path_of(REC("long")));
}

/* The least and greatest values of columns that have them at different rows, in a page of few rows. */
static void extremes_stay(void **state) {
    (void)state;
    need_page();
    enum { ROWS = 5000, WIDTH = 8 };
    static const zvChannel channels[] = {{.name = "t", .unit = "s", .width = 1},
                                         {.name = "x", .unit = "m", .width = WIDTH}};
    static double rows[ROWS * (WIDTH + 1)];
    unsigned seed = 20261116;
    printf("seed %u\n", seed);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k <= WIDTH; k++) {
            seed = seed * 1664525u + 1013904223u;
            rows[i * (WIDTH + 1) + k] = k ? (double)(seed >> 8) : (double)i;
        }
    record("noise.csv", 2, channels, ROWS, rows, 0, NULL);
    expect_code(zveno("report noise.csv --rows 100"), 0);
    zvDocument *document = read_page("noise.html");
    const zvNode *shown = node_at(zv_document_root(document), "recordings.0");
    const size_t count = (size_t)number_at(shown, "rows");
    assert_true(count <= 100 && count > 50);
    double *x = channel_numbers(shown, 0, count);
    for (int k = 0; k < WIDTH; k++) {
        double least[2] = {INFINITY, INFINITY}, greatest[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < ROWS; i++) {
            least[0] = fmin(least[0], rows[i * (WIDTH + 1) + k + 1]);
            greatest[0] = fmax(greatest[0], rows[i * (WIDTH + 1) + k + 1]);
        }
        for (size_t i = 0; i < count; i++) {
            least[1] = fmin(least[1], x[(size_t)k * count + i]);
            greatest[1] = fmax(greatest[1], x[(size_t)k * count + i]);
        }
        assert_true(least[0] == least[1] && greatest[0] == greatest[1]);
    }
    free(x);
    zv_document_destroy(document);
}

static void bad_recordings_leave_nothing(void **state) {
    (void)state;
    need_page();
    size_t size;
    char *bytes = load_file(REC("swing"), &size);
    FILE *file = fopen(path_of(REC("cut")), "wb");
    assert_int_equal(fwrite(bytes, 1, size / 2, file), size / 2);
    fclose(file);
    free(bytes);
    put_file("foreign.h5", "this is no recording, nor a table\n\x01\x02");
    expect_failure(zveno("report " REC("cut")), 1, REC("cut"));
    expect_failure(zveno("report foreign.h5"), 1, "foreign.h5");
    expect_failure(zveno("report none.h5"), 1, "none.h5");
    put_file("run.yaml", "zveno_scenario: 1\n");
    expect_failure(zveno("report run.yaml"), 1, "expected a recording, found a scenario; ");
    expect_failure(zveno("report " REC("swing") " " REC("cut") " -o cut.html"), 1, REC("cut"));
    assert_false(has_file("cut.html") || has_file("foreign.html") || has_file("none.html"));
}

static void two_recordings_compare(void **state) {
    (void)state;
    need_page();
    const Transcript t = zveno("report " REC("swing") " other.csv -o both.html");
    expect_silence(t);
    expect_part(t.out, "wrote both.html: " REC("swing") " 51 rows of 51, 6 channels; other.csv 11 rows of 11, ");
    zvDocument *document = read_page("both.html");
    const zvNode *root = zv_document_root(document);
    assert_int_equal(node_at(root, "recordings")->count, 2);
    expect_recording(node_at(root, "recordings.0"), REC("swing"));
    expect_recording(node_at(root, "recordings.1"), "other.csv");
    zv_document_destroy(document);
    expect_failure(zveno("report other.csv other.csv other.csv"), 2,
                   "expected one recording, or two to compare, found more");
}

static void foreign_tables_are_numbered(void **state) {
    (void)state;
    need_page();
    put_file("table.csv", "force,travel\n3,1\n1,2\n2,4\n");
    const Transcript t = zveno("report table.csv --json");
    expect_silence(t);
    expect_text(t.out, "report", "table.html");
    expect_numbers(t.out, "recordings.0.rows", 1, (double[]){3});
    expect_part(t.out, "rows are numbered instead");
    zvDocument *document = read_page("table.html");
    const zvNode *shown = node_at(zv_document_root(document), "recordings.0");
    double *time = page_times(shown, 3), *force = channel_numbers(shown, 0, 3), *travel = channel_numbers(shown, 1, 3);
    static const double forces[] = {3, 1, 2}, travels[] = {1, 2, 4};
    for (int i = 0; i < 3; i++) assert_true(time[i] == i && force[i] == forces[i] && travel[i] == travels[i]);
    free(time), free(force), free(travel);
    zv_document_destroy(document);
}

static void modes_are_matched_by_name(void **state) {
    (void)state;
    need_page();
    put_file("modes.json",
             "{\"joints\": \"sprung\", \"q\": [0.5, -1], \"modes\": [\n"
             "  {\"frequency\": 2, \"hertz\": 0.5, \"damping\": 0.1, \"shape\": {\"joint2\": 3, \"joint1\": -4}}]}\n");
    expect_silence(zveno("report " REC("swing") " --modes modes.json -o modes.html"));
    zvDocument *document = read_page("modes.html");
    const zvNode *modes = node_at(zv_document_root(document), "modes");
    assert_string_equal(node_at(modes, "joints")->text, "sprung");
    assert_true(number_at(modes, "q.1") == -1 && number_at(modes, "modes.0.hertz") == 0.5);
    assert_true(number_at(modes, "modes.0.shape.0") == -4 && number_at(modes, "modes.0.shape.1") == 3);
    zv_document_destroy(document);
    put_file("wrong.json",
             "{\"joints\": \"free\", \"modes\": [\n"
             "  {\"frequency\": 2, \"hertz\": 0.5, \"damping\": 0, \"shape\": {\"joint1\": 3, \"elbow\": 4}}]}\n");
    expect_failure(zveno("report " REC("swing") " --modes wrong.json"), 1, "wrong.json:2:");
    put_file("short.json", "{\"joints\": \"free\", \"q\": [1], \"modes\": []}\n");
    expect_failure(zveno("report " REC("swing") " --modes short.json"), 1, "short.json:1:");
    expect_failure(zveno("report table.csv --modes modes.json"), 1, "found none that can be read");
}

static void modes_verb_tells_where(void **state) {
    (void)state;
    need_page();
    const Transcript t = shell("\"$Z\" modes '" ZV_SOURCE_DIR "/models/two_link.yaml' --json >real.json && "
                               "\"$Z\" report " REC("swing") " --modes real.json -o real.html");
    if (strstr(t.err, "LAPACK")) skip();
    expect_silence(t);
    zvDocument *document = read_page("real.html");
    assert_int_equal(node_at(zv_document_root(document), "modes.q")->count, 2);
    assert_int_equal(node_at(zv_document_root(document), "modes.modes.0.shape")->count, 2);
    zv_document_destroy(document);
}

static void a_page_that_cannot_be_written_leaves_the_old_one(void **state) {
    (void)state;
    need_page();
    expect_failure(zveno("report " REC("swing") " -o nowhere/swing.html"), 1, "nowhere/swing.html");
    expect_failure(zveno("report " REC("swing") " -o ."), 1, "directory");
    expect_failure(zveno("report " REC("swing") " -o -"), 2, "standard output");
    expect_failure(zveno("report " REC("swing") " -o " REC("swing")), 2, "expected another file than the recording");
    put_file("old.html", "old");
    expect_failure(shell("ulimit -f 1; exec \"$Z\" report " REC("swing") " -o old.html"), 1, "could not be written");
    size_t size;
    char *old = load_file("old.html", &size);
    assert_string_equal(old, "old");
    free(old);
    expect_silence(shell("test -z \"$(ls | grep part)\""));
}

/* By another spelling, a link of either kind; the second recording, the modes. */
static void inputs_are_never_replaced(void **state) {
    (void)state;
    need_page();
    put_file("shapes.json", "{\"joints\": \"free\", \"modes\": []}\n");
    expect_silence(shell("cp " REC("swing") " kept; cp other.csv kept.csv; cp shapes.json kept.json; mkdir -p deep; "
                                            "ln -s " REC("swing") " soft.html; ln " REC(
                                                "swing") " hard.html; ln -s shapes.json shapes.html"));
    static const char *const targets[] = {"./" REC("swing"), "deep/../" REC("swing"), "soft.html",  "hard.html",
                                          "./other.csv",     "./shapes.json",         "shapes.html"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char command[256];
        snprintf(command, sizeof command, "report " REC("swing") " other.csv --modes shapes.json -o %s", targets[i]);
        expect_failure(zveno(command), 2, "; name one: -o OUT.html");
    }
    expect_silence(shell("cmp " REC("swing") " kept && cmp other.csv kept.csv && cmp shapes.json kept.json"));
}

static void pages_are_reproducible(void **state) {
    (void)state;
    need_page();
    expect_silence(
        shell("export SOURCE_DATE_EPOCH=86400; \"$Z\" report other.csv >/dev/null && mv other.html first.html && "
              "\"$Z\" report other.csv >/dev/null && cmp first.html other.html"));
    zvDocument *document = read_page("first.html");
    assert_string_equal(node_at(zv_document_root(document), "machine.date")->text, "1970-01-02T00:00:00Z");
    zv_document_destroy(document);
}

static void an_arm_for_a_minute_is_small(void **state) {
    (void)state;
    need_page();
    put_file("minute.yaml", "zveno_scenario: 1\nmodel: '" ZV_SOURCE_DIR "/models/cobot7.yaml'\nduration: 60\n"
                            "drives: [{type: motion, joints: all, law: {type: harmonic, amplitude: [1, 0.5, 1, 0.5, 1, "
                            "0.5, 1, 0.01], hertz: 0.3}}]\n"
                            "output: {rate: 60, channels: [q, v, tau, energy, pose tcp]}\n");
    expect_code(zveno("simulate minute.yaml -o " REC("minute") " --quiet"), 0);
    const Transcript t = zveno("report " REC("minute"));
    expect_silence(t);
    expect_part(t.out, "3601 rows of 3601");
    size_t size;
    free(load_file("minute.html", &size));
    printf("%zu bytes\n", size);
    assert_true(size < 5000000);
}

static int record_runs(void **state) {
    if (make_folder(state)) return -1;
    put_file("swing.yaml", swing);
    expect_code(zveno("simulate swing.yaml -o " REC("swing") " --quiet"), 0);
    expect_code(zveno("simulate swing.yaml --set output.rate=10 -o other.csv --quiet"), 0);
    return 0;
}

TESTS_BETWEEN(record_runs, remove_folder, numbers_are_those_of_the_recording, ledger_is_the_note,
              odd_numbers_pass_through, few_rows_are_documents, names_are_data, a_million_rows_are_thinned,
              extremes_stay, bad_recordings_leave_nothing, two_recordings_compare, foreign_tables_are_numbered,
              modes_are_matched_by_name, modes_verb_tells_where, a_page_that_cannot_be_written_leaves_the_old_one,
              inputs_are_never_replaced, pages_are_reproducible, an_arm_for_a_minute_is_small)
