/* Routes whose position and orientation follow laws of their own: rotation vectors, angles about turning axes, turns
 * from one orientation to the next. docs/motion.md (21) to (24). */
#include "base/require.h"
#include "motion/law.h"
#include "motion/route.h"
#include "spatial/quaternion.h"
#include "spatial/rotation_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double unit = 1e-6; /* of the length of a quaternion */

/* Creation -------------------------------------------------------------------------------------------- */

static zvRoute *refuse_laws(zvLaw *position, zvLaw *orientation) {
    zv_law_destroy(position);
    zv_law_destroy(orientation);
    return NULL;
}

static bool check_width(const char *what, const zvLaw *law, int width, zvError *error) {
    if (!law || zv_law_width(law) == width) return true;
    zv_fail(error, ZV_SIZE, (zvMark){0}, "", "%s: expected a law of %d %s, found one of %d; give a law of that width",
            what, width, width == 1 ? "entry" : "entries", zv_law_width(law));
    return false;
}

/* A route that leads position or orientation, or both; takes the laws over. */
static zvRoute *route_of_laws(ziTurning turning, zvLaw *position, zvLaw *orientation, zvError *error) {
    zvRoute *route = NULL;
    if (!position && !orientation)
        zv_fail(error, ZV_SIZE, (zvMark){0}, "",
                "a route of laws: expected a law of position or orientation, found neither; give one");
    else if (check_width("position of a route", position, 3, error) && !(route = calloc(1, sizeof *route)))
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a route");
    if (!route) return refuse_laws(position, orientation);
    route->by_laws = true;
    route->turning = turning;
    route->position = position;
    route->orientation = orientation;
    return route;
}

zvRoute *zv_route_vector(zvLaw *position, zvLaw *vector, zvError *error) {
    if (!check_width("rotation vector of a route", vector, 3, error)) return refuse_laws(position, vector);
    return route_of_laws(ZI_TURNING_VECTOR, position, vector, error);
}

/* One angle for each letter. */
zvRoute *zv_route_angles(zvLaw *position, const char *axes, zvLaw *angles, zvError *error) {
    ZI_REQUIRE(axes && angles);
    const size_t count = strlen(axes);
    if (count < 1 || count > 3 || strspn(axes, "xyz") != count) {
        zv_fail(
            error, ZV_SCHEMA, (zvMark){0}, axes,
            "axes of a route: expected one to three of the letters x, y, z, found \"%.20s\"; write zyx for yaw, pitch "
            "and roll",
            axes);
        return refuse_laws(position, angles);
    }
    if (!check_width("angles of a route", angles, (int)count, error)) return refuse_laws(position, angles);
    zvRoute *route = route_of_laws(ZI_TURNING_ANGLES, position, angles, error);
    for (size_t i = 0; route && i < count; i++) route->axes[i] = axes[i] - 'x';
    return route;
}

/* Finite, and of unit length to rounding of what was written. */
static bool check_quaternions(int count, const double *quaternions, zvError *error) {
    if (!zi_argument_count("quaternions", count, 1, 1 << 20, error) ||
        !zi_argument_array("quaternions", count, 4, quaternions, error))
        return false;
    for (int i = 0; i < count; i++) {
        const double *e = quaternions + 4 * (size_t)i,
                     length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        if (fabs(length - 1) <= unit) continue;
        zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                "quaternion %d: expected unit length to %g, found %.9g; the order is x, y, z, w: check the numbers",
                i + 1, unit, length);
        return false;
    }
    return true;
}

/* A turn for each pair of neighbours: axis (3), angle, and the rotation that it begins with. */
zvRoute *zv_route_slerp(zvLaw *position, int count, const double *quaternions, zvLaw *progress, zvError *error) {
    ZI_REQUIRE(quaternions && progress);
    if (!check_width("progress of a route", progress, 1, error) || !check_quaternions(count, quaternions, error))
        return refuse_laws(position, progress);
    zvRoute *route = route_of_laws(ZI_TURNING_SLERP, position, progress, error);
    if (!route) return NULL;
    route->turns_count = count > 1 ? count - 1 : 1;
    route->turn_list = calloc((size_t)route->turns_count, sizeof *route->turn_list);
    if (!route->turn_list) {
        zv_route_destroy(route);
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a route");
        return NULL;
    }
    for (int i = 0; i < route->turns_count; i++) {
        ziRouteTurn *turn = &route->turn_list[i];
        double last[9];
        zi_rotation_of(quaternions + 4 * (size_t)i, turn->R);
        zi_rotation_of(quaternions + 4 * (size_t)(count > 1 ? i + 1 : i), last);
        zi_turn_between(turn->R, last, turn->axis, &turn->angle);
    }
    return route;
}

/* Evaluation ------------------------------------------------------------------------------------------ */

/* Orientation, angular velocity and acceleration in outer axes. */
typedef struct Attitude {
    double R[9], w[3], alpha[3];
} Attitude;

/* The coefficients in closed form where the series of rotation_of ends: with t the angle,
 * db/d(t^2) = (a - 2 b) / (2 t^2), dc/d(t^2) = (b - 3 c) / (2 t^2). */
static rotation_vector turn_by(const double theta[3]) {
    rotation_vector r = rotation_of(v3_of(theta));
    const double x = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2], t = sqrt(x);
    if (t < 1) return r;
    r.a = sin(t) / t;
    r.b = (1 - cos(t)) / x;
    r.c = (1 - r.a) / x;
    r.db = (r.a - 2 * r.b) / (2 * x);
    r.dc = (r.b - 3 * r.c) / (2 * x);
    return r;
}

static void turn_by_vector(const zvRoute *route, double t, Attitude *at) {
    double x[3], dx[3], ddx[3];
    zv_law_at(route->orientation, t, x, dx, ddx);
    const rotation_vector r = turn_by(x);
    m3_to_rows(at->R, rotation_matrix(&r));
    v3_to(at->w, rotation_rate(&r, v3_of(dx)));
    v3_to(at->alpha, v3_add(rotation_rate(&r, v3_of(ddx)), rotation_bias(&r, v3_of(dx))));
}

/* One turn more about an axis of the frame as it stands: w += a x', alpha += a x'' + w x a x'. */
static void turn_more(Attitude *at, const double axis[3], double x, double dx, double ddx) {
    double outer[3], swing[3], turn[9], R[9];
    for (int i = 0; i < 3; i++)
        outer[i] = at->R[3 * i] * axis[0] + at->R[3 * i + 1] * axis[1] + at->R[3 * i + 2] * axis[2];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        swing[i] = (at->w[j] * outer[k] - at->w[k] * outer[j]) * dx;
    }
    for (int i = 0; i < 3; i++) {
        at->w[i] += outer[i] * dx;
        at->alpha[i] += outer[i] * ddx + swing[i];
    }
    zi_turn_matrix(axis, x, turn);
    zi_turn_product(at->R, turn, R);
    memcpy(at->R, R, sizeof R);
}

static void turn_by_angles(const zvRoute *route, double t, Attitude *at) {
    double x[3] = {0}, dx[3] = {0}, ddx[3] = {0};
    zv_law_at(route->orientation, t, x, dx, ddx);
    *at = (Attitude){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < zv_law_width(route->orientation); i++) {
        const double axis[3] = {route->axes[i] == 0, route->axes[i] == 1, route->axes[i] == 2};
        turn_more(at, axis, x[i], dx[i], ddx[i]);
    }
}

/* The turn that the progress has reached goes on beyond the ends of the list. Its axis is one of the outer axes: R =
 * Rot(u, angle f) R_i. */
static void turn_by_slerp(const zvRoute *route, double t, Attitude *at) {
    double f, df, ddf;
    zv_law_at(route->orientation, t, &f, &df, &ddf);
    const int last = route->turns_count - 1;
    const int i = !(f > 0) ? 0 : f >= last ? last : (int)f;
    const ziRouteTurn *turn = &route->turn_list[i];
    *at = (Attitude){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double R[9];
    turn_more(at, turn->axis, turn->angle * (f - i), turn->angle * df, turn->angle * ddf);
    zi_turn_product(at->R, turn->R, R);
    memcpy(at->R, R, sizeof R);
}

/* What no law leads is the identity at rest. */
void zi_route_by_laws(const zvRoute *route, double t, zvPose *pose, double *velocity, double *acceleration) {
    Attitude at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double p[3] = {0}, dp[3] = {0}, ddp[3] = {0};
    if (route->position) zv_law_at(route->position, t, p, dp, ddp);
    if (route->orientation && route->turning == ZI_TURNING_VECTOR) turn_by_vector(route, t, &at);
    if (route->orientation && route->turning == ZI_TURNING_ANGLES) turn_by_angles(route, t, &at);
    if (route->orientation && route->turning == ZI_TURNING_SLERP) turn_by_slerp(route, t, &at);
    memcpy(pose->p, p, sizeof p);
    memcpy(pose->R, at.R, sizeof at.R);
    for (int i = 0; velocity && i < 3; i++) {
        velocity[i] = dp[i];
        velocity[3 + i] = at.w[i];
    }
    for (int i = 0; acceleration && i < 3; i++) {
        acceleration[i] = ddp[i];
        acceleration[3 + i] = at.alpha[i];
    }
}

bool zv_route_places(const zvRoute *route) {
    ZI_REQUIRE(route);
    return !route->by_laws || route->position;
}

bool zv_route_turns(const zvRoute *route) {
    ZI_REQUIRE(route);
    return !route->by_laws || route->orientation;
}
