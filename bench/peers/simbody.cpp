// Simbody: one mobilised body for each link, a ball constraint for each loop.
#include "peers/simbody.h"

#include <memory>
#include <vector>

#include "SimTKsimbody.h"

using namespace SimTK;

struct Simbody {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> bodies; // of links
    std::vector<Vector> q, u;          // of the states
    State state;
    const zvModel *model;
};

namespace {

Vec3 vec(const double *x) { return Vec3(x[0], x[1], x[2]); }

Transform transform(const zvPose &pose) {
    const double *R = pose.R;
    return Transform(Rotation(Mat33(R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]), true), vec(pose.p));
}

MassProperties mass(const zvInertia &inertia) {
    const double *m = inertia.moment;
    const Vec3 com = vec(inertia.com);
    const Inertia central(Vec3(m[0], m[3], m[5]), Vec3(m[1], m[2], m[4]));
    return MassProperties(inertia.mass, com, central.shiftFromMassCenter(-com, inertia.mass));
}

// Axes with `axis` as the coordinate direction that Simbody's joint moves about or along.
Transform turned(const double *axis, CoordinateAxis direction) {
    return Transform(Rotation(UnitVec3(vec(axis)), direction));
}

/* One mobilized body for a joint; false for types that Simbody has not. */
bool add_link(Simbody &s, int joint) {
    const zvJoint *j = zv_model_joint(s.model, joint);
    const zvJointPlace place = zv_model_joint_place(s.model, joint);
    MobilizedBody &parent = s.bodies[static_cast<size_t>(place.parent)];
    const Body::Rigid body(mass(zv_model_link(s.model, place.child)->inertia));
    const Transform origin = transform(j->origin);
    switch (j->type) {
    case ZV_JOINT_REVOLUTE:
    case ZV_JOINT_CONTINUOUS: {
        const Transform axes = turned(j->axis, ZAxis);
        s.bodies.push_back(MobilizedBody::Pin(parent, origin * axes, body, axes));
        return true;
    }
    case ZV_JOINT_PRISMATIC: {
        const Transform axes = turned(j->axis, XAxis);
        s.bodies.push_back(MobilizedBody::Slider(parent, origin * axes, body, axes));
        return true;
    }
    case ZV_JOINT_UNIVERSAL: {
        const Transform axes(Rotation(UnitVec3(vec(j->axis)), XAxis, vec(j->axis2), YAxis));
        s.bodies.push_back(MobilizedBody::Universal(parent, origin * axes, body, axes));
        return true;
    }
    case ZV_JOINT_FREE: s.bodies.push_back(MobilizedBody::Free(parent, origin, body, Transform())); return true;
    default: return false;
    }
}

bool add_loop(Simbody &s, int loop) {
    const zvLoop *l = zv_model_loop(s.model, loop);
    if (l->kind != ZV_LOOP_JOINT || l->type != ZV_JOINT_SPHERICAL) return false;
    const zvLoopPlace place = zv_model_loop_place(s.model, loop);
    const zvFrame parent = zv_model_frame(s.model, place.parent_frame),
                  child = zv_model_frame(s.model, place.child_frame);
    Constraint::Ball(s.bodies[static_cast<size_t>(place.parent)], vec(parent.pose.p),
                     s.bodies[static_cast<size_t>(place.child)], vec(child.pose.p));
    return true;
}

// Free joints: quaternion w first, then the position; angular velocity first, both in the parent's axes.
void put_free(const double *q, const double *v, double *qs, double *us) {
    const Quaternion turn(Vec4(q[6], q[3], q[4], q[5]));
    const Rotation R(turn);
    const Vec3 w = R * vec(v + 3), linear = R * vec(v);
    for (int k = 0; k < 4; ++k) qs[k] = turn[k];
    for (int k = 0; k < 3; ++k) {
        qs[4 + k] = q[k];
        us[k] = w[k];
        us[3 + k] = linear[k];
    }
}

/* Coordinates one by one, since both engines order them differently. */
void add_state(Simbody &s, const double *q, const double *v) {
    Vector qs(s.state.getNQ(), 0.0), us(s.state.getNU(), 0.0);
    for (int i = 0; i < zv_model_njoint(s.model); ++i) {
        const zvJointPlace place = zv_model_joint_place(s.model, i);
        const MobilizedBody &body = s.bodies[static_cast<size_t>(place.child)];
        double *to_q = &qs[body.getFirstQIndex(s.state)], *to_u = &us[body.getFirstUIndex(s.state)];
        if (zv_model_joint(s.model, i)->type == ZV_JOINT_FREE) {
            put_free(q + place.q_index, v + place.v_index, to_q, to_u);
            continue;
        }
        for (int k = 0; k < place.nv; ++k) {
            to_q[k] = q[place.q_index + k];
            to_u[k] = v[place.v_index + k];
        }
    }
    s.q.push_back(qs);
    s.u.push_back(us);
}

} // namespace

/* The same bodies, joints and loops; NULL when one of them has no counterpart. */
Simbody *simbody_open(const zvModel *model, int count, const double *q, const double *v) {
    auto s = std::make_unique<Simbody>();
    double g[3];
    s->model = model;
    zv_model_gravity(model, g);
    Force::UniformGravity(s->forces, s->matter, vec(g));
    s->bodies.push_back(s->matter.Ground());
    for (int i = 0; i < zv_model_njoint(model); ++i)
        if (!add_link(*s, i)) return nullptr;
    for (int i = 0; i < zv_model_nloop(model); ++i)
        if (!add_loop(*s, i)) return nullptr;
    s->state = s->system.realizeTopology();
    s->system.realizeModel(s->state);
    for (int i = 0; i < count; ++i)
        add_state(*s, q + static_cast<size_t>(i) * zv_model_nq(model), v + static_cast<size_t>(i) * zv_model_nv(model));
    return s.release();
}

void simbody_close(Simbody *s) { delete s; }

void simbody_accelerate(Simbody *s, int state) {
    s->state.updQ() = s->q[static_cast<size_t>(state)];
    s->state.updU() = s->u[static_cast<size_t>(state)];
    s->system.realize(s->state, Stage::Acceleration);
}

void simbody_answer(const Simbody *s, double *a) {
    const Vector &udot = s->state.getUDot();
    for (int i = 0; i < zv_model_njoint(s->model); ++i) {
        const zvJointPlace place = zv_model_joint_place(s->model, i);
        const int from = s->bodies[static_cast<size_t>(place.child)].getFirstUIndex(s->state);
        for (int k = 0; k < place.nv && place.nv <= 2; ++k) a[place.v_index + k] = udot[from + k];
    }
}
