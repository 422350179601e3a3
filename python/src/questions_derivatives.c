/* Questions of derive.h and flexible.h. */
#include "ask.h"

static zvStatus inverse_derivatives(Call *c) {
    return zv_inverse_derivatives(c->model, c->work, IN(0), IN(1), IN(2), IN(3), OUT(0), OUT(1), OUT(2));
}
#define INVERSE_OF(name, suffix)                                                                                     \
    static zvStatus name(Call *c, zvBatch *batch, size_t count, zvStatus *status) {                                  \
        (void)status;                                                                                                \
        return zv_batch_inverse_derivatives##suffix(batch, count, c->in[0], c->in[1], c->in[2], c->in[3], c->out[0], \
                                                    c->out[1], c->out[2]);                                           \
    }
INVERSE_OF(inverses_derived, )
INVERSE_OF(inverses_derived_single, _single)
QUESTION_OF(
    inverse_derivatives, "q:q v?:v a?:v fext?:f -> dq:V dv:V da:V", inverse_derivatives, inverses_derived,
    inverses_derived_single, ZV_QUESTIONS,
    "Derivatives of inverse dynamics, exact: row i is the force of i, column k what changes; da = M. By q means along "
    "the coordinates of v.")

static zvStatus forward_derivatives(Call *c) {
    return zv_forward_derivatives(c->model, c->work, IN(0), IN(1), IN(2), IN(3), OUT(0), OUT(1), OUT(2), OUT(3));
}
#define FORWARD_OF(name, suffix)                                                                                     \
    static zvStatus name(Call *c, zvBatch *batch, size_t count, zvStatus *status) {                                  \
        return zv_batch_forward_derivatives##suffix(batch, count, c->in[0], c->in[1], c->in[2], c->in[3], c->out[0], \
                                                    c->out[1], c->out[2], c->out[3], status);                        \
    }
FORWARD_OF(forwards_derived, )
FORWARD_OF(forwards_derived_single, _single)
QUESTION_OF(forward_derivatives, "q:q v?:v tau?:v fext?:f -> a:v dq:V dv:V dtau:V", forward_derivatives,
            forwards_derived, forwards_derived_single, ZV_QUESTIONS,
            "Accelerations of forward dynamics and their derivatives, exact; dtau = M^-1.")

static zvStatus rates(Call *c) {
    return zv_inverse_dynamics_rates(c->model, c->work, IN(0), IN(1), IN(2), IN(3), IN(4), OUT(0), OUT(1), OUT(2));
}
QUESTION(inverse_dynamics_rates, "q:q v?:v a?:v jerk?:v snap?:v -> tau:v tau_rate:v tau_second:v", rates,
         "Inverse dynamics with its first and second derivative by time along a motion known to its fourth derivative.")

static zvStatus motors(Call *c) {
    const zvMotorMotion motion = {OUT(0), OUT(1), OUT(2), OUT(3), OUT(4)};
    const double *const beside[3] = {IN(6), IN(7), IN(8)};
    const int told = !!beside[0] + !!beside[1] + !!beside[2];
    if (told != 0 && told != 3)
        return zv_fail(&c->error, ZV_SCHEMA, (zvMark){0}, "beside",
                       "motor_inverse_dynamics: expected beside with beside_rate and beside_second, or none of them, "
                       "found %d",
                       told);
    return zv_motor_inverse_dynamics(c->model, c->work, IN(0), IN(1), IN(2), IN(3), IN(4), IN(5), told ? beside : NULL,
                                     &motion, &c->error);
}
QUESTION(
    motor_inverse_dynamics,
    "q:q v?:v a?:v jerk?:v snap?:v theta_now?:v beside?:v beside_rate?:v beside_second?:v -> theta:v theta_rate:v "
    "theta_second:v tau:v motor:v",
    motors,
    "What motors behind flexible joints do for a motion of the links: angles / ratio with their rates, forces on the "
    "links, and those of the motors, on the link side. theta_now: where motors of gears with damping stand. beside: "
    "forces besides, as passive ones.")

static zvStatus motor_forward(Call *c) {
    return zv_motor_forward_dynamics(c->model, c->work, IN(0), IN(1), IN(2), IN(3), IN(4), IN(5), IN(6), OUT(0), OUT(1),
                                     OUT(2));
}
QUESTION(motor_forward_dynamics,
         "q:q v?:v theta?:v theta_rate?:v motor?:v fext?:f beside?:v -> a:v theta_second:v tau:v", motor_forward,
         "Accelerations of links and motors that the motors behind flexible joints cause: theta is motor angle / ratio "
         "(left out: gears carry nothing), motor the force reckoned on the link side; tau: the forces on the links.")

static zvStatus motor_forces(Call *c) {
    zv_motor_forces(c->model, IN(0), IN(1), IN(2), IN(3), IN(4), OUT(0));
    return ZV_OK;
}
QUESTION(motor_forces, "q:q v:v theta:v theta_rate:v motor?:v -> tau:v", motor_forces,
         "Forces in the joints: those of the gears of flexible joints, of the motors in others.")

static zvStatus motor_energy(Call *c) {
    zv_motor_energy(c->model, c->work, IN(0), IN(3), IN(1), IN(2), OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(motor_energy, "q:q theta:v theta_rate:v v?:v -> gears:s rotors:s", motor_energy,
         "Energy of the springs of gears and of the rotors behind them, J; v counts for rotors with an axis.")

static zvStatus gear_rest(Call *c) {
    zv_gear_rest(c->model, IN(0), IN(1), OUT(0));
    return ZV_OK;
}
QUESTION(gear_rest, "q:q tau?:v -> theta:v", gear_rest,
         "Where motors stand when their gears carry tau: motor angle / ratio, rad or m.")

static zvStatus gear_forces(Call *c) {
    zv_gear_forces(c->model, IN(0), IN(1), IN(2), IN(3), OUT(0), OUT(1));
    return ZV_OK;
}
QUESTION(gear_forces, "q:q v:v theta:v theta_rate:v -> spring:v damper:v", gear_forces,
         "Forces of the gears of flexible joints on the links, 0 where there is none.")

static zvStatus motor_accelerations(Call *c) {
    zv_motor_accelerations(c->model, c->work, IN(0), IN(1), IN(2), IN(3), IN(4), IN(5), OUT(0));
    return ZV_OK;
}
QUESTION(motor_accelerations, "q:q v:v a:v theta_rate:v motor:v tau:v -> theta_second:v", motor_accelerations,
         "Accelerations of motors whose gears have tau on the links, which accelerate with a.")

static zvStatus rotor_momentum(Call *c) {
    zv_rotor_momentum(c->model, c->work, IN(0), IN(1), IN(2), OUT(0));
    return ZV_OK;
}
QUESTION(rotor_momentum, "q:q v:v theta_rate:v -> momentum:3", rotor_momentum,
         "Angular momentum of the spins of rotors with an axis, N m s, which momentum does not have.")

static zvStatus rotor_coupling(Call *c) {
    zv_rotor_coupling(c->model, c->work, IN(0), OUT(0));
    return ZV_OK;
}
QUESTION(rotor_coupling, "q:q -> S:V", rotor_coupling,
         "What stands beside M in the mass matrix of links and motors, of rotors with an axis: inertia ratio J^T z.")

const AskEntry zp_derivatives[] = {ENTRY(inverse_derivatives),
                                   ENTRY(forward_derivatives),
                                   ENTRY(inverse_dynamics_rates),
                                   ENTRY(motor_inverse_dynamics),
                                   ENTRY(motor_forward_dynamics),
                                   ENTRY(motor_forces),
                                   ENTRY(motor_energy),
                                   ENTRY(gear_rest),
                                   ENTRY(gear_forces),
                                   ENTRY(motor_accelerations),
                                   ENTRY(rotor_momentum),
                                   ENTRY(rotor_coupling),
                                   {NULL, NULL}};
