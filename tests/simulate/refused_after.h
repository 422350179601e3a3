/* Scenarios that must be refused, each a text after the same first lines: status, line and words of the error. */
#ifndef ZV_TESTS_SIMULATE_REFUSED_AFTER_H
#define ZV_TESTS_SIMULATE_REFUSED_AFTER_H

#include "simulate/runs.h"

typedef struct RefusedText {
    const char *text; /* after the first lines */
    zvStatus status;
    int line;
    const char *words; /* part of the error text */
} RefusedText;

/* All of a list; each is told before the test fails. */
static inline void expect_refused_after(const char *first, const RefusedText *list, size_t count) {
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const RefusedText *c = &list[i];
        char text[4096], line[1024];
        const int size = snprintf(text, sizeof text, "%s%s", first, c->text);
        zvScenario *scenario = NULL;
        zvError error = {0};
        const zvStatus status = zv_scenario_read_memory("test", text, (size_t)size, 0, NULL, &scenario, &error);
        if (status == c->status && error.line == c->line && !scenario && strstr(error.text, c->words)) continue;
        wrong++;
        zv_scenario_destroy(scenario);
        print_message("%s  wanted %s line %d: %s\n  got %s %s\n", c->text, zv_status_name(c->status), c->line, c->words,
                      zv_status_name(status), zv_error_line(&error, line, sizeof line));
    }
    assert_int_equal(wrong, 0);
}

#endif
