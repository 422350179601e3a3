/* What computes on models while memory runs out (failing.h): reading and freezing of elastic and looped robots, batches
 * with threads, generated code, the certificate, reduction, natural modes. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "zveno/zveno.h"

static const char rigid[] = "zveno: 1\n"
                            "name: arm\n"
                            "links:\n"
                            "  - {name: base}\n"
                            "  - {name: upper, mass: 2, com: [0, 0, 0.2], inertia: [0.1, 0.1, 0.02]}\n"
                            "  - {name: lower, mass: 1, com: [0, 0, 0.2], inertia: [0.1, 0.1, 0.02]}\n"
                            "joints:\n"
                            "  - {name: a, type: revolute, parent: base, child: upper, axis: [0, 1, 0]}\n"
                            "  - {name: b, type: revolute, parent: upper, child: lower, axis: [0, 1, 0],\n"
                            "     origin: {xyz: [0, 0, 0.4]}}\n";

static const char elastic[] =
    "zveno: 1\n"
    "name: boom\n"
    "links:\n"
    "  - {name: base}\n"
    "  - {name: boom, beam: {length: 2, EI: 100, GJ: 50, EA: 1e6, rhoA: 1, rhoI: 0.01,\n"
    "     modes: {y: 1, z: 1}}}\n"
    "  - {name: tip, mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "joints:\n"
    "  - {name: a, type: revolute, parent: base, child: boom, axis: [0, 1, 0], spring: {stiffness: 100}}\n"
    "  - {name: b, type: revolute, parent: boom, child: tip, origin: {xyz: [2, 0, 0]}, spring: {stiffness: 10}}\n";

static const char looped[] =
    "zveno: 1\n"
    "name: four bar\n"
    "links:\n"
    "  - {name: frame}\n"
    "  - {name: crank, mass: 1, com: [0.1, 0, 0], inertia: [0.001, 0.004, 0.004]}\n"
    "  - {name: coupler, mass: 2, com: [0.25, 0, 0], inertia: [0.002, 0.05, 0.05]}\n"
    "  - {name: rocker, mass: 1.5, com: [0.2, 0, 0], inertia: [0.002, 0.02, 0.02]}\n"
    "joints:\n"
    "  - {name: motor, type: revolute, parent: frame, child: crank}\n"
    "  - {name: knee, type: revolute, parent: crank, child: coupler, origin: {xyz: [0.2, 0, 0]}}\n"
    "  - {name: pivot, type: revolute, parent: frame, child: rocker, origin: {xyz: [0.5, 0, 0]}}\n"
    "  - {name: pin, type: revolute, parent: coupler, child: rocker, origin: {xyz: [0.5, 0, 0]}, cut: true}\n";

static zvStatus read_model(const char *text, zvModel **model, zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvStatus status = zv_read_memory(builder, "model.yaml", text, strlen(text), ZV_FORMAT_NATIVE, error);
    if (status >= 0) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}

/* Jobs: each is given the frozen model, but the first, which makes it. */

enum { SMALL = 16, BATCH = 64 };

typedef struct Robot {
    const char *text;
    const zvModel *model;
    zvWork *work;
} Robot;

/* A failure must have a text; usable is good. */
static zvStatus told(zvStatus status, const zvError *error) {
    if (status < 0 && !error->text[0]) {
        fprintf(stderr, "%s without a text\n", zv_status_name(status));
        return ZV_SCHEMA;
    }
    return status > 0 ? ZV_OK : status;
}

static zvStatus freeze(void *context) {
    const Robot *robot = context;
    zvError error = {0};
    zvModel *model = NULL;
    zvStatus status = read_model(robot->text, &model, &error);
    if (status >= 0) {
        zvWork *work = zv_work_create(model, &error);
        if (!work) status = error.status;
        zv_work_destroy(work);
    }
    zv_model_destroy(model);
    return status;
}

static zvStatus batch(void *context) {
    const Robot *robot = context;
    static double q[SMALL * BATCH], v[SMALL * BATCH], a[SMALL * BATCH];
    zvStatus each[BATCH];
    zvError error = {0};
    zvBatch *made = zv_batch_create(robot->model, &(zvBatchOptions){.threads = 2}, &error);
    if (!made) return told(error.status, &error);
    const zvStatus status = zv_batch_forward(made, BATCH, q, v, v, NULL, a, each);
    zv_batch_destroy(made);
    return status;
}

static char folder[] = "/tmp/zveno-failing-XXXXXX";

static void empty_folder(void) {
    char path[512];
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    if (listing) closedir(listing);
}

static zvStatus generate(void *context) {
    const Robot *robot = context;
    zvError error = {0};
    zvCodegenSummary summary;
    const zvCodegenOptions options = {.name = "arm", .functions = 1u << ZV_GENERATED_GRAVITY};
    return told(zv_codegen(robot->model, &options, folder, &summary, &error), &error);
}

static zvStatus agree(void *context) {
    const Robot *robot = context;
    zvError error = {0};
    zvAgreement *agreement = zv_agreement_create(robot->model, false, &error);
    if (!agreement) return told(error.status, &error);
    zvAgreeOptions options = zv_agree_options_default();
    options.samples = 1;
    options.timing = 0;
    const zvStatus status = zv_agree(robot->model, robot->work, agreement, &options, &error);
    const bool holds = zv_agreement_holds(agreement);
    zv_agreement_destroy(agreement);
    if (status >= 0 && !holds)
        return ZV_NUMBER; /* a method that had no memory must not be taken for one that differs */
    return told(status, &error);
}

static zvStatus reduce(void *context) {
    const Robot *robot = context;
    zvError error = {0};
    double q[SMALL] = {0}, v[SMALL] = {0};
    zv_neutral(robot->model, q);
    zvReduction *reduction = zv_reduction_create(robot->model, &error);
    if (!reduction) return told(error.status, &error);
    zvStatus status = zv_reduce(robot->model, robot->work, reduction, q, v, NULL);
    zv_reduction_destroy(reduction);
    return status > 0 ? ZV_OK : status;
}

static zvStatus modes(void *context) {
    const Robot *robot = context;
    zvError error = {0};
    zvMode found[SMALL];
    double q[SMALL], shapes[SMALL * SMALL], stiffness[SMALL], relaxed[SMALL], damping[SMALL];
    int count;
    zv_neutral(robot->model, q);
    zv_joint_springs(robot->model, stiffness, relaxed, damping);
    const zvRest rest = {.q = q, .stiffness = stiffness, .relaxed = relaxed, .damping = damping};
    zvStatus status = zv_modes(robot->model, robot->work, &rest, found, shapes, &count, &error);
    if (status >= 0) status = zv_equilibrium(robot->model, robot->work, &rest, 1, q, &error);
    return told(status, &error);
}

int main(void) {
    Robot robots[] = {{.text = rigid}, {.text = elastic}, {.text = looped}};
    enum { RIGID, ELASTIC, LOOPED, ROBOTS };
    zvError error = {0};
    int failures = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!mkdtemp(folder)) return 1;
    for (int i = 0; i < ROBOTS; i++) {
        zvModel *model = NULL;
        if (read_model(robots[i].text, &model, &error) < 0) {
            fprintf(stderr, "%d:%d: %s\n", error.line, error.column, error.text);
            return 1;
        }
        robots[i].model = model;
        robots[i].work = zv_work_create(model, &error);
    }
    failures += fail_every_request("freeze, elastic", freeze, &robots[ELASTIC], OURS);
    failures += fail_every_request("freeze, loops", freeze, &robots[LOOPED], OURS);
    failures += fail_every_request("batch", batch, &robots[RIGID], OURS);
    if (zv_can_count()) failures += fail_every_request("generate", generate, &robots[RIGID], OURS);
    failures += fail_every_request("agree", agree, &robots[RIGID], OURS);
    failures += fail_every_request("agree, loops", agree, &robots[LOOPED], OURS);
    failures += fail_every_request("reduction", reduce, &robots[LOOPED], OURS);
    if (modes(&robots[ELASTIC]) != ZV_NOT_SUPPORTED)
        failures += fail_every_request("modes, elastic", modes, &robots[ELASTIC], OURS);
    empty_folder();
    rmdir(folder);
    for (int i = 0; i < ROBOTS; i++) {
        zv_work_destroy(robots[i].work);
        zv_model_destroy((zvModel *)robots[i].model);
    }
    return failures > 0;
}
