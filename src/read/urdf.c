/* URDF: <robot> with its links, joints and materials into a builder. Elements and attributes that are not part of URDF
 * (transmission, gazebo, safety_controller, calibration, anything with a prefix but xacro) are left out without a word,
 * unless their names are nearly right (urdf_remark.c). */
#include "read/urdf.h"

#include <stdlib.h>
#include <string.h>

#include "read/urdf_part.h"
#include "read/urdf_remark.h"
#include "read/xml_scan.h"

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
            return zv_fail(error, ZV_SCHEMA, root.mark, quote, "the root element is <%s>, not <robot>: this is %s",
                           quote, strangers[i].what);
    return zv_fail(error, ZV_SCHEMA, root.mark, quote,
                   "the root element is <%s>, not <robot>: this is not a URDF; a URDF begins with <robot name=\"...\">",
                   quote);
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
    return zv_fail(urdf->error, ZV_NOT_SUPPORTED, macro->mark, macro->name,
                   "<%.60s>: the robot is not expanded yet; run xacro first (xacro robot.xacro > robot.urdf) and read "
                   "the result",
                   macro->name);
}

static zvStatus read_robot(ziUrdf *urdf, const ziXmlElement *robot) {
    const ziXmlAttribute *name = zi_xml_attribute(robot, "name");
    zvStatus status = check_xacro(urdf, robot);
    if (status == ZV_OK && name && name->value[0])
        status = zv_builder_set_name(urdf->builder, name->value, urdf->error);
    if (status == ZV_OK) status = zi_urdf_collect_materials(urdf, robot);
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        if (strcmp(e->name, "link") == 0) status = zi_urdf_add_link(urdf, e);
        if (strcmp(e->name, "joint") == 0) status = zi_urdf_add_joint(urdf, e);
    }
    return status == ZV_OK ? zi_urdf_remarks(urdf, robot) : status;
}

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
