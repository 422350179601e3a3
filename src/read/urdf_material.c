/* Colours of a URDF robot. A material is defined once, in <robot> or in any <visual>, and used by name anywhere. */
#include <string.h>

#include "base/arena.h"
#include "read/urdf_part.h"

/* *color is NULL where the material has none (a mere reference, or a texture). */
static zvStatus find_color(const ziUrdf *urdf, const ziXmlElement *material, const ziXmlElement **color, double rgba[4],
                           zvError *reason) {
    ziUrdf trial = *urdf;
    trial.error = reason;
    const zvStatus status = zi_urdf_child(&trial, material, "color", color);
    if (status != ZV_OK || !*color) return status;
    return zi_urdf_numbers(&trial, *color, "rgba", true, 4, rgba);
}

/* Notes the material unless it has no name, no colour, or was defined before. What is wrong in the material of a visual
 * is told when the visual is read. */
static zvStatus collect(ziUrdf *urdf, const ziXmlElement *material, bool of_visual) {
    zvError reason = {0};
    const ziXmlElement *color;
    double rgba[4];
    const ziXmlAttribute *name = zi_xml_attribute(material, "name");
    const zvStatus status = find_color(urdf, material, &color, rgba, &reason);
    if (status != ZV_OK && of_visual) return ZV_OK;
    if (status != ZV_OK) return zi_urdf_leave_out(urdf, material, &reason, "material", name ? name->value : NULL);
    if (!name || !color || zi_names_find(&urdf->materials, name->value) >= 0) return ZV_OK;
    if (!zi_grow(&urdf->colors, urdf->ncolor, &urdf->color_capacity, sizeof *urdf->colors) ||
        zi_names_add(&urdf->materials, name->value, (int)urdf->ncolor) < 0)
        return zv_fail(urdf->error, ZV_MEMORY, material->mark, "", "out of memory while reading materials");
    memcpy(urdf->colors[urdf->ncolor++], rgba, sizeof rgba);
    return ZV_OK;
}

static zvStatus collect_children(ziUrdf *urdf, const ziXmlElement *element, bool of_visual) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = element->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "material") == 0) status = collect(urdf, e, of_visual);
    return status;
}

static zvStatus collect_visuals(ziUrdf *urdf, const ziXmlElement *link) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = link->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "visual") == 0) status = collect_children(urdf, e, true);
    return status;
}

zvStatus zi_urdf_collect_materials(ziUrdf *urdf, const ziXmlElement *robot) {
    zvStatus status = collect_children(urdf, robot, false);
    for (const ziXmlElement *e = robot->first; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "link") == 0) status = collect_visuals(urdf, e);
    return status;
}

zvStatus zi_urdf_visual_color(ziUrdf *urdf, const ziXmlElement *visual, zvShape *shape) {
    const ziXmlElement *material, *color;
    zvError reason = {0};
    ziUrdf trial = *urdf;
    trial.error = &reason;
    zvStatus status = zi_urdf_child(&trial, visual, "material", &material);
    if (status == ZV_OK && !material) return ZV_OK;
    if (status == ZV_OK) status = find_color(urdf, material, &color, shape->color, &reason);
    if (status != ZV_OK) return zi_urdf_leave_out(urdf, material, &reason, "link", shape->link);
    const ziXmlAttribute *name = zi_xml_attribute(material, "name");
    const int index = !color && name ? zi_names_find(&urdf->materials, name->value) : -1;
    if (index >= 0) memcpy(shape->color, urdf->colors[index], sizeof shape->color);
    shape->has_color = color || index >= 0;
    return ZV_OK;
}
