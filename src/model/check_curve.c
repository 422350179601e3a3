/* Rules about the path of a curve joint: it must have a direction everywhere. */
#include <math.h>
#include <stdio.h>

#include "model/check.h"

static const double shortest = 1e-12;   /* of a direction */
static const double least_angle = 1e-6; /* rad, between start and normal of a circle */
static const double least_chord = 1e-9; /* of the longest */

static void report_curve(ziChecker *c, ziAbout about, const char *token, const char *repair, const char *why) {
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "bad-curve", about, token, repair, "%s", why);
}

static double length(const double a[3]) { return hypot(hypot(a[0], a[1]), a[2]); }

static void check_circle(ziChecker *c, const zvCurve *curve, ziAbout about) {
    const double *n = curve->normal, *u = curve->start;
    if (curve->radius <= 0) {
        char token[32];
        snprintf(token, sizeof token, "%.6g", curve->radius);
        report_curve(c, about, token, "give a positive radius in metres", "the radius of its circle is not positive");
    }
    if (length(n) < shortest || length(u) < shortest) {
        report_curve(c, about, length(n) < shortest ? "normal" : "start",
                     "give the normal of the circle's plane and the direction from its centre to q = 0",
                     "the normal or the start of its circle is the zero vector");
        return;
    }
    double cross[3] = {n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]};
    if (length(cross) <= least_angle * length(n) * length(u)) {
        report_curve(c, about, "start", "give a start direction in the plane of the circle",
                     "the start of its circle is parallel to the normal");
    }
}

static double chord(const zvCurve *curve, int i) {
    const double *p = curve->points + 3 * i, *n = curve->points + 3 * ((i + 1) % curve->count);
    return hypot(hypot(n[0] - p[0], n[1] - p[1]), n[2] - p[2]);
}

static void check_spline(ziChecker *c, const zvCurve *curve, ziAbout about) {
    int count = curve->points ? curve->count : 0, least = curve->closed ? 3 : 2;
    char token[32];
    if (count < least) {
        snprintf(token, sizeof token, "%d", count);
        report_curve(c, about, token, "an open spline needs two points, a closed one three",
                     "its spline has too few points");
        return;
    }
    int pieces = curve->closed ? count : count - 1;
    double longest = 0;
    for (int i = 0; i < pieces; i++) longest = fmax(longest, chord(curve, i));
    for (int i = 0; i < pieces; i++) {
        if (!(chord(curve, i) <= least_chord * longest)) continue;
        snprintf(token, sizeof token, "point %d", (i + 1) % count + 1);
        report_curve(c, about, token,
                     "remove one of the two; a closed spline returns to its first point without repeating it",
                     "two neighbouring points of its spline coincide");
        return;
    }
}

void zi_check_curve(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const zvCurve *curve = &joint->curve;
    switch (curve->kind) {
    case ZV_CURVE_LINE:
        if (length(curve->direction) < shortest) {
            report_curve(c, about, "direction", "give the direction of the line",
                         "the direction of its line is the zero vector");
        }
        break;
    case ZV_CURVE_CIRCLE: check_circle(c, curve, about); break;
    case ZV_CURVE_SPLINE: check_spline(c, curve, about); break;
    }
}
