/* What a correct program never does ends a debug build by an assertion: a child of this process does it and is aborted.
 * Release builds do not look, so there is nothing to see there. What every program may do is to destroy nothing. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/zveno.h"

/* Asks a child to do something and returns the signal that ended it, 0: none. */
static int signal_of(void (*mistake)(void)) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        const struct rlimit none = {0, 0};
        signal(SIGABRT, SIG_DFL); /* cmocka catches signals of its own */
        setrlimit(RLIMIT_CORE, &none);
        if (!freopen("/dev/null", "w", stderr)) _exit(99);
        mistake();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* A rod on a hinge; looped: a second hinge in the same place closes a loop. */
static zvModel *make_pendulum(bool looped) {
    zvBuilder *builder = zv_builder_create(NULL);
    zvModel *model = NULL;
    const zvLink base = zv_link_default("base");
    const zvLoop again = zv_loop_default("again", ZV_LOOP_JOINT, ZV_JOINT_REVOLUTE, "base", "rod");
    zvLink rod = zv_link_default("rod");
    rod.inertia = (zvInertia){.mass = 1, .com = {0.5, 0, 0}, .moment = {0.01, 0, 0, 0.1, 0, 0.1}};
    const zvJoint joint = zv_joint_default("hinge", ZV_JOINT_REVOLUTE, "base", "rod");
    zv_builder_add_link(builder, &base, NULL);
    zv_builder_add_link(builder, &rod, NULL);
    zv_builder_add_joint(builder, &joint, NULL);
    if (looped) zv_builder_add_loop(builder, &again, NULL);
    zv_builder_freeze(builder, &model, NULL);
    zv_builder_destroy(builder);
    return model;
}
static zvModel *pendulum(void) { return make_pendulum(false); }

static void no_model(void) { zv_model_nq(NULL); }
static void no_frame(void) { zv_model_frame(pendulum(), 9); }
static void no_scenario(void) { zv_scenario_title(NULL); }
static void no_path(void) {
    zvScenario *scenario;
    zv_scenario_read_file(NULL, 0, NULL, &scenario, NULL);
}
static void no_row(void) {
    const zvChannel time = {"time", "s", "", 1, NULL, NULL};
    zv_recorder_row(zv_recorder_create_memory(1, &time, NULL), NULL, NULL);
}
static void no_channel(void) { zv_recording_channel(NULL, 0); }
static void no_ode(void) { zv_integrator_create(NULL, NULL, NULL); }
static int still(void *context, double t, const double *y, double *dy) {
    (void)context, (void)t, (void)y;
    dy[0] = 0;
    return 0;
}
static void no_start(void) {
    const zvOde ode = {.size = 1, .rate = still};
    const zvIntegrationOptions options = {.method = "rk4"};
    zvStepEnd end;
    zv_integrator_step(zv_integrator_create(&ode, &options, NULL), 1, &end, NULL);
}
static void no_points(void) { zv_law_constant(2, NULL, NULL); }
static void no_place_for_x(void) {
    const double one = 1;
    zv_law_at(zv_law_constant(1, &one, NULL), 0, NULL, NULL, NULL);
}
static void no_account(void) { zv_drives_account(zv_drives_create(pendulum(), NULL), 0); }
static void no_efforts(void) {
    zvModel *model = pendulum();
    const double q = 0, v = 0;
    zv_drives_accelerate(zv_drives_create(model, NULL), NULL, zv_work_create(model, NULL), 0, &q, &v, NULL, NULL);
}
static void no_builder(void) { zv_read_memory(NULL, "x", "", 0, ZV_FORMAT_AUTO, NULL); }
static void no_options(void) {
    zvCodegenSummary summary;
    zv_codegen(pendulum(), NULL, "x", &summary, NULL);
}
static void no_agreement(void) { zv_agreement_holds(NULL); }
static void no_rest(void) {
    zvModel *model = pendulum();
    double M;
    zv_linearize(model, zv_work_create(model, NULL), NULL, &M, NULL, NULL, NULL);
}
static void no_answer(void) {
    zvModel *model = pendulum();
    const double q = 0;
    zv_mass_matrix(model, zv_work_create(model, NULL), &q, NULL);
}
static void no_question(void) { zv_method_chosen(ZV_QUESTIONS, pendulum(), false, NULL, 0); }
static void no_room_for_a_reason(void) { zv_method_chosen(ZV_QUESTION_MASS, pendulum(), false, NULL, 80); }
static void no_model_of_a_domain(void) { zv_domain_obstacle(ZV_DOMAIN_RIGID, NULL, false); }
static void other_work(void) {
    zvModel *model = pendulum();
    const double q = 0;
    double tau;
    zv_inverse_dynamics(model, zv_work_create(pendulum(), NULL), &q, NULL, NULL, NULL, &tau);
}
static void no_batch(void) {
    const double q = 0;
    double M;
    zv_batch_mass(NULL, 1, &q, &M);
}
static void no_states(void) {
    double M;
    zv_batch_mass(zv_batch_create(pendulum(), NULL, NULL), 1, NULL, &M);
}
static void no_frame_of_a_batch(void) {
    const double q = 0;
    double pose[12];
    zv_batch_pose(zv_batch_create(pendulum(), NULL, NULL), -1, 1, &q, pose);
}
static void no_position_of_loops(void) {
    zvModel *model = pendulum();
    double gap;
    zv_loop_gaps(model, zv_work_create(model, NULL), NULL, NULL, NULL, &gap, NULL);
}
static void no_loop(void) { zv_model_loop(pendulum(), 0); }
static void no_reduction(void) { zv_reduction_freedoms(NULL); }
static void no_columns_of_a_reduction(void) { zv_reduction_P(NULL); }

/* A task of the pendulum's rod, and what is asked of it with something missing. */
typedef enum MissingOfTask { NO_INVERSE, NO_TORQUE, NO_ACCELERATION, NO_PROJECTOR } MissingOfTask;
static void ask_task(MissingOfTask what) {
    zvModel *model = pendulum();
    zvTaskWork *work = zv_task_work_create(model, NULL);
    const zvTask task = {.frame = 1, .axes = ZV_AXES_WORLD, .rows = 1};
    const double q = 0;
    double tau = 0;
    if (what == NO_INVERSE) zv_task_inverse(model, work, &q, &task, NULL);
    if (what == NO_TORQUE) zv_task_null_force(model, work, &q, &task, NULL, &tau);
    if (what == NO_ACCELERATION) zv_task_force(model, work, &q, NULL, &task, NULL, NULL, &tau);
    if (what == NO_PROJECTOR) zv_task_null_projector(model, work, &q, &task, NULL);
}
static void no_inverse(void) { ask_task(NO_INVERSE); }
static void no_torque(void) { ask_task(NO_TORQUE); }
static void no_acceleration(void) { ask_task(NO_ACCELERATION); }
static void no_projector(void) { ask_task(NO_PROJECTOR); }

static void no_damping(void) {
    const double q = 0;
    zv_drives_add_modal_damping(zv_drives_create(pendulum(), NULL), "whole", NULL, &q, NULL);
}
static void no_bytes(void) { zv_output_write("never-written", NULL, 1, NULL); }
static void no_error(void) {
    char line[80];
    zv_error_line(NULL, line, sizeof line);
}
static void no_word(void) { zv_nearest_name(NULL, NULL, 0); }
static void no_count(void) {
    zv_count(pendulum(), ZV_QUESTION_MASS, zv_method_named(ZV_QUESTION_MASS, "auto"), false, NULL, NULL);
}
static void no_section(void) {
    zvBeam beam = zv_beam_default();
    zv_section_fill(&beam, 1, 1, 1, ZV_SECTION_CIRCLE, NULL, false);
}
static void no_mesh(void) { zv_mesh_read_file("x.stl", NULL, NULL); }

/* The arrays of dynamics, loops, tasks and batches: every question is asked whole before, so that what ends the child
 * is what is missing, then with one array NULL. */
typedef struct Asked {
    zvModel *model;
    zvWork *work;
    zvTaskWork *task_work;
    zvReduction *reduction;
    zvBatch *batch;
    zvTask task;
    zvLoopMobility mobility;
    double q[1], x[6], y[80];
    float qs[1], ys[80];
    unsigned char given[1];
} Asked;

static Asked ask_whole(bool looped) {
    Asked s = {.model = make_pendulum(looped), .task = {.frame = 1, .axes = ZV_AXES_WORLD, .rows = ZV_TASK_X}};
    if (!s.model) _exit(98);
    s.work = zv_work_create(s.model, NULL);
    s.task_work = zv_task_work_create(s.model, NULL);
    s.reduction = zv_reduction_create(s.model, NULL);
    s.batch = looped ? NULL : zv_batch_create(s.model, NULL, NULL);
    return s;
}

/* X(name, looped, a call that may say NULL_OR(array)) */
#define ARRAY_QUESTIONS(X)                                                                                             \
    X(reduce, true, zv_reduce(s.model, s.work, NULL_OR(s.reduction), s.q, NULL, NULL))                                 \
    X(reduction_forces, true, zv_reduction_forces(s.model, s.work, NULL_OR(s.reduction), s.q, NULL, NULL, NULL, s.y))  \
    X(reduction_position, true, zv_reduction_position(s.model, s.work, NULL_OR(s.reduction), s.q, NULL))               \
    X(close_velocity, true, zv_close_velocity(s.model, s.work, NULL, s.q, NULL, NULL_OR(s.x), NULL))                   \
    X(closed_inverse, true,                                                                                            \
      zv_closed_inverse_dynamics(s.model, s.work, s.q, NULL, NULL, NULL, NULL, NULL_OR(s.y), NULL, NULL))              \
    X(add_passive, true, zv_add_passive_forces(s.model, s.work, s.q, NULL, 0, 1, NULL_OR(s.y)))                        \
    X(closed_forward, true,                                                                                            \
      zv_closed_forward_dynamics(s.model, s.work, NULL, s.q, NULL, NULL, NULL, NULL_OR(s.y), NULL))                    \
    X(closed_mixed_tau, true,                                                                                          \
      zv_closed_mixed_dynamics(s.model, s.work, NULL, s.q, NULL, s.given, NULL, NULL_OR(s.x), s.y, NULL))              \
    X(closed_mixed_a, true,                                                                                            \
      zv_closed_mixed_dynamics(s.model, s.work, NULL, s.q, NULL, s.given, NULL, s.x, NULL_OR(s.y), NULL))              \
    X(loop_gaps, true, zv_loop_gaps(s.model, s.work, NULL, s.q, NULL, NULL_OR(s.y), NULL))                             \
    X(loop_jacobian, true, zv_loop_jacobian(s.model, s.work, s.q, NULL_OR(s.y)))                                       \
    X(loop_matrix, true, zv_loop_matrix(s.model, s.work, s.q, 0, NULL_OR(s.y)))                                        \
    X(loop_mobility, true, zv_loop_mobility(s.model, s.work, s.q, NULL_OR(&s.mobility)))                               \
    X(loop_coordinates, true, zv_loop_coordinates(s.model, s.work, s.q, NULL, 0, NULL_OR(s.y), NULL))                  \
    X(loop_wrenches, true, zv_loop_wrenches(s.model, s.work, s.q, NULL_OR(s.x), s.y))                                  \
    X(add_loop_wrenches, true, zv_add_loop_wrenches(s.model, s.work, s.q, s.x, NULL_OR(s.y)))                          \
    X(loop_forces, true, zv_loop_forces(s.model, s.work, s.q, s.x, NULL_OR(s.y)))                                      \
    X(closed_inverse_times, true, zv_closed_inverse_times(s.model, s.work, s.q, NULL, NULL, NULL_OR(s.x), s.y))        \
    X(task_resolve_xd, false,                                                                                          \
      zv_task_resolve(s.model, s.task_work, s.q, &s.task, NULL, NULL_OR(s.x), NULL, s.y, NULL))                        \
    X(task_resolve_v, false, zv_task_resolve(s.model, s.task_work, s.q, &s.task, NULL, s.x, NULL, NULL_OR(s.y), NULL)) \
    X(elastic_force, false, zv_elastic_force(s.model, s.q, NULL, NULL_OR(s.y)))                                        \
    X(mass_times, false, zv_mass_times(s.model, s.work, s.q, NULL_OR(s.x), s.y))                                       \
    X(mass_inverse_times, false, zv_mass_inverse_times(s.model, s.work, s.q, NULL_OR(s.x), s.y))                       \
    X(augmented_times, false, zv_augmented_inverse_times(s.model, s.work, s.q, NULL, NULL_OR(s.x), s.y))               \
    X(structural_times, false, zv_structural_inverse_times(s.model, s.work, s.q, NULL, NULL, 0, 0, NULL_OR(s.x), s.y)) \
    X(batch_inverse, false, zv_batch_inverse(s.batch, 1, s.q, NULL, NULL, NULL, NULL_OR(s.y)))                         \
    X(batch_bias, false, zv_batch_bias(s.batch, 1, s.q, NULL, NULL_OR(s.y)))                                           \
    X(batch_forward, false, zv_batch_forward(s.batch, 1, s.q, NULL, NULL, NULL, NULL_OR(s.y), NULL))                   \
    X(batch_given, false, zv_batch_mixed(s.batch, 1, s.q, NULL, NULL_OR(s.given), NULL, s.x, s.y, NULL))               \
    X(batch_mixed_tau, false, zv_batch_mixed(s.batch, 1, s.q, NULL, s.given, NULL, NULL_OR(s.x), s.y, NULL))           \
    X(batch_mixed_a, false, zv_batch_mixed(s.batch, 1, s.q, NULL, s.given, NULL, s.x, NULL_OR(s.y), NULL))             \
    X(batch_mass, false, zv_batch_mass(s.batch, 1, s.q, NULL_OR(s.y)))                                                 \
    X(batch_minv, false, zv_batch_minv(s.batch, 1, s.q, NULL_OR(s.y), NULL))                                           \
    X(batch_pose, false, zv_batch_pose(s.batch, 0, 1, s.q, NULL_OR(s.y)))                                              \
    X(batch_jacobian, false, zv_batch_jacobian(s.batch, 0, ZV_AXES_WORLD, 1, s.q, NULL_OR(s.y)))                       \
    X(batch_single, false, zv_batch_inverse_single(s.batch, 1, s.qs, NULL, NULL, NULL, NULL_OR(s.ys)))

#define NULL_OR(array) (missing ? NULL : (array))
#define ASK(name, looped, call)                            \
    static void ask_##name(bool missing) {                 \
        Asked s = ask_whole(looped);                       \
        call;                                              \
    }                                                      \
    static void all_of_##name(void) { ask_##name(false); } \
    static void part_of_##name(void) { ask_##name(true); }
ARRAY_QUESTIONS(ASK)
#define ROW(name, looped, call) {#name, all_of_##name, part_of_##name},
static const struct {
    const char *name;
    void (*whole)(void), (*mistake)(void);
} questions[] = {ARRAY_QUESTIONS(ROW)};

static const struct {
    const char *name;
    void (*mistake)(void);
} mistakes[] = {
    {"model", no_model},
    {"frame", no_frame},
    {"scenario", no_scenario},
    {"path", no_path},
    {"row", no_row},
    {"channel", no_channel},
    {"ode", no_ode},
    {"start", no_start},
    {"points", no_points},
    {"place for x", no_place_for_x},
    {"account", no_account},
    {"efforts", no_efforts},
    {"builder", no_builder},
    {"options", no_options},
    {"agreement", no_agreement},
    {"rest", no_rest},
    {"mesh", no_mesh},
    {"answer", no_answer},
    {"question", no_question},
    {"room for a reason", no_room_for_a_reason},
    {"model of a domain", no_model_of_a_domain},
    {"workspace of this model", other_work},
    {"batch", no_batch},
    {"states", no_states},
    {"frame of a batch", no_frame_of_a_batch},
    {"position of loops", no_position_of_loops},
    {"loop", no_loop},
    {"reduction", no_reduction},
    {"columns of a reduction", no_columns_of_a_reduction},
    {"inverse of a task", no_inverse},
    {"torque to project", no_torque},
    {"acceleration of a task", no_acceleration},
    {"projector", no_projector},
    {"damping", no_damping},
    {"bytes", no_bytes},
    {"error", no_error},
    {"word", no_word},
    {"count", no_count},
    {"section", no_section},
};

static void mistakes_are_assertions(void **state) {
    (void)state;
#ifdef NDEBUG
    skip();
#endif
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const int ended = signal_of(mistakes[i].mistake);
        if (ended != SIGABRT) fail_msg("no %s: ended by signal %d, not by an assertion", mistakes[i].name, ended);
    }
}

static void missing_arrays_are_assertions(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const int whole = signal_of(questions[i].whole);
        if (whole != 0) fail_msg("%s with everything given: ended by signal %d", questions[i].name, whole);
#ifndef NDEBUG
        const int ended = signal_of(questions[i].mistake);
        if (ended != SIGABRT) fail_msg("%s: ended by signal %d, not by an assertion", questions[i].name, ended);
#endif
    }
}

/* Of a robot without degrees of freedom no array of coordinates has to be there. */
static void arrays_of_nothing(void **state) {
    (void)state;
    zvBuilder *builder = zv_builder_create(NULL);
    zvModel *model = NULL;
    const zvLink base = zv_link_default("base");
    assert_int_equal(zv_builder_add_link(builder, &base, NULL), ZV_OK);
    assert_int_equal(zv_builder_freeze(builder, &model, NULL), ZV_OK);
    zvWork *work = zv_work_create(model, NULL);
    zvBatch *batch = zv_batch_create(model, NULL, NULL);
    zvLoopMobility mobility;
    zvPose pose;
    double numbers[12];
    assert_int_equal(zv_model_nq(model) + zv_model_nv(model) + zv_model_njoint(model), 0);
    zv_inverse_dynamics(model, work, NULL, NULL, NULL, NULL, NULL);
    zv_joint_reactions(model, work, NULL, NULL, NULL, NULL, NULL);
    zv_mass_matrix(model, work, NULL, NULL), zv_coriolis_matrix(model, work, NULL, NULL, NULL);
    zv_bias(model, work, NULL, NULL, NULL), zv_gravity_force(model, work, NULL, NULL);
    zv_elastic_force(model, NULL, NULL, NULL), zv_mass_times(model, work, NULL, NULL, NULL);
    zv_frame_jacobian(model, work, NULL, 0, ZV_AXES_WORLD, NULL);
    zv_loop_forces(model, work, NULL, NULL, NULL), zv_loop_gaps(model, work, NULL, NULL, NULL, NULL, NULL);
    zv_loop_jacobian(model, work, NULL, NULL);
    zv_passive_forces(model, work, NULL, NULL, 0, NULL, NULL, NULL);
    zv_add_passive_forces(model, work, NULL, NULL, 0, 1, NULL);
    const zvStatus done[] = {
        zv_forward_dynamics(model, work, NULL, NULL, NULL, NULL, NULL),
        zv_flexible_inverse_dynamics(model, work, NULL, NULL, NULL, NULL, NULL),
        zv_mixed_dynamics(model, work, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_mass_inverse_times(model, work, NULL, NULL, NULL),
        zv_augmented_inverse_times(model, work, NULL, NULL, NULL, NULL),
        zv_structural_inverse_times(model, work, NULL, NULL, NULL, 1, 1, NULL, NULL),
        zv_mass_inverse(model, work, NULL, NULL),
        zv_inverse_derivatives(model, work, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_forward_derivatives(model, work, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_closed_forward_dynamics(model, work, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_closed_mixed_dynamics(model, work, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_closed_inverse_dynamics(model, work, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_closed_inverse_times(model, work, NULL, NULL, NULL, NULL, NULL),
        zv_close_position(model, work, NULL, NULL, NULL, NULL),
        zv_close_velocity(model, work, NULL, NULL, NULL, NULL, NULL),
        zv_assemble(model, work, NULL, NULL, NULL, NULL),
        zv_loop_mobility(model, work, NULL, &mobility),
        zv_batch_inverse(batch, 3, NULL, NULL, NULL, NULL, NULL),
        zv_batch_forward(batch, 3, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_batch_mixed(batch, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_batch_mass(batch, 3, NULL, NULL),
        zv_batch_minv(batch, 3, NULL, NULL, NULL),
        zv_batch_inverse_derivatives(batch, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_batch_forward_derivatives(batch, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        zv_batch_pose(batch, 0, 1, NULL, numbers),
        zv_batch_jacobian(batch, 0, ZV_AXES_WORLD, 3, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof done / sizeof *done; i++)
        if (done[i] != ZV_OK) fail_msg("call %zu: %s", i, zv_status_name(done[i]));
    zv_frame_pose(model, work, NULL, 0, &pose);
    for (int i = 0; i < 3; i++) assert_true(numbers[4 * i] == 1 && pose.R[4 * i] == 1);
    zv_batch_destroy(batch);
    zv_work_destroy(work);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

static void nothing_is_destroyed(void **state) {
    (void)state;
    zvTable table = {0};
    zvMesh mesh = {0};
    zv_builder_destroy(NULL), zv_model_destroy(NULL), zv_work_destroy(NULL), zv_batch_destroy(NULL);
    zv_reduction_destroy(NULL), zv_task_work_destroy(NULL), zv_law_destroy(NULL), zv_route_destroy(NULL);
    zv_drives_destroy(NULL), zv_efforts_destroy(NULL), zv_integrator_destroy(NULL), zv_recorder_destroy(NULL);
    zv_recording_destroy(NULL), zv_document_destroy(NULL), zv_scenario_destroy(NULL), zv_run_summary_destroy(NULL);
    zv_agreement_destroy(NULL);
    zv_table_free(&table), zv_mesh_free(&mesh);
}

TESTS(mistakes_are_assertions, missing_arrays_are_assertions, arrays_of_nothing, nothing_is_destroyed)
