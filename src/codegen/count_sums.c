/* Table 1 of [Yaskevich] row by row: as printed, as it must be, and as the kernel does it.
 *
 * Corrected are M2 (a lost N), M3 (the N - 1 matrices (15a) are not counted) and A (M z is 9 multiplications and z.(M
 * z) three: 12 an entry, not 6); the masses need N - 1 additions. */
#include <stdlib.h>

#include "base/require.h"
#include "codegen/traced.h"

/* (c2 N^2 + c1 N + c0) / 2 */
typedef struct Formula {
    int c2, c1, c0;
} Formula;

static const struct TableRow {
    const char *name, *row;
    Formula printed_mul, printed_add, mul, add;
} table[ZV_SUMS] = {
    [ZV_SUM_MASSES] = {"m_j", "1", {0}, {0, 2, 0}, {0}, {0, 2, -2}},
    [ZV_SUM_OFFSETS] = {"r_ij", "2", {0}, {3, -9, 6}, {0}, {3, -9, 6}},
    [ZV_SUM_MOMENTS] = {"c_ij", "3, 4", {3, -3, 0}, {3, -3, 0}, {3, -3, 0}, {3, -3, 0}},
    [ZV_SUM_M1] = {"M1_j", "6", {0}, {0, 18, -18}, {0}, {0, 18, -18}},
    [ZV_SUM_M2] = {"M2_ij", "7", {36, 0, -36}, {36, -54, 18}, {36, -36, 0}, {36, -54, 18}},
    [ZV_SUM_M3] = {"M3_ij", "8", {27, -81, 54}, {36, -108, 72}, {27, -27, 0}, {36, -54, 18}},
    [ZV_SUM_TOTAL] = {"MS_ij", "9", {0}, {27, -9, -18}, {0}, {27, -9, -18}},
    [ZV_SUM_ENTRIES] = {"A", "10", {6, 6, 0}, {6, 6, 0}, {12, 12, 0}, {12, 12, 0}},
};

static long long value(Formula f, int n) {
    const long long N = n;
    return (f.c2 * N * N + f.c1 * N + f.c0) / 2;
}

/* The row of a table ran on a counting tape whose parts are the sums. */
static zvStatus count_parts(const zvModel *model, ziTape *tape, zvSumCount *sums) {
    const size_t size = zv_answer_size(ZV_QUESTION_MASS, model);
    ziEdge *output = malloc((size + 1) * sizeof *output);
    zvStatus status = output && zi_tape_open(tape, ZI_TAPE_COUNT) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) status = zi_trace_method(model, ZV_QUESTION_MASS, "yaskevich", tape, output);
    zi_tape_part(tape, 0); /* the last part ends */
    for (int i = 0; i < ZV_SUMS; i++)
        sums[i].counted = (zvOperations){.mul = tape->part[i].mul, .add = tape->part[i].add};
    free(output);
    return status;
}

/* Formulas of the rows for as many joints, and what the kernel does on this model. */
zvStatus zv_count_sums(const zvModel *model, zvSumCount sums[ZV_SUMS], zvError *error) {
    static_assert((int)ZV_SUMS == (int)ZI_TAPE_PARTS, "one part per sum");
    ZI_REQUIRE(model && sums);
    ziTape tape = {0};
    const int n = zv_model_nv(model);
    for (int i = 0; i < ZV_SUMS; i++)
        sums[i] =
            (zvSumCount){.name = table[i].name,
                         .row = table[i].row,
                         .printed = {.mul = value(table[i].printed_mul, n), .add = value(table[i].printed_add, n)},
                         .corrected = {.mul = value(table[i].mul, n), .add = value(table[i].add, n)}};
    const zvStatus status = count_parts(model, &tape, sums);
    zi_tape_close(&tape);
    return status < 0 ? zv_fail(error, status, (zvMark){0}, "", "%s", zv_status_sentence(status)) : status;
}
