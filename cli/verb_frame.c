/* zveno frame: where a frame is and how it moves. */
#include "dof_table.h"
#include "question.h"
#include "verb.h"
#include "zveno/kinematics.h"

/* Where the parts of the answer lie. */
typedef struct Motion {
    double *position, *rotation;              /* 3, 9 */
    double *velocity, *acceleration, *jdot_v; /* 6 */
    double *J;                                /* 6 x nv */
} Motion;

static size_t room(const zvModel *model) { return 3 + 9 + 18 + 6 * (size_t)zv_model_nv(model); }

static Motion motion_of(const Case *at) {
    double *x = at->answer;
    return (Motion){
        .position = x, .rotation = x + 3, .velocity = x + 12, .acceleration = x + 18, .jdot_v = x + 24, .J = x + 30};
}

static zvStatus solve(const Case *at) {
    const Motion m = motion_of(at);
    const State *s = at->state;
    const zvAxes axes = at->args->local_axes ? ZV_LOCAL_AXES : ZV_WORLD_AXES;
    zvPose pose;
    zv_frame_pose(at->model, at->work, s->q, at->frame, &pose);
    for (int i = 0; i < 3; i++) m.position[i] = pose.p[i];
    for (int i = 0; i < 9; i++) m.rotation[i] = pose.R[i];
    zv_frame_velocity(at->model, at->work, s->q, s->v, at->frame, axes, m.velocity);
    zv_frame_acceleration(at->model, at->work, s->q, s->v, s->a, at->frame, axes, m.acceleration);
    zv_frame_bias(at->model, at->work, s->q, s->v, at->frame, axes, m.jdot_v);
    zv_frame_jacobian(at->model, at->work, s->q, at->frame, axes, m.J);
    return ZV_OK;
}

static void print_json(const Case *at, Json *json) {
    const Motion m = motion_of(at);
    json_key(json, "frame"), json_text(json, at->args->frame);
    json_key(json, "axes"), json_text(json, at->args->local_axes ? "local" : "world");
    json_key(json, "position"), json_numbers(json, m.position, 3);
    json_key(json, "rotation"), json_rows(json, m.rotation, 3, 3);
    json_key(json, "jacobian"), json_rows(json, m.J, 6, (size_t)zv_model_nv(at->model));
    json_key(json, "jdot_v"), json_numbers(json, m.jdot_v, 6);
    json_key(json, "velocity"), json_numbers(json, m.velocity, 6);
    json_key(json, "acceleration"), json_numbers(json, m.acceleration, 6);
}

static void print_pose(const Motion *m, Text *out) {
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

static void print_table(const Case *at, Text *out) {
    static const char *const letters[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const Motion m = motion_of(at);
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
}

static Code run(const Args *args, Text *out) {
    static const Question question = {room, solve, print_json, print_table};
    if (!args->frame) return complain(CODE_USAGE, "which frame? zveno frame MODEL --frame NAME; zveno info lists them");
    return question_answer(&question, args, NULL, out);
}

const Verb verb_frame = {
    .name = "frame",
    .run = run,
    .options = OPTIONS_STATE | OPTION_FRAME | OPTION_AXES,
    .needs_model = true,
    .form = "MODEL --frame NAME [--state FILE] [--axes world|local]",
    .summary = "pose, velocity, acceleration and Jacobian of a link or frame",
    .help = "Takes q, v, a. Prints (JSON keys)\n"
            "  frame, axes   as asked for\n"
            "  position      of the origin in the world, m\n"
            "  rotation      3 rows; takes components in the frame to components in the world\n"
            "  jacobian      6 rows x nv, linear rows first: velocity = jacobian v\n"
            "  jdot_v        the part of the acceleration that does not depend on a\n"
            "  velocity      of the origin, and angular velocity, m/s and rad/s\n"
            "  acceleration  of the origin (without gravity), and angular acceleration, m/s^2 and rad/s^2\n"
            "6-vectors are along the world's axes, with --axes local along the frame's own; the point is the\n"
            "frame's origin in both.\n"
            "\n"
            "Example\n"
            "  zveno frame arm.urdf --frame tool --json\n",
};
