/* Reads a scenario that must be good, and what its drives follow. */
#ifndef TESTS_GOOD_SCENARIO_H
#define TESTS_GOOD_SCENARIO_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/scenario.h"
#include "simulate/scenario_text.h"
static inline zvScenario *read_changed(const char *name, const char *text, int count, const char *const *changes) {
    zvError error = {0};
    zvScenario *scenario = NULL;
    char line[1024];
    if (zv_scenario_read_memory(name, text, strlen(text), count, changes, &scenario, &error) != ZV_OK)
        fail_msg("%s\n%s", zv_error_line(&error, line, sizeof line), text);
    return scenario;
}

static inline zvScenario *read_named(const char *name, const char *text) { return read_changed(name, text, 0, NULL); }
static inline zvScenario *read_text(const char *text) { return read_named("s.yaml", text); }

/* What controllers and prescribed motions follow at t; r is (nv). */
static inline void reference_at(const zvScenario *s, double t, double *r) {
    zvEfforts *efforts = zv_efforts_create(s->drives, NULL);
    assert_non_null(efforts);
    zv_drives_reference(s->drives, efforts, t, r);
    zv_efforts_destroy(efforts);
}

#endif
