/* zveno report of two recordings: how far they are apart, over all rows, in double precision. */
#define _XOPEN_SOURCE 700
#include "report_page.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/record.h"

#define REC(name) name ZV_RECORDING

/* Skips the test in a build without the page. */
static void need_page(void) {
    if (strstr(zveno("report none.csv").err, "carries no page")) skip();
}

static const zvChannel timed[] = {{.name = "t", .unit = "s", .width = 1}, {.name = "x", .unit = "m", .width = 2}};

static void record(const char *name, int channels, const zvChannel *described, int rows, const double *numbers) {
    zvError error = {0};
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    zvRecorder *recorder = zv_recorder_create(path, channels, described, &error);
    if (!recorder) fail_msg("%s", error.text);
    for (int i = 0; i < rows; i++)
        assert_true(zv_recorder_row(recorder, numbers + i * zv_recorder_width(recorder), &error) >= 0);
    if (zv_recorder_finish(recorder, NULL, 0, NULL, &error) < 0) fail_msg("%s", error.text);
    zv_recorder_discard_spool(recorder);
    zv_recorder_destroy(recorder);
}

/* The comparison that the page tells; the document is to be destroyed. */
static const zvNode *compare(const char *operands, zvDocument **document) {
    char command[256];
    snprintf(command, sizeof command, "report %s -o both.html", operands);
    expect_code(zveno(command), 0);
    *document = read_page("both.html");
    return node_at(zv_document_root(*document), "comparison");
}

static const zvNode *find_column(const zvNode *comparison, const char *name) {
    for (size_t i = 0; i < (size_t)comparison->count; i++)
        if (!strcmp(node_at(comparison->items[i], "column")->text, name)) return comparison->items[i];
    fail_msg("%s is not compared", name);
    return NULL;
}

/* Impacts leave two rows at one time, before and after. */
static void a_recording_is_itself(void **state) {
    (void)state;
    need_page();
    expect_code(zveno("simulate '" ZV_SOURCE_DIR "/scenarios/bounce.yaml' -o " REC("bounce") " --quiet"), 0);
    expect_code(shell("cp " REC("bounce") " " REC("again")), 0);
    zvDocument *document;
    const zvNode *comparison = compare(REC("bounce") " " REC("again") " --rows 20", &document);
    const zvNode *shown = node_at(zv_document_root(document), "recordings.0");
    const double all = number_at(shown, "all_rows");
    int columns = 0;
    for (int c = 0; c < (int)node_at(shown, "channels")->count; c++)
        columns += (int)number_at(node_at(shown, "channels")->items[c], "width");
    assert_int_equal(comparison->count, columns);
    for (int i = 0; i < columns; i++) {
        const zvNode *column = comparison->items[i];
        assert_true(number_at(column, "largest") == 0 && number_at(column, "rms") == 0);
        assert_true(number_at(column, "rows") == all && number_at(column, "gaps") == 0);
    }
    zv_document_destroy(document);
    expect_code(zveno("report " REC("bounce") " -o one.html"), 0);
    document = read_page("one.html");
    assert_true(is_null(node_at(zv_document_root(document), "comparison")));
    zv_document_destroy(document);
}

/* A row at one time of A, of B: counted by hand. */
static void rows_of_one_time_go_in_their_order(void **state) {
    (void)state;
    need_page();
    static const double a[] = {0, 1, 0, /**/ 1, 2,  0, /**/ 1, -2, 0, /**/ 1.5, 0, 0,
                               2, 3, 0, /**/ 2, -3, 0, /**/ 2, 5,  0, /**/ 9,   7, 0};
    static const double b[] = {1, 2, 0, /**/ 1, -1.5, 0, /**/ 2, 3, 0, /**/ 2, -3, 0, /**/ 3, 7, 0};
    record("a.csv", 2, timed, 8, a);
    record("b.csv", 2, timed, 5, b);
    zvDocument *document;
    const zvNode *x = find_column(compare("a.csv b.csv", &document), "x.0");
    /* 0 at t = 1, then 0.5; 1.5: -1.5 and 3 give 0.75; 2: 0, 0 and 5 against the last, -3. 0 and 9 are beyond B. */
    assert_true(number_at(x, "largest") == 8 && number_at(x, "at") == 2 && number_at(x, "rows") == 6);
    assert_near(number_at(x, "rms"), sqrt((0.25 + 0.5625 + 64) / 6), 1e-14);
    assert_string_equal(node_at(x, "unit")->text, "m");
    zv_document_destroy(document);
}

static void what_is_not_finite_is_counted(void **state) {
    (void)state;
    need_page();
    static const double a[] = {0, NAN, NAN, /**/ 1, NAN, 1, /**/ 2, 4, 1e200, /**/ 3, 1, 0};
    static const double b[] = {0, NAN, 1, /**/ 1, 2, NAN, /**/ 2, 1, -1e200, /**/ 3, INFINITY, 0};
    record(REC("a"), 2, timed, 4, a);
    record(REC("b"), 2, timed, 4, b);
    zvDocument *document;
    const zvNode *comparison = compare(REC("a") " " REC("b"), &document), *x = find_column(comparison, "x.0");
    assert_true(number_at(x, "rows") == 1 && number_at(x, "gaps") == 2 && number_at(x, "largest") == 3);
    x = find_column(comparison, "x.1"); /* whose squares are not */
    assert_true(number_at(x, "rows") == 2 && number_at(x, "gaps") == 2 && number_at(x, "largest") == 2e200);
    assert_near(number_at(x, "rms"), 2e200 / sqrt(2), 1e186);
    zv_document_destroy(document);
}

/* Labels decide, not places; other units, labels and channels are not compared. */
static void columns_are_matched_by_name(void **state) {
    (void)state;
    need_page();
    static const char *const ab[] = {"a", "b", "same", "same"}, *const ba[] = {"same", "b", "same", "a"};
    const zvChannel first[] = {timed[0],
                               {.name = "x", .unit = "m", .width = 4, .labels = ab},
                               {.name = "f", .unit = "N", .width = 1},
                               {.name = "g", .unit = "N", .width = 1}};
    const zvChannel second[] = {timed[0],
                                {.name = "f", .unit = "kN", .width = 1},
                                {.name = "h", .unit = "N", .width = 1},
                                {.name = "x", .unit = "m", .width = 4, .labels = ba}};
    record(REC("a"), 4, first, 1, (double[]){0, 1, 2, 3, 4, 5, 6});
    record(REC("b"), 4, second, 1, (double[]){0, 5, 6, 3.5, 2.25, 4.125, 1.0625});
    zvDocument *document;
    const zvNode *comparison = compare(REC("a") " " REC("b"), &document);
    assert_int_equal(comparison->count, 4);
    assert_true(number_at(find_column(comparison, "x.a"), "largest") == 0.0625);
    assert_true(number_at(find_column(comparison, "x.b"), "largest") == 0.25);
    assert_true(number_at(find_column(comparison, "x.same"), "largest") == 0.5);
    assert_true(number_at(find_column(comparison, "x.same (2)"), "largest") == 0.125);
    zv_document_destroy(document);
}

/* What single precision, or rows that were left out, would hide. */
static void long_tables_differ_by_little(void **state) {
    (void)state;
    need_page();
    enum { ROWS = 200000, ODD = 123457 };
    double *a = malloc(ROWS * 3 * sizeof *a), *b = malloc(ROWS * 3 * sizeof *b);
    assert_true(a && b);
    for (int i = 0; i < ROWS; i++) {
        const double row[] = {1e-3 * i, 100 * sin(1e-3 * i), cos(1e-2 * i)};
        memcpy(a + 3 * i, row, sizeof row);
        memcpy(b + 3 * i, row, sizeof row);
        b[3 * i + 1] += 1e-5;
    }
    b[3 * ODD + 2] += 1e-10;
    record(REC("a"), 2, timed, ROWS, a);
    record(REC("b"), 2, timed, ROWS, b);
    zvDocument *document;
    const zvNode *comparison = compare(REC("a") " " REC("b"), &document), *x = find_column(comparison, "x.0");
    assert_near(number_at(x, "largest"), 1e-5, 3e-14); /* two roundings at 100 */
    assert_near(number_at(x, "rms"), 1e-5, 3e-14);
    assert_true(number_at(x, "rows") == ROWS);
    x = find_column(comparison, "x.1");
    assert_near(number_at(x, "largest"), 1e-10, 3e-16);
    assert_true(number_at(x, "at") == a[3 * ODD]);
    assert_near(number_at(x, "rms"), 1e-10 / sqrt(ROWS), 1e-18);
    zv_document_destroy(document);
    free(a);
    free(b);
}

static void runs_differ_by_little(void **state) {
    (void)state;
    need_page();
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "zveno_scenario: 1\nmodel: '" ZV_SOURCE_DIR "/models/two_link.yaml'\nduration: 0.1\n"
                 "initial: {q: {joint1: %.17g, joint2: 0.3}}\noutput: {rate: 50, channels: [q]}\n",
                 i ? 0.5 + 1e-10 : 0.5);
        put_file("run.yaml", text);
        expect_code(
            zveno(i ? "simulate run.yaml -o " REC("b") " --quiet" : "simulate run.yaml -o " REC("a") " --quiet"), 0);
    }
    zvDocument *document;
    const double apart = number_at(find_column(compare(REC("a") " " REC("b"), &document), "q.joint1"), "largest");
    printf("%.3g rad\n", apart);
    assert_true(apart >= 0.9999e-10 && apart < 2e-10); /* as it begins; it may grow */
    zv_document_destroy(document);
}

/* B at entry k where A is at row i, by looking at all rows: the n-th row of that time, else a straight line. */
static double value_at(const double *a, int i, const double *b, int rows, int k) {
    int turn = 0, found = -1, below = -1, above = -1;
    for (int j = 0; j < i; j++) turn += a[3 * j] == a[3 * i];
    for (int j = 0; j < rows; j++) {
        if (b[3 * j] == a[3 * i] && turn-- >= 0) found = j;
        if (b[3 * j] < a[3 * i]) below = j;
        if (b[3 * j] > a[3 * i] && above < 0) above = j;
    }
    if (found >= 0) return b[3 * found + k];
    if (below < 0 || above < 0) return NAN;
    const double whole = b[3 * above] - b[3 * below];
    return ((b[3 * above] - a[3 * i]) * b[3 * below + k] + (a[3 * i] - b[3 * below]) * b[3 * above + k]) / whole;
}

static void random_tables_agree_with_a_search(void **state) {
    (void)state;
    need_page();
    enum { ROUNDS = 12, MOST = 60 };
    unsigned seed = 20261116;
    printf("seed %u\n", seed);
    for (int round = 0; round < ROUNDS; round++) {
        double table[2][3 * MOST];
        int rows[2];
        for (int w = 0; w < 2; w++) {
            double time = (double)(round % 3) * w;
            rows[w] = 1 + (round * 17 + w * 29) % MOST;
            for (int i = 0; i < 3 * rows[w]; i++) {
                seed = seed * 1664525u + 1013904223u;
                if (i % 3 == 0) time += 0.25 * (seed >> 30); /* often none */
                table[w][i] = i % 3 ? (double)(seed >> 8) / 16777216 : time;
            }
            record(w ? "b.csv" : "a.csv", 2, timed, rows[w], table[w]);
        }
        zvDocument *document;
        const zvNode *comparison = compare("a.csv b.csv", &document);
        for (int k = 1; k <= 2; k++) {
            double largest = 0, squares = 0;
            int count = 0;
            for (int i = 0; i < rows[0]; i++) {
                const double apart = fabs(table[0][3 * i + k] - value_at(table[0], i, table[1], rows[1], k));
                if (isnan(apart)) continue;
                largest = fmax(largest, apart), squares += apart * apart, count++;
            }
            if (!count) {
                assert_int_equal(comparison->count, 0);
                continue;
            }
            const zvNode *x = find_column(comparison, k == 1 ? "x.0" : "x.1");
            assert_true(number_at(x, "rows") == count && number_at(x, "gaps") == 0);
            assert_near(number_at(x, "largest"), largest, 1e-14);
            assert_near(number_at(x, "rms"), sqrt(squares / count), 1e-14);
        }
        zv_document_destroy(document);
    }
}

/* Rows that are numbered in both are compared by number; in one only, not at all. */
static void numbered_rows_compare(void **state) {
    (void)state;
    need_page();
    put_file("a.csv", "force,travel\n3,1\n1,2\n2,4\n");
    put_file("b.csv", "force,travel\n3,1\n1,2.5\n2,4\n9,9\n");
    put_file("c.csv", "force,travel\n0,1\n1,2.5\n");
    zvDocument *document;
    const zvNode *comparison = compare("a.csv b.csv", &document);
    assert_int_equal(comparison->count, 2);
    assert_true(number_at(comparison->items[0], "largest") == 0 && number_at(comparison->items[0], "rows") == 3);
    assert_true(number_at(comparison->items[1], "largest") == 0.5 && number_at(comparison->items[1], "at") == 1);
    zv_document_destroy(document);
    assert_int_equal(compare("a.csv c.csv", &document)->count, 0);
    zv_document_destroy(document);
}

TESTS_BETWEEN(make_folder, remove_folder, a_recording_is_itself, rows_of_one_time_go_in_their_order,
              what_is_not_finite_is_counted, columns_are_matched_by_name, long_tables_differ_by_little,
              runs_differ_by_little, random_tables_agree_with_a_search, numbered_rows_compare)
