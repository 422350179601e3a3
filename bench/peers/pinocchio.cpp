/* Pinocchio: its templates, compiled here with everything this machine's processor has, as its users who care for speed
 * do. Conventions of states and answers are Zveno's. One triangle of symmetric matrices is what it computes; the other
 * is filled where answers are handed over, outside of any timing. */
#include <pinocchio/multibody.hpp>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/cholesky.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "engine.h"

namespace {

namespace pin = pinocchio;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Vector3d vector(const double *x) { return {x[0], x[1], x[2]}; }

pin::SE3 pose(const zvPose &p) {
    return {Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(p.R), vector(p.p)};
}

pin::Inertia inertia(const zvInertia &of) {
    const double *m = of.moment;
    Eigen::Matrix3d moment;
    moment << m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5];
    return {of.mass, vector(of.com), moment};
}

/* Axes of the joint frame have joints of their own, which know their zeros. */
pin::JointModel joint(const Body &body) {
    const Eigen::Vector3d axis = vector(body.axis);
    const bool slides = body.type == ZV_JOINT_PRISMATIC;
    if (body.type == ZV_JOINT_FREE) return pin::JointModelFreeFlyer();
    if (body.type == ZV_JOINT_SPHERICAL) return pin::JointModelSpherical();
    if (axis == Eigen::Vector3d::UnitX()) return slides ? pin::JointModel(pin::JointModelPX()) : pin::JointModelRX();
    if (axis == Eigen::Vector3d::UnitY()) return slides ? pin::JointModel(pin::JointModelPY()) : pin::JointModelRY();
    if (axis == Eigen::Vector3d::UnitZ()) return slides ? pin::JointModel(pin::JointModelPZ()) : pin::JointModelRZ();
    if (slides) return pin::JointModelPrismaticUnaligned(axis);
    return pin::JointModelRevoluteUnaligned(axis);
}

/* A joint for every body, a frame for every link */
pin::Model model(const Tree &tree, pin::FrameIndex &first) {
    pin::Model out;
    out.gravity.linear(vector(tree.gravity));
    std::vector<pin::JointIndex> at{0};
    for (int b = 1; b < tree.nbody; ++b) {
        const Body &body = tree.body[b];
        const auto parent = at[static_cast<size_t>(body.parent)];
        at.push_back(out.addJoint(parent, joint(body), pose(body.origin), "j" + std::to_string(b)));
        out.appendBodyToJoint(at.back(), inertia(body.inertia));
    }
    first = out.frames.size();
    for (int k = 0; k < tree.nlink; ++k) {
        const TreeLink &link = tree.link[k];
        out.addFrame(
            pin::Frame("l" + std::to_string(k), at[static_cast<size_t>(link.body)], pose(link.pose), pin::BODY), false);
    }
    return out;
}

std::vector<Vector> states(const double *x, int count, int n) {
    std::vector<Vector> out;
    for (int i = 0; i < count; ++i) out.emplace_back(Eigen::Map<const Vector>(x + static_cast<size_t>(i) * n, n));
    return out;
}

/* Two methods for the tip's inertia in operational space; the faster one on a robot is taken. */
enum class Method { factors, inverse };

struct Pinocchio {
    pin::FrameIndex first, tip;
    pin::Model model;
    pin::Data data, welded;
    int nlink;
    std::vector<Vector> q, v, a, tau;
    Vector rest;
    pin::Data::Matrix6x J;
    Matrix columns; /* (nv x 6) */
    Eigen::Matrix<double, 6, 6> Lambda;
    Method method = Method::factors;
    std::vector<pin::RigidConstraintModel> weld;
    std::vector<pin::RigidConstraintData> weld_data;
    pin::ProximalSettings settings{1e-12, 0, 1};

    Pinocchio(const Tree &tree, const Ring &ring)
        : model(::model(tree, first)), data(model), welded(model), nlink(tree.nlink),
          q(states(ring.q, ring.count, ring.nq)), v(states(ring.v, ring.count, ring.nv)),
          a(states(ring.a, ring.count, ring.nv)), tau(states(ring.tau, ring.count, ring.nv)),
          rest(Vector::Zero(ring.nv)), J(6, ring.nv), columns(ring.nv, 6) {
        tip = first + static_cast<pin::FrameIndex>(tree.tip_frame);
        J.setZero();
        weld.emplace_back(pin::CONTACT_6D, model, model.frames[tip].parentJoint, model.frames[tip].placement,
                          pin::LOCAL);
        weld_data.emplace_back(weld.back());
        pin::initConstraintDynamics(model, welded, weld, weld_data);
    }
};

Pinocchio &of(void *self) { return *static_cast<Pinocchio *>(self); }

void run_inverse(void *self, int i) {
    Pinocchio &s = of(self);
    pin::rnea(s.model, s.data, s.q[i], s.v[i], s.a[i]);
}

void run_forward(void *self, int i) {
    Pinocchio &s = of(self);
    pin::aba(s.model, s.data, s.q[i], s.v[i], s.tau[i], pin::Convention::LOCAL);
}

void run_mass(void *self, int i) {
    Pinocchio &s = of(self);
    pin::crba(s.model, s.data, s.q[i], pin::Convention::LOCAL);
}

void run_mass_dense(void *self, int i) {
    Pinocchio &s = of(self);
    run_mass(self, i);
    s.data.M.triangularView<Eigen::StrictlyLower>() = s.data.M.transpose();
}

void run_mass_inverse(void *self, int i) {
    Pinocchio &s = of(self);
    pin::computeMinverse(s.model, s.data, s.q[i]);
}

void run_jacobian(void *self, int i) {
    Pinocchio &s = of(self);
    pin::computeFrameJacobian(s.model, s.data, s.q[i], s.tip, pin::LOCAL_WORLD_ALIGNED, s.J);
}

void run_d_inverse(void *self, int i) {
    Pinocchio &s = of(self);
    pin::computeRNEADerivatives(s.model, s.data, s.q[i], s.v[i], s.a[i]);
}

void run_d_forward(void *self, int i) {
    Pinocchio &s = of(self);
    pin::computeABADerivatives(s.model, s.data, s.q[i], s.v[i], s.tau[i]);
}

void run_bias(void *self, int i) {
    Pinocchio &s = of(self);
    pin::nonLinearEffects(s.model, s.data, s.q[i], s.v[i]);
}

void run_bodies(void *self, int i) {
    Pinocchio &s = of(self);
    pin::forwardKinematics(s.model, s.data, s.q[i]);
}

void run_links(void *self, int i) {
    Pinocchio &s = of(self);
    pin::framesForwardKinematics(s.model, s.data, s.q[i]);
}

void run_pose(void *self, int i) {
    Pinocchio &s = of(self);
    run_bodies(self, i);
    pin::updateFramePlacement(s.model, s.data, s.tip);
}

void run_momentum(void *self, int i) {
    Pinocchio &s = of(self);
    pin::computeCentroidalMomentum(s.model, s.data, s.q[i], s.v[i]);
}

void run_centroidal(void *self, int i) {
    Pinocchio &s = of(self);
    pin::computeCentroidalMap(s.model, s.data, s.q[i]);
}

/* J M^-1 J^T by the factors of M with the zeros of the tree, or by M^-1 itself. */
void run_opspace(void *self, int i) {
    Pinocchio &s = of(self);
    Eigen::Matrix<double, 6, 6> A;
    if (s.method == Method::factors) {
        run_mass(self, i);
        pin::cholesky::decompose(s.model, s.data);
        run_jacobian(self, i);
        s.columns = s.J.transpose();
        pin::cholesky::Uiv(s.model, s.data, s.columns);
        A.noalias() = s.columns.transpose() * s.data.Dinv.asDiagonal() * s.columns;
    } else {
        run_mass_inverse(self, i);
        run_jacobian(self, i);
        s.columns.noalias() = s.data.Minv.selfadjointView<Eigen::Upper>() * s.J.transpose();
        A.noalias() = s.J * s.columns;
    }
    s.Lambda = A.llt().solve(Eigen::Matrix<double, 6, 6>::Identity());
}

void run_weld(void *self, int i) {
    Pinocchio &s = of(self);
    pin::constraintDynamics(s.model, s.welded, s.q[i], s.rest, s.tau[i], s.weld, s.weld_data, s.settings);
}

double time_of(Pinocchio &s, Method method) {
    double best = 1e300;
    s.method = method;
    for (int k = 0; k < 20; ++k) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 2; ++i) run_opspace(&s, i);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

void put(const pin::SE3 &x, double *&out) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) *out++ = x.rotation()(r, c);
    for (int k = 0; k < 3; ++k) *out++ = x.translation()[k];
}

void put(const Matrix &X, double *&out) {
    Eigen::Map<RowMatrix>(out, X.rows(), X.cols()) = X;
    out += X.size();
}

/* Of which the upper triangle was computed. */
void put_symmetric(const Matrix &X, double *&out) { put(Matrix(X.selfadjointView<Eigen::Upper>()), out); }

constexpr void (*run[TASKS])(void *, int) = {run_inverse,      run_forward,    run_mass,      run_mass_dense,
                                             run_mass_inverse, run_jacobian,   run_d_inverse, run_d_forward,
                                             run_bias,         run_links,      run_bodies,    run_pose,
                                             run_momentum,     run_centroidal, run_opspace,   run_weld};

/* Runs the task and hands over what it left in the data. */
void answer(void *self, Task task, int state, double *out) {
    Pinocchio &s = of(self);
    run[task](self, state);
    switch (task) {
    case TASK_INVERSE: put(s.data.tau, out); break;
    case TASK_FORWARD: put(s.data.ddq, out); break;
    case TASK_WELD: put(s.welded.ddq, out); break;
    case TASK_BIAS: put(s.data.nle, out); break;
    case TASK_MASS_INVERSE: put_symmetric(s.data.Minv, out); break;
    case TASK_JACOBIAN: put(s.J, out); break;
    case TASK_CENTROIDAL: put(s.data.Ag, out); break;
    case TASK_OPSPACE: put(s.Lambda, out); break;
    case TASK_MOMENTUM: put(s.data.hg.toVector(), out); break;
    case TASK_POSE: put(s.data.oMf[s.tip], out); break;
    case TASK_BODIES:
        for (size_t b = 1; b < s.data.oMi.size(); ++b) put(s.data.oMi[b], out);
        break;
    case TASK_LINKS:
        for (int k = 0; k < s.nlink; ++k) put(s.data.oMf[s.first + static_cast<pin::FrameIndex>(k)], out);
        break;
    case TASK_D_INVERSE:
        put(s.data.dtau_dq, out);
        put(s.data.dtau_dv, out);
        put_symmetric(s.data.M, out);
        break;
    case TASK_D_FORWARD:
        put(s.data.ddq_dq, out);
        put(s.data.ddq_dv, out);
        put_symmetric(s.data.Minv, out);
        break;
    default: put_symmetric(s.data.M, out); break;
    }
}

void destroy(void *self) { delete static_cast<Pinocchio *>(self); }

/* Its data has tensors of nv^3 numbers. */
constexpr int largest = 400;

/* Joints that MuJoCo has are all that the bench gives it. */
bool open_robot(const Tree *tree, const Ring *ring, Engine *engine) {
    if (!tree->simple || tree->nv == 0 || tree->nv > largest) return false;
    auto *self = new Pinocchio(*tree, *ring);
    *engine = Engine{};
    engine->name = "Pinocchio";
    engine->self = self;
    for (int t = 0; t < TASKS; ++t) engine->run[t] = run[t];
    engine->answer = answer;
    engine->destroy = destroy;
    self->method =
        time_of(*self, Method::factors) < time_of(*self, Method::inverse) ? Method::factors : Method::inverse;
    return true;
}

} // namespace

const Peer zveno_peer = {PEER_VERSION, "Pinocchio", open_robot};
