/* zveno ik: joint positions that place a frame. */
#include "verbs/ik.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "json.h"
#include "state.h"
#include "verb.h"
#include "zveno/loops.h"
#include "zveno/read.h"

enum { RESTARTS = 20, MOST_SOLUTIONS = 64 };
static const double closed = 1e-9;    /* gap of loops, of the robot's size */
static const double different = 1e-4; /* rad or m, between two solutions */

/* Robots with loops ---------------------------------------------------------------------------------------- */

/* Why the task cannot be a loop. */
static zvStatus need_whole_task(const Ik *ik, zvError *error) {
    if (ik->task.rows == ZV_TASK_FULL || ik->task.rows == ZV_TASK_POSITION) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "task",
                   "expected --task full or xyz for a robot with closed loops, found other directions");
}

static bool ik_sink(void *context, const char *text, size_t size) {
    text_put(context, text, size);
    return !((Text *)context)->failed;
}

/* The frame welded, or pinned, where it is wanted: a loop more, which is closed with the others. */
static zvStatus find_with_loops(Ik *ik, const zvPose *target, int restarts, double *q, double *gap, zvError *error) {
    const bool turns = ik->task.rows == ZV_TASK_FULL;
    zvBuilder *builder = zv_builder_create(error);
    zvModel *model = NULL;
    Text text = {0};
    zvStatus status = need_whole_task(ik, error);
    if (status >= 0) status = builder ? ZV_OK : ZV_MEMORY;
    if (status >= 0) status = zv_write_native(ik->robot.builder, ik_sink, &text, error);
    if (status >= 0) status = zv_read_memory(builder, "robot", text.bytes, text.size, ZV_FORMAT_NATIVE, error);
    if (status >= 0) {
        zvLoop loop = zv_loop_default("the pose wanted", ZV_LOOP_JOINT, turns ? ZV_JOINT_FIXED : ZV_JOINT_SPHERICAL,
                                      zv_model_link(ik->model, 0)->name, ik->args->frame);
        loop.origin = *target;
        status = zv_builder_add_loop(builder, &loop, error);
    }
    if (status >= 0) status = zv_builder_freeze(builder, &model, error);
    zvWork *work = status >= 0 ? zv_work_create(model, error) : NULL;
    if (status >= 0 && !work) status = ZV_MEMORY;
    if (status >= 0) {
        zvAssembly options = zv_assembly_default();
        options.held = ik->held;
        options.restarts = restarts;
        status = zv_assemble(model, work, NULL, &options, q, error);
        zv_loop_residual(model, work, NULL, q, NULL, -1, gap, NULL);
    }
    if (work) zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
    text_free(&text);
    return status == ZV_CLOSURE || *gap > closed ? ZV_NO_CONVERGENCE : status;
}

/* By a loop more where there are loops, else by inverse kinematics of the tree. */
zvStatus ik_find(Ik *ik, const zvPose *target, int restarts, double *q, double *gap, zvError *error) {
    zvInverseKinematics options = zv_inverse_kinematics_default();
    *gap = 0;
    zvStatus status;
    if (zv_model_nloop(ik->model) > 0) {
        status = find_with_loops(ik, target, restarts, q, gap, error);
    } else {
        options.held = ik->held;
        options.restarts = restarts;
        status = zv_inverse_kinematics(ik->model, ik->task_work, &ik->task, target, &options, q, gap);
    }
    if (status != ZV_NO_CONVERGENCE) return status;
    return zv_fail(error, status, (zvMark){0}, ik->args->frame,
                   "the pose is out of reach of frame \"%.60s\": %.3g m or rad is left at the nearest position found; "
                   "try another guess (--state), or fewer directions (--task)",
                   ik->args->frame, *gap);
}

/* Answers -------------------------------------------------------------------------------------------------- */

/* Positions that place the frame, one behind the other. */
typedef struct Solutions {
    int count;
    double *q, gaps[MOST_SOLUTIONS]; /* MOST_SOLUTIONS x nq */
} Solutions;

/* Whole turns make no difference. */
static bool is_new(const Ik *ik, const Solutions *s, const double *q) {
    const size_t nq = (size_t)zv_model_nq(ik->model);
    for (int k = 0; k < s->count; k++) {
        double most = 0;
        for (size_t i = 0; i < nq; i++) {
            const double turned = fabs(remainder(q[i] - s->q[(size_t)k * nq + i], 2 * acos(-1)));
            most = fmax(most, turned);
        }
        if (most < different) return false;
    }
    return true;
}

/* A guess anywhere within the limits, by a generator of its own, so that answers repeat. */
static void scatter(const Ik *ik, uint64_t *seed, double *q) {
    zv_neutral(ik->model, q);
    for (int j = 0; j < zv_model_njoint(ik->model); j++) {
        const zvJoint *joint = zv_model_joint(ik->model, j);
        const zvJointPlace place = zv_model_joint_place(ik->model, j);
        for (int k = 0; k < place.nq && place.nq == place.nv; k++) {
            const zvDof *dof = &joint->dof[k];
            *seed = *seed * 6364136223846793005u + 1442695040888963407u;
            const double part = (double)(*seed >> 11) * 0x1p-53;
            const double low = dof->has_limits ? fmax(dof->lower, -3.2) : -3.2,
                         high = dof->has_limits ? fmin(dof->upper, 3.2) : 3.2;
            if (!(ik->held && ik->held[place.v_index + k])) q[place.q_index + k] = low + part * (high - low);
        }
    }
}

/* From the guess, and with --guesses from anywhere; those that differ. */
static zvStatus solve_pose(Ik *ik, const zvPose *target, Solutions *s, zvError *error) {
    const size_t nq = (size_t)zv_model_nq(ik->model), bytes = nq * sizeof(double);
    const int guesses = ik->args->given & OPTION_GUESSES ? ik->args->guesses : 0;
    double *q = malloc(bytes + 1), gap;
    uint64_t seed = 1;
    zvStatus status = q ? ZV_OK : ZV_MEMORY;
    s->count = 0;
    for (int k = 0; q && k <= guesses && s->count < MOST_SOLUTIONS; k++) {
        memcpy(q, ik->q, bytes);
        if (k) scatter(ik, &seed, q);
        const zvStatus found = ik_find(ik, target, k || guesses ? 0 : RESTARTS, q, &gap, error);
        if (found < 0 && found != ZV_NO_CONVERGENCE) status = found;
        if (found < 0 || !is_new(ik, s, q)) continue;
        s->gaps[s->count] = gap;
        memcpy(s->q + (size_t)s->count++ * nq, q, bytes);
    }
    free(q);
    if (status >= 0 && s->count == 0) return error->status < 0 ? error->status : ZV_NO_CONVERGENCE;
    if (s->count) memcpy(ik->q, s->q, bytes); /* the next pose is looked for from here */
    return status;
}

static void solutions_json(const Ik *ik, const Solutions *s, Json *json) {
    const size_t nq = (size_t)zv_model_nq(ik->model);
    for (int k = 0; k < s->count; k++) {
        json_map(json, JSON_LINE);
        json_key(json, "q"), json_numbers(json, s->q + (size_t)k * nq, nq);
        json_key(json, "residual"), json_number(json, s->gaps[k]);
        json_end(json);
    }
}

/* A row for each coordinate, a column for each solution. */
static void solutions_table(const Ik *ik, const Solutions *s, int pose, int poses, Text *out) {
    enum { WIDTH = 8 };
    const size_t nq = (size_t)zv_model_nq(ik->model);
    if (out->size) text_puts(out, "\n");
    if (poses > 1) text_printf(out, "pose %d\n", pose);
    for (int first = 0; first < s->count; first += WIDTH) {
        const int end = first + WIDTH < s->count ? first + WIDTH : s->count;
        Table table = table_start((size_t)(end - first) + 2);
        EntryCursor entry = entry_first(ik->model, true);
        table_text(&table, "coordinate");
        for (int k = first; k < end; k++) table_text(&table, s->count > 1 ? "solution" : "q");
        table_text(&table, "");
        for (size_t i = 0; i < nq; i++, entry_next(&entry)) {
            Text label = {0};
            entry_label(&entry, &label);
            table_text(&table, label.bytes ? label.bytes : "");
            for (int k = first; k < end; k++) table_number(&table, s->q[(size_t)k * nq + i]);
            table_text(&table, entry_position_unit(&entry));
            text_free(&label);
        }
        table_finish(&table, out);
    }
    if (s->count > 1) text_printf(out, "%d solutions\n", s->count);
}

/* The rotation of a quaternion x y z w of unit length. */
static void rotation_of(const double e[4], double R[9]) {
    const double x = e[0], y = e[1], z = e[2], w = e[3];
    const double rows[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                            2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                            2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(R, rows, sizeof rows);
}

/* Up to seven numbers with commas between; 8: something else. */
static int read_pose_numbers(const char *text, double x[7]) {
    int count = 0;
    for (char *end; count < 7; text = end + 1) {
        x[count] = strtod(text, &end);
        if (end == text || !isfinite(x[count])) return 8;
        count++;
        if (!*end) return count;
        if (*end != ',') return 8;
    }
    return 8;
}

/* x,y,z, the place alone; with roll, pitch, yaw; or with a quaternion x y z w. */
static Code read_pose(const Ik *ik, const char *text, zvPose *pose, unsigned *rows) {
    double x[7] = {0};
    const int count = read_pose_numbers(text, x);
    if (count != 3 && count != 6 && count != 7)
        return complain(CODE_USAGE, "expected --pose x,y,z, x,y,z,roll,pitch,yaw or x,y,z,qx,qy,qz,qw, found \"%s\"",
                        text);
    zv_frame_pose(ik->model, ik->work, ik->q, ik->task.frame, pose); /* turned as it stands */
    if (count == 6) *pose = zv_pose_from_rpy(x, x + 3);
    if (count == 7) {
        const double n = sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5] + x[6] * x[6]);
        if (!(fabs(n - 1) <= 1e-3)) return complain(CODE_USAGE, "expected a quaternion of length 1, found %.6g", n);
        for (int i = 3; i < 7; i++) x[i] /= n;
        rotation_of(x + 3, pose->R);
    }
    memcpy(pose->p, x, sizeof pose->p);
    if (count == 3 && !(ik->args->given & OPTION_TASK)) *rows = ZV_TASK_POSITION;
    return CODE_DONE;
}

/* All poses, each from the answer before. */
static Code answer_poses(Ik *ik, Text *out) {
    Solutions s = {.q = calloc((size_t)MOST_SOLUTIONS * (size_t)zv_model_nq(ik->model) + 1, sizeof(double))};
    const bool json_wanted = ik->args->given & OPTION_JSON;
    const unsigned rows = ik->task.rows;
    Json json = json_start(out);
    Code code = s.q ? CODE_DONE : complain_memory();
    if (json_wanted) json_list(&json, JSON_BLOCK);
    for (int k = 0; code == CODE_DONE && k < ik->args->pose_count; k++) {
        zvPose target;
        zvError error = {0};
        ik->task.rows = rows;
        code = read_pose(ik, ik->args->poses[k], &target, &ik->task.rows);
        if (code == CODE_DONE && solve_pose(ik, &target, &s, &error) < 0) code = complain_error(&error);
        if (code == CODE_DONE && json_wanted) solutions_json(ik, &s, &json);
        if (code == CODE_DONE && !json_wanted) solutions_table(ik, &s, k + 1, ik->args->pose_count, out);
    }
    if (json_wanted) json_end(&json);
    free(s.q);
    return code;
}

/* The verb -------------------------------------------------------------------------------------------------- */

/* The guess; elastic links do not bend to reach a pose. */
static Code prepare_ik(Ik *ik) {
    const size_t nv = (size_t)zv_model_nv(ik->model);
    zvError error = {0};
    State state = {0};
    StateFile file = {0};
    ik->work = zv_work_create(ik->model, &error);
    ik->task_work = zv_task_work_create(ik->model, &error);
    ik->held = calloc(nv + 1, 1);
    ik->q = calloc((size_t)zv_model_nq(ik->model) + 1, sizeof *ik->q);
    if (!ik->work || !ik->task_work || !ik->held || !ik->q || !state_create(ik->model, &state))
        return complain_memory();
    zvStatus status = state_file_open(ik->args->state, &file, &error);
    if (status >= 0) status = state_read(state_file_node(&file, 0), ik->model, ik->work, &state, &error);
    if (status >= 0) memcpy(ik->q, state.q, (size_t)zv_model_nq(ik->model) * sizeof *ik->q);
    state_file_close(&file);
    state_free(&state);
    if (status < 0) return complain_error(&error);
    for (int link = 0; link < zv_model_nlink(ik->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(ik->model, link);
        memset(ik->held + place.v_index, 1, (size_t)place.count);
    }
    return ik->args->named ? named_dofs(ik->model, ik->args->named, ik->held) : CODE_DONE;
}

/* Poses, or a path. */
static Code answer_ik(Ik *ik, Text *out) {
    if (!ik->args->frame) return complain(CODE_USAGE, "expected --frame NAME, found none");
    if (!ik->args->pose_count == !ik->args->path)
        return complain(CODE_USAGE, "expected --pose x,y,z,..., or --path FILE, found %s",
                        ik->args->path ? "both" : "neither");
    ik->task.frame = zv_model_find_frame(ik->model, ik->args->frame);
    if (ik->task.frame < 0) return robot_unknown_frame(ik->model, ik->args->frame);
    ik->task.rows = ik->args->given & OPTION_TASK ? ik->args->task : ZV_TASK_FULL;
    ik->task.axes = ik->args->local_axes ? ZV_AXES_LOCAL : ZV_AXES_WORLD;
    const Code code = prepare_ik(ik);
    if (code != CODE_DONE) return code;
    return ik->args->path ? ik_follow(ik, out) : answer_poses(ik, out);
}

/* Nothing is printed unless every pose was reached. */
static Code run_ik(const Args *args, Text *out) {
    Ik ik = {.args = args};
    Code code = robot_read(args, &ik.robot);
    if (code != CODE_DONE) return code;
    ik.model = ik.robot.model;
    code = answer_ik(&ik, out);
    if (code != CODE_DONE) text_clear(out);
    if (ik.work) zv_work_destroy(ik.work);
    zv_task_work_destroy(ik.task_work);
    free(ik.held);
    free(ik.q);
    robot_free(&ik.robot);
    return code;
}

const Verb verb_ik = {
    .name = "ik",
    .run = run_ik,
    .options = OPTIONS_STATE | OPTION_FRAME | OPTION_POSE | OPTION_PATH | OPTION_TASK | OPTION_AXES | OPTION_HOLD |
               OPTION_GUESSES | OPTION_OUTPUT | OPTION_EVERY,
    .needs_model = true,
    .form = "MODEL --frame NAME --pose x,y,z[,roll,pitch,yaw] [--guesses N] | --path FILE -o OUT.csv",
    .summary = "joint positions that place a frame; joints along a path of lines and arcs",
    .help =
        "Finds joint positions within their limits that place the frame: poses x,y,z, x,y,z,roll,pitch,yaw or\n"
        "x,y,z,qx,qy,qz,qw in the world, one --pose after another, each from the answer before, the first from\n"
        "--state. Of three numbers the place alone counts; --task says which directions do. --guesses N tries N\n"
        "positions more and prints all solutions that differ. Loops stay closed (--task full or xyz).\n"
        "Prints a column for each solution; JSON: states, [{q, residual}], for --state.\n"
        "--path: a YAML file, {segments: [...]}, in order, from where the frame stands\n"
        "  {line: {to: [x, y, z], rpy: [r, p, y]}, duration: T, blend: B}   what is left out of rpy stays as it is\n"
        "  {arc: {center: [x, y, z], axis: [x, y, z], angle: A, turn: true}, duration: T, blend: B}\n"
        "each with a quintic progress; it begins B seconds (0 unless told) before the segment in front of it ends,\n"
        "which rounds the corner. -o writes joints over time (--every DT s, 0.01 unless told), .csv or .h5; a "
        "scenario\n"
        "follows it with a law {type: csv, file: OUT.csv}. JSON: duration rows length gap rates: {joint: largest}\n"
        "What a robot can reach: zveno map --show x,y,z over its joints.\n"
        "\n"
        "Example\n"
        "  zveno ik arm.urdf --frame tool --pose 0.5,0,0.4 --guesses 100\n",
};
