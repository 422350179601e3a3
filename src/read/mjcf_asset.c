/* <asset> of an MJCF file: meshes and the colours of materials. Textures, skins and height fields are for pictures and
 * contacts alone. */
#include <string.h>

#include "read/mjcf.h"
#include "spatial/quaternion.h"

/* The end of a path without folders and suffix. */
static const char *stem_of(ziMjcf *m, const char *path) {
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
    const char *name = slash ? slash + 1 : path;
    if (back && back + 1 > name) name = back + 1;
    const char *point = strrchr(name, '.');
    return zi_mjcf_print(m, "%.*s", (int)(point ? point - name : (long)strlen(name)), name);
}

/* The path as pictures need it: beside the main file, which is not named in it. */
static const char *drawn_file(ziMjcf *m, const char *file) {
    const char *slash = m->strippath ? strrchr(file, '/') : NULL;
    if (slash) file = slash + 1;
    if (!m->meshdir || file[0] == '/') return zi_arena_text(&m->arena, file);
    const size_t length = strlen(m->meshdir);
    return zi_mjcf_print(m, "%s%s%s", m->meshdir, m->meshdir[length - 1] == '/' ? "" : "/", file);
}

/* Scale, place and turn of the file, and how its inertia is reckoned. */
static zvStatus read_numbers(ziMjcf *m, ziMjcfMesh *mesh) {
    static const char *const words[] = {"convex", "exact", "legacy", "shell"};
    double quat[4] = {1, 0, 0, 0};
    int method = ZI_MJCF_LEGACY;
    zvStatus status = zi_mjcf_numbers(m, mesh->item, "scale", 3, 3, mesh->scale, NULL);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, mesh->item, "refpos", 3, 3, mesh->refpos, NULL);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, mesh->item, "refquat", 4, 4, quat, NULL);
    if (status == ZV_OK) status = zi_mjcf_word(m, mesh->item, "inertia", words, 4, &method);
    if (status == ZV_OK && quat[0] == 0 && quat[1] == 0 && quat[2] == 0 && quat[3] == 0)
        return zi_mjcf_fail(m, ZV_NUMBER, mesh->item.element, "refquat",
                            "refquat of <mesh>: expected a quaternion, found zeros");
    memcpy(mesh->refquat, (double[4]){quat[1], quat[2], quat[3], quat[0]}, sizeof mesh->refquat);
    mesh->method = (ziMjcfMeshInertia)method;
    return status;
}

/* Only its numbers; the file is opened where a mass depends on it. */
static zvStatus read_mesh(ziMjcf *m, const ziXmlElement *element) {
    ziMjcfMesh mesh = {.item = {element, "mesh", 0}, .scale = {1, 1, 1}};
    zvStatus status = zi_mjcf_class(m, element, "class", 0, &mesh.item.class);
    if (status == ZV_OK) status = read_numbers(m, &mesh);
    if (status != ZV_OK) return status;
    const ziXmlAttribute *name = zi_xml_attribute(element, "name"), *file = zi_xml_attribute(element, "file");
    if (file && file->value[0]) mesh.file = drawn_file(m, file->value);
    mesh.name = name && name->value[0] ? name->value : mesh.file ? stem_of(m, file->value) : "";
    if ((file && file->value[0] && !mesh.file) || !mesh.name ||
        !zi_grow(&m->meshes, m->nmesh, &m->mesh_room, sizeof *m->meshes))
        return zi_mjcf_memory(m, element);
    if (mesh.name[0] && zi_names_find(&m->mesh_names, mesh.name) >= 0)
        return zi_mjcf_fail(m, ZV_NAME, element, "name", "<mesh>: expected a name of its own, found \"%.60s\" again",
                            mesh.name);
    if (zi_names_add(&m->mesh_names, mesh.name, (int)m->nmesh) < 0) return zi_mjcf_memory(m, element);
    m->meshes[m->nmesh++] = mesh;
    return ZV_OK;
}

/* Its colour; textures are not read. */
static zvStatus read_material(ziMjcf *m, const ziXmlElement *element) {
    ziMjcfItem item = {element, "material", 0};
    ziMjcfColor color = {{1, 1, 1, 1}};
    const ziXmlAttribute *name = zi_xml_attribute(element, "name");
    zvStatus status = zi_mjcf_class(m, element, "class", 0, &item.class);
    if (status == ZV_OK) status = zi_mjcf_numbers(m, item, "rgba", 4, 4, color.rgba, NULL);
    if (status != ZV_OK || !name) return status;
    if (!zi_grow(&m->colors, m->ncolor, &m->color_room, sizeof *m->colors) ||
        zi_names_add(&m->color_names, name->value, (int)m->ncolor) < 0)
        return zi_mjcf_memory(m, element);
    m->colors[m->ncolor++] = color;
    return ZV_OK;
}

/* All <asset> sections in the order of the file. */
zvStatus zi_mjcf_assets(ziMjcf *m) {
    zvStatus status = ZV_OK;
    for (const ziXmlElement *section = m->root->first; section; section = section->next) {
        if (strcmp(section->name, "asset") != 0) continue;
        for (const ziXmlElement *e = section->first; e && status == ZV_OK; e = e->next) {
            if (strcmp(e->name, "mesh") == 0) status = read_mesh(m, e);
            if (strcmp(e->name, "material") == 0) status = read_material(m, e);
        }
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

/* v in the geom = S R^T (v - refpos): what a scale by each axis leaves of that as a pose. */
zvPose zi_mjcf_mesh_pose(const ziMjcfMesh *mesh) {
    zvPose pose;
    double R[9];
    zi_rotation_of(mesh->refquat, R);
    for (int i = 0; i < 3; i++) {
        pose.p[i] = 0;
        for (int j = 0; j < 3; j++) {
            pose.R[3 * i + j] = R[3 * j + i];
            pose.p[i] -= mesh->scale[i] * R[3 * j + i] * mesh->refpos[j];
        }
    }
    return pose;
}
