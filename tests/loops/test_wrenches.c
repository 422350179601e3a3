/* Forces of loops. The wrenches keep the motion found with the multipliers: Newton-Euler, and the balance of every link
 * by the reference, need nothing else. They give no work on what the loop's joint leaves free (joints by their
 * definitions, support/reference_joint.h), the multiplier of a driven coordinate is its force, action is reaction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/closed_dense.h"
#include "support/reference.h"
#include "support/run_tests.h"

static const double rounding = 1e-12;

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

/* A mechanism in motion with what its loops do. */
typedef struct Moving {
    rcCase *c;
    cdSystem s;
    double *a, *lambda, *fext; /* fext: with the loops' */
    exact size;                /* of the multipliers, N */
} Moving;

static bool set_in_motion(Moving *m, rcCase *c) {
    *m = (Moving){.c = c, .a = numbers(c->nv), .lambda = numbers(c->rows), .fext = numbers(c->nexternal), .size = 1};
    rc_fit_velocity(c, NULL, c->v);
    cd_open(&m->s, c, NULL);
    if (!cd_solve(&m->s)) return false;
    zv_closed_forward_dynamics(c->model, c->work, NULL, c->q, c->v, c->tau, c->fext, m->a, m->lambda);
    for (int i = 0; i < c->nexternal; i++) m->fext[i] = c->fext[i];
    zv_add_loop_wrenches(c->model, c->work, c->q, m->lambda, m->fext);
    for (int k = 0; k < c->rows; k++) m->size += fabs(m->lambda[k]);
    return true;
}

static void stop(Moving *m) {
    cd_close(&m->s);
    free(m->a);
    free(m->lambda);
    free(m->fext);
}

/* The forces of the open tree with the loops' wrenches are the drives' and those of couplings. */
static bool keeps_the_motion(const Moving *m) {
    const rcCase *c = m->c;
    double *tau = numbers(c->nv);
    exact *want = lin_numbers(c->nv), *scale = lin_numbers(c->nv);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, m->a, m->fext, tau);
    for (int i = 0; i < c->nv; i++) {
        want[i] = c->tau[i];
        scale[i] = m->s.error_scale[i] + fabs(c->tau[i]) + 3 * m->size;
        for (int j = 0; j < c->nv; j++) {
            const exact M = sqrtl(m->s.M[i * (c->nv + 1)] * m->s.M[j * (c->nv + 1)]);
            scale[i] += M * (fabs(m->a[j]) + m->s.a_scale[j]);
        }
    }
    for (int i = 0; i < c->loops; i++) {
        const zvLoop *loop = &c->loop[i].loop;
        for (int k = 0; k < loop->term_count; k++) {
            const int joint = zv_model_find_joint(c->model, loop->terms[k].joint);
            want[zv_model_joint_place(c->model, joint).v_index] +=
                loop->terms[k].ratio * m->lambda[zv_model_loop_place(c->model, i).row];
        }
    }
    const bool good = cd_near(c, "tau", c->nv, tau, want, scale, rounding);
    free(tau);
    free(want);
    free(scale);
    return good;
}

/* --- balance of links ------------------------------------------------------------------------------------------ */

/* sum += sign (F at the origin of the link, its axes), in the world about the world's origin. */
static void add_reaction(const refTree *ref, int link, const double *F, exact sign, exact sum[6]) {
    refMotion at;
    exact w[6];
    ref_frame(ref, link, &at);
    for (int i = 0; i < 3; i++) {
        w[i] = at.R[3 * i] * F[0] + at.R[3 * i + 1] * F[1] + at.R[3 * i + 2] * F[2];
        w[3 + i] = at.R[3 * i] * F[3] + at.R[3 * i + 1] * F[4] + at.R[3 * i + 2] * F[5];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] += sign * w[i];
        sum[3 + i] += sign * (w[3 + i] + at.p[j] * w[k] - at.p[k] * w[j]);
    }
}

static void add_world(const refTree *ref, int link, const exact F[6], exact sign, exact sum[6]) {
    refMotion at;
    ref_frame(ref, link, &at);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum[i] += sign * F[i];
        sum[3 + i] += sign * (F[3 + i] + at.p[j] * F[k] - at.p[k] * F[j]);
    }
}

static bool links_balance(const Moving *m) {
    const rcCase *c = m->c;
    if (zv_model_nelastic(c->model) > 0) return true; /* the reference is rigid */
    refTree *ref = ref_create(c->model);
    double *reactions = numbers(6 * zv_model_njoint(c->model));
    exact most = 0, error_scale = m->size;
    ref_place(ref, c->q);
    ref_move(ref, c->v, m->a);
    zv_joint_reactions(c->model, c->work, c->q, c->v, m->a, m->fext, reactions);
    for (int i = 0; i < 6 * zv_model_njoint(c->model); i++) error_scale += fabs(reactions[i]);
    for (int link = 0; link < zv_model_nlink(c->model); link++) {
        exact sum[6] = {0}, F[6];
        if (zv_model_link_joint(c->model, link) < 0) continue;
        add_reaction(ref, link, reactions + 6 * zv_model_link_joint(c->model, link), 1, sum);
        for (int j = 0; j < zv_model_njoint(c->model); j++) {
            const zvJointPlace place = zv_model_joint_place(c->model, j);
            if (place.parent == link) add_reaction(ref, place.child, reactions + 6 * j, -1, sum);
        }
        for (int i = 0; i < 6; i++) F[i] = m->fext[6 * link + i];
        add_world(ref, link, F, 1, sum);
        ref_link_force(ref, link, F);
        add_world(ref, link, F, -1, sum);
        for (int i = 0; i < 6; i++) most = fmaxl(most, fabsl(sum[i]));
    }
    ref_destroy(ref);
    free(reactions);
    if (most <= 1e-11 * error_scale) return true;
    fprintf(stderr, "seed %llu: links are out of balance by %.3Lg of %.3Lg\n", (unsigned long long)c->seed, most,
            error_scale);
    return false;
}

/* --- loops one by one ------------------------------------------------------------------------------------------- */

/* Power of a wrench (child's axes, at the child's frame) when coordinate k of the joint runs at unit rate. */
static exact unit_power(const refJoint *joint, const double *qc, int k, const double *wrench, exact *error_scale) {
    const exact zero[6] = {0};
    exact q[7], v[6] = {0}, f[6], twist[6], W[9] = {0}, power = 0;
    refPose pose;
    for (int i = 0; i < 7; i++) q[i] = qc[i];
    v[k] = 1;
    ref_joint_pose(joint, q, v, zero, &pose);
    for (int i = 0; i < 3; i++) {
        f[i] = f[3 + i] = 0;
        for (int j = 0; j < 3; j++) {
            f[i] += pose.R[3 * i + j].x * wrench[j];
            f[3 + i] += pose.R[3 * i + j].x * wrench[3 + j];
            for (int l = 0; l < 3; l++) W[3 * i + j] += pose.R[3 * i + l].d * pose.R[3 * j + l].x;
        }
        twist[i] = pose.p[i].d;
    }
    twist[3] = W[7], twist[4] = W[2], twist[5] = W[3];
    for (int i = 0; i < 6; i++) {
        power += f[i] * twist[i];
        *error_scale += fabsl(f[i]);
    }
    return power;
}

static bool joint_is_reciprocal(const Moving *m, int i, const double *wrench) {
    const rcLoop *l = &m->c->loop[i];
    const zvLoopPlace place = zv_model_loop_place(m->c->model, i);
    zvJoint joint = zv_joint_default("x", l->loop.type, "a", "b");
    memcpy(joint.axis, l->loop.axis, sizeof joint.axis);
    memcpy(joint.axis2, l->loop.axis2, sizeof joint.axis2);
    joint.pitch = l->loop.pitch;
    joint.curve = l->loop.curve;
    refJoint ref;
    ref_joint_open(&ref, &joint);
    bool good = true;
    for (int k = 0; k < zv_joint_type_nv(l->loop.type); k++) {
        exact error_scale = 1;
        const exact want = l->loop.driven ? m->lambda[place.row + place.rows - 1] : 0;
        good = good && fabsl(unit_power(&ref, l->qc, k, wrench, &error_scale) - want) <= 1e-11 * error_scale;
    }
    for (int k = 3; k < 6 && l->loop.ball; k++) good = good && fabs(wrench[k]) <= rounding * (double)m->size;
    ref_joint_close(&ref);
    return good;
}

/* A rod pushes along itself. */
static bool rod_is_straight(const Moving *m, int i, const double *wrench) {
    const rcCase *c = m->c;
    const zvLoopPlace place = zv_model_loop_place(c->model, i);
    zvPose a, b;
    double f[3], d[3], length = c->loop[i].loop.length;
    zv_frame_pose(c->model, c->work, c->q, place.parent_frame, &a);
    zv_frame_pose(c->model, c->work, c->q, place.child_frame, &b);
    bool good = true;
    for (int k = 0; k < 3; k++) {
        d[k] = (b.p[k] - a.p[k]) / length;
        f[k] = b.R[3 * k] * wrench[0] + b.R[3 * k + 1] * wrench[1] + b.R[3 * k + 2] * wrench[2];
        good = good && fabs(f[k] - d[k] * m->lambda[place.row]) <= rounding * (double)m->size;
        good = good && fabs(wrench[3 + k]) <= rounding * (double)m->size;
    }
    return good;
}

static bool wrenches_fit(const Moving *m) {
    const rcCase *c = m->c;
    double wrenches[6 * RC_MAX_LOOPS];
    zv_loop_wrenches(c->model, c->work, c->q, m->lambda, wrenches);
    for (int i = 0; i < c->loops; i++) {
        const double *w = wrenches + 6 * i;
        bool good = true;
        switch (c->loop[i].loop.kind) {
        case ZV_LOOP_JOINT: good = joint_is_reciprocal(m, i, w); break;
        case ZV_LOOP_ROD: good = rod_is_straight(m, i, w); break;
        case ZV_LOOP_COUPLING: good = w[0] == m->lambda[zv_model_loop_place(c->model, i).row] && w[1] == 0; break;
        }
        if (good) continue;
        fprintf(stderr, "seed %llu: wrench of loop %d\n", (unsigned long long)c->seed, i);
        return false;
    }
    return true;
}

/* The child's wrench on its frame and the opposite on the parent's: what zv_add_loop_wrenches adds. */
static bool action_is_reaction(const Moving *m) {
    const rcCase *c = m->c;
    double wrenches[6 * RC_MAX_LOOPS], *fext = numbers(c->nexternal), *own = numbers(c->nexternal);
    bool good = true;
    zv_loop_wrenches(c->model, c->work, c->q, m->lambda, wrenches);
    zv_add_loop_wrenches(c->model, c->work, c->q, m->lambda, own);
    for (int i = 0; i < c->loops; i++) {
        const zvLoopPlace place = zv_model_loop_place(c->model, i);
        zvPose a, b;
        double w[6], d[3];
        if (c->loop[i].loop.kind == ZV_LOOP_COUPLING) continue;
        zv_frame_pose(c->model, c->work, c->q, place.parent_frame, &a);
        zv_frame_pose(c->model, c->work, c->q, place.child_frame, &b);
        for (int k = 0; k < 3; k++) {
            w[k] = w[3 + k] = 0;
            d[k] = b.p[k] - a.p[k];
            for (int j = 0; j < 3; j++) {
                w[k] += b.R[3 * k + j] * wrenches[6 * i + j];
                w[3 + k] += b.R[3 * k + j] * wrenches[6 * i + 3 + j];
            }
        }
        zv_add_wrench(c->model, c->work, c->q, place.child_frame, w, fext);
        const double n[3] = {d[1] * w[2] - d[2] * w[1], d[2] * w[0] - d[0] * w[2], d[0] * w[1] - d[1] * w[0]};
        for (int k = 0; k < 3; k++) w[3 + k] += n[k];
        for (int k = 0; k < 6; k++) w[k] = -w[k];
        zv_add_wrench(c->model, c->work, c->q, place.parent_frame, w, fext);
    }
    for (int i = 0; i < c->nexternal; i++) good = good && fabs(fext[i] - own[i]) <= 1e-11 * (double)m->size;
    free(fext);
    free(own);
    return good;
}

static void random_mechanisms(void **state) {
    (void)state;
    int compared = 0;
    for (int i = 0; i < 400; i++) {
        const rcOptions options = rc_options_spread(i);
        rcCase c;
        Moving m;
        bool good = rc_open(&c, 17000 + (uint64_t)i, &options);
        if (good && c.loops > 0) {
            if (set_in_motion(&m, &c)) {
                good = keeps_the_motion(&m) && links_balance(&m) && wrenches_fit(&m) && action_is_reaction(&m);
                compared++;
            }
            stop(&m);
        }
        rc_close(&c);
        if (!good) fail_msg("case %d, seed %d", i, 17000 + i);
    }
    print_message("%d mechanisms from seed 17000\n", compared);
    assert_true(compared > 250);
}

TESTS(random_mechanisms)
