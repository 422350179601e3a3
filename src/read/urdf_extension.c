/* What tools add to URDF that changes how a robot moves: rotors behind transmissions, springs and gravity of Gazebo,
 * elements of Drake. What has a place in a robot is read, the rest is remarked. */
#include <string.h>

#include "read/urdf.h"

/* Drake knows a link "world" without its being written; other readers refuse such files. */
static zvStatus add_world(ziUrdf *urdf) {
    static const char world[] = "world";
    zvBuilder *b = urdf->builder;
    if (zv_builder_find_link(b, world) >= 0) return ZV_OK;
    for (int j = 0; j < zv_builder_njoint(b); j++) {
        const zvJoint *joint = zv_builder_joint(b, j);
        if (strcmp(joint->parent, world) != 0) continue;
        zvLink link = zv_link_default(world);
        link.mark = joint->mark;
        const zvMark mark = {joint->mark.file, joint->parent_spot.line, joint->parent_spot.column};
        zvStatus status = zv_builder_add_link(b, &link, urdf->error);
        if (status != ZV_OK) return status;
        return zi_urdf_remark(urdf, ZV_SEVERITY_NOTE, "implicit-world", mark, world,
                              "nothing to do, or add <link name=\"world\"/>: only Drake reads the file without it",
                              "the link \"world\" is not in the file; it is taken for the ground");
    }
    return ZV_OK;
}

/* Transmissions --------------------------------------------------------------------------------- */

/* The first child with one of the names. */
static const ziXmlElement *first_of(const ziXmlElement *element, const char *const *names, size_t count) {
    for (size_t i = 0; element && i < count; i++) {
        const ziXmlElement *found = zi_urdf_first(element, names[i]);
        if (found) return found;
    }
    return NULL;
}

static int count_children(const ziXmlElement *element, const char *name) {
    int count = 0;
    for (const ziXmlElement *e = element->first; e; e = e->next) count += strcmp(e->name, name) == 0;
    return count;
}

/* Where the reduction stands: with the actuator, with the joint, or beside them. */
static const ziXmlElement *find_reduction(const ziXmlElement *transmission, const ziXmlElement *actuator,
                                          const ziXmlElement *joint) {
    static const char *const names[] = {"drake:gear_ratio", "mechanicalReduction", "mechanical_reduction"};
    const ziXmlElement *found = first_of(actuator, names, 3);
    if (!found) found = first_of(joint, names, 3);
    return found ? found : first_of(transmission, names, 3);
}

/* The rotor of a transmission as armature: rotor inertia x reduction^2. */
static zvStatus add_armature(ziUrdf *urdf, const ziXmlElement *rotor, const ziXmlElement *reduction, int joint) {
    double inertia = 0, ratio = 1;
    zvStatus status = zi_urdf_text_number(urdf, rotor, &inertia);
    if (status == ZV_OK && reduction) status = zi_urdf_text_number(urdf, reduction, &ratio);
    if (status == ZV_OK) zv_builder_joint(urdf->builder, joint)->dof[0].armature += inertia * ratio * ratio;
    return status;
}

/* A reduction says nothing without a rotor; that it was there is worth a note, for the armature is then missing. */
static zvStatus note_reduction(ziUrdf *urdf, const ziXmlElement *reduction) {
    zvError ignored = {0};
    ziUrdf trial = *urdf;
    double ratio = 1;
    trial.error = &ignored;
    if (!reduction || zi_urdf_text_number(&trial, reduction, &ratio) != ZV_OK || ratio == 1 || ratio == -1)
        return ZV_OK;
    return zi_urdf_remark(
        urdf, ZV_SEVERITY_NOTE, "reduction-without-rotor", reduction->mark, reduction->name,
        "give the joint an armature (a native file's \"modify\", or <drake:rotor_inertia>), if the rotor "
        "matters",
        "the transmission has a reduction of %.6g and no rotor inertia, so the joint has no armature", ratio);
}

/* A transmission of one joint and one actuator; a rotor between several joints has no place in an armature. */
static zvStatus read_transmission(ziUrdf *urdf, const ziXmlElement *transmission) {
    static const char *const rotors[] = {"drake:rotor_inertia", "rotorInertia", "rotor_inertia", "motorInertia",
                                         "motor_inertia"};
    const ziXmlElement *joint = zi_urdf_first(transmission, "joint");
    const ziXmlElement *actuator = zi_urdf_first(transmission, "actuator");
    const ziXmlAttribute *name = joint ? zi_xml_attribute(joint, "name") : NULL;
    const ziXmlElement *rotor = first_of(actuator, rotors, sizeof rotors / sizeof *rotors);
    const bool single = count_children(transmission, "joint") == 1 && count_children(transmission, "actuator") == 1;
    const int index = name ? zv_builder_find_joint(urdf->builder, name->value) : -1;
    const bool fits = single && index >= 0 && zv_joint_type_nv(zv_builder_joint(urdf->builder, index)->type) == 1;
    urdf->kind = "joint", urdf->name = name ? name->value : "";
    if (rotor && fits) return add_armature(urdf, rotor, find_reduction(transmission, actuator, joint), index);
    if (rotor)
        return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "left-out", rotor->mark, rotor->name,
                              "give the joints armatures in a native file (\"modify\")",
                              "expected one actuator and one joint that moves in one way, found another transmission: "
                              "its rotor inertia is left out");
    return fits ? note_reduction(urdf, find_reduction(transmission, actuator, joint)) : ZV_OK;
}

/* Gazebo ---------------------------------------------------------------------------------------- */

/* What Gazebo says of a joint: a spring. */
static zvStatus read_spring(ziUrdf *urdf, const ziXmlElement *e, int index) {
    const bool stiffness = strcmp(e->name, "springStiffness") == 0;
    if (!stiffness && strcmp(e->name, "springReference") != 0) return ZV_OK;
    zvJoint *joint = zv_builder_joint(urdf->builder, index);
    if (zv_joint_type_nv(joint->type) == 1)
        return zi_urdf_text_number(urdf, e, stiffness ? &joint->dof[0].stiffness : &joint->dof[0].rest);
    return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "left-out", e->mark, e->name,
                          "give the spring in a native file (\"modify\")",
                          "expected a spring of a joint that moves in one way, found one of another joint: left out");
}

typedef struct Lost {
    const char *name;
    bool wanted; /* told when the value is this */
    const char *why, *repair;
} Lost;

/* Settings of a link, or of the whole robot, that change its motion. */
static const Lost lost[] = {
    {"turnGravityOff", true, "gravity is switched off for it in Gazebo, not here",
     "nothing to do, or set --gravity 0,0,0 for the whole robot"},
    {"gravity", false, "gravity is switched off for it in Gazebo, not here",
     "nothing to do, or set --gravity 0,0,0 for the whole robot"},
    {"kinematic", true, "it is moved without forces in Gazebo, and by them here", "lock its joint (--lock)"},
    {"static", true, "it does not move in Gazebo, and moves here", "lock its joints (--lock)"},
};

/* Joints that only Gazebo knows close most loops of URDF files. */
static zvStatus remark_gazebo(ziUrdf *urdf, const ziXmlElement *e) {
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        if (strcmp(e->name, lost[i].name) == 0 && zi_urdf_says(e, lost[i].wanted))
            return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "left-out", e->mark, e->name, lost[i].repair, "<%s>: %s",
                                  e->name, lost[i].why);
    if (strcmp(e->name, "joint") == 0 || strncmp(e->name, "joint:", 6) == 0)
        return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "left-out", e->mark, e->name,
                              "write it as <loop_joint> (docs/formats.md) if it closes a loop",
                              "a joint that only Gazebo knows is left out");
    if (strcmp(e->name, "plugin") != 0) return ZV_OK;
    const ziXmlAttribute *file = zi_xml_attribute(e, "filename");
    return zi_urdf_remark(urdf, ZV_SEVERITY_NOTE, "plugin", e->mark, e->name,
                          "nothing to do, unless it moves the robot", "the plugin \"%.60s\" of Gazebo is left out",
                          file ? file->value : "");
}

/* <gazebo reference>: of a joint, of a link, or of the robot. */
static zvStatus read_gazebo(ziUrdf *urdf, const ziXmlElement *gazebo) {
    const ziXmlAttribute *reference = zi_xml_attribute(gazebo, "reference");
    const int joint = reference ? zv_builder_find_joint(urdf->builder, reference->value) : -1;
    const bool link = reference && zv_builder_find_link(urdf->builder, reference->value) >= 0;
    if (reference && joint < 0 && !link) return ZV_OK; /* of a part that was not expanded, or is gone */
    urdf->kind = joint >= 0 ? "joint" : link ? "link" : "robot";
    urdf->name = reference ? reference->value : zv_builder_name(urdf->builder);
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = gazebo->first; e && status == ZV_OK; e = e->next) {
        if (joint >= 0) status = read_spring(urdf, e, joint);
        if (status == ZV_OK) status = remark_gazebo(urdf, e);
    }
    return status;
}

/* Drake's elements that act on links; what is known to do nothing there is not told. */
static zvStatus remark_drake(ziUrdf *urdf, const ziXmlElement *e) {
    static const char *const silent[] = {"drake:joint", "drake:collision_filter_group", "drake:proximity_properties"};
    if (strncmp(e->name, "drake:", 6) != 0) return ZV_OK;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(e->name, silent[i]) == 0) return ZV_OK;
    return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "left-out", e->mark, e->name,
                          "springs, rods and loops have their place in a native file that includes this one",
                          "<%s> of Drake is left out", e->name);
}

/* After links and joints, to which all of it refers. */
zvStatus zi_urdf_extensions(ziUrdf *urdf, const ziXmlElement *robot) {
    zvStatus status = add_world(urdf);
    if (status == ZV_OK) status = zi_urdf_loops(urdf, robot);
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        urdf->kind = "robot", urdf->name = zv_builder_name(urdf->builder);
        if (strcmp(e->name, "transmission") == 0) status = read_transmission(urdf, e);
        if (strcmp(e->name, "gazebo") == 0) status = read_gazebo(urdf, e);
        if (status == ZV_OK) status = remark_drake(urdf, e);
        if (strcmp(e->name, "ros2_control") != 0) continue;
        for (const ziXmlElement *t = e->first; t && status == ZV_OK; t = t->next)
            if (strcmp(t->name, "transmission") == 0) status = read_transmission(urdf, t);
    }
    return status;
}
