/* The end of a run, for people. */
#include <math.h>

#include "dofs.h"
#include "json.h"
#include "loops.h"
#include "verbs/simulate_summary.h"

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

/* Steps, evaluations and speed of the integrator, without counts that are zero. */
static void put_numbers(const Ending *ending, Text *out) {
    const zvIntegrationStatistics count = zv_run_statistics(ending->run);
    const double elapsed = zv_run_elapsed(ending->run), done = zv_run_time(ending->run) - ending->since;
    text_printf(out, "method            %s", zv_scenario_method(ending->scenario));
    if (zv_run_methods(ending->run)) text_printf(out, ": %s", zv_run_methods(ending->run));
    text_puts(out, "\n");
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

/* The first events, then how many more there are. */
static void put_events(const Ending *ending, Text *out) {
    const int count = zv_run_events(ending->run), shown = count < MOST_ROWS ? count : MOST_ROWS;
    if (!count) return;
    Table table = table_start(3);
    table_text(&table, "t [s]");
    table_text(&table, "event");
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
    EntryCursor entry = entry_first(model, true);
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

/* Position and velocity at the end; in two tables where q and v differ in length. */
static void put_state(const Ending *ending, Text *out) {
    const zvModel *model = zv_scenario_model(ending->scenario);
    const double *q = zv_run_position(ending->run), *v = zv_run_velocity(ending->run);
    const DofColumn both[2] = {{.name = "q", .quantity = QUANTITY_POSITION, .values = q},
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

/* Changes of stores and works, and the gap between them: the check of the run. */
static void put_ledger(const Ending *ending, Text *out) {
    const int rows = zv_run_ledger_rows(ending->run);
    if (!rows) {
        text_puts(out, "\nenergy: not judged, the output leaves its balance out\n");
        return;
    }
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

/* What must be known of the run; efforts that were saturated are no warnings, but are told. */
static void put_warnings(const Ending *ending, Text *out) {
    for (int i = 0; i < zv_run_limits(ending->run); i++) {
        if (!zv_run_limit(ending->run, i).saturated) continue;
        text_puts(out, "\nlimit: ");
        text_name(out, zv_run_limit(ending->run, i).text);
        text_puts(out, "\n");
    }
    for (int i = 0; i < zv_run_warnings(ending->run); i++) {
        text_puts(out, "\nwarning: ");
        text_name(out, zv_run_warning(ending->run, i));
        text_puts(out, "\n");
    }
}

/* Where the rows are and what can be done with them next. */
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
    put_warnings(ending, out);
    if (zv_run_advice(ending->run)) text_printf(out, "\nadvice: %s\n", zv_run_advice(ending->run));
    put_recording(ending, out);
}

/* The end of a run, for programs. */

/* null where there is none: no steps, no ledger. */
static void measure_json(Json *json, const char *key, double value) {
    json_key(json, key);
    if (isfinite(value))
        json_number(json, value);
    else
        json_text(json, NULL);
}

static void count_json(Json *json, const char *key, long value) {
    json_key(json, key), json_number(json, (double)value);
}

/* Counts of the integrator by name. */
static void statistics_json(const Ending *ending, Json *json) {
    const zvIntegrationStatistics count = zv_run_statistics(ending->run);
    json_key(json, "statistics"), json_map(json, JSON_BLOCK);
    count_json(json, "steps", count.steps);
    count_json(json, "rejected", count.rejected);
    count_json(json, "rates", count.rates);
    count_json(json, "newton_iterations", count.newton_iterations);
    count_json(json, "newton_failures", count.newton_failures);
    count_json(json, "linear_iterations", count.linear_iterations);
    count_json(json, "preparations", count.preparations);
    count_json(json, "event_calls", count.event_calls);
    count_json(json, "restarts", count.restarts);
    measure_json(json, "last_step", count.last_step);
    measure_json(json, "least_step", count.least_step);
    measure_json(json, "greatest_step", count.greatest_step);
    count_json(json, "last_order", count.last_order);
    json_end(json);
}

/* What auto ran, and from when on. */
static void changes_json(const Ending *ending, Json *json) {
    int kept;
    if (zv_run_changes(ending->run, &kept) == 0) return;
    json_key(json, "changes"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < kept; i++) {
        const zvMethodChange change = zv_run_change(ending->run, i);
        json_map(json, JSON_LINE);
        json_key(json, "t"), json_number(json, change.t);
        json_key(json, "method"), json_text(json, change.method);
        json_end(json);
    }
    json_end(json);
}

/* Stores and works in J, the gap, and what was exchanged to measure it by. */
static void ledger_json(const Ending *ending, Json *json) {
    json_key(json, "ledger"), json_map(json, JSON_BLOCK);
    json_key(json, "rows"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_run_ledger_rows(ending->run); i++) {
        const zvLedgerRow row = zv_run_ledger_row(ending->run, i);
        json_map(json, JSON_LINE);
        json_key(json, "name"), json_text(json, row.name);
        json_key(json, "amount"), json_number(json, row.amount);
        json_key(json, "store"), json_bool(json, row.is_store);
        json_end(json);
    }
    json_end(json);
    measure_json(json, "gap", zv_run_ledger_gap(ending->run));
    measure_json(json, "exchanged", zv_run_energy_exchanged(ending->run));
    measure_json(json, "largest_gap", zv_run_largest_gap(ending->run));
    measure_json(json, "reference", zv_run_energy_reference(ending->run));
    json_key(json, "judgement"), json_text(json, zv_energy_judgement_word(zv_run_energy_judgement(ending->run)));
    json_end(json);
}

/* Residuals, what is left free, and which loops are open at the end. */
static void loops_json(const Ending *ending, Json *json) {
    const zvLoopMobility mobility = zv_run_mobility(ending->run);
    const zvModel *model = zv_scenario_model(ending->scenario);
    if (!zv_model_nloop(model)) return;
    json_key(json, "loops"), json_map(json, JSON_BLOCK);
    measure_json(json, "residual", zv_run_loop_gap(ending->run));
    measure_json(json, "rate", zv_run_loop_rate(ending->run));
    mobility_json("mobility", mobility.freedoms < 0 ? NULL : &mobility, json);
    json_key(json, "open"), json_list(json, JSON_LINE);
    for (int i = 0; i < zv_model_nloop(model); i++)
        if (!zv_run_loop_is_closed(ending->run, i)) json_text(json, zv_model_loop(model, i)->name);
    json_end(json);
    json_end(json);
}

/* All events of the run. */
static void events_json(const Ending *ending, Json *json) {
    json_key(json, "events"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_run_events(ending->run); i++) {
        const zvEvent event = zv_run_event(ending->run, i);
        json_map(json, JSON_LINE);
        json_key(json, "t"), json_number(json, event.t);
        json_key(json, "name"), json_text(json, event.name);
        json_key(json, "text"), json_text(json, event.text);
        json_end(json);
    }
    json_end(json);
}

/* Limits that were passed, joint by joint. */
static void limits_json(const Ending *ending, Json *json) {
    json_key(json, "limits"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_run_limits(ending->run); i++) {
        const zvLimitPass pass = zv_run_limit(ending->run, i);
        json_map(json, JSON_LINE);
        json_key(json, "joint"), json_text(json, pass.joint);
        json_key(json, "kind"), json_text(json, zv_limit_kind_word(pass.kind));
        json_key(json, "limit"), json_number(json, pass.limit);
        json_key(json, "value"), json_number(json, pass.value);
        json_key(json, "excess"), json_number(json, pass.excess);
        json_key(json, "first"), json_number(json, pass.first);
        json_key(json, "t"), json_number(json, pass.t);
        json_key(json, "saturated"), json_bool(json, pass.saturated);
        json_end(json);
    }
    json_end(json);
}

static void warnings_json(const Ending *ending, Json *json) {
    json_key(json, "warnings"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < zv_run_warnings(ending->run); i++) json_text(json, zv_run_warning(ending->run, i));
    json_end(json);
}

/* The keys that zveno help simulate lists. */
void summary_json(const Ending *ending, Text *out) {
    const zvModel *model = zv_scenario_model(ending->scenario);
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "title"), json_text(&json, ending->title);
    json_key(&json, "model"), json_text(&json, zv_model_name(model));
    json_key(&json, "method"), json_text(&json, zv_scenario_method(ending->scenario));
    json_key(&json, "t"), json_number(&json, zv_run_time(ending->run));
    json_key(&json, "ending"), json_text(&json, zv_run_ending(ending->run));
    json_key(&json, "q"), json_numbers(&json, zv_run_position(ending->run), (size_t)zv_model_nq(model));
    json_key(&json, "v"), json_numbers(&json, zv_run_velocity(ending->run), (size_t)zv_model_nv(model));
    json_key(&json, "rows"), json_number(&json, (double)zv_run_rows(ending->run));
    json_key(&json, "output"), json_text(&json, zv_run_output(ending->run));
    json_key(&json, "elapsed"), json_number(&json, zv_run_elapsed(ending->run));
    changes_json(ending, &json);
    statistics_json(ending, &json);
    loops_json(ending, &json);
    ledger_json(ending, &json);
    events_json(ending, &json);
    limits_json(ending, &json);
    warnings_json(ending, &json);
    json_key(&json, "advice"), json_text(&json, zv_run_advice(ending->run));
    json_key(&json, "resumed"), json_bool(&json, ending->resumed);
    json_end(&json);
}
