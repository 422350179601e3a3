/* Names and units of single coordinates. Whether a freedom turns or slides is seen from how it moves its link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/run_tests.h"
#include "zveno/zveno.h"

/* A chain with a joint of every type. */
static zvModel *every_type(void) {
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("link0");
    assert_int_equal(zv_builder_add_link(b, &base, NULL), ZV_OK);
    for (int type = 0; type < ZV_JOINT_TYPES; type++) {
        char parent[16], child[16];
        snprintf(parent, sizeof parent, "link%d", type);
        snprintf(child, sizeof child, "link%d", type + 1);
        zvLink link = zv_link_default(child);
        link.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
        zvJoint joint = zv_joint_default(zv_joint_type_word((zvJointType)type), (zvJointType)type, parent, child);
        joint.pitch = 0.1;
        joint.axis2[0] = 1;
        joint.curve = (zvCurve){.kind = ZV_CURVE_LINE, .direction = {0, 0, 1}};
        assert_int_equal(zv_builder_add_link(b, &link, NULL), ZV_OK);
        assert_int_equal(zv_builder_add_joint(b, &joint, NULL), ZV_OK);
    }
    zvModel *model = NULL;
    zvError error = {0};
    if (zv_builder_freeze(b, &model, &error) < 0) fail_msg("%s", error.text);
    zv_builder_destroy(b);
    return model;
}

static void units_follow_the_motion(void **state) {
    (void)state;
    static const char *const turning[ZV_QUANTITIES] = {"rad", "rad/s", "rad/s^2", "N m", "N m s", "rad s", "kg m^2"};
    static const char *const sliding[ZV_QUANTITIES] = {"m", "m/s", "m/s^2", "N", "N s", "m s", "kg"};
    zvModel *model = every_type();
    zvWork *work = zv_work_create(model, NULL);
    double q[64], J[6 * 64];
    const int nv = zv_model_nv(model);
    assert_true(nv <= 64 && zv_model_nq(model) <= 64 && zv_model_njoint(model) == ZV_JOINT_TYPES);
    zv_neutral(model, q);
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJointPlace place = zv_model_joint_place(model, i);
        const zvJointType type = zv_model_joint(model, i)->type;
        zv_frame_jacobian(model, work, q, place.child, ZV_AXES_WORLD, J);
        for (int k = 0; k < place.nv; k++) {
            const double *w = J + 3 * nv + place.v_index + k;
            const bool turns = fabs(w[0]) + fabs(w[nv]) + fabs(w[2 * nv]) > 0.5;
            for (int quantity = 0; quantity < ZV_QUANTITIES; quantity++)
                assert_string_equal(zv_joint_type_v_unit(type, k, (zvQuantity)quantity),
                                    (turns ? turning : sliding)[quantity]);
        }
        for (int k = 0; k < place.nq; k++) { /* a quaternion comes last */
            const bool number = place.nq > place.nv && k >= place.nq - 4;
            assert_string_equal(zv_joint_type_q_unit(type, k),
                                number ? "1" : zv_joint_type_v_unit(type, k, ZV_QUANTITY_POSITION));
        }
    }
    zv_work_destroy(work);
    zv_model_destroy(model);
}

/* One entry: the joint's name will do. Several: all have names, no two the same. */
static void parts_tell_entries_apart(void **state) {
    (void)state;
    for (int t = 0; t < ZV_JOINT_TYPES; t++) {
        const zvJointType type = (zvJointType)t;
        for (int of_q = 0; of_q < 2; of_q++) {
            const int count = of_q ? zv_joint_type_nq(type) : zv_joint_type_nv(type);
            const char *parts[8] = {0};
            for (int k = 0; k < count; k++) {
                parts[k] = of_q ? zv_joint_type_q_part(type, k) : zv_joint_type_v_part(type, k);
                assert_true((parts[k] == NULL) == (count == 1));
                for (int j = 0; j < k; j++) assert_string_not_equal(parts[j], parts[k]);
            }
        }
    }
    assert_string_equal(zv_joint_type_v_part(ZV_JOINT_FREE, 5), "wz");
    assert_string_equal(zv_joint_type_q_part(ZV_JOINT_FREE, 6), "qw");
    assert_string_equal(zv_joint_type_q_part(ZV_JOINT_SPHERICAL, 0), "qx");
    assert_string_equal(zv_joint_type_q_part(ZV_JOINT_UNIVERSAL, 1), "angle2");
}

TESTS(units_follow_the_motion, parts_tell_entries_apart)
