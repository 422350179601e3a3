/* Published and independently computed motions, reproduced by `zveno simulate`: scenario in, recording out.
 *
 * data/NAME.csv holds the reference, its provenance in the first line; its columns carry the names of the recording's.
 * Bounds are those stated with the references, relative to 1 + the greatest magnitude of the column. */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "cli/transcript.h"
#include "support/near.h"
#include "support/run_tests.h"
#include "support/sanitized.h"
#include "zveno/motion.h"
#include "zveno/simulate.h"

static const char root[] = ZV_SOURCE_DIR;

typedef struct Bound {
    const char *column; /* how the names begin */
    double bound;
} Bound;

typedef struct Story {
    const char *scenario; /* from the root of the project */
    const char *data;     /* in tests/oracle/data */
    const char *changes;  /* options of the command */
    Bound bounds[6];
} Story;

/* Index of a channel and entry for a column name such as "q.joint1" or "pose tool.x". */
static void find_entry(const zvRecording *recording, const char *column, int *channel, int *entry) {
    for (int i = 0; i < zv_recording_channels(recording); i++) {
        const zvChannel *c = zv_recording_channel(recording, i);
        const size_t length = strlen(c->name);
        if (strncmp(column, c->name, length) != 0 || column[length] != '.') continue;
        for (int k = 0; k < c->width; k++) {
            if (c->labels && !strcmp(c->labels[k], column + length + 1)) {
                *channel = i;
                *entry = k;
                return;
            }
        }
    }
    fail_msg("the recording has no column \"%s\"", column);
}

static double *read_channel(zvRecording *recording, int channel) {
    const uint64_t rows = zv_recording_rows(recording);
    double *values = malloc((size_t)rows * (size_t)zv_recording_channel(recording, channel)->width * sizeof *values);
    zvError error;
    assert_non_null(values);
    if (zv_recording_read(recording, channel, 0, rows, values, &error) != ZV_OK) fail_msg("%s", error.text);
    return values;
}

/* The row recorded at time t. */
static uint64_t row_at(const double *times, uint64_t rows, double t) {
    for (uint64_t i = 0; i < rows; i++)
        if (fabs(times[i] - t) <= 1e-12 * (1 + fabs(t))) return i;
    fail_msg("no row at t = %g s", t);
    return 0;
}

static double bound_of(const Story *story, const char *column) {
    for (const Bound *b = story->bounds; b->column; b++)
        if (!strncmp(column, b->column, strlen(b->column))) return b->bound;
    fail_msg("%s: no bound for column \"%s\"", story->data, column);
    return 0;
}

static void compare_column(const Story *story, zvRecording *recording, const zvTable *table, int column,
                           const double *times) {
    int channel = 0, entry = 0;
    find_entry(recording, table->names[column], &channel, &entry);
    const int width = zv_recording_channel(recording, channel)->width;
    double *values = read_channel(recording, channel), scale = 1;
    for (int i = 0; i < table->rows; i++) scale = fmax(scale, fabs(table->values[i * table->columns + column]));
    for (int i = 0; i < table->rows; i++) {
        const double *reference = table->values + i * table->columns;
        const uint64_t row = row_at(times, zv_recording_rows(recording), reference[0]);
        const double got = values[row * (uint64_t)width + (uint64_t)entry], wanted = reference[column];
        if (!(fabs(got - wanted) <= bound_of(story, table->names[column]) * scale)) {
            fail_msg("%s at t = %g: %s is %.15g, reference %.15g, difference %.2e of %.2e", story->scenario,
                     reference[0], table->names[column], got, wanted, fabs(got - wanted), scale);
        }
    }
    free(values);
}

static zvRecording *simulate(const char *scenario, const char *changes, const char *output) {
    char line[1024], path[256];
    zvRecording *recording;
    zvError error;
    snprintf(line, sizeof line, "simulate '%s/%s' --quiet -o %s %s", root, scenario, output, changes);
    expect_code(zveno(line), 0);
    snprintf(path, sizeof path, "%s/%s", folder, output);
    if (zv_recording_open(path, &recording, &error) != ZV_OK) fail_msg("%s", error.text);
    return recording;
}

static void tell(const Story *story) {
    char path[512];
    zvTable table;
    zvError error;
    snprintf(path, sizeof path, "%s/tests/oracle/data/%s.csv", root, story->data);
    if (zv_table_read_file(path, &table, &error) != ZV_OK) fail_msg("%s", error.text);
    zvRecording *recording = simulate(story->scenario, story->changes, "run" ZV_RECORDING);
    double *times = read_channel(recording, 0);
    for (int column = 1; column < table.columns; column++) compare_column(story, recording, &table, column, times);
    free(times);
    zv_recording_destroy(recording);
    zv_table_free(&table);
}

/* Motions. */
static void motions(void **state) {
    (void)state;
    static const Story stories[] = {
        {"scenarios/chain10.yaml", "chain10", "", {{"q", 1e-9}, {"v", 5e-9}}},
        {"scenarios/two_link_forward.yaml", "two_link_forward", "", {{"q", 1e-9}, {"v", 1e-9}}},
        {"scenarios/two_link_quintic.yaml",
         "two_link_quintic",
         "",
         {{"q", 1e-12}, {"v", 1e-12}, {"a", 1e-12}, {"terms", 1e-11}, {"forces", 1e-11}}},
        {"scenarios/flexible_joints.yaml",
         "flexible_joints",
         "",
         {{"q", 1e-9}, {"v", 1e-8}, {"states", 1e-8}, {"forces", 1e-8}, {"tau", 1e-8}}},
        {"scenarios/rrp.yaml", "rrp", "", {{"q", 1e-8}, {"v", 1e-8}, {"pose", 1e-8}}},
        {"scenarios/governor.yaml", "governor", "--set duration=10", {{"q", 1e-7}, {"v", 1e-6}}},
        {"tests/oracle/scenarios/pendulum.yaml", "pendulum", "", {{"pose", 1e-9}}},
        {"tests/oracle/scenarios/double_pendulum.yaml", "double_pendulum", "", {{"q", 1e-6}, {"v", 1e-6}}},
        {"tests/oracle/scenarios/double_pendulum.yaml", "double_pendulum_start", "", {{"q", 1e-8}, {"v", 1e-8}}},
        {"tests/oracle/scenarios/double_pendulum_rods.yaml", "double_pendulum_rods", "", {{"q", 1e-8}, {"v", 1e-8}}},
        {"tests/oracle/scenarios/rod_chain5.yaml", "rod_chain5", "", {{"q", 1e-7}, {"v", 1e-6}}},
        {"tests/oracle/scenarios/ssrms_coasting.yaml",
         "ssrms_coasting",
         "",
         {{"q", 1e-7}, {"v", 1e-7}, {"momentum", 1e-9}, {"energy", 1e-9}, {"pose", 1e-7}}},
        {"scenarios/flexible_arm.yaml",
         "flexible_arm",
         "--set 'integrator={method: erk, order: 8, rtol: 1e-12, atol: 1e-14}'",
         {{"deviation", 1e-11}, {"elastic", 1e-11}, {"tau", 1e-10}}},
        {"tests/oracle/scenarios/flexible_arm_two.yaml",
         "flexible_arm_two",
         "",
         {{"deviation", 1e-10}, {"elastic", 1e-10}, {"tau", 1e-9}}},
        {"tests/oracle/scenarios/flexible_arm_forward.yaml",
         "flexible_arm_forward",
         "",
         {{"q", 1e-9}, {"v", 1e-8}, {"elastic", 1e-9}, {"tau", 1e-10}}},
        {"tests/oracle/scenarios/flexible_arm_mixed.yaml",
         "flexible_arm_mixed",
         "",
         {{"q", 1e-9}, {"v", 1e-8}, {"elastic", 1e-9}, {"tau", 1e-8}}},
        /* closed loops */
        {"scenarios/five_bar.yaml",
         "five_bar",
         "",
         {{"q", 1e-10}, {"v", 1e-9}, {"a", 1e-9}, {"tau", 1e-9}, {"loop_reactions", 1e-9}}},
        {"scenarios/parallelogram.yaml",
         "parallelogram",
         "",
         {{"q", 1e-10}, {"v", 1e-9}, {"a", 1e-9}, {"tau", 1e-9}, {"loop_reactions", 1e-9}}},
        {"tests/oracle/scenarios/five_bar_quintic.yaml",
         "five_bar_quintic",
         "",
         {{"q", 1e-12}, {"v", 1e-12}, {"a", 1e-12}, {"tau", 1e-12}, {"loop_reactions", 1e-12}}},
        {"scenarios/rrp_rail.yaml", "rrp_rail", "", {{"q", 1e-9}, {"v", 1e-9}, {"pose", 1e-9}}},
        {"tests/oracle/scenarios/slider_crank.yaml", "slider_crank", "", {{"q", 1e-9}, {"v", 1e-7}}},
        {"tests/oracle/scenarios/four_bars.yaml", "four_bars", "", {{"q", 1e-9}, {"v", 1e-8}}},
        {"tests/oracle/scenarios/four_bars.yaml", /* 1e-6 rad is asked for */
         "four_bars",
         "--set 'integrator={method: adams, rtol: 3e-11, atol: 3e-11}'",
         {{"q", 3e-8}, {"v", 3e-7}}},
        {"tests/oracle/scenarios/andrews.yaml", "andrews", "", {{"q", 5e-9}, {"v", 2e-8}}},
        {"tests/oracle/scenarios/crank.yaml",
         "crank",
         "",
         {{"q", 1e-11}, {"elastic", 1e-9}, {"v.rod", 5e-7}, {"v", 1e-9}}},
    };
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) tell(&stories[i]);
}

/* First row of a channel. */
static void first_row(zvRecording *recording, const char *name, double *values) {
    zvError error;
    const int channel = zv_recording_find(recording, name);
    assert_true(channel >= 0);
    if (zv_recording_read(recording, channel, 0, 1, values, &error) != ZV_OK) fail_msg("%s", error.text);
}

static void expect_near(const double *got, const double *wanted, int count, double bound, const char *what) {
    double scale = 1;
    for (int i = 0; i < count; i++) scale = fmax(scale, fabs(wanted[i]));
    assert_all_near(what, count, got, wanted, bound * scale);
}

static void write_list(char *text, size_t capacity, const char *key, const double *values, int count) {
    size_t used = (size_t)snprintf(text, capacity, "--set '%s=[", key);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%.17g", i ? "," : "", values[i]);
    snprintf(text + used, capacity - used, "]' ");
}

/* Accelerations of the space arm in three states, given on the command line. */
static void states_of_space_arm(void **state) {
    (void)state;
    char path[512];
    zvTable table;
    zvError error;
    snprintf(path, sizeof path, "%s/tests/oracle/data/ssrms7_states.csv", root);
    assert_int_equal(zv_table_read_file(path, &table, &error), ZV_OK);
    for (int i = 0; i < table.rows; i++) {
        const double *row = table.values + i * table.columns;
        char changes[1024];
        double a[7];
        write_list(changes, sizeof changes, "initial.q", row, 7);
        write_list(changes + strlen(changes), sizeof changes - strlen(changes), "initial.v", row + 7, 7);
        write_list(changes + strlen(changes), sizeof changes - strlen(changes), "drives.0.law", row + 14, 7);
        zvRecording *recording = simulate("tests/oracle/scenarios/ssrms7_state.yaml", changes, "state.csv");
        first_row(recording, "a", a);
        expect_near(a, row + 21, 7, 1e-10, "acceleration");
        zv_recording_destroy(recording);
    }
    zv_table_free(&table);
}

/* Published accelerations of the Puma 560 with friction, four decimals: P. Corke's Robotics Toolbox. */
static void puma_with_friction(void **state) {
    (void)state;
    static const double published[6] = {-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228};
    double a[6];
    zvRecording *recording = simulate("tests/oracle/scenarios/puma560_friction.yaml", "", "puma" ZV_RECORDING);
    first_row(recording, "a", a);
    for (int i = 0; i < 6; i++) assert_true(fabs(a[i] - published[i]) <= 1e-4);
    zv_recording_destroy(recording);
}

/* Closed form: delta = theta - q = (1 - cos(omega t)) / (Jm omega^2), q = (t^2/2 - Jm delta) / (Jm + Jl). */
static void rotor_and_link(void **state) {
    (void)state;
    const double omega = sqrt(100 / 0.02 + 100 / 0.5);
    zvRecording *recording = simulate("tests/oracle/scenarios/flexible_joint.yaml", "", "rotor" ZV_RECORDING);
    double *q = read_channel(recording, zv_recording_find(recording, "q"));
    double *z = read_channel(recording, zv_recording_find(recording, "states"));
    assert_int_equal(zv_recording_rows(recording), 3);
    for (int i = 0; i < 3; i++) {
        const double t = 0.5 * i, delta = (1 - cos(omega * t)) / (0.02 * omega * omega);
        const double link = (t * t / 2 - 0.02 * delta) / 0.52, rotor = link + delta;
        expect_near(&q[i], &link, 1, 1e-9, "link");
        expect_near(&z[2 * i], &rotor, 1, 1e-9, "rotor");
    }
    free(q);
    free(z);
    zv_recording_destroy(recording);
}

/* Every example: the energy ledger closes to 1e-9 of the energy exchanged. */
static void ledgers_close(void **state) {
    (void)state;
    static const char *const names[] = {"chain10",
                                        "two_link_quintic",
                                        "two_link_forward",
                                        "rrp",
                                        "flexible_joints",
                                        "governor",
                                        "five_bar",
                                        "parallelogram",
                                        "rrp_rail", /* these are among the motions above */
                                        "ssrms7",
                                        "ssrms_free",
                                        "puma560",
                                        "stick_slip",
                                        "bounce",
                                        "reach",
                                        "task_line",
                                        "flexible_free",
                                        "delta",
                                        "stewart",
                                        "four_bar_elastic",
                                        "ssrms_flexible",
                                        "rubber_mount",
                                        "satellite",
                                        "capture",
                                        "rrp_rail_return"};
    for (size_t i = SANITIZED ? 9 : 0; i < sizeof names / sizeof *names; i++) {
        char line[512];
        zvError error;
        double gap, exchanged;
        const bool shorter = SANITIZED && strstr("flexible_free ssrms_flexible", names[i]); /* the longest of them */
        snprintf(line, sizeof line, "simulate '%s/scenarios/%s.yaml' --quiet --json -o ledger" ZV_RECORDING "%s", root,
                 names[i], shorter ? " --set duration=4" : "");
        Transcript t = zveno(line);
        expect_code(t, 0);
        zvDocument *document = parse(t.out);
        const zvNode *top = zv_document_root(document);
        assert_int_equal(zv_node_number(node_at(top, "ledger.gap"), "gap", &gap, &error), ZV_OK);
        assert_int_equal(zv_node_number(node_at(top, "ledger.exchanged"), "exchanged", &exchanged, &error), ZV_OK);
        if (!(exchanged > 0 && fabs(gap) <= 1e-9 * exchanged))
            fail_msg("%s: gap %.3e of %.3e J", names[i], gap, exchanged);
        zv_document_destroy(document);
    }
}

/* Neither momentum changes by more than a part of what the bodies carry. */
static void expect_momentum(const char *scenario, int expected, double bound) {
    zvRecording *recording = simulate(scenario, "", "free" ZV_RECORDING);
    double *h = read_channel(recording, zv_recording_find(recording, "momentum"));
    const uint64_t rows = zv_recording_rows(recording);
    assert_int_equal(rows, expected);
    for (int part = 0; part < 2; part++) {
        double size = 0;
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(h[3 * part + k]));
        for (uint64_t i = 0; i < rows; i++)
            for (int k = 3 * part; k < 3 * part + 3; k++)
                if (!(fabs(h[6 * i + (uint64_t)k] - h[k]) <= bound * size))
                    fail_msg("%s, entry %d at row %d: change %.2e of %.2e", scenario, k, (int)i,
                             h[6 * i + (uint64_t)k] - h[k], size);
    }
    free(h);
    zv_recording_destroy(recording);
}

/* Torques inside a floating arm, and a load that it catches and lets go, change neither. */
static void momentum_stays(void **state) {
    (void)state;
    expect_momentum("scenarios/ssrms_free.yaml", 301, 1e-11);
    expect_momentum("scenarios/capture.yaml", 245, 1e-11);
}

/* Error of the ten rods at t = 2 s, against the 128-bit reference. */
static double chain_error(const char *integrator, double tolerance, const double *reference) {
    char path[512], change[128];
    const char *const changes[2] = {change, "duration=2"};
    zvScenario *scenario;
    zvRunSummary *summary;
    zvError error;
    double worst = 0;
    snprintf(path, sizeof path, "%s/scenarios/chain10.yaml", root);
    snprintf(change, sizeof change, "integrator={%s, rtol: %.17g, atol: %.17g}", integrator, tolerance, tolerance);
    if (zv_scenario_read_file(path, 2, changes, &scenario, &error) < ZV_OK) fail_msg("%s", error.text);
    if (zv_simulate(scenario, NULL, &summary, &error) < ZV_OK) fail_msg("%s", error.text);
    for (int i = 0; i < 10; i++) worst = fmax(worst, fabs(zv_run_position(summary)[i] - reference[i]));
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return worst;
}

/* Tolerances 1e-3 to 1e-10: each decade buys a decade, within a factor of 30 between any two. */
static void error_follows_tolerance(void **state) {
    (void)state;
    static const char *const integrators[] = {"method: adams", "method: erk, order: 5", "method: erk, order: 8",
                                              "method: dirk, order: 5"};
    char path[512];
    zvTable table;
    zvError error;
    snprintf(path, sizeof path, "%s/tests/oracle/data/chain10.csv", root);
    assert_int_equal(zv_table_read_file(path, &table, &error), ZV_OK);
    const double *row = table.values + 4 * table.columns;
    assert_true(row[0] == 2);
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        double least = INFINITY, greatest = 0;
        for (int decade = 3; decade <= (SANITIZED ? 7 : 10); decade += SANITIZED ? 2 : 1) {
            const double tolerance = pow(10, -decade),
                         ratio = chain_error(integrators[i], tolerance, row + 1) / tolerance;
            least = fmin(least, ratio);
            greatest = fmax(greatest, ratio);
        }
        if (!(greatest <= 30 * least)) fail_msg("%s: error / tolerance from %g to %g", integrators[i], least, greatest);
    }
    zv_table_free(&table);
}

TESTS_BETWEEN(make_folder, remove_folder, motions, states_of_space_arm, puma_with_friction, rotor_and_link,
              ledgers_close, momentum_stays, error_follows_tolerance)
