/* zveno convert: writes a robot in the native format, or a recording in another form. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <strings.h>

#include "json.h"
#include "kinds.h"
#include "recordings.h"
#include "robot.h"
#include "verb.h"
#include "verbs/native.h"
#include "zveno/read.h"

static bool take_text(void *context, const char *bytes, size_t size) {
    Text *text = context;
    text_put(text, bytes, size);
    return !text->failed;
}

static bool to_file(const Args *args) { return args->output && strcmp(args->output, "-"); }

/* A name that promises another format would mislead whoever opens the file; one without an ending promises nothing. */
Code native_check_output(const Args *args) {
    const char *slash = to_file(args) ? strrchr(args->output, '/') : NULL;
    const char *name = slash ? slash + 1 : args->output, *point = to_file(args) ? strrchr(name, '.') : NULL;
    if (!point || point == name || !strcasecmp(point, ".yaml") || !strcasecmp(point, ".yml")) return CODE_DONE;
    return complain(CODE_USAGE,
                    "expected -o FILE.yaml, found \"%s\"; zveno %s writes robots in the native "
                    "format, which is YAML",
                    args->output, args->verb);
}

/* The text itself, or one line on the file that has it; JSON carries either. */
static void print_result(const Args *args, const Robot *robot, const Text *native, Text *out) {
    if (!(args->given & OPTION_JSON) && native->bytes) {
        text_put(out, native->bytes, native->size);
        return;
    }
    if (!(args->given & OPTION_JSON)) {
        text_puts(out, "wrote ");
        text_name(out, args->output);
        text_puts(out, ": robot ");
        text_name(out, zv_builder_name(robot->builder));
        text_printf(out, " in the native format, %d links, %d joints\n", zv_builder_nlink(robot->builder),
                    zv_builder_njoint(robot->builder));
        return;
    }
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "format"), json_text(&json, "native");
    if (native->bytes)
        json_key(&json, "text"), json_text(&json, native->bytes);
    else
        json_key(&json, "file"), json_text(&json, args->output);
    json_end(&json);
}

/* Into a file in one step, or through memory to standard output. */
Code native_write(const Args *args, const Robot *robot, Text *out) {
    zvError error = {0};
    Text native = {0};
    zvStatus status;
    if (to_file(args))
        status = zv_write_native_file(robot->builder, args->output, &error);
    else
        status = zv_write_native(robot->builder, take_text, &native, &error);
    Code code = CODE_DONE;
    if (native.failed)
        code = complain_memory();
    else if (status < 0)
        code = complain_error(&error);
    else
        print_result(args, robot, &native, out);
    text_free(&native);
    return code;
}

static Code run(const Args *args, Text *out) {
    if (is_recording(args->operand)) return recording_convert(args, out);
    Robot robot;
    Code code = native_check_output(args);
    if (code != CODE_DONE) return code;
    code = robot_read(args, &robot); /* a robot that no verb could use is not written either */
    if (code != CODE_DONE) return code;
    code = native_write(args, &robot, out);
    robot_free(&robot);
    return code;
}

const Verb verb_convert = {
    .name = "convert",
    .run = run,
    .options = (OPTIONS_MODEL & ~OPTION_MIMIC) | OPTION_OUTPUT,
    .needs_model = true,
    .form = "MODEL|RECORDING [-o FILE]",
    .summary = "write a robot in the native format, a recording as HDF5 or CSV",
    .help =
        "Prints the native file (YAML), or writes it to FILE (.yaml, .yml). Reading it again gives the same numbers.\n"
        "With --json prints {format, text}, or {format, file} when it went to a file.\n"
        "A recording (.h5, .hdf5, .csv) is written to FILE in the form of its suffix.\n"
        "\n"
        "Example\n"
        "  zveno convert arm.urdf -o arm.yaml\n"
        "  zveno convert run.h5 -o run.csv\n",
};
