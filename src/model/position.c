/* Positions: the neutral one, moving by a velocity, quaternions of unit length. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "model/tree.h"

/* Where the quaternion lies within a joint's q, or -1. */
static int quaternion_at(zvJointType type) { return type == ZV_JOINT_SPHERICAL ? 0 : type == ZV_JOINT_FREE ? 3 : -1; }

void zv_neutral(const zvModel *m, double *q) {
    ZI_REQUIRE(m && q);
    for (int i = 0; i < m->nq; i++) q[i] = 0;
    for (int i = 0; i < m->njoint; i++) {
        int at = quaternion_at(m->joints[i].type);
        if (at >= 0) q[m->joint_places[i].q_index + at + 3] = 1;
    }
}

/* out = a * b, both x y z w */
static void quaternion_mul(const double a[4], const double b[4], double out[4]) {
    double x = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    double y = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    double z = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    out[0] = x;
    out[1] = y;
    out[2] = z;
    out[3] = w;
}

/* sin(x/2)/x and (1 - cos x)/x^2, (x - sin x)/x^3 without loss near zero */
typedef struct Screw {
    double half, b, c;
} Screw;

static Screw screw_terms(double x) {
    double z = x * x;
    if (x < 0.05) {
        return (Screw){0.5 * (1 - z / 24 * (1 - z / 80 * (1 - z / 168))),
                       0.5 * (1 - z / 12 * (1 - z / 30 * (1 - z / 56))),
                       (1 - z / 20 * (1 - z / 42 * (1 - z / 72))) / 6};
    }
    double s = sin(0.5 * x);
    return (Screw){s / x, 2 * s * s / z, (x - sin(x)) / (z * x)};
}

/* Body-frame rotation by w: q_out = q exp(w/2), scaled to unit length. */
static void turn(const double q[4], const double w[3], double out[4]) {
    double angle = hypot(hypot(w[0], w[1]), w[2]), k = screw_terms(angle).half;
    double step[4] = {k * w[0], k * w[1], k * w[2], cos(0.5 * angle)};
    quaternion_mul(q, step, out);
    double n = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]);
    for (int i = 0; i < 4; i++) out[i] /= n;
}

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* R(e) d for a quaternion e of any length but zero */
static void rotated(const double e[4], const double d[3], double out[3]) {
    double t[3], et[3], s = 2 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    cross(e, d, t);
    cross(e, t, et);
    for (int i = 0; i < 3; i++) out[i] = d[i] + s * (e[3] * t[i] + et[i]);
}

/* Position moved by the constant body twist (u, w): p + R (u + b w x u + c w x (w x u)). */
static void move(const double q[7], const double v[6], double out[3]) {
    const double *u = v, *w = v + 3;
    Screw k = screw_terms(hypot(hypot(w[0], w[1]), w[2]));
    double wu[3], wwu[3], d[3];
    cross(w, u, wu);
    cross(w, wu, wwu);
    for (int i = 0; i < 3; i++) d[i] = u[i] + k.b * wu[i] + k.c * wwu[i];
    rotated(q + 3, d, out);
    for (int i = 0; i < 3; i++) out[i] += q[i];
}

/* out := x + rate, or rate alone when x is NULL, in the elastic coordinates. */
static void move_elastic(const zvModel *m, const double *x, const double *rate, double *out) {
    for (int i = 1; i < m->tree.nb && m->tree.ne > 0; i++) {
        const ziElastic *el = m->tree.body[i].elastic;
        if (!el) continue;
        int q = m->coupling.q_master[el->q], v = m->coupling.v_master[el->v];
        for (int k = 0; k < el->n; k++) out[q + k] = (x ? x[q + k] : 0) + rate[v + k];
    }
}

void zv_position_add(const zvModel *m, const double *q, const double *v, double *q_out) {
    ZI_REQUIRE(m && q && v && q_out);
    for (int i = 0; i < m->njoint; i++) {
        zvJointPlace place = m->joint_places[i];
        const double *from = q + place.q_index, *by = v + place.v_index;
        double *to = q_out + place.q_index;
        if (m->joints[i].type == ZV_JOINT_SPHERICAL) {
            turn(from, by, to);
        } else if (m->joints[i].type == ZV_JOINT_FREE) {
            double p[3];
            move(from, by, p);
            turn(from + 3, by + 3, to + 3);
            memcpy(to, p, sizeof p);
        } else {
            for (int k = 0; k < place.nq; k++) to[k] = from[k] + by[k];
        }
    }
    move_elastic(m, q, v, q_out);
}

/* de/dt = e (w, 0) / 2 */
static void quaternion_rate(const double e[4], const double w[3], double out[4]) {
    double half[4] = {0.5 * w[0], 0.5 * w[1], 0.5 * w[2], 0};
    quaternion_mul(e, half, out);
}

void zv_position_rate(const zvModel *m, const double *q, const double *v, double *dq) {
    ZI_REQUIRE(m && q && v && dq);
    for (int i = 0; i < m->njoint; i++) {
        zvJointPlace place = m->joint_places[i];
        const double *at = q + place.q_index, *by = v + place.v_index;
        double *rate = dq + place.q_index;
        if (m->joints[i].type == ZV_JOINT_SPHERICAL) {
            quaternion_rate(at, by, rate);
        } else if (m->joints[i].type == ZV_JOINT_FREE) {
            rotated(at + 3, by, rate);
            quaternion_rate(at + 3, by + 3, rate + 3);
        } else {
            for (int k = 0; k < place.nq; k++) rate[k] = by[k];
        }
    }
    move_elastic(m, NULL, v, dq);
}

double zv_position_normalize(const zvModel *m, double *q) {
    ZI_REQUIRE(m && q);
    double worst = 0;
    for (int i = 0; i < m->njoint; i++) {
        int at = quaternion_at(m->joints[i].type);
        if (at < 0) continue;
        double *e = q + m->joint_places[i].q_index + at;
        double n = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        if (isnan(n) || fabs(n - 1) > worst) worst = fabs(n - 1); /* NaN, once found, stays: no comparison beats it */
        for (int k = 0; k < 4 && n > 0; k++) e[k] /= n;
    }
    return worst;
}
