/* Which robots, and how each is prepared. */
#define _POSIX_C_SOURCE 200809L
#include "roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "chain.h"
#include "zveno/read.h"

static const zvMark nowhere = {0};

static zvStatus out_of_memory(zvError *error) {
    return zv_fail(error, ZV_MEMORY, nowhere, "", "%s", zv_status_sentence(ZV_MEMORY));
}

/* Grows by doubling; pointers to older runners are not kept. */
static Runner *next_runner(Roster *roster, const char *name) {
    if (roster->count == roster->capacity) {
        const int capacity = roster->capacity ? 2 * roster->capacity : 16;
        Runner *runner = realloc(roster->runner, (size_t)capacity * sizeof *runner);
        if (!runner) return NULL;
        roster->runner = runner;
        roster->capacity = capacity;
    }
    Runner *runner = &roster->runner[roster->count++];
    *runner = (Runner){0};
    snprintf(runner->name, sizeof runner->name, "%s", name);
    return runner;
}

/* Returns what is taken away. */
static unsigned level_field(zvBuilder *builder, const char *lock) {
    unsigned left_out = 0;
    zv_builder_set_mimic_coupled(builder, false);
    for (int j = 0; j < zv_builder_njoint(builder); ++j) {
        zvJoint *joint = zv_builder_joint(builder, j);
        const bool locked = lock && strncmp(joint->name, lock, strlen(lock)) == 0;
        if (joint->mimic && !locked) left_out |= LEFT_MIMIC;
        joint->mimic = NULL;
        for (int d = 0; d < ZV_MAX_DOF; ++d) {
            if (joint->dof[d].armature != 0 && !locked) left_out |= LEFT_ROTORS;
            joint->dof[d].armature = 0;
        }
        if (locked) zv_builder_lock_joint(builder, j);
    }
    return left_out;
}

/* The same robot with its tip held fast by six conditions where it is at the neutral position. Accelerations at rest
 * do not depend on where. NULL when it has loops of its own, or cannot be welded. */
static zvModel *weld_tip(zvBuilder *builder, const zvModel *open, int tip) {
    zvModel *welded = NULL;
    zvLoop loop = zv_loop_default("weld", ZV_LOOP_JOINT, ZV_JOINT_FIXED, zv_model_link(open, 0)->name,
                                  zv_model_link(open, tip)->name);
    if (zv_builder_nloop(builder) > 0 || zv_builder_add_loop(builder, &loop, NULL) < 0) return NULL;
    return zv_builder_freeze(builder, &welded, NULL) < 0 ? NULL : welded;
}

zvStatus roster_add(Roster *roster, const char *name, zvBuilder *builder, const char *lock, zvError *error) {
    const unsigned left_out = level_field(builder, lock);
    Runner *runner = next_runner(roster, name);
    if (!runner) return out_of_memory(error);
    runner->left_out = left_out;
    const zvStatus status = zv_builder_freeze(builder, &runner->model, error);
    if (status < 0) return status;
    if (zv_model_nloop(runner->model) > 0) runner->left_out |= LEFT_LOOPS;
    if (zv_model_nv(runner->model) == 0)
        return zv_fail(error, ZV_SIZE, nowhere, name, "nothing moves in this robot; there is nothing to measure");
    runner->tree = tree_create(runner->model);
    if (!runner->tree) return out_of_memory(error);
    runner->welded = weld_tip(builder, runner->model, runner->tree->tip_frame);
    return ZV_OK;
}

zvStatus roster_add_chain(Roster *roster, int joints, zvError *error) {
    char name[24];
    snprintf(name, sizeof name, "chain%d", joints);
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvStatus status = chain_describe(builder, joints, error);
    if (status >= 0) status = roster_add(roster, name, builder, NULL, error);
    zv_builder_destroy(builder);
    return status;
}

/* From the text that the command carries along: no file is needed. */
zvStatus roster_add_builtin(Roster *roster, const char *name, zvError *error) {
    const Builtin *robot = builtins;
    while (robot < builtins + BUILTINS && strcmp(robot->name, name) != 0) ++robot;
    if (robot == builtins + BUILTINS)
        return zv_fail(error, ZV_NAME, nowhere, name, "no robot of this name is built in");
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvStatus status = zv_read_memory(builder, robot->name, robot->text, robot->size, ZV_FORMAT_NATIVE, error);
    if (status >= 0 && robot->free_base) zv_builder_set_free_base(builder, true);
    if (status >= 0) status = roster_add(roster, robot->name, builder, robot->lock, error);
    zv_builder_destroy(builder);
    return status;
}

/* A robot of the folder, when it is there: as URDF, or as MJCF, which says itself whether its base is free. */
static zvStatus add_file(Roster *roster, const char *folder, const Builtin *robot, zvError *error) {
    char path[4096];
    bool urdf = true;
    snprintf(path, sizeof path, "%s/%s.urdf", folder, robot->name);
    if (access(path, R_OK) != 0) {
        snprintf(path, sizeof path, "%s/%s.xml", folder, robot->name);
        urdf = false;
        if (access(path, R_OK) != 0) return ZV_OK;
    }
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvStatus status = zv_read_file(builder, path, urdf ? ZV_FORMAT_URDF : ZV_FORMAT_AUTO, error);
    if (status >= 0 && urdf) zv_builder_set_free_base(builder, robot->free_base);
    if (status >= 0) status = roster_add(roster, robot->name, builder, robot->lock, error);
    zv_builder_destroy(builder);
    return status;
}

/* The built-in robots and those of the folder. */
zvStatus roster_add_usual(Roster *roster, const char *folder, zvError *error) {
    static const Builtin files[] = {{.name = "ur5"},
                                    {.name = "panda", .lock = "panda_finger"},
                                    {.name = "solo12", .free_base = true},
                                    {.name = "anymal_c", .free_base = true},
                                    {.name = "talos", .free_base = true}};
    zvStatus status = ZV_OK;
    for (int i = 0; i < BUILTINS && status >= 0; ++i) status = roster_add_builtin(roster, builtins[i].name, error);
    const int before = roster->count;
    for (size_t i = 0; folder && i < sizeof files / sizeof *files && status >= 0; ++i)
        status = add_file(roster, folder, &files[i], error);
    if (folder && status >= 0 && roster->count == before)
        return zv_fail(error, ZV_IO, (zvMark){0}, folder,
                       "%s holds none of ur5, panda, solo12, anymal_c and talos (.urdf or .xml); name the folder that "
                       "does",
                       folder);
    return status;
}

/* Engines of one robot; those that cannot take it stay empty. */
zvStatus roster_open(Roster *roster, int index, unsigned generated, zvError *error) {
    Runner *runner = &roster->runner[index];
    zvError why = {0};
    runner->ring = ring_create(runner->model, ring_size(zv_model_nv(runner->model)), 2024);
    if (!runner->ring) return out_of_memory(error);
    if (!zveno_open(runner->model, runner->welded, runner->tree, runner->ring, &runner->engine[ZVENO]))
        return out_of_memory(error);
    for (int single = 0; single < 2; ++single)
        lanes_open(runner->model, runner->tree, runner->ring, single, &runner->engine[LANES + single], &why);
    if (generated &&
        generated_code_open(runner->model, runner->tree->tip_frame, generated, &runner->code, &runner->gap) &&
        !(generated_open(&runner->code, runner->ring, &runner->engine[GENERATED]) &&
          generated_lanes_open(&runner->code, runner->ring, &runner->engine[GENERATED_LANES])))
        return out_of_memory(error);
    for (int p = 0; p < roster->peers.count; ++p) {
        const Peer *peer = roster->peers.peer[p];
        peer->open(runner->tree, runner->ring, &runner->engine[OWN_ENGINES + p]);
    }
    return ZV_OK;
}

/* Engines before the code, tree and ring that they point to. */
void roster_empty(Roster *roster) {
    for (int r = 0; r < roster->count; ++r) {
        Runner *runner = &roster->runner[r];
        for (int e = 0; e < ENGINES; ++e)
            if (runner->engine[e].self) runner->engine[e].destroy(runner->engine[e].self);
        generated_code_close(&runner->code);
        ring_destroy(runner->ring);
        tree_destroy(runner->tree);
        zv_model_destroy(runner->model);
        zv_model_destroy(runner->welded);
    }
    free(roster->runner);
    peers_forget(&roster->peers);
    *roster = (Roster){0};
}

int roster_engines(const Roster *roster) { return OWN_ENGINES + roster->peers.count; }

const char *roster_engine_name(const Roster *roster, int engine) {
    static const char *const own[OWN_ENGINES] = {"Zveno", "generated", "lanes", "lanes float", "generated lanes"};
    return engine < OWN_ENGINES ? own[engine] : roster->peers.peer[engine - OWN_ENGINES]->name;
}
