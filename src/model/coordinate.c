/* Coordinates of a model: names, units and places; the neutral position, moving by a velocity, unit quaternions. */
#include "model/coordinate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/require.h"
#include "model/joint_type.h"
#include "model/tree.h"

static char *label(ziArena *arena, const char *name, const char *part) {
    if (!part) return zi_arena_text(arena, name);
    size_t size = strlen(name) + strlen(part) + 2;
    char *text = zi_arena_alloc(arena, size);
    if (text) snprintf(text, size, "%s.%s", name, part);
    return text;
}

/* Joints first, then elastic links, each where its coordinates lie. */
bool zi_coordinate_labels(const zvModel *model, bool of_q, ziArena *arena, const char **labels) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const zvJoint *joint = zv_model_joint(model, i);
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        for (int k = 0; k < count; k++) {
            const char *part = of_q ? zv_joint_type_q_part(joint->type, k) : zv_joint_type_v_part(joint->type, k);
            labels[first + k] = label(arena, joint->name, part);
            if (!labels[first + k]) return false;
        }
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        const int first = of_q ? place.q_index : place.v_index;
        for (int k = 0; k < place.count; k++) {
            labels[first + k] = label(arena, zv_model_link(model, i)->name, zv_model_elastic_part(model, i, k));
            if (!labels[first + k]) return false;
        }
    }
    return true;
}

/* As labels are: joints, then elastic links. */
void zi_coordinate_units(const zvModel *model, bool of_q, zvQuantity quantity, const char **units) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const zvJointType type = zv_model_joint(model, i)->type;
        const int first = of_q ? place.q_index : place.v_index, count = of_q ? place.nq : place.nv;
        for (int k = 0; k < count; k++)
            units[first + k] = of_q ? zv_joint_type_q_unit(type, k) : zv_joint_type_v_unit(type, k, quantity);
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        const int first = of_q ? place.q_index : place.v_index;
        for (int k = 0; k < place.count; k++)
            units[first + k] = zv_model_elastic_unit(model, i, k, of_q ? ZV_QUANTITY_POSITION : quantity);
    }
}

void zi_coordinates_of_dofs(const zvModel *model, int *coordinate) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        for (int k = 0; k < place.nv; k++)
            coordinate[place.v_index + k] = place.nq == place.nv ? place.q_index + k : -1;
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvElasticPlace place = zv_model_elastic_place(model, i);
        for (int k = 0; k < place.count; k++) coordinate[place.v_index + k] = place.q_index + k;
    }
}

/* From follower to master, the laws put into each other. */
ziFollow zi_joint_follow(const zvModel *model, int joint) {
    ziFollow f = {.ratio = 1};
    zvJointPlace place = zv_model_joint_place(model, joint);
    for (; place.mimic >= 0; place = zv_model_joint_place(model, joint)) {
        const zvJoint *own = zv_model_joint(model, joint);
        f.offset += f.ratio * own->offset;
        f.ratio *= own->ratio;
        joint = place.mimic;
    }
    f.dof = place.v_index;
    f.coordinate = place.q_index;
    return f;
}

/* Stiffness and damping of a follower count with the square of the ratio, friction with the ratio. */
ziDofPassive zi_joint_passive(const zvModel *model, int joint, int k) {
    const ziFollow f = zi_joint_follow(model, joint);
    const zvDof *own = &zv_model_joint(model, joint)->dof[k];
    ziDofPassive p = {.dof = f.dof + k, .coordinate = f.coordinate + k, .swiftness = fabs(f.ratio)};
    if (f.ratio == 0) return p;
    p.stiffness = f.ratio * f.ratio * own->stiffness;
    if (zi_joint_has_quaternion(zv_model_joint(model, joint)->type)) p.stiffness = 0; /* model/joint_spring.h */
    p.rest = (own->rest - f.offset) / f.ratio;
    p.damping = f.ratio * f.ratio * own->damping;
    p.friction = p.swiftness * own->friction;
    return p;
}

void zv_neutral(const zvModel *m, double *q) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq));
    for (int i = 0; i < m->nq; i++) q[i] = 0;
    for (int i = 0; i < m->njoint; i++) {
        int at = zi_joint_types[m->joints[i].type].quaternion;
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
static void turn_quaternion(const double q[4], const double w[3], double out[4]) {
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
static void move_origin(const double q[7], const double v[6], double out[3]) {
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

/* Quaternions turn by the exact exponential; positions of free joints move along the screw. */
void zv_position_add(const zvModel *m, const double *q, const double *v, double *q_out) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && ZI_ARRAY(v, m->nv) && ZI_ARRAY(q_out, m->nq));
    for (int i = 0; i < m->njoint; i++) {
        zvJointPlace place = m->joint_places[i];
        const double *from = q + place.q_index, *by = v + place.v_index;
        double *to = q_out + place.q_index;
        const int at = zi_joint_types[m->joints[i].type].quaternion;
        double p[3];
        if (at > 0) move_origin(from, by, p);
        if (at >= 0) turn_quaternion(from + at, by + at, to + at);
        if (at > 0) memcpy(to, p, sizeof p);
        for (int k = 0; at < 0 && k < place.nq; k++) to[k] = from[k] + by[k];
    }
    move_elastic(m, q, v, q_out);
}

/* de/dt = e (w, 0) / 2 */
static void quaternion_rate(const double e[4], const double w[3], double out[4]) {
    double half[4] = {0.5 * w[0], 0.5 * w[1], 0.5 * w[2], 0};
    quaternion_mul(e, half, out);
}

/* The derivative of zv_position_add at zero; quaternions keep their length. */
void zv_position_rate(const zvModel *m, const double *q, const double *v, double *dq) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && ZI_ARRAY(v, m->nv) && ZI_ARRAY(dq, m->nq));
    for (int i = 0; i < m->njoint; i++) {
        zvJointPlace place = m->joint_places[i];
        const double *at = q + place.q_index, *by = v + place.v_index;
        double *rate = dq + place.q_index;
        const int quaternion = zi_joint_types[m->joints[i].type].quaternion;
        if (quaternion > 0) rotated(at + quaternion, by, rate);
        if (quaternion >= 0) quaternion_rate(at + quaternion, by + quaternion, rate + quaternion);
        for (int k = 0; quaternion < 0 && k < place.nq; k++) rate[k] = by[k];
    }
    move_elastic(m, NULL, v, dq);
}

/* Joints one by one; w = 2 e^-1 de/dt, and the displacement turned back. */
void zi_position_departure(const zvModel *m, const double *q, const double *dq, double *v) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        const double *at = q + place.q_index, *rate = dq + place.q_index;
        double *by = v + place.v_index;
        const int quaternion = zi_joint_types[m->joints[j].type].quaternion;
        for (int k = 0; quaternion < 0 && k < place.nq; k++) by[k] = rate[k];
        if (quaternion < 0) continue;
        const double *e = at + quaternion, back[4] = {-e[0], -e[1], -e[2], e[3]};
        const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
        double turn[4];
        if (quaternion > 0) rotated(back, rate, by);
        quaternion_mul(back, rate + quaternion, turn);
        for (int k = 0; k < 3; k++) by[quaternion + k] = 2 * turn[k] / square;
    }
    for (int i = 1; i < m->tree.nb && m->tree.ne > 0; i++) {
        const ziElastic *el = m->tree.body[i].elastic;
        for (int k = 0; el && k < el->n; k++) v[m->coupling.v_master[el->v] + k] = dq[m->coupling.q_master[el->q] + k];
    }
}

/* Reports how far off the worst quaternion was. */
double zv_position_normalize(const zvModel *m, double *q) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq));
    double worst = 0;
    for (int i = 0; i < m->njoint; i++) {
        int at = zi_joint_types[m->joints[i].type].quaternion;
        if (at < 0) continue;
        double *e = q + m->joint_places[i].q_index + at;
        double n = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
        if (isnan(n) || fabs(n - 1) > worst) worst = fabs(n - 1); /* NaN, once found, stays: no comparison beats it */
        for (int k = 0; k < 4 && n > 0; k++) e[k] /= n;
    }
    return worst;
}
