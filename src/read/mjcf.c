/* MJCF: the file as a whole. Elements that do not touch the dynamics of bodies (sensors, cameras, lights, visual
 * settings, statistics, custom data) are left out without a word; what does and has no place here is told. */
#include "read/mjcf.h"

#include <string.h>

#include "model/builder.h"

bool zi_mjcf_is(const char *bytes, size_t size) {
    ziXmlScan scan = zi_xml_scan_start("", bytes, size);
    ziXmlPiece root;
    return zi_xml_scan_tag(&scan, &root) && root.length == 6 && memcmp(root.start, "mujoco", 6) == 0;
}

static zvStatus read_name(ziMjcf *m) {
    const ziXmlAttribute *name = zi_xml_attribute(m->root, "model");
    const zvMark mark = name ? name->value_mark : m->root->mark;
    const zvStatus status = zi_builder_mark(m->builder, mark, NULL, m->error);
    if (status != ZV_OK || !name || !name->value[0]) return status;
    return zv_builder_set_name(m->builder, name->value, m->error);
}

/* Parts that other files include have the same root. */
static zvStatus check_root(const ziMjcf *m) {
    if (strcmp(m->root->name, "mujoco") != 0)
        return zi_mjcf_fail(m, ZV_SCHEMA, m->root, NULL, "expected the root element <mujoco>, found <%.60s>",
                            m->root->name);
    for (const ziXmlElement *e = m->root->first; e; e = e->next)
        if (strcmp(e->name, "worldbody") == 0) return ZV_OK;
    return zi_mjcf_fail(m, ZV_SCHEMA, m->root, NULL,
                        "expected a <worldbody> with bodies, found none; if this is a part of a model, read the file "
                        "that includes it");
}

/* Section by section: what others refer to by name comes before them. */
zvStatus zi_mjcf_parse(ziMjcf *m, zvBuilder *builder, const char *name, const char *bytes, size_t size,
                       zvError *error) {
    *m = (ziMjcf){.builder = builder, .error = error};
    m->name = zv_builder_keep(builder, name ? name : "");
    if (!m->name) return zi_mjcf_memory(m, NULL);
    zvStatus status = zi_mjcf_load(m, m->name, bytes, size);
    if (status == ZV_OK) status = check_root(m);
    if (status == ZV_OK) status = read_name(m);
    if (status == ZV_OK) status = zi_mjcf_settings(m);
    if (status == ZV_OK) status = zi_mjcf_assets(m);
    if (status == ZV_OK) status = zi_mjcf_bodies(m);
    if (status == ZV_OK) status = zi_mjcf_inertias(m);
    if (status == ZV_OK) status = zi_mjcf_tendons(m);
    if (status == ZV_OK) status = zi_mjcf_rotors(m);
    if (status == ZV_OK) status = zi_mjcf_followers(m);
    if (status == ZV_OK) status = zi_mjcf_build(m);
    return status == ZV_OK ? zi_mjcf_remarks(m) : status;
}

zvStatus zi_mjcf_read(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvError *error) {
    ziMjcf m;
    const zvStatus status = zi_mjcf_parse(&m, builder, name, bytes, size, error);
    zi_mjcf_free(&m);
    return status;
}
