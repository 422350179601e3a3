/* Robots written to files in the formats that are read. */
#define _XOPEN_SOURCE 700
#include "verbs/native.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "json.h"
#include "verb.h"
#include "zveno/check.h"
#include "zveno/record.h"
#include "zveno/simulate.h"

/* Formats by the words of --format and the ends of names. */
typedef struct WrittenFormat {
    const char *word, *endings[2], *about;
    zvFormat format;
    bool scenario; /* of an MJCF file */
} WrittenFormat;

static const WrittenFormat formats[] = {{"native", {".yaml", ".yml"}, "the native format", ZV_FORMAT_NATIVE, false},
                                        {"urdf", {".urdf", NULL}, "URDF", ZV_FORMAT_URDF, false},
                                        {"mjcf", {".xml", ".mjcf"}, "MJCF", ZV_FORMAT_MJCF, false},
                                        {"scenario", {NULL, NULL}, "a scenario", ZV_FORMAT_NATIVE, true}};
enum { FORMATS = sizeof formats / sizeof *formats };

static bool to_file(const Args *args) { return args->output && strcmp(args->output, "-"); }

/* The format of --format, else of the name; native without either; NULL: of a name that promises something else. */
static const WrittenFormat *format_of(const Args *args) {
    const char *slash = to_file(args) ? strrchr(args->output, '/') : NULL;
    const char *name = slash ? slash + 1 : args->output, *point = to_file(args) ? strrchr(name, '.') : NULL;
    for (int i = 0; i < FORMATS; i++) {
        if (args->format) {
            if (strcmp(args->format, formats[i].word) == 0) return &formats[i];
            continue;
        }
        for (int k = 0; k < 2 && point && point != name && formats[i].endings[k]; k++)
            if (!strcasecmp(point, formats[i].endings[k])) return &formats[i];
    }
    return args->format || (point && point != name) ? NULL : &formats[0];
}

/* A name that promises another format would mislead whoever opens the file; one without an ending promises nothing. */
Code native_check_output(const Args *args) {
    if (format_of(args)) return CODE_DONE;
    if (args->format)
        return complain(CODE_USAGE, "expected --format native, urdf, mjcf or scenario, found \"%s\"", args->format);
    return complain(CODE_USAGE,
                    "expected -o FILE.yaml, FILE.urdf or FILE.xml, found \"%s\"; the end of the name tells the format",
                    args->output);
}

/* A loss, and how many elements have it. */
typedef struct Loss {
    zvSeverity severity;
    char *element, *why, *repair;
    int count;
} Loss;

typedef struct Losses {
    Loss *items;
    int count;
    bool failed;
} Losses;

static char *printed(const char *a, const char *b) {
    Text text = {0};
    text_puts(&text, a);
    if (b) text_printf(&text, " \"%s\"", b);
    return text.bytes;
}

/* The same loss of many elements is one. */
static void take_loss(void *context, const zvRemark *r) {
    Losses *losses = context;
    for (int i = 0; i < losses->count; i++) {
        if (strcmp(losses->items[i].why, r->why) != 0) continue;
        losses->items[i].count++;
        return;
    }
    Loss *more = realloc(losses->items, ((size_t)losses->count + 1) * sizeof *more);
    if (!more) {
        losses->failed = true;
        return;
    }
    losses->items = more;
    Loss *loss = &more[losses->count++];
    *loss = (Loss){r->severity, printed(r->kind, r->name), printed(r->why, NULL), printed(r->repair, NULL), 1};
    losses->failed = losses->failed || !loss->element || !loss->why || !loss->repair;
    if (!losses->failed) return;
    losses->count--;
}

static void free_losses(Losses *losses) {
    for (int i = 0; i < losses->count; i++)
        free(losses->items[i].element), free(losses->items[i].why), free(losses->items[i].repair);
    free(losses->items);
}

static void tell_losses(const Losses *losses, const WrittenFormat *format) {
    for (int i = 0; i < losses->count; i++) {
        const Loss *l = &losses->items[i];
        char more[48] = "";
        if (l->count > 1) snprintf(more, sizeof more, " (and %d more)", l->count - 1);
        if (l->severity == ZV_SEVERITY_WARNING)
            warn("%s%s in %s: %s; %s", l->element, more, format->about, l->why, l->repair);
        else
            remark("%s%s in %s: %s; %s", l->element, more, format->about, l->why, l->repair);
    }
}

/* Each loss with the number of its elements. */
static void losses_json(Json *json, const Losses *losses) {
    json_key(json, "lost"), json_list(json, JSON_BLOCK);
    for (int i = 0; i < losses->count; i++) {
        const Loss *l = &losses->items[i];
        json_map(json, JSON_LINE);
        json_key(json, "severity"), json_text(json, zv_severity_word(l->severity));
        json_key(json, "element"), json_text(json, l->element);
        json_key(json, "why"), json_text(json, l->why);
        json_key(json, "repair"), json_text(json, l->repair);
        json_key(json, "count"), json_integer(json, l->count);
        json_end(json);
    }
    json_end(json);
}

/* The text itself, or one line on the file that has it; JSON carries either. */
static void print_result(const Args *args, const Robot *robot, const WrittenFormat *format, const Text *text,
                         const Losses *losses, Text *out) {
    if (!(args->given & OPTION_JSON)) {
        tell_losses(losses, format);
        if (text->bytes) {
            text_put(out, text->bytes, text->size);
            return;
        }
        text_puts(out, "wrote ");
        text_name(out, args->output);
        text_puts(out, ": robot ");
        text_name(out, zv_builder_name(robot->builder));
        text_printf(out, " in %s, %d links, %d joints\n", format->about, zv_builder_nlink(robot->builder),
                    zv_builder_njoint(robot->builder));
        return;
    }
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "format"), json_text(&json, format->word);
    if (text->bytes)
        json_key(&json, "text"), json_text(&json, text->bytes);
    else
        json_key(&json, "file"), json_text(&json, args->output);
    if (format != &formats[0]) losses_json(&json, losses);
    json_end(&json);
}

static bool take_text(void *context, const char *bytes, size_t size) {
    Text *text = context;
    text_put(text, bytes, size);
    return !text->failed;
}

/* How a scenario at -o names the model: its name where both lie in one folder, else its whole path. */
static char *model_path(const Args *args) {
    const char *slash = to_file(args) ? strrchr(args->output, '/') : NULL;
    const char *from = strrchr(args->operand, '/');
    const size_t output = slash ? (size_t)(slash - args->output) : 0, model = from ? (size_t)(from - args->operand) : 0;
    if (from && slash && output == model && strncmp(args->output, args->operand, model) == 0)
        return printed(from + 1, NULL);
    if (!slash || args->operand[0] == '/') return printed(args->operand, NULL);
    return realpath(args->operand, NULL);
}

/* The scenario of an MJCF file, through memory. */
static zvStatus write_scenario(const Args *args, Text *text, Losses *losses, zvError *error) {
    char *model = model_path(args);
    zvStatus status =
        model ? zv_scenario_of_mjcf(args->operand, model, args->key, take_text, text, take_loss, losses, error)
              : ZV_MEMORY;
    free(model);
    if (status < 0 || !to_file(args)) return status;
    status = zv_output_write(args->output, text->bytes, text->size, error);
    text_clear(text);
    return status;
}

/* Into a file in one step, or through memory to standard output. */
Code native_write(const Args *args, const Robot *robot, Text *out) {
    zvError error = {0};
    Text text = {0};
    Losses losses = {0};
    const WrittenFormat *format = format_of(args);
    const zvStatus status =
        format->scenario ? write_scenario(args, &text, &losses, &error)
        : to_file(args)  ? zv_write_file(robot->builder, args->output, format->format, take_loss, &losses, &error)
                         : zv_write(robot->builder, format->format, take_text, &text, take_loss, &losses, &error);
    Code code = CODE_DONE;
    if (text.failed || losses.failed)
        code = complain_memory();
    else if (status < 0)
        code = complain_error(&error);
    else
        print_result(args, robot, format, &text, &losses, out);
    text_free(&text);
    free_losses(&losses);
    return code;
}
