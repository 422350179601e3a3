/* Rotors that take part in the motions of the links that carry them: zvFlexibleJoint.rotor_axis, flexible.h. */
#ifndef ZI_DYNAMICS_ROTORS_H
#define ZI_DYNAMICS_ROTORS_H

#include "zveno/flexible.h"

/* A rotor at a state, world axes. */
typedef struct ziRotorState {
    double axis[3], omega[3]; /* omega of the link that carries it */
    double spin;              /* about the axis, rad/s */
} ziRotorState;

/* That of joint j, which turns with `relative` in its link: ratio theta'. v NULL: zero. */
ziRotorState zi_rotor_look(const zvModel *model, zvWork *work, const double *q, const double *v, int joint,
                           double relative);
/* The same where pose and velocity (6) of that link are known. */
ziRotorState zi_rotor_seen(const zvJoint *joint, const zvPose *pose, const double *velocity, double relative);
/* axis . angular acceleration of that link, at accelerations a. */
double zi_rotor_turned(const zvModel *model, zvWork *work, const double *q, const double *v, const double *a,
                       int joint);
/* What turns a rotor, motor side: inertia s' (theta' = rate, motor and tau on the link side). */
static inline double zi_rotor_torque(const zvFlexibleJoint *gear, double rate, double motor, double tau) {
    return (motor - tau) / gear->ratio - gear->motor_damping * gear->ratio * rate;
}
/* wrench (6): no force, and the moment on the link of a rotor that a torque turns. */
void zi_rotor_wrench(const zvFlexibleJoint *gear, const ziRotorState *rotor, double torque, double wrench[6]);

#endif
