/* The end of a run, for programs. */
#include <math.h>

#include "json.h"
#include "loop_table.h"
#include "summary.h"

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
    json_end(json);
}

static void loops_json(const Ending *ending, Json *json) {
    const zvLoopMobility mobility = zv_run_mobility(ending->run);
    if (!zv_model_nloop(zv_scenario_model(ending->scenario))) return;
    json_key(json, "loops"), json_map(json, JSON_BLOCK);
    measure_json(json, "residual", zv_run_loop_gap(ending->run));
    measure_json(json, "rate", zv_run_loop_rate(ending->run));
    mobility_json("mobility", mobility.freedoms < 0 ? NULL : &mobility, json);
    json_end(json);
}

static void events_json(const Ending *ending, Json *json) {
    json_key(json, "happenings"), json_list(json, JSON_BLOCK);
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
    statistics_json(ending, &json);
    loops_json(ending, &json);
    ledger_json(ending, &json);
    events_json(ending, &json);
    json_key(&json, "advice"), json_text(&json, zv_run_advice(ending->run));
    json_key(&json, "resumed"), json_bool(&json, ending->resumed);
    json_end(&json);
}
