/* A simulation of fixed step allocates nothing between its beginning and its end: the right-hand side with all kinds of
 * elements, laws, routes and events, single steps of the integrators, and the whole march. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "scenario.h"
#include "simulate/run.h"

static int failures;

static void check(bool condition, const char *method, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s: %s\n", method, what);
    failures++;
}

static bool all_finite(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* Every callback of the system at its first state, and a row of the recording. */
static void ask_system(ziRun *run, const char *method) {
    const zvOde ode = zi_system_ode(run->system);
    const size_t bytes = (size_t)ode.size * sizeof(double);
    double *dy = malloc(bytes), *z = malloc(bytes), *g = malloc(((size_t)run->event_set.count + 1) * sizeof *g);
    if (!dy || !z || !g) exit(1);
    allocator_forbid("the system");
    const int rate = ode.rate(ode.context, run->t, run->y, dy);
    const int events = ode.events(ode.context, run->t, run->y, g);
    const int prepared = ode.prepare(ode.context, run->t, run->y, 1e-3);
    const int solved = ode.precondition(ode.context, run->t, run->y, 1e-3, dy, z);
    const int moved = ode.position_rate(ode.context, run->t, run->y, dy);
    const int projected = ode.project(ode.context, run->t, run->y);
    const zvStatus row = zi_observe_row(&run->observer, run->t, run->y, run->row);
    allocator_forbid(NULL);
    check(!rate && !events && !prepared && !solved && !moved && !projected && row >= 0, method, "a callback fails");
    check(run->event_set.count >= 4 && all_finite(g, run->event_set.count), method, "events are missing or not finite");
    check(all_finite(dy, ode.size) && all_finite(z, ode.size), method, "rates are not finite");
    free(dy);
    free(z);
    free(g);
}

static void step(ziRun *run, const char *method) {
    zvError error = {0};
    zvStepEnd end = ZV_STEP_INSIDE;
    allocator_forbid("a step");
    zvStatus status = zv_integrator_start(run->integrator, run->t, run->y, &error);
    for (int i = 0; i < 3 && status >= 0; i++) status = zv_integrator_step(run->integrator, run->end, &end, &error);
    zv_integrator_at(run->integrator, zv_integrator_time_before(run->integrator), run->inside);
    const zvIntegrationStatistics s = zv_integrator_statistics(run->integrator);
    zv_integrator_advice(run->integrator);
    status = status < 0 ? status : zv_integrator_start(run->integrator, run->t, run->y, &error);
    allocator_forbid(NULL);
    check(status >= 0 && s.steps == 3, method, error.text);
}

static void march(ziRun *run, const char *method) {
    zvError error = {0};
    allocator_forbid("the march");
    const zvStatus status = zi_run_march(run, &error);
    allocator_forbid(NULL);
    check(status == ZV_OK, method, error.text);
    check(run->done && run->t == run->end && run->event_total == 0, method, "something happened on the way");
    check(all_finite(run->y, run->system->size), method, "the last state is not finite");
}

static void simulate(const char *method) {
    char change[64];
    const char *changes[] = {change};
    zvError error = {0};
    zvScenario *scenario = NULL;
    ziRun run = {0};
    snprintf(change, sizeof change, "integrator={method: %s, step: 1e-3}", method);
    zvStatus status =
        zv_scenario_read_memory("s.yaml", everything, sizeof everything - 1, 1, changes, &scenario, &error);
    if (status >= 0) status = zi_run_create(&run, scenario, NULL, &error);
    if (status >= 0) status = zi_run_begin(&run, &error);
    check(status >= 0, method, error.text);
    if (status >= 0) {
        ask_system(&run, method);
        step(&run, method);
        march(&run, method);
    }
    zi_run_free(&run);
    zv_scenario_destroy(scenario);
}

int main(void) {
    simulate("rk4");
    simulate("euler");
    puts(failures ? "FAILED" : "nobody allocates");
    return failures != 0;
}
