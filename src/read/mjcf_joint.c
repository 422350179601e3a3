/* Joints of an MJCF file. */
#include <math.h>
#include <string.h>

#include "read/mjcf.h"

static zvStatus read_type(ziMjcf *m, ziMjcfItem item, ziMjcfJointType *type) {
    static const char *const words[] = {"free", "ball", "slide", "hinge"};
    int index = ZI_MJCF_HINGE;
    const zvStatus status = zi_mjcf_word(m, item, "type", words, 4, &index);
    *type = (ziMjcfJointType)index;
    return status;
}

/* Springs and dampers may be polynomials, of which the linear term alone has a place here. */
static zvStatus read_linear(ziMjcf *m, ziMjcfItem item, const char *attribute, double *value) {
    double terms[3] = {*value};
    int count;
    zvStatus status = zi_mjcf_numbers(m, item, attribute, 1, 3, terms, &count);
    *value = terms[0];
    if (status != ZV_OK || (terms[1] == 0 && terms[2] == 0)) return status;
    return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, NULL, "not-modelled",
                        "the terms of higher order of stiffness or damping are left out",
                        "add a force to a scenario if they matter");
}

/* What the format says of a pair "limited" and "range": yes, no, or whether there is a range. */
static zvStatus is_limited(ziMjcf *m, ziMjcfItem item, const char *attribute, const double range[2], bool *limited) {
    static const char *const words[] = {"false", "true", "auto"};
    int index = 2;
    const zvStatus status = zi_mjcf_word(m, item, attribute, words, 3, &index);
    *limited = index == 1 || (index == 2 && m->autolimits && (range[0] != 0 || range[1] != 0));
    return status;
}

/* Bounds of hinges are angles in the units of the compiler; forces of motors are taken as an effort limit. */
static zvStatus read_limits(ziMjcf *m, ziMjcfItem item, ziMjcfJoint *joint) {
    double range[2] = {0, 0}, force[2] = {0, 0};
    bool limited = false, forced = false;
    zvStatus status = zi_mjcf_numbers(m, item, "range", 2, 2, range, NULL);
    if (status == ZV_OK) status = is_limited(m, item, "limited", range, &limited);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "actuatorfrcrange", 2, 2, force, NULL);
    if (status == ZV_OK) status = is_limited(m, item, "actuatorfrclimited", force, &forced);
    if (status != ZV_OK) return status;
    if (forced) joint->dof.effort = fmax(fabs(force[0]), fabs(force[1]));
    if (forced && force[0] != -force[1])
        status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, NULL, "not-modelled",
                              "the larger bound of actuatorfrcrange counts for both directions",
                              "nothing to do if the drives stay within the smaller one");
    if (status != ZV_OK) return status;
    if (limited && joint->type <= ZI_MJCF_BALL)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, NULL, "not-modelled",
                            "the range of the ball joint is left out: joints that move by a quaternion have no limits",
                            "use hinges where limits matter");
    joint->dof.has_limits = limited && m->limits;
    for (int i = 0; i < 2 && joint->dof.has_limits; i++) {
        const double bound = joint->type == ZI_MJCF_HINGE ? zi_mjcf_angle(m, range[i]) : range[i];
        *(i == 0 ? &joint->dof.lower : &joint->dof.upper) = bound;
    }
    return ZV_OK;
}

/* A time constant and a damping ratio take the place of stiffness and damping. They refer to inertias, which readers do
 * not know. */
static zvStatus keep_springdamper(ziMjcf *m, const ziXmlElement *element, const double times[2], ziMjcfJoint *joint) {
    joint->dof.stiffness = joint->dof.damping = 0;
    if (joint->type <= ZI_MJCF_BALL)
        return zi_mjcf_tell(m, ZV_SEVERITY_WARNING, element, NULL, "not-modelled",
                            "springdamper is left out: a joint with several freedoms has no single inertia",
                            "write stiffness and damping as numbers");
    memcpy(joint->springdamper, times, sizeof joint->springdamper);
    return zi_mjcf_tell(m, ZV_SEVERITY_NOTE, element, "springdamper", "of-scenario",
                        "springs and dampers by a time constant (springdamper) are no part of a robot but drives of a "
                        "scenario",
                        "zveno convert --format scenario writes them into one, with numbers");
}

/* Springs, dampers, friction, armature. */
static zvStatus read_passive(ziMjcf *m, ziMjcfItem item, ziMjcfJoint *joint) {
    double times[2] = {0, 0};
    zvDof *dof = &joint->dof;
    zvStatus status = read_linear(m, item, "stiffness", &dof->stiffness);
    if (status == ZV_OK) status = read_linear(m, item, "damping", &dof->damping);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "armature", &dof->armature);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "frictionloss", &dof->friction);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "springref", &dof->rest);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "springdamper", 2, 2, times, NULL);
    if (joint->type == ZI_MJCF_HINGE) dof->rest = zi_mjcf_angle(m, dof->rest);
    if (!m->springs) dof->stiffness = 0;
    if (!m->dampers) dof->damping = 0;
    if (!m->friction) dof->friction = 0;
    if (status == ZV_OK && times[0] > 0 && times[1] > 0) status = keep_springdamper(m, item.element, times, joint);
    if (status == ZV_OK && zi_mjcf_find(m, item, "springyield"))
        status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, NULL, "not-modelled",
                              "springyield is left out: springs are elastic", "nothing to do if they do not yield");
    return status;
}

/* Numbers that belong to hinges and slides. */
static zvStatus read_axis(ziMjcf *m, ziMjcfItem item, ziMjcfJoint *joint) {
    zvStatus status = zi_mjcf_numbers(m, item, "pos", 3, 3, joint->pos, NULL);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "axis", 3, 3, joint->axis, NULL);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "ref", &joint->ref);
    if (joint->type == ZI_MJCF_HINGE) joint->ref = zi_mjcf_angle(m, joint->ref);
    if (status != ZV_OK || joint->type <= ZI_MJCF_BALL) return status;
    if (hypot(hypot(joint->axis[0], joint->axis[1]), joint->axis[2]) > 1e-14) return ZV_OK;
    return zi_mjcf_fail(m, ZV_PHYSICS, item.element, "axis",
                        "axis of <joint>: expected a direction, found a zero vector; write for example 0 0 1");
}

/* A free joint takes the place of the pose of its body, so it stands alone in a body of the world. */
static zvStatus check_free(ziMjcf *m, const ziXmlElement *element, int body, bool frees) {
    const bool more = (int)m->njoint > m->bodies[body].first_joint;
    if (frees && m->bodies[body].parent != 0)
        return zi_mjcf_fail(
            m, ZV_TOPOLOGY, element, NULL,
            "expected a free joint in a body of <worldbody> itself, found one in a body within another");
    if (more && (frees || m->bodies[body].free))
        return zi_mjcf_fail(m, ZV_TOPOLOGY, element, NULL,
                            "expected a free joint alone in its body, found another joint beside it");
    if (frees) m->bodies[body].free = true;
    return ZV_OK;
}

static void move_into_body(const zvPose *frame, ziMjcfJoint *joint) {
    const zvPose at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {joint->pos[0], joint->pos[1], joint->pos[2]}};
    const zvPose moved = zv_pose_compose(frame, &at);
    double axis[3];
    for (int i = 0; i < 3; i++) {
        const double *row = frame->R + 3 * i;
        axis[i] = row[0] * joint->axis[0] + row[1] * joint->axis[1] + row[2] * joint->axis[2];
    }
    memcpy(joint->axis, axis, sizeof axis);
    memcpy(joint->pos, moved.p, sizeof joint->pos);
}

/* <freejoint> is a free joint that no default reaches. Positions in qpos go on from joint to joint. */
zvStatus zi_mjcf_joint(ziMjcf *m, ziMjcfItem item, const zvPose *frame, int body) {
    static const int entries[] = {7, 4, 1, 1};
    ziMjcfJoint joint = {.element = item.element, .body = body, .axis = {0, 0, 1}, .q = m->nq, .follows = -1};
    const bool bare = strcmp(item.element->name, "freejoint") == 0;
    bool align = false;
    zvStatus status = bare ? ZV_OK : read_type(m, item, &joint.type);
    if (status == ZV_OK) status = check_free(m, item.element, body, joint.type == ZI_MJCF_FREE);
    if (status == ZV_OK && !bare) status = read_axis(m, item, &joint);
    if (status == ZV_OK && !bare) status = read_limits(m, item, &joint);
    if (status == ZV_OK && !bare) status = read_passive(m, item, &joint);
    if (status == ZV_OK && zi_mjcf_text(m, item, "align") && strcmp(zi_mjcf_text(m, item, "align"), "true") == 0)
        align = true;
    if (status == ZV_OK && align)
        status = zi_mjcf_tell(m, ZV_SEVERITY_WARNING, item.element, NULL, "not-modelled",
                              "align is left out: the link stays where the file has it, not in its principal axes",
                              "nothing to do unless positions are exchanged with another program");
    if (status != ZV_OK) return status;
    if (joint.type == ZI_MJCF_FREE)
        memset(joint.pos, 0, sizeof joint.pos);
    else
        move_into_body(frame, &joint);
    if (!zi_grow(&m->joints, m->njoint, &m->joint_room, sizeof *m->joints)) return zi_mjcf_memory(m, item.element);
    m->joints[m->njoint++] = joint;
    m->nq += entries[joint.type];
    return ZV_OK;
}
