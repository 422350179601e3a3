/* Inverse dynamics of elastic trees against Lagrange's equations of the energies, which the kinematics reckons link by
 * link without any recursion of forces:
 *   tau = d/dt dT/dv - d(T - V - U)/dq + D e' - Q        Q: external forces by the Jacobians of the links
 * for joints whose v is the rate of q, and, for all joints, the balance of power
 *   d/dt (T + V + U) = (tau + Q).v - e'.D e'.
 * T is quadratic in v, so its derivatives by v are differences without error of truncation; derivatives by q are of
 * eighth order (support/elastic_case.h). Tolerance: a hundred ulps of the energies over the step, uncancelled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/elastic_case.h"
#include "support/run_tests.h"

static const unsigned holonomic = RT_ALL_TYPES & ~(RT_TYPE(SPHERICAL) | RT_TYPE(FREE));
static const double reach = 5; /* m: the trees are smaller */
static const double tight = 100 * DBL_EPSILON;

static double kinetic(ecCase *c, const double *q, const double *v) {
    double T, V;
    zv_energy(c->model, c->work, q, v, &T, &V);
    return T;
}

static double potential(ecCase *c, const double *q) {
    double T, V;
    zv_energy(c->model, c->work, q, NULL, &T, &V);
    return V + zv_strain_energy(c->model, q);
}

/* What energies are the sums of, signs left out. */
static double error_scale_energy(ecCase *c) {
    double g[3];
    zv_model_gravity(c->model, g);
    const double weight = zv_model_mass(c->model) * (fabs(g[0]) + fabs(g[1]) + fabs(g[2]));
    return kinetic(c, c->q, c->v) + zv_strain_energy(c->model, c->q) + weight * reach;
}

/* dT/dv at q for v, by differences in c->x. */
static void momenta(ecCase *c, const double *q, const double *v, double *p) {
    for (int i = 0; i < c->nv; i++) c->x[i] = v[i];
    for (int i = 0; i < c->nv; i++) {
        c->x[i] = v[i] + 1;
        const double more = kinetic(c, q, c->x);
        c->x[i] = v[i] - 1;
        p[i] = (more - kinetic(c, q, c->x)) / 2;
        c->x[i] = v[i];
    }
}

static void ask_momenta(ecCase *c, const double *q, double *p) { momenta(c, q, c->v, p); }
static void ask_lagrangian(ecCase *c, const double *q, double *L) { *L = kinetic(c, q, c->v) - potential(c, q); }
static void ask_energy(ecCase *c, const double *q, double *E) { *E = kinetic(c, q, c->v) + potential(c, q); }

/* Q of fext: wrenches at the links' origins and forces on elastic coordinates; size: its terms, signs left out. */
static void external(ecCase *c, double *Q, double *size) {
    double *J = calloc(6 * (size_t)c->nv + 1, sizeof *J);
    const double *elastic = c->fext + 6 * c->nlink;
    assert_non_null(J);
    for (int i = 0; i < c->nv; i++) Q[i] = size[i] = 0;
    for (int l = 0; l < c->nlink; l++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, l);
        for (int k = 0; k < place.count; k++) Q[place.v_index + k] += *elastic++;
        zv_frame_jacobian(c->model, c->work, c->q, l, ZV_AXES_WORLD, J);
        for (int i = 0; i < c->nv; i++) {
            for (int k = 0; k < 6; k++) {
                Q[i] += J[k * c->nv + i] * c->fext[6 * l + k];
                size[i] += fabs(J[k * c->nv + i] * c->fext[6 * l + k]);
            }
        }
    }
    free(J);
}

/* K e + D e' less K e */
static void damping(ecCase *c, double *d) {
    double *k = calloc((size_t)c->nv + 1, sizeof *k);
    assert_non_null(k);
    zv_elastic_force(c->model, c->q, c->v, d);
    zv_elastic_force(c->model, c->q, NULL, k);
    for (int i = 0; i < c->nv; i++) d[i] -= k[i];
    free(k);
}

typedef struct Equations {
    double *tau, *Q, *size, *d, *rate, *by_a, *unit;
} Equations;

static Equations equations_open(const ecCase *c) {
    Equations s;
    double **all[] = {&s.tau, &s.Q, &s.size, &s.d, &s.rate, &s.by_a, &s.unit};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        *all[i] = calloc((size_t)c->nv + 1, sizeof(double));
        assert_non_null(*all[i]);
    }
    return s;
}

static void equations_close(Equations *s) {
    double *all[] = {s->tau, s->Q, s->size, s->d, s->rate, s->by_a, s->unit};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static bool equations_hold(ecCase *c) {
    Equations s = equations_open(c);
    const double error_scale = error_scale_energy(c), step = ec_step(c);
    bool good = true;
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, s.tau);
    external(c, s.Q, s.size);
    damping(c, s.d);
    ec_rate(c, c->v, ask_momenta, c->nv, s.rate);
    momenta(c, c->q, c->a, s.by_a);
    zv_mass_matrix(c->model, c->work, c->q, c->A);
    for (int i = 0; i < c->nv && good; i++) {
        const double inertia = c->A[i * (c->nv + 1)], share = 1 / sqrt(1 + inertia);
        double slope;
        s.unit[i] = share; /* a shape may be scaled to anything: go as far as its mass allows */
        ec_rate(c, s.unit, ask_lagrangian, 1, &slope);
        s.unit[i] = 0;
        const double want = s.rate[i] + s.by_a[i] - slope / share + s.d[i] - s.Q[i];
        const double size = (error_scale / share + kinetic(c, c->q, c->v) + inertia) / step + s.size[i] +
                            fabs(s.by_a[i]) + kinetic(c, c->q, c->a) + fabs(s.d[i]);
        good = ec_near(c, "tau", i, s.tau[i], want, tight * size);
    }
    equations_close(&s);
    return good;
}

static bool power_balances(ecCase *c) {
    Equations s = equations_open(c);
    double rate, power = 0, size = 0;
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, c->a, c->fext, s.tau);
    external(c, s.Q, s.size);
    damping(c, s.d);
    ec_rate(c, c->v, ask_energy, 1, &rate);
    momenta(c, c->q, c->v, s.by_a);
    for (int i = 0; i < c->nv; i++) {
        rate += s.by_a[i] * c->a[i];
        power += (s.tau[i] + s.Q[i] - s.d[i]) * c->v[i];
        size += (fabs(s.tau[i]) + s.size[i] + fabs(s.d[i])) * fabs(c->v[i]) + fabs(s.by_a[i] * c->a[i]);
    }
    size += kinetic(c, c->q, c->a) + error_scale_energy(c) / ec_step(c);
    equations_close(&s);
    return ec_near(c, "dE/dt", 0, rate, power, tight * size);
}

static void lagrange(void **state) {
    (void)state;
    assert_true(ec_each(41000, 300, holonomic, equations_hold));
}

static void power(void **state) {
    (void)state;
    assert_true(ec_each(42000, 1000, RT_ALL_TYPES, power_balances));
}

TESTS(lagrange, power)
