/* What zveno bench measured, for people and for programs. */
#ifndef ZVENO_CLI_VERBS_BENCH_TABLE_H
#define ZVENO_CLI_VERBS_BENCH_TABLE_H

#include "rows.h"
#include "text.h"
#include "threads.h"

typedef struct BenchSheet {
    const Rows *rows;
    int rounds;
    ThreadTimes (*threads)[TASKS]; /* one per robot */
} BenchSheet;

void bench_print_table(const BenchSheet *sheet, Text *out);
void bench_print_json(const BenchSheet *sheet, Text *out);

#endif
