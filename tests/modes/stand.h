/* A robot on a stand: builder, model, workspace, and its modes and equilibria with failures told. */
#ifndef ZV_TESTS_MODES_STAND_H
#define ZV_TESTS_MODES_STAND_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/near.h"
#include "zveno/builder.h"
#include "zveno/kinematics.h"
#include "zveno/modes.h"

typedef struct Stand {
    zvModel *model;
    zvWork *work;
    size_t nq, nv;
    int count;      /* modes found */
    zvMode *modes;  /* nv */
    double *shapes; /* nv x nv */
    double *q;      /* nq: neutral, then the equilibrium */
} Stand;

/* A builder with the ground link "base". */
static inline zvBuilder *stand_builder(double gx, double gy, double gz) {
    zvBuilder *builder = zv_builder_create(NULL);
    zvLink base = zv_link_default("base");
    assert_non_null(builder);
    assert_int_equal(zv_builder_add_link(builder, &base, NULL), ZV_OK);
    zv_builder_set_gravity(builder, (double[]){gx, gy, gz});
    return builder;
}

/* Adds a link and the joint of the same name above it. */
static inline void stand_add(zvBuilder *builder, const zvLink *link, zvJoint joint) {
    zvError error = {0};
    if (zv_builder_add_link(builder, link, &error) < 0) fail_msg("%s", error.text);
    if (zv_builder_add_joint(builder, &joint, &error) < 0) fail_msg("%s", error.text);
}

/* A rigid link with a principal inertia. */
static inline zvLink rigid_link(const char *name, double mass, const double com[3], const double moments[3]) {
    zvLink link = zv_link_default(name);
    link.inertia = (zvInertia){.mass = mass, .moment = {moments[0], 0, 0, moments[1], 0, moments[2]}};
    memcpy(link.inertia.com, com, sizeof link.inertia.com);
    return link;
}

static inline zvJoint joint_at(const char *name, zvJointType type, const char *parent, const double axis[3],
                               const double at[3]) {
    zvJoint joint = zv_joint_default(name, type, parent, name);
    memcpy(joint.axis, axis, sizeof joint.axis);
    memcpy(joint.origin.p, at, sizeof joint.origin.p);
    return joint;
}

/* Freezes and destroys the builder. */
static inline Stand stand_open(zvBuilder *builder) {
    zvError error = {0};
    Stand s = {0};
    if (zv_builder_freeze(builder, &s.model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(builder);
    s.work = zv_work_create(s.model, &error);
    s.nq = (size_t)zv_model_nq(s.model);
    s.nv = (size_t)zv_model_nv(s.model);
    s.modes = calloc(s.nv + 1, sizeof *s.modes);
    s.shapes = calloc(s.nv * s.nv + 1, sizeof *s.shapes);
    s.q = calloc(s.nq + 1, sizeof *s.q);
    assert_true(s.work && s.modes && s.shapes && s.q);
    zv_neutral(s.model, s.q);
    return s;
}

static inline void stand_close(Stand *s) {
    free(s->modes);
    free(s->shapes);
    free(s->q);
    zv_work_destroy(s->work);
    zv_model_destroy(s->model);
}

static inline void find_modes(Stand *s, zvRest rest) {
    zvError error = {0};
    if (!rest.q) rest.q = s->q;
    if (zv_modes(s->model, s->work, &rest, s->modes, s->shapes, &s->count, &error) < 0) fail_msg("%s", error.text);
}

static inline void find_rest(Stand *s, zvRest rest, int steps) {
    zvError error = {0};
    if (!rest.q) rest.q = s->q;
    if (zv_equilibrium(s->model, s->work, &rest, steps, s->q, &error) < 0) fail_msg("%s", error.text);
}

static inline void expect_near(const char *what, double got, double want, double tolerance) {
    assert_named_near(what, got, want, want == 0 ? tolerance : tolerance * fabs(want));
}

#endif
