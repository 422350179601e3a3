/* Rounds outermost: a disturbance of the machine that lasts a second spoils one round of everything, not one row. */
#include "rows.h"

#include <stdlib.h>

#include "timer.h"

/* A call that takes longer than this is measured in a few rounds only. */
static const double slow_call = 0.02;
enum { SLOW_ROUNDS = 3 };

static bool prepare(Cell *cell, const Engine *engine, Task task, int ring, const Options *options) {
    if (!engine->run[task]) return true;
    cell->calls = timer_calibrate(engine, task, ring, options->batch);
    cell->ns = malloc((size_t)options->rounds * sizeof *cell->ns);
    return cell->ns != NULL;
}

static void measure(Cell *cell, const Engine *engine, Task task, int ring) {
    if (!cell->calls) return;
    if (cell->samples >= SLOW_ROUNDS && cell->ns[0] > 1e9 * slow_call) return;
    cell->ns[cell->samples++] = 1e9 * timer_batch(engine, task, ring, cell->calls) / (double)cell->calls;
}

static int ascending(const void *x, const void *y) {
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

bool rows_measure(Rows *rows, const Roster *roster, const Options *options) {
    *rows = (Rows){roster, calloc((size_t)roster->count, sizeof *rows->cell)};
    if (!rows->cell) return false;
    for (int round = -1; round < options->rounds; ++round)
        for (int r = 0; r < roster->count; ++r)
            for (int t = 0; t < TASKS; ++t)
                for (int e = 0; e < ENGINES; ++e) {
                    Cell *cell = &rows->cell[r][t][e];
                    const Engine *engine = &roster->robot[r].engine[e];
                    const int ring = roster->robot[r].ring->count;
                    if (round >= 0)
                        measure(cell, engine, (Task)t, ring);
                    else if (!prepare(cell, engine, (Task)t, ring, options))
                        return false;
                }
    for (int r = 0; r < roster->count; ++r)
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < ENGINES; ++e)
                if (rows->cell[r][t][e].samples)
                    qsort(rows->cell[r][t][e].ns, (size_t)rows->cell[r][t][e].samples, sizeof(double), ascending);
    return true;
}

void rows_destroy(Rows *rows) {
    for (int r = 0; rows->cell && r < rows->roster->count; ++r)
        for (int t = 0; t < TASKS; ++t)
            for (int e = 0; e < ENGINES; ++e) free(rows->cell[r][t][e].ns);
    free(rows->cell);
}

double cell_best(const Cell *cell) { return cell->samples ? cell->ns[0] : 0; }

double cell_spread(const Cell *cell) { return cell->samples ? cell->ns[cell->samples / 2] / cell->ns[0] - 1 : 0; }
