/* CSV tables: what is read, from which spellings, and what is refused with which words at which place. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

#include "check_law.h"
#include "support/run_tests.h"

static zvError error;

static zvTable read_good(const char *text) {
    zvTable table;
    if (zv_table_read_memory("t.csv", text, strlen(text), &table, &error) != ZV_OK)
        fail_msg("\"%s\": %s", text, error.text);
    return table;
}

/* The text is a table of 2 x 3: 1 2 3, -4 5.5 6e-2, with or without names t x y. */
static void expect_table(const char *text, int named) {
    static const double values[6] = {1, 2, 3, -4, 5.5, 6e-2};
    zvTable table = read_good(text);
    assert_int_equal(table.rows, 2);
    assert_int_equal(table.columns, 3);
    for (int i = 0; i < 6; i++) assert_true(table.values[i] == values[i]);
    assert_int_equal(table.names != NULL, named);
    for (int i = 0; named && i < 3; i++) assert_string_equal(table.names[i], ((const char *[]){"t", "x", "y"})[i]);
    zv_table_free(&table);
    assert_null(table.values);
    zv_table_free(&table);
}

static void spellings(void **state) {
    (void)state;
    static const char *const plain[] = {
        "1,2,3\n-4,5.5,6e-2\n",
        "1,2,3\n-4,5.5,6e-2",
        "1;2;3\r\n-4;5.5;6E-02\r\n",
        "1\t2\t3\r-4\t5.5\t.06\r",
        "1 2  3\n -4   5.5 \t 0.06  \n",
        "  1 , 2 ,\t3 \n-4,\t+5.5 ,6e-2\n\n\n",
        "# made by hand, 1,2\n\n1,2,3 # first\n   \n#\n-4,5.5,0.6e-1\n# the end",
        ("\xEF\xBB\xBF"
         "1,2,3\n-4,5.5,6e-2\n"),
        "01.,2.0,3e0\n-4e+0,55e-1,0.0600\n",
    };
    static const char *const named[] = {
        "t,x,y\n1,2,3\n-4,5.5,6e-2\n",
        "t x y\n1 2 3\n-4 5.5 6e-2\n",
        "\xEF\xBB\xBF# names\r\n\r\n\"t\"; \"x\" ;y\r\n1;2;3\r\n-4;5.5;6e-2",
        "t\tx\ty\n1\t2\t3\n-4\t5.5\t6e-2\n",
        "t x y\n1,2,3\n-4,5.5,6e-2\n",
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) expect_table(plain[i], 0);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) expect_table(named[i], 1);
}

static void names(void **state) {
    (void)state;
    zvTable table = read_good("time, joint one ,\"elbow, # left\",\xCE\xB8 2\n0,1,2,3\n");
    static const char *const expected[] = {"time", "joint one", "elbow, # left", "\xCE\xB8 2"};
    for (int i = 0; i < 4; i++) assert_string_equal(table.names[i], expected[i]);
    zv_table_free(&table);
    table = read_good("inflow,nano\n0,1\n"); /* words that only begin like inf and nan */
    assert_string_equal(table.names[1], "nano");
    zv_table_free(&table);
    table = read_good("5\n");
    assert_true(table.rows == 1 && table.columns == 1 && table.values[0] == 5);
    zv_table_free(&table);
}

/* Every double survives a round trip, tiny and huge ones included; too small is zero. */
static void numbers(void **state) {
    (void)state;
    static const double values[] = {1.7976931348623157e308, 4.9406564584124654e-324, 0.1, -1.0 / 3, 9007199254740993.0};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.17g", values[i]);
        zvTable table = read_good(text);
        assert_true(table.values[0] == values[i]);
        zv_table_free(&table);
    }
    char digits[1002] = "0."; /* a number of a thousand digits */
    memset(digits + 2, '3', 999);
    zvTable table = read_good(digits);
    assert_true(table.values[0] == 1.0 / 3);
    zv_table_free(&table);
    table = read_good("1e-999 -0");
    assert_true(table.values[0] == 0 && signbit(table.values[1]));
    zv_table_free(&table);
}

typedef struct Bad {
    const char *text;
    zvStatus status;
    int line, column;
    const char *token, *phrase;
} Bad;

static void refusals(void **state) {
    (void)state;
    static const Bad cases[] = {
        {"", ZV_SYNTAX, 0, 0, "", "expected rows of numbers, found nothing; add rows"},
        {"\n  \n# only this\n", ZV_SYNTAX, 0, 0, "", "expected rows of numbers, found nothing"},
        {"\xEF\xBB\xBF", ZV_SYNTAX, 0, 0, "", "expected rows of numbers, found nothing"},
        {"t,x\n", ZV_SYNTAX, 0, 0, "", "expected rows of numbers, found names alone"},
        {"1,2\n3,4,5\n", ZV_SYNTAX, 2, 5, "5", "expected 2 numbers as in the rows before, found more than 2"},
        {"1,2\n\n3\n", ZV_SYNTAX, 3, 2, "", "expected 2 numbers as in the rows before, found 1"},
        {"t,x,y\n1,2\n", ZV_SYNTAX, 2, 4, "", "expected 3 numbers as in the line of names, found 2"},
        {"t\n1,2\n", ZV_SYNTAX, 2, 3, "2", "expected 1 numbers as in the line of names, found more than 1"},
        {"1,2\n3,x\n", ZV_NUMBER, 2, 3, "x", "expected a finite number, found \"x\""},
        {"1,1.o,3\n", ZV_NUMBER, 1, 3, "1.o", "expected a finite number, found \"1.o\"; write numbers such as"},
        {"t,1\n", ZV_NUMBER, 1, 1, "t", "expected a finite number, found \"t\""},
        {"1,2\nx,y\n", ZV_NUMBER, 2, 1, "x", "expected a finite number, found \"x\""},
        {"1,nan\n", ZV_NUMBER, 1, 3, "nan", "expected a finite number, found \"nan\"; write finite numbers"},
        {"NaN,NaN\n", ZV_NUMBER, 1, 1, "NaN", "write finite numbers"},
        {"1,-Inf\n", ZV_NUMBER, 1, 3, "-Inf", "write finite numbers"},
        {"1, +infinity\n", ZV_NUMBER, 1, 4, "+infinity", "write finite numbers"},
        {".inf 1\n", ZV_NUMBER, 1, 1, ".inf", "write finite numbers"},
        {"1,1e400\n", ZV_NUMBER, 1, 3, "1e400", "write numbers up to about 1.8e308"},
        {"1,-2e308\n", ZV_NUMBER, 1, 3, "-2e308", "found \"-2e308\"; write numbers up to"},
        {"1,,3\n", ZV_NUMBER, 1, 3, "", "expected a finite number, found nothing; write a number between"},
        {"1,2,\n", ZV_NUMBER, 1, 5, "", "expected a finite number, found nothing"},
        {"1;2;;\n", ZV_NUMBER, 1, 5, "", "expected a finite number, found nothing"},
        {"0x10,2\n", ZV_NUMBER, 1, 1, "0x10", "write numbers such as"},
        {"1e,2\n", ZV_NUMBER, 1, 1, "1e", "write numbers such as"},
        {"1,--2\n", ZV_NUMBER, 1, 3, "--2", "write numbers such as"},
        {"1,.\n", ZV_NUMBER, 1, 3, ".", "write numbers such as"},
        {"0.5 m,2\n", ZV_NUMBER, 1, 1, "0.5 m", "without units"},
        {"0,5;1,5\n", ZV_NUMBER, 1, 1, "0,5", "write a decimal point, not a comma"},
        {"0,5\t1,5\n", ZV_NUMBER, 1, 3, "5\t1", "separate all of them alike"},
        {"1 2\n3,4\n", ZV_NUMBER, 2, 1, "3,4", "one kind of separator throughout"},
        {"1,2\n3;4\n", ZV_NUMBER, 2, 1, "3;4", "separate all of them alike"},
        {"\"1\",2\n", ZV_NUMBER, 1, 1, "\"1\"", "write numbers such as"},
        {"t,,y\n1,2,3\n", ZV_NAME, 1, 3, "", "column 2: expected a name, found none"},
        {"t,\"\"\n1,2\n", ZV_NAME, 1, 3, "", "column 2: expected a name, found none"},
        {"t,x,t\n1,2,3\n", ZV_NAME, 1, 5, "t", "column 3: expected a name of its own, found \"t\" of column 1"},
        {"\xCE\xB8,\xCF\x86,\xCE\xB8\n1,2,3\n", ZV_NAME, 1, 5, "\xCE\xB8", "column 3: expected a name of its own"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Bad *c = &cases[i];
        zvTable table = {.rows = 9};
        memset(&error, 0, sizeof error);
        const zvStatus status = zv_table_read_memory("t.csv", c->text, strlen(c->text), &table, &error);
        const int same = status == c->status && error.status == status && error.line == c->line &&
                         error.column == c->column && strcmp(error.token, c->token) == 0 &&
                         strstr(error.text, c->phrase);
        if (!same || strcmp(error.file, "t.csv") != 0 || !strchr(error.text, ';'))
            fail_msg("\"%s\": %s at %d:%d, token \"%s\": %s", c->text, zv_status_name(status), error.line, error.column,
                     error.token, error.text);
        assert_true(table.rows == 0 && table.values == NULL && table.block == NULL);
        zv_table_free(&table);
    }
}

/* UTF-16, pictures and what else has zero bytes; a text need not end with NUL. */
static void bytes(void **state) {
    (void)state;
    zvTable table;
    assert_int_equal(zv_table_read_memory("t", "1,2\0,3", 6, &table, &error), ZV_SYNTAX);
    assert_non_null(strstr(error.text, "zero bytes"));
    const char text[] = {'1', ',', '2', '5'};
    assert_int_equal(zv_table_read_memory("t", text, 3, &table, &error), ZV_OK);
    assert_true(table.columns == 2 && table.values[1] == 2);
    zv_table_free(&table);
    assert_int_equal(zv_table_read_memory("t", NULL, 0, &table, &error), ZV_SYNTAX);
    assert_int_equal(zv_table_read_memory("t", text, (size_t)300 << 20, &table, &error), ZV_SIZE);
    assert_non_null(strstr(error.text, "expected at most 256 MiB, found more"));
}

/* Longer than any buffer of the reader, and with a long token. */
static void many_rows(void **state) {
    (void)state;
    enum { ROWS = 20000 };
    char *text = malloc((size_t)ROWS * 48), *p = text;
    for (int i = 0; i < ROWS; i++) p += sprintf(p, "%d,%.17g,%.17g\n", i, i / 7.0, -i * 1e100 / 3);
    zvTable table;
    assert_int_equal(zv_table_read_memory("t", text, (size_t)(p - text), &table, &error), ZV_OK);
    assert_true(table.rows == ROWS && table.columns == 3);
    for (int i = 0; i < ROWS; i++) {
        assert_true(table.values[3 * i] == i && table.values[3 * i + 1] == i / 7.0);
        assert_true(table.values[3 * i + 2] == -i * 1e100 / 3);
    }
    zv_table_free(&table);
    memset(text, 'x', 5000);
    text[0] = '1';
    assert_int_equal(zv_table_read_memory("t", text, 5000, &table, &error), ZV_NUMBER);
    assert_int_equal(strlen(error.token), 63);
    free(text);
}

static void files(void **state) {
    (void)state;
    char path[] = "/tmp/zveno-table-XXXXXX";
    zvTable table;
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(zv_table_read_file(path, &table, &error), ZV_SYNTAX);
    assert_string_equal(error.file, path);
    assert_int_equal(write(descriptor, "t,x\n0,1\n1,2.5", 13), 13);
    close(descriptor);
    assert_int_equal(zv_table_read_file(path, &table, &error), ZV_OK);
    assert_true(table.rows == 2 && table.columns == 2 && table.values[3] == 2.5);
    assert_string_equal(table.names[1], "x");
    zv_table_free(&table);
    assert_int_equal(truncate(path, (off_t)300 << 20), 0); /* sparse */
    assert_int_equal(zv_table_read_file(path, &table, &error), ZV_SIZE);
    unlink(path);
    assert_int_equal(zv_table_read_file(path, &table, &error), ZV_IO);
    assert_non_null(strstr(error.text, "no such file"));
    assert_null(table.values);
    assert_int_equal(zv_table_read_file("/", &table, &error), ZV_IO);
    assert_non_null(strstr(error.text, "directory"));
}

/* A locale with a decimal comma changes nothing, and is still there afterwards. */
static void locales(void **state) {
    (void)state;
    static const char *const candidates[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && !found; i++)
        found = setlocale(LC_NUMERIC, candidates[i]);
    expect_table("1,2,3\n-4,5.5,6e-2\n", 0);
    if (found) assert_string_equal(localeconv()->decimal_point, ",");
    setlocale(LC_NUMERIC, "C");
    if (!found) skip();
}

TESTS(spellings, names, numbers, refusals, bytes, many_rows, files, locales)
