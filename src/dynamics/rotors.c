/* The full model of flexible joints [DeLuca]: rotors are gyrostats of the links that carry them. Their inertia about
 * their axes has left these links when the model was frozen (freeze_bodies.c), so that what is left of a rotor is its
 * spin s about z, and a moment on its link, -d/dt (inertia s z). */
#include "dynamics/rotors.h"

#include <string.h>

#include "base/require.h"
#include "model/gear.h"
#include "model/tree.h"
#include "work/scratch.h"
#include "zveno/kinematics.h"

static bool couples(const zvModel *m, int j) {
    return m->joints[j].flexible && zi_rotor_couples(m->joints[j].flexible);
}

bool zv_model_has_rotor_axes(const zvModel *m) {
    ZI_REQUIRE(m);
    for (int j = 0; j < m->njoint; j++) {
        if (couples(m, j)) return true;
    }
    return false;
}

/* The axis and the turning of its link, world axes; the spin is what turns against the link, and with it. */
ziRotorState zi_rotor_seen(const zvJoint *joint, const zvPose *pose, const double *velocity, double relative) {
    ziRotorState r = {.spin = relative};
    double z[3];
    zi_rotor_axis(joint, z);
    for (int i = 0; i < 3; i++) {
        const double *row = pose->R + 3 * i;
        r.axis[i] = row[0] * z[0] + row[1] * z[1] + row[2] * z[2];
        r.omega[i] = velocity ? velocity[3 + i] : 0;
        r.spin += r.axis[i] * r.omega[i];
    }
    return r;
}

ziRotorState zi_rotor_look(const zvModel *m, zvWork *work, const double *q, const double *v, int joint,
                           double relative) {
    const int link = m->joint_places[joint].parent;
    zvPose pose;
    double velocity[6];
    zv_frame_pose(m, work, q, link, &pose);
    if (v) zv_frame_velocity(m, work, q, v, link, ZV_AXES_WORLD, velocity);
    return zi_rotor_seen(&m->joints[joint], &pose, v ? velocity : NULL, relative);
}

double zi_rotor_turned(const zvModel *m, zvWork *work, const double *q, const double *v, const double *a, int joint) {
    const int link = m->joint_places[joint].parent;
    const ziRotorState r = zi_rotor_look(m, work, q, NULL, joint, 0);
    double acceleration[6];
    zv_frame_acceleration(m, work, q, v, a, link, ZV_AXES_WORLD, acceleration);
    return r.axis[0] * acceleration[3] + r.axis[1] * acceleration[4] + r.axis[2] * acceleration[5];
}

void zi_rotor_wrench(const zvFlexibleJoint *gear, const ziRotorState *r, double torque, double wrench[6]) {
    const double h = gear->inertia * r->spin, *z = r->axis, *w = r->omega;
    wrench[0] = wrench[1] = wrench[2] = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        wrench[3 + i] = -torque * z[i] - h * (w[j] * z[k] - w[k] * z[j]);
    }
}

/* Each rotor by itself; those of links on the ground push on nothing. */
void zv_add_rotor_wrenches(const zvModel *m, zvWork *work, const double *q, const double *v, const double *theta_rate,
                           const double *motor, const double *tau, double *fext) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(tau, m->nv) && ZI_ARRAY(fext, zv_model_nexternal(m)));
    for (int j = 0; j < m->njoint; j++) {
        if (!couples(m, j)) continue;
        const zvFlexibleJoint *gear = m->joints[j].flexible;
        const int dof = m->joint_places[j].v_index;
        const double rate = theta_rate ? theta_rate[dof] : v ? v[dof] : 0;
        const ziRotorState r = zi_rotor_look(m, work, q, v, j, gear->ratio * rate);
        double wrench[6];
        zi_rotor_wrench(gear, &r, zi_rotor_torque(gear, rate, motor ? motor[dof] : 0, tau[dof]), wrench);
        zv_add_wrench(m, work, q, m->joint_places[j].parent, wrench, fext);
    }
}

/* Those of the spins alone; masses and the other moments of rotors are in their links. */
void zv_rotor_momentum(const zvModel *m, zvWork *work, const double *q, const double *v, const double *theta_rate,
                       double momentum[3]) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && momentum);
    memset(momentum, 0, 3 * sizeof *momentum);
    for (int j = 0; j < m->njoint; j++) {
        if (!couples(m, j)) continue;
        const zvFlexibleJoint *gear = m->joints[j].flexible;
        const int dof = m->joint_places[j].v_index;
        const double rate = theta_rate ? theta_rate[dof] : v ? v[dof] : 0;
        const ziRotorState r = zi_rotor_look(m, work, q, v, j, gear->ratio * rate);
        for (int i = 0; i < 3; i++) momentum[i] += gear->inertia * r.spin * r.axis[i];
    }
}

/* Rows of a Jacobian, one rotor after the other. */
void zv_rotor_coupling(const zvModel *m, zvWork *work, const double *q, double *S) {
    ZI_REQUIRE(m && work && ZI_ARRAY(q, m->nq) && ZI_ARRAY(S, m->nv));
    const size_t nv = (size_t)m->nv;
    zvWork below = *work;
    double *J = zi_scratch_doubles(&below.scratch, 6 * nv);
    memset(S, 0, nv * nv * sizeof *S);
    for (int j = 0; j < m->njoint; j++) {
        if (!couples(m, j)) continue;
        const zvFlexibleJoint *gear = m->joints[j].flexible;
        const size_t dof = (size_t)m->joint_places[j].v_index;
        const ziRotorState r = zi_rotor_look(m, &below, q, NULL, j, 0);
        zv_frame_jacobian(m, &below, q, m->joint_places[j].parent, ZV_AXES_WORLD, J);
        for (size_t i = 0; i < nv; i++) {
            const double c = r.axis[0] * J[3 * nv + i] + r.axis[1] * J[4 * nv + i] + r.axis[2] * J[5 * nv + i];
            S[i * nv + dof] = gear->inertia * gear->ratio * c;
        }
    }
}
