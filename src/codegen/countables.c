/* The methods whose operations are counted: all rows of the tables of dynamics.h. */
#include "zveno/codegen.h"

/* Totals as [Yaskevich] prints them, from what step 1 has brought to base axes. */
static void printed_yaskevich(int n, zvOperations *count) {
    const long long N = n;
    *count = (zvOperations){.mul = 36 * N * N - 39 * N + 9, .add = (111 * N * N - 195 * N) / 2 + 30};
}

static void printed_kosynka(int n, zvOperations *count) {
    const long long N = n;
    *count = (zvOperations){.mul = 3 * N * N * N + 24 * N * N - 9 * N, .add = 11 * N * N * N + 105 * N * N - 50 * N};
}

/* Stepanenko's composite bodies. */
static void printed_composite(int n, zvOperations *count) {
    const long long N = n;
    *count = (zvOperations){.mul = 38 * N * N + 38 * N, .add = 31 * N * N + 31 * N};
}

const zvCountable *zv_countables(size_t *count) {
    static const zvCountable rows[] = {
        {"mass", "composite", printed_composite},
        {"mass", "yaskevich", printed_yaskevich},
        {"mass", "kosynka", printed_kosynka},
        {"mass", "kane", NULL},
        {"mass", "columns", NULL},
        {"mass", "path", NULL},
        {"bias", "newton-euler", NULL},
        {"bias", "yaskevich", NULL},
        {"bias", "kane", NULL},
        {"bias", "path", NULL},
        {"inverse", "newton-euler", NULL},
        {"inverse", "path", NULL},
        {"forward", "articulated", NULL},
        {"forward", "mass", NULL},
        {"forward", "columns", NULL},
        {"forward", "mass-yaskevich", NULL},
        {"forward", "mass-kosynka", NULL},
        {"forward", "mass-kane", NULL},
        {"forward", "mass-path", NULL},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
