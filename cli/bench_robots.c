/* Which robots zveno bench measures. */
#include "bench_robots.h"

#include <stdlib.h>
#include <string.h>

#include "lock.h"
#include "robot.h"

static const int chains[] = {10, 100, 1000};
enum { CHAINS = sizeof chains / sizeof chains[0], LONGEST_QUICK = 100 };

static Code built_in(const Args *args, Roster *roster) {
    const char *folder = args->golden ? args->golden : getenv("ZVENO_ROBOTS");
    const bool quick = args->given & OPTION_QUICK;
    zvError error = {0};
    if (args->given & (OPTION_BASE | OPTION_LOCK | OPTION_GRAVITY))
        return complain(CODE_USAGE, "--base, --lock and --gravity change a model; name one: zveno bench MODEL ...");
    zvStatus status = roster_add_usual(roster, folder, &error);
    for (int i = 0; i < CHAINS && status >= 0 && !(args->given & OPTION_NO_CHAINS); i++)
        if (!quick || chains[i] <= LONGEST_QUICK) status = roster_add_chain(roster, chains[i], &error);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* The next of the names in a list with commas between; false: there are no more. */
static bool next_name(const char **at, char *name, size_t size) {
    *at += strspn(*at, " ,");
    const size_t length = strcspn(*at, ",");
    snprintf(name, size, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

/* Those names of --lock that the model has: of several models each has joints of its own. Bits of *found tell which
 * were. */
static zvStatus lock_known(zvBuilder *builder, const char *list, uint64_t *found, zvError *error) {
    char name[256];
    zvStatus status = ZV_OK;
    for (int i = 0; next_name(&list, name, sizeof name) && status >= 0; i++) {
        if (zv_builder_find_joint(builder, name) < 0) continue;
        if (i < 64) *found |= UINT64_C(1) << i;
        status = lock_joints(builder, name, error);
    }
    return status;
}

static Code check_found(const char *list, uint64_t found) {
    char name[256];
    for (int i = 0; i < 64 && next_name(&list, name, sizeof name); i++)
        if (!(found & UINT64_C(1) << i))
            return complain(CODE_INPUT, "--lock: there is no joint \"%s\" in any of the models; zveno info lists them",
                            name);
    return CODE_DONE;
}

/* "arm.urdf" of "robots/arm.urdf", without the suffix. */
static void name_of(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", strcmp(path, "-") ? slash ? slash + 1 : path : "stdin");
    char *dot = strrchr(name, '.');
    if (dot && dot > name) *dot = '\0';
}

static zvStatus add(const Args *args, Roster *roster, Robot *robot, uint64_t *found, zvError *error) {
    char name[48];
    Args one = *args;
    if (args->operand_count > 1) one.lock = NULL;
    zvStatus status = robot_describe(&one, robot, error);
    if (status >= 0 && args->lock && !one.lock) status = lock_known(robot->builder, args->lock, found, error);
    name_of(args->operand, name, sizeof name);
    return status < 0 ? status : roster_add(roster, name, robot->builder, NULL, error);
}

static Code named(const Args *args, const char *word, Roster *roster, uint64_t *found) {
    static const char free_base[] = "free:";
    const size_t length = strlen(free_base);
    Args one = *args;
    Robot robot;
    zvError error = {0};
    one.operand = word;
    if (!strncmp(word, free_base, length)) {
        one.operand += length;
        one.given |= OPTION_BASE;
        one.free_base = true;
    }
    const zvStatus status = add(&one, roster, &robot, found, &error);
    robot_free(&robot);
    if (status >= 0) return CODE_DONE;
    if (!error.file[0]) snprintf(error.file, sizeof error.file, "%s", one.operand);
    return complain_error(&error);
}

Code bench_robots(const Args *args, Roster *roster) {
    Code code = CODE_DONE;
    uint64_t found = 0;
    if (!args->operand_count) return built_in(args, roster);
    if (args->given & (OPTION_GOLDEN | OPTION_NO_CHAINS))
        return complain(CODE_USAGE,
                        "--golden and --no-chains tell of the built-in robots; leave them out or the models");
    for (int i = 0; i < args->operand_count && code == CODE_DONE; i++)
        code = named(args, args->operands[i], roster, &found);
    if (code == CODE_DONE && args->lock && args->operand_count > 1) code = check_found(args->lock, found);
    return code;
}
