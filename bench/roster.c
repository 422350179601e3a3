/* Which robots, and how each is prepared. */
#include "roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chain.h"
#include "zveno/read.h"

/* What is measured when no file is named; those that do not exist are passed over. */
typedef struct Usual {
    bool golden; /* in the directory of third-party robots, not in models/ */
    const char *name;
    bool free_base;
    const char *lock; /* joints whose names begin so do not move */
} Usual;

static const Usual usual[] = {
    {false, "industrial6", false, NULL}, {false, "cobot7", false, "finger"}, {false, "quadruped", true, NULL},
    {false, "humanoid50", true, NULL},   {true, "ur5", false, NULL},         {true, "panda", false, "panda_finger"},
    {true, "solo12", true, NULL},
};

static bool complain(const zvError *error) {
    char line[1024];
    fprintf(stderr, "%s\n", zv_error_line(error, line, sizeof line));
    return false;
}

/* Locks what is to be locked. Rotor inertia goes, because the paths of the peers that are measured do not carry it;
 * mimic joints become free, because the peers have none. */
static void level_field(zvBuilder *builder, const char *lock) {
    zv_builder_set_mimic_coupled(builder, false);
    for (int j = 0; j < zv_builder_njoint(builder); ++j) {
        zvJoint *joint = zv_builder_joint(builder, j);
        joint->mimic = NULL;
        for (int d = 0; d < ZV_MAX_DOF; ++d) joint->dof[d].armature = 0;
        if (lock && strncmp(joint->name, lock, strlen(lock)) == 0) joint->type = ZV_FIXED;
    }
}

static bool open_engines(Robot *robot) {
    robot->tree = tree_create(robot->model);
    if (!robot->tree) return fprintf(stderr, "%s: out of memory\n", robot->name), false;
    robot->ring = ring_create(robot->model, ring_size(robot->tree->nv), 2024);
    if (!robot->ring) return fprintf(stderr, "%s: out of memory\n", robot->name), false;
    if (!zveno_open(robot->model, robot->tree, robot->ring, &robot->engine[ZVENO])) {
        fprintf(stderr, "%s: out of memory\n", robot->name);
        return false;
    }
    generated_open(robot->model, robot->tree, robot->ring, &robot->engine[GENERATED]);
#ifdef ZB_MUJOCO
    mujoco_open(robot->tree, robot->ring, &robot->engine[MUJOCO]);
#endif
#ifdef ZB_KDL
    kdl_open(robot->tree, robot->ring, &robot->engine[KDL]);
#endif
    return true;
}

static bool read_robot(Robot *robot, const char *path, bool free_base, const char *lock) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create();
    if (!builder) return false;
    zvStatus status = zv_read_file(builder, path, ZV_FORMAT_AUTO, &error);
    if (status >= 0) {
        level_field(builder, lock);
        zv_builder_set_free_base(builder, free_base);
        status = zv_builder_freeze(builder, &robot->model, &error);
    }
    zv_builder_destroy(builder);
    const char *slash = strrchr(path, '/');
    snprintf(robot->name, sizeof robot->name, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(robot->name, '.');
    if (dot) *dot = '\0';
    return status >= 0 ? open_engines(robot) : complain(&error);
}

static bool build_chain(Robot *robot, int count) {
    zvError error = {0};
    snprintf(robot->name, sizeof robot->name, "chain%d", count);
    return chain_create(count, &robot->model, &error) >= 0 ? open_engines(robot) : complain(&error);
}

static bool read_usual(Roster *roster, const Options *options) {
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i) {
        char path[4096];
        const char *folder = usual[i].golden ? options->golden : ZB_MODELS;
        if (!folder) continue;
        snprintf(path, sizeof path, "%s/%s.urdf", folder, usual[i].name);
        if (access(path, R_OK) != 0) {
            fprintf(stderr, "note: no %s.urdf, passed over\n", usual[i].name);
            continue;
        }
        if (!read_robot(&roster->robot[roster->count++], path, usual[i].free_base, usual[i].lock)) return false;
    }
    return true;
}

static bool read_named(Roster *roster, const Options *options) {
    for (int i = 0; i < options->files; ++i) {
        const bool free_base = strncmp(options->file[i], "free:", 5) == 0;
        const char *path = options->file[i] + (free_base ? 5 : 0);
        if (!read_robot(&roster->robot[roster->count++], path, free_base, options->lock)) return false;
    }
    return true;
}

bool roster_fill(Roster *roster, const Options *options) {
    static const int lengths[] = {10, 100, 1000};
    const size_t room = sizeof usual / sizeof *usual + sizeof lengths / sizeof *lengths + (size_t)options->files;
    *roster = (Roster){0, calloc(room, sizeof *roster->robot)};
    if (!roster->robot) return false;
    const bool read = options->files ? read_named(roster, options) : read_usual(roster, options);
    if (!read) return false;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        if (options->no_chains || lengths[i] > options->longest) continue;
        if (!build_chain(&roster->robot[roster->count++], lengths[i])) return false;
    }
    return true;
}

void roster_empty(Roster *roster) {
    for (int r = 0; r < roster->count; ++r) {
        Robot *robot = &roster->robot[r];
        for (int e = 0; e < ENGINES; ++e)
            if (robot->engine[e].self) robot->engine[e].destroy(robot->engine[e].self);
        ring_destroy(robot->ring);
        tree_destroy(robot->tree);
        zv_model_destroy(robot->model);
    }
    free(roster->robot);
}
