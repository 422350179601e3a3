/* Controllers that know the model, on arms with elastic links: structural methods start and agree with Runge-Kutta, and
 * operational space takes the links as they are bent. */
#include "simulate/runs.h"
#include "simulate/system.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

enum { MOST = 16 };

#define LINK(name)                                                                                                   \
    "{name: " name ", beam: {length: 1.5, material: {E: 7e10, poisson: 0.3, density: 2700}, section: {tube: [0.02, " \
    "0.018]}, modes: {y: 1, z: 1}, damping: {ratio: 0.05}}}"
#define ARM                                                                                                            \
    "{inline: {links: [{name: ground}, " LINK("upper") ", " LINK(                                                      \
        "lower") ", {name: load, mass: 3, inertia: [0.02, "                                                            \
                 "0.02, 0.02]}], joints: [{name: turn, type: continuous, parent: ground, child: upper, axis: [0, 0, "  \
                 "1]}, {name: "                                                                                        \
                 "elbow, type: continuous, parent: upper, child: lower, axis: [0, 0, 1], origin: {xyz: [1.5, 0, "      \
                 "0]}}, {name: grip,"                                                                                  \
                 " type: fixed, parent: lower, child: load, origin: {xyz: [1.5, 0, 0]}}], frames: [{name: tip, link: " \
                 "load}]}}"
#define HEAD \
    "zveno_scenario: 1, gravity: [0, 0, 0], duration: 0.4, model: " ARM ", initial: {q: {turn: 0.2, elbow: 0.9}}"
#define TORQUE                                                                                                        \
    "drives: [{type: computed_torque, joints: [turn, elbow], kp: 25, kd: 10, reference: {type: cycloidal, to: [0.5, " \
    "0.6], duration: 0.4}}]"
#define TASK                                                                                                           \
    "drives: [{type: operational_space, frame: tip, task: [x, y], kp: 9, kd: 4, route: {type: line, to: {xyz: [2, 2, " \
    "0]}, duration: 0.4}}]"

/* The corrector with the reduced matrix does not converge from the first step on; by default the full one is taken. */
static void start(void **state) {
    (void)state;
    static const char *const drives[] = {TORQUE, TASK};
    static const char *const methods[] = {"rk4, step: 5e-5", "newmark, step: 5e-3", "generalized-alpha, step: 5e-3"};
    for (int i = 0; i < 2; i++) {
        double wanted[MOST] = {0};
        for (int k = 0; k < 3; k++) {
            zvScenario *scenario = scenario_of("{" HEAD ", %s, integrator: {method: %s}}", drives[i], methods[k]);
            zvRunSummary *summary = run_of(scenario, NULL);
            const double *q = zv_run_position(summary);
            for (int j = 0; j < zv_model_nq(zv_scenario_model(scenario)); j++) {
                if (k == 0) wanted[j] = q[j];
                if (k > 0 && fabs(q[j] - wanted[j]) > 1e-3)
                    fail_msg("%s, %s: q[%d] %g, wanted %g", drives[i], methods[k], j, q[j], wanted[j]);
            }
            zv_run_summary_destroy(summary);
            zv_scenario_destroy(scenario);
        }
    }
}

/* Under the forces of the control, with elastic coordinates that do not accelerate, the tip has the acceleration
 * wanted: kp (target - tip) - kd (velocity), the route standing still at its beginning. */
static void as_bent(void **state) {
    (void)state;
    rtRandom random = {71};
    zvScenario *scenario = scenario_of("{" HEAD ", " TASK "}");
    zvError error = {0};
    ziSystem *system = zi_system_create(scenario, &error);
    const zvModel *model = zv_scenario_model(scenario);
    const int nv = zv_model_nv(model), tip = zv_model_find_frame(model, "tip");
    double q[MOST], v[MOST], a[MOST], tau[MOST], x[6], velocity[6];
    unsigned char given[MOST];
    zvPose target, actual;
    assert_non_null(system);
    zv_frame_pose(model, system->work, scenario->q, tip, &target);
    for (int n = 0; n < 20; n++) {
        rt_vector(&random, 0.3, nv, q);
        rt_vector(&random, 0.5, nv, v);
        q[0] += 0.2, q[3] += 0.9;
        assert_int_equal(
            zv_drives_accelerate(scenario->drives, system->efforts, system->work, 0, q, v, NULL, system->modes), ZV_OK);
        for (int i = 0; i < nv; i++) {
            const bool joint = i == 0 || i == 3;
            given[i] = joint ? ZV_GIVEN_FORCE : ZV_GIVEN_LOCKED;
            tau[i] = joint ? system->efforts->force[zv_drives_naccount(scenario->drives) - 2 + (i == 3)] : 0;
        }
        assert_int_equal(zv_mixed_dynamics(model, system->work, q, v, given, NULL, tau, a), ZV_OK);
        zv_frame_acceleration(model, system->work, q, v, a, tip, ZV_AXES_WORLD, x);
        zv_frame_velocity(model, system->work, q, v, tip, ZV_AXES_WORLD, velocity);
        zv_frame_pose(model, system->work, q, tip, &actual);
        for (int i = 0; i < 2; i++) {
            const double wanted = 9 * (target.p[i] - actual.p[i]) - 4 * velocity[i];
            if (!(fabs(x[i] - wanted) < 1e-9 * (1 + fabs(wanted))))
                fail_msg("seed 71, state %d: %g instead of %g", n, x[i], wanted);
        }
    }
    zi_system_destroy(system);
    zv_scenario_destroy(scenario);
}

TESTS(start, as_bent)
