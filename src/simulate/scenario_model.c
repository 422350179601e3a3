/* The robot of a scenario: a file, a file with settings, or written in place. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "simulate/scenario_read.h"
#include "zveno/read.h"

static const double STRONGEST = 500; /* m/s^2 */

/* Text that grows piece by piece into an arena. */
typedef struct Written {
    char *bytes;
    size_t size, capacity;
    ziArena *arena;
} Written;

static bool append(void *context, const char *text, size_t size) {
    Written *written = context;
    if (written->size + size + 1 > written->capacity) {
        const size_t wanted = 2 * (written->capacity + size) + 1024;
        char *larger = zi_arena_alloc(written->arena, wanted);
        if (!larger) return false;
        if (written->size) memcpy(larger, written->bytes, written->size);
        written->bytes = larger;
        written->capacity = wanted;
    }
    memcpy(written->bytes + written->size, text, size);
    written->size += size;
    written->bytes[written->size] = '\0';
    return true;
}

static zvStatus keep_model_text(ziScenarioReader *reader, zvBuilder *builder) {
    Written written = {.arena = &reader->scratch};
    const zvStatus status = zv_write_native(builder, append, &written, reader->error);
    if (status < 0) return status;
    reader->scenario->model_text = zi_arena_text(&reader->scenario->arena, written.bytes ? written.bytes : "");
    return reader->scenario->model_text ? ZV_OK : zi_scenario_no_memory(reader);
}

/* Springs, dampers and friction that the scenario switches off. */
static void strip(const ziScenarioReader *reader, zvBuilder *builder) {
    for (int i = 0; i < zv_builder_njoint(builder); i++) {
        zvDof *dof = zv_builder_joint(builder, i)->dof;
        for (int k = 0; k < ZV_MAX_DOF; k++) {
            if (!reader->passive[0]) dof[k].stiffness = 0;
            if (!reader->passive[1]) dof[k].damping = 0;
            if (!reader->passive[2]) dof[k].friction = 0;
        }
    }
    for (int i = 0; i < zv_builder_nloop(builder); i++) {
        zvDof *dof = zv_builder_loop(builder, i)->dof;
        for (int k = 0; k < ZV_MAX_DOF; k++) {
            if (!reader->passive[0]) dof[k].stiffness = 0;
            if (!reader->passive[1]) dof[k].damping = 0;
        }
    }
}

/* For whoever looks for the robot's meshes from elsewhere. In a folder without a name the path stays as it is. */
static zvStatus keep_path(ziScenarioReader *reader, const char *path) {
    char folder[PATH_MAX];
    ziArena *arena = &reader->scenario->arena;
    if (path[0] == '/' || !getcwd(folder, sizeof folder)) {
        reader->scenario->model_file = zi_arena_text(arena, path);
    } else {
        const size_t size = strlen(folder);
        char *whole = zi_arena_alloc(arena, size + strlen(path) + 2);
        if (whole) memcpy(whole, folder, size), whole[size] = '/', strcpy(whole + size + 1, path);
        reader->scenario->model_file = whole;
    }
    return reader->scenario->model_file ? ZV_OK : zi_scenario_no_memory(reader);
}

static zvStatus read_robot_file(ziScenarioReader *reader, const zvNode *node, zvBuilder *builder) {
    const char *name = NULL;
    zvStatus status = zv_node_text(node, "the file of the model", &name, reader->error);
    if (status < 0) return status;
    if (!name[0] || strcmp(name, "-") == 0)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, name, "model must name a robot file; write its path");
    const char *path = zi_scenario_beside(reader, name);
    if (!path) return ZV_MEMORY;
    status = keep_path(reader, path);
    if (status >= 0) status = zv_read_file(builder, path, ZV_FORMAT_AUTO, reader->error);
    if (status != ZV_IO) return status; /* errors inside the file show their own place */
    zvError inner = *reader->error;
    return zv_fail(reader->error, status, node->mark, name, "the robot file cannot be read: %s (%.120s)", inner.text,
                   path);
}

static zvStatus read_robot(ziScenarioReader *reader, const ziElement *root, zvBuilder *builder) {
    static const char *const keys[] = {"file", "inline", "base", "mimic"};
    static const char *const bases[] = {"fixed", "free"}, *const mimics[] = {"coupled", "independent"};
    const ziReading *reading = &reader->reading;
    const zvNode *node = zv_node_get(root->node, "model");
    if (node->kind != ZV_NODE_MAP) return read_robot_file(reader, node, builder);
    ziElement model;
    zvStatus status = zi_element_part(reading, root, "model", "model", ZI_KEYS(keys), &model);
    if (status < 0) return status;
    const zvNode *file = zv_node_get(node, "file"), *inlined = zv_node_get(node, "inline");
    if (!file == !inlined)
        return zv_fail(reader->error, ZV_SCHEMA, node->mark, "model",
                       "model needs exactly one of file, the path of a robot file, and inline, a robot written here");
    status = file ? read_robot_file(reader, file, builder)
                  : zv_read_node(builder, reader->reading.file, inlined, reader->error);
    int base = 0, mimic = 0;
    if (status >= 0) status = zi_element_word(reading, &model, "base", ZI_KEYS(bases), &base);
    if (status >= 0) status = zi_element_word(reading, &model, "mimic", ZI_KEYS(mimics), &mimic);
    if (status < 0) return status;
    if (zi_element_has(&model, "base")) zv_builder_set_free_base(builder, base == 1);
    if (zi_element_has(&model, "mimic")) zv_builder_set_mimic_coupled(builder, mimic == 0);
    return ZV_OK;
}

static zvStatus read_gravity(ziScenarioReader *reader, const ziElement *root, zvBuilder *builder) {
    double g[3];
    zv_builder_gravity(builder, g);
    const zvStatus status = zi_element_numbers(&reader->reading, root, "gravity", 3, g);
    if (status < 0 || !zi_element_has(root, "gravity")) return status;
    const double size = hypot(hypot(g[0], g[1]), g[2]);
    if (!(size <= STRONGEST))
        return zi_scenario_bad_number(reader, root, "gravity", size,
                                      "on Earth it is 9.81 m/s^2: was it written in millimetres?");
    zv_builder_set_gravity(builder, g);
    return ZV_OK;
}

static zvStatus freeze(ziScenarioReader *reader, const ziElement *root, zvBuilder *builder) {
    zvScenario *scenario = reader->scenario;
    zvStatus status = read_robot(reader, root, builder);
    if (status >= 0) status = read_gravity(reader, root, builder);
    if (status >= 0) status = keep_model_text(reader, builder);
    if (status < 0) return status;
    strip(reader, builder);
    status = zv_builder_freeze(builder, &scenario->model, reader->error);
    if (status < 0) return zi_scenario_blame(reader, root, zv_node_get(root->node, "model"), status);
    if (zv_model_nv(scenario->model) == 0)
        return zv_fail(reader->error, ZV_SCHEMA, zv_node_get(root->node, "model")->mark, "model",
                       "the robot \"%.60s\" has no joint that moves; there is nothing to simulate",
                       zv_model_name(scenario->model));
    return ZV_OK;
}

zvStatus zi_scenario_model_section(ziScenarioReader *reader, const ziElement *root) {
    zvScenario *scenario = reader->scenario;
    zvStatus status = zi_element_need(&reader->reading, root, "model", "model: FILE, the robot");
    if (status < 0) return status;
    zvBuilder *builder = zv_builder_create();
    if (!builder) return zi_scenario_no_memory(reader);
    status = freeze(reader, root, builder);
    zv_builder_destroy(builder);
    if (status < 0) return status;
    if (!scenario->title && !(scenario->title = zi_arena_text(&scenario->arena, zv_model_name(scenario->model))))
        return zi_scenario_no_memory(reader);
    if (!(scenario->drives = zv_drives_create(scenario->model, reader->error))) return reader->error->status;
    if (!(reader->work = zv_work_create(scenario->model, reader->error))) return reader->error->status;
    return zi_scenario_label(reader);
}
