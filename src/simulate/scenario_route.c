/* Routes of frames, and joint motions that lead a frame along one. */
#include "simulate/scenario_read.h"

#include <math.h>
#include <string.h>

/* Routes of frames: straight lines and arcs from where the frame stands, with a law of progress. */

static const double quaternion_refused = 1e-6;

/* A word for the usual choices, or a list of directions. */
zvStatus zi_scenario_task_rows(ziScenarioReader *reader, const ziNamedMap *element, unsigned *rows) {
    static const char *const words[] = {"full", "xyz", "rot"};
    static const unsigned masks[] = {ZV_TASK_FULL, ZV_TASK_POSITION, ZV_TASK_ORIENTATION};
    static const char *const directions[] = {"x", "y", "z", "rx", "ry", "rz"};
    const zvNode *node = zv_node_get(element->node, "task");
    *rows = ZV_TASK_FULL;
    if (!node) return ZV_OK;
    int choice = 0;
    if (node->kind != ZV_NODE_LIST) {
        const zvStatus status = zi_map_word(&reader->reading, element, "task", ZI_KEYS(words), &choice);
        *rows = masks[choice];
        return status;
    }
    *rows = 0;
    for (int i = 0; i < node->count; i++) {
        const char *word = NULL;
        const zvStatus status = zv_node_text(node->items[i], "a direction of the task", &word, reader->error);
        if (status < 0) return status;
        for (choice = 0; choice < 6 && strcmp(word, directions[choice]) != 0;) choice++;
        if (choice == 6) return zi_scenario_unknown(reader, node->items[i]->mark, "direction", word, directions, 6);
        *rows |= 1u << choice;
    }
    if (*rows) return ZV_OK;
    return zi_map_refuse(&reader->reading, element, "task", "expected at least one direction, found none");
}

/* Progress from 0 to 1 -------------------------------------------------------------------------------- */

zvLaw *zi_scenario_profile(ziScenarioReader *reader, int profile, double start, double duration) {
    const double rows[2][4] = {{0, 0, 0, 0}, {1, 0, 0, 0}};
    if (profile < 3) /* cubic, quintic, septic */
        return zv_law_boundary(1, start, duration, profile + 2, rows[0], profile + 2, rows[1], reader->error);
    if (profile == 3) return zv_law_cycloidal(1, start, duration, &rows[0][0], &rows[1][0], reader->error);
    return zv_law_trapezoidal(1, start, duration, 1.0 / 3, &rows[0][0], &rows[1][0], reader->error);
}

/* progress, a law, or duration with profile and start. */
zvLaw *zi_scenario_progress(ziScenarioReader *reader, const ziNamedMap *element, double *start, double *end) {
    static const char *const words[] = {ZI_PROFILES};
    static const char *const others[] = {"duration", "profile", "start"};
    const zvNode *node = zv_node_get(element->node, "progress");
    double duration = 0;
    int profile = 1;
    if (node) {
        const ziLawPlace place = {.kind = "progress of route", .name = element->name, .width = 1};
        for (int i = 0; i < 3; i++) {
            if (!zi_map_has(element, others[i])) continue;
            zi_map_refuse(&reader->reading, element, others[i], "expected it or progress, found both; keep one");
            return NULL;
        }
        *start = reader->scenario->start;
        *end = *start + reader->scenario->duration;
        return zi_scenario_law(reader, node, &place);
    }
    *start = 0;
    if (zi_map_need(&reader->reading, element, "duration", "duration, in s, or progress, a law from 0 to 1") < 0 ||
        zi_map_number(&reader->reading, element, "start", start) < 0 ||
        zi_scenario_positive(reader, element, "duration", &duration) < 0 ||
        zi_map_word(&reader->reading, element, "profile", ZI_KEYS(words), &profile) < 0)
        return NULL;
    *end = *start + duration;
    return zi_scenario_profile(reader, profile, *start, duration);
}

/* Places ---------------------------------------------------------------------------------------------- */

/* rpy or quaternion; neither keeps the orientation at the start. */
static zvStatus read_orientation(ziScenarioReader *reader, const ziNamedMap *to, double R[9]) {
    const ziReading *reading = &reader->reading;
    if (zi_map_has(to, "rpy") && zi_map_has(to, "quaternion"))
        return zi_map_refuse(reading, to, "quaternion", "expected rpy or a quaternion, found both; keep one");
    if (zi_map_has(to, "rpy")) {
        double rpy[3];
        const zvStatus status = zi_map_angles(reading, to, "rpy", 3, rpy);
        if (status >= 0) memcpy(R, zv_pose_from_rpy((double[3]){0}, rpy).R, sizeof(double[9]));
        return status;
    }
    double u[4];
    const zvStatus status = zi_map_numbers(reading, to, "quaternion", 4, u);
    if (status < 0 || !zi_map_has(to, "quaternion")) return status;
    const double length = hypot(hypot(u[0], u[1]), hypot(u[2], u[3]));
    if (!(fabs(length - 1) <= quaternion_refused))
        return zi_map_refuse(reading, to, "quaternion",
                             "expected a quaternion of length 1, found another; the order is x, y, z, w");
    const double x = u[0] / length, y = u[1] / length, z = u[2] / length, w = u[3] / length;
    const double turned[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                              2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                              2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(R, turned, sizeof turned);
    return ZV_OK;
}

/* Takes the progress over, also when it fails. */
static zvRoute *read_line(ziScenarioReader *reader, const ziNamedMap *element, const zvPose *from, zvLaw *progress) {
    static const char *const keys[] = {"xyz", "rpy", "quaternion"};
    ziNamedMap to;
    zvPose target = *from;
    zvStatus status = zi_map_need(&reader->reading, element, "to", "to: {xyz: [x, y, z]}");
    if (status >= 0) status = zi_map_part(&reader->reading, element, "to", "the end of route", ZI_KEYS(keys), &to);
    if (status >= 0 && to.node->count == 0)
        status = zi_map_refuse(&reader->reading, element, "to", "expected xyz, rpy or quaternion, found none");
    if (status >= 0) status = zi_map_numbers(&reader->reading, &to, "xyz", 3, target.p);
    if (status >= 0) status = read_orientation(reader, &to, target.R);
    if (status >= 0) return zv_route_line(from, &target, progress, reader->error);
    zv_law_destroy(progress);
    return NULL;
}

/* Takes the progress over, also when it fails. */
static zvRoute *read_arc(ziScenarioReader *reader, const ziNamedMap *element, const zvPose *from, zvLaw *progress) {
    const ziReading *reading = &reader->reading;
    double center[3], axis[3], angle = 0;
    bool turn = true;
    zvStatus status = zi_map_need(reading, element, "center", "center: [x, y, z]");
    if (status >= 0) status = zi_map_need(reading, element, "axis", "axis: [x, y, z] of the circle");
    if (status >= 0) status = zi_map_need(reading, element, "angle", "angle, in rad");
    if (status >= 0) status = zi_map_numbers(reading, element, "center", 3, center);
    if (status >= 0) status = zi_map_numbers(reading, element, "axis", 3, axis);
    if (status >= 0 && hypot(hypot(axis[0], axis[1]), axis[2]) == 0)
        status = zi_map_refuse(reading, element, "axis",
                               "expected the direction the circle turns about, found the zero vector");
    if (status >= 0) status = zi_map_angle(reading, element, "angle", &angle);
    if (status >= 0) status = zi_map_bool(reading, element, "turn", &turn);
    if (status >= 0) return zv_route_arc(from, center, axis, angle, turn, progress, reader->error);
    zv_law_destroy(progress);
    return NULL;
}

/* From the pose of the frame in the initial position. */
zvRoute *zi_scenario_route(ziScenarioReader *reader, const ziNamedMap *element, bool is_arc, int frame, double *start,
                           double *end) {
    zvPose from;
    zv_frame_pose(reader->scenario->model, reader->work, reader->scenario->q, frame, &from);
    zvLaw *progress = zi_scenario_progress(reader, element, start, end);
    zvRoute *route = NULL;
    if (progress)
        route = is_arc ? read_arc(reader, element, &from, progress) : read_line(reader, element, &from, progress);
    if (!route) zi_scenario_blame(reader, element, element->node, reader->error->status);
    return route;
}

/* Joint motions that lead a frame along a route: inverse kinematics from knot to knot, velocities and accelerations by
 * the Jacobian, quintic pieces between the knots. The route is cut where its progress breaks, so that pieces are
 * smooth. Where the robot has more freedoms than the task, the joints take the least velocities q' = F(t, q): a step of
 * the classical Runge-Kutta method leads to the next knot, which inverse kinematics only corrects, and accelerations
 * are the differences of F along the motion. (The least accelerations belong to another path.) */

enum { LEAST_KNOTS = 500, MOST_KNOTS = 20000, MOST_PARTS = 64 };
static const double LONGEST_STEP = 0.005; /* s, up to MOST_KNOTS of them */
static const double STILL = 1e-9;         /* of a task that does not move, m/s and m/s^2 */

typedef struct RouteTracking {
    ziScenarioReader *reader;
    const ziLawText *law;
    const zvTask *task;
    zvRoute *route;
    int width, m;
    bool square;         /* as many joints as directions */
    unsigned char *held; /* (nv) joints that are not listed */
    double *q;           /* (nq) */
    double *v, *a;       /* (nv) */
    double end;          /* of the piece at hand */
    double *near;        /* (nq) a position nearby */
    double *k, *sum;     /* (nv) velocities there, and a sum of them */
} RouteTracking;

/* Arrays, and which degrees of freedom inverse kinematics may not move: all that the law does not drive. */
static zvStatus set_up(RouteTracking *tracking) {
    ziScenarioReader *reader = tracking->reader;
    const zvScenario *scenario = reader->scenario;
    const size_t nq = (size_t)zv_model_nq(scenario->model), nv = (size_t)zv_model_nv(scenario->model);
    const ziFreedoms *freedoms = tracking->law->place->freedoms;
    if (!reader->task_work && !(reader->task_work = zv_task_work_create(scenario->model, reader->error)))
        return reader->error->status;
    tracking->held = zi_scenario_scratch(reader, nv, 1);
    tracking->q = zi_scenario_scratch(reader, 2 * nq + 4 * nv, sizeof *tracking->q);
    if (!tracking->held || !tracking->q) return ZV_MEMORY;
    tracking->v = tracking->q + nq;
    tracking->a = tracking->v + nv;
    tracking->k = tracking->a + nv;
    tracking->sum = tracking->k + nv;
    tracking->near = tracking->sum + nv;
    memcpy(tracking->q, scenario->q, nq * sizeof *tracking->q);
    memset(tracking->held, 1, nv);
    for (int i = 0; i < freedoms->count; i++) tracking->held[freedoms->dofs[i]] = 0;
    tracking->m = zv_task_width(tracking->task);
    tracking->square = tracking->m == freedoms->count;
    return ZV_OK;
}

static zvStatus unreachable(RouteTracking *tracking, double t, double gap) {
    char what[ZI_WHAT];
    return zv_fail(tracking->reader->error, ZV_NO_CONVERGENCE, tracking->law->element.node->mark, "",
                   "%s: expected a route within reach, found the frame %.3g (m, rad) from it at t = %.4g s; bring the "
                   "target nearer, ask for fewer directions in task, or begin elsewhere",
                   zi_map_what(&tracking->law->element, NULL, what), gap, t);
}

static zvStatus singular(RouteTracking *tracking, double t) {
    char what[ZI_WHAT];
    return zv_fail(tracking->reader->error, ZV_SINGULAR, tracking->law->element.node->mark, "",
                   "%s: expected regular positions, found a singular one at t = %.4g s, where the joints would have to "
                   "move at once; ask for fewer directions in task, or begin elsewhere",
                   zi_map_what(&tracking->law->element, NULL, what), t);
}

/* The rows of the task out of all six. */
static bool take_rows(const RouteTracking *tracking, const double all[6], double *rows) {
    bool moves = false;
    for (int i = 0, k = 0; i < 6; i++) {
        if (!(tracking->task->rows >> i & 1)) continue;
        rows[k++] = all[i];
        moves = moves || fabs(all[i]) > STILL;
    }
    return moves;
}

/* q at t, from the guess in q. */
static zvStatus place_frame(RouteTracking *tracking, double t, const zvPose *pose) {
    const zvModel *model = tracking->reader->scenario->model;
    zvInverseKinematics options = zv_inverse_kinematics_default();
    double gap = 0;
    options.held = tracking->held;
    if (zv_inverse_kinematics(model, tracking->reader->task_work, tracking->task, pose, &options, tracking->q, &gap) <
        0)
        return unreachable(tracking, t, gap);
    return ZV_OK;
}

/* Within the piece: its last instant is the one before its end. */
static double within(const RouteTracking *tracking, double t) {
    return t < tracking->end ? t : nextafter(tracking->end, -INFINITY);
}

/* As many joints as directions: v and a follow from the route's. */
static zvStatus square_knot(RouteTracking *tracking, double t) {
    const zvModel *model = tracking->reader->scenario->model;
    zvPose at;
    double velocity[6], acceleration[6], xd[6] = {0}, xdd[6] = {0};
    zv_route_at(tracking->route, within(tracking, t), &at, velocity, acceleration);
    zvStatus status = place_frame(tracking, t, &at);
    if (status < 0) return status;
    const bool moves = take_rows(tracking, velocity, xd), speeds = take_rows(tracking, acceleration, xdd);
    status = zv_task_resolve(model, tracking->reader->task_work, tracking->q, tracking->task, tracking->held, xd, xdd,
                             tracking->v, tracking->a);
    if (status != ZV_OK && (moves || speeds)) return singular(tracking, t);
    if (status != ZV_OK) memset(tracking->v, 0, 2 * (size_t)zv_model_nv(model) * sizeof *tracking->v);
    return ZV_OK;
}

/* A guess for the next knot: straight on. */
static void square_step(RouteTracking *tracking, double h) {
    const zvModel *model = tracking->reader->scenario->model;
    for (int i = 0; i < zv_model_nv(model); i++) tracking->v[i] = h * (tracking->v[i] + h / 2 * tracking->a[i]);
    zv_position_add(model, tracking->q, tracking->v, tracking->q);
}

/* More joints: the least velocities ------------------------------------------------------------------- */

/* k = F(t, q) */
static zvStatus flow(RouteTracking *tracking, double t, const double *q, double *k) {
    const zvModel *model = tracking->reader->scenario->model;
    zvPose at;
    double velocity[6], xd[6] = {0};
    zv_route_at(tracking->route, within(tracking, t), &at, velocity, NULL);
    const bool moves = take_rows(tracking, velocity, xd);
    const zvStatus status =
        zv_task_resolve(model, tracking->reader->task_work, q, tracking->task, tracking->held, xd, NULL, k, NULL);
    if (status != ZV_OK && moves) return singular(tracking, t);
    if (status != ZV_OK) memset(k, 0, (size_t)zv_model_nv(model) * sizeof *k);
    return ZV_OK;
}

/* k = F(t + s, q + s v) with a v of one's own */
static zvStatus flow_along(RouteTracking *tracking, double t, double s, const double *v, double *k) {
    const zvModel *model = tracking->reader->scenario->model;
    for (int i = 0; i < zv_model_nv(model); i++) k[i] = s * v[i];
    zv_position_add(model, tracking->q, k, tracking->near);
    return flow(tracking, t + s, tracking->near, k);
}

/* Advances q from the knot at t by one step of the classical Runge-Kutta method. */
static zvStatus flow_step(RouteTracking *tracking, double t, double h) {
    static const double nodes[3] = {0.5, 0.5, 1}, weights[3] = {1 / 3.0, 1 / 3.0, 1 / 6.0};
    const zvModel *model = tracking->reader->scenario->model;
    const int nv = zv_model_nv(model);
    memcpy(tracking->k, tracking->v, (size_t)nv * sizeof *tracking->k);
    for (int i = 0; i < nv; i++) tracking->sum[i] = h / 6 * tracking->k[i];
    for (int stage = 0; stage < 3; stage++) {
        memcpy(tracking->a, tracking->k, (size_t)nv * sizeof *tracking->a);
        const zvStatus status = flow_along(tracking, t, nodes[stage] * h, tracking->a, tracking->k);
        if (status < 0) return status;
        for (int i = 0; i < nv; i++) tracking->sum[i] += h * weights[stage] * tracking->k[i];
    }
    zv_position_add(model, tracking->q, tracking->sum, tracking->q);
    return ZV_OK;
}

/* The rate of F along the motion by five-point differences of width s: all five ahead at the beginning of a piece, all
 * behind at its end, two on either side between. */
static zvStatus flow_rate(RouteTracking *tracking, double t, double s, int ahead) {
    static const double central[5] = {1 / 12.0, -2 / 3.0, 0, 2 / 3.0, -1 / 12.0};
    static const double one_sided[5] = {-25 / 12.0, 4, -3, 4 / 3.0, -1 / 4.0};
    const int nv = zv_model_nv(tracking->reader->scenario->model);
    memset(tracking->a, 0, (size_t)nv * sizeof *tracking->a);
    for (int i = 0; i < 5; i++) {
        const double weight = ahead == 0 ? central[i] : ahead * one_sided[i];
        const zvStatus status =
            flow_along(tracking, t, ahead == 0 ? (i - 2) * s : ahead * i * s, tracking->v, tracking->k);
        if (status < 0) return status;
        for (int n = 0; n < nv; n++) tracking->a[n] += weight / s * tracking->k[n];
    }
    return ZV_OK;
}

static zvStatus flow_knot(RouteTracking *tracking, double t, double h, int ahead) {
    zvPose at;
    zv_route_at(tracking->route, within(tracking, t), &at, NULL, NULL);
    zvStatus status = place_frame(tracking, t, &at);
    if (status >= 0) status = flow(tracking, t, tracking->q, tracking->v);
    return status < 0 ? status : flow_rate(tracking, t, h / 8, ahead);
}

/* Pieces ---------------------------------------------------------------------------------------------- */

static zvStatus next_knot(RouteTracking *tracking, double t, double h, bool first, bool last) {
    if (tracking->square) {
        if (!first) square_step(tracking, h);
        return square_knot(tracking, t);
    }
    const zvStatus status = first ? ZV_OK : flow_step(tracking, t - h, h);
    return status < 0 ? status : flow_knot(tracking, t, h, first ? 1 : last ? -1 : 0);
}

/* A smooth piece from t0 to t1 as a law with its own time from 0. */
static zvLaw *piece(RouteTracking *tracking, double t0, double t1, int count) {
    ziScenarioReader *reader = tracking->reader;
    const ziFreedoms *freedoms = tracking->law->place->freedoms;
    const size_t width = (size_t)tracking->width, rows = (size_t)count;
    double *times = zi_scenario_scratch(reader, rows, sizeof *times);
    double *x = zi_scenario_scratch(reader, 3 * rows * width, sizeof *x);
    if (!times || !x) return NULL;
    double *dx = x + rows * width, *ddx = dx + rows * width;
    const double h = (t1 - t0) / (count - 1);
    tracking->end = t1;
    for (int i = 0; i < count; i++) {
        times[i] = (t1 - t0) * i / (count - 1);
        if (next_knot(tracking, t0 + times[i], h, i == 0, i + 1 == count) < 0) return NULL;
        for (size_t k = 0; k < width; k++) {
            const int dof = freedoms->dofs[k];
            x[(size_t)i * width + k] = tracking->q[reader->coordinates[dof]];
            dx[(size_t)i * width + k] = tracking->v[dof];
            ddx[(size_t)i * width + k] = tracking->a[dof];
        }
    }
    return zv_law_hermite(tracking->width, count, times, x, dx, ddx, reader->error);
}

/* Where the route is cut; returns the number of pieces. */
static int cut(const RouteTracking *tracking, double start, double end, double *cuts) {
    int count = 0;
    cuts[count++] = start;
    for (double t = start; count < MOST_PARTS;) {
        t = zv_route_next_break(tracking->route, t);
        if (!(t < end)) break;
        cuts[count++] = t;
    }
    cuts[count] = end;
    return count;
}

/* Knots are shared among the pieces by their length. */
static zvLaw *join_pieces(RouteTracking *tracking, double start, double end, int knots) {
    ziScenarioReader *reader = tracking->reader;
    double cuts[MOST_PARTS + 1], durations[MOST_PARTS] = {0};
    zvLaw *parts[MOST_PARTS];
    const int count = cut(tracking, start, end, cuts);
    for (int i = 0; i < count; i++) {
        const int share = (int)ceil(knots * (cuts[i + 1] - cuts[i]) / (end - start)) + 2;
        durations[i] = cuts[i + 1] - cuts[i];
        if ((parts[i] = piece(tracking, cuts[i], cuts[i + 1], share))) continue;
        while (i-- > 0) zv_law_destroy(parts[i]);
        return NULL;
    }
    return zv_law_sequence(start, count, parts, durations, reader->error);
}

/* The joint motion along a route from start to end; takes the route over. */
static zvLaw *scenario_march(const ziLawText *law, const zvTask *task, zvRoute *route, double start, double end) {
    RouteTracking tracking = {
        .reader = law->reader, .law = law, .task = task, .route = route, .width = law->place->width};
    const double knots = fmin(fmax(LEAST_KNOTS, ceil((end - start) / LONGEST_STEP)), MOST_KNOTS);
    zvLaw *made = set_up(&tracking) < 0 ? NULL : join_pieces(&tracking, start, end, (int)knots);
    zv_route_destroy(route);
    return made;
}

/* As laws of joints ----------------------------------------------------------------------------------- */

/* A law of joint positions that leads a frame along a line or an arc by inverse kinematics; models with closed loops
 * are refused, which inverse kinematics cannot close. */
static zvLaw *make_path(const ziLawText *law, bool is_arc) {
    ziScenarioReader *reader = law->reader;
    zvTask task = {.axes = ZV_AXES_WORLD};
    double start, end;
    if (zv_model_nloop(reader->scenario->model) > 0) {
        char what[ZI_WHAT];
        zv_fail(reader->error, ZV_NOT_SUPPORTED, law->element.node->mark, is_arc ? "arc" : "line",
                "%s: expected a model without closed loops, which inverse kinematics does not know, found some; write "
                "the motion of its joints",
                zi_map_what(&law->element, NULL, what));
        return NULL;
    }
    if (zi_scenario_frame(reader, &law->element, "frame", &task.frame) < 0) return NULL;
    if (zi_scenario_task_rows(reader, &law->element, &task.rows) < 0) return NULL;
    zvRoute *route = zi_scenario_route(reader, &law->element, is_arc, task.frame, &start, &end);
    return route ? scenario_march(law, &task, route, start, end) : NULL;
}

static zvLaw *make_line(const ziLawText *law) { return make_path(law, false); }
static zvLaw *make_arc(const ziLawText *law) { return make_path(law, true); }

const ziLawKind zi_path_laws[ZI_PATH_LAWS] = {
    {"line", make_line, {"frame", "task", ZI_LINE_KEYS}},
    {"arc", make_arc, {"frame", "task", ZI_ARC_KEYS}},
};
