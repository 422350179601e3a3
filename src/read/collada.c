/* Collada, as far as shapes of robots go: positions of triangles, polygons, strips and fans, placed by the nodes of the
 * scene. Materials, normals, skins and animations are passed over; a skin is drawn as it is unbent. */
#include "read/collada.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/names.h"
#include "mesh/scan.h"
#include "read/surface.h"
#include "read/xml.h"

enum { MOST_MIB = 256, MOST_INPUTS = 64 };

static const double pi = 3.14159265358979323846;

typedef struct Collada {
    const char *file;
    zvError *error;
    ziNames ids;
    const ziXmlElement **elements; /* with an id */
    size_t count, room;
    ziSurface surface;
} Collada;

static zvStatus fail(const Collada *c, const ziXmlElement *e, zvStatus status, const char *text) {
    return zv_fail(c->error, status, e->mark, e->name, "<%.40s>: %s", e->name, text);
}

static const ziXmlElement *child(const ziXmlElement *element, const char *name) {
    for (const ziXmlElement *e = element->first; e; e = e->next)
        if (strcmp(e->name, name) == 0) return e;
    return NULL;
}

/* Every element with an id, from the outside in. */
static zvStatus collect_ids(Collada *c, const ziXmlElement *root) {
    const ziXmlElement *later[ZI_XML_DEPTH];
    int depth = 0;
    for (const ziXmlElement *e = root; e;) {
        const ziXmlAttribute *id = zi_xml_attribute(e, "id");
        if (id) {
            if (!zi_grow(&c->elements, c->count, &c->room, sizeof *c->elements) ||
                zi_names_add(&c->ids, id->value, (int)c->count) < 0)
                return fail(c, e, ZV_MEMORY, "out of memory while reading the mesh");
            c->elements[c->count++] = e;
        }
        if (e->first) later[depth++] = e->next;
        e = e->first ? e->first : e->next;
        while (!e && depth > 0) e = later[--depth];
    }
    return ZV_OK;
}

/* The element that "#ID" in an attribute means; elsewhere nothing is looked for. */
static zvStatus refer(const Collada *c, const ziXmlElement *e, const char *attribute, const ziXmlElement **found) {
    const ziXmlAttribute *url = zi_xml_attribute(e, attribute);
    const int index = url && url->value[0] == '#' ? zi_names_find(&c->ids, url->value + 1) : -1;
    if (index < 0)
        return zv_fail(c->error, ZV_NAME, e->mark, url ? url->value : attribute,
                       "%s of <%.40s>: expected #ID of an element of this file, found \"%.60s\"", attribute, e->name,
                       url ? url->value : "");
    *found = c->elements[index];
    return ZV_OK;
}

/* The words of an element's text, with their lines. */
static ziMeshScan scan_text(const Collada *c, const ziXmlElement *e) {
    ziMeshScan scan = zi_mesh_scan(c->file, e->text, strlen(e->text), c->error);
    if (e->text_mark.line > 0) scan.line = e->mark.line;
    return scan;
}

static zvStatus floats(const Collada *c, const ziXmlElement *e, size_t count, float *values) {
    ziMeshScan scan = scan_text(c, e);
    for (size_t i = 0; i < count; i++) {
        const ziMeshWord word = zi_mesh_word(&scan);
        if (!word.size) return fail(c, e, ZV_SYNTAX, "expected more numbers");
        const zvStatus status = zi_mesh_number(&scan, word, &values[i]);
        if (status < 0) return status;
    }
    return ZV_OK;
}

static bool whole(ziMeshWord word, size_t *value) {
    *value = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (word.text[i] < '0' || word.text[i] > '9' || *value > 1000000000) return false;
        *value = 10 * *value + (size_t)(word.text[i] - '0');
    }
    return word.size > 0;
}

/* Positions ----------------------------------------------------------------------------------------- */

typedef struct Positions {
    float *values;
    size_t count, stride, offset;
} Positions;

/* How many floats an array really has: its count is not believed. */
static size_t count_words(const char *text) {
    size_t count = 0;
    for (bool in = false; *text; text++) {
        const bool blank = strchr(" \t\r\n", *text) != NULL;
        if (!blank && !in) count++;
        in = !blank;
    }
    return count;
}

/* The array of a <source>, and how its accessor goes through it. */
static zvStatus read_source(Collada *c, const ziXmlElement *source, Positions *p) {
    const ziXmlElement *array = child(source, "float_array"), *technique = child(source, "technique_common");
    const ziXmlElement *accessor = technique ? child(technique, "accessor") : NULL;
    double stride = 3, offset = 0;
    const ziXmlCount one = {1, 1, "write a whole number"};
    if (!array) return fail(c, source, ZV_SCHEMA, "expected a <float_array> of positions, found none");
    const ziXmlAttribute *s = accessor ? zi_xml_attribute(accessor, "stride") : NULL;
    const ziXmlAttribute *o = accessor ? zi_xml_attribute(accessor, "offset") : NULL;
    zvStatus status = s ? zi_xml_numbers(accessor, s, &one, &stride, NULL, c->error) : ZV_OK;
    if (status == ZV_OK && o) status = zi_xml_numbers(accessor, o, &one, &offset, NULL, c->error);
    if (status != ZV_OK) return status;
    const size_t words = count_words(array->text);
    const zvStatus enough = zi_surface_work(&c->surface, source->mark, words);
    if (enough != ZV_OK) return enough;
    if (!(stride >= 3 && stride <= 64) || !(offset >= 0 && offset <= (double)words) || stride != floor(stride) ||
        offset != floor(offset))
        return fail(c, source, ZV_NUMBER, "expected positions of three numbers");
    *p = (Positions){.stride = (size_t)stride, .offset = (size_t)offset};
    p->values = malloc((words + 1) * sizeof *p->values);
    if (!p->values) return fail(c, source, ZV_MEMORY, "out of memory while reading the mesh");
    p->count = words < p->offset + 3 ? 0 : (words - p->offset - 3) / p->stride + 1;
    return floats(c, array, words, p->values);
}

/* By <vertices> that a primitive names, to the source of positions. */
static zvStatus find_positions(Collada *c, const ziXmlElement *vertices, Positions *p) {
    for (const ziXmlElement *e = vertices->first; e; e = e->next) {
        const ziXmlAttribute *semantic = zi_xml_attribute(e, "semantic");
        const ziXmlElement *source;
        if (strcmp(e->name, "input") != 0 || !semantic || strcmp(semantic->value, "POSITION") != 0) continue;
        const zvStatus status = refer(c, e, "source", &source);
        return status != ZV_OK ? status : read_source(c, source, p);
    }
    return fail(c, vertices, ZV_SCHEMA, "expected an <input> of positions, found none");
}

/* Primitives ---------------------------------------------------------------------------------------- */

/* Three positions by their indices. */
static zvStatus add_triangle(Collada *c, const ziXmlElement *e, const Positions *p, const ziAffinity *place,
                             const size_t corner[3]) {
    const float *at[3];
    for (int k = 0; k < 3; k++) {
        if (corner[k] >= p->count) return fail(c, e, ZV_NAME, "expected an index of a position, found a larger one");
        at[k] = p->values + p->offset + p->stride * corner[k];
    }
    return zi_surface_triangle(&c->surface, e->mark, place, at);
}

/* How triangles follow from the corners of one primitive. */
typedef enum Sequence { TRIANGLES, FAN, STRIP } Sequence;

/* Reads corners of a <p>, so many at most (0: all): each is `group` indices of which one is the position's. */
static zvStatus read_corners(Collada *c, ziMeshScan *scan, const ziXmlElement *e, const Positions *p,
                             const ziAffinity *place, Sequence sequence, size_t most, size_t group, size_t offset) {
    size_t corner[3] = {0}, n = 0;
    for (; most == 0 || n < most; n++) {
        const zvStatus enough = zi_surface_work(&c->surface, e->mark, 1);
        if (enough != ZV_OK) return enough;
        size_t index = 0, position = 0;
        for (size_t k = 0; k < group; k++) {
            const ziMeshWord word = zi_mesh_word(scan);
            if (!word.size && k == 0 && most == 0) return ZV_OK;
            if (!word.size || !whole(word, &index)) return zi_mesh_expected(scan, word, ZV_SYNTAX, "an index");
            if (k == offset) position = index;
        }
        const size_t place_of = n < 3 ? n : sequence == TRIANGLES ? n % 3 : 2;
        if (n >= 3 && sequence == FAN) corner[1] = corner[2];
        if (n >= 3 && sequence == STRIP) corner[n % 2 ? 0 : 1] = corner[2];
        corner[place_of] = position;
        const bool complete = sequence == TRIANGLES ? n % 3 == 2 : n >= 2;
        const zvStatus status = complete ? add_triangle(c, e, p, place, corner) : ZV_OK;
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

/* <vcount> says how many corners each polygon of the one <p> has. */
static zvStatus read_polylist(Collada *c, const ziXmlElement *e, const Positions *p, const ziAffinity *place,
                              size_t group, size_t offset) {
    const ziXmlElement *counts = child(e, "vcount"), *indices = child(e, "p");
    if (!counts || !indices) return ZV_OK;
    ziMeshScan scan = scan_text(c, counts), corners = scan_text(c, indices);
    for (;;) {
        size_t count = 0;
        const ziMeshWord word = zi_mesh_word(&scan);
        if (!word.size) return ZV_OK;
        if (!whole(word, &count) || count == 0) return zi_mesh_expected(&scan, word, ZV_SYNTAX, "a number of corners");
        const zvStatus status = read_corners(c, &corners, e, p, place, FAN, count, group, offset);
        if (status != ZV_OK) return status;
    }
}

/* Inputs of a primitive: which <vertices> it uses, and the layout of its indices. */
static zvStatus read_inputs(const Collada *c, const ziXmlElement *e, const ziXmlElement **vertices, size_t *group,
                            size_t *offset) {
    const ziXmlCount one = {1, 1, "write a whole number"};
    *vertices = NULL, *group = 1, *offset = 0;
    for (const ziXmlElement *in = e->first; in; in = in->next) {
        const ziXmlAttribute *semantic = zi_xml_attribute(in, "semantic"), *at = zi_xml_attribute(in, "offset");
        double number = 0;
        if (strcmp(in->name, "input") != 0 || !semantic) continue;
        zvStatus status = at ? zi_xml_numbers(in, at, &one, &number, NULL, c->error) : ZV_OK;
        if (status == ZV_OK && !(number >= 0 && number < MOST_INPUTS && number == floor(number)))
            return fail(c, in, ZV_NUMBER, "expected a small whole number as its offset");
        if (status == ZV_OK && (size_t)number + 1 > *group) *group = (size_t)number + 1;
        if (status == ZV_OK && strcmp(semantic->value, "VERTEX") == 0) {
            *offset = (size_t)number;
            status = refer(c, in, "source", vertices);
        }
        if (status != ZV_OK) return status;
    }
    return ZV_OK;
}

/* All of a primitive's <p>. */
static zvStatus read_primitive(Collada *c, const ziXmlElement *e, const ziAffinity *place) {
    static const char *const words[] = {"triangles", "polylist", "polygons", "tristrips", "trifans"};
    static const Sequence sequences[] = {TRIANGLES, FAN, FAN, STRIP, FAN};
    int kind = 0;
    while (kind < 5 && strcmp(words[kind], e->name) != 0) kind++;
    if (kind == 5) return ZV_OK; /* lines, extra, sources */
    const ziXmlElement *vertices;
    size_t group, offset;
    Positions p = {0};
    zvStatus status = read_inputs(c, e, &vertices, &group, &offset);
    if (status != ZV_OK || !vertices) return status;
    status = find_positions(c, vertices, &p);
    if (status == ZV_OK && kind == 1) status = read_polylist(c, e, &p, place, group, offset);
    for (const ziXmlElement *q = e->first; q && status == ZV_OK && kind != 1; q = q->next) {
        if (strcmp(q->name, "p") != 0) continue;
        ziMeshScan scan = scan_text(c, q);
        status = read_corners(c, &scan, e, &p, place, sequences[kind], 0, group, offset);
    }
    free(p.values);
    return status;
}

static zvStatus read_geometry(Collada *c, const ziXmlElement *geometry, const ziAffinity *place) {
    const ziXmlElement *mesh = child(geometry, "mesh");
    zvStatus status = ZV_OK;
    for (const ziXmlElement *e = mesh ? mesh->first : NULL; e && status == ZV_OK; e = e->next)
        status = read_primitive(c, e, place);
    return status;
}

/* The scene ----------------------------------------------------------------------------------------- */

static ziAffinity rotation(const float axis[3], double degrees) {
    const double size = hypot(hypot(axis[0], axis[1]), axis[2]), s = sin(degrees * pi / 180);
    const double k = 1 - cos(degrees * pi / 180);
    ziAffinity r = zi_affinity_identity();
    if (!(size > 0)) return r;
    const double a[3] = {axis[0] / size, axis[1] / size, axis[2] / size};
    const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r.m[4 * i + j] += s * cross[3 * i + j] + k * (a[i] * a[j] - (i == j));
    return r;
}

/* One of the elements that place a node; the others leave it where it is. */
static zvStatus read_transform(const Collada *c, const ziXmlElement *e, ziAffinity *place) {
    float n[16];
    ziAffinity one = zi_affinity_identity();
    zvStatus status = ZV_OK;
    if (strcmp(e->name, "matrix") == 0) {
        status = floats(c, e, 16, n);
        for (int i = 0; i < 12 && status == ZV_OK; i++) one.m[i] = n[i];
    } else if (strcmp(e->name, "translate") == 0) {
        status = floats(c, e, 3, n);
        for (int i = 0; i < 3 && status == ZV_OK; i++) one.m[4 * i + 3] = n[i];
    } else if (strcmp(e->name, "scale") == 0) {
        status = floats(c, e, 3, n);
        for (int i = 0; i < 3 && status == ZV_OK; i++) one.m[5 * i] = n[i];
    } else if (strcmp(e->name, "rotate") == 0) {
        status = floats(c, e, 4, n);
        if (status == ZV_OK) one = rotation(n, n[3]);
    }
    *place = zi_affinity_product(place, &one);
    return status;
}

/* The geometry that an instance means, itself or below a skin. */
static zvStatus place_geometry(Collada *c, const ziXmlElement *e, const ziAffinity *place) {
    const ziXmlElement *found, *skin;
    zvStatus status = refer(c, e, "url", &found);
    if (status == ZV_OK && strcmp(found->name, "controller") == 0 && (skin = child(found, "skin")))
        status = refer(c, skin, "source", &found);
    return status != ZV_OK || strcmp(found->name, "geometry") != 0 ? status : read_geometry(c, found, place);
}

/* A node with all below it; nodes may stand in several places, within reason. */
static zvStatus read_node(Collada *c, const ziXmlElement *node, ziAffinity place, int depth) {
    zvStatus status = ZV_OK;
    status = zi_surface_node(&c->surface, node->mark, depth);
    if (status != ZV_OK) return status;
    for (const ziXmlElement *e = node->first; e && status == ZV_OK; e = e->next) {
        const ziXmlElement *found;
        if (strcmp(e->name, "node") == 0) {
            status = read_node(c, e, place, depth + 1);
        } else if (strcmp(e->name, "instance_node") == 0) {
            status = refer(c, e, "url", &found);
            if (status == ZV_OK) status = read_node(c, found, place, depth + 1);
        } else if (strcmp(e->name, "instance_geometry") == 0 || strcmp(e->name, "instance_controller") == 0) {
            status = place_geometry(c, e, &place);
        } else {
            status = read_transform(c, e, &place);
        }
    }
    return status;
}

/* Metres in a unit of the file. */
static zvStatus read_unit(const Collada *c, const ziXmlElement *root, double *unit) {
    const ziXmlElement *asset = child(root, "asset"), *e = asset ? child(asset, "unit") : NULL;
    const ziXmlAttribute *meter = e ? zi_xml_attribute(e, "meter") : NULL;
    const ziXmlCount one = {1, 1, "write the metres of a unit"};
    *unit = 1;
    zvStatus status = meter ? zi_xml_numbers(e, meter, &one, unit, NULL, c->error) : ZV_OK;
    if (status == ZV_OK && !(*unit > 0)) return fail(c, e, ZV_NUMBER, "expected a unit above 0 metres");
    return status;
}

/* The scene that the file shows; without one all geometries where they are. */
static zvStatus read_scene(Collada *c, const ziXmlElement *root) {
    const ziXmlElement *scene = child(root, "scene"), *shown = scene ? child(scene, "instance_visual_scene") : NULL;
    const ziXmlElement *visual = child(root, "library_visual_scenes"), *geometries = child(root, "library_geometries");
    ziAffinity place = zi_affinity_identity();
    double unit;
    zvStatus status = read_unit(c, root, &unit);
    for (int i = 0; i < 3; i++) place.m[5 * i] = unit;
    if (strcmp(root->name, "COLLADA") != 0)
        return fail(c, root, ZV_SCHEMA, "expected the root element <COLLADA>; is it a mesh?");
    if (status == ZV_OK && shown)
        status = refer(c, shown, "url", &visual);
    else if (visual)
        visual = child(visual, "visual_scene");
    if (status != ZV_OK) return status;
    if (visual) return read_node(c, visual, place, 0);
    for (const ziXmlElement *e = geometries ? geometries->first : NULL; e && status == ZV_OK; e = e->next)
        if (strcmp(e->name, "geometry") == 0) status = read_geometry(c, e, &place);
    return status;
}

/* The tree of the file first, then what its scene shows. */
zvStatus zi_collada_read(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error) {
    ziXml *xml;
    Collada c = {.file = name, .error = error, .surface = {.error = error}};
    if (size > (size_t)MOST_MIB * 1024 * 1024)
        return zv_fail(error, ZV_SIZE, (zvMark){name, 0, 0}, "", "the file is larger than %d MiB; simplify the mesh",
                       MOST_MIB);
    zvStatus status = zi_xml_read(name, bytes, size, &xml, error);
    if (status != ZV_OK) return status;
    status = collect_ids(&c, zi_xml_root(xml));
    if (status == ZV_OK) status = read_scene(&c, zi_xml_root(xml));
    zi_names_free(&c.ids);
    free(c.elements);
    zi_xml_destroy(xml);
    return zi_surface_end(&c.surface, name, status, mesh);
}
