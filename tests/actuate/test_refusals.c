/* Every refusal: its status and its text; the set stays as it was, and what was handed over is given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "actuate/robots.h"
#include "support/run_tests.h"

static zvError error;
static zvModel *arm, *ball; /* two hinges; a spherical joint */
static zvDrives *drives;

static int prepare(void **state) {
    (void)state;
    const double none[3] = {0}, z[3] = {0, 0, 1};
    arm = two_link();
    zvBuilder *b = new_robot(none);
    add_part(b, "ball", "base", ZV_JOINT_SPHERICAL, z, none, (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}});
    ball = freeze_robot(b);
    return 0;
}

static int clear_away(void **state) {
    (void)state;
    zv_model_destroy(arm);
    zv_model_destroy(ball);
    return 0;
}

static zvLaw *zeros(int width) {
    const double x[8] = {0};
    return zv_law_constant(width, x, &error);
}

#define REFUSED(call, code, words)                                                                       \
    do {                                                                                                 \
        memset(&error, 0, sizeof error);                                                                 \
        int before[4] = {zv_drives_naccount(drives), zv_drives_nstate(drives), zv_drives_nstore(drives), \
                         zv_drives_nmode(drives)};                                                       \
        assert_int_equal((call), (code));                                                                \
        if (!strstr(error.text, (words))) print_error("the text is: %s\n", error.text);                  \
        assert_non_null(strstr(error.text, (words)));                                                    \
        int after[4] = {zv_drives_naccount(drives), zv_drives_nstate(drives), zv_drives_nstore(drives),  \
                        zv_drives_nmode(drives)};                                                        \
        assert_memory_equal(before, after, sizeof before);                                               \
    } while (0)

static void degrees_of_freedom(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    const int twice[2] = {1, 1}, far[2] = {0, 2}, none = 0;
    REFUSED(zv_drives_add_damper(drives, "d", 2, 1, &error), ZV_NAME,
            "damper \"d\": expected one of 2 degrees of freedom, counted from 0, found 2");
    REFUSED(zv_drives_add_damper(drives, "d", -1, 1, &error), ZV_NAME, "counted from 0, found -1");
    REFUSED(zv_drives_add_torque(drives, "t", 2, twice, zeros(2), &error), ZV_NAME, "\"j_fore\" twice");
    REFUSED(zv_drives_add_torque(drives, "t", 2, far, zeros(2), &error), ZV_NAME, "torque \"t\"");
    REFUSED(zv_drives_add_torque(drives, "t", 0, &none, zeros(1), &error), ZV_SIZE,
            "torque \"t\": expected degrees of freedom, found none");
    REFUSED(zv_drives_add_load(drives, "l", 99, ZV_AXES_WORLD, zeros(6), &error), ZV_NAME,
            "expected one of 4 frames, counted from 0, found 99");
    zv_drives_destroy(drives);
}

static void numbers(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    REFUSED(zv_drives_add_spring(drives, "s", 0, -1, 0, &error), ZV_NUMBER,
            "stiffness of spring \"s\" on \"j_upper\": expected zero or more, found -1");
    REFUSED(zv_drives_add_spring(drives, "s", 0, 1, NAN, &error), ZV_NUMBER, "rest position");
    REFUSED(zv_drives_add_damper(drives, NULL, 0, -2, &error), ZV_NUMBER,
            "damping of damper \"damper\" on \"j_upper\": expected zero or more, found -2");
    REFUSED(zv_drives_add_damper(drives, NULL, 0, INFINITY, &error), ZV_NUMBER, "damping");
    const zvFriction bad[] = {
        {.coulomb = {-1, 0}}, {.coulomb = {0, -1}}, {.coulomb = {1, 1}, .breakaway = {0, -1}}, {.stribeck = -1},
        {.viscous = -1},      {.smoothing = -1},    {.coulomb = {2, 2}, .breakaway = {2, 1}}};
    const char *words[] = {"Coulomb friction",
                           "Coulomb friction",
                           "breakaway force",
                           "Stribeck velocity",
                           "viscous friction",
                           "smoothing velocity",
                           "expected at least its Coulomb friction 2, found 1"};
    for (int i = 0; i < 7; i++) REFUSED(zv_drives_add_friction(drives, "f", 0, &bad[i], &error), ZV_NUMBER, words[i]);
    zvFlexibleJoint joints[9];
    for (int i = 0; i < 9; i++) joints[i] = (zvFlexibleJoint){.stiffness = 1, .inertia = 1, .ratio = 1};
    joints[0].stiffness = joints[2].inertia = joints[4].ratio = 0;
    joints[1].damping = joints[3].inertia = joints[5].motor_damping = joints[6].cubic = -1;
    joints[7].points = joints[8].points = 1;
    joints[8].law[0] = (zvGearPoint){1, 0.3};
    const char *joint_words[] = {"stiffness",       "damping",    "rotor inertia",
                                 "rotor inertia",   "gear ratio", "motor damping",
                                 "cubic stiffness", "at point 1", "three times the slope"};
    for (int i = 0; i < 9; i++)
        REFUSED(zv_drives_add_flexible(drives, "x", 0, &joints[i], &error), ZV_NUMBER, joint_words[i]);
    joints[0] = (zvFlexibleJoint){.stiffness = 1, .inertia = 1, .ratio = 1, .rotor_axis = {0, 0, 1}};
    REFUSED(zv_drives_add_flexible(drives, "x", 0, &joints[0], &error), ZV_NOT_SUPPORTED, "rotors with an axis belong");
    zv_drives_destroy(drives);
}

static void laws(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    const int dofs[2] = {0, 1};
    const double bad[2] = {1, NAN}, low[2] = {1, 0};
    zvPid pid = {0}, nan_pid = {.ki = bad}, low_pid = {.limit = low}, late_pid = {.tracking = (const double[]){1, -1}};
    REFUSED(zv_drives_add_torque(drives, "t", 2, dofs, zeros(3), &error), ZV_SIZE,
            "law of torque \"t\": expected a law of 2 entries, found one of 3");
    REFUSED(zv_drives_add_motion(drives, "m", 1, dofs, zeros(2), &error), ZV_SIZE,
            "expected a law of 1 entry, found one of 2");
    REFUSED(zv_drives_add_load(drives, "l", 1, ZV_AXES_WORLD, zeros(3), &error), ZV_SIZE,
            "law of 6 entries, found one of 3");
    REFUSED(zv_drives_add_pid(drives, "p", 2, dofs, &pid, zeros(1), zeros(2), &error), ZV_SIZE, "reference of pid");
    REFUSED(zv_drives_add_pid(drives, "p", 2, dofs, &pid, zeros(2), zeros(1), &error), ZV_SIZE, "feedforward of pid");
    REFUSED(zv_drives_add_pid(drives, "p", 2, dofs, &pid, NULL, zeros(2), &error), ZV_SCHEMA,
            "reference of pid \"p\": expected a law, found none");
    REFUSED(zv_drives_add_pid(drives, "p", 2, dofs, &nan_pid, zeros(2), NULL, &error), ZV_NUMBER, "ki of pid \"p\"");
    REFUSED(zv_drives_add_pid(drives, "p", 2, dofs, &low_pid, zeros(2), NULL, &error), ZV_NUMBER, "limit of pid \"p\"");
    REFUSED(zv_drives_add_pid(drives, "p", 2, dofs, &late_pid, zeros(2), NULL, &error), ZV_NUMBER, "tracking time");
    const zvTendon cord = {.ratios = bad, .kp = 1}, pushing = {.ratios = low, .kp = -1},
                   crossed = {.ratios = low, .lower = 2, .upper = 1};
    REFUSED(zv_drives_add_tendon(drives, "t", 2, dofs, &cord, zeros(1), NULL, &error), ZV_NUMBER, "ratio of tendon");
    REFUSED(zv_drives_add_tendon(drives, "t", 2, dofs, &pushing, zeros(1), NULL, &error), ZV_NUMBER, "kp of tendon");
    REFUSED(zv_drives_add_tendon(drives, "t", 2, dofs, &crossed, zeros(1), NULL, &error), ZV_NUMBER,
            "limits of tendon \"t\": expected a lower one below the upper one, found 2 and 1");
    REFUSED(zv_drives_add_tendon(drives, "t", 2, dofs, &(zvTendon){.ratios = low}, zeros(2), NULL, &error), ZV_SIZE,
            "reference of tendon");
    REFUSED(zv_drives_add_computed_torque(drives, "c", 2, dofs, NULL, NULL, low, zeros(2), &error), ZV_NUMBER,
            "limit of computed torque \"c\" for \"j_fore\": expected more than zero, found 0");
    REFUSED(zv_drives_add_computed_torque(drives, "c", 2, dofs, bad, NULL, NULL, zeros(2), &error), ZV_NUMBER, "kp of");
    REFUSED(zv_drives_add_computed_torque(drives, "c", 2, dofs, NULL, NULL, NULL, zeros(1), &error), ZV_SIZE,
            "expected a law of 2 entries, found one of 1");
    zv_drives_destroy(drives);
}

static void tasks(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    const zvPose place = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0}};
    const zvTask good = {1, ZV_AXES_WORLD, ZV_TASK_X}, none = {1, ZV_AXES_WORLD, 0}, far = {77, ZV_AXES_WORLD, 1};
    double one = 1, bad[6] = {NAN};
    const double low[2] = {1, 0};
    const int twice[2] = {1, 1};
    const zvTaskControl plain = {0};
    const struct {
        zvTaskControl control;
        zvStatus status;
        const char *words;
    } controls[] = {
        {{.kp = bad}, ZV_NUMBER, "kp of"},
        {{.null_damping = -1}, ZV_NUMBER, "null-space"},
        {{.limit = low}, ZV_NUMBER, "limit of task control \"k\" for \"j_fore\": expected more than zero, found 0"},
        {{.dofs = twice, .count = 2}, ZV_NAME, "\"j_fore\" twice"},
        {{.dofs = twice, .count = 0}, ZV_SIZE, "expected degrees of freedom to use, found none"}};
    REFUSED(zv_drives_add_task_control(drives, "k", &far, NULL, &plain, &error), ZV_NAME,
            "expected one of 4 frames, counted from 0, found 77");
    REFUSED(zv_drives_add_task_control(drives, "k", &none, NULL, &plain, &error), ZV_SCHEMA,
            "expected some of the directions x y z rx ry rz, found rows 0");
    REFUSED(zv_drives_add_task_control(drives, "k", &good, NULL, &plain, &error), ZV_SCHEMA,
            "expected a route, found none");
    for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
        zvRoute *route = zv_route_line(&place, &place, zv_law_constant(1, &one, &error), &error);
        REFUSED(zv_drives_add_task_control(drives, "k", &good, route, &controls[i].control, &error), controls[i].status,
                controls[i].words);
    }
    zv_drives_destroy(drives);
}

static void couplers(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    int fore = zv_model_find_frame(arm, "fore"), tip = zv_model_find_frame(arm, "tip");
    REFUSED(zv_drives_add_coupler(drives, "c", 0, 99, 1, 0, 0, &error), ZV_NAME,
            "coupler \"c\": expected one of 4 frames, counted from 0, found 99");
    REFUSED(zv_drives_add_coupler(drives, "c", -1, 0, 1, 0, 0, &error), ZV_NAME,
            "expected one of 4 frames, counted from 0, found -1");
    REFUSED(zv_drives_add_coupler(drives, NULL, fore, tip, 1, 0, 0, &error), ZV_SCHEMA,
            "coupler \"coupler\": expected frames of two bodies, found \"fore\" and \"tip\"");
    REFUSED(zv_drives_add_coupler(drives, "c", 0, 0, 1, 0, 0, &error), ZV_SCHEMA, "join frames of different bodies");
    REFUSED(zv_drives_add_coupler(drives, "c", 0, tip, -1, 0, 0, &error), ZV_NUMBER,
            "stiffness of coupler \"c\": expected zero or more, found -1");
    REFUSED(zv_drives_add_coupler(drives, "c", 0, tip, 1, NAN, 0, &error), ZV_NUMBER, "damping of coupler \"c\"");
    REFUSED(zv_drives_add_coupler(drives, "c", 0, tip, 1, 0, -0.1, &error), ZV_NUMBER, "length of coupler \"c\"");
    assert_int_equal(zv_drives_add_coupler(drives, "c", 0, tip, 0, 0, 0, &error), ZV_OK);
    zvAccount account = zv_drives_account(drives, 0);
    assert_string_equal(account.name, "c");
    assert_true(!account.unit && account.dof == -1 && account.dissipates);
    assert_string_equal(zv_drives_store_name(drives, 0), "c");
    zv_drives_destroy(drives);
}

static void conflicts(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    const int dofs[2] = {0, 1};
    const zvFlexibleJoint joint = {.stiffness = 1, .inertia = 1, .ratio = 1};
    assert_int_equal(zv_drives_add_motion(drives, "first", 1, dofs, zeros(1), &error), ZV_OK);
    assert_int_equal(zv_drives_add_flexible(drives, "gear", 1, &joint, &error), ZV_OK);
    REFUSED(zv_drives_add_motion(drives, "second", 2, dofs, zeros(2), &error), ZV_SCHEMA,
            "expected a motion without a law, found \"j_upper\" prescribed already");
    REFUSED(zv_drives_add_motion(drives, "second", 1, dofs + 1, zeros(1), &error), ZV_NOT_SUPPORTED,
            "expected a rigid joint, found \"j_fore\" flexible");
    REFUSED(zv_drives_add_flexible(drives, "gear", 1, &joint, &error), ZV_SCHEMA,
            "expected a rigid joint, found \"j_fore\" flexible already");
    REFUSED(zv_drives_add_flexible(drives, "gear", 0, &joint, &error), ZV_NOT_SUPPORTED,
            "expected a motion without a law, found \"j_upper\" prescribed");
    zv_drives_destroy(drives);
}

/* Quaternions have no coordinate; what needs none is welcome. */
static void quaternions(void **state) {
    (void)state;
    drives = zv_drives_create(ball, &error);
    const int dofs[3] = {0, 1, 2};
    const double kp[3] = {0, 0, 1}, kd[3] = {1, 1, 1};
    const zvFlexibleJoint joint = {.stiffness = 1, .inertia = 1, .ratio = 1};
    zvPid pid = {0};
    const char *words = "is turned by a quaternion";
    REFUSED(zv_drives_add_spring(drives, "s", 1, 1, 0, &error), ZV_NOT_SUPPORTED, words);
    REFUSED(zv_drives_add_flexible(drives, "x", 1, &joint, &error), ZV_NOT_SUPPORTED, "\"j_ball.wy\"");
    REFUSED(zv_drives_add_motion(drives, "m", 3, dofs, zeros(3), &error), ZV_NOT_SUPPORTED, words);
    REFUSED(zv_drives_add_pid(drives, "p", 3, dofs, &pid, zeros(3), NULL, &error), ZV_NOT_SUPPORTED, words);
    REFUSED(zv_drives_add_computed_torque(drives, "c", 3, dofs, kp, kd, NULL, zeros(3), &error), ZV_NOT_SUPPORTED,
            words);
    assert_int_equal(zv_drives_add_computed_torque(drives, "c", 3, dofs, NULL, kd, NULL, zeros(3), &error), ZV_OK);
    assert_int_equal(zv_drives_add_damper(drives, "d", 2, 1, &error), ZV_OK);
    assert_string_equal(zv_drives_account(drives, 3).name, "d j_ball.wz");
    zv_drives_destroy(drives);
}

static void functions(void **state) {
    (void)state;
    drives = zv_drives_create(arm, &error);
    const int first = 0;
    const double none = 0;
    REFUSED(zv_drives_add_function(drives, "mpc", 0, NULL, 0, NULL, &error), ZV_SIZE,
            "function \"mpc\": expected degrees of freedom, found none");
    REFUSED(zv_drives_add_function(drives, "mpc", 1, &first, -1, NULL, &error), ZV_NUMBER, "interval of function");
    REFUSED(zv_drives_add_function(drives, "mpc", 1, &first, 0, &none, &error), ZV_NUMBER,
            "limit of function \"mpc\" for");
    assert_int_equal(zv_drives_nfunction(drives), 0);
    zv_drives_destroy(drives);
}

/* A model whose joint carries what cannot be: the text names the joint. */
static void passive(void **state) {
    (void)state;
    const double none[3] = {0}, z[3] = {0, 0, 1};
    for (int i = 0; i < 2; i++) { /* of a ball joint's springs nothing is wrong */
        zvBuilder *b = new_robot(none);
        add_part(b, "part", "base", i ? ZV_JOINT_SPHERICAL : ZV_JOINT_REVOLUTE, z, none,
                 (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}});
        zvDof *dof = &zv_builder_joint(b, 0)->dof[0];
        if (i) {
            dof->stiffness = 3;
        } else {
            dof->damping = -3;
        }
        zvModel *model = freeze_robot(b);
        drives = zv_drives_create(model, &error);
        if (i) {
            assert_int_equal(zv_drives_add_passive(drives, 0.1, NULL, &error), ZV_OK);
            assert_string_equal(zv_drives_store_name(drives, 0), "spring j_part");
        } else {
            REFUSED(zv_drives_add_passive(drives, 0.1, NULL, &error), ZV_NUMBER, "j_part");
        }
        zv_drives_destroy(drives);
        zv_model_destroy(model);
    }
}

TESTS_BETWEEN(prepare, clear_away, degrees_of_freedom, numbers, laws, tasks, couplers, conflicts, quaternions,
              functions, passive)
