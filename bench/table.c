/* Prints what was measured. A ratio above 1 means that Zveno is faster. */
#include "table.h"

#include <stdio.h>

#include "timer.h"
#include "zveno/version.h"

static void print_time(double ns) {
    if (ns <= 0)
        printf(" %11s", "-");
    else
        printf(ns < 1e5 ? " %11.1f" : " %11.0f", ns);
}

static void print_ratio(double over, double under) {
    if (over > 0 && under > 0)
        printf(" %6.2f", over / under);
    else
        printf(" %6s", "-");
}

static void print_peer(const Cell *cell, double zveno) {
    const double best = cell_best(cell);
    print_time(best);
    print_ratio(best, zveno);
}

static void print_row(const Robot *robot, Task task, const Cell cell[ENGINES]) {
    const double zveno = cell_best(&cell[ZVENO]);
    if (zveno <= 0) return;
    printf("%-12s %-13s", robot->name, task_name(task));
    print_time(zveno);
    printf(" %5.1f%%", 100 * cell_spread(&cell[ZVENO]));
    print_peer(&cell[MUJOCO], zveno);
    print_peer(&cell[KDL], zveno);
    print_time(cell_best(&cell[GENERATED]));
    print_ratio(cell_best(&cell[MUJOCO]), cell_best(&cell[GENERATED]));
    putchar('\n');
}

/* The row where a peer comes nearest. */
static void print_nearest(const Rows *rows) {
    double nearest = 1e300;
    int robot = -1, task = 0, engine = 0;
    for (int r = 0; r < rows->roster->count; ++r)
        for (int t = 0; t < TASKS; ++t)
            for (int e = MUJOCO; e < ENGINES; ++e) {
                const double zveno = cell_best(&rows->cell[r][t][ZVENO]), peer = cell_best(&rows->cell[r][t][e]);
                if (zveno <= 0 || peer <= 0 || peer / zveno >= nearest) continue;
                nearest = peer / zveno;
                robot = r;
                task = t;
                engine = e;
            }
    if (robot < 0) return;
    const Robot *which = &rows->roster->robot[robot];
    printf("\nsmallest ratio: %.2f (%s, %s, %s)\n", nearest, which->name, task_name((Task)task),
           which->engine[engine].name);
}

void table_print(const Rows *rows) {
    char cpu[128];
    printf("%s, Zveno %s on %s kernels; ns per call, fastest batch; +%% = median above fastest; x = peer / Zveno; "
           "last column: MuJoCo / generated\n\n",
           timer_cpu_name(cpu, sizeof cpu), zv_version(), zv_isa_name());
    printf("%-12s %-13s %11s %6s %11s %6s %11s %6s %11s %6s\n", "robot", "function", "Zveno", "+%", "MuJoCo", "x",
           "KDL", "x", "generated", "MuJoCo");
    for (int r = 0; r < rows->roster->count; ++r)
        for (int t = 0; t < TASKS; ++t) print_row(&rows->roster->robot[r], (Task)t, rows->cell[r][t]);
    print_nearest(rows);
}

static void write_cell(FILE *file, const char *name, const Cell *cell) {
    if (!cell->samples)
        fprintf(file, ", \"%s\": null", name);
    else
        fprintf(file, ", \"%s\": {\"ns\": %.2f, \"spread\": %.4f}", name, cell_best(cell), cell_spread(cell));
}

bool table_write_json(const Rows *rows, const char *path) {
    static const char *const names[ENGINES] = {"zveno", "generated", "mujoco", "kdl"};
    char cpu[128];
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "{\"cpu\": \"%s\", \"version\": \"%s\", \"kernels\": \"%s\", \"rows\": [",
            timer_cpu_name(cpu, sizeof cpu), zv_version(), zv_isa_name());
    const char *separator = "\n";
    for (int r = 0; r < rows->roster->count; ++r)
        for (int t = 0; t < TASKS; ++t) {
            if (!rows->cell[r][t][ZVENO].samples) continue;
            const Robot *robot = &rows->roster->robot[r];
            fprintf(file, "%s  {\"robot\": \"%s\", \"nv\": %d, \"function\": \"%s\"", separator, robot->name,
                    robot->tree->nv, task_name((Task)t));
            for (int e = 0; e < ENGINES; ++e) write_cell(file, names[e], &rows->cell[r][t][e]);
            fputs("}", file);
            separator = ",\n";
        }
    fputs("\n]}\n", file);
    return fclose(file) == 0;
}
