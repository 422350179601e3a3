/* URDF robots: joints, links, and the whole. */
#include "read/urdf.h"

#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/joint_type.h"
#include "read/text.h"
#include "read/xacro.h"
#include "read/xml.h"
#include "spatial/vec3.h"

/* Joints of a URDF robot. */

typedef struct UrdfType {
    const char *word;
    zvJointType type;
    bool urdf, drake; /* a word of URDF's <joint>, of <drake:joint> */
} UrdfType;

/* URDF has six types; pybullet and others write ball joints as well, and Drake has an element for more. */
static const UrdfType types[] = {
    {"revolute", ZV_JOINT_REVOLUTE, true, false},   {"continuous", ZV_JOINT_CONTINUOUS, true, false},
    {"prismatic", ZV_JOINT_PRISMATIC, true, false}, {"fixed", ZV_JOINT_FIXED, true, false},
    {"floating", ZV_JOINT_FREE, true, false},       {"planar", ZV_JOINT_PLANAR, true, true},
    {"spherical", ZV_JOINT_SPHERICAL, true, false}, {"ball", ZV_JOINT_SPHERICAL, true, true},
    {"universal", ZV_JOINT_UNIVERSAL, false, true}, {"screw", ZV_JOINT_HELICAL, false, true},
};
enum { TYPES = sizeof types / sizeof types[0] };

static bool is_drake(const ziXmlElement *joint) { return strcmp(joint->name, "drake:joint") == 0; }

/* A type of another format is refused with URDF's word for it. */
zvStatus zi_urdf_joint_type(const ziUrdf *urdf, const ziXmlElement *joint, zvJointType *type) {
    const char *word, *words[TYPES];
    const bool drake = is_drake(joint);
    int count = 0;
    const zvStatus status = zi_urdf_name(urdf, joint, "type", &word);
    if (status != ZV_OK) return status;
    for (int i = 0; i < TYPES; i++) {
        if (!(drake ? types[i].drake : types[i].urdf)) continue;
        words[count++] = types[i].word;
        if (strcmp(word, types[i].word) != 0) continue;
        *type = types[i].type;
        return ZV_OK;
    }
    char quote[ZI_QUOTE_SIZE];
    zi_text_quote(quote, word, strlen(word));
    const zvMark mark = zi_xml_attribute(joint, "type")->value_mark;
    const char *nearest = zi_meant_name(word, words, (size_t)count);
    return zv_fail(urdf->error, ZV_SCHEMA, mark, word, "type of <%s>: expected %s, found \"%s\"%s%s%s", joint->name,
                   drake ? "ball, planar, screw or universal"
                         : "revolute, continuous, prismatic, fixed, floating, planar or spherical",
                   quote, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* The link attribute of <parent> or <child>. */
static zvStatus read_end(const ziUrdf *urdf, const ziXmlElement *joint, const char *which, const char **link,
                         zvSpot *spot) {
    const ziXmlElement *end;
    const zvStatus status = zi_urdf_need_child(urdf, joint, which, &end);
    if (status != ZV_OK) return status;
    *spot = zi_urdf_spot(end, "link");
    return zi_urdf_name(urdf, end, "link", link);
}

/* x where none is written; a direction is needed. */
zvStatus zi_urdf_axis(const ziUrdf *urdf, const ziXmlElement *element, const char *what, const char *name,
                      double xyz[3]) {
    const ziXmlElement *axis;
    memcpy(xyz, (const double[3]){1, 0, 0}, 3 * sizeof *xyz);
    zvStatus status = zi_urdf_child(urdf, element, "axis", &axis);
    if (status == ZV_OK && axis) status = zi_urdf_numbers(urdf, axis, "xyz", true, 3, xyz);
    if (status != ZV_OK || xyz[0] != 0 || xyz[1] != 0 || xyz[2] != 0) return status;
    const ziXmlAttribute *attribute = zi_xml_attribute(axis, "xyz");
    char quote[ZI_QUOTE_SIZE];
    return zv_fail(urdf->error, ZV_PHYSICS, attribute->value_mark, attribute->value,
                   "axis of %s \"%s\": expected a direction, found a zero vector; write for example 0 0 1", what,
                   zi_text_quote(quote, name, strlen(name)));
}

/* The axis is (1, 0, 0) unless given. Joints that have none may have any <axis>: nobody reads it. */
static zvStatus read_axis(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    if (!zi_joint_needs(joint->type, ZI_JOINT_AXIS)) return ZV_OK;
    if (joint->type == ZV_JOINT_UNIVERSAL) { /* Drake's turns about x, then y */
        memcpy(joint->axis, (const double[3]){1, 0, 0}, sizeof joint->axis);
        memcpy(joint->axis2, (const double[3]){0, 1, 0}, sizeof joint->axis2);
        return ZV_OK;
    }
    const zvStatus status = zi_urdf_axis(urdf, element, "joint", joint->name, joint->axis);
    const ziXmlElement *axis = zi_urdf_first(element, "axis");
    if (status == ZV_OK && axis) joint->axis_spot = zi_urdf_spot(axis, "xyz");
    return status;
}

/* Drake's screw gives the advance of one revolution. */
static zvStatus read_pitch(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    static const double two_pi = 6.283185307179586;
    const ziXmlElement *pitch;
    if (joint->type != ZV_JOINT_HELICAL) return ZV_OK;
    zvStatus status = zi_urdf_need_child(urdf, element, "drake:screw_thread_pitch", &pitch);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, pitch, "value", true, 1, &joint->pitch);
    joint->pitch /= two_pi;
    return status;
}

/* Bounds count only where lower or upper is written; a continuous joint has none whatever is written. */
static zvStatus read_limit(const ziUrdf *urdf, const ziXmlElement *element, zvDof *dof, bool bounded, zvSpot *spot) {
    const ziXmlElement *limit;
    zvStatus status = zi_urdf_child(urdf, element, "limit", &limit);
    if (status != ZV_OK || !limit) return status;
    *spot = (zvSpot){limit->mark.line, limit->mark.column};
    double lower = 0, upper = 0;
    status = zi_urdf_numbers(urdf, limit, "lower", false, 1, &lower);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, limit, "upper", false, 1, &upper);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, limit, "effort", false, 1, &dof->effort);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, limit, "velocity", false, 1, &dof->velocity);
    if (!bounded || !(zi_xml_attribute(limit, "lower") || zi_xml_attribute(limit, "upper"))) return status;
    dof->has_limits = true;
    dof->lower = lower;
    dof->upper = upper;
    return status;
}

static zvStatus read_dynamics(const ziUrdf *urdf, const ziXmlElement *element, zvDof *dof) {
    const ziXmlElement *dynamics;
    zvStatus status = zi_urdf_child(urdf, element, "dynamics", &dynamics);
    if (status != ZV_OK || !dynamics) return status;
    status = zi_urdf_numbers(urdf, dynamics, "damping", false, 1, &dof->damping);
    return status != ZV_OK ? status : zi_urdf_numbers(urdf, dynamics, "friction", false, 1, &dof->friction);
}

/* URDF writes one set of numbers per joint: every freedom of the joint gets it. */
static zvStatus read_dofs(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const bool bounded = joint->type == ZV_JOINT_REVOLUTE || joint->type == ZV_JOINT_PRISMATIC;
    zvDof dof = joint->dof[0];
    zvStatus status = read_limit(urdf, element, &dof, bounded, &joint->limits_spot);
    if (status == ZV_OK) status = read_dynamics(urdf, element, &dof);
    for (int i = 0; i < zv_joint_type_nv(joint->type) && status == ZV_OK; i++) joint->dof[i] = dof;
    return status;
}

/* <mimic>, or Drake's name for it. A fixed joint has nothing that could follow. */
static zvStatus read_mimic(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const ziXmlElement *mimic;
    zvStatus status = zi_urdf_child(urdf, element, "mimic", &mimic);
    if (!mimic) mimic = zi_urdf_first(element, "drake:mimic");
    if (status != ZV_OK || !mimic) return status;
    if (joint->type == ZV_JOINT_FIXED)
        return zi_urdf_remark(urdf, ZV_SEVERITY_NOTE, "mimic-left-out", mimic->mark, mimic->name,
                              "nothing to do if the joint is meant to be fixed",
                              "expected a joint that moves, found a fixed one with <%s>, which is left out",
                              mimic->name);
    joint->mimic_spot = zi_urdf_spot(mimic, "joint");
    status = zi_urdf_name(urdf, mimic, "joint", &joint->mimic);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, mimic, "multiplier", false, 1, &joint->ratio);
    return status != ZV_OK ? status : zi_urdf_numbers(urdf, mimic, "offset", false, 1, &joint->offset);
}

/* Names and places first, then what belongs to the type. */
zvStatus zi_urdf_add_joint(ziUrdf *urdf, const ziXmlElement *element) {
    const char *name, *parent, *child;
    zvJointType type = ZV_JOINT_FIXED;
    zvStatus status = zi_urdf_name(urdf, element, "name", &name);
    if (status == ZV_OK) urdf->kind = "joint", urdf->name = name;
    if (status == ZV_OK) status = zi_urdf_joint_type(urdf, element, &type);
    zvSpot parent_spot = {0}, child_spot = {0};
    if (status == ZV_OK) status = read_end(urdf, element, "parent", &parent, &parent_spot);
    if (status == ZV_OK) status = read_end(urdf, element, "child", &child, &child_spot);
    if (status != ZV_OK) return status;
    zvJoint joint = zv_joint_default(name, type, parent, child);
    joint.parent_spot = parent_spot;
    joint.child_spot = child_spot;
    joint.mark = zi_urdf_mark(element);
    status = zi_urdf_origin(urdf, element, &joint.origin);
    if (status == ZV_OK) status = read_axis(urdf, element, &joint);
    if (status == ZV_OK) status = read_pitch(urdf, element, &joint);
    if (status == ZV_OK) status = read_dofs(urdf, element, &joint);
    if (status == ZV_OK) status = read_mimic(urdf, element, &joint);
    return status != ZV_OK ? status : zv_builder_add_joint(urdf->builder, &joint, urdf->error);
}

/* Links of a URDF robot. The inertia of a link is given in a frame of its own at the centre of mass; it is turned into
 * the axes of the link: J_link = R J R^T with R = Rz(yaw) Ry(pitch) Rx(roll) of the inertial <origin>. */

/* ixx, iyy, izz must be there; a product of inertia that is not written is zero. */
static zvStatus read_moments(const ziUrdf *urdf, const ziXmlElement *inertia, double moment[6]) {
    static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    zvStatus status = ZV_OK;
    for (int i = 0; i < 6 && status == ZV_OK; i++) {
        const bool diagonal = names[i][1] == names[i][2];
        status = zi_urdf_numbers(urdf, inertia, names[i], diagonal, 1, &moment[i]);
    }
    return status;
}

static void turn_moments(const double R[9], double moment[6]) {
    const double *I_ = moment; /* xx xy xz yy yz zz; below by columns of four */
    const double J[12] = {I_[0], I_[1], I_[2], 0, I_[1], I_[3], I_[4], 0, I_[2], I_[4], I_[5], 0};
    const mat3 columns = m3(v3(R[0], R[3], R[6]), v3(R[1], R[4], R[7]), v3(R[2], R[5], R[8]));
    const mat3 T = m3_rotatep12(columns, J);
    const double turned[6] = {v3_x(T.x), v3_x(T.y), v3_x(T.z), v3_y(T.y), v3_y(T.z), v3_z(T.z)};
    memcpy(moment, turned, sizeof turned);
}

/* An <inertial> that is not complete is no reason to refuse a robot whose poses are asked for; that it has no effect is
 * told. Without a mass it is left out, without moments a point mass stays. */
static zvStatus remark_incomplete(const ziUrdf *urdf, const ziXmlElement *inertial, const char *what) {
    const bool mass = strcmp(what, "mass") == 0;
    return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "inertial-left-out", inertial->mark, "inertial",
                          "give mass and moments of inertia, if dynamics is wanted",
                          "expected a <%s> in <inertial>, found none: %s", what,
                          mass ? "the link has no mass" : "the link is a point mass");
}

/* Mass, centre of mass, and moments turned into the axes of the link. */
static zvStatus read_inertial(const ziUrdf *urdf, const ziXmlElement *inertial, zvLink *link) {
    zvInertia *inertia = &link->inertia;
    const ziXmlElement *mass, *moments;
    zvPose pose = zv_pose_identity();
    zvStatus status = zi_urdf_child(urdf, inertial, "mass", &mass);
    if (status == ZV_OK) status = zi_urdf_child(urdf, inertial, "inertia", &moments);
    if (status != ZV_OK) return status;
    if (!mass) return remark_incomplete(urdf, inertial, "mass");
    link->has_inertia = true;
    status = zi_urdf_origin(urdf, inertial, &pose);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, mass, "value", true, 1, &inertia->mass);
    link->mass_spot = zi_urdf_spot(mass, "value");
    memcpy(inertia->com, pose.p, sizeof inertia->com);
    if (status == ZV_OK && !moments) return remark_incomplete(urdf, inertial, "inertia");
    if (status == ZV_OK) status = read_moments(urdf, moments, inertia->moment);
    if (status != ZV_OK) return status;
    link->inertia_spot = (zvSpot){moments->mark.line, moments->mark.column};
    turn_moments(pose.R, inertia->moment);
    return ZV_OK;
}

static zvStatus add_shapes(ziUrdf *urdf, const ziXmlElement *element, const char *link) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "visual") == 0 || strcmp(e->name, "collision") == 0)
            status = zi_urdf_add_shape(urdf, e, link);
    return status;
}

/* Shapes come after the link they belong to. */
zvStatus zi_urdf_add_link(ziUrdf *urdf, const ziXmlElement *element) {
    const ziXmlElement *inertial;
    const char *name;
    zvStatus status = zi_urdf_name(urdf, element, "name", &name);
    if (status != ZV_OK) return status;
    urdf->kind = "link", urdf->name = name;
    zvLink link = zv_link_default(name);
    link.mark = zi_urdf_mark(element);
    status = zi_urdf_child(urdf, element, "inertial", &inertial);
    if (status != ZV_OK) return status;
    if (inertial) status = read_inertial(urdf, inertial, &link);
    if (status == ZV_OK) status = zv_builder_add_link(urdf->builder, &link, urdf->error);
    return status != ZV_OK ? status : add_shapes(urdf, element, name);
}

/* URDF: <robot> with its links, joints and materials into a builder, and what other tools add that moves it
 * (urdf_extension.c). Elements and attributes that are not part of URDF and do not change its motion (gazebo's sensors
 * and colours, safety_controller, calibration, anything with a prefix but xacro and drake) are left out without a word,
 * unless their names are nearly right (urdf_remark.c). */

typedef struct Stranger {
    const char *root;
    const char *what;
} Stranger;

/* Root elements of files that are taken for URDF. */
static const Stranger strangers[] = {
    {"sdf", "an SDF file, which is no URDF"},
    {"mujoco", "a MuJoCo model (MJCF), which is no URDF"},
    {"mujocoinclude", "a part of a MuJoCo model (MJCF); read the file that includes it"},
    {"html", "a web page, probably instead of the file that was to be downloaded; download the raw file"},
    {"COLLADA", "a COLLADA mesh; read the URDF that refers to it"},
    {"launch", "a ROS launch file; read the robot_description it loads"},
    {"package", "a ROS package manifest; read a URDF of the package"},
    {"model", "a Gazebo model manifest; read the file it names"},
    {"VTKFile", "a VTK mesh; read the URDF that refers to it"},
    {"svg", "a drawing (SVG)"},
};

/* Looks at the name of the root before the XML is parsed: a web page is seldom well-formed XML. */
static zvStatus check_root(const char *name, const char *bytes, size_t size, zvError *error) {
    ziXmlScan scan = zi_xml_scan_start(name, bytes, size);
    ziXmlPiece root;
    if (!zi_xml_scan_tag(&scan, &root) || root.length == 0) return ZV_OK; /* the parser will say what is wrong */
    char quote[ZI_QUOTE_SIZE];
    zi_text_quote(quote, root.start, root.length);
    if (strcmp(quote, "robot") == 0) return ZV_OK;
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        if (strcmp(quote, strangers[i].root) == 0)
            return zv_fail(error, ZV_SCHEMA, root.mark, quote,
                           "expected the root element <robot>, found <%s>: this is %s", quote, strangers[i].what);
    return zv_fail(error, ZV_SCHEMA, root.mark, quote,
                   "expected the root element <robot>, found <%s>; a URDF begins with <robot name=\"...\">", quote);
}

static bool has_link(const ziXmlElement *robot) {
    for (const ziXmlElement *e = robot->first; e; e = e->next)
        if (strcmp(e->name, "link") == 0) return true;
    return false;
}

/* The first call of a macro that no file defines, at any depth below robot, or NULL. */
static const ziXmlElement *find_xacro(const ziXmlElement *robot) {
    const ziXmlElement *later[ZI_XML_DEPTH]; /* what follows the parents of the current element */
    int depth = 0;
    for (const ziXmlElement *e = robot->first; e;) {
        if (strncmp(e->name, "xacro:", 6) == 0) return e;
        if (e->first) later[depth++] = e->next;
        e = e->first ? e->first : e->next;
        while (!e && depth > 0) e = later[--depth];
    }
    return NULL;
}

/* A robot whose links are written out is read without what such a call stood for, as every other reader does, and the
 * call is told; without links there is nothing to read. */
static zvStatus check_xacro(const ziUrdf *urdf, const ziXmlElement *robot) {
    const ziXmlElement *macro = find_xacro(robot);
    if (!macro) return ZV_OK;
    if (has_link(robot))
        return zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "xacro-left-out", macro->mark, macro->name,
                              "run xacro on the original file, if links or joints are missing",
                              "<%.60s> is a macro that is defined nowhere; it is left out, and all calls like it",
                              macro->name);
    return zv_fail(
        urdf->error, ZV_NOT_SUPPORTED, macro->mark, macro->name,
        "expected links, found <%.60s>, a macro that is defined nowhere; include the file that defines it, or "
        "run xacro first (xacro robot.xacro > robot.urdf) and read the result",
        macro->name);
}

/* Materials first: they may be defined below the visuals that use them. */
static zvStatus read_robot(ziUrdf *urdf, const ziXmlElement *robot) {
    const ziXmlAttribute *name = zi_xml_attribute(robot, "name");
    zvStatus status = zi_builder_mark(urdf->builder, zi_urdf_mark(robot), NULL, urdf->error);
    if (status == ZV_OK && name && name->value[0])
        status = zv_builder_set_name(urdf->builder, name->value, urdf->error);
    urdf->kind = "robot", urdf->name = zv_builder_name(urdf->builder);
    if (status == ZV_OK) status = check_xacro(urdf, robot);
    if (status == ZV_OK) status = zi_urdf_collect_materials(urdf, robot);
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "link") == 0) status = zi_urdf_add_link(urdf, e);
        if (strcmp(e->name, "joint") == 0 || is_drake(e)) status = zi_urdf_add_joint(urdf, e);
    }
    urdf->kind = "robot", urdf->name = zv_builder_name(urdf->builder);
    if (status == ZV_OK) status = zi_urdf_extensions(urdf, robot);
    return status == ZV_OK ? zi_urdf_remarks(urdf, robot) : status;
}

/* The root is checked before the whole is parsed, so that files of other formats are recognised quickly. */
zvStatus zi_urdf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error) {
    const char *file = zv_builder_keep(builder, name ? name : "");
    if (!file) return zv_fail(error, ZV_MEMORY, (zvMark){name, 0, 0}, "", "out of memory while reading the URDF");
    zvStatus status = check_root(file, bytes, size, error);
    if (status != ZV_OK) return status;
    ziXml *xml;
    status = zi_xml_read(file, bytes, size, &xml, error);
    if (status != ZV_OK) return status;
    ziUrdf urdf = {.builder = builder, .error = error};
    const ziXmlElement *robot = zi_xml_root(xml);
    ziXacro *xacro = NULL;
    if (zi_xacro_wanted(robot)) status = zi_xacro_expand(builder, robot, &robot, &urdf.unexpanded, &xacro, error);
    if (status == ZV_OK) status = read_robot(&urdf, robot);
    zi_xacro_destroy(xacro);
    zi_names_free(&urdf.materials);
    free(urdf.colors);
    zi_xml_destroy(xml);
    return status;
}
