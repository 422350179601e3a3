/* Rows that zveno view keeps of a long run: all at first, then sparser and sparser, never moved, the last one always.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "live/rows.h"
#include "support/run_tests.h"

enum { WIDTH = 3 };

static void fill(double *row, uint64_t number) {
    for (int k = 0; k < WIDTH; k++) row[k] = 10.0 * (double)number + k;
}

/* Which rows stay, by the rule and without the program: row n, of spacing 1 up to `all`, then all / 10 rows (rounded
 * up) of each spacing 10, 100, ... */
static size_t expected(uint64_t count, size_t all, uint64_t *numbers) {
    const size_t part = (all + 9) / 10;
    size_t kept = 0, left = all;
    uint64_t every = 1;
    for (uint64_t n = 0; n < count; n++) {
        if (left == 0) {
            every *= 10;
            left = part;
        }
        if (n % every) continue;
        numbers[kept++] = n;
        left--;
    }
    if (count && numbers[kept - 1] != count - 1) numbers[kept++] = count - 1;
    return kept;
}

static void rows_that_stay(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 1, 49, 50, 51, 60, 99, 100, 101, 549, 1234, 100000};
    static uint64_t numbers[1000];
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        LiveRows rows;
        assert_true(live_rows_create(&rows, WIDTH, 50));
        double row[WIDTH];
        for (uint64_t n = 0; n < counts[i]; n++) {
            const size_t before = rows.count;
            fill(row, n);
            assert_true(live_rows_add(&rows, row));
            assert_in_range(rows.count, before, before + 1);
        }
        assert_true(live_rows_finish(&rows) && live_rows_finish(&rows));
        assert_int_equal(rows.count, expected(counts[i], 50, numbers));
        for (size_t k = 0; k < rows.count; k++) {
            fill(row, numbers[k]);
            assert_memory_equal(rows.values + k * WIDTH, row, sizeof row);
        }
        Text text = {0};
        live_rows_tell(&rows, &text);
        assert_int_equal(text.size > 0, counts[i] > 51); /* of 51 the last is kept as well */
        text_free(&text);
        live_rows_free(&rows);
    }
}

/* A million, and of rows that are very wide fewer: memory is bounded. */
static void usual_number(void **state) {
    (void)state;
    static const struct { size_t width, all; } cases[] = {{1, 1000000}, {33, 1000000}, {64, 1 << 19}, {1 << 20, 1000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        LiveRows rows;
        assert_true(live_rows_create(&rows, cases[i].width, 0));
        assert_int_equal(rows.all, cases[i].all);
        live_rows_free(&rows);
    }
}

TESTS(rows_that_stay, usual_number)
