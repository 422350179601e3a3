/* The lines of a page's banner, one behind another in one text. */
#include "page_problems.h"

#include <stdarg.h>
#include <string.h>

void page_problem(PageProblems *problems, const char *format, ...) {
    char line[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    text_put(&problems->lines, line, strlen(line) + 1);
    problems->count += !problems->lines.failed;
}

const char *page_problem_next(const PageProblems *problems, const char *line) {
    const Text *lines = &problems->lines;
    const char *next = line ? line + strlen(line) + 1 : lines->bytes;
    return next && next < lines->bytes + lines->size ? next : NULL;
}

void page_problems_json(const PageProblems *problems, Json *json) {
    json_list(json, JSON_LINE);
    for (const char *line = NULL; (line = page_problem_next(problems, line));) json_text(json, line);
    json_end(json);
}

void page_problems_free(PageProblems *problems) {
    text_free(&problems->lines);
    problems->count = 0;
}
