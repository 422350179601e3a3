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
    const double *const beside[3] = {IN(5), IN(6), IN(7)};
    return zv_motor_inverse_dynamics(c->model, c->work, IN(0), IN(1), IN(2), IN(3), IN(4), beside, &motion, &c->error);
}
QUESTION(motor_inverse_dynamics,
         "q:q v?:v a?:v jerk?:v snap?:v beside?:v beside_rate?:v beside_second?:v -> theta:v theta_rate:v "
         "theta_second:v tau:v "
         "motor:v",
         motors,
         "What motors behind flexible joints do for a motion of the links: angles / ratio with their rates, forces on "
         "the links, "
         "and those of the motors, on the link side. beside: forces besides, as passive ones.")

const AskEntry zp_derivatives[] = {ENTRY(inverse_derivatives),
                                   ENTRY(forward_derivatives),
                                   ENTRY(inverse_dynamics_rates),
                                   ENTRY(motor_inverse_dynamics),
                                   {NULL, NULL}};
