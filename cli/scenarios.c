/* Reads scenarios of the command line; a robot's file becomes one in memory. */
#include "scenarios.h"

#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "kinds.h"

/* A load as the scenario has it. */
static void put_load(const Load *load, int index, Json *json) {
    Text name = {0};
    json_map(json, JSON_LINE);
    text_printf(&name, "load %d", index + 1);
    json_key(json, "name"), json_text(json, name.bytes ? name.bytes : "");
    text_clear(&name);
    text_put(&name, load->frame, (size_t)load->length);
    json_key(json, "frame"), json_text(json, name.bytes ? name.bytes : "");
    json_key(json, "force"), json_numbers(json, load->wrench, 3);
    json_key(json, "moment"), json_numbers(json, load->wrench + 3, 3);
    json_end(json);
    text_free(&name);
}

/* The robot with what the command line says of it, and nothing else; seen from the folder of its file. */
static void put_scenario(const Args *args, Text *out) {
    const char *slash = strrchr(args->operand, '/');
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    json_key(&json, "zveno_scenario"), json_integer(&json, 1);
    json_key(&json, "duration"), json_integer(&json, 1);
    json_key(&json, "model"), json_map(&json, JSON_LINE);
    json_key(&json, "file"), json_text(&json, slash ? slash + 1 : args->operand);
    if (args->given & OPTION_BASE) json_key(&json, "base"), json_text(&json, args->free_base ? "free" : "fixed");
    if (args->given & OPTION_MIMIC)
        json_key(&json, "mimic"), json_text(&json, args->mimic_free ? "independent" : "coupled");
    json_end(&json);
    if (args->given & OPTION_GRAVITY) json_key(&json, "gravity"), json_numbers(&json, args->gravity, 3);
    json_key(&json, "loads"), json_list(&json, JSON_LINE);
    for (int i = 0; i < args->load_count; i++) put_load(&args->loads[i], i, &json);
    json_end(&json);
    json_end(&json);
}

/* Options that say what a scenario says itself. */
static Code refuse_robot_options(const Args *args) {
    const OptionSet robot = OPTION_BASE | OPTION_MIMIC | OPTION_GRAVITY | OPTION_LOAD;
    if (!(args->given & robot)) return CODE_DONE;
    return complain(CODE_USAGE, "expected --base, --mimic, --gravity and --load with a robot, found one of them with a "
                                "scenario, which says it itself: --set gravity=0,0,0, --set loads.0.force=...");
}

/* From memory, under the name of the robot's file. */
static zvStatus scenario_of_robot(const Args *args, int count, const char *const *changes, zvScenario **scenario,
                                  zvError *error) {
    Text text = {0};
    put_scenario(args, &text);
    const zvStatus status =
        text.failed ? zv_fail(error, ZV_MEMORY, (zvMark){0}, NULL, "out of memory")
                    : zv_scenario_read_memory(args->operand, text.bytes, text.size, count, changes, scenario, error);
    text_free(&text);
    return status;
}

/* By the kind of the file; changes of the command line come before those given. */
Code scenario_read(const Args *args, int count, const char *const *changes, zvScenario **scenario) {
    const char *all[MAX_CHANGES + 64];
    zvError error = {0};
    const FileKind kind = file_kind(args->operand);
    const size_t room = sizeof all / sizeof all[0];
    if ((size_t)args->change_count + (size_t)count > room)
        return complain(CODE_INPUT, "expected at most %zu changes of a scenario, found %d", room,
                        args->change_count + count);
    memcpy(all, args->changes, (size_t)args->change_count * sizeof *all);
    for (int i = 0; i < count; i++) all[args->change_count + i] = changes[i];
    count += args->change_count;
    zvStatus status;
    if (kind == FILE_ROBOT) {
        status = scenario_of_robot(args, count, all, scenario, &error);
    } else {
        const Code code = refuse_robot_options(args);
        if (code != CODE_DONE) return code;
        status = zv_scenario_read_file(args->operand, count, all, scenario, &error);
        if (status < 0) file_blame_kind(args->operand, FILE_SCENARIO, &error);
    }
    return status < 0 ? complain_error(&error) : CODE_DONE;
}
