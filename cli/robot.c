/* Reads the model of the command line and puts --base, --mimic, --gravity and --lock into it. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "robot.h"
#include "zveno/flexible.h"
#include "zveno/read.h"

/* NAME=DIR as the builder wants it. */
static zvStatus set_packages(const Args *args, zvBuilder *builder, zvError *error) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < args->package_count && status >= 0; i++) {
        const char *equals = strchr(args->packages[i], '=');
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)(equals - args->packages[i]), args->packages[i]);
        status = zv_builder_set_package(builder, name, equals + 1, error);
    }
    return status;
}

/* Reads the file and applies --base, --mimic, --gravity and --lock, so that verbs see one description. */
zvStatus robot_describe(const Args *args, Robot *robot, zvError *error) {
    *robot = (Robot){0};
    robot->builder = zv_builder_create(error);
    if (!robot->builder) return ZV_MEMORY;
    zvStatus status = set_packages(args, robot->builder, error);
    if (status >= 0)
        status = zv_read_file_changed(robot->builder, args->operand, ZV_FORMAT_AUTO, args->change_count, args->changes,
                                      error);
    if (status < 0) {
        file_blame_kind(args->operand, FILE_ROBOT, error);
        return status;
    }
    if (args->given & OPTION_BASE) zv_builder_set_free_base(robot->builder, args->free_base);
    if (args->given & OPTION_MIMIC) zv_builder_set_mimic_coupled(robot->builder, !args->mimic_free);
    if (args->given & OPTION_GRAVITY) zv_builder_set_gravity(robot->builder, args->gravity);
    return args->lock ? lock_joints(robot->builder, args->lock, error) : status;
}

/* What the file has and the robot has not, such as the mass of a mesh that is missing: the first by its words, the
 * others by their number. Lesser findings are for zveno check. */
static void tell_left_out(const zvBuilder *builder, const char *operand) {
    const zvRemark *first = NULL;
    int others = 0;
    for (int i = 0; i < zv_builder_nremark(builder); i++) {
        const zvRemark *r = zv_builder_remark(builder, i);
        const bool counts = strcmp(r->rule, "not-modelled") == 0 || strcmp(r->rule, "missing-mesh") == 0;
        if (r->severity != ZV_SEVERITY_WARNING || !counts) continue;
        if (first)
            others++;
        else
            first = r;
    }
    if (!first) return;
    char more[96] = "";
    if (others) snprintf(more, sizeof more, " (and %d more: zveno check lists them)", others);
    warn("%s:%d:%d: %s \"%s\": %s%s", first->mark.file ? first->mark.file : operand, first->mark.line,
         first->mark.column, first->kind, first->name, first->why, more);
}

Code robot_read(const Args *args, Robot *robot) {
    zvError error = {0};
    zvStatus status = robot_describe(args, robot, &error);
    if (status >= 0) status = zv_builder_freeze(robot->builder, &robot->model, &error);
    if (status >= 0) tell_left_out(robot->builder, args->operand);
    if (status >= 0) return CODE_DONE;
    robot_free(robot);
    if (!error.file[0]) /* what is wrong with the robot as a whole stands in no line */
        snprintf(error.file, sizeof error.file, "%s", strcmp(args->operand, "-") == 0 ? "<stdin>" : args->operand);
    return complain_error(&error);
}

void robot_free(Robot *robot) {
    zv_model_destroy(robot->model);
    zv_builder_destroy(robot->builder);
    *robot = (Robot){0};
}

/* Names of all frames, to be freed; NULL when memory runs out. */
static const char **frame_names(const zvModel *model, size_t *count) {
    *count = (size_t)zv_model_nframe(model);
    const char **names = malloc((*count + 1) * sizeof *names);
    for (size_t i = 0; names && i < *count; i++) names[i] = zv_model_frame(model, (int)i).name;
    return names;
}

/* The first of them by its name, the others by their number. */
void robot_note_flexible(const zvModel *model, const char *what) {
    const char *first = NULL;
    int others = 0;
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        if (!joint->flexible) continue;
        if (first)
            others++;
        else
            first = joint->name;
    }
    if (!first) return;
    char more[48] = "";
    if (others) snprintf(more, sizeof more, " and of %d other joint%s", others, others == 1 ? "" : "s");
    remark("gear and motor of joint \"%s\"%s are left out: %s of the side of the links, tau what the gears exert on "
           "them%s; zveno forward, inverse, terms, modes and simulate have the motors",
           first, more, what,
           zv_model_has_rotor_axes(model) ? ", and rotors with a rotor_axis turn freely about it" : "");
}

/* The nearest name stands in the error: most unknown frames are typing errors. */
int robot_frame(const zvModel *model, const char *name, zvMark mark, zvError *error) {
    const int frame = zv_model_find_frame(model, name);
    if (frame >= 0) return frame;
    size_t count;
    const char **names = frame_names(model, &count);
    const char *near = names ? zv_nearest_name(name, names, count) : NULL;
    if (near)
        zv_fail(error, ZV_NAME, mark, name, "expected a known link or frame, found \"%s\"; did you mean \"%s\"?", name,
                near);
    else
        zv_fail(error, ZV_NAME, mark, name, "expected a known link or frame, found \"%s\"; zveno info lists them",
                name);
    free(names);
    return -1;
}

Code robot_unknown_frame(const zvModel *model, const char *name) {
    size_t count;
    const char **names = frame_names(model, &count);
    if (!names) return complain_memory();
    complain_unknown(CODE_INPUT, "link or frame", name, names, count);
    free(names);
    return CODE_INPUT;
}

/* --lock j1,j2 */

static const zvMark nowhere = {0};

/* The nearest name of a joint to a word; NULL when none is near. */
static const char *nearest_joint(zvBuilder *builder, const char *word) {
    const int count = zv_builder_njoint(builder);
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    for (int i = 0; names && i < count; i++) names[i] = zv_builder_joint(builder, i)->name;
    const char *near = names ? zv_nearest_name(word, names, (size_t)count) : NULL;
    free(names);
    return near;
}

/* With the nearest name; of a free base, whose joint no file has, with the option that locks it. */
static zvStatus unknown_joint(zvBuilder *builder, const char *name, zvError *error) {
    const char *near = nearest_joint(builder, name);
    if (near)
        return zv_fail(error, ZV_NAME, nowhere, name,
                       "--lock: expected a known joint, found \"%s\"; did you mean \"%s\"?", name, near);
    if (zv_builder_free_base(builder))
        return zv_fail(
            error, ZV_NAME, nowhere, name,
            "--lock: expected a joint of the file, found \"%s\"; --base fixed locks the joint above the root", name);
    return zv_fail(error, ZV_NAME, nowhere, name, "--lock: expected a known joint, found \"%s\"; zveno info lists them",
                   name);
}

/* A joint that still follows a locked one would follow nothing. */
static zvStatus check_followers(zvBuilder *builder, zvError *error) {
    for (int i = 0; i < zv_builder_njoint(builder); i++) {
        const zvJoint *joint = zv_builder_joint(builder, i);
        const int master = joint->mimic ? zv_builder_find_joint(builder, joint->mimic) : -1;
        if (master >= 0 && zv_joint_type_nv(zv_builder_joint(builder, master)->type) == 0)
            return zv_fail(error, ZV_NAME, nowhere, joint->name,
                           "--lock: expected the joints that follow a locked one, found \"%s\", which follows \"%s\", "
                           "left free; lock it as well",
                           joint->name, joint->mimic);
    }
    return ZV_OK;
}

/* A locked joint becomes a fixed one before the model is frozen: no kernel knows of it. */
zvStatus lock_joints(zvBuilder *builder, const char *list, zvError *error) {
    char *names = malloc(strlen(list) + 1);
    if (!names) return zv_fail(error, ZV_MEMORY, nowhere, "", "%s", zv_status_sentence(ZV_MEMORY));
    strcpy(names, list);
    zvStatus status = ZV_OK;
    for (char *name = names; name && status >= 0;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = '\0';
        name += strspn(name, " ");
        const int joint = zv_builder_find_joint(builder, name);
        if (joint >= 0)
            zv_builder_lock_joint(builder, joint);
        else
            status = unknown_joint(builder, name, error);
        name = comma ? comma + 1 : NULL;
    }
    free(names);
    return status < 0 ? status : check_followers(builder, error);
}
