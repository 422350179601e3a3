/* Routes. Line and arc are both a turn about a fixed axis through a point, and a shift along a straight line:
 *   p = pivot + shift f + Rot(axis, angle f) arm,   R = Rot(axis, angle f) R0   (or R0),   f the progress.
 * A line has its pivot at the start and no arm, an arc has no shift. docs/motion.md (17) to (20). */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "motion/arguments.h"
#include "motion/turn.h"

struct zvRoute {
    zvLaw *progress;
    zvPlace from;
    double pivot[3], arm[3], shift[3];
    double axis[3], angle;
    bool turns; /* whether the orientation follows */
};

static zvRoute *refuse(zvLaw *progress) {
    zv_law_destroy(progress);
    return NULL;
}

static bool check_progress(const zvLaw *progress, zvError *error) {
    if (!progress) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "",
                "a route has no progress; give a law of one entry that runs from 0 to 1");
        return false;
    }
    const int width = zv_law_width(progress);
    if (width == 1) return true;
    zv_fail(error, ZV_SIZE, (zvMark){0}, "",
            "the progress of a route has %d entries; give a law of one entry from 0 to 1", width);
    return false;
}

static zvRoute *new_route(const zvPlace *from, zvLaw *progress, zvError *error) {
    zvRoute *route = calloc(1, sizeof *route);
    if (!route) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a route");
        return refuse(progress);
    }
    route->progress = progress;
    route->from = *from;
    zi_place_clean(&route->from);
    return route;
}

zvRoute *zv_route_line(const zvPlace *from, const zvPlace *to, zvLaw *progress, zvError *error) {
    if (!check_progress(progress, error) || !zi_place_check("the first place", from, error) ||
        !zi_place_check("the last place", to, error))
        return refuse(progress);
    zvRoute *route = new_route(from, progress, error);
    if (!route) return NULL;
    zvPlace last = *to;
    zi_place_clean(&last);
    for (int i = 0; i < 3; i++) {
        route->pivot[i] = from->p[i];
        route->shift[i] = to->p[i] - from->p[i];
    }
    zi_turn_between(route->from.R, last.R, route->axis, &route->angle);
    route->turns = true;
    return route;
}

zvRoute *zv_route_arc(const zvPlace *from, const double center[3], const double axis[3], double angle, int turn,
                      zvLaw *progress, zvError *error) {
    if (!check_progress(progress, error) || !zi_place_check("the first place", from, error) ||
        !zi_argument_array("the centre of the arc", 1, 3, center, error) ||
        !zi_argument_array("the axis of the arc", 1, 3, axis, error) ||
        !zi_argument_finite("the angle of the arc", angle, error))
        return refuse(progress);
    const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (!(length > 0 && isfinite(length))) {
        zv_fail(error, ZV_NUMBER, (zvMark){0}, "", "the axis of the arc has the length %g; give a direction", length);
        return refuse(progress);
    }
    zvRoute *route = new_route(from, progress, error);
    if (!route) return NULL;
    for (int i = 0; i < 3; i++) {
        route->pivot[i] = center[i];
        route->arm[i] = from->p[i] - center[i];
        route->axis[i] = axis[i] / length;
    }
    route->angle = angle;
    route->turns = turn != 0;
    return route;
}

static void cross(const double a[3], const double b[3], double ab[3]) {
    ab[0] = a[1] * b[2] - a[2] * b[1];
    ab[1] = a[2] * b[0] - a[0] * b[2];
    ab[2] = a[0] * b[1] - a[1] * b[0];
}

static void velocity_of(const zvRoute *route, const double arm[3], double df, double velocity[6]) {
    double omega[3], swing[3];
    for (int i = 0; i < 3; i++) omega[i] = route->axis[i] * route->angle * df;
    cross(omega, arm, swing);
    for (int i = 0; i < 3; i++) {
        velocity[i] = route->shift[i] * df + swing[i];
        velocity[3 + i] = route->turns ? omega[i] : 0;
    }
}

/* shift f'' + alpha x arm + omega x (omega x arm) */
static void acceleration_of(const zvRoute *route, const double arm[3], double df, double ddf, double acceleration[6]) {
    double omega[3], swing[3], inward[3];
    velocity_of(route, arm, ddf, acceleration);
    for (int i = 0; i < 3; i++) omega[i] = route->axis[i] * route->angle * df;
    cross(omega, arm, swing);
    cross(omega, swing, inward);
    for (int i = 0; i < 3; i++) acceleration[i] += inward[i];
}

void zv_route_at(const zvRoute *route, double t, zvPlace *place, double *velocity, double *acceleration) {
    double f, df, ddf, turn[9], arm[3];
    zv_law_at(route->progress, t, &f, &df, &ddf);
    zi_turn_matrix(route->axis, route->angle * f, turn);
    for (int i = 0; i < 3; i++) {
        arm[i] = turn[3 * i] * route->arm[0] + turn[3 * i + 1] * route->arm[1] + turn[3 * i + 2] * route->arm[2];
        place->p[i] = route->pivot[i] + route->shift[i] * f + arm[i];
    }
    if (route->turns) {
        zi_turn_product(turn, route->from.R, place->R);
    } else {
        memcpy(place->R, route->from.R, sizeof place->R);
    }
    if (velocity) velocity_of(route, arm, df, velocity);
    if (acceleration) acceleration_of(route, arm, df, ddf, acceleration);
}

double zv_route_next_break(const zvRoute *route, double t) { return zv_law_next_break(route->progress, t); }

void zv_route_destroy(zvRoute *route) {
    if (!route) return;
    zv_law_destroy(route->progress);
    free(route);
}
