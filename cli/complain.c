/* Errors and warnings on standard error. */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

static void say(const char *severity, const char *format, va_list list) {
    char line[2048];
    vsnprintf(line, sizeof line, format, list);
    Text text = {0};
    text_printf(&text, "zveno: %s: ", severity);
    text_name(&text, line);
    text_puts(&text, "\n");
    text_write(&text, stderr);
    text_free(&text);
}

Code complain(Code code, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("error", format, list);
    va_end(list);
    return code;
}

void warn(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("warning", format, list);
    va_end(list);
}

void remark(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say("note", format, list);
    va_end(list);
}

Code complain_error(const zvError *error) {
    char line[1024];
    const zvStatus status = error->status;
    const bool numerical = status == ZV_SINGULAR || status == ZV_NO_CONVERGENCE || status == ZV_CLOSURE;
    return complain(numerical ? CODE_NUMERICAL : CODE_INPUT, "%s", zv_error_line(error, line, sizeof line));
}

Code complain_memory(void) { return complain(CODE_INPUT, "%s", zv_status_sentence(ZV_MEMORY)); }

Code complain_near(Code code, const char *what, const char *word, const char *near) {
    if (near) return complain(code, "expected a known %s, found \"%s\"; did you mean \"%s\"?", what, word, near);
    return complain(code, "expected a known %s, found \"%s\"", what, word);
}

/* One line after a complaint; names are cleaned, for they may come from a file. */
Code list_known(Code code, const char *const *names, size_t count) {
    Text list = {0};
    text_puts(&list, "known:");
    for (size_t i = 0; i < count; i++) {
        text_puts(&list, " ");
        text_name(&list, names[i]);
    }
    text_puts(&list, "\n");
    text_write(&list, stderr);
    text_free(&list);
    return code;
}

Code complain_unknown(Code code, const char *what, const char *word, const char *const *names, size_t count) {
    complain_near(code, what, word, zv_nearest_name(word, names, count));
    return list_known(code, names, count);
}
