/* Routes of frames: rotations as turns about an axis, lines and arcs. */
#include "motion/route.h"
#include "base/require.h"
#include "motion/law.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rotations of routes: places checked and cleaned, turns as axis and angle. Matrices are row-major. */

/* Turns as quaternions in between: exact near no turn and near half a turn alike. */

static const double orthonormal = 1e-6;
static const double half_turn = 1e-9; /* cosine of half the angle below which both senses count as equally short */
static const double zero = 1e-9;      /* component of an axis */

static double gram(const double R[9], int i, int j) { return R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j]; }

static double determinant(const double R[9]) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

/* Whether all numbers are finite and R is a rotation to 1e-6; what names the pose in the error. */
static bool pose_check(const char *what, const zvPose *pose, zvError *error) {
    ZI_REQUIRE(pose);
    char name[64];
    snprintf(name, sizeof name, "the position of %s", what);
    if (!zi_argument_array(name, 1, 3, pose->p, error)) return false;
    snprintf(name, sizeof name, "the rotation of %s", what);
    if (!zi_argument_array(name, 3, 3, pose->R, error)) return false;
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(gram(pose->R, i, j) - (i == j)));
    if (worst > orthonormal) {
        zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                "%s: expected orthonormal axes to %g, found them off by %.2g; give a rotation matrix with more digits",
                name, orthonormal, worst);
        return false;
    }
    if (determinant(pose->R) > 0) return true;
    zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
            "%s: expected a rotation, found a reflection (determinant -1); give right-handed axes", name);
    return false;
}

void zi_turn_product(const double A[9], const double B[9], double AB[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) AB[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* R (3 - R^T R) / 2 twice: Newton's step for the polar decomposition squares the error. */
static void pose_clean(zvPose *pose) {
    for (int step = 0; step < 2; step++) {
        double S[9], R[9];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) S[3 * i + j] = 0.5 * ((i == j ? 3 : 0) - gram(pose->R, i, j));
        zi_turn_product(pose->R, S, R);
        memcpy(pose->R, R, sizeof R);
    }
}

/* Unit quaternion x y z w of a rotation, by its component of greatest square: no root of a small number. */
static void quaternion_of(const double R[9], double q[4]) {
    const double squares[4] = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8],
                               1 + R[0] + R[4] + R[8]}; /* four times */
    const double x = R[7] - R[5], y = R[2] - R[6], z = R[3] - R[1];
    const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    const double rows[4][4] = {
        {squares[0], xy, xz, x}, {xy, squares[1], yz, y}, {xz, yz, squares[2], z}, {x, y, z, squares[3]}};
    int best = 3;
    for (int i = 0; i < 3; i++)
        if (squares[i] > squares[best]) best = i;
    double length = 0;
    for (int i = 0; i < 4; i++) length += rows[best][i] * rows[best][i];
    for (int i = 0; i < 4; i++) q[i] = rows[best][i] / sqrt(length);
}

/* Whether the first component of a vector that is not zero is negative. */
static bool points_back(const double v[3]) {
    for (int i = 0; i < 3; i++)
        if (fabs(v[i]) > zero) return v[i] < 0;
    return false;
}

/* Unit axis and angle of R1 R0^T, by the shortest way; no turn at all has the axis x. Within 2e-9 rad of half a turn,
 * where both senses are equally short, the axis is the one with positive x; if x is zero positive y, then z. */
void zi_turn_between(const double R0[9], const double R1[9], double axis[3], double *angle) {
    double T[9], R[9], q[4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[3 * i + j] = R0[3 * j + i];
    zi_turn_product(R1, T, R);
    quaternion_of(R, q);
    const bool back = fabs(q[3]) < half_turn ? points_back(q) : q[3] < 0;
    for (int i = 0; i < 4; i++) q[i] = back ? -q[i] : q[i];
    const double sine = hypot(hypot(q[0], q[1]), q[2]);
    *angle = 2 * atan2(sine, q[3]);
    for (int i = 0; i < 3; i++) axis[i] = sine > 0 ? q[i] / sine : i == 0;
}

/* Rodrigues: c 1 + s u~ + (1 - c) u u^T. */
void zi_turn_matrix(const double u[3], double angle, double R[9]) {
    const double s = sin(angle), c = cos(angle), half = sin(0.5 * angle), k = 2 * half * half;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = k * u[i] * u[j] + (i == j ? c : 0);
    R[1] -= s * u[2];
    R[2] += s * u[1];
    R[3] += s * u[2];
    R[5] -= s * u[0];
    R[6] -= s * u[1];
    R[7] += s * u[0];
}

/* Routes. Line and arc are both a turn about a fixed axis through a point, and a shift along a straight line:
 *   p = pivot + shift f + Rot(axis, angle f) arm,   R = Rot(axis, angle f) R0   (or R0),   f the progress.
 * A line has its pivot at the start and no arm, an arc has no shift. docs/motion.md (17) to (20). */

static zvRoute *refuse_route(zvLaw *progress) {
    zv_law_destroy(progress);
    return NULL;
}

/* One entry, and a law at all. */
static bool check_progress(const zvLaw *progress, zvError *error) {
    if (!progress) {
        zv_fail(error, ZV_SIZE, (zvMark){0}, "",
                "progress of a route: expected a law of one entry from 0 to 1, found none; give one");
        return false;
    }
    const int width = zv_law_width(progress);
    if (width == 1) return true;
    zv_fail(error, ZV_SIZE, (zvMark){0}, "",
            "progress of a route: expected a law of one entry from 0 to 1, found %d entries; give one", width);
    return false;
}

static zvRoute *new_route(const zvPose *from, zvLaw *progress, zvError *error) {
    zvRoute *route = calloc(1, sizeof *route);
    if (!route) {
        zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory while making a route");
        return refuse_route(progress);
    }
    route->progress = progress;
    route->from = *from;
    pose_clean(&route->from);
    return route;
}

/* A shift and the shortest turn, both by the same progress. */
zvRoute *zv_route_line(const zvPose *from, const zvPose *to, zvLaw *progress, zvError *error) {
    if (!check_progress(progress, error) || !pose_check("the first pose", from, error) ||
        !pose_check("the last pose", to, error))
        return refuse_route(progress);
    zvRoute *route = new_route(from, progress, error);
    if (!route) return NULL;
    zvPose last = *to;
    pose_clean(&last);
    for (int i = 0; i < 3; i++) {
        route->pivot[i] = from->p[i];
        route->shift[i] = to->p[i] - from->p[i];
    }
    zi_turn_between(route->from.R, last.R, route->axis, &route->angle);
    route->turns = true;
    return route;
}

/* About an axis through the centre; turn: the frame turns along. */
zvRoute *zv_route_arc(const zvPose *from, const double center[3], const double axis[3], double angle, bool turn,
                      zvLaw *progress, zvError *error) {
    if (!check_progress(progress, error) || !pose_check("the first pose", from, error) ||
        !zi_argument_array("the centre of the arc", 1, 3, center, error) ||
        !zi_argument_array("the axis of the arc", 1, 3, axis, error) ||
        !zi_argument_finite("the angle of the arc", angle, error))
        return refuse_route(progress);
    const double length = hypot(hypot(axis[0], axis[1]), axis[2]);
    if (!(length > 0 && isfinite(length))) {
        zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                "the axis of the arc: expected a direction, found the length %g; give another axis", length);
        return refuse_route(progress);
    }
    zvRoute *route = new_route(from, progress, error);
    if (!route) return NULL;
    for (int i = 0; i < 3; i++) {
        route->pivot[i] = center[i];
        route->arm[i] = from->p[i] - center[i];
        route->axis[i] = axis[i] / length;
    }
    route->angle = angle;
    route->turns = turn;
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

/* Derivatives by the chain rule through the progress. */
void zv_route_at(const zvRoute *route, double t, zvPose *pose, double *velocity, double *acceleration) {
    ZI_REQUIRE(route && pose);
    if (route->by_laws) {
        zi_route_by_laws(route, t, pose, velocity, acceleration);
        return;
    }
    double f, df, ddf, turn[9], arm[3];
    zv_law_at(route->progress, t, &f, &df, &ddf);
    zi_turn_matrix(route->axis, route->angle * f, turn);
    for (int i = 0; i < 3; i++) {
        arm[i] = turn[3 * i] * route->arm[0] + turn[3 * i + 1] * route->arm[1] + turn[3 * i + 2] * route->arm[2];
        pose->p[i] = route->pivot[i] + route->shift[i] * f + arm[i];
    }
    if (route->turns) {
        zi_turn_product(turn, route->from.R, pose->R);
    } else {
        memcpy(pose->R, route->from.R, sizeof pose->R);
    }
    if (velocity) velocity_of(route, arm, df, velocity);
    if (acceleration) acceleration_of(route, arm, df, ddf, acceleration);
}

double zv_route_next_break(const zvRoute *route, double t) {
    ZI_REQUIRE(route);
    if (!route->by_laws) return zv_law_next_break(route->progress, t);
    const double place = route->position ? zv_law_next_break(route->position, t) : INFINITY;
    return route->orientation ? fmin(place, zv_law_next_break(route->orientation, t)) : place;
}

void zv_route_destroy(zvRoute *route) {
    if (!route) return;
    zv_law_destroy(route->progress);
    zv_law_destroy(route->position);
    zv_law_destroy(route->orientation);
    free(route->turn_list);
    free(route);
}
