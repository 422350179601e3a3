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

static zvModel *pendulum(void) {
    zvBuilder *builder = zv_builder_create(NULL);
    zvModel *model = NULL;
    const zvLink base = zv_link_default("base");
    zvLink rod = zv_link_default("rod");
    rod.inertia = (zvInertia){.mass = 1, .com = {0.5, 0, 0}, .moment = {0.01, 0, 0, 0.1, 0, 0.1}};
    const zvJoint joint = zv_joint_default("hinge", ZV_JOINT_REVOLUTE, "base", "rod");
    zv_builder_add_link(builder, &base, NULL);
    zv_builder_add_link(builder, &rod, NULL);
    zv_builder_add_joint(builder, &joint, NULL);
    zv_builder_freeze(builder, &model, NULL);
    zv_builder_destroy(builder);
    return model;
}

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
    zvGenerateSummary summary;
    zv_generate(pendulum(), NULL, "x", &summary, NULL);
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

TESTS(mistakes_are_assertions, nothing_is_destroyed)
