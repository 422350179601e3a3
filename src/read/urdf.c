/* URDF robots: joints, links, and the whole. */
#include "read/urdf.h"

#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "read/text.h"
#include "read/xml.h"
#include "spatial/vec3.h"

/* Joints of a URDF robot. */

static const char *const words[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
static const zvJointType types[] = {ZV_JOINT_REVOLUTE, ZV_JOINT_CONTINUOUS, ZV_JOINT_PRISMATIC,
                                    ZV_JOINT_FIXED,    ZV_JOINT_FREE,       ZV_JOINT_PLANAR};
enum { TYPES = sizeof words / sizeof words[0] };

/* A type of another format is refused with URDF's word for it. */
static zvStatus read_type(const ziUrdf *urdf, const ziXmlElement *joint, zvJointType *type) {
    const char *word;
    const zvStatus status = zi_urdf_name(urdf, joint, "type", &word);
    if (status != ZV_OK) return status;
    for (int i = 0; i < TYPES; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *type = types[i];
        return ZV_OK;
    }
    char quote[ZI_QUOTE_SIZE];
    zi_text_quote(quote, word, strlen(word));
    const zvMark mark = zi_xml_attribute(joint, "type")->value_mark;
    const char *nearest = zi_meant_name(word, words, TYPES);
    return zv_fail(urdf->error, ZV_SCHEMA, mark, word,
                   "type of <joint>: expected revolute, continuous, prismatic, fixed, floating or planar, found "
                   "\"%s\"%s%s%s",
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

/* The axis is (1, 0, 0) unless given. Exporters write 0 0 0 for joints that have none: only there it does no harm. */
static zvStatus read_axis(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const bool has_axis = joint->type != ZV_JOINT_FIXED && joint->type != ZV_JOINT_FREE;
    const ziXmlElement *axis;
    double xyz[3] = {1, 0, 0};
    zvStatus status = zi_urdf_child(urdf, element, "axis", &axis);
    if (status == ZV_OK && axis) status = zi_urdf_numbers(urdf, axis, "xyz", true, 3, xyz);
    if (status != ZV_OK || !has_axis) return status;
    if (xyz[0] == 0 && xyz[1] == 0 && xyz[2] == 0) {
        const ziXmlAttribute *attribute = zi_xml_attribute(axis, "xyz");
        char quote[ZI_QUOTE_SIZE];
        return zv_fail(urdf->error, ZV_PHYSICS, attribute->value_mark, attribute->value,
                       "axis of joint \"%s\": expected a direction, found a zero vector; write for example 0 0 1",
                       zi_text_quote(quote, joint->name, strlen(joint->name)));
    }
    memcpy(joint->axis, xyz, sizeof xyz);
    if (axis) joint->axis_spot = zi_urdf_spot(axis, "xyz");
    return ZV_OK;
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

static zvStatus read_mimic(const ziUrdf *urdf, const ziXmlElement *element, zvJoint *joint) {
    const ziXmlElement *mimic;
    zvStatus status = zi_urdf_child(urdf, element, "mimic", &mimic);
    if (status != ZV_OK || !mimic) return status;
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
    if (status == ZV_OK) status = read_type(urdf, element, &type);
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

/* Mass, centre of mass, and moments turned into the axes of the link. */
static zvStatus read_inertial(const ziUrdf *urdf, const ziXmlElement *inertial, zvLink *link) {
    zvInertia *inertia = &link->inertia;
    const ziXmlElement *mass, *moments;
    zvPose pose = zv_pose_identity();
    zvStatus status = zi_urdf_origin(urdf, inertial, &pose);
    if (status == ZV_OK) status = zi_urdf_need_child(urdf, inertial, "mass", &mass);
    if (status == ZV_OK) status = zi_urdf_numbers(urdf, mass, "value", true, 1, &inertia->mass);
    if (status == ZV_OK) status = zi_urdf_need_child(urdf, inertial, "inertia", &moments);
    if (status == ZV_OK) status = read_moments(urdf, moments, inertia->moment);
    if (status != ZV_OK) return status;
    link->mass_spot = zi_urdf_spot(mass, "value");
    link->inertia_spot = (zvSpot){moments->mark.line, moments->mark.column};
    memcpy(inertia->com, pose.p, sizeof inertia->com);
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
    zvLink link = zv_link_default(name);
    link.mark = zi_urdf_mark(element);
    status = zi_urdf_child(urdf, element, "inertial", &inertial);
    if (status != ZV_OK) return status;
    if (inertial) {
        link.has_inertia = true;
        status = read_inertial(urdf, inertial, &link);
    }
    if (status == ZV_OK) status = zv_builder_add_link(urdf->builder, &link, urdf->error);
    return status != ZV_OK ? status : add_shapes(urdf, element, name);
}

/* URDF: <robot> with its links, joints and materials into a builder. Elements and attributes that are not part of URDF
 * (transmission, gazebo, safety_controller, calibration, anything with a prefix but xacro) are left out without a word,
 * unless their names are nearly right (urdf_value.c). */

typedef struct Stranger {
    const char *root;
    const char *what;
} Stranger;

/* Root elements of files that are taken for URDF. */
static const Stranger strangers[] = {
    {"sdf", "an SDF file; convert it to URDF"},
    {"gazebo", "an old SDF file; convert it to URDF"},
    {"mujoco", "a MuJoCo model (MJCF); convert it to URDF"},
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

/* Definitions alone take nothing away from a robot whose links are written out; whatever else xacro has would become
 * links and joints, or remove some. */
static bool awaits_xacro(const ziXmlElement *element, bool written_out) {
    if (strncmp(element->name, "xacro:", 6) != 0) return false;
    const char *word = element->name + 6;
    return !written_out || (strcmp(word, "property") != 0 && strcmp(word, "arg") != 0);
}

/* The first element below robot, at any depth, that xacro has still to expand, or NULL. */
static const ziXmlElement *find_xacro(const ziXmlElement *robot) {
    const bool written_out = has_link(robot);
    const ziXmlElement *later[ZI_XML_DEPTH]; /* what follows the parents of the current element */
    int depth = 0;
    for (const ziXmlElement *e = robot->first; e;) {
        if (awaits_xacro(e, written_out)) return e;
        if (e->first) later[depth++] = e->next;
        e = e->first ? e->first : e->next;
        while (!e && depth > 0) e = later[--depth];
    }
    return NULL;
}

/* A file that is not fully expanded would be read as a smaller robot, or as none. */
static zvStatus check_xacro(const ziUrdf *urdf, const ziXmlElement *robot) {
    const ziXmlElement *macro = find_xacro(robot);
    if (!macro) return ZV_OK;
    return zv_fail(
        urdf->error, ZV_NOT_SUPPORTED, macro->mark, macro->name,
        "expected an expanded robot, found <%.60s>; run xacro first (xacro robot.xacro > robot.urdf) and read "
        "the result",
        macro->name);
}

/* Materials first: they may be defined below the visuals that use them. */
static zvStatus read_robot(ziUrdf *urdf, const ziXmlElement *robot) {
    const ziXmlAttribute *name = zi_xml_attribute(robot, "name");
    zvStatus status = check_xacro(urdf, robot);
    if (status == ZV_OK) status = zi_builder_mark(urdf->builder, zi_urdf_mark(robot), NULL, urdf->error);
    if (status == ZV_OK && name && name->value[0])
        status = zv_builder_set_name(urdf->builder, name->value, urdf->error);
    if (status == ZV_OK) status = zi_urdf_collect_materials(urdf, robot);
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "link") == 0) status = zi_urdf_add_link(urdf, e);
        if (strcmp(e->name, "joint") == 0) status = zi_urdf_add_joint(urdf, e);
    }
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
    status = read_robot(&urdf, zi_xml_root(xml));
    zi_names_free(&urdf.materials);
    free(urdf.colors);
    zi_xml_destroy(xml);
    return status;
}
