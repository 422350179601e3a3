/* zveno generate: robots that a formula describes, of any size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robot.h"
#include "verb.h"
#include "verbs/native.h"
#include "zveno/chain.h"

/* How many rods: a whole number and nothing behind it. */
static bool take_size(const char *word, int *size) {
    char after;
    return sscanf(word, "%9d%c", size, &after) == 1;
}

/* The kind and the size that were asked for. */
static Code choose(const Args *args, int *size) {
    static const char *const kinds[] = {"rods"};
    if (args->operand_count < 2)
        return complain(CODE_USAGE, "expected what to generate and its size, found %s: zveno generate rods 20",
                        args->operand_count ? "no size" : "neither");
    if (strcmp(args->operand, kinds[0])) return complain_unknown(CODE_USAGE, "robot", args->operand, kinds, 1);
    if (args->operand_count > 2)
        return complain(CODE_USAGE, "expected nothing after \"%s\", found \"%s\"; see zveno help generate",
                        args->operands[1], args->operands[2]);
    if (take_size(args->operands[1], size) && *size >= 1 && *size <= ZV_MOST_RODS) return CODE_DONE;
    return complain(CODE_USAGE, "expected a whole number of rods, 1 to %d, found \"%s\"", ZV_MOST_RODS,
                    args->operands[1]);
}

/* The chain of the lecture: 1 m and 10 kg together, whatever the number of rods. */
static zvStatus describe(int size, Robot *robot, zvError *error) {
    char name[32];
    snprintf(name, sizeof name, "chain%d", size);
    *robot = (Robot){.builder = zv_builder_create(error)};
    if (!robot->builder) return ZV_MEMORY;
    const zvStatus status = zv_builder_set_name(robot->builder, name, error);
    return status < 0 ? status : zv_builder_add_rods(robot->builder, size, 1, 10, error);
}

static Code run(const Args *args, Text *out) {
    int size = 0;
    Code code = choose(args, &size);
    if (code == CODE_DONE) code = native_check_output(args);
    if (code != CODE_DONE) return code;
    Robot robot;
    zvError error = {0};
    code = describe(size, &robot, &error) < 0 ? complain_error(&error) : native_write(args, &robot, out);
    robot_free(&robot);
    return code;
}

const Verb verb_generate = {
    .name = "generate",
    .run = run,
    .options = OPTION_JSON | OPTION_HELP | OPTION_OUTPUT | OPERANDS_MANY,
    .form = "rods N [-o FILE]",
    .summary = "a robot by a formula: the planar chain of N rods",
    .help =
        "Prints a native robot file (YAML), or writes FILE in the format of its suffix: .yaml and .yml native, .urdf, "
        ".xml MJCF.\n"
        "rods N: N equal rods on ideal hinges, 1 m and 10 kg together, in the plane of x and z; q1 is the angle of "
        "the first rod above x, every other q that to the rod before. With 10 it is models/chain10.yaml.\n"
        "With --json prints {format, text}, or {format, file} when it went to a file.\n"
        "\n"
        "Example\n"
        "  zveno generate rods 20 -o chain20.yaml\n"
        "  zveno generate rods 100 | zveno mass - --json\n",
};
