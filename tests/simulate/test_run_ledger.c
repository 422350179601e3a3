/* The energy ledger: it closes, and its works are the integrals of the powers recorded. */
#include "simulate/runs.h"
#include "support/run_tests.h"

#define DRIVEN                                                                                                        \
    "duration: 3, initial: {q: {shoulder: 0.6, elbow: -0.4}}, joints: {shoulder: {damping: 0.3, spring: {stiffness: " \
    "4, rest: 0.2}}, elbow: {friction: {coulomb: 0.4, viscous: 0.05, smoothing: 0.05}}}, drives: [{type: torque, "    \
    "name: push, joint: shoulder, law: {type: harmonic, offset: 1, amplitude: 2, frequency: 3}}, {type: pid, name: "  \
    "hold, joint: elbow, kp: 20, ki: 5, kd: 1, reference: {type: quintic, to: 0.5, duration: 1}}], loads: [{frame: "  \
    "tip, force: {type: harmonic, offset: [0, 0, 0], amplitude: [1, 0, 2], frequency: 4}}]"

static void closes(void **state) {
    (void)state;
    static const char *const methods[] = {"method: adams, rtol: 1e-11, atol: 1e-12",
                                          "method: erk, rtol: 1e-11, atol: 1e-12", "method: rk4, step: 0.0005"};
    for (int i = 0; i < 3; i++) {
        zvScenario *scenario =
            scenario_of("{zveno_scenario: 1, model: " TWO_RODS ", " DRIVEN ", integrator: {%s}}", methods[i]);
        zvRunSummary *summary = run_of(scenario, NULL);
        const double exchanged = zv_run_energy_exchanged(summary);
        double sum = 0, size = 0;
        for (int k = 0; k < zv_run_ledger_rows(summary); k++) {
            const zvLedgerRow row = zv_run_ledger_row(summary, k);
            sum += row.is_store ? row.amount : -row.amount;
            size += fabs(row.amount);
        }
        assert_true(exchanged > 1 && size <= 2 * exchanged);
        assert_named_near(methods[i], zv_run_ledger_gap(summary) / exchanged, 0, 1e-9);
        assert_named_near("sum of the rows", sum, zv_run_ledger_gap(summary), 1e-13 * size);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
}

/* Simpson's rule over rows: error h^4/180 of the fourth derivative, some 1e4 W/s^4 here. */
static void works_are_integrals(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("ledger" ZV_RECORDING, name);
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " TWO_RODS ", " DRIVEN
                                       ", integrator: {rtol: 1e-11, atol: 1e-12}, output: {interval: 0.0005, channels: "
                                       "[power, work, energy]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    int accounts;
    double *power = rows_of(path, "power", &rows, &accounts), *work = rows_of(path, "work", &rows, NULL);
    double *energy = rows_of(path, "energy", &rows, NULL);
    assert_int_equal(rows, 6001);
    for (int k = 0; k < accounts; k++) {
        double sum = 0;
        for (uint64_t i = 0; i + 2 < rows; i += 2) {
            const double *p = power + i * (uint64_t)accounts + k;
            sum += 0.0005 / 3 * (p[0] + 4 * p[accounts] + p[2 * accounts]);
        }
        assert_named_near("work", work[(rows - 1) * (uint64_t)accounts + (uint64_t)k], sum,
                          1e-9 * zv_run_energy_exchanged(summary));
    }
    for (uint64_t i = 0; i < rows; i++) {
        const double *e = energy + 5 * i, *first = energy;
        assert_named_near("gap of a row", e[0] + e[1] + e[2] - first[0] - first[1] - first[2] - e[3], e[4], 1e-12);
        assert_named_near("gap", e[4] / zv_run_energy_exchanged(summary), 0, 1e-9);
    }
    free(power);
    free(work);
    free(energy);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* Prescribed motion with kinks in its velocity: the impulse moves the free joint, and its work is booked. The elbow
 * hangs free; the shoulder's velocity jumps from 0 to w just before t = 0.5. Lagrange: M21 dv1 + M22 dv2 = 0. */
static void velocity_jump(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("kink.csv", name);
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " TWO_RODS
        ", gravity: [0, 0, 0], duration: 1, initial: {q: {elbow: 0.7}}, drives: [{type: motion, joint: "
        "shoulder, law: {type: table, times: [0, 0.4999999999, 2], points: [0, 0, 3]}}], integrator: {rtol: 1e-11, "
        "atol: 1e-12}, output: {interval: 0.25, channels: [q, v]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *v = rows_of(path, "v", &rows, NULL);
    assert_int_equal(rows, 5);
    const double J = 0.06 + 1 * (0.05 * 0.05 + 0.3 * 0.3); /* of the lower rod about the elbow */
    /* coupling: m (l c.(sin, cos) terms) with the centre of mass at (0.05, -0.3) turned by 0.7 */
    const double cx = 0.05 * cos(0.7) - 0.3 * sin(0.7), cz = -0.05 * sin(0.7) - 0.3 * cos(0.7);
    const double M21 = J + 1 * (0 * cx + -0.8 * cz);
    assert_named_near("shoulder before", v[2], 0, 1e-12);
    assert_named_near("shoulder after the break", v[4], 2, 1e-9);
    assert_named_near("elbow after the break", v[5], -2 * M21 / J, 1e-9);
    assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-9);
    assert_string_equal(zv_run_ledger_row(summary, zv_run_ledger_rows(summary) - 1).name, "impacts");
    free(v);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

static void without_ledger(void **state) {
    (void)state;
    zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " TWO_RODS ", " DRIVEN ", output: {ledger: false}}");
    zvRunSummary *summary = run_of(scenario, NULL);
    assert_int_equal(zv_run_ledger_rows(summary), 0);
    assert_true(isnan(zv_run_ledger_gap(summary)));
    assert_null(strstr(zv_run_text(summary), "ledger"));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
}

TESTS(closes, works_are_integrals, velocity_jump, without_ledger)
