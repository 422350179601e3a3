/* KDL: serial chains on a fixed base, built the way its own URDF reader builds them.
 *
 * Compile without -march and sanitizers: both change how Eigen aligns, which is part of the binary interface of KDL. */
#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainhdsolver_vereshchagin.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacsolver.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include "engine.h"

namespace {

KDL::Vector vector(const double x[3]) { return KDL::Vector(x[0], x[1], x[2]); }

KDL::Frame frame(const zvPose &pose) {
    const double *R = pose.R;
    return KDL::Frame(KDL::Rotation(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), vector(pose.p));
}

KDL::Segment segment(const Body &body) {
    const double *m = body.inertia.moment;
    const KDL::Frame origin = frame(body.origin);
    const auto type = body.type == ZV_JOINT_PRISMATIC ? KDL::Joint::TransAxis : KDL::Joint::RotAxis;
    const KDL::Joint joint(origin.p, origin.M * vector(body.axis), type);
    const KDL::RotationalInertia moment(m[0], m[3], m[5], m[1], m[2], m[4]);
    return KDL::Segment(joint, origin, KDL::RigidBodyInertia(body.inertia.mass, vector(body.inertia.com), moment));
}

KDL::Chain chain(const Tree &tree) {
    KDL::Chain out;
    for (int b = 1; b < tree.nbody; ++b) out.addSegment(segment(tree.body[b]));
    return out;
}

std::vector<KDL::JntArray> states(const double *x, int count, int n) {
    std::vector<KDL::JntArray> out(static_cast<size_t>(count), KDL::JntArray(static_cast<unsigned>(n)));
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < n; ++k) out[i](k) = x[static_cast<size_t>(i) * n + k];
    return out;
}

struct Kdl {
    unsigned n;
    KDL::Chain body;
    std::vector<KDL::JntArray> q, v, a, tau;
    KDL::Wrenches none;
    KDL::ChainIdSolver_RNE inverse;
    KDL::ChainDynParam parameters;
    KDL::ChainHdSolver_Vereshchagin hybrid;
    KDL::ChainJntToJacSolver jacobian;
    /* one constraint of zero direction: the solver does not accept none */
    KDL::Jacobian direction;
    KDL::JntArray setpoint, out, reaction;
    KDL::JntSpaceInertiaMatrix mass;
    KDL::Jacobian J;

    Kdl(const Tree &tree, const Ring &ring)
        : n(static_cast<unsigned>(tree.nv)), body(chain(tree)), q(states(ring.q, ring.count, ring.nq)),
          v(states(ring.v, ring.count, ring.nv)), a(states(ring.a, ring.count, ring.nv)),
          tau(states(ring.tau, ring.count, ring.nv)), none(n, KDL::Wrench::Zero()), inverse(body, vector(tree.gravity)),
          parameters(body, vector(tree.gravity)),
          hybrid(body, KDL::Twist(-vector(tree.gravity), KDL::Vector::Zero()), 1), jacobian(body), direction(1),
          setpoint(1), out(n), reaction(n), mass(n), J(n) {
        KDL::SetToZero(direction);
        KDL::SetToZero(setpoint);
    }
};

Kdl &of(void *self) { return *static_cast<Kdl *>(self); }

void run_inverse(void *self, int i) {
    Kdl &s = of(self);
    s.inverse.CartToJnt(s.q[i], s.v[i], s.a[i], s.none, s.out);
}

void run_forward(void *self, int i) {
    Kdl &s = of(self);
    s.hybrid.CartToJnt(s.q[i], s.v[i], s.out, s.direction, s.setpoint, s.none, s.tau[i], s.reaction);
}

void run_mass(void *self, int i) {
    Kdl &s = of(self);
    s.parameters.JntToMass(s.q[i], s.mass);
}

void run_jacobian(void *self, int i) {
    Kdl &s = of(self);
    s.jacobian.JntToJac(s.q[i], s.J);
}

/* Runs the task and copies its answer; KDL has the same order for chains. */
void answer(void *self, Task task, int state, double *out) {
    Kdl &s = of(self);
    switch (task) {
    case TASK_INVERSE: run_inverse(self, state); break;
    case TASK_FORWARD: run_forward(self, state); break;
    case TASK_JACOBIAN: run_jacobian(self, state); break;
    default: run_mass(self, state); break;
    }
    if (task == TASK_INVERSE || task == TASK_FORWARD) {
        std::copy(s.out.data.data(), s.out.data.data() + s.n, out);
    } else {
        const Eigen::MatrixXd &X = task == TASK_JACOBIAN ? Eigen::MatrixXd(s.J.data) : s.mass.data;
        for (Eigen::Index r = 0; r < X.rows(); ++r)
            for (Eigen::Index c = 0; c < X.cols(); ++c) out[r * X.cols() + c] = X(r, c);
    }
}

void destroy(void *self) { delete static_cast<Kdl *>(self); }

/* KDL takes chains only. */
bool open_robot(const Tree *tree, const Ring *ring, Engine *engine) {
    if (!tree->serial || tree->nv == 0) return false;
    *engine = Engine{};
    engine->name = "KDL";
    engine->self = new Kdl(*tree, *ring);
    engine->run[TASK_INVERSE] = run_inverse;
    engine->run[TASK_FORWARD] = run_forward;
    engine->run[TASK_MASS] = run_mass;
    engine->run[TASK_JACOBIAN] = run_jacobian;
    engine->answer = answer;
    engine->destroy = destroy;
    return true;
}

} // namespace

const Peer zveno_peer = {PEER_VERSION, "KDL", open_robot};
