/* Motors of flexible joints, [Kolyubin] 3.4: forces of their gears, inverse and forward dynamics. */
#include "zveno/flexible.h"

#include <string.h>

#include "base/require.h"
#include "dynamics/rotors.h"
#include "model/gear.h"
#include "model/tree.h"
#include "work/scratch.h"

static void tell(double *to, int dof, double x) {
    if (to) to[dof] = x;
}

static double rate_of(const double *x, int dof) { return x ? x[dof] : 0; }

/* A gear, and how far and how fast it is deflected. */
typedef struct Deflection {
    const zvFlexibleJoint *gear;
    int dof;
    double d, rate;
} Deflection;

/* Of joint j; false when it is rigid. */
static bool deflection_of(const zvModel *m, int j, const double *q, const double *v, const double *theta,
                          const double *theta_rate, Deflection *x) {
    const zvJointPlace place = m->joint_places[j];
    const int dof = place.v_index;
    *x = (Deflection){.gear = m->joints[j].flexible, .dof = dof};
    if (!x->gear) return false;
    x->d = theta ? theta[dof] - q[place.q_index] : 0;
    x->rate = rate_of(theta_rate ? theta_rate : v, dof) - rate_of(v, dof);
    return true;
}

/* Spring and damper apart: the first is what a store holds, the second what is lost. */
void zv_gear_forces(const zvModel *m, const double *q, const double *v, const double *theta, const double *theta_rate,
                    double *spring, double *damper) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq));
    const size_t bytes = (size_t)m->nv * sizeof(double);
    if (spring) memset(spring, 0, bytes);
    if (damper) memset(damper, 0, bytes);
    for (int j = 0; j < m->njoint; j++) {
        Deflection x;
        if (!deflection_of(m, j, q, v, theta, theta_rate, &x)) continue;
        tell(spring, x.dof, zi_gear_force(x.gear, x.d));
        tell(damper, x.dof, x.gear->damping * x.rate);
    }
}

void zv_motor_forces(const zvModel *m, const double *q, const double *v, const double *theta, const double *theta_rate,
                     const double *motor, double *tau) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv));
    for (int i = 0; i < m->nv; i++) tau[i] = rate_of(motor, i);
    for (int j = 0; j < m->njoint; j++) {
        Deflection x;
        if (deflection_of(m, j, q, v, theta, theta_rate, &x))
            tau[x.dof] = zi_gear_force(x.gear, x.d) + x.gear->damping * x.rate;
    }
}

/* q where nothing gives way. */
void zv_gear_rest(const zvModel *m, const double *q, const double *tau, double *theta) {
    ZI_REQUIRE(m && ZI_ARRAY(q, m->nq) && ZI_ARRAY(theta, m->nv));
    memset(theta, 0, (size_t)m->nv * sizeof *theta);
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        for (int k = 0; k < place.nv && place.nq == place.nv; k++) theta[place.v_index + k] = q[place.q_index + k];
        if (m->joints[j].flexible)
            theta[place.v_index] += zi_gear_deflection(m->joints[j].flexible, rate_of(tau, place.v_index));
    }
}

/* Of what is stored: each gear by its law, each rotor by its spin. */
void zv_motor_energy(const zvModel *m, zvWork *work, const double *q, const double *v, const double *theta,
                     const double *theta_rate, double *gears, double *rotors) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && gears && rotors);
    *gears = *rotors = 0;
    for (int j = 0; j < m->njoint; j++) {
        Deflection x;
        if (!deflection_of(m, j, q, v, theta, theta_rate, &x)) continue;
        double spin = x.gear->ratio * (x.rate + rate_of(v, x.dof));
        if (zi_rotor_couples(x.gear)) {
            const ziRotorState rotor = zi_rotor_look(m, work, q, v, j, spin);
            spin = rotor.spin;
        }
        *gears += zi_gear_energy(x.gear, x.d);
        *rotors += 0.5 * x.gear->inertia * spin * spin;
    }
}

/* Inverse. */

/* A motion's value, rate and second derivative in one freedom: of its link, and of the force on it. */
typedef struct GearMotion {
    double link[3], tau[3];
} GearMotion;

/* d, d' and d'' of a gear that carries tau; with damping at the d where its motor stands. */
static void deflect(const zvFlexibleJoint *gear, const GearMotion *m, double theta, double d[3]) {
    const double damping = gear->damping;
    d[0] = damping != 0 ? theta - m->link[0] : zi_gear_deflection(gear, m->tau[0]);
    const double k = zi_gear_tangent(gear, d[0]);
    if (damping != 0) {
        d[1] = (m->tau[0] - zi_gear_force(gear, d[0])) / damping;
        d[2] = (m->tau[1] - k * d[1]) / damping;
    } else {
        d[1] = m->tau[1] / k;
        d[2] = (m->tau[2] - zi_gear_second(gear, d[0]) * d[1] * d[1]) / k;
    }
}

/* A motor and what it has to give; without a gear it is its link. turned: how the link that carries its rotor
 * accelerates about the rotor's axis, of rotors that have one. */
static void turn_motor(const zvFlexibleJoint *gear, int dof, const GearMotion *m, double theta, double turned,
                       const zvMotorMotion *motion) {
    double d[3] = {0}, motor = m->tau[0];
    if (gear) {
        const double square = gear->ratio * gear->ratio;
        deflect(gear, m, theta, d);
        motor += square * (gear->inertia * (m->link[2] + d[2]) + gear->motor_damping * (m->link[1] + d[1])) +
                 gear->ratio * gear->inertia * turned;
    }
    tell(motion->tau, dof, m->tau[0]);
    tell(motion->theta, dof, m->link[0] + d[0]);
    tell(motion->theta_rate, dof, m->link[1] + d[1]);
    tell(motion->theta_second, dof, m->link[2] + d[2]);
    tell(motion->motor, dof, motor);
}

/* Joint after joint; their forces are known. */
static void turn_motors(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                        const double *theta, double *const tau[3], const zvMotorMotion *motion) {
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        const bool couples = m->joints[j].flexible && zi_rotor_couples(m->joints[j].flexible);
        const double turned = couples ? zi_rotor_turned(m, work, q, v, a, j) : 0;
        for (int k = 0; k < place.nv; k++) {
            const int dof = place.v_index + k;
            const GearMotion x = {{q[place.q_index + k], rate_of(v, dof), rate_of(a, dof)},
                                  {tau[0][dof], tau[1][dof], tau[2][dof]}};
            turn_motor(m->joints[j].flexible, dof, &x, rate_of(theta, dof), turned, motion);
        }
    }
}

/* Rotors with an axis ------------------------------------------------------------------------------------------- */

/* The next gear between the link of joint j and the ground, -1: none. What a rotor with an axis does to its link comes
 * to bear on it, by way of joints without gears. */
static int gear_before(const zvModel *m, int j) {
    do j = m->link_places[m->joint_places[j].parent].joint;
    while (j >= 0 && !m->joints[j].flexible);
    return j;
}

/* Derivatives of the motion that all motors take: 4 for the acceleration of one; where its rotor pushes on a gear
 * before it, that has to be known two times differentiated, and so on. *joint: the innermost of those that take most.
 */
static int derivatives_for(const zvModel *m, int *joint) {
    int most = 4;
    for (int j = 0; j < m->njoint; j++) {
        if (!m->joints[j].flexible || !zi_rotor_couples(m->joints[j].flexible)) continue;
        int needed = 4, at = j;
        for (int i = gear_before(m, j); i >= 0; i = gear_before(m, i)) {
            if (at == j || zi_rotor_couples(m->joints[at].flexible)) needed += 2;
            at = i;
        }
        if (needed > most) most = needed, *joint = at;
    }
    return most;
}

/* The forces in joints before rotors that push on their links; these joints have no gears, so that nothing else asks
 * for more. */
static void push_back(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                      const double *beside, const zvMotorMotion *found) {
    zvWork below = *work;
    const size_t count = (size_t)zv_model_nexternal(m);
    double *wrenches = zi_scratch_doubles(&below.scratch, count);
    double *tau = zi_scratch_doubles(&below.scratch, (size_t)m->nv);
    for (size_t i = 0; i < count; i++) wrenches[i] = 0;
    zv_add_rotor_wrenches(m, &below, q, v, found->theta_rate, found->motor, found->tau, wrenches);
    zv_inverse_dynamics(m, &below, q, v, a, wrenches, tau);
    for (int j = 0; j < m->njoint; j++) {
        const zvJointPlace place = m->joint_places[j];
        for (int k = 0; k < place.nv && !m->joints[j].flexible; k++) {
            const int dof = place.v_index + k;
            found->tau[dof] = found->motor[dof] = tau[dof] - rate_of(beside, dof);
        }
    }
}

static void tell_all(const zvModel *m, const double *from, double *to) {
    for (int i = 0; to && i < m->nv; i++) to[i] = from[i];
}

/* What the motion of the links does not tell. */
static zvStatus check_told(const zvModel *m, const double *theta, zvError *error) {
    if (zv_model_nloop(m) > 0)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, zv_model_loop(m, 0)->mark, zv_model_loop(m, 0)->name,
            "expected a robot without closed loops, found loop \"%s\", whose forces the motion does not tell",
            zv_model_loop(m, 0)->name);
    int joint = 0;
    const int derivatives = derivatives_for(m, &joint);
    if (derivatives > 4)
        return zv_fail(error, ZV_NOT_SUPPORTED, m->joints[joint].mark, m->joints[joint].name,
                       "joint \"%s\": expected no gear between the ground and a rotor with rotor_axis, found one; the "
                       "spin of that rotor bends it, so that the motion would have to be known up to derivative %d, "
                       "where snap is the fourth",
                       m->joints[joint].name, derivatives);
    for (int j = 0; !theta && j < m->njoint; j++) {
        const zvFlexibleJoint *gear = m->joints[j].flexible;
        if (gear && gear->damping != 0)
            return zv_fail(error, ZV_NOT_SUPPORTED, m->joints[j].mark, m->joints[j].name,
                           "joint \"%s\": expected theta, where its motor stands, found none; its gear has damping (%g "
                           "N m s/rad or N s/m), and then the motion of the links does not tell its deflection",
                           m->joints[j].name, gear->damping);
    }
    return ZV_OK;
}

/* tau and its derivatives less what acts besides. */
zvStatus zv_motor_inverse_dynamics(const zvModel *model, zvWork *work, const double *q, const double *v,
                                   const double *a, const double *jerk, const double *snap, const double *theta,
                                   const double *const beside[3], const zvMotorMotion *motion, zvError *error) {
    ZI_REQUIRE(model && work && ZI_ARRAY(q, model->nq) && motion);
    const zvStatus told = check_told(model, theta, error);
    if (told < 0) return told;
    zvWork below = *work;
    double *tau[3], *found[4];
    for (int k = 0; k < 3; k++) tau[k] = zi_scratch_doubles(&below.scratch, (size_t)model->nv);
    if (zv_inverse_dynamics_rates(model, &below, q, v, a, jerk, snap, tau[0], tau[1], tau[2]) < 0)
        return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, model->name,
                       "expected rigid links and joints that slide along or turn about axes of the parent, found "
                       "elastic links, or universal, curve, spherical or free joints");
    for (int k = 0; beside && k < 3; k++) {
        for (int i = 0; i < model->nv; i++) tau[k][i] -= beside[k][i];
    }
    if (!zv_model_has_rotor_axes(model)) {
        turn_motors(model, &below, q, v, a, theta, tau, motion);
        return ZV_OK;
    }
    for (int k = 0; k < 4; k++) found[k] = zi_scratch_doubles(&below.scratch, (size_t)model->nv);
    const zvMotorMotion all = {found[0], found[1], motion->theta_second, found[2], found[3]};
    turn_motors(model, &below, q, v, a, theta, tau, &all);
    push_back(model, &below, q, v, a, beside ? beside[0] : NULL, &all);
    tell_all(model, found[0], motion->theta);
    tell_all(model, found[1], motion->theta_rate);
    tell_all(model, found[2], motion->tau);
    tell_all(model, found[3], motion->motor);
    return ZV_OK;
}

/* Forward. */

/* A rotor has what its motor gives and the gear and its own damper leave; where it has an axis, less what its link
 * accelerates. */
void zv_motor_accelerations(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a,
                            const double *theta_rate, const double *motor, const double *tau, double *theta_second) {
    ZI_REQUIRE(m && work && ZI_ARRAY(a, m->nv) && ZI_ARRAY(tau, m->nv) && ZI_ARRAY(theta_second, m->nv));
    if (theta_second != a) memmove(theta_second, a, (size_t)m->nv * sizeof *a);
    for (int j = 0; j < m->njoint; j++) {
        const zvFlexibleJoint *gear = m->joints[j].flexible;
        const int dof = m->joint_places[j].v_index;
        if (!gear) continue;
        const double rate = rate_of(theta_rate ? theta_rate : v, dof);
        theta_second[dof] = zi_rotor_torque(gear, rate, rate_of(motor, dof), tau[dof]) / (gear->inertia * gear->ratio);
        if (zi_rotor_couples(gear)) theta_second[dof] -= zi_rotor_turned(m, work, q, v, a, j) / gear->ratio;
    }
}

/* The links by any method, then their motors. */
zvStatus zv_motor_forward_dynamics(const zvModel *m, zvWork *work, const double *q, const double *v,
                                   const double *theta, const double *theta_rate, const double *motor,
                                   const double *fext, const double *beside, double *a, double *theta_second,
                                   double *tau) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(a, m->nv) && ZI_ARRAY(tau, m->nv));
    zvWork below = *work;
    double *sum = zi_scratch_doubles(&below.scratch, (size_t)m->nv), *wrenches = NULL;
    zv_motor_forces(m, q, v, theta, theta_rate, motor, tau);
    for (int i = 0; i < m->nv; i++) sum[i] = tau[i] + rate_of(beside, i);
    if (zv_model_has_rotor_axes(m)) {
        const size_t count = (size_t)zv_model_nexternal(m);
        wrenches = zi_scratch_doubles(&below.scratch, count);
        for (size_t i = 0; i < count; i++) wrenches[i] = fext ? fext[i] : 0;
        zv_add_rotor_wrenches(m, &below, q, v, theta_rate ? theta_rate : v, motor, tau, wrenches);
    }
    const zvStatus status = zv_forward_dynamics(m, &below, q, v, sum, wrenches ? wrenches : fext, a);
    if (status < 0 || !theta_second) return status;
    zv_motor_accelerations(m, &below, q, v, a, theta_rate, motor, tau, theta_second);
    return status;
}
