/* Motors of flexible joints at a state: what they do, and how it is printed. */
#include "motors.h"

#include <stdlib.h>
#include <string.h>

#include "passive.h"
#include "robot.h"
#include "zveno/flexible.h"
#include "zveno/passive.h"

double *motors_row(const Case *at, int row) { return at->motors + (size_t)row * (size_t)zv_model_nv(at->model); }

static bool has_motors(const zvModel *model) {
    for (int j = 0; j < zv_model_njoint(model); j++)
        if (zv_model_joint(model, j)->flexible) return true;
    return false;
}

/* Without --motors they are free; brakes are for modes. */
Code motors_prepare(Case *at, bool taken, bool locks) {
    const bool said = at->args->given & OPTION_MOTORS;
    if (said && at->args->motors == MOTORS_LOCKED && !locks)
        return complain(CODE_USAGE, "expected --motors free or none for zveno %s, found locked", at->args->verb);
    if (said && !has_motors(at->model)) remark("the joints of this robot are rigid: --motors changes nothing");
    if (!taken || !has_motors(at->model)) return CODE_DONE;
    if (said && at->args->motors == MOTORS_NONE) {
        if (zv_model_has_rotor_axes(at->model))
            remark("rotors with a rotor_axis turn freely about it: their inertia there is not in that of the links");
        return CODE_DONE;
    }
    at->motors = calloc(MOTOR_ROWS * (size_t)zv_model_nv(at->model) + 1, sizeof *at->motors);
    return at->motors ? CODE_DONE : complain_memory();
}

/* Springs, damping and friction of the file with their rates; false: they have none that can be told. */
static bool find_beside(const Case *at, const double *beside[3]) {
    const State *s = at->state;
    double *const p[3] = {motors_row(at, MOTOR_BESIDE), motors_row(at, MOTOR_BESIDE + 1),
                          motors_row(at, MOTOR_BESIDE + 2)};
    for (int k = 0; k < 3; k++) beside[k] = p[k];
    return zv_passive_rates(at->model, s->q, s->v, s->a, s->jerk, at->args->smoothing, p) >= 0;
}

/* Wrenches have no rates that a state could tell. */
zvStatus motors_inverse(const Case *at, double *tau) {
    const State *s = at->state;
    const double *beside[3];
    const zvMotorMotion motion = {motors_row(at, MOTOR_THETA), motors_row(at, MOTOR_RATE), motors_row(at, MOTOR_SECOND),
                                  motors_row(at, MOTOR_GEAR), tau};
    if (s->fext)
        return zv_fail(at->error, ZV_NOT_SUPPORTED, s->mark, "fext",
                       "expected no fext beside motors of flexible joints, found some: its rates are not known; "
                       "--motors none answers for the side of the links");
    if (passive_sum(at) && !find_beside(at, beside))
        return zv_fail(at->error, ZV_NOT_SUPPORTED, s->mark, "",
                       "expected springs of joints without quaternions and no loops beside --passive and motors of "
                       "flexible joints; --motors none answers for the side of the links");
    zvError error = {0};
    const zvStatus status = zv_motor_inverse_dynamics(at->model, at->work, s->q, s->v, s->a, s->jerk, s->snap,
                                                      s->beside & STATE_THETA ? s->theta : NULL,
                                                      passive_sum(at) ? beside : NULL, &motion, &error);
    if (status < 0)
        return zv_fail(at->error, status, s->mark, "", "%s; --motors none answers for the side of the links",
                       error.text);
    return status;
}

void motors_forces(const Case *at, double *tau) {
    const State *s = at->state;
    zv_motor_forces(at->model, s->q, s->v, s->theta, s->theta_rate, s->tau, tau);
    memcpy(motors_row(at, MOTOR_GEAR), tau, (size_t)zv_model_nv(at->model) * sizeof *tau);
}

void motors_react(const Case *at, double *fext) {
    const State *s = at->state;
    zv_add_rotor_wrenches(at->model, at->work, s->q, s->v, s->theta_rate, s->tau, motors_row(at, MOTOR_GEAR), fext);
}

void motors_accelerate(const Case *at, const double *a) {
    const State *s = at->state;
    zv_motor_accelerations(at->model, at->work, s->q, s->v, a, s->theta_rate, s->tau, motors_row(at, MOTOR_GEAR),
                           motors_row(at, MOTOR_SECOND));
}

void motors_json(const Case *at, const char *key, int row, Json *json) {
    json_key(json, key);
    json_numbers(json, motors_row(at, row), (size_t)zv_model_nv(at->model));
}

DofColumn motors_column(const Case *at, int row) {
    static const DofColumn columns[] = {{.name = "theta", .quantity = QUANTITY_POSITION},
                                        {.name = "theta'", .quantity = QUANTITY_VELOCITY},
                                        {.name = "theta''", .quantity = QUANTITY_ACCELERATION},
                                        {.name = "gear", .quantity = QUANTITY_FORCE}};
    DofColumn column = columns[row];
    column.values = motors_row(at, row);
    return column;
}
