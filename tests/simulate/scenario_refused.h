/* Scenarios that must be refused: status, place, token and words of the error. */
#ifndef TESTS_SCENARIO_REFUSED_H
#define TESTS_SCENARIO_REFUSED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "simulate/scenario_text.h"
#include "zveno/simulate.h"

typedef struct Refusal {
    const char *text; /* after HEAD, unless it begins with '!' */
    zvStatus status;
    int line, column;
    const char *token;
    const char *words; /* part of the error text */
} Refusal;
static inline void show(const zvError *error) {
    char line[1024];
    print_message("  got %s %s [%s]\n", zv_status_name(error->status), zv_error_line(error, line, sizeof line),
                  error->token);
}

static inline bool refused(const Refusal *wanted) {
    char text[8192];
    zvError error = {0};
    zvScenario *scenario = NULL;
    snprintf(text, sizeof text, "%s%s", wanted->text[0] == '!' ? "" : HEAD, wanted->text + (wanted->text[0] == '!'));
    const zvStatus status = zv_scenario_read_memory("test/s.yaml", text, strlen(text), 0, NULL, &scenario, &error);
    const bool right = status == wanted->status && error.status == status && !scenario && error.line == wanted->line &&
                       error.column == wanted->column && strcmp(error.token, wanted->token) == 0 &&
                       strcmp(error.file, "test/s.yaml") == 0 && strstr(error.text, wanted->words);
    if (right) return true;
    print_message("%s  wanted %s %d:%d [%s] %s\n", wanted->text, zv_status_name(wanted->status), wanted->line,
                  wanted->column, wanted->token, wanted->words);
    if (status < 0) show(&error);
    zv_scenario_destroy(scenario);
    return false;
}
/* All of a list; no two of them test the same text. */
static inline void expect_refusals(const Refusal *list, int count) {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        wrong += !refused(&list[i]);
        for (int j = 0; j < i; j++) assert_string_not_equal(list[i].text, list[j].text);
    }
    assert_int_equal(wrong, 0);
}

#endif
