/* Geoms of an MJCF file: where they stand, how large they are, what they weigh. */
#include <math.h>
#include <string.h>

#include "read/mjcf.h"

enum { TYPES = ZI_MJCF_SDF + 1 };

static const char *const types[TYPES] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                         "cylinder", "box",    "mesh",   "sdf"};

/* Sizes that a type has: of a capsule radius and half the length, of a box half the edges. */
static const int sizes[TYPES] = {0, 0, 1, 2, 3, 2, 3, 0, 0};

/* The mesh of a geom; a primitive with a mesh is fitted to it. */
static zvStatus read_mesh(ziMjcf *m, ziMjcfItem item, ziMjcfGeom *geom) {
    const char *name = zi_mjcf_text(m, item, "mesh");
    geom->mesh = -1;
    if (!name && geom->type != ZI_MJCF_MESH) return ZV_OK;
    if (name) geom->mesh = zi_names_find(&m->mesh_names, name);
    if (geom->mesh >= 0) return ZV_OK;
    if (!name)
        return zi_mjcf_fail(m, ZV_SCHEMA, item.element, NULL,
                            "<geom>: expected mesh=\"...\" of a geom of type mesh, found none; add it");
    const char *names[64];
    size_t count = 0;
    for (; count < m->nmesh && count < 64; count++) names[count] = m->meshes[count].name;
    const char *near = zv_nearest_name(name, names, count);
    return zi_mjcf_fail(m, ZV_NAME, item.element, "mesh",
                        "mesh of <geom>: expected a mesh of <asset>, found \"%.60s\"%s%.60s%s", name,
                        near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* A line from one end to the other: the middle, z from the second to the first, half the length as the last size. */
static zvStatus lay_along(ziMjcf *m, ziMjcfItem item, const double ends[6], ziMjcfGeom *geom) {
    const double z[3] = {ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]};
    const double length = hypot(hypot(z[0], z[1]), z[2]);
    if (sizes[geom->type] < 2)
        return zi_mjcf_fail(m, ZV_SCHEMA, item.element, "fromto",
                            "fromto of <geom>: expected a capsule, cylinder, ellipsoid or box, found a %s",
                            types[geom->type]);
    if (!(length > 1e-14))
        return zi_mjcf_fail(m, ZV_NUMBER, item.element, "fromto",
                            "fromto of <geom>: expected two points apart, found one twice");
    for (int i = 0; i < 3; i++) geom->pose.p[i] = 0.5 * (ends[i] + ends[3 + i]);
    zi_mjcf_from_z(z, geom->pose.R);
    if (sizes[geom->type] == 3) geom->size[1] = geom->size[0];
    geom->size[sizes[geom->type] - 1] = 0.5 * length;
    return ZV_OK;
}

/* Pose and sizes; what fits a mesh has those of the mesh. */
static zvStatus read_form(ziMjcf *m, ziMjcfItem item, ziMjcfGeom *geom) {
    double ends[6];
    int line, count;
    zvStatus status = zi_mjcf_pose(m, item, &geom->pose);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "size", 1, 3, geom->size, &count);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "fromto", 6, 6, ends, &line);
    if (status == ZV_OK && line == 6 && geom->mesh < 0) status = lay_along(m, item, ends, geom);
    if (status != ZV_OK || geom->mesh >= 0) return status;
    for (int i = 0; i < sizes[geom->type]; i++) {
        if (geom->size[i] > 0) continue;
        return zi_mjcf_fail(m, ZV_NUMBER, item.element, "size",
                            "size of <geom>: expected %d number%s above 0 for a %s, found another; a %s has %s",
                            sizes[geom->type], sizes[geom->type] == 1 ? "" : "s", types[geom->type], types[geom->type],
                            sizes[geom->type] == 1   ? "a radius"
                            : sizes[geom->type] == 2 ? "a radius and half its length"
                                                     : "half of each of its axes");
    }
    return ZV_OK;
}

/* Its own colour, else that of its material. */
static zvStatus read_color(ziMjcf *m, ziMjcfItem item, ziMjcfGeom *geom) {
    int count;
    const char *material = zi_mjcf_text(m, item, "material");
    zvStatus status = zi_mjcf_numbers(m, item, "rgba", 4, 4, geom->color, &count);
    const int index = material ? zi_names_find(&m->color_names, material) : -1;
    geom->has_color = count == 4 || index >= 0;
    if (status == ZV_OK && count == 0 && index >= 0) memcpy(geom->color, m->colors[index].rgba, sizeof geom->color);
    for (int i = 0; i < 4; i++) geom->color[i] = fmax(0, fmin(1, geom->color[i]));
    return status;
}

/* Mass or density, and whether the geom counts and collides. */
static zvStatus read_weight(ziMjcf *m, ziMjcfItem item, ziMjcfGeom *geom) {
    double group = 0, kinds[2] = {1, 1};
    geom->mass = NAN;
    geom->density = 1000;
    geom->fitscale = 1;
    zvStatus status = zi_mjcf_number(m, item, "mass", &geom->mass);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "density", &geom->density);
    if (status == ZV_OK) status = zi_mjcf_flag(m, item, "shellinertia", &geom->shell);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "fitscale", &geom->fitscale);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "group", &group);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "contype", &kinds[0]);
    if (status == ZV_OK) status = zi_mjcf_number(m, item, "conaffinity", &kinds[1]);
    geom->group = (int)fmax(-1e6, fmin(1e6, group));
    geom->collides = kinds[0] != 0 || kinds[1] != 0;
    if (status != ZV_OK || (!(geom->mass < 0) && geom->density >= 0)) return status;
    return zi_mjcf_fail(m, ZV_PHYSICS, item.element, geom->mass < 0 ? "mass" : "density",
                        "<geom>: expected a mass and a density of at least 0, found one below");
}

/* Nothing is weighed here: meshes are opened only for bodies that need them. */
zvStatus zi_mjcf_geom(ziMjcf *m, ziMjcfItem item, const zvPose *frame, int body) {
    ziMjcfGeom geom = {.element = item.element, .body = body, .color = {0.5, 0.5, 0.5, 1}};
    int type = ZI_MJCF_SPHERE;
    zvStatus status = zi_mjcf_word(m, item, "type", types, TYPES, &type);
    geom.type = (ziMjcfGeomType)type;
    if (status == ZV_OK) status = read_mesh(m, item, &geom);
    if (status == ZV_OK) status = read_form(m, item, &geom);
    if (status == ZV_OK) status = read_color(m, item, &geom);
    if (status == ZV_OK) status = read_weight(m, item, &geom);
    if (status != ZV_OK) return status;
    geom.pose = zv_pose_compose(frame, &geom.pose);
    if (!zi_grow(&m->geoms, m->ngeom, &m->geom_room, sizeof *m->geoms)) return zi_mjcf_memory(m, item.element);
    m->geoms[m->ngeom++] = geom;
    return ZV_OK;
}
