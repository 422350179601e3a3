/* Links of SDF: inertia and shapes. A link without <inertial>, and what one leaves out, has what the format says: a
 * kilogram, and a kilogram times a square metre about each axis. */
#include <string.h>

#include "read/sdf.h"

/* R J R^T of xx xy xz yy yz zz. */
static void turn_moments(const double R[9], double J[6]) {
    const double A[9] = {J[0], J[1], J[2], J[1], J[3], J[4], J[2], J[4], J[5]};
    double B[9], C[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) B[3 * i + j] = R[3 * i] * A[j] + R[3 * i + 1] * A[3 + j] + R[3 * i + 2] * A[6 + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = B[3 * i] * R[3 * j] + B[3 * i + 1] * R[3 * j + 1] + B[3 * i + 2] * R[3 * j + 2];
    const double turned[6] = {C[0], (C[1] + C[3]) / 2, (C[2] + C[6]) / 2, C[4], (C[5] + C[7]) / 2, C[8]};
    memcpy(J, turned, sizeof turned);
}

/* What the format fills in. */
static zvStatus tell_default(const ziSdf *s, const ziXmlElement *inertial, const char *word, const char *filled) {
    return zi_urdf_remark(&s->u, ZV_SEVERITY_NOTE, "default-inertial", inertial->mark, word, "write the value",
                          "expected <%s> in <%s>, found none: the format gives the link %s", word, inertial->name,
                          filled);
}

/* Of mass and moments; products of inertia are zero unless written. */
static zvStatus tell_defaults(const ziSdf *s, const ziXmlElement *inertial) {
    static const char *const words[3] = {"ixx", "iyy", "izz"};
    const ziXmlElement *inertia = zi_urdf_first(inertial, "inertia");
    zvStatus status = ZV_OK;
    if (!zi_urdf_first(inertial, "mass")) status = tell_default(s, inertial, "mass", "1 kg");
    if (status == ZV_OK && !inertia)
        return tell_default(s, inertial, "inertia", "moments of inertia of 1 kg m^2 about each axis");
    for (int i = 0; i < 3 && status == ZV_OK; i++)
        if (!zi_urdf_first(inertia, words[i])) status = tell_default(s, inertia, words[i], "1 kg m^2");
    return status;
}

/* Moments are in the axes of the inertial's own pose. */
static zvStatus read_inertial(ziSdf *s, int frame, const ziXmlElement *inertial, zvInertia *inertia) {
    static const char *const words[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const ziXmlAttribute *automatic = zi_xml_attribute(inertial, "auto");
    zvPose pose;
    zvStatus status = zi_sdf_pose_in(s, inertial, frame, &pose);
    if (automatic && strcmp(automatic->value, "true") == 0)
        return status != ZV_OK ? status
                               : zi_sdf_lost(s, inertial, NULL,
                                             "the inertia is left out: it is to be reckoned from the "
                                             "link's collisions",
                                             "write the mass and the moments of inertia");
    *inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
    if (status == ZV_OK && !s->frames[frame].fixed) status = tell_defaults(s, inertial);
    if (status == ZV_OK) status = zi_sdf_number(s, inertial, "mass", &inertia->mass);
    for (int i = 0; i < 6 && status == ZV_OK; i++)
        status = zi_sdf_number(s, zi_urdf_first(inertial, "inertia"), words[i], &inertia->moment[i]);
    memcpy(inertia->com, pose.p, sizeof inertia->com);
    turn_moments(pose.R, inertia->moment);
    if (status == ZV_OK && zi_urdf_first(inertial, "fluid_added_mass"))
        status = zi_sdf_lost(s, inertial, "fluid_added_mass", "the added mass of a fluid is left out",
                             "nothing to do outside of water");
    return status;
}

/* Settings of a link that move it otherwise than here. */
static zvStatus tell_settings(ziSdf *s, const ziXmlElement *link) {
    static const struct {
        const char *element, *why, *repair;
        bool wanted;
    } lost[] = {
        {"gravity", "gravity is switched off for the link there, not here",
         "nothing to do, or set --gravity 0,0,0 for the whole robot", false},
        {"kinematic", "the link is moved without forces there, and by them here", "lock its joint (--lock)", true}};
    zvStatus status = ZV_OK;
    for (size_t i = 0; i < 2 && status == ZV_OK; i++) {
        const ziXmlElement *e = zi_urdf_first(link, lost[i].element);
        if (e && zi_urdf_says(e, lost[i].wanted)) status = zi_sdf_lost(s, e, NULL, lost[i].why, lost[i].repair);
    }
    double decay[2] = {0, 0};
    const ziXmlElement *e = zi_urdf_first(link, "velocity_decay");
    if (status == ZV_OK) status = zi_sdf_number(s, e, "linear", &decay[0]);
    if (status == ZV_OK) status = zi_sdf_number(s, e, "angular", &decay[1]);
    if (status == ZV_OK && (decay[0] != 0 || decay[1] != 0))
        status =
            zi_sdf_lost(s, e, "velocity_decay", "velocity_decay is left out: links do not lose speed by themselves",
                        "give joints damping");
    return status;
}

/* Sizes by kind; false: of another kind, which is not drawn. */
static zvStatus read_geometry(ziSdf *s, const ziXmlElement *geometry, zvShape *shape, bool *known) {
    static const struct {
        const char *word;
        zvShapeKind kind;
    } kinds[] = {
        {"box", ZV_SHAPE_BOX}, {"cylinder", ZV_SHAPE_CYLINDER}, {"sphere", ZV_SHAPE_SPHERE}, {"mesh", ZV_SHAPE_MESH}};
    zvStatus status = ZV_OK;
    *known = false;
    for (size_t i = 0; i < 4 && !*known; i++) {
        const ziXmlElement *e = geometry ? zi_urdf_first(geometry, kinds[i].word) : NULL, *size;
        if (!e) continue;
        *known = true;
        *shape = zv_shape_default(shape->link, kinds[i].kind);
        if (shape->kind == ZV_SHAPE_BOX && (size = zi_urdf_first(e, "size")))
            status = zi_sdf_numbers(s, size, 3, 3, shape->size, NULL);
        if (shape->kind == ZV_SHAPE_CYLINDER || shape->kind == ZV_SHAPE_SPHERE)
            status = zi_sdf_number(s, e, "radius", &shape->size[0]);
        if (status == ZV_OK && shape->kind == ZV_SHAPE_CYLINDER)
            status = zi_sdf_number(s, e, "length", &shape->size[1]);
        if (shape->kind != ZV_SHAPE_MESH) continue;
        shape->mesh = zi_sdf_text(s, e, "uri");
        if ((size = zi_urdf_first(e, "scale"))) status = zi_sdf_numbers(s, size, 3, 3, shape->size, NULL);
    }
    return status;
}

/* A visual or collision of a kind that is drawn. */
static zvStatus put_look(ziSdf *s, int frame, const char *link, const ziXmlElement *e) {
    zvShape shape = zv_shape_default(link, ZV_SHAPE_BOX);
    const ziXmlAttribute *name = zi_xml_attribute(e, "name");
    const ziXmlElement *material = zi_urdf_first(e, "material");
    const ziXmlElement *color = material ? zi_urdf_first(material, "diffuse") : NULL;
    double rgba[4] = {0, 0, 0, 1};
    bool known;
    zvStatus status = read_geometry(s, zi_urdf_first(e, "geometry"), &shape, &known);
    if (status != ZV_OK || !known) return status;
    shape.collision = strcmp(e->name, "collision") == 0;
    shape.name = name && name->value[0] ? name->value : NULL;
    shape.mark = zi_urdf_mark(e);
    if (color && !shape.collision) {
        status = zi_sdf_numbers(s, color, 3, 4, rgba, NULL);
        memcpy(shape.color, rgba, sizeof shape.color);
        shape.has_color = true;
    }
    if (status == ZV_OK) status = zi_sdf_pose_in(s, e, frame, &shape.pose);
    return status != ZV_OK ? status : zv_builder_add_shape(s->u.builder, &shape, s->u.error);
}

/* The link, then what it looks like. */
zvStatus zi_sdf_add_link(ziSdf *s, int frame) {
    const ziSdfFrame *f = &s->frames[frame];
    const ziXmlElement *inertial = zi_urdf_first(f->element, "inertial");
    zvLink link = zv_link_default(f->name);
    s->u.kind = "link", s->u.name = f->name;
    link.mark = zi_urdf_mark(f->element);
    link.has_inertia = true;
    link.inertia = (zvInertia){.mass = 1, .moment = {1, 0, 0, 1, 0, 1}};
    zvStatus status = ZV_OK;
    if (inertial) {
        link.inertia = (zvInertia){0};
        link.inertia_spot = link.mass_spot = (zvSpot){inertial->mark.line, inertial->mark.column};
        status = read_inertial(s, frame, inertial, &link.inertia);
    } else if (!f->fixed) {
        status = zi_urdf_remark(&s->u, ZV_SEVERITY_NOTE, "default-inertial", link.mark, "inertial",
                                "write its mass and moments of inertia",
                                "expected <inertial>, found none: the format gives the link 1 kg and moments of 1 kg "
                                "m^2");
    }
    if (status == ZV_OK) status = tell_settings(s, f->element);
    if (status == ZV_OK) status = zv_builder_add_link(s->u.builder, &link, s->u.error);
    for (const ziXmlElement *e = f->element->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "visual") == 0 || strcmp(e->name, "collision") == 0)
            status = put_look(s, frame, f->name, e);
    return status;
}
