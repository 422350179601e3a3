/* Inverse dynamics with its derivatives by time.
 *
 * Newton-Euler [Kolyubin] 2.2 on Taylor series x(t) = x0 + x1 t + x2 t^2 of every quantity, cut behind t^2: sums term
 * by term, products (x y)_k = sum x_i y_(k-i). q, v and a have series of their own from v, a, jerk and snap, so no
 * quantity is differentiated on the way, and the answer is exact. */
#include <math.h>

#include "base/require.h"
#include "model/joint_type.h"
#include "model/tree.h"
#include "spatial/vec3.h"
#include "work/scratch.h"
#include "zveno/flexible.h"

enum { TERMS = 3 };

typedef struct Series {
    double c[TERMS];
} Series;

typedef struct VectorSeries {
    vec3 c[TERMS];
} VectorSeries;

typedef struct RotationSeries {
    mat3 c[TERMS];
} RotationSeries;

/* x, and what it is behind: x' and x''. */
static Series series_of(double x, double rate, double second) { return (Series){{x, rate, 0.5 * second}}; }

static VectorSeries add_up(const VectorSeries *a, const VectorSeries *b) {
    VectorSeries s;
    for (int k = 0; k < TERMS; k++) s.c[k] = v3_add(a->c[k], b->c[k]);
    return s;
}

static VectorSeries cross_of(const VectorSeries *a, const VectorSeries *b) {
    VectorSeries s;
    for (int k = 0; k < TERMS; k++) {
        s.c[k] = v3_cross(a->c[0], b->c[k]);
        for (int i = 1; i <= k; i++) s.c[k] = v3_add(s.c[k], v3_cross(a->c[i], b->c[k - i]));
    }
    return s;
}

/* R x, or R^T x */
static VectorSeries rotated_by(const RotationSeries *R, const VectorSeries *x, bool back) {
    VectorSeries s;
    for (int k = 0; k < TERMS; k++) {
        s.c[k] = v3_zero();
        for (int i = 0; i <= k; i++)
            s.c[k] = v3_add(s.c[k], back ? m3_tmulv(R->c[i], x->c[k - i]) : m3_mulv(R->c[i], x->c[k - i]));
    }
    return s;
}

/* w x (w x p) + alpha x p */
static VectorSeries swing_of(const VectorSeries *w, const VectorSeries *alpha, const VectorSeries *p) {
    const VectorSeries wp = cross_of(w, p), wwp = cross_of(w, &wp), ap = cross_of(alpha, p);
    return add_up(&wwp, &ap);
}

/* A joint: its turn about z and its slide, both in the joint frame, with first and second derivatives as series. */
typedef struct JointSeries {
    Series angle, rate, second;
    VectorSeries slide, slide_rate, slide_second;
} JointSeries;

typedef struct BodySeries {
    RotationSeries R;      /* body to parent */
    VectorSeries p;        /* origin in the parent */
    VectorSeries w, al, a; /* body axes; a less gravity */
    VectorSeries f, n;     /* wrench through its joint, about its origin, body axes */
} BodySeries;

/* Motion of the tree: entries of tree coordinates as series. */
typedef struct TreeMotion {
    const zvModel *model;
    const double *q, *v, *a, *jerk, *snap;
} TreeMotion;

static double entry(const TreeMotion *m, const double *x, int dof) {
    const ziCoupling *c = &m->model->coupling;
    if (!x) return 0;
    return c->count ? c->v_ratio[dof] * x[c->v_master[dof]] : x[dof];
}

static double position(const TreeMotion *m, int q) {
    const ziCoupling *c = &m->model->coupling;
    return c->count ? c->q_ratio[q] * m->q[c->q_master[q]] + c->q_offset[q] : m->q[q];
}

static bool plain_type(const ziBody *b) {
    const ziJointType *type = &zi_joint_types[b->type];
    return type->quaternion < 0 && !zi_joint_needs(b->type, ZI_JOINT_PATH | ZI_JOINT_AXIS2);
}

static void add_slide(VectorSeries *s, vec3 axis, const Series *x) {
    for (int k = 0; k < TERMS; k++) s->c[k] = v3_axpy(x->c[k], axis, s->c[k]);
}

/* The axis of the joint frame along which degree of freedom k slides. */
static vec3 slide_axis(const ziJointType *type, int k) {
    return v3(type->along[k] == 'x', type->along[k] == 'y', type->along[k] == 'z');
}

/* Sums over the degrees of freedom: slides along their axes, turns about z, screws do both. */
static JointSeries joint_series(const TreeMotion *m, const ziBody *b) {
    const ziJointType *type = &zi_joint_types[b->type];
    JointSeries j = {.angle = {{0}}};
    for (int k = 0; k < TERMS; k++) j.slide.c[k] = j.slide_rate.c[k] = j.slide_second.c[k] = v3_zero();
    for (int k = 0; k < b->nv; k++) {
        const int dof = b->v + k;
        const double v = entry(m, m->v, dof), a = entry(m, m->a, dof), jerk = entry(m, m->jerk, dof);
        Series x[3] = {series_of(position(m, b->q + k), v, a), series_of(v, a, jerk),
                       series_of(a, jerk, entry(m, m->snap, dof))};
        if (zi_joint_turns(b->type, k)) {
            j.angle = x[0];
            j.rate = x[1];
            j.second = x[2];
        }
        if (!zi_joint_slides(b->type, k)) continue;
        if (type->moves[k] == 's') {
            for (int i = 0; i < 3 * TERMS; i++) x[i / TERMS].c[i % TERMS] *= b->data->pitch;
        }
        const vec3 axis = type->moves[k] == 's' ? v3(0, 0, 1) : slide_axis(type, k);
        add_slide(&j.slide, axis, &x[0]);
        add_slide(&j.slide_rate, axis, &x[1]);
        add_slide(&j.slide_second, axis, &x[2]);
    }
    return j;
}

/* cos and sin of a series. */
static void turn_series(const Series *x, Series *s, Series *c) {
    const double sine = sin(x->c[0]), cosine = cos(x->c[0]), square = 0.5 * x->c[1] * x->c[1];
    *s = (Series){{sine, cosine * x->c[1], cosine * x->c[2] - sine * square}};
    *c = (Series){{cosine, -sine * x->c[1], -sine * x->c[2] - cosine * square}};
}

/* Outward: w, alpha and a of a body from those of its parent. */
static void move_out(const ziBody *b, const JointSeries *j, const BodySeries *up, BodySeries *me) {
    const mat3 E = m3_of12(b->E);
    Series s, c;
    VectorSeries step, turn, twist;
    turn_series(&j->angle, &s, &c);
    for (int k = 0; k < TERMS; k++) { /* R = E Rz, p = r + E slide */
        me->R.c[k] = m3(v3_axpy(c.c[k], E.x, v3_scale(s.c[k], E.y)), v3_axpy(c.c[k], E.y, v3_scale(-s.c[k], E.x)),
                        k == 0 ? E.z : v3_zero());
        me->p.c[k] = m3_mulv(E, j->slide.c[k]);
        step.c[k] = m3_mulv(E, j->slide_rate.c[k]);
        turn.c[k] = v3(0, 0, j->rate.c[k]);
        twist.c[k] = v3(0, 0, j->second.c[k]);
    }
    me->p.c[0] = v3_add(me->p.c[0], v3_of4(b->r));
    VectorSeries at = swing_of(&up->w, &up->al, &me->p), coriolis = cross_of(&up->w, &step);
    for (int k = 0; k < TERMS; k++)
        at.c[k] = v3_add(v3_add(at.c[k], up->a.c[k]), v3_axpy(2, coriolis.c[k], m3_mulv(E, j->slide_second.c[k])));
    const VectorSeries w = rotated_by(&me->R, &up->w, true), al = rotated_by(&me->R, &up->al, true);
    const VectorSeries wz = cross_of(&w, &turn), rise = add_up(&al, &wz);
    me->w = add_up(&w, &turn);
    me->al = add_up(&rise, &twist);
    me->a = rotated_by(&me->R, &at, true);
}

/* The body's own inertia: f = m a + swing(h), n = J alpha + w x J w + h x a. */
static void load_body(const ziBody *b, BodySeries *me) {
    const mat3 J = m3_of12(b->J);
    VectorSeries h, Jw, Jal;
    for (int k = 0; k < TERMS; k++) {
        h.c[k] = k == 0 ? v3_of4(b->h) : v3_zero();
        Jw.c[k] = m3_mulv(J, me->w.c[k]);
        Jal.c[k] = m3_mulv(J, me->al.c[k]);
    }
    const VectorSeries swing = swing_of(&me->w, &me->al, &h), wJw = cross_of(&me->w, &Jw), ha = cross_of(&h, &me->a);
    const VectorSeries turning = add_up(&Jal, &wJw);
    for (int k = 0; k < TERMS; k++) me->f.c[k] = v3_axpy(b->m, me->a.c[k], swing.c[k]);
    me->n = add_up(&turning, &ha);
}

/* Inward: the share of the joint in f and n, and both into the parent. */
static void move_in(const TreeMotion *m, const ziBody *b, const BodySeries *me, BodySeries *up, double *const tau[3]) {
    const ziJointType *type = &zi_joint_types[b->type];
    const ziCoupling *c = &m->model->coupling;
    static const double factorial[TERMS] = {1, 1, 2};
    const VectorSeries f = rotated_by(&me->R, &me->f, false), n = rotated_by(&me->R, &me->n, false);
    for (int k = 0; k < b->nv; k++) {
        const int dof = b->v + k, to = c->count ? c->v_master[dof] : dof;
        const double ratio = c->count ? c->v_ratio[dof] : 1, armature = m->model->tree.armature[dof];
        const double *const moves[TERMS] = {m->a, m->jerk, m->snap};
        const vec3 axis = m3_mulv(m3_of12(b->E), type->moves[k] == 's' ? v3(0, 0, 1) : slide_axis(type, k));
        for (int i = 0; i < TERMS; i++) {
            double share = zi_joint_turns(b->type, k) ? v3_z(me->n.c[i]) : 0;
            if (zi_joint_slides(b->type, k))
                share += (type->moves[k] == 's' ? b->data->pitch : 1) * v3_dot(axis, f.c[i]);
            tau[i][to] += ratio * (factorial[i] * share + armature * entry(m, moves[i], dof));
        }
    }
    const VectorSeries moment = cross_of(&me->p, &f), sum = add_up(&n, &moment);
    up->f = add_up(&up->f, &f);
    up->n = add_up(&up->n, &sum);
}

/* Outward over the bodies, then inward. */
zvStatus zv_inverse_dynamics_rates(const zvModel *model, zvWork *work, const double *q, const double *v,
                                   const double *a, const double *jerk, const double *snap, double *tau,
                                   double *tau_rate, double *tau_second) {
    ZI_REQUIRE(model && work && ZI_ARRAY(q, model->nq) && ZI_ARRAY(tau, model->nv));
    const ziTree *t = &model->tree;
    for (int i = 1; i < t->nb; i++) {
        if (t->body[i].elastic || !plain_type(&t->body[i])) return ZV_NOT_SUPPORTED;
    }
    ziScratch scratch = zi_scratch_of(model, work);
    BodySeries *bodies = zi_scratch_array(&scratch, BodySeries, t->nb);
    double *const out[3] = {tau, tau_rate ? tau_rate : zi_scratch_doubles(&scratch, (size_t)model->nv),
                            tau_second ? tau_second : zi_scratch_doubles(&scratch, (size_t)model->nv)};
    const TreeMotion motion = {model, q, v, a, jerk, snap};
    for (int k = 0; k < TERMS; k++) {
        for (int i = 0; i < model->nv; i++) out[k][i] = 0;
        bodies[0].w.c[k] = bodies[0].al.c[k] = bodies[0].a.c[k] = bodies[0].f.c[k] = bodies[0].n.c[k] = v3_zero();
    }
    bodies[0].a.c[0] = v3_neg(v3_of(t->gravity));
    for (int i = 1; i < t->nb; i++) {
        const JointSeries j = joint_series(&motion, &t->body[i]);
        move_out(&t->body[i], &j, &bodies[t->body[i].parent], &bodies[i]);
        load_body(&t->body[i], &bodies[i]);
    }
    for (int i = t->nb - 1; i > 0; i--) move_in(&motion, &t->body[i], &bodies[i], &bodies[t->body[i].parent], out);
    return ZV_OK;
}
