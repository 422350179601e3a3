/* Links one on another: link i + 1 hangs on link i by joint "j<i>". */
#ifndef ZV_TEST_CODEGEN_STACK_H
#define ZV_TEST_CODEGEN_STACK_H

#include <stdio.h>
#include <string.h>

#include "zveno/builder.h"

static inline zvBuilder *stack_begin(void) {
    zvBuilder *b = zv_builder_create(NULL);
    const zvLink ground = zv_link_default("0");
    assert_int_equal(zv_builder_add_link(b, &ground, NULL), ZV_OK);
    return b;
}

static inline void stack_add(zvBuilder *b, int i, zvInertia inertia, zvJointType type, const double axis[3],
                             const double p[3]) {
    char name[3][12];
    snprintf(name[0], sizeof name[0], "%d", i);
    snprintf(name[1], sizeof name[1], "%d", i + 1);
    snprintf(name[2], sizeof name[2], "j%d", i);
    zvLink link = zv_link_default(name[1]);
    link.inertia = inertia;
    zvJoint joint = zv_joint_default(name[2], type, name[0], name[1]);
    memcpy(joint.axis, axis, sizeof joint.axis);
    memcpy(joint.origin.p, p, sizeof joint.origin.p);
    assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
    assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
}

static inline zvModel *stack_end(zvBuilder *b) {
    zvModel *model = NULL;
    assert_int_equal(zv_builder_freeze(b, &model, NULL), ZV_OK);
    zv_builder_destroy(b);
    return model;
}

#endif
