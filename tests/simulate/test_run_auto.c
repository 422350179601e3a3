/* The default integrator on scenarios: how far its rows are off, and its calls of f beside those of the member that
 * suits the scenario. Counts, not times: nothing here depends on the clock. */
#include "simulate/runs.h"
#include "support/run_tests.h"

enum { MOST = 1 << 16 };

/* Numbers of all rows, one after the other; time first in each. */
typedef struct Rows {
    double x[MOST];
    int count, width;
} Rows;

static void take_channels(void *context, int count, const zvChannel *channels) {
    Rows *rows = context;
    rows->count = rows->width = 0;
    for (int i = 0; i < count; i++) rows->width += channels[i].width;
}

static bool take_row(void *context, const double *row) {
    Rows *rows = context;
    assert_true(rows->count + rows->width <= MOST);
    memcpy(rows->x + rows->count, row, (size_t)rows->width * sizeof *row);
    rows->count += rows->width;
    return true;
}

/* Runs a file by a method; calls of f. */
static long run(const char *file, const char *method, double tolerance, Rows *rows) {
    char path[512], integrator[128];
    zvScenario *scenario = NULL;
    zvRunSummary *summary = NULL;
    zvError error = {0};
    snprintf(path, sizeof path, "%s/%s", ZV_SOURCE_DIR, file);
    snprintf(integrator, sizeof integrator, "integrator={method: %s, rtol: %g, atol: %g}", method, tolerance,
             tolerance);
    const char *const changes[] = {integrator, "output.channels=[q]"};
    if (zv_scenario_read_file(path, 2, changes, &scenario, &error) < 0) fail_msg("%s: %s", file, error.text);
    const zvRunOptions options = {.begin = take_channels, .row = take_row, .context = rows};
    if (zv_simulate(scenario, &options, &summary, &error) < 0) fail_msg("%s: %s", file, error.text);
    const long rates = zv_run_statistics(summary).rates;
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    return rates;
}

static const struct {
    const char *file, *member;
    double most; /* times its calls */
} cases[] = {
    {"scenarios/two_link_forward.yaml", "erk, order: 8", 1.5},
    {"scenarios/rrp.yaml", "erk, order: 8", 1.5},
    {"scenarios/stick_slip.yaml", "erk, order: 8", 1.5},
    {"scenarios/governor.yaml", "erk, order: 8", 1.5},
    {"scenarios/flexible_joints.yaml", "erk, order: 8", 1.5},
    {"tests/oracle/scenarios/double_pendulum.yaml", "erk, order: 8", 1.5},
    {"tests/oracle/scenarios/flexible_joint.yaml", "erk, order: 8", 1.5},
    {"tests/oracle/scenarios/ssrms_coasting.yaml", "erk, order: 8", 1.5},
    {"scenarios/stewart.yaml", "bdf", 3},
    {"scenarios/spin_up.yaml", "dirk, order: 5", 3},
};

/* Within ten tolerances at every row, beside a method that is not the member at a ten-thousandth of them. */
static void errors_and_calls(void **state) {
    (void)state;
    if (!zv_integration_method_find("auto")) skip();
    static Rows rows, exact;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const long alone = run(cases[c].file, cases[c].member, 1e-8, &rows);
        run(cases[c].file, cases[c].member[0] == 'e' ? "adams" : "erk, order: 8", 1e-12, &exact);
        const long rates = run(cases[c].file, "auto", 1e-8, &rows);
        double worst = 0;
        assert_int_equal(rows.count, exact.count);
        for (int i = 0; i < rows.count; i++) {
            if (i % rows.width > 0) worst = fmax(worst, fabs(rows.x[i] - exact.x[i]) / (1e-8 * (1 + fabs(exact.x[i]))));
        }
        print_message("    %s: %ld calls, %s %ld, error %.2g tolerances\n", cases[c].file, rates, cases[c].member,
                      alone, worst);
        if (!(worst <= 10)) fail_msg("%s: error of %g tolerances", cases[c].file, worst);
        if (!((double)rates <= cases[c].most * (double)alone))
            fail_msg("%s: %ld calls of f, %s takes %ld", cases[c].file, rates, cases[c].member, alone);
    }
}

TESTS(errors_and_calls)
