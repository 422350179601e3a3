/* Simbody: trees of hinges and slides, with a free base or without; all answers by its own O(n) operators.
 *
 * Forces of gravity are put on the bodies by hand, so that a stage is realized only where an operator asks for it.
 * Differs from Zveno in the order of coordinates and in the free joint: angular velocity first, both along the
 * parent's axes, quaternion w first. States are converted once, before any timing; answers only where agreement is
 * checked, as in mujoco.c. */
#include <exception>
#include <memory>
#include <vector>

#include "SimTKsimbody.h"

#include "engine.h"

namespace {

using SimTK::Vec3;

Vec3 vec(const double *x) { return Vec3(x[0], x[1], x[2]); }

SimTK::Transform transform(const zvPose &pose) {
    const double *R = pose.R;
    return SimTK::Transform(SimTK::Rotation(SimTK::Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), true),
                            vec(pose.p));
}

SimTK::MassProperties mass(const zvInertia &inertia) {
    const double *m = inertia.moment;
    const Vec3 com = vec(inertia.com);
    const SimTK::Inertia central(Vec3(m[0], m[3], m[5]), Vec3(m[1], m[2], m[4]));
    return SimTK::MassProperties(inertia.mass, com, central.shiftFromMassCenter(-com, inertia.mass));
}

struct Simbody {
    const Tree &tree;
    const Ring &ring;
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter{system};
    std::vector<SimTK::MobilizedBody> bodies; // of the tree
    std::vector<int> place;                   // in Simbody's u, of each coordinate of Zveno's v
    SimTK::State state;
    std::vector<SimTK::Vector> q, u, udot, tau; // the ring
    std::vector<SimTK::Rotation> base;          // orientation of a free base
    SimTK::Vector out, no_forces;
    SimTK::Vector_<SimTK::SpatialVec> weights, accelerations;
    SimTK::Matrix matrix;

    Simbody(const Tree &t, const Ring &r) : tree(t), ring(r) {
        bodies.push_back(matter.Ground());
        for (int b = 1; b < tree.nbody; ++b) add_body(tree.body[b]);
        state = system.realizeTopology();
        system.realizeModel(state);
        no_forces.resize(state.getNU());
        no_forces = 0.0;
        weights.resize(matter.getNumBodies());
        find_places();
        for (int i = 0; i < ring.count; ++i) add_state(static_cast<size_t>(i));
    }

    void add_body(const Body &body) {
        SimTK::MobilizedBody &parent = bodies[static_cast<size_t>(body.parent)];
        const SimTK::Body::Rigid rigid(mass(body.inertia));
        const SimTK::Transform origin = transform(body.origin);
        if (body.type == ZV_JOINT_FREE) {
            bodies.push_back(SimTK::MobilizedBody::Free(parent, origin, rigid, SimTK::Transform()));
            return;
        }
        const bool slides = body.type == ZV_JOINT_PRISMATIC;
        const SimTK::CoordinateAxis along =
            slides ? SimTK::CoordinateAxis(SimTK::XAxis) : SimTK::CoordinateAxis(SimTK::ZAxis);
        const SimTK::Transform axes(SimTK::Rotation(SimTK::UnitVec3(vec(body.axis)), along));
        if (slides)
            bodies.push_back(SimTK::MobilizedBody::Slider(parent, origin * axes, rigid, axes));
        else
            bodies.push_back(SimTK::MobilizedBody::Pin(parent, origin * axes, rigid, axes));
    }

    void find_places() {
        place.resize(static_cast<size_t>(tree.nv));
        for (int b = 1; b < tree.nbody; ++b) {
            const int from = bodies[static_cast<size_t>(b)].getFirstUIndex(state);
            const size_t to = static_cast<size_t>(tree.body[b].v_index);
            place[to] = from;
            if (tree.body[b].type != ZV_JOINT_FREE) continue;
            for (int k = 0; k < 3; ++k) { // linear, then angular
                place[to + static_cast<size_t>(k)] = from + 3 + k;
                place[to + static_cast<size_t>(3 + k)] = from + k;
            }
        }
    }

    // A vector of the ring in Simbody's order; parts of a free base along the parent's axes.
    SimTK::Vector reorder(const double *x, const SimTK::Rotation &R) const {
        SimTK::Vector y(tree.nv);
        for (int k = 0; k < tree.nv; ++k) y[place[static_cast<size_t>(k)]] = x[k];
        if (tree.free_base)
            for (int part = 0; part < 2; ++part) {
                const Vec3 turned = R * vec(x + 3 * part);
                for (int k = 0; k < 3; ++k) y[place[static_cast<size_t>(3 * part + k)]] = turned[k];
            }
        return y;
    }

    void add_state(size_t i) {
        const size_t nq = static_cast<size_t>(ring.nq), nv = static_cast<size_t>(ring.nv);
        const double *x = ring.q + i * nq, *v = ring.v + i * nv;
        std::vector<double> a(ring.a + i * nv, ring.a + (i + 1) * nv);
        SimTK::Vector y(state.getNQ());
        SimTK::Rotation R;
        for (int b = 1; b < tree.nbody; ++b) {
            const int to = bodies[static_cast<size_t>(b)].getFirstQIndex(state);
            const double *from = x + tree.body[b].q_index;
            y[to] = from[0];
            if (tree.body[b].type != ZV_JOINT_FREE) continue;
            const SimTK::Quaternion turn(SimTK::Vec4(from[6], from[3], from[4], from[5]));
            R = SimTK::Rotation(turn);
            for (int k = 0; k < 4; ++k) y[to + k] = turn[k];
            for (int k = 0; k < 3; ++k) y[to + 4 + k] = from[k];
        }
        if (tree.free_base) { // d(R v)/dt = R (dv/dt + omega x v)
            const Vec3 convective = SimTK::cross(vec(v + 3), vec(v));
            for (size_t k = 0; k < 3; ++k) a[k] += convective[static_cast<int>(k)];
        }
        q.push_back(y);
        u.push_back(reorder(v, R));
        udot.push_back(reorder(a.data(), R));
        tau.push_back(reorder(ring.tau + i * nv, R));
        base.push_back(R);
    }

    void weigh() {
        const Vec3 g = vec(tree.gravity);
        for (size_t b = 1; b < bodies.size(); ++b) {
            const zvInertia &inertia = tree.body[b].inertia;
            const Vec3 force = inertia.mass * g, arm = bodies[b].getBodyRotation(state) * vec(inertia.com);
            weights[bodies[b].getMobilizedBodyIndex()] = SimTK::SpatialVec(SimTK::cross(arm, force), force);
        }
    }

    void put(int i, bool moving, SimTK::Stage stage) {
        state.updQ() = q[static_cast<size_t>(i)];
        if (moving) state.updU() = u[static_cast<size_t>(i)];
        system.realize(state, stage);
    }
};

Simbody &of(void *self) { return *static_cast<Simbody *>(self); }

void run_inverse(void *self, int i) {
    Simbody &s = of(self);
    s.put(i, true, SimTK::Stage::Velocity);
    s.weigh();
    s.matter.calcResidualForceIgnoringConstraints(s.state, s.no_forces, s.weights, s.udot[static_cast<size_t>(i)],
                                                  s.out);
}

void run_forward(void *self, int i) {
    Simbody &s = of(self);
    s.put(i, true, SimTK::Stage::Dynamics);
    s.weigh();
    s.matter.calcAccelerationIgnoringConstraints(s.state, s.tau[static_cast<size_t>(i)], s.weights, s.out,
                                                 s.accelerations);
}

void run_mass(void *self, int i) {
    Simbody &s = of(self);
    s.put(i, false, SimTK::Stage::Position);
    s.matter.calcM(s.state, s.matrix);
}

void run_mass_inverse(void *self, int i) {
    Simbody &s = of(self);
    s.put(i, false, SimTK::Stage::Position);
    s.matter.calcMInv(s.state, s.matrix);
}

void run_jacobian(void *self, int i) {
    Simbody &s = of(self);
    s.put(i, false, SimTK::Stage::Position);
    s.matter.calcFrameJacobian(s.state, s.bodies[static_cast<size_t>(s.tree.tip)].getMobilizedBodyIndex(), Vec3(0),
                               s.matrix);
}

// Parts of a free base, `step` numbers apart, back along the body's axes.
void turn_back(const SimTK::Rotation &R, size_t step, double *x) {
    for (size_t part = 0; part < 2; ++part) {
        double *y = x + 3 * part * step;
        const Vec3 turned = ~R * Vec3(y[0], y[step], y[2 * step]);
        for (size_t k = 0; k < 3; ++k) y[k * step] = turned[static_cast<int>(k)];
    }
}

void answer_vector(Simbody &s, Task task, size_t i, double *out) {
    const double *v = s.ring.v + i * static_cast<size_t>(s.tree.nv);
    for (int k = 0; k < s.tree.nv; ++k) out[k] = s.out[s.place[static_cast<size_t>(k)]];
    if (!s.tree.free_base) return;
    turn_back(s.base[i], 1, out);
    const Vec3 convective = SimTK::cross(vec(v + 3), vec(v));
    for (int k = 0; k < 3 && task == TASK_FORWARD; ++k) out[k] -= convective[k];
}

void answer_matrix(Simbody &s, Task task, size_t i, double *out) {
    const size_t n = static_cast<size_t>(s.tree.nv), rows = task == TASK_JACOBIAN ? 6 : n;
    for (size_t r = 0; r < rows; ++r)
        for (size_t c = 0; c < n; ++c) {
            const int row = task == TASK_JACOBIAN ? static_cast<int>((r + 3) % 6) : s.place[r]; // angular rows first
            out[r * n + c] = s.matrix(row, s.place[c]);
        }
    if (!s.tree.free_base) return;
    for (size_t r = 0; r < rows; ++r) turn_back(s.base[i], 1, out + r * n);
    for (size_t c = 0; c < n && task != TASK_JACOBIAN; ++c) turn_back(s.base[i], n, out + c);
}

/* Runs the task and converts vectors or columns, whatever the task gives. */
void answer(void *self, Task task, int state, double *out) {
    const size_t i = static_cast<size_t>(state);
    switch (task) {
    case TASK_INVERSE:
    case TASK_FORWARD:
        (task == TASK_INVERSE ? run_inverse : run_forward)(self, state);
        answer_vector(of(self), task, i, out);
        return;
    case TASK_JACOBIAN: run_jacobian(self, state); break;
    case TASK_MASS_INVERSE: run_mass_inverse(self, state); break;
    default: run_mass(self, state); break;
    }
    answer_matrix(of(self), task, i, out);
}

void destroy(void *self) { delete static_cast<Simbody *>(self); }

bool has(const Tree &tree) {
    for (int b = 1; b < tree.nbody; ++b)
        if (tree.body[b].type == ZV_JOINT_SPHERICAL) return false;
    return tree.simple && tree.nv > 0;
}

// Matrices by so many operator calls that larger ones would take minutes.
constexpr int largest = 200;

/* Simbody refuses inertias that no body can have, by exceptions. */
bool open_robot(const Tree *tree, const Ring *ring, Engine *engine) {
    if (!has(*tree) || tree->nv > largest) return false;
    *engine = Engine{};
    try {
        engine->self = new Simbody(*tree, *ring);
    } catch (const std::exception &) { // it refuses inertias that no body can have
        return false;
    }
    engine->name = "Simbody";
    engine->run[TASK_INVERSE] = run_inverse;
    engine->run[TASK_FORWARD] = run_forward;
    engine->run[TASK_MASS] = engine->run[TASK_MASS_DENSE] = run_mass;
    engine->run[TASK_MASS_INVERSE] = run_mass_inverse;
    engine->run[TASK_JACOBIAN] = run_jacobian;
    engine->answer = answer;
    engine->destroy = destroy;
    return true;
}

} // namespace

const Peer zveno_peer = {PEER_VERSION, "Simbody", open_robot};
