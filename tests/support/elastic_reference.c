#include "support/elastic_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Jets of vectors and matrices --------------------------------------------------------------------- */

static void times_vector(const refJet R[9], const refJet x[3], refJet y[3]) {
    for (int i = 0; i < 3; i++) {
        y[i] = jet_constant(0);
        for (int k = 0; k < 3; k++) y[i] = jet_plus(y[i], jet_times(R[3 * i + k], x[k]));
    }
}

static void times_matrix(const refJet A[9], const refJet B[9], refJet C[9]) {
    for (int i = 0; i < 9; i++) {
        C[i] = jet_constant(0);
        for (int k = 0; k < 3; k++) C[i] = jet_plus(C[i], jet_times(A[3 * (i / 3) + k], B[3 * k + i % 3]));
    }
}

/* inner seen from where outer is seen */
static refPose compose(const refPose *outer, const refPose *inner) {
    refPose r;
    refJet moved[3];
    times_matrix(outer->R, inner->R, r.R);
    times_vector(outer->R, inner->p, moved);
    for (int i = 0; i < 3; i++) r.p[i] = jet_plus(outer->p[i], moved[i]);
    return r;
}

static refPose constant_pose(const double R[9], const double p[3]) {
    refPose r;
    for (int i = 0; i < 9; i++) r.R[i] = jet_constant(R ? R[i] : i % 4 == 0);
    for (int i = 0; i < 3; i++) r.p[i] = jet_constant(p ? p[i] : 0);
    return r;
}

/* Rotation by the vector theta: 1 + a T + b T^2 with the power series of a = sin t/t and b = (1 - cos t)/t^2. */
static void turn(const refJet theta[3], refJet R[9]) {
    refJet x = jet_constant(0), a = jet_constant(0), b = jet_constant(0), T[9], TT[9];
    for (int i = 0; i < 3; i++) x = jet_plus(x, jet_times(theta[i], theta[i]));
    for (int k = 18; k >= 0; k--) {
        a = jet_plus(jet_constant(1), jet_scale(-1.0L / ((2 * k + 2) * (2 * k + 3)), jet_times(x, a)));
        b = jet_plus(jet_constant(1), jet_scale(-1.0L / ((2 * k + 3) * (2 * k + 4)), jet_times(x, b)));
    }
    const refJet zero = jet_constant(0);
    const refJet skew[9] = {zero,
                            jet_scale(-1, theta[2]),
                            theta[1],
                            theta[2],
                            zero,
                            jet_scale(-1, theta[0]),
                            jet_scale(-1, theta[1]),
                            theta[0],
                            zero};
    memcpy(T, skew, sizeof T);
    times_matrix(T, T, TT);
    for (int i = 0; i < 9; i++) {
        R[i] = jet_plus(jet_times(a, T[i]), jet_scale(0.5L, jet_times(b, TT[i])));
        if (i % 4 == 0) R[i].x += 1;
    }
}

/* Shapes ---------------------------------------------------------------------------------------------- */

typedef struct Function {
    exact f, slope, curvature;
} Function;

/* k-th function of a beam's set at s = x / length, derivatives by x. */
static Function bending(const zvBeam *beam, int k, exact s) {
    exact L = beam->length;
    if (beam->shapes == ZV_SHAPES_GEVORKIAN && k == 0)
        return (Function){3 * s * s - 2 * s * s * s, (6 * s - 6 * s * s) / L, (6 - 12 * s) / (L * L)};
    if (beam->shapes == ZV_SHAPES_GEVORKIAN)
        return (Function){-8 * powl(s, 4) + 14 * powl(s, 3) - 5 * s * s, (-32 * powl(s, 3) + 42 * s * s - 10 * s) / L,
                          (-96 * s * s + 84 * s - 10) / (L * L)};
    int m = k + 2;
    return (Function){powl(s, m), m * powl(s, m - 1) / L, m * (m - 1) * powl(s, m - 2) / (L * L)};
}

static Function stretching(const zvBeam *beam, int k, exact s) {
    return (Function){powl(s, k + 1), (k + 1) * powl(s, k) / (exact)beam->length, 0};
}

/* Displacement and rotation of the section at s for coordinate k. */
static void shape(const zvBeam *beam, int k, exact s, exact d[3], exact r[3]) {
    const int *m = beam->modes;
    for (int i = 0; i < 3; i++) d[i] = r[i] = 0;
    if (k < m[ZV_BEAM_BEND_Y]) {
        Function f = bending(beam, k, s);
        d[1] = f.f;
        r[2] = f.slope;
    } else if (k < m[ZV_BEAM_BEND_Y] + m[ZV_BEAM_BEND_Z]) {
        Function f = bending(beam, k - m[ZV_BEAM_BEND_Y], s);
        d[2] = f.f;
        r[1] = -f.slope;
    } else {
        d[0] = stretching(beam, k - m[ZV_BEAM_BEND_Y] - m[ZV_BEAM_BEND_Z], s).f;
    }
}

/* Stiffness density between coordinates j and k at s. */
static exact strain(const zvBeam *beam, int j, int k, exact s) {
    const int y = beam->modes[ZV_BEAM_BEND_Y], z = y + beam->modes[ZV_BEAM_BEND_Z];
    int dj = j < y ? 0 : j < z ? 1 : 2, dk = k < y ? 0 : k < z ? 1 : 2;
    if (dj != dk) return 0;
    if (dj == 0) return beam->EIz * bending(beam, j, s).curvature * bending(beam, k, s).curvature;
    if (dj == 1) return beam->EIy * bending(beam, j - y, s).curvature * bending(beam, k - y, s).curvature;
    return beam->EA * stretching(beam, j - z, s).slope * stretching(beam, k - z, s).slope;
}

void er_gauss(exact *s, exact *w) {
    const int n = ER_GAUSS;
    for (int i = 0; i < n; i++) {
        exact x = cosl(acosl(-1.0L) * (i + 0.75L) / (n + 0.5L)), slope = 1;
        for (int round = 0; round < 12; round++) {
            exact p0 = 1, p1 = x;
            for (int k = 2; k <= n; k++) {
                exact p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
                p0 = p1;
                p1 = p2;
            }
            slope = n * (x * p1 - p0) / (x * x - 1);
            x -= p1 / slope;
        }
        s[i] = (1 + x) / 2;
        w[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

/* Motion ---------------------------------------------------------------------------------------------- */

/* Along the motion with velocities v and accelerations a. */
typedef struct Motion {
    const double *q;
    const exact *v, *a;
} Motion;

static refJet dof(const Motion *m, int q, int v) { return jet(m->q[q], m->v[v], m->a[v]); }

static void about(const double axis[3], refJet angle, refPose *pose) {
    refJet theta[3];
    for (int i = 0; i < 3; i++) theta[i] = jet_scale(axis[i], angle);
    turn(theta, pose->R);
}

static void slide(const double axis[3], refJet offset, refPose *pose) {
    for (int i = 0; i < 3; i++) pose->p[i] = jet_scale(axis[i], offset);
}

/* R(quaternion) exp(w t + alpha t^2/2): body rates w and alpha at t = 0. */
static void ball(const double e[4], const exact *w, const exact *alpha, refPose *pose) {
    const exact x = e[0], y = e[1], z = e[2], u = e[3], s = 2 / (x * x + y * y + z * z + u * u);
    const exact R[9] = {1 - s * (y * y + z * z), s * (x * y - u * z),     s * (x * z + u * y),
                        s * (x * y + u * z),     1 - s * (x * x + z * z), s * (y * z - u * x),
                        s * (x * z - u * y),     s * (y * z + u * x),     1 - s * (x * x + y * y)};
    refJet fixed[9], moving[9], theta[3];
    for (int i = 0; i < 9; i++) fixed[i] = jet_constant(R[i]);
    for (int i = 0; i < 3; i++) theta[i] = jet(0, w[i], alpha[i]);
    turn(theta, moving);
    times_matrix(fixed, moving, pose->R);
}

/* Position whose velocity is R v with v and w in the moving axes. */
static void fly(const Motion *m, const erLink *l, refPose *pose) {
    const exact *v = m->v + l->v, *w = v + 3, *a = m->a + l->v;
    ball(m->q + l->q + 3, w, a + 3, pose);
    for (int i = 0; i < 3; i++) {
        exact speed = 0, gain = 0;
        for (int k = 0; k < 3; k++) {
            exact turned = w[(k + 1) % 3] * v[(k + 2) % 3] - w[(k + 2) % 3] * v[(k + 1) % 3];
            speed += pose->R[3 * i + k].x * v[k];
            gain += pose->R[3 * i + k].x * (a[k] + turned);
        }
        pose->p[i] = jet(m->q[l->q + i], speed, gain);
    }
}

static refPose joint_pose(const Motion *m, const erLink *l) {
    refPose pose = constant_pose(NULL, NULL), second = pose;
    switch (l->type) {
    case ZV_JOINT_REVOLUTE: about(l->axis, dof(m, l->q, l->v), &pose); break;
    case ZV_JOINT_PRISMATIC: slide(l->axis, dof(m, l->q, l->v), &pose); break;
    case ZV_JOINT_CYLINDRICAL:
        slide(l->axis, dof(m, l->q, l->v), &pose);
        about(l->axis, dof(m, l->q + 1, l->v + 1), &pose);
        break;
    case ZV_JOINT_UNIVERSAL:
        about(l->axis, dof(m, l->q, l->v), &pose);
        about(l->axis2, dof(m, l->q + 1, l->v + 1), &second);
        pose = compose(&pose, &second);
        break;
    case ZV_JOINT_SPHERICAL: ball(m->q + l->q, m->v + l->v, m->a + l->v, &pose); break;
    case ZV_JOINT_FREE: fly(m, l, &pose); break;
    default: break;
    }
    return pose;
}

/* The section of a link at x (double for joints, exact for quadrature) in the link, deformed. */
static refPose section(const Motion *m, const erLink *l, exact x) {
    refPose pose = constant_pose(NULL, NULL);
    refJet theta[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    pose.p[0].x = x;
    for (int k = 0; k < l->n; k++) {
        exact d[3], r[3];
        refJet e = dof(m, l->qe + k, l->ve + k);
        shape(&l->beam, k, x / l->beam.length, d, r);
        for (int i = 0; i < 3; i++) {
            pose.p[i] = jet_plus(pose.p[i], jet_scale(d[i], e));
            theta[i] = jet_plus(theta[i], jet_scale(r[i], e));
        }
    }
    turn(theta, pose.R);
    return pose;
}

/* Poses of all links in the world. */
static void place(const erTree *t, const Motion *m, refPose *pose) {
    pose[0] = constant_pose(NULL, NULL);
    for (int i = 1; i < t->count; i++) {
        const erLink *l = &t->link[i], *up = &t->link[l->parent];
        refPose base = pose[l->parent], joint = joint_pose(m, l);
        double offset[3] = {l->p[0], l->p[1], l->p[2]};
        if (up->n > 0) {
            refPose cut = section(m, up, l->p[0]);
            base = compose(&base, &cut);
            offset[0] = 0;
        }
        refPose origin = constant_pose(l->R, offset);
        base = compose(&base, &origin);
        pose[i] = compose(&base, &joint);
    }
}

enum { POINTS = ER_LINKS * (ER_RIGID + ER_GAUSS) };

typedef struct Cloud {
    int count;
    exact mass[POINTS];
    refJet p[POINTS][3];
} Cloud;

static void add_point(Cloud *c, exact mass, const refPose *pose, const refJet at[3]) {
    refJet turned[3];
    times_vector(pose->R, at, turned);
    c->mass[c->count] = mass;
    for (int i = 0; i < 3; i++) c->p[c->count][i] = jet_plus(pose->p[i], turned[i]);
    c->count++;
}

static void scatter(const erTree *t, const Motion *m, Cloud *c) {
    refPose pose[ER_LINKS + 1];
    const exact *s = t->gauss, *w = t->weight;
    place(t, m, pose);
    c->count = 0;
    for (int i = 1; i < t->count; i++) {
        const erLink *l = &t->link[i];
        for (int k = 0; k < l->points; k++) {
            refPose at = constant_pose(NULL, l->at[k]);
            add_point(c, l->mass[k], &pose[i], at.p);
        }
        for (int k = 0; k < ER_GAUSS && l->elastic; k++) {
            refPose cut = section(m, l, s[k] * l->beam.length);
            add_point(c, w[k] * l->beam.rhoA * l->beam.length, &pose[i], cut.p);
        }
    }
}

/* Partial velocities: one motion per degree of freedom. */
static exact *partial_velocities(const erTree *t, const double *q, int *points, exact *mass) {
    exact *v = lin_numbers(t->nv), *none = lin_numbers(t->nv), *J = lin_numbers(t->nv * POINTS * 3);
    Cloud *c = malloc(sizeof *c);
    for (int k = 0; k < t->nv; k++) {
        v[k] = 1;
        scatter(t, &(Motion){q, v, none}, c);
        v[k] = 0;
        for (int i = 0; i < c->count; i++) {
            for (int x = 0; x < 3; x++) J[(k * POINTS + i) * 3 + x] = c->p[i][x].d;
            mass[i] = c->mass[i];
        }
        *points = c->count;
    }
    free(c);
    free(v);
    free(none);
    return J;
}

void er_mass(const erTree *t, const double *q, exact *M) {
    exact mass[POINTS];
    int points = 0, n = t->nv;
    exact *J = partial_velocities(t, q, &points, mass);
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
            exact sum = 0;
            for (int i = 0; i < points; i++) {
                for (int x = 0; x < 3; x++) sum += mass[i] * J[(j * POINTS + i) * 3 + x] * J[(k * POINTS + i) * 3 + x];
            }
            M[j * n + k] = sum;
        }
    }
    for (int i = 1; i < t->count; i++) {
        const erLink *l = &t->link[i];
        for (int k = 0; k < zv_joint_type_nv(l->type); k++) M[(l->v + k) * (n + 1)] += l->armature[k];
    }
    free(J);
}

/* K e + (mass_factor M + stiffness_factor K) e' of one beam. */
static void add_elastic(const erTree *t, const erLink *l, const double *q, const double *v, exact *tau, exact *size) {
    const exact *s = t->gauss, *w = t->weight;
    for (int j = 0; j < l->n; j++) {
        for (int k = 0; k < l->n; k++) {
            exact K = 0, M = 0, dj[3], dk[3], r[3];
            for (int i = 0; i < ER_GAUSS; i++) {
                shape(&l->beam, j, s[i], dj, r);
                shape(&l->beam, k, s[i], dk, r);
                K += w[i] * l->beam.length * strain(&l->beam, j, k, s[i]);
                M += w[i] * l->beam.length * l->beam.rhoA * (dj[0] * dk[0] + dj[1] * dk[1] + dj[2] * dk[2]);
            }
            exact D = l->beam.damping.mass_factor * M + l->beam.damping.stiffness_factor * K;
            tau[l->ve + j] += K * q[l->qe + k] + D * v[l->ve + k];
            size[l->ve + j] += fabsl(K * q[l->qe + k]) + fabsl(D * v[l->ve + k]);
        }
    }
}

void er_inverse(const erTree *t, const double *q, const double *v, const exact *a, exact *tau, exact *size) {
    exact mass[POINTS], *rate = lin_numbers(t->nv);
    int points = 0;
    exact *J = partial_velocities(t, q, &points, mass);
    Cloud *c = malloc(sizeof *c);
    for (int i = 0; i < t->nv; i++) rate[i] = v[i];
    scatter(t, &(Motion){q, rate, a}, c);
    for (int k = 0; k < t->nv; k++) {
        tau[k] = size[k] = 0;
        for (int i = 0; i < points; i++) {
            for (int x = 0; x < 3; x++) {
                exact term = mass[i] * J[(k * POINTS + i) * 3 + x] * (c->p[i][x].dd - t->gravity[x]);
                tau[k] += term;
                size[k] += fabsl(term);
            }
        }
    }
    for (int i = 1; i < t->count; i++) {
        const erLink *l = &t->link[i];
        for (int k = 0; k < zv_joint_type_nv(l->type); k++) tau[l->v + k] += l->armature[k] * a[l->v + k];
        add_elastic(t, l, q, v, tau, size);
    }
    free(c);
    free(J);
    free(rate);
}
