/* Application. Laws of motion: vectors as functions of time with their first and second derivatives, and poses along
 * straight lines and arcs. They know nothing of robots: the same laws give references, prescribed motions, torques and
 * loads.
 *
 * A law is constant after creation and may be shared by threads; evaluating it allocates nothing and cannot fail.
 * Constructors copy what they are given and return NULL with the reason in error. Before its first and after its last
 * knot a law of finite duration holds its end value, at rest. Times are in s and finite. */
#ifndef ZVENO_MOTION_H
#define ZVENO_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/pose.h"
#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct zvLaw zvLaw;

int zv_law_width(const zvLaw *law); /* entries of x */
/* x, dx/dt, d2x/dt2 at t, each (width); dx and ddx may be NULL. At a break the values are those after it. */
void zv_law_at(const zvLaw *law, double t, double *x, double *dx, double *ddx);
/* The first time after t at which x or one of its derivatives jumps, so that an integrator can step up to it and start
 * anew; INFINITY when there is none. */
double zv_law_next_break(const zvLaw *law, double t);
void zv_law_destroy(zvLaw *law); /* NULL is let pass */

/* x = value. */
zvLaw *zv_law_constant(int width, const double *value, zvError *error);
/* x = sum coefficients[k] (t - start)^k, k = 0 ... count - 1, for all t; coefficients is (count x width). */
zvLaw *zv_law_polynomial(int width, double start, int count, const double *coefficients, zvError *error);
/* The polynomial of least degree that has given derivatives at both ends: row k of `from` (from_count x width) is the
 * k-th derivative at `start`, of `to` (to_count x width) at start + duration. Counts 1 to 8: (2, 2) is the cubic,
 * (3, 3) the quintic, (4, 4) the septic law. */
zvLaw *zv_law_boundary(int width, double start, double duration, int from_count, const double *from, int to_count,
                       const double *to, zvError *error);
/* [Gevorkian] x = from + (to - from) (s - sin(2 pi s) / (2 pi)), s = (t - start) / duration. */
zvLaw *zv_law_cycloidal(int width, double start, double duration, const double *from, const double *to, zvError *error);
/* Constant acceleration, cruise, constant deceleration; all entries move in step. Either the duration and the share of
 * it spent accelerating (0 < share <= 0.5), */
zvLaw *zv_law_trapezoidal(int width, double start, double duration, double share, const double *from, const double *to,
                          zvError *error);
/* or the greatest velocity and acceleration of each entry (width each): the shortest motion within them. */
zvLaw *zv_law_trapezoidal_limits(int width, double start, const double *velocity, const double *acceleration,
                                 const double *from, const double *to, zvError *error);
/* x = offset + amplitude sin(frequency (t - start) + phase), entry by entry; frequency in rad/s. */
zvLaw *zv_law_harmonic(int width, double start, const double *offset, const double *amplitude, const double *frequency,
                       const double *phase, zvError *error);
/* Entry by entry to + (from - to) exp(-(t - start) / time), from the start on; at rest before. time (width) is
 * positive, s: what a first-order filter makes of a step. */
zvLaw *zv_law_exponential(int width, double start, const double *from, const double *to, const double *time,
                          zvError *error);

typedef enum zvSplineEnds { ZV_SPLINE_NATURAL, ZV_SPLINE_CLAMPED, ZV_SPLINE_PERIODIC } zvSplineEnds;

/* Cubic spline through count >= 2 points at ascending times; points is (count x width). Clamped ends are at rest. A
 * periodic spline returns to its first point (the last must equal it to 1e-9 of the entry's range) and goes on for ever
 * in both directions. */
zvLaw *zv_law_spline(int width, int count, const double *times, const double *points, zvSplineEnds ends,
                     zvError *error);
/* Quintic pieces that meet x, dx, ddx (count x width each) at ascending times: samples of something smooth. Its inner
 * knots, where the third derivative jumps a little, do not count as breaks. */
zvLaw *zv_law_hermite(int width, int count, const double *times, const double *x, const double *dx, const double *ddx,
                      zvError *error);

typedef enum zvTableMode { ZV_TABLE_LINEAR, ZV_TABLE_HOLD } zvTableMode;

/* Straight lines between the points, or each value held until the next. */
zvLaw *zv_law_table(int width, int count, const double *times, const double *points, zvTableMode mode, zvError *error);
/* One law after the other: part i runs, with its own time from 0, from start + durations[0] + ... + durations[i-1]
 * on; the last one goes on for ever and has no duration (durations is count - 1 long). Before the start the first value
 * is held. Takes the parts over, also on failure; no law may be given twice. */
zvLaw *zv_law_sequence(double start, int count, zvLaw *const *parts, const double *durations, zvError *error);
/* The sum of laws of one width, and laws side by side as one wider vector. Both take the parts over, as above. */
zvLaw *zv_law_sum(int count, zvLaw *const *parts, zvError *error);
zvLaw *zv_law_join(int count, zvLaw *const *parts, zvError *error);

/* A table of numbers from a CSV file: comma, semicolon, tab or blanks between the numbers, an optional line of names,
 * '#' begins a comment. At least one row; all rows of one length; at most 256 MiB. Errors name file, line and column;
 * after one the table is empty. */
typedef struct zvTable {
    int rows, columns;
    double *values;           /* rows x columns */
    const char *const *names; /* columns, or NULL when the file has no line of names */
    void *block;              /* what all of it lies in */
} zvTable;

/* Fills *table, whatever was in it; name stands in error texts. */
zvStatus zv_table_read_file(const char *path, zvTable *table, zvError *error);
zvStatus zv_table_read_memory(const char *name, const char *bytes, size_t size, zvTable *table, zvError *error);
void zv_table_free(zvTable *table); /* empties it; an empty one is let pass */

/* Poses along a path ----------------------------------------------------------------------------------- */

typedef struct zvRoute zvRoute;

/* From one pose to another on a straight line, turning about one fixed axis by the shortest angle; by half a turn
 * about the one of the two axes whose first component that is not zero is positive. progress (width 1, taken over, also
 * on failure) runs from 0 at `from` to 1 at `to`. Rotations must be orthonormal to 1e-6. */
zvRoute *zv_route_line(const zvPose *from, const zvPose *to, zvLaw *progress, zvError *error);
/* Along the circle about an axis through centre (unit length not needed) by angle (rad, any number of turns). turn:
 * whether the orientation turns with the circle or stays. */
zvRoute *zv_route_arc(const zvPose *from, const double center[3], const double axis[3], double angle, bool turn,
                      zvLaw *progress, zvError *error);
/* Position and orientation by laws of their own, for platforms and satellites that are led. position has width 3; NULL:
 * the route does not lead it. All laws are taken over, also on failure.
 *   vector   rotation vector, width 3: a turn about its direction by its length; NULL: the orientation is not led
 *   angles   turns about axes of the frame as it turns, one to three letters of x, y, z and an angle for each: "zyx"
 *            takes yaw, pitch and roll
 *   slerp    from one unit quaternion (x y z w; count x 4, unit to 1e-6) to the next about a fixed axis by the shortest
 *            angle; progress of width 1, k at quaternion k, where it should rest: rates jump there otherwise */
zvRoute *zv_route_vector(zvLaw *position, zvLaw *vector, zvError *error);
zvRoute *zv_route_angles(zvLaw *position, const char *axes, zvLaw *angles, zvError *error);
zvRoute *zv_route_slerp(zvLaw *position, int count, const double *quaternions, zvLaw *progress, zvError *error);
/* Whether a route leads the position, and the orientation; what it does not lead it tells as the identity at rest. */
bool zv_route_places(const zvRoute *route);
bool zv_route_turns(const zvRoute *route);
/* Pose, velocity and acceleration (linear of the origin, angular; outer axes; 6 each) at t; each of the latter two may
 * be NULL. */
void zv_route_at(const zvRoute *route, double t, zvPose *pose, double *velocity, double *acceleration);
/* As zv_law_next_break. */
double zv_route_next_break(const zvRoute *route, double t);
void zv_route_destroy(zvRoute *route); /* NULL is let pass */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
