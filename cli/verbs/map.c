/* zveno map: values of many poses: frequencies, damping, stiffness, manipulability, forces that hold the weight. */
#include "verbs/map.h"

#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "progress.h"
#include "robot.h"
#include "state.h"
#include "verb.h"
#include "verbs/modes.h"
#include "zveno/loops.h"

/* What the joints do, and loads, for zv_map. */
typedef struct MapRest {
    zvRest rest;
    unsigned char *held; /* nv */
    double *numbers;     /* 3 nv */
    int frames[MAX_LOADS];
    double loads[6 * MAX_LOADS];
} MapRest;

/* Loads of the command line by the names of their frames. */
static Code read_loads(const Map *map, MapRest *r) {
    const Args *args = map->args;
    for (int i = 0; i < args->load_count; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", args->loads[i].length, args->loads[i].frame);
        r->frames[i] = zv_model_find_frame(map->model, name);
        if (r->frames[i] < 0) return robot_unknown_frame(map->model, name);
        memcpy(r->loads + 6 * i, args->loads[i].wrench, sizeof args->loads[i].wrench);
    }
    r->rest.load_count = args->load_count;
    r->rest.load_frames = r->frames;
    r->rest.loads = r->loads;
    return CODE_DONE;
}

/* Joints as zveno modes has them; what the map goes over does not move to an equilibrium. */
static Code read_rest(const Map *map, MapRest *r) {
    const size_t nv = (size_t)zv_model_nv(map->model);
    const Joints joints = joints_of(map->args, map->model, false);
    r->held = calloc(nv + 1, 1);
    r->numbers = calloc(3 * nv + 1, sizeof *r->numbers);
    if (!r->held || !r->numbers) return complain_memory();
    if (joints == JOINTS_LOCKED) zv_joints_held(map->model, r->held);
    if (joints == JOINTS_SPRUNG) {
        zv_joint_springs(map->model, r->numbers, r->numbers + nv, r->numbers + 2 * nv);
        r->rest.stiffness = r->numbers;
        r->rest.relaxed = r->numbers + nv;
        r->rest.damping = r->numbers + 2 * nv;
        r->rest.joint_matrices = true;
    }
    r->rest.held = r->held;
    return read_loads(map, r);
}

/* The state that the poses depart from. */
static Code read_base(const Map *map, zvWork *work, State *state) {
    zvError error = {0};
    StateFile file = {0};
    zvStatus status = state_file_open(map->args->state, &file, &error);
    if (status >= 0 && file.count != 1)
        status =
            zv_fail(&error, ZV_SIZE, (zvMark){map->args->state, 1, 1}, "", "expected one state, found %d", file.count);
    if (status >= 0) status = state_read(state_file_node(&file, 0), map->model, work, state, &error);
    state_file_close(&file);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

/* Loops closed from the pose before, what the map goes over held; poses that cannot be closed are noted. */
static void close_poses(Map *map, zvWork *work, unsigned char *held) {
    const size_t nq = (size_t)zv_model_nq(map->model);
    zvAssembly options = zv_assembly_default();
    const double *last = NULL;
    options.held = held;
    for (size_t k = 0; k < map->count; k++) {
        double *q = map->q + k * nq;
        for (size_t i = 0; last && i < nq; i++) {
            bool led = false;
            for (int a = 0; a < map->axis_count; a++) led |= !map->axes[a].rate && (size_t)map->axes[a].index == i;
            if (!led) q[i] = last[i];
        }
        map->status[k] = zv_assemble(map->model, work, NULL, &options, q, NULL);
        if (map->status[k] >= 0) last = q;
    }
}

/* All poses, the last coordinate running fastest. */
static Code make_poses(Map *map) {
    const size_t nq = (size_t)zv_model_nq(map->model), nv = (size_t)zv_model_nv(map->model);
    State state = {0};
    zvWork *work = zv_work_create(map->model, NULL);
    unsigned char *held = calloc(nv + 1, 1);
    bool moves = false;
    for (int i = 0; i < map->axis_count; i++) moves |= map->axes[i].rate;
    map->q = calloc(map->count * nq + 1, sizeof *map->q);
    map->values = calloc(map->count * (size_t)map->column_count + 1, sizeof *map->values);
    map->status = calloc(map->count + 1, sizeof *map->status);
    Code code = work && held && map->q && map->values && map->status && state_create(map->model, &state)
                    ? read_base(map, work, &state)
                    : complain_memory();
    for (size_t i = 0; code == CODE_DONE && i < nv; i++) moves |= state.v[i] != 0;
    if (code == CODE_DONE && moves && !(map->v = calloc(map->count * nv + 1, sizeof *map->v))) code = complain_memory();
    for (size_t k = 0; code == CODE_DONE && k < map->count; k++) {
        memcpy(map->q + k * nq, state.q, nq * sizeof *map->q);
        if (map->v) memcpy(map->v + k * nv, state.v, nv * sizeof *map->v);
        for (int i = 0; i < map->axis_count; i++) {
            double *to = map->axes[i].rate ? map->v + k * nv : map->q + k * nq;
            to[map->axes[i].index] = map_axis_at(map, i, k);
        }
    }
    if (code == CODE_DONE && zv_model_nloop(map->model) > 0) {
        for (int i = 0; i < map->axis_count; i++) {
            char name[128];
            snprintf(name, sizeof name, "%s", map->axes[i].name);
            if (!map->axes[i].rate && code == CODE_DONE) code = named_dofs(map->model, name, held);
        }
        if (code == CODE_DONE) close_poses(map, work, held);
    }
    state_free(&state);
    free(held);
    zv_work_destroy(work);
    return code;
}

static bool map_goes_on(void *context, size_t done, size_t count) {
    (void)context, (void)done, (void)count;
    return !interrupt_wanted();
}

/* Poses whose loops do not close have no values. */
static void leave_out_open(Map *map, const zvStatus *closed) {
    for (size_t k = 0; k < map->count; k++) {
        if (closed && closed[k] < 0) {
            map->status[k] = closed[k];
            for (int c = 0; c < map->column_count; c++)
                map->values[k * (size_t)map->column_count + (size_t)c] = 0.0 / 0.0;
        }
        map->failed += map->status[k] < 0;
    }
}

/* The values, on all threads. */
static Code find_values(Map *map) {
    MapRest r = {0};
    zvMapValue values[MAP_VALUES];
    zvError error = {0};
    zvStatus *closed = zv_model_nloop(map->model) > 0 ? calloc(map->count + 1, sizeof *closed) : NULL;
    Code code = read_rest(map, &r);
    for (int c = 0; c < map->column_count; c++) values[c] = map->columns[c].value;
    if (closed) memcpy(closed, map->status, map->count * sizeof *closed);
    if (code == CODE_DONE) {
        const zvMapOptions options = {.rest = &r.rest,
                                      .frame =
                                          map->args->frame ? zv_model_find_frame(map->model, map->args->frame) : -1,
                                      .equilibrium = map->args->given & OPTION_EQUILIBRIUM,
                                      .threads = map->args->threads,
                                      .progress = map_goes_on};
        interrupt_listen();
        const zvStatus status = zv_map(map->model, &options, map->count, map->q, map->v, map->column_count, values,
                                       map->values, map->status, &error);
        interrupt_forget();
        if (status < 0) code = complain_error(&error);
        if (status == ZV_INTERRUPTED) code = CODE_INTERRUPTED;
        leave_out_open(map, closed);
        if (code == CODE_DONE && map->failed == map->count)
            code = status == ZV_DEGRADED ? complain_error(&error)
                                         : complain(CODE_NUMERICAL, "expected poses that close the loops, found none");
        else if (code == CODE_DONE && status == ZV_DEGRADED)
            warn("%zu of %zu poses have no answer; the first: %s", map->failed, map->count, error.text);
    }
    free(closed);
    free(r.held);
    free(r.numbers);
    return code;
}

static void map_free(Map *map) {
    for (int i = 0; i < map->axis_count; i++) free(map->axes[i].at);
    free(map->q);
    free(map->v);
    free(map->values);
    free(map->status);
}

/* Reads what is asked, finds it, and tells it everywhere. */
static Code answer_map(Map *map, Text *out) {
    if (!map->args->over) return complain(CODE_USAGE, "expected --over name=from:to:step, found none");
    if (map->args->frame && zv_model_find_frame(map->model, map->args->frame) < 0)
        return robot_unknown_frame(map->model, map->args->frame);
    Code code = map_read_axes(map);
    if (code == CODE_DONE) code = map_read_columns(map);
    if (code == CODE_DONE) code = make_poses(map);
    if (code == CODE_DONE) code = find_values(map);
    if (code == CODE_DONE && map->args->output) code = map_write(map);
    if (code == CODE_DONE && map->args->plot) code = map_plot(map);
    if (code != CODE_DONE) return code;
    if (map->args->given & OPTION_JSON)
        map_json(map, out);
    else
        map_table(map, out);
    return CODE_DONE;
}

/* Everything hangs on the robot, which goes last. */
static Code run_map(const Args *args, Text *out) {
    Robot robot;
    Map *map = calloc(1, sizeof *map);
    Code code = robot_read(args, &robot);
    if (code == CODE_DONE && map) {
        map->args = args;
        map->model = robot.model;
        robot_note_flexible(robot.model, "the map");
        code = answer_map(map, out);
        map_free(map);
    }
    robot_free(&robot);
    if (!map) code = complain_memory();
    free(map);
    return code;
}

const Verb verb_map = {
    .name = "map",
    .run = run_map,
    .options = OPTIONS_STATE | OPTION_OVER | OPTION_SHOW | OPTION_FRAME | OPTION_JOINTS | OPTION_EQUILIBRIUM |
               OPTION_LOAD | OPTION_THREADS | OPTION_OUTPUT | OPTION_PLOT | OPTION_SIZE,
    .needs_model = true,
    .form = "MODEL --over j2=-90:90:5deg,j3=0:1:0.1 [--show f1,zeta1,...] [--frame NAME] [-o FILE] [--plot FILE]",
    .summary = "frequencies, stiffness, manipulability of many poses: a map and its worst pose",
    .help =
        "Poses are all combinations of the coordinates of --over, the others as in the state; v.JOINT goes over a\n"
        "velocity, and over one velocity frequencies make a Campbell diagram. On all processors.\n"
        "Values of --show (f1 unless told)\n"
        "  f1, f2, ...         natural frequencies, undamped, Hz, without rigid motions\n"
        "  zeta1, zeta2, ...   their damping ratios\n"
        "  stiffness           of --frame: force over displacement in the softest direction, N/m\n"
        "  manipulability      of --frame: root of det(J J^T) of the joints; manipulability-xyz: without turning\n"
        "  gravity-torque      the largest force of a joint that holds the weight; gravity-torque.JOINT: that of one\n"
        "  x, y, z             of --frame, m: over all joints, what it can reach\n"
        "Joints are as in zveno modes (--joints); with --equilibrium values are those where elastic links and springs\n"
        "come to rest near the pose. Loops are closed, coordinates of --over held.\n"
        "Prints the worst and the best pose of each value (JSON: poses, failed, axes: [{name, unit, values}],\n"
        "values: [{name, unit, worst, best, data}], data with the last coordinate running fastest, null where there\n"
        "is none). -o writes a row for each pose, .csv or .h5; --plot draws curves over one coordinate, colours over\n"
        "two, .svg or .png.\n"
        "\n"
        "Example\n"
        "  zveno map arm.yaml --over elbow=-120:120:5deg,wrist=-90:90:5deg --show f1,f2 --plot map.svg\n",
};
