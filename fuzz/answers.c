/* Every computation of the library on a robot that was read: one state, all questions, in the order of the layers. */
#include "answers.h"

#include <stdbool.h>
#include <string.h>

#include "target.h"
#include "zveno/zveno.h"

enum { SMALL = 24, TINY = 8, ROWS = 6 * SMALL, LINKS = 64, FORCES = 2048, BATCH = 3 };

/* A state, and room for answers: static, since it is large. */
static double q[2 * SMALL], v[SMALL], a[SMALL], tau[SMALL], x[SMALL], y[SMALL];
static double A[SMALL * SMALL], B[SMALL * SMALL], C[SMALL * SMALL], rows[ROWS], G[ROWS * SMALL];
static double fext[FORCES], reactions[6 * LINKS], many[BATCH * 2 * SMALL * SMALL], more[BATCH * SMALL * SMALL],
    wide[BATCH * SMALL * SMALL];
static zvPose poses[LINKS];

static void set_state(const zvModel *model) {
    const int nv = zv_model_nv(model);
    for (int i = 0; i < nv; i++) {
        v[i] = 0.1 * (i + 1);
        a[i] = 1 - 0.05 * i;
        x[i] = 0.2 + 0.01 * i;
    }
    zv_neutral(model, q);
    zv_position_add(model, q, v, q);
    memset(fext, 0, sizeof fext);
}

static void ask_kinematics(const zvModel *model, zvWork *work) {
    const int frame = zv_model_nframe(model) - 1;
    double six[6], kinetic, potential;
    zv_link_motions(model, work, q, v, poses, NULL);
    for (zvAxes axes = ZV_AXES_WORLD; axes <= ZV_AXES_LOCAL && frame >= 0; axes++) {
        zv_frame_velocity(model, work, q, v, frame, axes, six);
        zv_frame_acceleration(model, work, q, v, a, frame, axes, six);
        zv_frame_bias(model, work, q, v, frame, axes, six);
        zv_frame_jacobian(model, work, q, frame, axes, G);
    }
    if (frame >= 0) {
        zv_frame_deviation(model, work, q, frame, six);
        zv_add_wrench(model, work, q, frame, (double[6]){1, 2, 3, 0.1, 0.2, 0.3}, fext);
    }
    zv_momentum(model, work, q, v, six, NULL);
    zv_energy(model, work, q, v, &kinetic, &potential);
    zv_strain_energy(model, q);
}

/* Every row of every table, with external forces and without. */
static void ask_methods(const zvModel *model, zvWork *work) {
    static const zvQuestion questions[] = {ZV_QUESTION_MASS, ZV_QUESTION_BIAS, ZV_QUESTION_INVERSE, ZV_QUESTION_FORWARD,
                                           ZV_QUESTION_INVERSE_MASS};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        size_t count;
        const zvMethod *methods = zv_methods(questions[i], &count);
        for (size_t k = 0; k < count; k++)
            for (int loaded = 0; loaded < 2; loaded++) methods[k].run(model, work, q, v, x, loaded ? fext : NULL, A);
    }
}

static void ask_dynamics(const zvModel *model, zvWork *work) {
    const int nv = zv_model_nv(model);
    unsigned char given[SMALL];
    for (int i = 0; i < nv; i++) given[i] = (unsigned char)(i % 3);
    zv_joint_reactions(model, work, q, v, a, fext, reactions);
    zv_flexible_inverse_dynamics(model, work, q, v, fext, a, tau);
    zv_mixed_dynamics(model, work, q, v, given, fext, tau, a);
    zv_coriolis_matrix(model, work, q, v, C);
    zv_gravity_force(model, work, q, y);
    zv_elastic_force(model, q, v, y);
    zv_mass_times(model, work, q, x, y);
    zv_mass_inverse_times(model, work, q, x, y);
    zv_augmented_inverse_times(model, work, q, x, x, y);
    zv_structural_inverse_times(model, work, q, given, x, 1e-3, 1e-5, x, y);
    zv_inverse_derivatives(model, work, q, v, a, fext, A, B, C);
    zv_forward_derivatives(model, work, q, v, tau, fext, y, A, B, C);
}

static void ask_loops(const zvModel *model, zvWork *work) {
    zvLoopMobility mobility;
    zvError error = {0};
    unsigned char given[SMALL] = {ZV_GIVEN_ACCELERATION};
    double closed[2 * SMALL], lambda[ROWS], wrenches[ROWS], gap;
    if (zv_model_nloop(model) == 0 || zv_model_nloop_rows(model) > ROWS || zv_model_nloop(model) > ROWS / 6) return;
    zv_loop_gaps(model, work, NULL, q, v, rows, NULL);
    zv_loop_jacobian(model, work, q, G);
    zv_loop_bias(model, work, NULL, q, v, rows);
    zv_loop_mobility(model, work, q, &mobility);
    memcpy(closed, q, sizeof closed);
    zvAssembly assembly = zv_assembly_default();
    assembly.iterations = 5;
    zv_assemble(model, work, NULL, &assembly, closed, &error);
    zv_close_position(model, work, NULL, NULL, closed, &gap);
    zv_close_velocity(model, work, NULL, closed, NULL, v, NULL);
    size_t count;
    const zvClosedMethod *methods = zv_closed_methods(&count);
    for (size_t i = 0; i < count; i++) methods[i].run(model, work, NULL, closed, v, tau, NULL, a, lambda);
    zv_closed_mixed_dynamics(model, work, NULL, closed, v, given, NULL, tau, a, lambda);
    zv_closed_inverse_dynamics(model, work, closed, v, a, NULL, NULL, tau, lambda, NULL);
    zv_closed_inverse_times(model, work, closed, NULL, NULL, x, y);
    zv_loop_wrenches(model, work, closed, lambda, wrenches);
    zv_loop_forces(model, work, closed, lambda, y);
    for (int i = 0; i < zv_model_nloop(model); i++) {
        zv_loop_coordinates(model, work, closed, v, i, rows, NULL);
        zv_loop_matrix(model, work, closed, i, G);
    }
    zvReduction *reduction = zv_reduction_create(model, &error);
    demand(reduction != NULL, "a small robot can be reduced");
    if (zv_reduce(model, work, reduction, closed, v, NULL) >= 0) {
        zv_reduction_forces(model, work, reduction, closed, v, tau, a, lambda);
        zv_reduction_position(model, work, reduction, closed, &error);
    }
    zv_reduction_destroy(reduction);
}

static void ask_tasks(const zvModel *model) {
    zvTask task = {zv_model_nframe(model) - 1, ZV_AXES_WORLD, ZV_TASK_FULL};
    zvTaskDynamics dynamics;
    double there[2 * SMALL], xdd[6] = {1, 0, 0, 0, 0, 1}, gap;
    zvError error = {0};
    zvInverseKinematics options = zv_inverse_kinematics_default();
    options.iterations = 10;
    if (task.frame < 0) return;
    zvTaskWork *work = zv_task_work_create(model, &error);
    demand(work != NULL, "a small robot has a workspace for tasks");
    zv_task_dynamics(model, work, q, v, &task, &dynamics);
    zv_task_inverse(model, work, q, &task, G);
    zv_task_null_force(model, work, q, &task, x, y);
    zv_task_null_projector(model, work, q, &task, A);
    zv_task_force(model, work, q, v, &task, xdd, x, y);
    zv_task_resolve(model, work, q, &task, NULL, xdd, NULL, y, NULL);
    zvPose target = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {0.3, 0.2, 0.1}};
    memcpy(there, q, sizeof there);
    zv_inverse_kinematics(model, work, &task, &target, &options, there, &gap);
    zv_task_work_destroy(work);
}

/* The state and its neighbours as a batch; coordinate after coordinate, states beside each other. */
static void ask_batch(const zvModel *model) {
    zvError error = {0};
    const int nq = zv_model_nq(model), nv = zv_model_nv(model), frame = zv_model_nframe(model) - 1;
    unsigned char given[SMALL] = {ZV_GIVEN_LOCKED};
    zvStatus status[BATCH];
    zvBatch *batch = zv_batch_create(model, &(zvBatchOptions){.threads = 1}, &error);
    if (!batch) return; /* says what it does not do by a text */
    double *qs = many, *vs = many + (size_t)BATCH * (size_t)nq;
    for (int i = 0; i < nq * BATCH; i++) qs[i] = q[i / BATCH];
    for (int i = 0; i < nv * BATCH; i++) vs[i] = v[i / BATCH] * (1 + i % BATCH);
    zv_batch_inverse(batch, BATCH, qs, vs, vs, NULL, more);
    zv_batch_bias(batch, BATCH, qs, vs, more);
    zv_batch_forward(batch, BATCH, qs, vs, vs, NULL, more, status);
    zv_batch_mixed(batch, BATCH, qs, vs, given, NULL, more, wide, status);
    zv_batch_mass(batch, BATCH, qs, more);
    zv_batch_minv(batch, BATCH, qs, more, status);
    zv_batch_inverse_derivatives(batch, BATCH, qs, vs, vs, NULL, more, NULL, NULL);
    zv_batch_forward_derivatives(batch, BATCH, qs, vs, vs, NULL, NULL, more, NULL, NULL, status);
    if (frame >= 0 && nv >= 1) zv_batch_pose(batch, frame, 1, q, rows);
    zv_batch_destroy(batch);
}

/* What grows fast: the certificate with generated code, counts, natural modes, equilibrium. */
static void ask_dear(const zvModel *model, zvWork *work) {
    zvError error = {0};
    zvCount counted;
    zvMode modes[TINY];
    int count;
    size_t methods;
    const zvMethod *table = zv_methods(ZV_QUESTION_FORWARD, &methods);
    for (size_t i = 0; i < methods; i++) zv_count(model, ZV_QUESTION_FORWARD, &table[i], true, &counted, &error);
    zv_modes(model, work, &(zvRest){.q = q}, modes, A, &count, &error);
    zv_linearize(model, work, &(zvRest){.q = q, .v = v}, A, B, C, &error);
    zv_equilibrium(model, work, &(zvRest){0}, 1, q, &error);
    zvAgreeOptions options = zv_agree_options_default();
    options.samples = 1;
    options.timing = 0;
    if (zv_model_nloop(model) > 0 && zv_model_nv(model) > 2) return; /* closing from far takes long */
    zvAgreement *agreement = zv_agreement_create(model, zv_model_nv(model) <= 2, &error);
    demand(agreement != NULL || error.text[0], "a refusal of the certificate has a text");
    if (agreement) zv_agree(model, work, agreement, &options, &error);
    zv_agreement_destroy(agreement);
}

void fuzz_answers(const zvModel *model) {
    const int nv = zv_model_nv(model);
    zvError error = {0};
    if (nv > SMALL || zv_model_nq(model) > 2 * SMALL || zv_model_nlink(model) > LINKS ||
        zv_model_nexternal(model) > FORCES)
        return;
    zvWork *work = zv_work_create(model, &error);
    demand(work != NULL, "a small model has a workspace");
    set_state(model);
    ask_kinematics(model, work);
    ask_methods(model, work);
    ask_dynamics(model, work);
    ask_loops(model, work);
    ask_tasks(model);
    ask_batch(model);
    if (nv <= TINY) ask_dear(model, work);
    zv_work_destroy(work);
}
