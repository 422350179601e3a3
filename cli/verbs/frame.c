/* zveno frame: where a frame is, how it moves, and how it answers forces. */
#include <stdio.h>

#include "dofs.h"
#include "question.h"
#include "verb.h"
#include "zveno/opspace.h"

static const char *const letters[6] = {"x", "y", "z", "rx", "ry", "rz"};

/* Where the parts of the answer lie. */
typedef struct FrameAnswer {
    double *position, *rotation;              /* 3, 9 */
    double *velocity, *acceleration, *jdot_v; /* 6 */
    double *lambda, *mu, *rho;                /* m x m, m, m */
    double *damping, *rcond, *status;         /* 2, 1, 1: a zvStatus */
    double *rated;                            /* 1: whether the rate of J is known */
    double *J, *rate;                         /* 6 x nv */
} FrameAnswer;

static size_t answer_size(const zvModel *model) { return 83 + 12 * (size_t)zv_model_nv(model); }

/* The answer is one array; this names its parts. */
static FrameAnswer parts_of(const Case *at) {
    double *x = at->answer;
    return (FrameAnswer){.position = x,
                         .rotation = x + 3,
                         .velocity = x + 12,
                         .acceleration = x + 18,
                         .jdot_v = x + 24,
                         .lambda = x + 30,
                         .mu = x + 66,
                         .rho = x + 72,
                         .damping = x + 78,
                         .rcond = x + 80,
                         .status = x + 81,
                         .rated = x + 82,
                         .J = x + 83,
                         .rate = x + 83 + 6 * (size_t)zv_model_nv(at->model)};
}

static zvTask task_of(const Case *at) {
    const bool given = at->args->given & OPTION_TASK;
    return (zvTask){at->frame, at->args->local_axes ? ZV_AXES_LOCAL : ZV_AXES_WORLD,
                    given ? at->args->task : (unsigned)ZV_TASK_FULL};
}

/* Parts without inertia leave the task without an answer, not the frame. */
static zvStatus solve_task(const Case *at, const FrameAnswer *m) {
    const zvTask task = task_of(at);
    zvTaskDynamics d;
    zvError error = {0};
    zvTaskWork *work = zv_task_work_create(at->model, &error);
    if (!work) return error.status;
    const zvStatus status = zv_task_dynamics(at->model, work, at->state->q, at->state->v, &task, &d);
    zv_task_work_destroy(work);
    for (int i = 0; i < 36; i++) m->lambda[i] = d.Lambda[i];
    for (int i = 0; i < 6; i++) m->mu[i] = d.mu[i], m->rho[i] = d.rho[i];
    for (int i = 0; i < 2; i++) m->damping[i] = d.damping[i];
    *m->rcond = d.rcond;
    *m->status = status;
    return status == ZV_SINGULAR ? ZV_OK : status;
}

/* Pose, motion and Jacobian, and with --task the dynamics seen at the frame. */
static zvStatus solve(const Case *at) {
    const FrameAnswer m = parts_of(at);
    const State *s = at->state;
    const zvAxes axes = at->args->local_axes ? ZV_AXES_LOCAL : ZV_AXES_WORLD;
    zvPose pose;
    zv_frame_pose(at->model, at->work, s->q, at->frame, &pose);
    for (int i = 0; i < 3; i++) m.position[i] = pose.p[i];
    for (int i = 0; i < 9; i++) m.rotation[i] = pose.R[i];
    zv_frame_velocity(at->model, at->work, s->q, s->v, at->frame, axes, m.velocity);
    zv_frame_acceleration(at->model, at->work, s->q, s->v, s->a, at->frame, axes, m.acceleration);
    zv_frame_bias(at->model, at->work, s->q, s->v, at->frame, axes, m.jdot_v);
    zv_frame_jacobian(at->model, at->work, s->q, at->frame, axes, m.J);
    *m.rated = zv_frame_jacobian_rate(at->model, at->work, s->q, s->v, at->frame, axes, m.rate) == ZV_OK;
    return solve_task(at, &m);
}

/* What is the matter with the answer of the task; NULL: nothing. */
static const char *task_note(const Case *at, const FrameAnswer *m, char *text, size_t size) {
    const zvTask task = task_of(at);
    const int nv = zv_model_nv(at->model), width = zv_task_width(&task);
    if (*m->status == ZV_DEGRADED && nv < width) {
        snprintf(text, size, "%d rows are asked of %d degree%s of freedom, damped; --task names fewer%s", width, nv,
                 nv == 1 ? "" : "s", nv < 3 ? "" : ", as --task xyz");
        return text;
    }
    if (*m->status == ZV_DEGRADED) return "near singular, damped; --task names fewer rows";
    if (*m->status == ZV_SINGULAR) return "a part without inertia can move freely: no lambda, mu, rho";
    return NULL;
}

/* Operational-space inertia and forces in the rows of the task; none where it is singular. */
static void print_task_json(const Case *at, const FrameAnswer *m, Json *json) {
    const zvTask task = task_of(at);
    const size_t width = (size_t)zv_task_width(&task);
    char text[128];
    const char *const note = task_note(at, m, text, sizeof text);
    json_key(json, "task"), json_list(json, JSON_LINE);
    for (int i = 0; i < 6; i++) {
        if (task.rows >> i & 1) json_text(json, letters[i]);
    }
    json_end(json);
    json_key(json, "status"), json_text(json, *m->status == ZV_DEGRADED   ? "degraded"
                                              : *m->status == ZV_SINGULAR ? "singular"
                                                                          : "ok");
    if (note) json_key(json, "note"), json_text(json, note);
    if (*m->status == ZV_SINGULAR) return;
    json_key(json, "lambda"), json_rows(json, m->lambda, width, width);
    json_key(json, "mu"), json_numbers(json, m->mu, width);
    json_key(json, "rho"), json_numbers(json, m->rho, width);
    json_key(json, "damping"), json_numbers(json, m->damping, 2);
    json_key(json, "rcond"), json_number(json, *m->rcond);
}

/* All keys of the answer; those of the task only when one was named. */
static void print_json(const Case *at, Json *json) {
    const FrameAnswer m = parts_of(at);
    json_key(json, "frame"), json_text(json, at->args->frame);
    json_key(json, "axes"), json_text(json, at->args->local_axes ? "local" : "world");
    json_key(json, "position"), json_numbers(json, m.position, 3);
    json_key(json, "rotation"), json_rows(json, m.rotation, 3, 3);
    json_key(json, "jacobian"), json_rows(json, m.J, 6, (size_t)zv_model_nv(at->model));
    if (*m.rated != 0) json_key(json, "jdot"), json_rows(json, m.rate, 6, (size_t)zv_model_nv(at->model));
    json_key(json, "jdot_v"), json_numbers(json, m.jdot_v, 6);
    json_key(json, "velocity"), json_numbers(json, m.velocity, 6);
    json_key(json, "acceleration"), json_numbers(json, m.acceleration, 6);
    print_task_json(at, &m, json);
}

/* Position and rotation side by side, a row per axis of the world. */
static void print_pose(const FrameAnswer *m, Text *out) {
    static const char *const headings[5] = {"world", "position [m]", "R x", "R y", "R z"};
    static const char *const axes[3] = {"x", "y", "z"};
    Table table = table_start(5);
    for (int i = 0; i < 5; i++) table_text(&table, headings[i]);
    for (int i = 0; i < 3; i++) {
        table_text(&table, axes[i]);
        table_number(&table, m->position[i]);
        for (int j = 0; j < 3; j++) table_number(&table, m->rotation[3 * i + j]);
    }
    table_finish(&table, out);
}

/* The matrix with mu and rho as further columns, by rows of the task. */
static void print_task_rows(const FrameAnswer *m, const zvTask *task, Text *out) {
    static const char *const units[6] = {"x [N]", "y [N]", "z [N]", "rx [N m]", "ry [N m]", "rz [N m]"};
    const int width = zv_task_width(task);
    Table table = table_start((size_t)width + 3);
    table_text(&table, "");
    for (int i = 0; i < 6; i++) {
        if (task->rows >> i & 1) table_text(&table, letters[i]);
    }
    table_text(&table, "mu");
    table_text(&table, "rho");
    for (int i = 0, row = 0; i < 6; i++) {
        if (!(task->rows >> i & 1)) continue;
        table_text(&table, units[i]);
        for (int j = 0; j < width; j++) table_number(&table, m->lambda[row * width + j]);
        table_number(&table, m->mu[row]);
        table_number(&table, m->rho[row++]);
    }
    table_finish(&table, out);
}

/* The equation above the table says what its letters mean; a degraded answer says how. */
static void print_task(const Case *at, const FrameAnswer *m, Text *out) {
    const zvTask task = task_of(at);
    char text[128];
    const char *const note = task_note(at, m, text, sizeof text);
    text_puts(out, "\nlambda xdd + mu + rho = force at the origin, by rows of the task\n");
    if (*m->status != ZV_SINGULAR) print_task_rows(m, &task, out);
    if (note) text_printf(out, "%s: %s\n", *m->status == ZV_DEGRADED ? "degraded" : "singular", note);
    if (*m->status != ZV_DEGRADED) return;
    text_puts(out, "damping ");
    text_number_short(out, m->damping[0]);
    text_puts(out, " 1/kg, ");
    text_number_short(out, m->damping[1]);
    text_puts(out, " 1/(kg m^2)\n");
}

/* Pose, six-vectors, Jacobian, then the task. */
static void print_table(const Case *at, Text *out) {
    const FrameAnswer m = parts_of(at);
    const Six sixes[] = {{"velocity [m/s, rad/s]", m.velocity},
                         {"acceleration [m/s^2, rad/s^2]", m.acceleration},
                         {"jdot_v [m/s^2, rad/s^2]", m.jdot_v}};
    text_puts(out, "frame ");
    text_name(out, at->args->frame);
    text_puts(out, "\n");
    print_pose(&m, out);
    text_printf(out, "\nof its origin, %s axes\n", at->args->local_axes ? "its own" : "world");
    table_of_sixes("", letters, sixes, 3, out);
    text_puts(out, "\n");
    table_of_matrix(at->model, "Jacobian [m, rad per unit of the dof]", letters, 6, m.J, out);
    print_task(at, &m, out);
}

static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,         solve,           print_json, print_table,
                                      .loops = LOOPS_OPEN, .takes = STATE_A};
    if (!args->frame)
        return complain(CODE_USAGE,
                        "expected a frame, found none: zveno frame MODEL --frame NAME; zveno info lists them");
    return question_answer(&question, args, NULL, out);
}

const Verb verb_frame = {
    .name = "frame",
    .run = run,
    .options = OPTIONS_STATE | OPTION_FRAME | OPTION_AXES | OPTION_TASK,
    .needs_model = true,
    .form = "MODEL --frame NAME [--state FILE] [--axes world|local] [--task xyz|rot|x,rz]",
    .summary = "pose, motion and Jacobian of a link or frame, and its dynamics in operational space",
    .help = "Takes q, v, a. Prints (JSON keys)\n"
            "  frame, axes   as asked for\n"
            "  position      of the origin in the world, m\n"
            "  rotation      3 rows; takes components in the frame to components in the world\n"
            "  jacobian      6 rows x nv, linear rows first: velocity = jacobian v\n"
            "  jdot          its rate at v, 6 rows x nv, in the same axes; absent behind elastic links\n"
            "  jdot_v        the part of the acceleration that does not depend on a\n"
            "  velocity      of the origin, and angular velocity, m/s and rad/s\n"
            "  acceleration  of the origin (without gravity), and angular acceleration, m/s^2 and rad/s^2\n"
            "  task          names of the rows of lambda, mu, rho: all six unless --task says otherwise\n"
            "  lambda, mu, rho  lambda xdd + mu + rho = force and moment at the origin, tau = jacobian^T force\n"
            "  status        ok; degraded: near singular, then lambda is damped; singular: no lambda, mu, rho\n"
            "  damping       added to the diagonal of lambda^-1: linear rows 1/kg, angular rows 1/(kg m^2)\n"
            "  rcond         how far from singular the task is: 0 singular, below 1e-6 damped\n"
            "6-vectors are along the world's axes, with --axes local along the frame's own; the point is the\n"
            "frame's origin in both.\n"
            "\n"
            "Example\n"
            "  zveno frame arm.urdf --frame tool --task xyz --json\n",
};
