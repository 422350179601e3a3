/* Inverse kinematics: targets that were taken from a position are found again to 1e-12, within limits; what cannot be
 * reached is approached as far as geometry allows. The final pose is judged by zv_frame_pose alone. */
#include <float.h>
#include <string.h>

#include "oracle/robot.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

typedef struct Solver {
    Robot robot;
    zvTaskWork *work;
    zvTask task;
} Solver;

static Solver solver_from(Robot robot, const char *frame) {
    Solver s = {.robot = robot, .work = zv_task_work_create(robot.model, NULL)};
    assert_non_null(s.work);
    s.task = (zvTask){zv_model_find_frame(robot.model, frame), ZV_AXES_WORLD, ZV_TASK_FULL};
    assert_true(s.task.frame >= 0);
    return s;
}

static void close_solver(Solver *s) {
    zv_task_work_destroy(s->work);
    close_robot(&s->robot);
}

/* The limits of every coordinate of its own; pi to either side where there are none. */
static void range(const zvModel *model, int joint, int dof, double *lower, double *upper) {
    const zvDof *d = &zv_model_joint(model, joint)->dof[dof];
    *lower = d->has_limits ? d->lower : -3.1;
    *upper = d->has_limits ? d->upper : 3.1;
}

static void draw(const Robot *robot, rtRandom *random, double *q) {
    zv_neutral(robot->model, q);
    for (int j = 0; j < zv_model_njoint(robot->model); j++) {
        zvJointPlace place = zv_model_joint_place(robot->model, j);
        for (int k = 0; k < place.nv && place.nq == place.nv; k++) {
            double lower, upper;
            range(robot->model, j, k, &lower, &upper);
            q[place.q_index + k] = rt_uniform(random, lower, upper);
        }
    }
}

static bool within_limits(const Robot *robot, const double *q) {
    for (int j = 0; j < zv_model_njoint(robot->model); j++) {
        zvJointPlace place = zv_model_joint_place(robot->model, j);
        for (int k = 0; k < place.nv && place.nq == place.nv; k++) {
            const zvDof *d = &zv_model_joint(robot->model, j)->dof[k];
            const double x = q[place.q_index + k];
            if (d->has_limits && (x < d->lower || x > d->upper)) return false;
        }
    }
    return true;
}

/* Larger of the lengths of displacement and rotation, from the pose at q. */
static double gap_at(const Solver *s, const double *q, const zvPose *target) {
    zvPose pose;
    double e[6];
    zv_frame_pose(s->robot.model, s->robot.work, q, s->task.frame, &pose);
    zv_pose_error(target, &pose, e);
    return fmax(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]), sqrt(e[3] * e[3] + e[4] * e[4] + e[5] * e[5]));
}

/* Near guesses must all do; guesses anywhere may need fresh ones, and nearly all do. */
static void robots_find_their_poses(void **state) {
    (void)state;
    static const char *const names[3][2] = {
        {"puma560.yaml", "link6"}, {"cobot7.yaml", "tcp"}, {"ssrms7.yaml", "end_effector"}};
    for (int r = 0; r < 3; r++) {
        Solver s = solver_from(open_robot(names[r][0]), names[r][1]);
        int anywhere = 0;
        for (uint64_t seed = 500; seed < 700; seed++) {
            rtRandom random = {seed};
            double q[MAX], guess[MAX], gap;
            zvPose target;
            zvInverseKinematics options = zv_inverse_kinematics_default();
            draw(&s.robot, &random, q);
            zv_frame_pose(s.robot.model, s.robot.work, q, s.task.frame, &target);
            for (int k = 0; k < s.robot.nq; k++) guess[k] = q[k] + rt_uniform(&random, -0.3, 0.3);
            while (!within_limits(&s.robot, guess)) /* half-way back to q until it is a fair guess */
                for (int k = 0; k < s.robot.nq; k++) guess[k] = 0.5 * (guess[k] + q[k]);
            const zvStatus status = zv_inverse_kinematics(s.robot.model, s.work, &s.task, &target, NULL, guess, &gap);
            if (status != ZV_OK || !(gap <= 1e-12) || !(gap_at(&s, guess, &target) <= 1.01e-12) ||
                !within_limits(&s.robot, guess))
                fail_msg("%s seed %llu: %s, gap %g", names[r][0], (unsigned long long)seed, zv_status_name(status),
                         gap);
            draw(&s.robot, &random, guess);
            options.restarts = 20;
            anywhere += zv_inverse_kinematics(s.robot.model, s.work, &s.task, &target, &options, guess, &gap) == ZV_OK;
            assert_true(isfinite(gap) && within_limits(&s.robot, guess));
            assert_true(fabs(gap - gap_at(&s, guess, &target)) <= 1e-14 + 1e-12 * gap);
        }
        assert_true(anywhere >= 195);
        close_solver(&s);
    }
}

/* For a small displacement the answer of a redundant arm is the least one, to second order. */
static void redundant_arm_moves_least(void **state) {
    (void)state;
    Solver s = solver_from(open_robot("cobot7.yaml"), "tcp");
    double q[MAX] = {0.3, -0.5, 0.2, -1.9, 0.1, 1.6, 0.4, 0.02}, answer[MAX], v[MAX];
    const double step[6] = {1e-5, -2e-5, 1e-5, 3e-5, 1e-5, -2e-5};
    const double a = step[3], b = step[4], c = step[5]; /* a rotation to first order; the rest is below 1e-9 */
    const double R[9] = {1, -c, b, c, 1, -a, -b, a, 1};
    zvPose pose, target = zv_pose_identity();
    zv_frame_pose(s.robot.model, s.robot.work, q, s.task.frame, &pose);
    for (int i = 0; i < 9; i++) {
        target.R[i] = 0;
        for (int k = 0; k < 3; k++) target.R[i] += R[i / 3 * 3 + k] * pose.R[3 * k + i % 3];
    }
    for (int i = 0; i < 3; i++) target.p[i] = pose.p[i] + step[i];
    assert_int_equal(zv_task_resolve(s.robot.model, s.work, q, &s.task, NULL, step, NULL, v, NULL), ZV_OK);
    memcpy(answer, q, sizeof q);
    zvInverseKinematics options = zv_inverse_kinematics_default();
    options.tolerance = 1e-9; /* the target's rotation is one to second order only */
    assert_int_equal(zv_inverse_kinematics(s.robot.model, s.work, &s.task, &target, &options, answer, NULL), ZV_OK);
    for (int k = 0; k < s.robot.nq; k++) assert_true(fabs(answer[k] - q[k] - v[k]) <= 1e-7);
    close_solver(&s);
}

/* Random trees: every joint type, free bases, coupled joints, parts of a pose in both axes. */
static int found, asked;

static bool trees_find_their_poses(rtCase *c) {
    static const unsigned choices[] = {ZV_TASK_FULL, ZV_TASK_POSITION, ZV_TASK_X | ZV_TASK_Y | ZV_TASK_RX | ZV_TASK_RY,
                                       ZV_TASK_POSITION | ZV_TASK_RX | ZV_TASK_RY};
    zvTask task = {rt_below(&c->random, zv_model_nframe(c->model)), c->seed % 2 ? ZV_AXES_LOCAL : ZV_AXES_WORLD,
                   choices[c->seed / 2 % 4]};
    if (c->nv == 0) return true;
    zvTaskWork *work = zv_task_work_create(c->model, NULL);
    assert_non_null(work);
    zvPose target, pose;
    double e[6], local[6], gap;
    zv_frame_pose(c->model, c->work, c->q, task.frame, &target);
    rt_vector(&c->random, 0.1, c->nv, c->x);
    zv_position_add(c->model, c->q, c->x, c->q);
    const zvStatus status = zv_inverse_kinematics(c->model, work, &task, &target, NULL, c->q, &gap);
    asked++;
    found += status == ZV_OK;
    bool good = isfinite(gap) && (status == ZV_OK || status == ZV_NO_CONVERGENCE);
    good = good && zv_position_normalize(c->model, c->q) < 1e-14;
    zv_frame_pose(c->model, c->work, c->q, task.frame, &pose);
    zv_pose_error(&target, &pose, e);
    for (int i = 0; i < 6; i++) {
        const double *x = e + i / 3 * 3;
        local[i] = pose.R[i % 3] * x[0] + pose.R[3 + i % 3] * x[1] + pose.R[6 + i % 3] * x[2];
        const double rest = task.axes == ZV_AXES_LOCAL ? local[i] : e[i];
        if (task.rows >> i & 1) good = good && fabs(rest) <= gap + 1e-13;
    }
    if (!good) printf("seed %llu: %s, gap %g\n", (unsigned long long)c->seed, zv_status_name(status), gap);
    zv_task_work_destroy(work);
    return good;
}

static void random_trees(void **state) {
    (void)state;
    found = asked = 0;
    assert_true(rt_each(74000, 600, 20, NULL, trees_find_their_poses));
    printf("%d of %d found\n", found, asked);
    assert_true(found > 0.97 * asked);
}

/* The two-link arm with limits of its elbow. */
static Solver planar(double lower, double upper) {
    zvBuilder *builder = read_model("two_link.yaml");
    zvDof *elbow = &zv_builder_joint(builder, zv_builder_find_joint(builder, "joint2"))->dof[0];
    elbow->has_limits = lower < upper;
    elbow->lower = lower;
    elbow->upper = upper;
    Solver s = solver_from(robot_from(builder), "link2_dh");
    s.task.rows = ZV_TASK_X | ZV_TASK_Y;
    return s;
}

static zvStatus reach_for(const Solver *s, double x, double y, double *q, double *gap) {
    zvPose target = zv_pose_identity();
    target.p[0] = x;
    target.p[1] = y;
    return zv_inverse_kinematics(s->robot.model, s->work, &s->task, &target, NULL, q, gap);
}

static void out_of_reach(void **state) {
    (void)state;
    Solver s = planar(0, 0);
    double gap, q[2] = {0.7, -1.1};
    assert_int_equal(reach_for(&s, 1.5, 0.4, q, &gap), ZV_NO_CONVERGENCE);
    assert_true(fabs(gap - (hypot(1.5, 0.4) - 0.9)) <= 1e-9);
    assert_true(fabs(q[0] - atan2(0.4, 1.5)) <= 1e-4 && fabs(sin(q[1])) <= 1e-4);
    double near[2] = {0.7, 2};
    assert_int_equal(reach_for(&s, 0.03, 0.02, near, &gap), ZV_NO_CONVERGENCE); /* the hole in the middle */
    assert_true(fabs(gap - (0.1 - hypot(0.03, 0.02))) <= 1e-9);
    double far[2] = {0.7, -1.1};
    assert_int_equal(reach_for(&s, 1e6, -1e6, far, &gap), ZV_NO_CONVERGENCE);
    assert_true(fabs(gap - (hypot(1e6, 1e6) - 0.9)) <= 1e-6);
    s.task.rows = ZV_TASK_FULL;
    zvPose tilted = zv_pose_from_rpy((double[]){0.5, 0.2, 0.1}, (double[]){0.3, -0.2, 0.5});
    assert_int_equal(zv_inverse_kinematics(s.robot.model, s.work, &s.task, &tilted, NULL, q, &gap), ZV_NO_CONVERGENCE);
    assert_true(isfinite(gap) && isfinite(q[0]) && isfinite(q[1]));
    close_solver(&s);
}

/* Stretched arms pull straight: no joint can begin the way back, a nudge can. The edge of the reach is found too. */
static void stretched(void **state) {
    (void)state;
    Solver s = planar(0, 0);
    double gap, q[2] = {0, 0}, edge[2] = {0.4, 0.3};
    assert_int_equal(reach_for(&s, 0.5, 0, q, &gap), ZV_OK);
    assert_int_equal(reach_for(&s, 0.9, 0, edge, &gap), ZV_OK);
    assert_true(fabs(edge[0]) <= 1e-5 && fabs(edge[1]) <= 1e-5);
    close_solver(&s);
}

static void limits_are_kept(void **state) {
    (void)state;
    Solver s = planar(1, 2);
    const double shortest = sqrt(0.25 + 0.16 + 0.4 * cos(2)), longest = sqrt(0.25 + 0.16 + 0.4 * cos(1));
    double gap, q[2] = {0.2, 1.5};
    assert_int_equal(reach_for(&s, 0.9, 0, q, &gap), ZV_NO_CONVERGENCE);
    assert_true(q[1] == 1 && fabs(gap - (0.9 - longest)) <= 1e-9);
    assert_int_equal(reach_for(&s, 0.1, 0.2, q, &gap), ZV_NO_CONVERGENCE);
    assert_true(q[1] == 2 && fabs(gap - (shortest - hypot(0.1, 0.2))) <= 1e-9);
    assert_int_equal(reach_for(&s, -0.3, 0.55, q, &gap), ZV_OK); /* away from the limit again */
    assert_true(q[1] >= 1 && q[1] <= 2);
    double outside[2] = {0.2, 0.5}; /* such a guess is not held back */
    assert_int_equal(reach_for(&s, 0.85, 0.1, outside, &gap), ZV_OK);
    close_solver(&s);
}

/* A finger that follows another: hold the arm, open the hand. */
static void followers_and_held_joints(void **state) {
    (void)state;
    Solver s = solver_from(open_robot("cobot7.yaml"), "finger_right");
    double q[MAX] = {0.3, -0.5, 0.2, -1.9, 0.1, 1.6, 0.4, 0.01}, wide[MAX], answer[MAX], gap;
    const unsigned char held[MAX] = {1, 1, 1, 1, 1, 1, 1, 0};
    zvInverseKinematics options = zv_inverse_kinematics_default();
    zvPose target;
    options.held = held;
    memcpy(wide, q, sizeof q);
    for (int pass = 0; pass < 2; pass++) { /* within the limit, and beyond it */
        wide[7] = pass ? 0.06 : 0.03;
        zv_frame_pose(s.robot.model, s.robot.work, wide, s.task.frame, &target);
        memcpy(answer, q, sizeof q);
        const zvStatus status = zv_inverse_kinematics(s.robot.model, s.work, &s.task, &target, &options, answer, &gap);
        assert_int_equal(status, pass ? ZV_NO_CONVERGENCE : ZV_OK);
        assert_memory_equal(answer, q, 7 * sizeof *q);
        assert_true(fabs(answer[7] - (pass ? 0.04 : 0.03)) <= 1e-12);
        assert_true(fabs(gap - (pass ? 0.02 : 0)) <= 1e-12);
    }
    close_solver(&s);
}

static void free_base_goes_anywhere(void **state) {
    (void)state;
    Solver s = solver_from(open_robot("ssrms_free.yaml"), "end_effector");
    double q[MAX], gap;
    zvPose target = zv_pose_from_rpy((double[]){40, -30, 25}, (double[]){2, -1, 3});
    zv_neutral(s.robot.model, q);
    assert_int_equal(zv_inverse_kinematics(s.robot.model, s.work, &s.task, &target, NULL, q, &gap), ZV_OK);
    assert_true(gap_at(&s, q, &target) <= 1e-12);
    assert_true(zv_position_normalize(s.robot.model, q) < 1e-14);
    close_solver(&s);
}

static void nonsense_gives_no_nonsense(void **state) {
    (void)state;
    Solver s = planar(0, 0);
    double gap, q[2] = {0.2, 0.5};
    assert_int_equal(reach_for(&s, NAN, 0, q, &gap), ZV_NO_CONVERGENCE);
    assert_true(q[0] == 0.2 && q[1] == 0.5);
    assert_int_equal(reach_for(&s, INFINITY, 0, q, &gap), ZV_NO_CONVERGENCE);
    assert_true(isfinite(q[0]) && isfinite(q[1]));
    const unsigned char held[2] = {1, 1};
    const zvInverseKinematics options = {.tolerance = 1e-12, .iterations = 100, .held = held};
    zvPose target = zv_pose_identity();
    assert_int_equal(zv_inverse_kinematics(s.robot.model, s.work, &s.task, &target, &options, q, &gap),
                     ZV_NO_CONVERGENCE);
    assert_true(q[0] == 0.2 && q[1] == 0.5 && isfinite(gap));
    close_solver(&s);
}

TESTS(robots_find_their_poses, redundant_arm_moves_least, random_trees, out_of_reach, stretched, limits_are_kept,
      followers_and_held_joints, free_base_goes_anywhere, nonsense_gives_no_nonsense)
