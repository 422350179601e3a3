/* What the linter says about a good robot after it was spoiled in one place. */
#ifndef ZV_TEST_FINDINGS_H
#define ZV_TEST_FINDINGS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/check.h"

typedef struct fdCase {
    const char *name;
    void (*spoil)(zvBuilder *robot);
    const char *rule;
    zvSeverity severity;
    bool fatal;
    zvStatus status;
    const char *element;
    const char *phrase; /* in why or repair */
} fdCase;

static inline void add_tube(zvBuilder *b, const char *name) {
    zvLink link = zv_link_default(name);
    link.has_inertia = true;
    link.inertia = (zvInertia){2, {0, 0, 0.25}, {0.043, 0, 0, 0.043, 0, 0.002}};
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
    zvShape shape = zv_shape_default(name, ZV_SHAPE_CYLINDER);
    shape.size[0] = 0.04;
    shape.size[1] = 0.5;
    shape.pose.p[2] = 0.25;
    assert_int_equal(zv_builder_add_shape(b, &shape, NULL), ZV_OK);
    shape.collision = true;
    assert_int_equal(zv_builder_add_shape(b, &shape, NULL), ZV_OK);
}

static inline void add_joint(zvBuilder *b, const char *name, zvJointType type, const char *parent, const char *child) {
    zvJoint joint = zv_joint_default(name, type, parent, child);
    joint.origin.p[2] = 0.5;
    joint.dof[0].has_limits = true;
    joint.dof[0].lower = -1;
    joint.dof[0].upper = 1;
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
}

/* base -shoulder(revolute)- upper -elbow(revolute)- lower -slide(prismatic)- hand: tubes of 0.5 m with cylinders as
 * shapes, and a frame "tool" on the hand. Links and joints are numbered in this order. */
static inline zvBuilder *fd_robot(void) {
    zvBuilder *b = zv_builder_create(NULL);
    assert_non_null(b);
    add_tube(b, "base");
    add_tube(b, "upper");
    add_tube(b, "lower");
    add_tube(b, "hand");
    add_joint(b, "shoulder", ZV_JOINT_REVOLUTE, "base", "upper");
    add_joint(b, "elbow", ZV_JOINT_REVOLUTE, "upper", "lower");
    add_joint(b, "slide", ZV_JOINT_PRISMATIC, "lower", "hand");
    zvFrame tool = zv_frame_default("tool", "hand");
    assert_int_equal(zv_builder_add_frame(b, &tool, NULL), ZV_OK);
    return b;
}

typedef struct tally {
    const char *rule;
    zvSeverity severity;
    int rules, severe;
} tally;

static inline bool count_sink(void *context, const zvFinding *f) {
    tally *t = context;
    t->rules += t->rule && strcmp(f->rule, t->rule) == 0;
    t->severe += f->severity >= t->severity;
    return true;
}

static inline tally count(const zvBuilder *robot, const char *rule, zvSeverity severity) {
    tally t = {.rule = rule, .severity = severity};
    zvError error = {0};
    assert_int_equal(zv_check(robot, count_sink, &t, &error), ZV_OK);
    return t;
}

/* How many findings of this rule, and how many of at least this severity, the linter has. */
static inline int fd_count_rule(const zvBuilder *robot, const char *rule) {
    return count(robot, rule, ZV_SEVERITY_NOTE).rules;
}
static inline int fd_count_from(const zvBuilder *robot, zvSeverity severity) {
    return count(robot, NULL, severity).severe;
}

typedef struct comparison {
    const fdCase *expected;
    int found;
    char list[8192]; /* everything the linter said, for the message */
} comparison;

static inline void check_texts(const fdCase *e, const zvFinding *f) {
    if (f->severity != e->severity || f->fatal != e->fatal || f->status != e->status) {
        fail_msg("%s: %s is %s%s %s", e->name, f->rule, zv_severity_word(f->severity), f->fatal ? ", fatal," : "",
                 zv_status_name(f->status));
    }
    if (strcmp(f->element, e->element) != 0) fail_msg("%s: found at %s", e->name, f->element);
    if (!strstr(f->why, e->phrase) && !strstr(f->repair, e->phrase)) {
        fail_msg("%s: no \"%s\" in \"%s; %s\"", e->name, e->phrase, f->why, f->repair);
    }
    if (strlen(f->why) < 10 || strlen(f->repair) < 10) fail_msg("%s: says too little", e->name);
}

static inline bool compare_sink(void *context, const zvFinding *f) {
    comparison *c = context;
    size_t used = strlen(c->list);
    snprintf(c->list + used, sizeof c->list - used, "%s %s: %s\n", f->rule, f->element, f->why);
    if (strcmp(f->rule, c->expected->rule) != 0) return true;
    c->found++;
    check_texts(c->expected, f);
    return true;
}

static inline void check_freeze(const fdCase *e, const zvBuilder *robot) {
    zvError error = {0};
    zvModel *model = NULL;
    zvStatus status = zv_builder_freeze(robot, &model, &error);
    if (e->fatal) {
        if (status != e->status || model || !strstr(error.text, e->element)) {
            fail_msg("%s: freeze gives %s: %s", e->name, zv_status_name(status), error.text);
        }
    } else if (status != ZV_OK || !model) {
        fail_msg("%s: freeze gives %s: %s", e->name, zv_status_name(status), error.text);
    }
    zv_model_destroy(model);
}

/* Spoils a fresh robot and asserts: exactly one finding of the rule, as expected; freeze refuses it with that status
 * and the element's name if and only if the finding is fatal. */
static inline void fd_check(const fdCase *cases, size_t number) {
    for (size_t i = 0; i < number; i++) {
        zvBuilder *robot = fd_robot();
        cases[i].spoil(robot);
        comparison c = {.expected = &cases[i]};
        zvError error = {0};
        assert_int_equal(zv_check(robot, compare_sink, &c, &error), ZV_OK);
        if (c.found != 1) {
            fail_msg("%s: %d findings of rule %s among\n%s", cases[i].name, c.found, cases[i].rule, c.list);
        }
        check_freeze(&cases[i], robot);
        zv_builder_destroy(robot);
    }
}

#endif
