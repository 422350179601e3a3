/* Joints of SDF. The first joint of a link carries it; any other closes a loop. Where a joint does not stand at the
 * origin of its child, a link without mass stands there and the child hangs on that rigidly. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/joint_type.h"
#include "read/sdf.h"

static const double endless = 1e15; /* beyond it a limit is none */
static const double two_pi = 6.283185307179586;
static const double rounding = 1e-13; /* of chains of poses, in rotations and per metre */

typedef struct SdfJointType {
    const char *word;
    zvJointType type;
} SdfJointType;

static const SdfJointType types[] = {
    {"fixed", ZV_JOINT_FIXED},         {"revolute", ZV_JOINT_REVOLUTE},   {"continuous", ZV_JOINT_CONTINUOUS},
    {"prismatic", ZV_JOINT_PRISMATIC}, {"ball", ZV_JOINT_SPHERICAL},      {"universal", ZV_JOINT_UNIVERSAL},
    {"screw", ZV_JOINT_HELICAL},       {"revolute2", ZV_JOINT_UNIVERSAL},
};

/* By the words of the format; others are refused with the nearest one. */
static zvStatus read_kind(ziSdf *s, const ziXmlElement *e, zvJointType *type) {
    const char *words[sizeof types / sizeof *types], *word;
    zvStatus status = zi_urdf_name(&s->u, e, "type", &word);
    if (status != ZV_OK) return status;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp((words[i] = types[i].word), word) == 0) return *type = types[i].type, ZV_OK;
    }
    const char *near = zi_meant_name(word, words, sizeof words / sizeof *words);
    const ziXmlAttribute *found = zi_xml_attribute(e, "type");
    return zv_fail(s->u.error, ZV_SCHEMA, found->value_mark, word,
                   "type of <joint>: expected fixed, revolute, continuous, prismatic, ball, universal, screw or "
                   "revolute2, found \"%.40s\"%s%s%s",
                   word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* A direction, from the axes it is expressed in to those of the joint. */
static zvStatus read_direction(ziSdf *s, int joint, const ziXmlElement *axis, double direction[3]) {
    const ziXmlElement *xyz = axis ? zi_urdf_first(axis, "xyz") : NULL;
    const ziXmlElement *model = axis ? zi_urdf_first(axis, "use_parent_model_frame") : NULL;
    const ziXmlAttribute *in = xyz ? zi_xml_attribute(xyz, "expressed_in") : NULL;
    double n[3] = {0, 0, 1};
    int frame = joint;
    const char *name = in && in->value[0]                                                ? in->value
                       : (model ? zi_urdf_says(model, true) : s->frames[joint].old_axes) ? "__model__"
                                                                                         : NULL;
    zvStatus status = xyz ? zi_sdf_numbers(s, xyz, 3, 3, n, NULL) : ZV_OK;
    if (status == ZV_OK && name) status = zi_sdf_find(s, axis, joint, name, &frame);
    if (status == ZV_OK) status = zi_sdf_resolve(s, frame);
    if (status != ZV_OK) return status;
    const zvPose turn = zi_sdf_between(s, joint, frame);
    for (int i = 0; i < 3; i++)
        direction[i] =
            frame == joint ? n[i] : turn.R[3 * i] * n[0] + turn.R[3 * i + 1] * n[1] + turn.R[3 * i + 2] * n[2];
    if (hypot(hypot(n[0], n[1]), n[2]) > 0) return ZV_OK;
    return zv_fail(s->u.error, ZV_PHYSICS, xyz->text_mark, "xyz",
                   "<xyz> of <%s>: expected a direction, found a zero vector; write for example 0 0 1", axis->name);
}

/* Limits, and what acts in one freedom. */
static zvStatus read_dof(ziSdf *s, const ziXmlElement *axis, zvDof *dof) {
    const ziXmlElement *limit = axis ? zi_urdf_first(axis, "limit") : NULL;
    const ziXmlElement *dynamics = axis ? zi_urdf_first(axis, "dynamics") : NULL;
    double lower = -1e16, upper = 1e16, effort = -1, velocity = -1;
    zvStatus status = zi_sdf_number(s, limit, "lower", &lower);
    if (status == ZV_OK) status = zi_sdf_number(s, limit, "upper", &upper);
    if (status == ZV_OK) status = zi_sdf_number(s, limit, "effort", &effort);
    if (status == ZV_OK) status = zi_sdf_number(s, limit, "velocity", &velocity);
    if (status == ZV_OK) status = zi_sdf_number(s, dynamics, "damping", &dof->damping);
    if (status == ZV_OK) status = zi_sdf_number(s, dynamics, "friction", &dof->friction);
    if (status == ZV_OK) status = zi_sdf_number(s, dynamics, "spring_stiffness", &dof->stiffness);
    if (status == ZV_OK) status = zi_sdf_number(s, dynamics, "spring_reference", &dof->rest);
    dof->has_limits = lower > -endless || upper < endless;
    if (dof->has_limits) dof->lower = lower, dof->upper = upper;
    dof->effort = effort > 0 && effort < endless ? effort : 0;
    dof->velocity = velocity > 0 && velocity < endless ? velocity : 0;
    return status;
}

/* q = multiplier (q_leader - reference) + offset */
static zvStatus read_mimic(ziSdf *s, int own, const ziXmlElement *axis, zvJoint *joint) {
    const ziXmlElement *mimic = axis ? zi_urdf_first(axis, "mimic") : NULL;
    const ziXmlAttribute *which = mimic ? zi_xml_attribute(mimic, "axis") : NULL;
    double reference = 0;
    const char *leader;
    if (!mimic) return ZV_OK;
    if (which && strcmp(which->value, "axis") != 0)
        return zi_sdf_lost(s, mimic, NULL, "<mimic> of a second axis is left out", "follow a joint with one freedom");
    zvStatus status = zi_urdf_name(&s->u, mimic, "joint", &leader);
    int frame = 0;
    if (status == ZV_OK) status = zi_sdf_find(s, mimic, own, leader, &frame);
    joint->ratio = 0;
    if (status == ZV_OK) status = zi_sdf_number(s, mimic, "multiplier", &joint->ratio);
    if (status == ZV_OK) status = zi_sdf_number(s, mimic, "offset", &joint->offset);
    if (status == ZV_OK) status = zi_sdf_number(s, mimic, "reference", &reference);
    if (status != ZV_OK) return status;
    joint->mimic = s->frames[frame].name;
    joint->offset -= joint->ratio * reference;
    joint->mimic_spot = zi_urdf_spot(mimic, "joint");
    return status;
}

/* The advance of a screw: metres a turn, or as it was once said, turns against it. */
static zvStatus read_pitch(ziSdf *s, const ziXmlElement *e, zvJoint *joint) {
    double turn = NAN, thread = 1;
    zvStatus status = zi_sdf_number(s, e, "screw_thread_pitch", &turn);
    if (status == ZV_OK) status = zi_sdf_number(s, e, "thread_pitch", &thread);
    if (status != ZV_OK) return status;
    if (isnan(turn) && thread == 0)
        return zv_fail(s->u.error, ZV_NUMBER, e->mark, "thread_pitch",
                       "<thread_pitch>: expected another number than 0; write <screw_thread_pitch>, metres a turn");
    joint->pitch = isnan(turn) ? -1 / thread : turn / two_pi;
    return ZV_OK;
}

/* Type, axes and what acts along them. */
static zvStatus read_motion(ziSdf *s, int frame, zvJoint *joint) {
    const ziSdfFrame *f = &s->frames[frame];
    const ziXmlElement *axis = zi_urdf_first(f->element, "axis"), *axis2 = zi_urdf_first(f->element, "axis2");
    zvStatus status = ZV_OK;
    if (zi_joint_needs(joint->type, ZI_JOINT_AXIS)) status = read_direction(s, frame, axis, joint->axis);
    if (status == ZV_OK && zi_joint_needs(joint->type, ZI_JOINT_AXIS2))
        status = read_direction(s, frame, axis2, joint->axis2);
    if (status == ZV_OK && joint->type == ZV_JOINT_HELICAL) status = read_pitch(s, f->element, joint);
    const int count = zv_joint_type_nv(joint->type);
    if (status == ZV_OK && count > 0 && count < 3) status = read_dof(s, axis, &joint->dof[0]);
    if (status == ZV_OK && count == 2) status = read_dof(s, axis2, &joint->dof[1]);
    if (status == ZV_OK && count == 1) status = read_mimic(s, frame, axis, joint);
    if (joint->type == ZV_JOINT_REVOLUTE && !joint->dof[0].has_limits) joint->type = ZV_JOINT_CONTINUOUS;
    if (joint->type == ZV_JOINT_CONTINUOUS) joint->dof[0].has_limits = false;
    return status;
}

/* The links at both ends. */
static zvStatus read_ends(ziSdf *s, int frame, int *parent, int *child) {
    const ziSdfFrame *f = &s->frames[frame];
    const char *names[2] = {zi_sdf_text(s, f->element, "parent"), zi_sdf_text(s, f->element, "child")};
    int ends[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        const char *which = i ? "child" : "parent";
        if (!names[i] || !names[i][0])
            return zv_fail(s->u.error, ZV_SCHEMA, f->element->mark, which,
                           "<joint name=\"%.60s\">: expected a <%s>, found none; add it", f->name, which);
        zvStatus status = zi_sdf_find(s, zi_urdf_first(f->element, which), frame, names[i], &ends[i]);
        if (status == ZV_OK) status = zi_sdf_link_of(s, ends[i], &ends[i]);
        if (status != ZV_OK) return status;
    }
    *parent = ends[0], *child = ends[1];
    if (*child != 0) return ZV_OK;
    return zv_fail(s->u.error, ZV_NOT_SUPPORTED, f->element->mark, f->name,
                   "<joint name=\"%.60s\">: expected a link as its child, found the world; exchange parent and child",
                   f->name);
}

/* A second joint of a link: what loops do not keep is told. */
static zvStatus close_loop(ziSdf *s, int frame, const zvJoint *joint, int parent, int child) {
    zvLoop loop = zv_loop_default(joint->name, ZV_LOOP_JOINT, joint->type, joint->parent, joint->child);
    bool lost = joint->mimic != NULL;
    loop.mark = joint->mark;
    loop.origin = zi_sdf_between(s, parent, frame);
    loop.child_origin = zi_sdf_between(s, child, frame);
    loop.pitch = joint->pitch;
    memcpy(loop.axis, joint->axis, sizeof loop.axis);
    memcpy(loop.axis2, joint->axis2, sizeof loop.axis2);
    for (int i = 0; i < ZV_MAX_DOF; i++) {
        loop.dof[i] =
            (zvDof){.damping = joint->dof[i].damping, .stiffness = joint->dof[i].stiffness, .rest = joint->dof[i].rest};
        lost = lost || joint->dof[i].has_limits || joint->dof[i].friction != 0;
    }
    zvStatus status = ZV_OK;
    if (lost)
        status = zi_sdf_lost(s, s->frames[frame].element, NULL,
                             "limits, friction and <mimic> of a joint that closes a loop are left out",
                             "let another joint close it: the first joint of a link carries it");
    return status != ZV_OK ? status : zv_builder_add_loop(s->u.builder, &loop, s->u.error);
}

/* NAME_PART, with a number where it is taken. */
static const char *made_up(ziSdf *s, const char *name, const char *part) {
    const size_t size = strlen(name) + strlen(part) + 24;
    char *text = zi_arena_alloc(&s->arena, size);
    if (!text) return NULL;
    snprintf(text, size, "%s_%s", name, part);
    for (int n = 2; zi_names_find(&s->names, text) >= 0; n++) snprintf(text, size, "%s_%s_%d", name, part, n);
    return zi_names_add(&s->names, text, 0) < 0 ? NULL : text;
}

/* Whether a joint stands at the origin of its child, whatever both are written relative to. */
static bool is_at_child(const ziSdf *s, const zvPose *child, int frame) {
    const zvPose here = zv_pose_identity();
    double size = 1, off = 0, turned = 0;
    for (int i = 0; i < 3; i++) size = fmax(size, fabs(s->frames[frame].world.p[i]));
    for (int i = 0; i < 3; i++) off = fmax(off, fabs(child->p[i]));
    for (int i = 0; i < 9; i++) turned = fmax(turned, fabs(child->R[i] - here.R[i]));
    return off <= rounding * size && turned <= rounding;
}

/* The joint, and a link at its place where that is not the child's origin. */
static zvStatus carry(ziSdf *s, int frame, zvJoint *joint, int child) {
    zvStatus status = ZV_OK;
    const zvPose in_joint = zi_sdf_between(s, frame, child);
    if (is_at_child(s, &in_joint, frame)) return zv_builder_add_joint(s->u.builder, joint, s->u.error);
    const char *place = made_up(s, joint->name, "place"), *rigid = made_up(s, joint->name, "fixed");
    if (!place || !rigid) return zv_fail(s->u.error, ZV_MEMORY, joint->mark, "", "out of memory while reading the SDF");
    zvLink link = zv_link_default(place);
    zvJoint fixed = zv_joint_default(rigid, ZV_JOINT_FIXED, place, joint->child);
    link.mark = fixed.mark = joint->mark;
    link.has_inertia = true; /* massless on purpose */
    fixed.origin = in_joint;
    joint->child = place;
    status = zv_builder_add_link(s->u.builder, &link, s->u.error);
    if (status == ZV_OK) status = zv_builder_add_joint(s->u.builder, joint, s->u.error);
    return status != ZV_OK ? status : zv_builder_add_joint(s->u.builder, &fixed, s->u.error);
}

/* Carries its child, or closes a loop where another joint does. */
zvStatus zi_sdf_add_joint(ziSdf *s, int frame, bool *has_parent) {
    const ziSdfFrame *f = &s->frames[frame];
    const ziXmlAttribute *type = zi_xml_attribute(f->element, "type");
    zvJoint joint = zv_joint_default(f->name, ZV_JOINT_FIXED, NULL, NULL);
    int parent = 0, child = 0;
    s->u.kind = "joint", s->u.name = f->name;
    joint.mark = zi_urdf_mark(f->element);
    if (type && strcmp(type->value, "gearbox") == 0)
        return zi_sdf_lost(s, f->element, NULL, "the gearbox is left out",
                           "include the file in a native one with a coupling of its joints");
    zvStatus status = read_kind(s, f->element, &joint.type);
    if (status == ZV_OK) status = read_ends(s, frame, &parent, &child);
    if (status == ZV_OK) status = zi_sdf_resolve(s, frame);
    if (status == ZV_OK) status = read_motion(s, frame, &joint);
    if (status != ZV_OK) return status;
    joint.parent = s->frames[parent].name;
    joint.child = s->frames[child].name;
    if (has_parent[child]) return close_loop(s, frame, &joint, parent, child);
    has_parent[child] = true;
    joint.origin = zi_sdf_between(s, parent, frame);
    return carry(s, frame, &joint, child);
}
