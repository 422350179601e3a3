/* The planar chain of the lecture on the method of separate bodies: n rods, every matrix 3 x 3, rows (x, y, phi).
 *
 *   a_k = C_k a_{k-1} + S_k qdd_k + a'_k           J = [0 1; -1 0],  A_k = rotation by q_1 + ... + q_k
 *   C_k = [1, -J (A_{k-1} c_{k-1,k} - A_k c_kk); 0, 1]         S_k = [J A_k c_kk; 1]
 *   a'_k = [w_k^2 A_k c_kk - w_{k-1}^2 A_{k-1} c_{k-1,k}; 0]
 *   inward   U = S^T M* S,  M*_{k-1} = M_{k-1} + C^T (M* - M* S U^-1 S^T M*) C                          (17)
 *            Q*_{k-1} = Q_{k-1} - C^T (M* (S U^-1 S^T (Q* - M* a') + a') - Q*)              (18), sign mended
 *   outward  qdd_k = U^-1 S^T (Q* - M* (C a_{k-1} + a'))
 *
 * The same chain is given to the library, which knows nothing of planes. */
#include <math.h>
#include <stdio.h>

#include "zveno/zveno.h"

enum { RODS = 10 };
static const double length = 1.0 / RODS, mass = 10.0 / RODS, gravity = 9.81;

typedef struct Rod {
    double C[3][3], S[3], bias[3]; /* C_k, S_k, a'_k */
    double M[3][3], Q[3];          /* M*, Q* */
    double MS[3], U;
} Rod;

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void times(double m[3][3], const double *x, double *y) {
    for (int i = 0; i < 3; i++) y[i] = dot(m[i], x);
}

/* C_k, S_k, a'_k of all rods, and M, Q of each by itself. c_kk = (-l/2, 0), c_{k,k+1} = (l/2, 0). */
static void place(const double *q, const double *v, Rod *rod) {
    double out[2] = {0, 0}, angle = 0, w = 0;
    for (int k = 0; k < RODS; k++) {
        const double w_before = w;
        angle += q[k];
        w += v[k];
        const double in[2] = {-length / 2 * cos(angle), -length / 2 * sin(angle)};
        const double rho[2] = {out[0] - in[0], out[1] - in[1]};
        rod[k] = (Rod){.C = {{1, 0, -rho[1]}, {0, 1, rho[0]}, {0, 0, 1}},
                       .S = {in[1], -in[0], 1},
                       .M = {{mass, 0, 0}, {0, mass, 0}, {0, 0, mass * length * length / 12}},
                       .Q = {0, -mass * gravity, 0}};
        for (int i = 0; i < 2; i++) rod[k].bias[i] = w * w * in[i] - w_before * w_before * out[i];
        for (int i = 0; i < 2; i++) out[i] = -in[i];
    }
}

/* What rod k hands to the rod before it. */
static void hand_on(Rod *rod, Rod *before) {
    double rest[3][3], carried[3][3], Ma[3], push[3];
    times(rod->M, rod->bias, Ma);
    double u = 0;
    for (int i = 0; i < 3; i++) u += rod->S[i] * (rod->Q[i] - Ma[i]) / rod->U;
    for (int i = 0; i < 3; i++) {
        push[i] = Ma[i] + rod->MS[i] * u - rod->Q[i];
        for (int j = 0; j < 3; j++) rest[i][j] = rod->M[i][j] - rod->MS[i] * rod->MS[j] / rod->U;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            carried[i][j] = rest[i][0] * rod->C[0][j] + rest[i][1] * rod->C[1][j] + rest[i][2] * rod->C[2][j];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            before->Q[i] -= rod->C[k][i] * push[k];
            for (int j = 0; j < 3; j++) before->M[i][j] += rod->C[k][i] * carried[k][j];
        }
}

static void planar_forward(const double *q, const double *v, double *qdd) {
    Rod rod[RODS];
    double a[3] = {0, 0, 0};
    place(q, v, rod);
    for (int k = RODS - 1; k >= 0; k--) {
        times(rod[k].M, rod[k].S, rod[k].MS);
        rod[k].U = dot(rod[k].S, rod[k].MS);
        if (k) hand_on(&rod[k], &rod[k - 1]);
    }
    for (int k = 0; k < RODS; k++) {
        double x[3];
        times(rod[k].C, a, x);
        for (int i = 0; i < 3; i++) x[i] += rod[k].bias[i];
        qdd[k] = (dot(rod[k].S, rod[k].Q) - dot(rod[k].MS, x)) / rod[k].U;
        for (int i = 0; i < 3; i++) a[i] = x[i] + rod[k].S[i] * qdd[k];
    }
}

/* The same rods in space: x to the right, z up; joints about -y turn x towards z. */
static zvStatus add_rod(zvBuilder *builder, int k, zvError *error) {
    char name[24], parent[24], hinge[24];
    snprintf(name, sizeof name, "rod%d", k);
    snprintf(parent, sizeof parent, "rod%d", k - 1);
    snprintf(hinge, sizeof hinge, "hinge%d", k);
    const double moment = mass * length * length / 12;
    zvLink link = zv_link_default(name);
    link.inertia = (zvInertia){.mass = mass, .com = {length / 2, 0, 0}, .moment = {1e-5, 0, 0, moment, 0, moment}};
    zvJoint joint = zv_joint_default(hinge, ZV_JOINT_REVOLUTE, parent, name);
    joint.axis[1] = -1, joint.axis[2] = 0;
    joint.origin.p[0] = k > 1 ? length : 0;
    const zvStatus status = zv_builder_add_link(builder, &link, error);
    return status < 0 ? status : zv_builder_add_joint(builder, &joint, error);
}

static zvModel *chain(zvError *error) {
    zvBuilder *builder = zv_builder_create(error);
    zvModel *model = NULL;
    const zvLink base = zv_link_default("rod0");
    zvStatus status = builder ? zv_builder_add_link(builder, &base, error) : ZV_MEMORY;
    for (int k = 1; k <= RODS && status >= 0; k++) status = add_rod(builder, k, error);
    if (status >= 0) zv_builder_freeze(builder, &model, error);
    zv_builder_destroy(builder);
    return model;
}

int main(void) {
    zvError error = {0};
    zvModel *model = chain(&error);
    zvWork *work = model ? zv_work_create(model, &error) : NULL;
    if (!work) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    double worst = 0;
    for (int state = 0; state < 100; state++) {
        double q[RODS], v[RODS], plane[RODS], space[RODS], difference = 0, size = 0;
        for (int k = 0; k < RODS; k++) {
            q[k] = state ? 2 * sin(7.0 * state + 3.0 * k)
                   : k   ? 0
                         : -1; /* the first is the lecture's: straight, 1 rad down */
            v[k] = state ? 3 * cos(5.0 * state + 2.0 * k) : 0;
        }
        planar_forward(q, v, plane);
        if (zv_forward_dynamics(model, work, q, v, NULL, NULL, space) < 0) return 1;
        for (int k = 0; k < RODS; k++) {
            difference = fmax(difference, fabs(plane[k] - space[k]));
            size = fmax(size, fabs(space[k]));
        }
        if (!state) printf("%d rods let go at -1 rad: first one accelerates with %.6f rad/s^2\n", RODS, space[0]);
        worst = fmax(worst, difference / size);
    }
    printf("3 x 3 recursion and library on 100 states: %s\n", worst < 1e-9 ? "equal to nine digits" : "DIFFERENT");
    zv_work_destroy(work);
    zv_model_destroy(model);
    return worst >= 1e-9;
}
