/* Joint motions that lead a frame along a route: inverse kinematics from knot to knot, velocities and accelerations by
 * the Jacobian, quintic pieces between the knots. The route is cut where its progress breaks, so that pieces are
 * smooth. Where the robot has more freedoms than the task, the joints take the least velocities; their path is a cubic
 * spline through the knots, since the least accelerations belong to another path. */
#include <math.h>
#include <string.h>

#include "simulate/scenario_read.h"

enum { LEAST_KNOTS = 500, MOST_KNOTS = 20000, MOST_PARTS = 64 };
static const double LONGEST_STEP = 0.005; /* s, up to MOST_KNOTS of them */
static const double STILL = 1e-9;         /* of a task that does not move, m/s and m/s^2 */

typedef struct March {
    zvScenarioReader *reader;
    const zvLawText *law;
    const zvTask *task;
    zvRoute *route;
    int width, m;
    bool square;         /* as many joints as directions */
    unsigned char *held; /* (nv) joints that are not listed */
    double *q;           /* (nq) */
    double *v, *a;       /* (nv) */
} March;

static zvStatus set_up(March *march) {
    zvScenarioReader *reader = march->reader;
    const zvScenario *scenario = reader->scenario;
    const size_t nq = (size_t)zv_model_nq(scenario->model), nv = (size_t)zv_model_nv(scenario->model);
    const zvFreedoms *freedoms = march->law->place->freedoms;
    if (!reader->task_work && !(reader->task_work = zv_task_work_create(scenario->model, reader->error)))
        return reader->error->status;
    march->held = zv_scenario_scratch(reader, nv, 1);
    march->q = zv_scenario_scratch(reader, nq + 2 * nv, sizeof *march->q);
    if (!march->held || !march->q) return ZV_MEMORY;
    march->v = march->q + nq;
    march->a = march->v + nv;
    memcpy(march->q, scenario->q, nq * sizeof *march->q);
    memset(march->held, 1, nv);
    for (int i = 0; i < freedoms->count; i++) march->held[freedoms->dofs[i]] = 0;
    march->m = zv_task_width(march->task);
    march->square = march->m == freedoms->count;
    return ZV_OK;
}

static zvStatus unreachable(March *march, double t, double gap) {
    char what[ZV_WHAT];
    return zv_fail(
        march->reader->error, ZV_NO_CONVERGENCE, march->law->element.node->mark, "",
        "%s cannot be followed: at t = %.4g s the frame stays %.3g (m, rad) from its route; bring the target "
        "nearer, ask for fewer directions in task, or begin elsewhere",
        zv_element_what(&march->law->element, NULL, what), t, gap);
}

static zvStatus singular(March *march, double t) {
    char what[ZV_WHAT];
    return zv_fail(march->reader->error, ZV_SINGULAR, march->law->element.node->mark, "",
                   "%s leads through a singular position at t = %.4g s, where the joints would have to move at once; "
                   "ask for fewer directions in task, or begin elsewhere",
                   zv_element_what(&march->law->element, NULL, what), t);
}

/* The rows of the task out of all six. */
static bool take_rows(const March *march, const double all[6], double *rows) {
    bool moves = false;
    for (int i = 0, k = 0; i < 6; i++) {
        if (!(march->task->rows >> i & 1)) continue;
        rows[k++] = all[i];
        moves = moves || fabs(all[i]) > STILL;
    }
    return moves;
}

/* q, v and a on the route at t; time just before t is meant when `before`. */
static zvStatus knot(March *march, double t, bool before) {
    const zvModel *model = march->reader->scenario->model;
    zvInverseKinematics options = zv_inverse_kinematics_default();
    zvPlace place;
    zvPose pose;
    double velocity[6], acceleration[6], xd[6] = {0}, xdd[6] = {0}, gap = 0;
    options.held = march->held;
    zv_route_at(march->route, before ? nextafter(t, -INFINITY) : t, &place, velocity, acceleration);
    memcpy(pose.R, place.R, sizeof pose.R);
    memcpy(pose.p, place.p, sizeof pose.p);
    zvTaskWork *work = march->reader->task_work;
    if (zv_inverse_kinematics(model, work, march->task, &pose, &options, march->q, &gap) < 0)
        return unreachable(march, t, gap);
    const bool moves = take_rows(march, velocity, xd), speeds = take_rows(march, acceleration, xdd);
    const zvStatus status =
        zv_task_resolve(model, work, march->q, march->task, march->held, xd, xdd, march->v, march->a);
    if (status != ZV_OK && (moves || speeds)) return singular(march, t);
    if (status != ZV_OK) memset(march->v, 0, 2 * (size_t)zv_model_nv(model) * sizeof *march->v);
    return ZV_OK;
}

/* A guess for the next knot: straight on. */
static void step(March *march, double h) {
    const zvModel *model = march->reader->scenario->model;
    for (int i = 0; i < zv_model_nv(model); i++) march->v[i] = h * (march->v[i] + h / 2 * march->a[i]);
    zv_position_add(model, march->q, march->v, march->q);
}

static bool at_rest(const double *v, int count) {
    for (int i = 0; i < count; i++)
        if (fabs(v[i]) > STILL) return false;
    return true;
}

/* A smooth piece from t0 to t1 as a law with its own time from 0. */
static zvLaw *piece(March *march, double t0, double t1, int count) {
    zvScenarioReader *reader = march->reader;
    const zvFreedoms *freedoms = march->law->place->freedoms;
    const size_t width = (size_t)march->width, rows = (size_t)count;
    double *times = zv_scenario_scratch(reader, rows, sizeof *times);
    double *x = zv_scenario_scratch(reader, 3 * rows * width, sizeof *x);
    if (!times || !x) return NULL;
    double *dx = x + rows * width, *ddx = dx + rows * width;
    for (int i = 0; i < count; i++) {
        times[i] = (t1 - t0) * i / (count - 1);
        if (i > 0) step(march, times[i] - times[i - 1]);
        if (knot(march, t0 + times[i], i + 1 == count) < 0) return NULL;
        for (size_t k = 0; k < width; k++) {
            const int dof = freedoms->dofs[k];
            x[(size_t)i * width + k] = march->q[reader->coordinates[dof]];
            dx[(size_t)i * width + k] = march->v[dof];
            ddx[(size_t)i * width + k] = march->a[dof];
        }
    }
    if (march->square) return zv_law_hermite(march->width, count, times, x, dx, ddx, reader->error);
    const bool rests = at_rest(dx, march->width) && at_rest(dx + (rows - 1) * width, march->width);
    return zv_law_spline(march->width, count, times, x, rests ? ZV_SPLINE_CLAMPED : ZV_SPLINE_NATURAL, reader->error);
}

/* Where the route is cut; returns the number of pieces. */
static int cut(const March *march, double start, double end, double *cuts) {
    int count = 0;
    cuts[count++] = start;
    for (double t = start; march->square && count < MOST_PARTS;) {
        t = zv_route_next_break(march->route, t);
        if (!(t < end)) break;
        cuts[count++] = t;
    }
    cuts[count] = end;
    return count;
}

static zvLaw *join_pieces(March *march, double start, double end, int knots) {
    zvScenarioReader *reader = march->reader;
    double cuts[MOST_PARTS + 1], durations[MOST_PARTS] = {0};
    zvLaw *parts[MOST_PARTS];
    const int count = cut(march, start, end, cuts);
    for (int i = 0; i < count; i++) {
        const int share = (int)ceil(knots * (cuts[i + 1] - cuts[i]) / (end - start)) + 2;
        durations[i] = cuts[i + 1] - cuts[i];
        if ((parts[i] = piece(march, cuts[i], cuts[i + 1], share))) continue;
        while (i-- > 0) zv_law_destroy(parts[i]);
        return NULL;
    }
    return zv_law_sequence(start, count, parts, durations, reader->error);
}

zvLaw *zv_scenario_march(const zvLawText *law, const zvTask *task, zvRoute *route, double start, double end) {
    March march = {.reader = law->reader, .law = law, .task = task, .route = route, .width = law->place->width};
    const double knots = fmin(fmax(LEAST_KNOTS, ceil((end - start) / LONGEST_STEP)), MOST_KNOTS);
    zvLaw *made = set_up(&march) < 0 ? NULL : join_pieces(&march, start, end, (int)knots);
    zv_route_destroy(route);
    return made;
}
