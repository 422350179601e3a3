/* Questions of dynamics.h and passive.h. */
#include <string.h>

#include "ask.h"

/* The row of a table in place of the function. */
static zvStatus by_method(Call *c, const double *q, const double *v, const double *x, const double *fext,
                          double *answer) {
    const zvStatus status = c->method->run(c->model, c->work, q, v, x, fext, answer);
    if (status == ZV_NOT_SUPPORTED) {
        const char *why = zv_domain_obstacle(c->method->domain, c->model, fext != NULL);
        zv_fail(&c->error, status, (zvMark){0}, c->method->name, "method %s: %s", c->method->name,
                why ? why : zv_status_sentence(status));
    }
    return status;
}

static zvStatus inverse(Call *c) {
    if (c->method) return by_method(c, IN(0), IN(1), IN(2), IN(3), OUT(0));
    zv_inverse_dynamics(c->model, c->work, IN(0), IN(1), IN(2), IN(3), OUT(0));
    return ZV_OK;
}
static zvStatus inverses(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_inverse(batch, count, c->in[0], c->in[1], c->in[2], c->in[3], c->out[0]);
}
static zvStatus inverses_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_inverse_single(batch, count, c->in[0], c->in[1], c->in[2], c->in[3], c->out[0]);
}
QUESTION_OF(
    inverse_dynamics, "q:q v?:v a?:v fext?:f method?:M -> tau:v", inverse, inverses, inverses_single,
    ZV_QUESTION_INVERSE,
    "Forces tau (N m, N) that give the accelerations a: recursive Newton-Euler, O(n). fext: force (N) and moment "
    "(N m) on each link, about its origin, world axes. What is left out is zero.")

static zvStatus flexible_inverse(Call *c) {
    const size_t bytes = (size_t)zv_model_nv(c->model) * sizeof(double);
    if (c->in[2])
        memcpy(OUT(1), IN(2), bytes);
    else
        memset(OUT(1), 0, bytes);
    return zv_flexible_inverse_dynamics(c->model, c->work, IN(0), IN(1), IN(3), OUT(1), OUT(0));
}
QUESTION(flexible_inverse_dynamics, "q:q v?:v a?:v fext?:f -> tau:v a_elastic:v", flexible_inverse,
         "Drive forces of a motion of the joints when links are elastic: a holds the accelerations of the joints, "
         "a_elastic is a "
         "with those of the elastic coordinates.")

static zvStatus reactions(Call *c) {
    zv_joint_reactions(c->model, c->work, IN(0), IN(1), IN(2), IN(3), OUT(0));
    return ZV_OK;
}
QUESTION(joint_reactions, "q:q v?:v a?:v fext?:f -> reactions:X", reactions,
         "Force (N) and moment (N m) of parent on child in every joint, at the child's origin along the child's axes.")

static zvStatus forward(Call *c) {
    if (c->method) return by_method(c, IN(0), IN(1), IN(2), IN(3), OUT(0));
    return zv_forward_dynamics(c->model, c->work, IN(0), IN(1), IN(2), IN(3), OUT(0));
}
static zvStatus forwards(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    return zv_batch_forward(batch, count, c->in[0], c->in[1], c->in[2], c->in[3], c->out[0], status);
}
static zvStatus forwards_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    return zv_batch_forward_single(batch, count, c->in[0], c->in[1], c->in[2], c->in[3], c->out[0], status);
}
QUESTION_OF(forward_dynamics, "q:q v?:v tau?:v fext?:f method?:M -> a:v", forward, forwards, forwards_single,
            ZV_QUESTION_FORWARD,
            "Accelerations a (rad/s^2, m/s^2) that forces tau cause: separate bodies, O(n), or factors of M.")

/* What is given goes in, all of it comes out. */
static void copy_in(const Call *c, int from, int to) {
    const size_t bytes = (size_t)zv_model_nv(c->model) * sizeof(double);
    if (c->in[from])
        memcpy(c->out[to], c->in[from], bytes);
    else
        memset(c->out[to], 0, bytes);
}
static zvStatus mixed(Call *c) {
    copy_in(c, 3, 0);
    copy_in(c, 4, 1);
    if (!c->in[2]) { /* all forces are known */
        if (c->method) return by_method(c, IN(0), IN(1), OUT(0), IN(5), OUT(1));
        return zv_forward_dynamics(c->model, c->work, IN(0), IN(1), OUT(0), IN(5), OUT(1));
    }
    if (c->method)
        return zv_mixed_dynamics_by(c->method, c->model, c->work, IN(0), IN(1), c->in[2], IN(5), OUT(0), OUT(1));
    return zv_mixed_dynamics(c->model, c->work, IN(0), IN(1), c->in[2], IN(5), OUT(0), OUT(1));
}
#define MIXED_OF(name, number, suffix)                                                                                 \
    static zvStatus name(Call *c, zvBatch *batch, size_t count, zvStatus *status) {                                    \
        const size_t bytes = count * (size_t)zv_model_nv(c->model) * sizeof(number);                                   \
        for (int k = 0; k < 2; k++) {                                                                                  \
            if (c->in[3 + k])                                                                                          \
                memcpy(c->out[k], c->in[3 + k], bytes);                                                                \
            else                                                                                                       \
                memset(c->out[k], 0, bytes);                                                                           \
        }                                                                                                              \
        if (!c->in[2])                                                                                                 \
            return zv_batch_forward##suffix(batch, count, c->in[0], c->in[1], c->out[0], c->in[5], c->out[1], status); \
        return zv_batch_mixed##suffix(batch, count, c->in[0], c->in[1], c->in[2], c->in[5], c->out[0], c->out[1],      \
                                      status);                                                                         \
    }
MIXED_OF(mixeds, double, )
MIXED_OF(mixeds_single, float, _single)
QUESTION_OF(
    mixed_dynamics, "q:q v?:v given?:g tau?:v a?:v fext?:f method?:M -> tau_all:v a_all:v", mixed, mixeds,
    mixeds_single, ZV_QUESTION_FORWARD,
    "Mixed problem, O(n): given says of each degree of freedom what is known, 0 tau, 1 a, 2 locked (a = 0); the rest "
    "is computed.")

static zvStatus mass(Call *c) {
    if (c->method) return by_method(c, IN(0), NULL, NULL, NULL, OUT(0));
    zv_mass_matrix(c->model, c->work, IN(0), OUT(0));
    return ZV_OK;
}
static zvStatus masses(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_mass(batch, count, c->in[0], c->out[0]);
}
static zvStatus masses_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_mass_single(batch, count, c->in[0], c->out[0]);
}
QUESTION_OF(mass_matrix, "q:q method?:M -> M:V", mass, masses, masses_single, ZV_QUESTION_MASS,
            "Mass matrix M, full and symmetric (kg m^2, kg m, kg).")

static zvStatus coriolis(Call *c) {
    zv_coriolis_matrix(c->model, c->work, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(coriolis_matrix, "q:q v:v -> C:V", coriolis,
         "Matrix C with C v the Coriolis and centrifugal forces and dM/dt - 2 C skew.")

static zvStatus bias(Call *c) {
    if (c->method) return by_method(c, IN(0), IN(1), NULL, NULL, OUT(0));
    zv_bias(c->model, c->work, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
static zvStatus biases(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_bias(batch, count, c->in[0], c->in[1], c->out[0]);
}
static zvStatus biases_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_bias_single(batch, count, c->in[0], c->in[1], c->out[0]);
}
QUESTION_OF(bias, "q:q v?:v method?:M -> bias:v", bias, biases, biases_single, ZV_QUESTION_BIAS,
            "C v + g + k: forces (N m, N) at a = 0.")

static zvStatus gravity_force(Call *c) {
    zv_gravity_force(c->model, c->work, IN(0), OUT(0));
    return ZV_OK;
}
static zvStatus gravity_forces(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_bias(batch, count, c->in[0], NULL, c->out[0]);
}
static zvStatus gravity_forces_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    (void)status;
    return zv_batch_bias_single(batch, count, c->in[0], NULL, c->out[0]);
}
QUESTION_OF(gravity_force, "q:q -> g:v", gravity_force, gravity_forces, gravity_forces_single, ZV_QUESTIONS,
            "g(q): forces (N m, N) that hold the robot against gravity.")

static zvStatus elastic_force(Call *c) {
    zv_elastic_force(c->model, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(elastic_force, "q:q v?:v -> k:v", elastic_force,
         "k = K e + D de/dt in the entries of elastic coordinates, else 0.")

static zvStatus mass_times(Call *c) {
    zv_mass_times(c->model, c->work, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(mass_times, "q:q x:v -> y:v", mass_times, "M x in O(n); with x = v the generalised momentum.")

static zvStatus mass_inverse_times(Call *c) { return zv_mass_inverse_times(c->model, c->work, IN(0), IN(1), OUT(0)); }
QUESTION(mass_inverse_times, "q:q x:v -> y:v", mass_inverse_times, "M^-1 x in O(n).")

static zvStatus augmented(Call *c) {
    return zv_augmented_inverse_times(c->model, c->work, IN(0), IN(1), IN(2), OUT(0));
}
QUESTION(augmented_inverse_times, "q:q extra:v x:v -> y:v", augmented,
         "(M + diag(extra))^-1 x in O(n), extra not negative.")

static zvStatus structural(Call *c) {
    if (c->method)
        return zv_structural_inverse_times_by(c->method, c->model, c->work, IN(0), c->in[2], IN(3), c->number[0],
                                              c->number[1], IN(1), OUT(0));
    return zv_structural_inverse_times(c->model, c->work, IN(0), c->in[2], IN(3), c->number[0], c->number[1], IN(1),
                                       OUT(0));
}
QUESTION_OF(structural_inverse_times, "q:q x:v given?:g extra?:v damping=0:d stiffness=0:d method?:M -> y:v",
            structural, NULL, NULL, ZV_QUESTION_FORWARD,
            "(M + diag(extra) + damping D + stiffness K)^-1 x in O(n), D and K of the elastic links; of what is given "
            "0 (force).")

static zvStatus mass_inverse(Call *c) {
    if (c->method) return by_method(c, IN(0), NULL, NULL, NULL, OUT(0));
    return zv_mass_inverse(c->model, c->work, IN(0), OUT(0));
}
static zvStatus mass_inverses(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    return zv_batch_minv(batch, count, c->in[0], c->out[0], status);
}
static zvStatus mass_inverses_single(Call *c, zvBatch *batch, size_t count, zvStatus *status) {
    return zv_batch_minv_single(batch, count, c->in[0], c->out[0], status);
}
QUESTION_OF(mass_inverse, "q:q method?:M -> Minv:V", mass_inverse, mass_inverses, mass_inverses_single,
            ZV_QUESTION_INVERSE_MASS, "M^-1, full and symmetric.")

static zvStatus wrench_forces(Call *c) {
    const size_t bytes = (size_t)zv_model_nexternal(c->model) * sizeof(double);
    if (c->in[2])
        memcpy(OUT(0), IN(2), bytes);
    else
        memset(OUT(0), 0, bytes);
    if (c->axes == ZV_AXES_LOCAL)
        zv_add_local_wrench(c->model, c->work, IN(0), c->frame, IN(1), OUT(0));
    else
        zv_add_wrench(c->model, c->work, IN(0), c->frame, IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(
    add_wrench, "q:q frame:F wrench:6 fext?:f axes=world:A -> fext_all:f", wrench_forces,
    "External forces: fext (zero if left out) and a force (N) and moment (N m) on a frame about its origin, along the "
    "axes of the world or the frame's own.")

static zvStatus passive_forces(Call *c) {
    zv_passive_forces(c->model, c->work, IN(0), IN(1), c->number[0], OUT(0), OUT(1), OUT(2));
    return ZV_OK;
}
QUESTION(passive_forces, "q:q v?:v smoothing=0.01:d -> spring:v viscous:v dry:v", passive_forces,
         "What springs, dampers and dry friction of the joints do, with their sign. smoothing: rad/s or m/s; 0: the "
         "sign of v.")

static zvStatus add_passive_forces(Call *c) {
    copy_in(c, 2, 0);
    zv_add_passive_forces(c->model, c->work, IN(0), IN(1), c->number[0], c->number[1], OUT(0));
    return ZV_OK;
}
QUESTION(add_passive_forces, "q:q v?:v tau?:v smoothing=0.01:d scale=1:d -> tau_all:v", add_passive_forces,
         "tau + scale p with the passive forces p of the joints; scale -1 after inverse dynamics, 1 before forward "
         "dynamics.")

static zvStatus passive_energy(Call *c) {
    *OUT(0) = zv_passive_energy(c->model, c->work, IN(0));
    return ZV_OK;
}
QUESTION(passive_energy, "q:q -> energy:s", passive_energy, "Energy of the springs in joints, J.")

static zvStatus passive_rates(Call *c) {
    double *const p[3] = {OUT(0), OUT(1), OUT(2)};
    return zv_passive_rates(c->model, IN(0), IN(1), IN(2), IN(3), c->number[0], p);
}
QUESTION(passive_rates, "q:q v?:v a?:v jerk?:v smoothing=0.01:d -> beside:v beside_rate:v beside_second:v",
         passive_rates,
         "Passive forces of the joints with their derivatives by time along a motion, as motor_inverse_dynamics takes "
         "them.")

const AskEntry zp_dynamics[] = {ENTRY(inverse_dynamics),
                                ENTRY(flexible_inverse_dynamics),
                                ENTRY(joint_reactions),
                                ENTRY(forward_dynamics),
                                ENTRY(mixed_dynamics),
                                ENTRY(mass_matrix),
                                ENTRY(coriolis_matrix),
                                ENTRY(bias),
                                ENTRY(gravity_force),
                                ENTRY(elastic_force),
                                ENTRY(mass_times),
                                ENTRY(mass_inverse_times),
                                ENTRY(augmented_inverse_times),
                                ENTRY(structural_inverse_times),
                                ENTRY(mass_inverse),
                                ENTRY(add_wrench),
                                ENTRY(passive_forces),
                                ENTRY(add_passive_forces),
                                ENTRY(passive_energy),
                                ENTRY(passive_rates),
                                {NULL, NULL}};
