/* Drives and controllers of a scenario: one table row per type. */
#include <math.h>
#include <string.h>

#include "simulate/scenario_read.h"
#include "zveno/loops.h"

static const double disagreement = 1e-6; /* between the initial state and a prescribed motion, rad or m */

/* One drive being read. */
typedef struct Drive {
    ziScenarioReader *reader;
    ziNamedMap element;
    const char *name; /* given, or the word of its type */
    ziFreedoms freedoms;
    double *from; /* initial positions of the freedoms; 0 where there is no coordinate */
} Drive;

typedef struct DriveKind {
    const char *word;
    zvStatus (*add)(Drive *drive);
    const char *keys[12]; /* besides type and name */
} DriveKind;

static zvStatus blame(Drive *drive, zvStatus status) {
    return status < 0 ? zi_scenario_blame(drive->reader, &drive->element, drive->element.node, status) : status;
}

/* Also where each degree of freedom starts: laws without a beginning take it from there. */
static zvStatus read_freedoms(Drive *drive, bool optional) {
    ziScenarioReader *reader = drive->reader;
    const zvStatus status = zi_scenario_freedoms(reader, &drive->element, optional, &drive->freedoms);
    if (status < 0) return status;
    drive->from = zi_scenario_scratch(reader, (size_t)drive->freedoms.count, sizeof *drive->from);
    if (!drive->from) return ZV_MEMORY;
    for (int i = 0; i < drive->freedoms.count; i++) {
        const int at = reader->coordinates[drive->freedoms.dofs[i]];
        if (at >= 0) drive->from[i] = reader->scenario->q[at];
    }
    return ZV_OK;
}

static ziLawPlace place_of(const Drive *drive, const char *kind, bool positions) {
    return (ziLawPlace){.kind = kind,
                        .name = drive->name,
                        .width = drive->freedoms.count,
                        .from = positions ? drive->from : NULL,
                        .freedoms = &drive->freedoms,
                        .positions = positions,
                        .motion = positions};
}

/* The law under a key that must be there. */
static zvLaw *needed_law(Drive *drive, const char *key, const char *kind, bool positions) {
    const ziLawPlace place = place_of(drive, kind, positions);
    if (zi_map_need(&drive->reader->reading, &drive->element, key, "a number, a list or {type: ...}") < 0) return NULL;
    return zi_scenario_law(drive->reader, zv_node_get(drive->element.node, key), &place);
}

/* Where the joints are to be; without a word they are to stay where they are. */
static zvLaw *reference_law(Drive *drive) {
    if (zi_map_has(&drive->element, "reference")) return needed_law(drive, "reference", "reference of drive", true);
    return zv_law_constant(drive->freedoms.count, drive->from, drive->reader->error);
}

/* A number for each freedom, or one for all; expected and remedy tell of a negative one. */
static zvStatus read_per_freedom(Drive *drive, const char *key, const char *expected, const char *remedy,
                                 double **row) {
    const ziLawPlace place = place_of(drive, "drive", false);
    *row = zi_scenario_scratch(drive->reader, (size_t)place.width, sizeof **row);
    if (!*row) return ZV_MEMORY;
    const zvStatus status = zi_scenario_vector(drive->reader, &drive->element, key, &place, true, *row);
    for (int i = 0; status >= 0 && i < place.width; i++)
        if ((*row)[i] < 0)
            return zi_scenario_bad_number(drive->reader, &drive->element, key, (*row)[i], expected, remedy);
    return status;
}

static zvStatus read_gain(Drive *drive, const char *key, double **gain) {
    return read_per_freedom(drive, key, "a gain of at least 0", "a negative one would drive the joint away", gain);
}

/* Torques and motions ---------------------------------------------------------------------------------- */

static zvStatus add_torque(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    const zvStatus status = read_freedoms(drive, false);
    if (status < 0) return status;
    zvLaw *law = needed_law(drive, "law", "law of drive", false);
    if (!law) return reader->error->status;
    return blame(drive, zv_drives_add_torque(reader->scenario->drives, drive->name, drive->freedoms.count,
                                             drive->freedoms.dofs, law, reader->error));
}

/* The motion decides where its joints begin; an initial state that says otherwise is a mistake. */
static zvStatus begin_motion(Drive *drive, const zvLaw *law) {
    ziScenarioReader *reader = drive->reader;
    zvScenario *scenario = reader->scenario;
    const size_t count = (size_t)drive->freedoms.count;
    double *x = zi_scenario_scratch(reader, 2 * count, sizeof *x);
    if (!x) return ZV_MEMORY;
    double *dx = x + count;
    const zvMark mark = zv_node_get(drive->element.node, "law")->mark;
    zvStatus status = ZV_OK;
    zv_law_at(law, scenario->start, x, dx, NULL);
    for (size_t i = 0; i < count; i++) {
        const int dof = drive->freedoms.dofs[i], at = reader->coordinates[dof];
        if (reader->q_given[at] && fabs(x[i] - scenario->q[at]) > disagreement)
            return zv_fail(reader->error, ZV_NUMBER, mark, reader->v_labels[dof],
                           "expected the motion of joint \"%.60s\" to begin at its initial position %g, found it at "
                           "%g; make them equal, or leave one of them out",
                           reader->v_labels[dof], scenario->q[at], x[i]);
        if ((status = zi_scenario_begin_rate(reader, dof, dx[i], mark)) < 0) return status;
        scenario->q[at] = x[i];
        scenario->v[dof] = dx[i];
    }
    return ZV_OK;
}

/* Of a rod, a coupling or a driven joint that closes a loop; it begins where the model has it. */
static zvStatus add_loop_motion(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    const zvModel *model = reader->scenario->model;
    const zvNode *node = zv_node_get(drive->element.node, "loop");
    const char *name = NULL;
    int loop = -1;
    if (zi_map_has(&drive->element, "joint") || zi_map_has(&drive->element, "joints"))
        return zi_map_refuse(&reader->reading, &drive->element, "loop",
                             "expected a loop or joints, found both; keep one");
    zvStatus status = zi_map_text(&reader->reading, &drive->element, "loop", &name);
    if (status >= 0) status = zi_scenario_loop(reader, name, node->mark, &loop);
    if (status >= 0) status = zi_map_need(&reader->reading, &drive->element, "law", "a number or {type: ...}");
    if (status < 0) return status;
    const zvLoop *it = zv_model_loop(model, loop);
    const double from = it->kind == ZV_LOOP_ROD ? it->length : it->kind == ZV_LOOP_COUPLING ? it->offset : it->value;
    const bool turns = it->kind == ZV_LOOP_COUPLING || (it->kind == ZV_LOOP_JOINT && zi_native_turns(it->type, 0));
    const ziLawPlace place = {.kind = "law of drive", .name = drive->name, .width = 1, .from = &from, .motion = turns};
    zvLaw *law = zi_scenario_law(reader, zv_node_get(drive->element.node, "law"), &place);
    if (!law) return reader->error->status;
    return blame(drive, zv_drives_add_loop_motion(reader->scenario->drives, drive->name, loop, law, reader->error));
}

/* Prescribed motion of joints, or of the condition of a loop. */
static zvStatus add_motion(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    if (zi_map_has(&drive->element, "loop")) return add_loop_motion(drive);
    zvStatus status = read_freedoms(drive, false);
    if (status < 0) return status;
    if (zi_map_has(&drive->element, "position") || zi_map_has(&drive->element, "orientation"))
        return zi_scenario_pose_motion(reader, &drive->element, drive->name, &drive->freedoms);
    if ((status = zi_scenario_need_positions(reader, &drive->element, &drive->freedoms)) < 0) return status;
    zvLaw *law = needed_law(drive, "law", "law of drive", true);
    if (!law) return reader->error->status;
    if ((status = begin_motion(drive, law)) < 0) {
        zv_law_destroy(law);
        return status;
    }
    return blame(drive, zv_drives_add_motion(reader->scenario->drives, drive->name, drive->freedoms.count,
                                             drive->freedoms.dofs, law, reader->error));
}

/* Controllers ------------------------------------------------------------------------------------------ */

/* "model" takes the effort limits of the model, numbers replace them. */
static zvStatus read_limit(Drive *drive, const double **limit) {
    const zvNode *node = zv_node_get(drive->element.node, "limit");
    double *forces = NULL;
    if (!node) return zi_scenario_saturation(drive->reader, &drive->freedoms, limit);
    if (node->kind == ZV_NODE_SCALAR && strcmp(node->text, "model") == 0)
        return zi_scenario_model_limit(drive->reader, &drive->element, &drive->freedoms, limit);
    const zvStatus status = read_per_freedom(drive, "limit", "a limit of at least 0",
                                             "it counts for both directions and is written without sign", &forces);
    for (int i = 0; status >= 0 && i < drive->freedoms.count; i++)
        if (forces[i] == 0)
            return zi_scenario_bad_number(drive->reader, &drive->element, "limit", 0, "a limit above 0",
                                          "give the greatest force");
    *limit = forces;
    return status;
}

/* The force is a function of the program that runs the scenario, told by the drive's name. */
static zvStatus add_function(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    const double *limit = NULL;
    double interval = 0;
    zvStatus status = read_freedoms(drive, true);
    if (status >= 0) status = zi_scenario_positive(reader, &drive->element, "interval", &interval);
    if (status >= 0) status = read_limit(drive, &limit);
    if (status < 0) return status;
    return blame(drive, zv_drives_add_function(reader->scenario->drives, drive->name, drive->freedoms.count,
                                               drive->freedoms.dofs, interval, limit, reader->error));
}

/* Gains and feedback; kp alone is required. */
static zvStatus read_pid(Drive *drive, zvPid *pid) {
    static const char *const words[] = {"link", "motor"};
    const ziReading *reading = &drive->reader->reading;
    double *kp = NULL, *ki = NULL, *kd = NULL, *tracking = NULL;
    int side = 0;
    zvStatus status = zi_scenario_need_positions(drive->reader, &drive->element, &drive->freedoms);
    if (status >= 0) status = zi_map_need(reading, &drive->element, "kp", "kp, force per rad or m of error");
    if (status >= 0) status = read_gain(drive, "kp", &kp);
    if (status >= 0) status = read_gain(drive, "ki", &ki);
    if (status >= 0) status = read_gain(drive, "kd", &kd);
    if (status >= 0) status = read_limit(drive, &pid->limit);
    if (status >= 0) status = read_per_freedom(drive, "tracking", "a time of at least 0", NULL, &tracking);
    if (status >= 0) status = zi_map_word(reading, &drive->element, "feedback", ZI_KEYS(words), &side);
    if (status >= 0) status = zi_map_bool(reading, &drive->element, "gravity", &pid->gravity);
    pid->kp = kp;
    pid->ki = ki;
    pid->kd = kd;
    pid->tracking = tracking;
    pid->motor_side = side == 1;
    return status;
}

/* The reference is required, the feedforward is not. */
static zvStatus add_pid(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    zvPid pid = {0};
    zvStatus status = read_freedoms(drive, false);
    if (status >= 0) status = read_pid(drive, &pid);
    if (status < 0) return status;
    zvLaw *reference = reference_law(drive), *feedforward = NULL;
    if (!reference) return reader->error->status;
    if (zi_map_has(&drive->element, "feedforward") &&
        !(feedforward = needed_law(drive, "feedforward", "feedforward of drive", false))) {
        zv_law_destroy(reference);
        return reader->error->status;
    }
    return blame(drive, zv_drives_add_pid(reader->scenario->drives, drive->name, drive->freedoms.count,
                                          drive->freedoms.dofs, &pid, reference, feedforward, reader->error));
}

static zvStatus add_tendon(Drive *drive) {
    const zvStatus status = read_freedoms(drive, false);
    return status < 0 ? status : zi_scenario_tendon(drive->reader, &drive->element, drive->name, &drive->freedoms);
}

static zvStatus add_gravity_compensation(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    const zvStatus status = read_freedoms(drive, true);
    if (status < 0) return status;
    return blame(drive, zv_drives_add_gravity_compensation(reader->scenario->drives, drive->name, drive->freedoms.count,
                                                           drive->freedoms.dofs, reader->error));
}

/* Accelerations can be asked of as many degrees of freedom as the loops leave free. */
static zvStatus check_freedoms(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    const zvScenario *scenario = reader->scenario;
    zvLoopMobility mobility;
    char what[ZI_WHAT];
    if (zv_model_nloop(scenario->model) == 0) return ZV_OK;
    if (zv_loop_mobility(scenario->model, reader->work, scenario->q, &mobility) < 0)
        return ZV_OK; /* too large to tell */
    if (drive->freedoms.count <= mobility.freedoms) return ZV_OK;
    return zv_fail(
        reader->error, ZV_CLOSURE, drive->element.node->mark, drive->name,
        "%s: expected at most %d driven freedoms, as many as the closed loops leave, found %d; name fewer joints",
        zi_map_what(&drive->element, NULL, what), mobility.freedoms, drive->freedoms.count);
}

/* Gains are in 1/s^2 and 1/s: the mass matrix makes forces of them. */
static zvStatus add_computed_torque(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    double *kp = NULL, *kd = NULL;
    const double *limit = NULL;
    zvStatus status = read_freedoms(drive, true);
    if (status >= 0) status = zi_scenario_need_positions(reader, &drive->element, &drive->freedoms);
    if (status >= 0) status = zi_map_need(&reader->reading, &drive->element, "kp", "kp, in 1/s^2");
    if (status >= 0) status = read_gain(drive, "kp", &kp);
    if (status >= 0) status = read_gain(drive, "kd", &kd);
    if (status >= 0) status = read_limit(drive, &limit);
    if (status >= 0) status = check_freedoms(drive);
    if (status < 0) return status;
    zvLaw *reference = reference_law(drive);
    if (!reference) return reader->error->status;
    return blame(drive, zv_drives_add_computed_torque(reader->scenario->drives, drive->name, drive->freedoms.count,
                                                      drive->freedoms.dofs, kp, kd, limit, reference, reader->error));
}

/* Operational space ------------------------------------------------------------------------------------ */

/* Gains along the six directions: one number for all, or six. */
static zvStatus read_task_gain(Drive *drive, const char *key, double gain[6]) {
    const ziLawPlace six = {.kind = "drive", .name = drive->name, .width = 6};
    const zvStatus status = zi_scenario_vector(drive->reader, &drive->element, key, &six, true, gain);
    for (int i = 0; status >= 0 && i < 6; i++)
        if (gain[i] < 0)
            return zi_scenario_bad_number(drive->reader, &drive->element, key, gain[i], "a gain of at least 0", NULL);
    return status;
}

/* A line or an arc from where the frame is at the start. */
static zvRoute *read_route(Drive *drive, int frame) {
    static const char *const line_keys[] = {"type", ZI_LINE_KEYS}, *const arc_keys[] = {"type", ZI_ARC_KEYS};
    static const char *const words[] = {"line", "arc"};
    const ziReading *reading = &drive->reader->reading;
    const ziNamedMap route = {zv_node_get(drive->element.node, "route"), "route of drive", drive->name};
    int kind = 0;
    double start, end;
    char what[ZI_WHAT];
    zi_map_what(&route, NULL, what);
    if (route.node->kind != ZV_NODE_MAP) {
        zv_node_only(route.node, what, line_keys, 1, drive->reader->error); /* fails: no map */
        return NULL;
    }
    if (zi_map_need(reading, &route, "type", "type: line or arc") < 0) return NULL;
    if (zi_map_word(reading, &route, "type", ZI_KEYS(words), &kind) < 0) return NULL;
    const zvStatus status = kind ? zv_node_only(route.node, what, ZI_KEYS(arc_keys), drive->reader->error)
                                 : zv_node_only(route.node, what, ZI_KEYS(line_keys), drive->reader->error);
    return status < 0 ? NULL : zi_scenario_route(drive->reader, &route, kind == 1, frame, &start, &end);
}

/* The freedoms a task may use: those named, else all but those of free joints and of elastic links. */
static zvStatus read_driven(Drive *drive) {
    ziScenarioReader *reader = drive->reader;
    const zvModel *model = reader->scenario->model;
    if (zi_map_has(&drive->element, "joint") || zi_map_has(&drive->element, "joints"))
        return read_freedoms(drive, false);
    ziFreedoms *f = &drive->freedoms;
    if (!(f->dofs = zi_scenario_scratch(reader, (size_t)zv_model_nv(model), sizeof *f->dofs))) return ZV_MEMORY;
    for (int dof = 0; dof < zv_model_nv(model); dof++)
        if (reader->owners[dof] >= 0 && zv_model_joint(model, reader->owners[dof])->type != ZV_JOINT_FREE)
            f->dofs[f->count++] = dof;
    return ZV_OK;
}

/* Frame, directions, gains and route of task control. */
static zvStatus add_operational_space(Drive *drive) {
    static const char *const axes[] = {[ZV_AXES_WORLD] = "world", [ZV_AXES_LOCAL] = "local"};
    ziScenarioReader *reader = drive->reader;
    const ziReading *reading = &reader->reading;
    zvTask task = {.rows = ZV_TASK_FULL};
    double kp[6] = {0}, kd[6] = {0};
    zvTaskControl control = {.kp = kp, .kd = kd};
    int choice = ZV_AXES_WORLD;
    zvStatus status = zi_scenario_frame(reader, &drive->element, "frame", &task.frame);
    if (status >= 0) status = zi_scenario_task_rows(reader, &drive->element, &task.rows);
    if (status >= 0) status = zi_map_word(reading, &drive->element, "axes", ZI_KEYS(axes), &choice);
    if (status >= 0) status = zi_map_need(reading, &drive->element, "kp", "kp, in 1/s^2");
    if (status >= 0) status = read_task_gain(drive, "kp", kp);
    if (status >= 0) status = read_task_gain(drive, "kd", kd);
    if (status >= 0) status = zi_scenario_not_negative(reader, &drive->element, "null_damping", &control.null_damping);
    if (status >= 0) status = read_driven(drive);
    if (status >= 0) status = read_limit(drive, &control.limit);
    if (status >= 0) status = zi_map_need(reading, &drive->element, "route", "route: {type: line, ...}");
    if (status < 0) return status;
    task.axes = (zvAxes)choice;
    control.dofs = drive->freedoms.dofs;
    control.count = drive->freedoms.count;
    zvRoute *route = read_route(drive, task.frame);
    if (!route) return reader->error->status;
    return blame(drive, zv_drives_add_task_control(reader->scenario->drives, drive->name, &task, route, &control,
                                                   reader->error));
}

/* The list --------------------------------------------------------------------------------------------- */

#define JOINT_KEYS "joint", "joints"
#define PD_KEYS JOINT_KEYS, "kp", "kd", "reference", "feedforward", "limit", "feedback", "gravity"

static const DriveKind kinds[] = {
    {"torque", add_torque, {JOINT_KEYS, "law"}},
    {"motion", add_motion, {JOINT_KEYS, "loop", "law", "position", "orientation"}},
    {"pd", add_pid, {PD_KEYS}},
    {"pid", add_pid, {PD_KEYS, "ki", "tracking"}},
    {"tendon", add_tendon, {JOINT_KEYS, "ratios", "kp", "kd", "reference", "feedforward", "limit", "passive"}},
    {"gravity_compensation", add_gravity_compensation, {JOINT_KEYS}},
    {"computed_torque", add_computed_torque, {JOINT_KEYS, "kp", "kd", "reference", "limit"}},
    {"operational_space",
     add_operational_space,
     {JOINT_KEYS, "frame", "task", "axes", "route", "kp", "kd", "null_damping", "limit"}},
    {"function", add_function, {JOINT_KEYS, "interval", "limit"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The type decides which keys are known; an unknown type is refused with the nearest. */
static zvStatus read_drive(ziScenarioReader *reader, const zvNode *node) {
    const ziReading *reading = &reader->reading;
    Drive drive = {.reader = reader, .element = {node, "drive", NULL}};
    const char *words[KINDS], *keys[14] = {"type", "name"};
    int choice = 0;
    size_t count = 2;
    char what[ZI_WHAT];
    if (node->kind != ZV_NODE_MAP) return zv_node_only(node, "a drive", keys, 1, reader->error);
    for (int i = 0; i < KINDS; i++) words[i] = kinds[i].word;
    zvStatus status = zi_map_text(reading, &drive.element, "name", &drive.name);
    drive.element.name = drive.name;
    if (status >= 0) status = zi_map_need(reading, &drive.element, "type", "type: torque, motion, pd, ...");
    if (status >= 0) status = zi_map_word(reading, &drive.element, "type", words, KINDS, &choice);
    if (status < 0) return status;
    if (!drive.name) drive.name = drive.element.name = kinds[choice].word;
    for (int i = 0; i < 12 && kinds[choice].keys[i]; i++) keys[count++] = kinds[choice].keys[i];
    if (strcmp(kinds[choice].word, "pd") == 0 && zv_node_get(node, "ki"))
        return zi_map_refuse(reading, &drive.element, "ki", "expected no ki of a pd drive, found one; write type: pid");
    status = zv_node_only(node, zi_map_what(&drive.element, NULL, what), keys, count, reader->error);
    return status < 0 ? status : kinds[choice].add(&drive);
}

static bool is_motion(const zvNode *node) {
    const zvNode *type = node->kind == ZV_NODE_MAP ? zv_node_get(node, "type") : NULL;
    return type && type->text && strcmp(type->text, "motion") == 0;
}

/* What gravity compensation asks of the closed loops and of other drives; once all drives are known. */
static zvStatus check_gravity(ziScenarioReader *reader, const zvNode *list) {
    const zvScenario *scenario = reader->scenario;
    const ziNamedMap drives = {list, "drives", NULL};
    const zvStatus status = zv_drives_check_gravity(scenario->drives, reader->work, scenario->q, reader->error);
    return status < 0 ? zi_scenario_blame(reader, &drives, list, status) : status;
}

/* Of models with loops motions come first: they decide from where the other drives begin. */
static zvStatus read_closed(ziScenarioReader *reader, const ziNamedMap *root, const zvNode *list) {
    const int count = list ? list->count : 0;
    zvStatus status = ZV_OK;
    for (int i = 0; status >= 0 && i < count; i++)
        if (is_motion(list->items[i])) status = read_drive(reader, list->items[i]);
    if (status >= 0) status = zi_scenario_assemble(reader, root, true);
    for (int i = 0; status >= 0 && i < count; i++)
        if (!is_motion(list->items[i])) status = read_drive(reader, list->items[i]);
    return status;
}

zvStatus zi_scenario_drive_list(ziScenarioReader *reader, const ziNamedMap *root) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(&reader->reading, root, "drives", &list);
    const bool closed = zv_model_nloop(reader->scenario->model) > 0;
    if (status >= 0 && closed) status = read_closed(reader, root, list);
    if (status < 0 || !list) return status;
    for (int i = 0; status >= 0 && !closed && i < list->count; i++) status = read_drive(reader, list->items[i]);
    if (status >= 0) status = zi_scenario_distinct(reader, list, "drive");
    return status < 0 ? status : check_gravity(reader, list);
}
