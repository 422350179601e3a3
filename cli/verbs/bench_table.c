/* Tables and JSON of zveno bench. A ratio above 1: the engine of the row is that many times as fast as the peer. */
#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "table.h"
#include "timer.h"
#include "verbs/bench_table.h"
#include "zveno/version.h"

/* One engine, function and robot. */
typedef struct BenchRow {
    const Runner *runner;
    const Timing *timing; /* (ENGINES) of the function */
    Task task;
    int engine;
} BenchRow;

/* The rows in the order of print; *r, *t, *e start from 0. False: there are no more. */
static bool next_row(const Rows *rows, int *r, int *t, int *e, BenchRow *row) {
    for (; *r < rows->roster->count; ++*r, *t = 0)
        for (; *t < TASKS; ++*t, *e = 0)
            for (; *e < roster_engines(rows->roster); ++*e) {
                const Timing *timing = rows->timing[*r][*t];
                if (!timing[*e].samples) continue;
                *row = (BenchRow){&rows->roster->runner[*r], timing, (Task)*t, *e};
                ++*e;
                return true;
            }
    return false;
}

/* How many times as fast as a peer; 0: the peer does not do it, or the row is a peer's. */
static double ratio_of(const BenchRow *row, int peer) {
    const double best = timing_best(&row->timing[OWN_ENGINES + peer]);
    return row->engine < OWN_ENGINES ? best / timing_best(&row->timing[row->engine]) : 0;
}

static const struct {
    unsigned bit;
    const char *key, *words;
} left_out[] = {{LEFT_LOOPS, "loops", "loops are open"},
                {LEFT_MIMIC, "mimic", "mimic joints move freely"},
                {LEFT_ROTORS, "rotors", "rotors have no inertia"}};
enum { LEFT_OUT = sizeof left_out / sizeof left_out[0] };

/* -- JSON ---------------------------------------------------------------------------------------------------------- */

static void json_measured(Json *json, const char *key, double value, bool known) {
    json_key(json, key);
    if (known)
        json_number(json, value);
    else
        json_text(json, NULL);
}

static void json_ratios(Json *json, const Roster *roster, const BenchRow *row) {
    bool any = false;
    for (int p = 0; p < roster->peers.count; p++) any |= ratio_of(row, p) > 0;
    if (!any) return;
    json_key(json, "ratio"), json_map(json, JSON_LINE);
    for (int p = 0; p < roster->peers.count; p++)
        if (ratio_of(row, p) > 0) json_key(json, roster->peers.peer[p]->name), json_number(json, ratio_of(row, p));
    json_end(json);
}

/* One measured row with the spread of its rounds and how far its answers are from Zveno's. */
static void json_row(Json *json, const Roster *roster, const BenchRow *row) {
    const Timing *timing = &row->timing[row->engine];
    const double ns = timing_best(timing), difference = row->runner->difference[row->task][row->engine];
    json_map(json, JSON_LINE);
    json_key(json, "robot"), json_text(json, row->runner->name);
    json_key(json, "nv"), json_integer(json, row->runner->tree->nv);
    json_key(json, "function"), json_text(json, task_name(row->task));
    json_key(json, "engine"), json_text(json, roster_engine_name(roster, row->engine));
    json_key(json, "ns"), json_number(json, ns);
    json_key(json, "calls_per_second"), json_number(json, 1e9 / ns);
    json_measured(json, "instructions", timing->instructions, timing->instructions > 0);
    json_key(json, "spread"), json_number(json, timing_spread(timing));
    json_measured(json, "difference", difference, difference >= 0);
    json_ratios(json, roster, row);
    json_end(json);
}

/* What was not measured on a robot, by the keys of the table of reasons. */
static void json_left_out(Json *json, const Roster *roster) {
    json_key(json, "left_out"), json_list(json, JSON_BLOCK);
    for (int r = 0; r < roster->count; r++) {
        const Runner *runner = &roster->runner[r];
        if (!runner->left_out) continue;
        json_map(json, JSON_LINE);
        json_key(json, "robot"), json_text(json, runner->name);
        json_key(json, "what"), json_list(json, JSON_LINE);
        for (int i = 0; i < LEFT_OUT; i++)
            if (runner->left_out & left_out[i].bit) json_text(json, left_out[i].key);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

/* What all threads gain over one, where lanes and threads were measured. */
static void json_threads(Json *json, const BenchSheet *sheet) {
    const Roster *roster = sheet->rows->roster;
    json_key(json, "threads"), json_list(json, JSON_BLOCK);
    for (int r = 0; r < roster->count; r++)
        for (int t = 0; t < TASKS; t++) {
            const ThreadTimes *times = &sheet->threads[r][t];
            if (!times->threads) continue;
            json_map(json, JSON_LINE);
            json_key(json, "robot"), json_text(json, roster->runner[r].name);
            json_key(json, "function"), json_text(json, task_name((Task)t));
            json_key(json, "threads"), json_integer(json, times->threads);
            json_key(json, "ns_one"), json_number(json, times->one);
            json_key(json, "ns"), json_number(json, times->many);
            json_key(json, "gain"), json_number(json, times->one / times->many);
            json_key(json, "identical"), json_bool(json, times->the_same);
            json_end(json);
        }
    json_end(json);
}

/* Machine, version and settings first: times mean nothing without them. */
void bench_print_json(const BenchSheet *sheet, Text *out) {
    const Roster *roster = sheet->rows->roster;
    char cpu[128];
    Json json = json_start(out);
    BenchRow row;
    json_map(&json, JSON_BLOCK);
    json_key(&json, "cpu"), json_text(&json, timer_cpu_name(cpu, sizeof cpu));
    json_key(&json, "version"), json_text(&json, zv_version());
    json_key(&json, "kernels"), json_text(&json, zv_isa_name());
    json_key(&json, "rounds"), json_integer(&json, sheet->rounds);
    json_key(&json, "peers"), json_list(&json, JSON_LINE);
    for (int p = 0; p < roster->peers.count; p++) json_text(&json, roster->peers.peer[p]->name);
    json_end(&json);
    json_key(&json, "rows"), json_list(&json, JSON_BLOCK);
    for (int r = 0, t = 0, e = 0; next_row(sheet->rows, &r, &t, &e, &row);) json_row(&json, roster, &row);
    json_end(&json);
    json_left_out(&json, roster);
    json_threads(&json, sheet);
    json_end(&json);
}

/* -- tables -------------------------------------------------------------------------------------------------------- */

/* So many digits; 0 and less: unknown. */
static void cell(Table *table, int digits, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (value > 0)
        table_number(table, strtod(text, NULL));
    else
        table_text(table, "-");
}

/* Best time, spread in percent, rate, and how the peers compare. */
static void print_row(Table *table, const Roster *roster, const BenchRow *row) {
    const Timing *timing = &row->timing[row->engine];
    char percent[16];
    snprintf(percent, sizeof percent, "%.1f", 100 * timing_spread(timing));
    table_text(table, row->runner->name);
    table_text(table, task_name(row->task));
    table_text(table, roster_engine_name(roster, row->engine));
    cell(table, 4, timing_best(timing));
    table_number(table, strtod(percent, NULL));
    cell(table, 3, 1e9 / timing_best(timing));
    cell(table, 4, timing->instructions);
    cell(table, 2, row->runner->difference[row->task][row->engine]);
    for (int p = 0; p < roster->peers.count; p++) cell(table, 3, ratio_of(row, p));
}

/* A column per peer at the end: times relative to Zveno's. */
static void print_rows(const Rows *rows, Text *out) {
    static const char *const heads[] = {"robot", "function", "engine",       "ns/call",
                                        "+%",    "calls/s",  "instructions", "differs"};
    enum { HEADS = sizeof heads / sizeof heads[0] };
    const Roster *roster = rows->roster;
    Table table = table_start((size_t)(HEADS + roster->peers.count));
    BenchRow row;
    table.exact = true;
    for (int k = 0; k < HEADS; k++) table_text(&table, heads[k]);
    for (int p = 0; p < roster->peers.count; p++) {
        char head[64];
        snprintf(head, sizeof head, "x %s", roster->peers.peer[p]->name);
        table_text(&table, head);
    }
    for (int r = 0, t = 0, e = 0; next_row(rows, &r, &t, &e, &row);) print_row(&table, roster, &row);
    table_finish(&table, out);
}

/* Where a peer comes nearest to the library. */
static void print_nearest(const Rows *rows, Text *out) {
    double nearest = HUGE_VAL;
    BenchRow row, which = {0};
    int peer = 0;
    for (int r = 0, t = 0, e = 0; next_row(rows, &r, &t, &e, &row);)
        for (int p = 0; p < rows->roster->peers.count; p++) {
            const double ratio = ratio_of(&row, p);
            if (row.engine != ZVENO || ratio <= 0 || ratio >= nearest) continue;
            nearest = ratio;
            which = row;
            peer = p;
        }
    if (!which.runner) return;
    text_printf(out, "\nsmallest ratio of the library, one state: %.2f (", nearest);
    text_name(out, which.runner->name);
    text_printf(out, ", %s, %s)\n", task_name(which.task), rows->roster->peers.peer[peer]->name);
}

/* One line for each robot that is not measured as it is described. */
static void print_left_out(const Roster *roster, Text *out) {
    bool any = false;
    for (int r = 0; r < roster->count; r++) {
        const char *between = ": ";
        if (!roster->runner[r].left_out) continue;
        text_puts(out, any ? "note: " : "\nnote: ");
        text_name(out, roster->runner[r].name);
        for (int i = 0; i < LEFT_OUT; i++) {
            if (!(roster->runner[r].left_out & left_out[i].bit)) continue;
            text_printf(out, "%s%s", between, left_out[i].words);
            between = ", ";
        }
        text_puts(out, "\n");
        any = true;
    }
}

/* A table of its own, and nothing where no threads were measured. */
static void print_threads(const BenchSheet *sheet, Text *out) {
    static const char *const heads[] = {"robot", "function", "threads", "ns, one", "ns, all", "gain", "identical"};
    enum { HEADS = sizeof heads / sizeof heads[0] };
    const Roster *roster = sheet->rows->roster;
    Table table = table_start(HEADS);
    bool any = false;
    table.exact = true;
    for (int k = 0; k < HEADS; k++) table_text(&table, heads[k]);
    for (int r = 0; r < roster->count; r++)
        for (int t = 0; t < TASKS; t++) {
            const ThreadTimes *times = &sheet->threads[r][t];
            if (!times->threads) continue;
            any = true;
            table_text(&table, roster->runner[r].name);
            table_text(&table, task_name((Task)t));
            table_integer(&table, times->threads);
            cell(&table, 4, times->one);
            cell(&table, 4, times->many);
            cell(&table, 3, times->one / times->many);
            table_text(&table, times->the_same ? "yes" : "NO");
        }
    if (any) text_puts(out, "\nlanes on threads, 4096 states, by the clock on the wall\n");
    Text lines = {0};
    table_finish(&table, &lines);
    if (any) text_put(out, lines.bytes, lines.size);
    out->failed |= lines.failed;
    text_free(&lines);
}

void bench_print_table(const BenchSheet *sheet, Text *out) {
    char cpu[128];
    text_name(out, timer_cpu_name(cpu, sizeof cpu));
    text_printf(out, "; zveno %s, kernels %s; one thread, fastest of %d batches\n\n", zv_version(), zv_isa_name(),
                sheet->rounds);
    print_rows(sheet->rows, out);
    print_nearest(sheet->rows, out);
    print_left_out(sheet->rows->roster, out);
    print_threads(sheet, out);
}
