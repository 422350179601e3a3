/* Many frames at once: loads, couplers, poses, velocities and planes out of one sweep against one frame at a time; a
 * redundant arm along a line. */
#include "simulate/runs.h"
#include "simulate/scenario.h"
#include "support/run_tests.h"

#define ARM                                                                                                            \
    "{inline: {links: [{name: base}, {name: a, mass: 2, com: [0, 0, 0.2], inertia: [0.05, 0.06, 0.01]}, {name: b, "    \
    "mass: 1.5, com: [0, 0.1, 0.2], inertia: [0.04, 0.05, 0.01]}, {name: c, mass: 1, com: [0, 0, 0.15], inertia: "     \
    "[0.02, 0.03, 0.01]}], joints: [{name: j1, type: revolute, parent: base, child: a, axis: [0, 1, 0]}, {name: j2, "  \
    "type: revolute, parent: a, child: b, origin: {xyz: [0, 0, 0.4]}, axis: [0, 1, 0]}, {name: j3, type: revolute, "   \
    "parent: b, child: c, origin: {xyz: [0, 0, 0.4]}, axis: [0, 1, 0]}], frames: [{name: elbow, link: b, pose: {xyz: " \
    "[0.1, 0.2, 0.3], rpy: [0.4, 0.5, 0.6]}}, {name: tool, link: c, pose: {xyz: [0, 0, 0.3], rpy: [0.1, 0, 0.2]}}]}}"

/* Five loads and a spring between frames; the same wrenches, found frame by frame. */
static void loads_push_as_one_by_one(void **state) {
    (void)state;
    static const char *const frames[] = {"a", "elbow", "tool", "b", "elbow"};
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " ARM ", duration: 1, loads: [{frame: a, force: [1, 2, 3]}, {frame: elbow, force: "
        "[4, -1, 2], moment: [1, 0, -1]}, {name: t, frame: tool, axes: local, force: [1, 5, -2], moment: [0.3, 0.2, "
        "0.1]}, {frame: b, moment: [0, 2, 0]}, {name: e, frame: elbow, axes: local, force: [1, 1, 1]}], springs: "
        "[{from: elbow, to: tool, stiffness: 30, damping: 2, length: 0.1}]}");
    static const double given[5][6] = {
        {1, 2, 3}, {4, -1, 2, 1, 0, -1}, {1, 5, -2, 0.3, 0.2, 0.1}, {0, 0, 0, 0, 2, 0}, {1, 1, 1}};
    const zvModel *m = scenario->model;
    const double q[3] = {0.3, -0.8, 1.7}, v[3] = {1, -2, 0.5};
    double fext[4 * 6] = {0}, tau[3] = {0}, a[3], force[6] = {0}, back[6] = {0}, power[6];
    zvWork *work = zv_work_create(m, NULL);
    zvEfforts *efforts = zv_efforts_create(scenario->drives, NULL);
    assert_true(work && efforts);
    for (int i = 0; i < 5; i++) {
        const int frame = zv_model_find_frame(m, frames[i]);
        double wrench[6], velocity[6];
        zvPose pose;
        zv_frame_pose(m, work, q, frame, &pose);
        zv_frame_velocity(m, work, q, v, frame, ZV_AXES_WORLD, velocity);
        memcpy(wrench, given[i], sizeof wrench);
        for (int k = 0; (i == 2 || i == 4) && k < 6; k++) {
            const double *R = pose.R + 3 * (k % 3), *x = given[i] + 3 * (k / 3);
            wrench[k] = R[0] * x[0] + R[1] * x[1] + R[2] * x[2];
        }
        zv_add_wrench(m, work, q, frame, wrench, fext);
        power[i] = 0;
        for (int k = 0; k < 6; k++) power[i] += wrench[k] * velocity[k];
    }
    const int from = zv_model_find_frame(m, "elbow"), to = zv_model_find_frame(m, "tool");
    zvPose start, end;
    double u[3], rate[2][6], along = 0;
    zv_frame_pose(m, work, q, from, &start);
    zv_frame_pose(m, work, q, to, &end);
    zv_frame_velocity(m, work, q, v, from, ZV_AXES_WORLD, rate[0]);
    zv_frame_velocity(m, work, q, v, to, ZV_AXES_WORLD, rate[1]);
    for (int k = 0; k < 3; k++) u[k] = end.p[k] - start.p[k];
    const double d = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < 3; k++) along += u[k] / d * (rate[1][k] - rate[0][k]);
    for (int k = 0; k < 3; k++) force[k] = (-30 * (d - 0.1) - 2 * along) * u[k] / d;
    for (int k = 0; k < 3; k++) back[k] = -force[k];
    power[5] = -2 * along * along;
    zv_add_wrench(m, work, q, to, force, fext);
    zv_add_wrench(m, work, q, from, back, fext);
    assert_int_equal(zv_forward_dynamics(m, work, q, v, tau, fext, a), ZV_OK);
    assert_int_equal(zv_drives_accelerate(scenario->drives, efforts, work, 0, q, v, NULL, NULL), ZV_OK);
    for (int i = 0; i < 24; i++) assert_named_near("wrench on a link", efforts->fext[i], fext[i], 1e-13);
    for (int i = 0; i < 3; i++) assert_named_near("acceleration", efforts->a[i], a[i], 1e-11 * (1 + fabs(a[i])));
    for (int i = 0; i < 6; i++) assert_named_near("power", efforts->power[i], power[i], 1e-13 * (1 + fabs(power[i])));
    zv_efforts_destroy(efforts);
    zv_work_destroy(work);
    zv_scenario_destroy(scenario);
}

/* Three planes and three frames in a row of the recording: the same as frame by frame. */
static void channels_and_planes(void **state) {
    (void)state;
    char name[512];
    const char *path = file_of("frames.csv", name);
    zvScenario *scenario = scenario_of(
        "{zveno_scenario: 1, model: " ARM ", duration: 1, initial: {q: {j1: 1.2, j2: 0.4}}, integrator: {rtol: 1e-10, "
        "atol: 1e-10}, events: [{name: x, type: plane, frame: elbow, offset: 0}, {name: y, type: plane, frame: tool, "
        "offset: -0.3}, {name: z, type: plane, frame: b, normal: [1, 0, 0], offset: 0.1}], output: {every_step: true, "
        "channels: [q, v, pose elbow, velocity elbow, pose tool, velocity tool]}}");
    zvRunSummary *summary = run_of(scenario, path);
    uint64_t rows;
    double *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL);
    double *t = rows_of(path, "time", &rows, NULL);
    zvWork *work = zv_work_create(scenario->model, NULL);
    static const char *const frames[] = {"elbow", "tool"};
    for (int f = 0; f < 2; f++) {
        char channel[32];
        zvPose pose;
        double velocity[6];
        snprintf(channel, sizeof channel, "pose %s", frames[f]);
        double *poses = rows_of(path, channel, &rows, NULL);
        snprintf(channel, sizeof channel, "velocity %s", frames[f]);
        double *velocities = rows_of(path, channel, &rows, NULL);
        const int frame = zv_model_find_frame(scenario->model, frames[f]);
        for (uint64_t i = 0; i < rows; i++) {
            zv_frame_pose(scenario->model, work, q + 3 * i, frame, &pose);
            zv_frame_velocity(scenario->model, work, q + 3 * i, v + 3 * i, frame, ZV_AXES_WORLD, velocity);
            for (int k = 0; k < 3; k++) assert_named_near("place", poses[7 * i + k], pose.p[k], 1e-14);
            for (int k = 0; k < 6; k++) assert_named_near("velocity", velocities[6 * i + k], velocity[k], 1e-12);
        }
        for (int k = 0; f == 1 && k < zv_run_events(summary); k++) { /* an event ends a step, so there is a row */
            const zvEvent h = zv_run_event(summary, k);
            uint64_t i = 0;
            while (i < rows && t[i] < h.t) i++;
            assert_true(i < rows && t[i] == h.t);
            const bool side = h.name[0] == 'z';
            const char *of = h.name[0] == 'x' ? "elbow" : side ? "b" : "tool";
            zv_frame_pose(scenario->model, work, q + 3 * i, zv_model_find_frame(scenario->model, of), &pose);
            assert_named_near(h.name, side ? pose.p[0] : pose.p[2], h.name[0] == 'x' ? 0 : side ? 0.1 : -0.3, 1e-9);
        }
        free(poses);
        free(velocities);
    }
    assert_true(zv_run_events(summary) >= 2);
    free(q);
    free(v);
    free(t);
    zv_work_destroy(work);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    remove(path);
}

/* Three joints lead a tool along a line in a plane. The motion is smooth enough for long steps, follows the line, and
 * its velocities have no part that leaves the tool alone; accelerations are their rates. Progress breaks at 0.5 and
 * 1 s when it is trapezoidal. */
static void redundant_line(void **state) {
    (void)state;
    static const char *const profiles[] = {"quintic", "trapezoidal"};
    char name[512];
    const char *path = file_of("line.csv", name);
    for (int p = 0; p < 2; p++) {
        zvScenario *scenario = scenario_of("{zveno_scenario: 1, model: " ARM
                                           ", duration: 2, initial: {q: {j1: 0.3, j2: 0.8, j3: 0.5}}, drives: [{type: "
                                           "motion, joints: all, law: {type: line, frame: tool, task: [x, z], to: "
                                           "{xyz: [0.5, 0, 0.5]}, duration: 1.5, "
                                           "profile: %s}}], output: {interval: 0.01, channels: [q, v, a]}}",
                                           profiles[p]);
        zvRunSummary *summary = run_of(scenario, path);
        const zvIntegrationStatistics s = zv_run_statistics(summary);
        if (s.steps > 300 || s.rejected > 30) fail_msg("%ld steps, %ld rejected", s.steps, s.rejected);
        assert_named_near("gap", zv_run_ledger_gap(summary) / zv_run_energy_exchanged(summary), 0, 1e-7);
        uint64_t rows;
        double *q = rows_of(path, "q", &rows, NULL), *v = rows_of(path, "v", &rows, NULL);
        double *a = rows_of(path, "a", &rows, NULL), J[18];
        zvWork *work = zv_work_create(scenario->model, NULL);
        const int tool = zv_model_find_frame(scenario->model, "tool");
        zvPose first, pose;
        zv_frame_pose(scenario->model, work, q, tool, &first);
        for (uint64_t i = 1; i + 1 < rows; i++) {
            zv_frame_pose(scenario->model, work, q + 3 * i, tool, &pose);
            zv_frame_jacobian(scenario->model, work, q + 3 * i, tool, ZV_AXES_WORLD, J);
            const double dx = 0.5 - first.p[0], dz = 0.5 - first.p[2];
            const double off = (dx * (pose.p[2] - first.p[2]) - dz * (pose.p[0] - first.p[0])) / hypot(dx, dz);
            assert_named_near("beside the line", off, 0, 1e-11);
            const double *x = J, *z = J + 6, *now = v + 3 * i;
            const double n[3] = {x[1] * z[2] - x[2] * z[1], x[2] * z[0] - x[0] * z[2], x[0] * z[1] - x[1] * z[0]};
            const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            assert_named_near("idle velocity", (n[0] * now[0] + n[1] * now[1] + n[2] * now[2]) / length, 0, 1e-8);
            if (p == 1 || i == 150) continue; /* it jumps, or its rate does */
            for (int k = 0; k < 3; k++)       /* central differences, 0.01^2 / 6 times the fourth derivative */
                assert_named_near("acceleration", (v[3 * i + 3 + k] - v[3 * i - 3 + k]) / 0.02, a[3 * i + k], 5e-3);
        }
        free(q);
        free(v);
        free(a);
        zv_work_destroy(work);
        zv_run_summary_destroy(summary);
        zv_scenario_destroy(scenario);
    }
    remove(path);
}

TESTS(loads_push_as_one_by_one, channels_and_planes, redundant_line)
