/* zveno_long_chain: chains of rods fall for one second; what a right-hand side costs and how that grows with n. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "zveno/simulate.h"

typedef struct Page {
    char *text;
    size_t used, capacity;
} Page;

static void add(Page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(Page *page, const char *format, ...) {
    va_list list;
    if (page->capacity - page->used < 512) {
        page->capacity = 2 * page->capacity + 4096;
        page->text = realloc(page->text, page->capacity);
        if (!page->text) exit(EXIT_FAILURE);
    }
    va_start(list, format);
    page->used += (size_t)vsnprintf(page->text + page->used, page->capacity - page->used, format, list);
    va_end(list);
}

/* n rods of 1/n m and 10/n kg, hanging almost straight down, released with a slight bend. */
static void write_scenario(Page *page, int n, const char *method) {
    const double length = 1.0 / n, mass = 10.0 / n, moment = mass * length * length / 12;
    page->used = 0;
    add(page, "zveno_scenario: 1\nmodel:\n  inline:\n    zveno: 1\n    links:\n      - {name: base}\n");
    for (int i = 1; i <= n; i++)
        add(page, "      - {name: rod%d, mass: %.17g, com: [%.17g, 0, 0], inertia: [%.17g, %.17g, %.17g]}\n", i, mass,
            length / 2, moment, moment, moment);
    add(page, "    joints:\n");
    for (int i = 1; i <= n; i++) {
        char parent[32] = "base";
        if (i > 1) snprintf(parent, sizeof parent, "rod%d", i - 1);
        add(page,
            "      - {name: j%d, type: continuous, parent: %s, child: rod%d, origin: {xyz: [%.17g, 0, 0]}, axis: [0, "
            "-1, 0]}\n",
            i, parent, i, i > 1 ? length : 0.0);
    }
    add(page, "duration: 1\ninitial: {q: {j1: -1}}\nintegrator: {method: %s, rtol: 1e-6, atol: 1e-6}\n", method);
    add(page, "output: {channels: [energy]}\n");
}

/* One simulation of a chain by a method; prints a line of cost and accuracy. */
static bool run(Page *page, int n, const char *method) {
    zvScenario *scenario;
    zvRunSummary *summary;
    zvError error = {0};
    char line[1024];
    const zvRunOptions options = {0};
    write_scenario(page, n, method);
    zvStatus status = zv_scenario_read_memory("chain", page->text, page->used, 0, NULL, &scenario, &error);
    if (status >= ZV_OK) {
        status = zv_simulate(scenario, &options, &summary, &error);
        if (status >= ZV_OK) {
            const zvIntegrationStatistics s = zv_run_statistics(summary);
            const double elapsed = zv_run_elapsed(summary);
            printf("%8d  %-6s %10ld %10ld %12.3f %14.3f %12.1e\n", n, method, s.steps, s.rates, elapsed,
                   1e9 * elapsed / (double)s.rates / n, zv_run_ledger_gap(summary));
            zv_run_summary_destroy(summary);
        }
        zv_scenario_destroy(scenario);
    }
    if (status < ZV_OK) fprintf(stderr, "zveno_long_chain: %s\n", zv_error_line(&error, line, sizeof line));
    return status >= ZV_OK;
}

/* Chains of growing length by two multistep methods; fails when a run does. */
int main(void) {
    static const int sizes[] = {10, 100, 1000};
    static const char *const methods[] = {"adams", "bdf"};
    Page page = {0};
    bool good = true;
    printf("Chains of rods, 1 m and 10 kg in all, released at -1 rad from the horizontal, for 1 s at rtol = atol = "
           "1e-6\n");
    printf("%8s  %-6s %10s %10s %12s %14s %12s\n", "rods", "method", "steps", "rates", "time [s]", "ns/rate/rod",
           "gap [J]");
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (size_t i = 0; good && i < sizeof sizes / sizeof *sizes; i++) good = run(&page, sizes[i], methods[m]);
    free(page.text);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
