/* Closed loops in URDF. The format has none; two extensions are read, and both become loops of the robot:
 *
 * <loop_joint name type> <axis xyz/> <link1 link xyz rpy/> <link2 link xyz rpy/> </loop_joint>
 *   of Drake: the frames on the two links coincide but for what a joint of that type leaves free.
 * <loop name type> <axis xyz/> <predecessor link><origin/></predecessor> <successor link><origin/></successor> </loop>
 * <coupling name> <predecessor link/> <successor link/> <ratio value/> </coupling>
 *   of URDF+ (Chignoli, Wensing et al., URDF+: an enhanced URDF for robots with kinematic loops, 2024): a loop without
 * a type, or of type "position", keeps two points together; a coupling is ratio (sum of q from the common ancestor to
 * the predecessor) = (the same to the successor). */
#include "read/urdf.h"

#include <stdlib.h>
#include <string.h>

/* A link, by "link" or, as one exporter writes, by "name". */
static zvStatus read_link(const ziUrdf *urdf, const ziXmlElement *end, const char **link, zvSpot *spot) {
    const char *attribute = zi_xml_attribute(end, "link") || !zi_xml_attribute(end, "name") ? "link" : "name";
    *spot = zi_urdf_spot(end, attribute);
    return zi_urdf_name(urdf, end, attribute, link);
}

/* One side of a loop: the frame stands in the element itself, in an <origin> of it, or in one beside it. */
static zvStatus read_end(const ziUrdf *urdf, const ziXmlElement *loop, const char *which, const char *beside,
                         const char **link, zvSpot *spot, zvPose *pose) {
    const ziXmlElement *end, *origin = beside ? zi_urdf_first(loop, beside) : NULL;
    if (strcmp(which, "successor") == 0 && !zi_urdf_first(loop, which) && zi_urdf_first(loop, "sucessor"))
        which = "sucessor";
    zvStatus status = zi_urdf_need_child(urdf, loop, which, &end);
    if (status == ZV_OK) status = read_link(urdf, end, link, spot);
    if (status == ZV_OK) status = zi_urdf_pose(urdf, end, pose);
    if (status == ZV_OK) status = zi_urdf_origin(urdf, end, pose);
    return status == ZV_OK && origin ? zi_urdf_pose(urdf, origin, pose) : status;
}

/* URDF+ may leave the type out. */
static zvStatus read_type(const ziUrdf *urdf, const ziXmlElement *element, zvJointType *type) {
    const ziXmlAttribute *word = zi_xml_attribute(element, "type");
    *type = ZV_JOINT_SPHERICAL;
    if (strcmp(element->name, "loop") == 0 && (!word || strcmp(word->value, "position") == 0)) return ZV_OK;
    return zi_urdf_joint_type(urdf, element, type);
}

/* What a loop cannot keep is told. */
static zvStatus remark_lost(const ziUrdf *urdf, const ziXmlElement *element) {
    static const char *const lost[] = {"limit", "dynamics", "mimic"};
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < sizeof lost / sizeof *lost && status == ZV_OK; i++) {
        const ziXmlElement *e = zi_urdf_first(element, lost[i]);
        if (e)
            status = zi_urdf_remark(urdf, ZV_SEVERITY_WARNING, "left-out", e->mark, e->name,
                                    "nothing to do if it may be left out; a native file can give loops damping and "
                                    "springs",
                                    "<%s> of <%s> is left out", e->name, element->name);
    }
    return status;
}

/* <loop_joint> or <loop>. */
static zvStatus add_loop_joint(ziUrdf *urdf, const ziXmlElement *element) {
    const bool drake = strcmp(element->name, "loop_joint") == 0;
    const char *name, *parent = NULL, *child = NULL;
    zvJointType type = ZV_JOINT_FIXED;
    zvStatus status = zi_urdf_name(urdf, element, "name", &name);
    if (status != ZV_OK) return status;
    urdf->kind = "loop", urdf->name = name;
    if ((status = read_type(urdf, element, &type)) != ZV_OK) return status;
    zvLoop loop = zv_loop_default(name, ZV_LOOP_JOINT, type, NULL, NULL);
    loop.mark = zi_urdf_mark(element);
    status = read_end(urdf, element, drake ? "link1" : "predecessor", drake ? NULL : "predecessor_origin", &parent,
                      &loop.parent_spot, &loop.origin);
    if (status == ZV_OK)
        status = read_end(urdf, element, drake ? "link2" : "successor", drake ? NULL : "successor_origin", &child,
                          &loop.child_spot, &loop.child_origin);
    if (status == ZV_OK) status = zi_urdf_axis(urdf, element, "loop", name, loop.axis);
    if (status == ZV_OK) status = remark_lost(urdf, element);
    if (status != ZV_OK) return status;
    loop.parent = parent;
    loop.child = child;
    return zv_builder_add_loop(urdf->builder, &loop, urdf->error);
}

/* Couplings ------------------------------------------------------------------------------------- */

/* The joint above each link, or -1. */
static int *find_above(zvBuilder *builder) {
    const int count = zv_builder_nlink(builder);
    int *above = malloc(((size_t)count + 1) * sizeof *above);
    for (int i = 0; above && i < count; i++) above[i] = -1;
    for (int j = 0; above && j < zv_builder_njoint(builder); j++) {
        const int child = zv_builder_find_link(builder, zv_builder_joint(builder, j)->child);
        if (child >= 0 && above[child] < 0) above[child] = j;
    }
    return above;
}

/* Joints from a link upward, at most as many as there are links: they may run in a ring. */
static int list_path(zvBuilder *builder, const int *above, int link, int *path) {
    int count = 0;
    while (link >= 0 && above[link] >= 0 && count < zv_builder_nlink(builder)) {
        path[count++] = above[link];
        link = zv_builder_find_link(builder, zv_builder_joint(builder, above[link])->parent);
    }
    return count;
}

/* Moving joints of a path but for its last `shared` ones. */
static int add_terms(zvBuilder *builder, const int *path, int count, int shared, double ratio, zvLoopTerm *terms) {
    int added = 0;
    for (int i = 0; i < count - shared; i++) {
        const zvJoint *joint = zv_builder_joint(builder, path[i]);
        if (joint->type != ZV_JOINT_FIXED) terms[added++] = (zvLoopTerm){joint->name, ratio};
    }
    return added;
}

/* The link at one end of a coupling; it must be there, for its joints are searched at once. */
static zvStatus find_end(const ziUrdf *urdf, const ziXmlElement *element, const char *which, int *link) {
    const ziXmlElement *end;
    const char *name = "";
    zvSpot spot;
    zvStatus status = zi_urdf_need_child(urdf, element, which, &end);
    if (status == ZV_OK) status = read_link(urdf, end, &name, &spot);
    if (status != ZV_OK) return status;
    *link = zv_builder_find_link(urdf->builder, name);
    if (*link >= 0) return ZV_OK;
    char quote[ZI_QUOTE_SIZE];
    return zv_fail(urdf->error, ZV_NAME, (zvMark){element->mark.file, spot.line, spot.column}, name,
                   "<%s>: expected a link, found \"%s\", which does not exist; correct the name", which,
                   zi_text_quote(quote, name, strlen(name)));
}

/* ratio times the angles up to the predecessor are those up to the successor, from where their paths part. */
static zvStatus add_coupling(ziUrdf *urdf, const ziXmlElement *element) {
    zvBuilder *b = urdf->builder;
    const ziXmlElement *ratio_element;
    const char *name;
    int ends[2] = {-1, -1};
    double ratio = 1;
    zvStatus status = zi_urdf_name(urdf, element, "name", &name);
    if (status == ZV_OK) status = find_end(urdf, element, "predecessor", &ends[0]);
    if (status == ZV_OK) status = find_end(urdf, element, "successor", &ends[1]);
    if (status == ZV_OK) status = zi_urdf_need_child(urdf, element, "ratio", &ratio_element);
    if (status == ZV_OK) status = zi_urdf_text_number(urdf, ratio_element, &ratio);
    if (status != ZV_OK) return status;
    const size_t most = (size_t)zv_builder_nlink(b) + 1;
    int *above = find_above(b), *paths = malloc(2 * most * sizeof *paths);
    zvLoopTerm *terms = malloc(2 * most * sizeof *terms);
    if (above && paths && terms) {
        int *other = paths + most, shared = 0;
        const int n = list_path(b, above, ends[0], paths), m = list_path(b, above, ends[1], other);
        while (shared < n && shared < m && paths[n - 1 - shared] == other[m - 1 - shared]) shared++;
        zvLoop loop = zv_loop_default(name, ZV_LOOP_COUPLING, ZV_JOINT_FIXED, NULL, NULL);
        loop.mark = zi_urdf_mark(element);
        loop.term_count = add_terms(b, paths, n, shared, ratio, terms);
        loop.term_count += add_terms(b, other, m, shared, -1, terms + loop.term_count);
        loop.terms = terms;
        status = zv_builder_add_loop(b, &loop, urdf->error);
    } else {
        status = zv_fail(urdf->error, ZV_MEMORY, element->mark, "", "out of memory while reading a coupling");
    }
    free(above);
    free(paths);
    free(terms);
    return status;
}

/* All of a robot, in the order of the file. */
zvStatus zi_urdf_loops(ziUrdf *urdf, const ziXmlElement *robot) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next) {
        const ziXmlAttribute *type = zi_xml_attribute(e, "type");
        const bool loop = strcmp(e->name, "loop") == 0, rolls = loop && type && strcmp(type->value, "rolling") == 0;
        if (strcmp(e->name, "coupling") == 0 || rolls)
            status = add_coupling(urdf, e);
        else if (loop || strcmp(e->name, "loop_joint") == 0)
            status = add_loop_joint(urdf, e);
    }
    return status;
}
