/* The end of a run, for people. */
#include "summary.h"

#include <math.h>

#include "dof_table.h"

enum {
    MOST_ROWS = 30,   /* of one table; the rest is in --json and in the recording */
    MOST_KEPT = 10000 /* events that a run keeps besides the recording */
};

static void put_head(const Ending *ending, Text *out) {
    const double start = zv_scenario_start(ending->scenario);
    text_name(out, ending->title);
    text_puts(out, ": model ");
    text_name(out, zv_model_name(zv_scenario_model(ending->scenario)));
    text_printf(out, ", t = %.6g to %.6g s, ", start, zv_run_time(ending->run));
    text_name(out, zv_run_ending(ending->run));
    text_puts(out, "\n\n");
}

static void put_numbers(const Ending *ending, Text *out) {
    const zvIntegrationStatistics count = zv_run_statistics(ending->run);
    const double elapsed = zv_run_elapsed(ending->run), done = zv_run_time(ending->run) - ending->since;
    text_printf(out, "method            %s\n", zv_scenario_method(ending->scenario));
    text_printf(out, "steps             %ld", count.steps);
    if (count.rejected) text_printf(out, " and %ld rejected", count.rejected);
    if (count.least_step < count.greatest_step)
        text_printf(out, ", of %.2g to %.2g s", count.least_step, count.greatest_step);
    else if (count.greatest_step > 0)
        text_printf(out, ", of %.3g s", count.greatest_step);
    text_printf(out, "\nright-hand sides  %ld\n", count.rates);
    text_printf(out, "wall time         %.3g s", elapsed);
    if (elapsed > 0 && done > 0) text_printf(out, ", %.3g x real time", done / elapsed);
    if (ending->resumed) text_printf(out, "; resumed at t = %.6g s", ending->since);
    text_puts(out, "\n");
}

/* Only robots with loops have them. */
static void put_loops(const Ending *ending, Text *out) {
    const double gap = zv_run_loop_gap(ending->run), rate = zv_run_loop_rate(ending->run);
    const zvLoopMobility mobility = zv_run_mobility(ending->run);
    if (!zv_model_nloop(zv_scenario_model(ending->scenario))) return;
    if (isfinite(gap)) text_printf(out, "loops             residuals up to %.1e, rates up to %.1e 1/s", gap, rate);
    if (mobility.redundant > 0)
        text_printf(out, "; %d of %d conditions are redundant", mobility.redundant, mobility.rows);
    text_puts(out, "\n");
}

static void put_events(const Ending *ending, Text *out) {
    const int count = zv_run_events(ending->run), shown = count < MOST_ROWS ? count : MOST_ROWS;
    if (!count) return;
    Table table = table_start(3);
    table_text(&table, "t [s]");
    table_text(&table, "happening");
    table_text(&table, "");
    for (int i = 0; i < shown; i++) {
        const zvEvent event = zv_run_event(ending->run, i);
        table_number(&table, event.t);
        table_text(&table, event.name ? event.name : "");
        table_text(&table, event.text ? event.text : "");
    }
    text_puts(out, "\n");
    table_finish(&table, out);
    if (shown < count && count < MOST_KEPT)
        text_printf(out, "and %d more: --json and the recording have them\n", count - shown);
    if (count >= MOST_KEPT)
        text_printf(out, "and %d more at least: the recording has all, --json the first %d\n", count - shown, count);
}

/* q where a joint has more coordinates than freedoms. */
static void put_position(const zvModel *model, const double *q, Text *out) {
    Table table = table_start(3);
    table_text(&table, "coordinate");
    table_text(&table, "q");
    table_text(&table, "");
    Entry entry = entry_first(model, true);
    for (int i = 0; i < zv_model_nq(model); i++, entry_next(&entry)) {
        Text label = {0};
        entry_label(&entry, &label);
        table_text(&table, label.size ? label.bytes : "");
        table_number(&table, q[i]);
        table_text(&table, entry_position_unit(&entry));
        text_free(&label);
    }
    table_finish(&table, out);
    text_puts(out, "\n");
}

static void put_state(const Ending *ending, Text *out) {
    const zvModel *model = zv_scenario_model(ending->scenario);
    const double *q = zv_run_position(ending->run), *v = zv_run_velocity(ending->run);
    const Column both[2] = {{.name = "q", .quantity = QUANTITY_POSITION, .values = q},
                            {.name = "v", .quantity = QUANTITY_VELOCITY, .values = v}};
    if (!zv_model_nv(model)) return;
    text_printf(out, "\nstate at t = %.6g s\n", zv_run_time(ending->run));
    if (zv_model_nq(model) > MOST_ROWS) {
        text_printf(out, "%d coordinates: --json has them\n", zv_model_nq(model));
    } else if (zv_model_nq(model) == zv_model_nv(model)) {
        table_of_dofs(model, both, 2, out);
    } else {
        put_position(model, q, out);
        table_of_dofs(model, both + 1, 1, out);
    }
}

static void put_ledger(const Ending *ending, Text *out) {
    const int rows = zv_run_ledger_rows(ending->run);
    if (!rows) return;
    Table table = table_start(3);
    table_text(&table, "energy ledger");
    table_text(&table, "");
    table_text(&table, "[J]");
    for (int i = 0; i < rows; i++) {
        const zvLedgerRow row = zv_run_ledger_row(ending->run, i);
        table_text(&table, row.name);
        table_text(&table, row.is_store ? "change" : "work");
        table_number(&table, row.amount);
    }
    text_puts(out, "\n");
    table_finish(&table, out);
    const double gap = zv_run_ledger_gap(ending->run), exchanged = zv_run_energy_exchanged(ending->run);
    if (!isfinite(gap)) return;
    text_printf(out, "gap %.2g J", gap + 0.0);
    if (exchanged > 0) text_printf(out, ", %.2g of the %.6g J exchanged", fabs(gap) / exchanged, exchanged);
    text_puts(out, "\n");
}

static void put_recording(const Ending *ending, Text *out) {
    const char *file = zv_run_output(ending->run);
    if (!file) {
        text_puts(out, "\nnothing was recorded: -o OUT.h5 keeps the run in a file\n");
        return;
    }
    text_puts(out, "\nrecording ");
    text_name(out, file);
    text_printf(out, ": %llu rows; zveno plot ", (unsigned long long)zv_run_rows(ending->run));
    text_name(out, file);
    text_puts(out, " draws them\n");
}

void summary_table(const Ending *ending, Text *out) {
    put_head(ending, out);
    put_numbers(ending, out);
    put_loops(ending, out);
    put_events(ending, out);
    put_state(ending, out);
    put_ledger(ending, out);
    if (zv_run_advice(ending->run)) text_printf(out, "\nadvice: %s\n", zv_run_advice(ending->run));
    put_recording(ending, out);
}
