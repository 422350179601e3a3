/* The closed sweep itself (articulated_closed): its levels, common ancestors that move, rows that repeat each other and
 * what is said of them; against dense systems in long double. What its callers make of it is tested in loops/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/coupled.h"
#include "dynamics/external.h"
#include "dynamics/kernels.h"
#include "support/closed_dense.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static const double rounding = 1e-12;

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

/* Random mechanisms ------------------------------------------------------------------------------------------------ */

static int compared, moving_ancestors, carried_on;

/* Loops whose branches meet at a body that moves, and common ancestors through which other loops go on. */
static void count_ancestors(const zvModel *model) {
    const ziClosedTree *c = model->tree.closed;
    for (int i = 1; i < model->tree.nb; i++) {
        const ziPassage *p = &c->passage[i];
        if (p->whole < 0 || c->front[p->whole].done == 0) continue;
        moving_ancestors++;
        carried_on += p->carry >= 0;
    }
}

/* The level's own system: no forces but tau, gaps or rates instead of what velocities ask for. */
static void take_level(cdSystem *s, const rcCase *c, ziConstraintLevel level, const zvClosing *closing) {
    double *gap = numbers(c->rows), *rate = numbers(c->rows);
    zv_loop_gaps(c->model, c->work, closing, c->q, c->v, gap, rate);
    for (int i = 0; i < s->n; i++) {
        s->bias[i] = s->error_scale[i] = 0;
        s->given_tau[i] = level == ZI_CONSTRAINT_FREE ? c->tau[i] : 0;
    }
    for (int k = 0; k < s->m; k++) {
        const double x = level == ZI_CONSTRAINT_POSITIONS ? gap[k] : level == ZI_CONSTRAINT_VELOCITIES ? rate[k] : 0;
        s->gamma[k] = x;
        s->gamma_error_scale[k] = level == ZI_CONSTRAINT_FREE ? 0 : fabs(x) + 1; /* made of metres, metres per second */
    }
    free(gap);
    free(rate);
}

static zvStatus run_kernel(const rcCase *c, const cdSystem *s, ziConstraintTask *constraints, double *tau, double *a) {
    const ziTree *t = &c->model->tree;
    ziScratch scratch = c->work->scratch;
    const double *wrenches = zi_body_wrenches(c->model, &scratch, c->q, c->fext);
    double *k = numbers(c->nv);
    if (t->ne && constraints->level == ZI_CONSTRAINT_ACCELERATIONS)
        zv_elastic_force(c->model, c->q, c->v, k); /* the caller's */
    for (int i = 0; i < c->nv; i++) {
        const bool force = s->given[i] == ZV_GIVEN_FORCE;
        tau[i] = (force ? s->given_tau[i] : 0) - k[i];
        a[i] = s->given[i] == ZV_GIVEN_ACCELERATION ? s->given_a[i] : NAN;
    }
    const zvStatus status = zi_kernels(c->model)->articulated_closed(t, scratch, c->q, c->v, s->given, t->gravity,
                                                                     wrenches, NULL, constraints, tau, a);
    for (int i = 0; i < c->nv; i++) tau[i] += k[i];
    free(k);
    return status;
}

static bool level_agrees(rcCase *c, ziConstraintLevel level, const zvClosing *closing, double share) {
    double *tau = numbers(c->nv), *a = numbers(c->nv), *lambda = numbers(c->rows);
    ziConstraintTask constraints = {
        .level = level, .targets = closing->targets, .feedback = closing->feedback, .lambda = lambda};
    cdSystem s;
    bool good = true;
    cd_open(&s, c, closing);
    if (level != ZI_CONSTRAINT_ACCELERATIONS) take_level(&s, c, level, closing);
    for (int i = 0; i < c->nv; i++) {
        s.given[i] = rt_chance(&c->random, share) ? (unsigned char)(1 + rt_below(&c->random, 2)) : ZV_GIVEN_FORCE;
        s.given_a[i] = rt_uniform(&c->random, -1, 1);
    }
    if (cd_solve(&s)) {
        const zvStatus status = run_kernel(c, &s, &constraints, tau, a);
        good = status == ZV_OK && constraints.dropped == 0 && cd_near(c, "a", c->nv, a, s.a, s.a_scale, rounding) &&
               cd_near(c, "lambda", c->rows, lambda, s.lambda, s.lambda_scale, rounding);
        for (int i = 0; i < c->nv; i++) /* given: not an answer */
            if (s.given[i] == ZV_GIVEN_FORCE) tau[i] = (double)s.tau[i];
        good = good && cd_near(c, "tau", c->nv, tau, s.tau, s.tau_scale, rounding);
        if (!good) print_message("level %d: %s, %d dropped\n", level, zv_status_name(status), constraints.dropped);
        count_ancestors(c->model);
        compared++;
    }
    cd_close(&s);
    free(tau);
    free(a);
    free(lambda);
    return good;
}

/* Every level at a state that nothing fits: positions off, velocities any, targets that move. */
static bool all_levels_agree(rcCase *c) {
    double *targets = numbers(3 * c->loops), *off = numbers(c->nv), *q = numbers(c->nq);
    for (int i = 0; i < c->loops; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        targets[3 * i] = loop->kind == ZV_LOOP_ROD        ? loop->length
                         : loop->kind == ZV_LOOP_COUPLING ? loop->offset
                                                          : loop->value;
        targets[3 * i] += rt_uniform(&c->random, -0.01, 0.01);
        targets[3 * i + 1] = rt_uniform(&c->random, -1, 1);
        targets[3 * i + 2] = rt_uniform(&c->random, -1, 1);
    }
    rt_vector(&c->random, 0.003, c->nv, off);
    zv_position_add(c->model, c->q, off, q);
    memcpy(c->q, q, (size_t)c->nq * sizeof *q);
    const zvClosing closing = {.targets = targets, .feedback = rt_chance(&c->random, 0.5) ? 2 : 0};
    bool good = true;
    for (int level = ZI_CONSTRAINT_ACCELERATIONS; level <= ZI_CONSTRAINT_FREE && good; level++)
        good = level_agrees(c, (ziConstraintLevel)level, &closing, 0) &&
               level_agrees(c, (ziConstraintLevel)level, &closing, 0.15);
    free(targets);
    free(off);
    free(q);
    return good;
}

static void levels(void **state) {
    (void)state;
    compared = moving_ancestors = carried_on = 0;
    for (int i = 0; i < 300; i++) {
        rcOptions options = rc_options_spread(i);
        options.tree.mimics = 0; /* the kernel's coordinates are then the model's */
        options.loops = 1 + i % RC_MAX_LOOPS;
        options.tree.joints = 4 + i % 13;
        rcCase c;
        const bool good = rc_open(&c, 70000 + (uint64_t)i, &options) && (c.loops == 0 || all_levels_agree(&c));
        rc_close(&c);
        if (!good) fail_msg("case %d, seed %d", i, 70000 + i);
    }
    print_message("%d systems, %d common ancestors that move, %d with loops that go on\n", compared, moving_ancestors,
                  carried_on);
    assert_true(compared > 1200 && moving_ancestors > 600 && carried_on > 100);
}

/* Planar mechanisms of spatial joints: 3 of the 5 rows of each loop repeat others ---------------------------------- */

typedef struct Planar {
    zvBuilder *builder;
    zvModel *model;
    zvWork *work;
    rtRandom random;
    int links, loops;
    int from[64], to[64]; /* of each loop */
    zvPose where[64];     /* of its joint in the first */
    double q[200];
} Planar;

static const char *link_name(int i, char *text) {
    snprintf(text, 16, "link%d", i);
    return text;
}

static int add_planar(Planar *p, int parent, zvJointType type, double x, double y) {
    char a[16], b[16], name[16];
    zvLink link = zv_link_default(link_name(++p->links, b));
    zvJoint joint = zv_joint_default(NULL, type, link_name(parent, a), b);
    snprintf(name, sizeof name, "joint%d", p->links);
    joint.name = name;
    joint.origin.p[0] = x;
    joint.origin.p[1] = y;
    link.has_inertia = true;
    rt_inertia(&p->random, false, &link.inertia);
    assert_int_equal(zv_builder_add_link(p->builder, &link, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(p->builder, &joint, NULL), ZV_OK);
    return p->links;
}

/* Closed between the tips of two links, wherever they are in the position to come. */
static void add_closure(Planar *p, int from, int to) {
    p->from[p->loops] = from;
    p->to[p->loops++] = to;
}

static Planar planar_start(uint64_t seed) {
    Planar p = {.builder = zv_builder_create(NULL), .random = {seed}};
    zvLink ground = zv_link_default("link0");
    assert_non_null(p.builder);
    assert_int_equal(zv_builder_add_link(p.builder, &ground, NULL), ZV_OK);
    return p;
}

/* A chain of three links on a link, closed on it: a four-bar. Returns its middle link. */
static int add_four_bar(Planar *p, int on) {
    const int crank = add_planar(p, on, ZV_JOINT_REVOLUTE, 0.3, rt_uniform(&p->random, 0, 0.2));
    const int coupler = add_planar(p, crank, ZV_JOINT_REVOLUTE, 0.4, 0),
              rocker = add_planar(p, coupler, ZV_JOINT_REVOLUTE, 0.7, 0);
    add_closure(p, on, rocker);
    return coupler;
}

/* Freezes, draws a position, and closes the loops there. */
static void planar_freeze(Planar *p) {
    zvError error = {0};
    zvModel *open;
    if (zv_builder_freeze(p->builder, &open, &error) < 0) fail_msg("%s", error.text);
    zvWork *work = zv_work_create(open, NULL);
    assert_true(work && zv_model_nq(open) <= 200);
    rt_draw_position(open, &p->random, p->q);
    for (int i = 0; i < p->loops; i++) {
        char a[16], b[16], name[16];
        zvPose from, to;
        zv_frame_pose(open, work, p->q, zv_model_find_frame(open, link_name(p->from[i], a)), &from);
        zv_frame_pose(open, work, p->q, zv_model_find_frame(open, link_name(p->to[i], b)), &to);
        zvLoop loop = zv_loop_default(NULL, ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, a, b);
        snprintf(name, sizeof name, "loop%d", i);
        loop.name = name;
        loop.child_origin.p[0] = 0.5;
        const zvPose tip = zv_pose_compose(&to, &loop.child_origin);
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < 3; k++) {
                loop.origin.p[r] += from.R[3 * k + r] * (tip.p[k] - from.p[k]);
                loop.origin.R[3 * r + k] = 0;
                for (int l = 0; l < 3; l++) loop.origin.R[3 * r + k] += from.R[3 * l + r] * tip.R[3 * l + k];
            }
        }
        assert_int_equal(zv_builder_add_loop(p->builder, &loop, NULL), ZV_OK);
    }
    zv_work_destroy(work);
    zv_model_destroy(open);
    if (zv_builder_freeze(p->builder, &p->model, &error) < 0) fail_msg("%s", error.text);
    p->work = zv_work_create(p->model, NULL);
    assert_non_null(p->work);
    zv_builder_destroy(p->builder);
}

static void planar_end(Planar *p) {
    zv_work_destroy(p->work);
    zv_model_destroy(p->model);
}

/* Least norm and rank by an orthonormal basis Q of the rows of B = G L^-T, M = L L^T: B = C Q,
 *   y = L^T a = y0 + Q^T z,  C z = -(gamma + B y0),  lambda = C (C^T C)^-1 z. Returns the rank. */
static int least_norm(int n, int m, const double *M, const double *G, const double *rest, const double *gamma, exact *a,
                      exact *lambda) {
    exact *L = lin_numbers(n * n), *B = lin_numbers(m * n), *Q = lin_numbers(n * n), *C = lin_numbers(m * n),
          *y = lin_numbers(n);
    exact *N = lin_numbers(n * n), *z = lin_numbers(n), *w = lin_numbers(n);
    for (int i = 0; i < n * n; i++) L[i] = M[i];
    assert_true(lin_cholesky(n, L, L));
    for (int k = -1; k < m; k++) { /* y0 = L^-1 rest, rows of B = L^-1 G^T */
        exact *to = k < 0 ? y : B + k * n;
        for (int i = 0; i < n; i++) {
            to[i] = k < 0 ? rest[i] : fabs(G[k * n + i]) > 1e-13 ? G[k * n + i] : 0;
            for (int j = 0; j < i; j++) to[i] -= L[i * n + j] * to[j];
            to[i] /= L[i * (n + 1)];
        }
    }
    const int rank = rc_row_basis(m, n, B, 1e-7L, Q);
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < rank; i++)
            for (int j = 0; j < n; j++) C[k * rank + i] += B[k * n + j] * Q[i * n + j];
    }
    for (int i = 0; i < rank; i++) {
        for (int k = 0; k < m; k++) {
            exact miss = gamma[k];
            for (int j = 0; j < n; j++) miss += B[k * n + j] * y[j];
            z[i] -= C[k * rank + i] * miss;
            for (int j = 0; j < rank; j++) N[i * rank + j] += C[k * rank + i] * C[k * rank + j];
        }
    }
    assert_true(lin_cholesky(rank, N, N));
    lin_cholesky_solve(rank, N, z, z);
    lin_cholesky_solve(rank, N, z, w);
    for (int k = 0; k < m; k++) {
        lambda[k] = 0;
        for (int i = 0; i < rank; i++) lambda[k] += C[k * rank + i] * w[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        a[i] = y[i];
        for (int k = 0; k < rank; k++) a[i] += Q[k * n + i] * z[k];
        for (int j = i + 1; j < n; j++) a[i] -= L[j * n + i] * a[j];
        a[i] /= L[i * (n + 1)];
    }
    exact *arrays[] = {L, B, Q, C, y, N, z, w};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    return rank;
}

static double largest(int n, const exact *x) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, (double)fabsl(x[i]));
    return most;
}

/* Moves until velocities fit, then compares accelerations and multipliers. wanted: rows that repeat others. Redundant
 * systems lose what two factorisations of the conditions lose: some 1e-9 of the largest answer at most here. */
static void planar_agrees(Planar *p, int wanted) {
    planar_freeze(p);
    const ziTree *t = &p->model->tree;
    const int n = zv_model_nv(p->model), m = zv_model_nloop_rows(p->model);
    double *v = numbers(n), *a = numbers(n), *tau = numbers(n), *lambda = numbers(m), *gamma = numbers(m);
    double *M = numbers(n * n), *G = numbers(m * n), *rest = numbers(n);
    exact *a_wanted = lin_numbers(n), *lambda_wanted = lin_numbers(m);
    rt_vector(&p->random, 2, n, v);
    rt_vector(&p->random, 5, n, tau);
    ziConstraintTask constraints = {.level = ZI_CONSTRAINT_VELOCITIES, .lambda = lambda};
    for (int twice = 0; twice < 2; twice++) {
        assert_int_equal(zi_kernels(p->model)->articulated_closed(t, p->work->scratch, p->q, v, NULL, t->gravity, NULL,
                                                                  NULL, &constraints, NULL, a),
                         ZV_DEGRADED);
        for (int i = 0; i < n; i++) v[i] += a[i];
    }
    zv_loop_gaps(p->model, p->work, NULL, p->q, v, gamma, lambda);
    for (int k = 0; k < m; k++) assert_true(fabs(gamma[k]) < 1e-13 && fabs(lambda[k]) < 1e-11);
    zv_mass_matrix(p->model, p->work, p->q, M);
    zv_bias(p->model, p->work, p->q, v, rest);
    zv_loop_jacobian(p->model, p->work, p->q, G);
    zv_loop_bias(p->model, p->work, NULL, p->q, v, gamma);
    for (int i = 0; i < n; i++) rest[i] = tau[i] - rest[i];
    assert_int_equal(m - least_norm(n, m, M, G, rest, gamma, a_wanted, lambda_wanted), wanted);
    constraints.level = ZI_CONSTRAINT_ACCELERATIONS;
    assert_int_equal(zi_kernels(p->model)->articulated_closed(t, p->work->scratch, p->q, v, NULL, t->gravity, NULL,
                                                              NULL, &constraints, tau, a),
                     ZV_DEGRADED);
    assert_int_equal(constraints.dropped, wanted);
    assert_all_near("a", n, a, a_wanted, 1e-9 * (1 + largest(n, a_wanted)));
    assert_all_near("lambda", m, lambda, lambda_wanted, 1e-9 * (1 + largest(m, lambda_wanted)));
    assert_true(constraints.conflict <= 1e-11 * constraints.measure);
    double *all[] = {v, a, tau, lambda, gamma, M, G, rest};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(a_wanted);
    free(lambda_wanted);
    planar_end(p);
}

static void four_bar_on_the_ground(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Planar p = planar_start(seed);
        add_four_bar(&p, 0);
        planar_agrees(&p, 3);
    }
}

/* On a body that moves freely, and the same loop again and again: its multipliers are shared evenly. */
static void four_bar_in_the_air(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Planar p = planar_start(seed);
        const int body = add_planar(&p, 0, seed % 2 ? ZV_JOINT_FREE : ZV_JOINT_SPHERICAL, 0.1, 0);
        add_four_bar(&p, body);
        const int copies = seed % 4 > 1 ? (int)seed : 0;
        for (int i = 0; i < copies; i++) add_closure(&p, body, p.links);
        planar_agrees(&p, 3 + 5 * copies);
    }
}

/* A four-bar on the coupler of a four-bar on ...: every common ancestor carries the loops below it. */
static void tower(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Planar p = planar_start(seed);
        const int stories = 2 + (int)(seed % 5);
        for (int i = 0, on = 0; i < stories; i++) on = add_four_bar(&p, on);
        planar_agrees(&p, 3 * stories);
    }
}

/* Rockers that are the next four-bar's crank: blocks of the ground's system in a row. */
static void row(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        Planar p = planar_start(seed);
        const int bars = 2 + (int)(seed % 9);
        int crank = add_planar(&p, 0, ZV_JOINT_REVOLUTE, 0, 0);
        for (int i = 0; i < bars; i++) {
            const int coupler = add_planar(&p, crank, ZV_JOINT_REVOLUTE, 0.5, 0);
            crank = add_planar(&p, coupler, ZV_JOINT_REVOLUTE, 0.6, 0.1);
            add_closure(&p, 0, crank);
        }
        planar_agrees(&p, 3 * bars);
    }
}

/* What no multiplier removes --------------------------------------------------------------------------------------- */

static void conflicts(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Planar p = planar_start(seed);
        const int on = seed % 2 ? add_planar(&p, 0, ZV_JOINT_FREE, 0, 0) : 0;
        add_four_bar(&p, on);
        planar_freeze(&p);
        const ziTree *t = &p.model->tree;
        const int n = zv_model_nv(p.model), m = zv_model_nloop_rows(p.model);
        double v[16], a[16], tau[16], lambda[5], G[80], gamma[5], most = 0;
        unsigned char given[16];
        rt_vector(&p.random, 1, n, v);
        rt_vector(&p.random, 1, n, a);
        for (int i = 0; i < n; i++) given[i] = i < n - 3 ? ZV_GIVEN_FORCE : ZV_GIVEN_ACCELERATION; /* the bars */
        memset(tau, 0, sizeof tau);
        ziConstraintTask constraints = {.lambda = lambda};
        assert_int_equal(zi_kernels(p.model)->articulated_closed(t, p.work->scratch, p.q, v, given, t->gravity, NULL,
                                                                 NULL, &constraints, tau, a),
                         ZV_DEGRADED);
        zv_loop_jacobian(p.model, p.work, p.q, G);
        zv_loop_bias(p.model, p.work, NULL, p.q, v, gamma);
        for (int k = 0; k < m; k++) {
            for (int i = 0; i < n; i++) gamma[k] += G[k * n + i] * a[i];
            most = fmax(most, fabs(gamma[k]));
            assert_true(lambda[k] == 0);
        }
        assert_int_equal(constraints.dropped, m);
        assert_true(fabs(constraints.conflict - most) <= 1e-12 * constraints.measure &&
                    constraints.conflict <= constraints.measure * (1 + 1e-12));
        planar_end(&p);
    }
}

TESTS(levels, four_bar_on_the_ground, four_bar_in_the_air, tower, row, conflicts)
