/* Joint motions that lead a frame along a route: inverse kinematics from knot to knot, velocities and accelerations by
 * the Jacobian, quintic pieces between the knots. The route is cut where its progress breaks, so that pieces are
 * smooth. Where the robot has more freedoms than the task, the joints take the least velocities q' = F(t, q): a step of
 * the classical Runge-Kutta method leads to the next knot, which inverse kinematics only corrects, and accelerations
 * are the differences of F along the motion. (The least accelerations belong to another path.) */
#include <math.h>
#include <string.h>

#include "simulate/scenario_read.h"

enum { LEAST_KNOTS = 500, MOST_KNOTS = 20000, MOST_PARTS = 64 };
static const double LONGEST_STEP = 0.005; /* s, up to MOST_KNOTS of them */
static const double STILL = 1e-9;         /* of a task that does not move, m/s and m/s^2 */

typedef struct March {
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
} March;

static zvStatus set_up(March *march) {
    ziScenarioReader *reader = march->reader;
    const zvScenario *scenario = reader->scenario;
    const size_t nq = (size_t)zv_model_nq(scenario->model), nv = (size_t)zv_model_nv(scenario->model);
    const ziFreedoms *freedoms = march->law->place->freedoms;
    if (!reader->task_work && !(reader->task_work = zv_task_work_create(scenario->model, reader->error)))
        return reader->error->status;
    march->held = zi_scenario_scratch(reader, nv, 1);
    march->q = zi_scenario_scratch(reader, 2 * nq + 4 * nv, sizeof *march->q);
    if (!march->held || !march->q) return ZV_MEMORY;
    march->v = march->q + nq;
    march->a = march->v + nv;
    march->k = march->a + nv;
    march->sum = march->k + nv;
    march->near = march->sum + nv;
    memcpy(march->q, scenario->q, nq * sizeof *march->q);
    memset(march->held, 1, nv);
    for (int i = 0; i < freedoms->count; i++) march->held[freedoms->dofs[i]] = 0;
    march->m = zv_task_width(march->task);
    march->square = march->m == freedoms->count;
    return ZV_OK;
}

static zvStatus unreachable(March *march, double t, double gap) {
    char what[ZI_WHAT];
    return zv_fail(
        march->reader->error, ZV_NO_CONVERGENCE, march->law->element.node->mark, "",
        "%s cannot be followed: at t = %.4g s the frame stays %.3g (m, rad) from its route; bring the target "
        "nearer, ask for fewer directions in task, or begin elsewhere",
        zi_element_what(&march->law->element, NULL, what), t, gap);
}

static zvStatus singular(March *march, double t) {
    char what[ZI_WHAT];
    return zv_fail(march->reader->error, ZV_SINGULAR, march->law->element.node->mark, "",
                   "%s leads through a singular position at t = %.4g s, where the joints would have to move at once; "
                   "ask for fewer directions in task, or begin elsewhere",
                   zi_element_what(&march->law->element, NULL, what), t);
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

/* q at t, from the guess in q. */
static zvStatus place(March *march, double t, zvPlace *place) {
    const zvModel *model = march->reader->scenario->model;
    zvInverseKinematics options = zv_inverse_kinematics_default();
    zvPose pose;
    double gap = 0;
    options.held = march->held;
    memcpy(pose.R, place->R, sizeof pose.R);
    memcpy(pose.p, place->p, sizeof pose.p);
    if (zv_inverse_kinematics(model, march->reader->task_work, march->task, &pose, &options, march->q, &gap) < 0)
        return unreachable(march, t, gap);
    return ZV_OK;
}

/* Within the piece: its last instant is the one before its end. */
static double within(const March *march, double t) { return t < march->end ? t : nextafter(march->end, -INFINITY); }

/* As many joints as directions: v and a follow from the route's. */
static zvStatus square_knot(March *march, double t) {
    const zvModel *model = march->reader->scenario->model;
    zvPlace at;
    double velocity[6], acceleration[6], xd[6] = {0}, xdd[6] = {0};
    zv_route_at(march->route, within(march, t), &at, velocity, acceleration);
    zvStatus status = place(march, t, &at);
    if (status < 0) return status;
    const bool moves = take_rows(march, velocity, xd), speeds = take_rows(march, acceleration, xdd);
    status = zv_task_resolve(model, march->reader->task_work, march->q, march->task, march->held, xd, xdd, march->v,
                             march->a);
    if (status != ZV_OK && (moves || speeds)) return singular(march, t);
    if (status != ZV_OK) memset(march->v, 0, 2 * (size_t)zv_model_nv(model) * sizeof *march->v);
    return ZV_OK;
}

/* A guess for the next knot: straight on. */
static void square_step(March *march, double h) {
    const zvModel *model = march->reader->scenario->model;
    for (int i = 0; i < zv_model_nv(model); i++) march->v[i] = h * (march->v[i] + h / 2 * march->a[i]);
    zv_position_add(model, march->q, march->v, march->q);
}

/* More joints: the least velocities ------------------------------------------------------------------- */

/* k = F(t, q) */
static zvStatus flow(March *march, double t, const double *q, double *k) {
    const zvModel *model = march->reader->scenario->model;
    zvPlace at;
    double velocity[6], xd[6] = {0};
    zv_route_at(march->route, within(march, t), &at, velocity, NULL);
    const bool moves = take_rows(march, velocity, xd);
    const zvStatus status =
        zv_task_resolve(model, march->reader->task_work, q, march->task, march->held, xd, NULL, k, NULL);
    if (status != ZV_OK && moves) return singular(march, t);
    if (status != ZV_OK) memset(k, 0, (size_t)zv_model_nv(model) * sizeof *k);
    return ZV_OK;
}

/* k = F(t + s, q + s v) with a v of one's own */
static zvStatus flow_along(March *march, double t, double s, const double *v, double *k) {
    const zvModel *model = march->reader->scenario->model;
    for (int i = 0; i < zv_model_nv(model); i++) k[i] = s * v[i];
    zv_position_add(model, march->q, k, march->near);
    return flow(march, t + s, march->near, k);
}

/* One step of Runge and Kutta from the knot at t. */
static zvStatus flow_step(March *march, double t, double h) {
    static const double nodes[3] = {0.5, 0.5, 1}, weights[3] = {1 / 3.0, 1 / 3.0, 1 / 6.0};
    const zvModel *model = march->reader->scenario->model;
    const int nv = zv_model_nv(model);
    memcpy(march->k, march->v, (size_t)nv * sizeof *march->k);
    for (int i = 0; i < nv; i++) march->sum[i] = h / 6 * march->k[i];
    for (int stage = 0; stage < 3; stage++) {
        memcpy(march->a, march->k, (size_t)nv * sizeof *march->a);
        const zvStatus status = flow_along(march, t, nodes[stage] * h, march->a, march->k);
        if (status < 0) return status;
        for (int i = 0; i < nv; i++) march->sum[i] += h * weights[stage] * march->k[i];
    }
    zv_position_add(model, march->q, march->sum, march->q);
    return ZV_OK;
}

/* The rate of F along the motion by five-point differences of width s: all five ahead at the beginning of a piece, all
 * behind at its end, two on either side between. */
static zvStatus flow_rate(March *march, double t, double s, int ahead) {
    static const double sides[5] = {1 / 12.0, -2 / 3.0, 0, 2 / 3.0, -1 / 12.0};
    static const double beyond[5] = {-25 / 12.0, 4, -3, 4 / 3.0, -1 / 4.0};
    const int nv = zv_model_nv(march->reader->scenario->model);
    memset(march->a, 0, (size_t)nv * sizeof *march->a);
    for (int i = 0; i < 5; i++) {
        const double weight = ahead == 0 ? sides[i] : ahead * beyond[i];
        const zvStatus status = flow_along(march, t, ahead == 0 ? (i - 2) * s : ahead * i * s, march->v, march->k);
        if (status < 0) return status;
        for (int n = 0; n < nv; n++) march->a[n] += weight / s * march->k[n];
    }
    return ZV_OK;
}

static zvStatus flow_knot(March *march, double t, double h, int ahead) {
    zvPlace at;
    zv_route_at(march->route, within(march, t), &at, NULL, NULL);
    zvStatus status = place(march, t, &at);
    if (status >= 0) status = flow(march, t, march->q, march->v);
    return status < 0 ? status : flow_rate(march, t, h / 8, ahead);
}

/* Pieces ---------------------------------------------------------------------------------------------- */

static zvStatus next_knot(March *march, double t, double h, bool first, bool last) {
    if (march->square) {
        if (!first) square_step(march, h);
        return square_knot(march, t);
    }
    const zvStatus status = first ? ZV_OK : flow_step(march, t - h, h);
    return status < 0 ? status : flow_knot(march, t, h, first ? 1 : last ? -1 : 0);
}

/* A smooth piece from t0 to t1 as a law with its own time from 0. */
static zvLaw *piece(March *march, double t0, double t1, int count) {
    ziScenarioReader *reader = march->reader;
    const ziFreedoms *freedoms = march->law->place->freedoms;
    const size_t width = (size_t)march->width, rows = (size_t)count;
    double *times = zi_scenario_scratch(reader, rows, sizeof *times);
    double *x = zi_scenario_scratch(reader, 3 * rows * width, sizeof *x);
    if (!times || !x) return NULL;
    double *dx = x + rows * width, *ddx = dx + rows * width;
    const double h = (t1 - t0) / (count - 1);
    march->end = t1;
    for (int i = 0; i < count; i++) {
        times[i] = (t1 - t0) * i / (count - 1);
        if (next_knot(march, t0 + times[i], h, i == 0, i + 1 == count) < 0) return NULL;
        for (size_t k = 0; k < width; k++) {
            const int dof = freedoms->dofs[k];
            x[(size_t)i * width + k] = march->q[reader->coordinates[dof]];
            dx[(size_t)i * width + k] = march->v[dof];
            ddx[(size_t)i * width + k] = march->a[dof];
        }
    }
    return zv_law_hermite(march->width, count, times, x, dx, ddx, reader->error);
}

/* Where the route is cut; returns the number of pieces. */
static int cut(const March *march, double start, double end, double *cuts) {
    int count = 0;
    cuts[count++] = start;
    for (double t = start; count < MOST_PARTS;) {
        t = zv_route_next_break(march->route, t);
        if (!(t < end)) break;
        cuts[count++] = t;
    }
    cuts[count] = end;
    return count;
}

static zvLaw *join_pieces(March *march, double start, double end, int knots) {
    ziScenarioReader *reader = march->reader;
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

zvLaw *zi_scenario_march(const ziLawText *law, const zvTask *task, zvRoute *route, double start, double end) {
    March march = {.reader = law->reader, .law = law, .task = task, .route = route, .width = law->place->width};
    const double knots = fmin(fmax(LEAST_KNOTS, ceil((end - start) / LONGEST_STEP)), MOST_KNOTS);
    zvLaw *made = set_up(&march) < 0 ? NULL : join_pieces(&march, start, end, (int)knots);
    zv_route_destroy(route);
    return made;
}
