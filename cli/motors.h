/* Motors of flexible joints in the answers of verbs: --motors. */
#ifndef ZVENO_CLI_MOTORS_H
#define ZVENO_CLI_MOTORS_H

#include "dofs.h"
#include "question.h"

/* Room for what motors do (Case.motors) when the robot has some and the question takes them; complains about --motors
 * where it cannot be. */
Code motors_prepare(Case *at, bool taken, bool locks);

/* Row of numbers (nv) in Case.motors. */
enum { MOTOR_THETA, MOTOR_RATE, MOTOR_SECOND, MOTOR_GEAR, MOTOR_BESIDE, MOTOR_ROWS = MOTOR_BESIDE + 3 };
double *motors_row(const Case *at, int row);

/* Inverse dynamics: the rows of the motion and the gears' forces, tau of the motors. */
zvStatus motors_inverse(const Case *at, double *tau);
/* tau (nv): forces in the joints, of gears where there are some. */
void motors_forces(const Case *at, double *tau);
/* fext += the wrenches of rotors with an axis, the gears' forces being those of motors_forces. */
void motors_react(const Case *at, double *fext);
/* theta'' of motors whose links accelerate with a, the gears' forces being those of motors_forces. */
void motors_accelerate(const Case *at, const double *a);

void motors_json(const Case *at, const char *key, int row, Json *json);
DofColumn motors_column(const Case *at, int row);

#endif
