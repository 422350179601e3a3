/* glTF 2.0, as far as shapes of robots go: positions of triangles, strips and fans, placed by the nodes of the scene.
 * A .glb has a chunk of JSON and one of bytes, a .gltf is the JSON with its bytes in base64. Compressed and sparse data
 * are refused. */
#include "read/gltf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "read/surface.h"
#include "zveno/document.h"

enum { MOST_MIB = 256, MOST_BUFFERS = 64, HEAD = 12, CHUNK = 8 };

typedef struct Bytes {
    const unsigned char *at;
    size_t size;
    unsigned char *own; /* decoded, to be freed */
} Bytes;

typedef struct Gltf {
    const char *file;
    zvError *error;
    const zvNode *root;
    Bytes buffers[MOST_BUFFERS];
    int nbuffer;
    ziSurface surface;
} Gltf;

static uint32_t word_at(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static zvStatus fail(const Gltf *g, const zvNode *node, zvStatus status, const char *text) {
    return zv_fail(g->error, status, node ? node->mark : (zvMark){g->file, 0, 0}, node && node->text ? node->text : "",
                   "%s", text);
}

/* Member `index` of a list of the file: nodes, meshes, accessors, bufferViews. */
static zvStatus member(const Gltf *g, const zvNode *at, const char *list, int index, const zvNode **found) {
    const zvNode *all = zv_node_get(g->root, list);
    if (all && all->kind == ZV_NODE_LIST && index >= 0 && index < all->count && all->items[index]->kind == ZV_NODE_MAP)
        return *found = all->items[index], ZV_OK;
    return zv_fail(g->error, ZV_NAME, at ? at->mark : (zvMark){g->file, 0, 0}, list,
                   "expected number %d of \"%s\", found none", index, list);
}

static zvStatus integer(const Gltf *g, const zvNode *map, const char *key, int usual, int *value) {
    const zvNode *node = zv_node_get(map, key);
    *value = usual;
    return node ? zv_node_integer(node, key, value, g->error) : ZV_OK;
}

/* Buffers ------------------------------------------------------------------------------------------- */

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The bytes of "data:...;base64,...". */
static zvStatus from_base64(const Gltf *g, const zvNode *uri, Bytes *bytes) {
    const char *text = uri->text ? strstr(uri->text, ";base64,") : NULL;
    if (!text || strncmp(uri->text, "data:", 5) != 0)
        return fail(g, uri, ZV_NOT_SUPPORTED,
                    "expected a buffer in the file itself, found one elsewhere; convert the mesh to .glb");
    text += strlen(";base64,");
    const size_t length = strlen(text);
    uint32_t bits = 0;
    int count = 0;
    if (!(bytes->own = malloc(length + 1))) return fail(g, uri, ZV_MEMORY, "out of memory while reading the mesh");
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        const int value = digit(text[i]);
        if (value < 0) return fail(g, NULL, ZV_SYNTAX, "expected base64, found another character in a buffer");
        bits = bits << 6 | (uint32_t)value;
        if ((count += 6) < 8) continue;
        count -= 8;
        bytes->own[bytes->size++] = (unsigned char)(bits >> count);
    }
    bytes->at = bytes->own;
    return ZV_OK;
}

/* The first one without an address is the binary chunk. */
static zvStatus read_buffers(Gltf *g, const unsigned char *chunk, size_t size) {
    const zvNode *all = zv_node_get(g->root, "buffers");
    zvStatus status = ZV_OK;
    if (!all || all->kind != ZV_NODE_LIST) return ZV_OK;
    if (all->count > MOST_BUFFERS) return fail(g, all, ZV_SIZE, "expected at most 64 buffers, found more");
    for (int i = 0; i < all->count && status == ZV_OK; i++) {
        const zvNode *uri = zv_node_get(all->items[i], "uri");
        Bytes *bytes = &g->buffers[g->nbuffer++];
        if (uri)
            status = from_base64(g, uri, bytes);
        else if (i == 0 && chunk)
            *bytes = (Bytes){chunk, size, NULL};
        else
            status = fail(g, all->items[i], ZV_SCHEMA, "expected the bytes of a buffer, found none");
    }
    return status;
}

/* Accessors ----------------------------------------------------------------------------------------- */

/* Elements in a buffer: `count` of them, `stride` bytes apart. */
typedef struct Accessor {
    const unsigned char *at;
    size_t count, stride;
    int component;
} Accessor;

static size_t component_size(int type) {
    return type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0;
}

/* Checked to lie in its buffer. */
static zvStatus read_accessor(const Gltf *g, const zvNode *from, int index, bool positions, Accessor *a) {
    const zvNode *accessor = NULL, *view = NULL, *type;
    int where, offset, count, view_buffer, view_offset, length, stride;
    zvStatus status = member(g, from, "accessors", index, &accessor);
    if (status == ZV_OK && zv_node_get(accessor, "sparse"))
        return fail(g, accessor, ZV_NOT_SUPPORTED, "expected plain numbers, found sparse ones; convert the mesh");
    if (status == ZV_OK) status = integer(g, accessor, "bufferView", -1, &where);
    if (status == ZV_OK) status = integer(g, accessor, "byteOffset", 0, &offset);
    if (status == ZV_OK) status = integer(g, accessor, "count", 0, &count);
    if (status == ZV_OK) status = integer(g, accessor, "componentType", 0, &a->component);
    if (status == ZV_OK) status = member(g, accessor, "bufferViews", where, &view);
    if (status == ZV_OK) status = integer(g, view, "buffer", -1, &view_buffer);
    if (status == ZV_OK) status = integer(g, view, "byteOffset", 0, &view_offset);
    if (status == ZV_OK) status = integer(g, view, "byteLength", 0, &length);
    if (status == ZV_OK) status = integer(g, view, "byteStride", 0, &stride);
    if (status != ZV_OK) return status;
    type = zv_node_get(accessor, "type");
    const char *expected = positions ? "VEC3" : "SCALAR";
    const size_t unit = component_size(a->component), width = unit * (positions ? 3 : 1);
    if (!type || !type->text || strcmp(type->text, expected) != 0 || !unit || positions != (a->component == 5126))
        return fail(g, accessor, ZV_NOT_SUPPORTED,
                    positions ? "expected positions of three floats" : "expected indices of 1, 2 or 4 bytes");
    a->count = count > 0 ? (size_t)count : 0;
    a->stride = stride > 0 ? (size_t)stride : width;
    if (view_buffer < 0 || view_buffer >= g->nbuffer || offset < 0 || view_offset < 0 || length < 0 ||
        a->stride < width)
        return fail(g, view, ZV_NUMBER, "expected a place in a buffer");
    const Bytes *bytes = &g->buffers[view_buffer];
    const size_t end = (size_t)view_offset + (size_t)length;
    const size_t need = a->count ? (size_t)offset + (a->count - 1) * a->stride + width : 0;
    if (end > bytes->size || need > (size_t)length)
        return fail(g, accessor, ZV_SIZE, "expected numbers within their buffer; the file is cut");
    a->at = bytes->at + (size_t)view_offset + (size_t)offset;
    return ZV_OK;
}

static size_t index_at(const Accessor *a, size_t i) {
    const unsigned char *b = a->at + i * a->stride;
    return a->component == 5121 ? b[0] : a->component == 5123 ? (size_t)(b[0] | b[1] << 8) : word_at(b);
}

static void position_at(const Accessor *a, size_t i, float x[3]) {
    for (int k = 0; k < 3; k++) {
        const uint32_t bits = word_at(a->at + i * a->stride + 4 * (size_t)k);
        memcpy(&x[k], &bits, sizeof bits);
    }
}

/* Primitives and nodes ------------------------------------------------------------------------------ */

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

/* Corner k of triangle t in the list of corners. */
static size_t corner_of(int mode, size_t t, int k) {
    if (mode == FAN) return k == 0 ? 0 : t + (size_t)k;
    if (mode == STRIP && t % 2 && k < 2) return t + 1 - (size_t)k;
    return mode == STRIP ? t + (size_t)k : 3 * t + (size_t)k;
}

/* Triangles of positions, by indices where there are some. */
static zvStatus read_primitive(Gltf *g, const zvNode *primitive, const ziAffinity *place) {
    const zvNode *attributes = zv_node_get(primitive, "attributes");
    Accessor positions, indices = {0};
    int mode, position, index;
    zvStatus status = integer(g, primitive, "mode", TRIANGLES, &mode);
    if (status == ZV_OK) status = integer(g, primitive, "indices", -1, &index);
    if (status == ZV_OK) status = attributes ? integer(g, attributes, "POSITION", -1, &position) : ZV_OK;
    if (status != ZV_OK || !attributes || position < 0 || mode < TRIANGLES || mode > FAN) return status;
    status = read_accessor(g, primitive, position, true, &positions);
    if (status == ZV_OK && index >= 0) status = read_accessor(g, primitive, index, false, &indices);
    const size_t corners = index >= 0 ? indices.count : positions.count;
    const size_t triangles = mode == TRIANGLES ? corners / 3 : corners < 3 ? 0 : corners - 2;
    if (status == ZV_OK) status = zi_surface_work(&g->surface, primitive->mark, corners);
    for (size_t t = 0; t < triangles && status == ZV_OK; t++) {
        float x[3][3];
        const float *at[3] = {x[0], x[1], x[2]};
        for (int k = 0; k < 3; k++) {
            size_t corner = corner_of(mode, t, k);
            if (index >= 0) corner = index_at(&indices, corner);
            if (corner >= positions.count)
                return fail(g, primitive, ZV_NAME, "expected an index of a position, found a larger one");
            position_at(&positions, corner, x[k]);
        }
        status = zi_surface_triangle(&g->surface, primitive->mark, place, at);
    }
    return status;
}

/* A matrix by columns, or translation, rotation (x y z w) and scale. */
static zvStatus read_place(const Gltf *g, const zvNode *node, ziAffinity *place) {
    const zvNode *matrix = zv_node_get(node, "matrix"), *t = zv_node_get(node, "translation");
    const zvNode *r = zv_node_get(node, "rotation"), *s = zv_node_get(node, "scale");
    double m[16], p[3] = {0, 0, 0}, e[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    *place = zi_affinity_identity();
    if (matrix) {
        const zvStatus status = zv_node_numbers(matrix, "matrix", 16, m, g->error);
        for (int i = 0; i < 12 && status == ZV_OK; i++) place->m[i] = m[4 * (i % 4) + i / 4];
        return status;
    }
    zvStatus status = t ? zv_node_numbers(t, "translation", 3, p, g->error) : ZV_OK;
    if (status == ZV_OK && r) status = zv_node_numbers(r, "rotation", 4, e, g->error);
    if (status == ZV_OK && s) status = zv_node_numbers(s, "scale", 3, scale, g->error);
    const double n = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3], k = n > 0 ? 2 / n : 0;
    const double R[9] = {
        1 - k * (e[1] * e[1] + e[2] * e[2]), k * (e[0] * e[1] - e[3] * e[2]),     k * (e[0] * e[2] + e[3] * e[1]),
        k * (e[0] * e[1] + e[3] * e[2]),     1 - k * (e[0] * e[0] + e[2] * e[2]), k * (e[1] * e[2] - e[3] * e[0]),
        k * (e[0] * e[2] - e[3] * e[1]),     k * (e[1] * e[2] + e[3] * e[0]),     1 - k * (e[0] * e[0] + e[1] * e[1])};
    for (int i = 0; i < 12; i++) place->m[i] = i % 4 == 3 ? p[i / 4] : R[3 * (i / 4) + i % 4] * scale[i % 4];
    return status;
}

/* A node, its mesh, and its children. */
static zvStatus read_node(Gltf *g, const zvNode *from, int index, const ziAffinity *outer, int depth) {
    const zvNode *node, *mesh, *list;
    ziAffinity own;
    int number;
    zvStatus status = member(g, from, "nodes", index, &node);
    if (status == ZV_OK) status = zi_surface_node(&g->surface, node->mark, depth);
    if (status == ZV_OK) status = read_place(g, node, &own);
    if (status == ZV_OK) status = integer(g, node, "mesh", -1, &number);
    if (status != ZV_OK) return status;
    const ziAffinity place = zi_affinity_product(outer, &own);
    if (number >= 0) {
        status = member(g, node, "meshes", number, &mesh);
        list = status == ZV_OK ? zv_node_get(mesh, "primitives") : NULL;
        for (int i = 0; list && list->kind == ZV_NODE_LIST && i < list->count && status == ZV_OK; i++)
            status = read_primitive(g, list->items[i], &place);
    }
    list = zv_node_get(node, "children");
    for (int i = 0; list && list->kind == ZV_NODE_LIST && i < list->count && status == ZV_OK; i++) {
        status = zv_node_integer(list->items[i], "children", &number, g->error);
        if (status == ZV_OK) status = read_node(g, node, number, &place, depth + 1);
    }
    return status;
}

/* Extensions without which the positions are not what they seem. */
static zvStatus check_extensions(const Gltf *g) {
    const zvNode *list = zv_node_get(g->root, "extensionsRequired");
    for (int i = 0; list && list->kind == ZV_NODE_LIST && i < list->count; i++) {
        const char *name = list->items[i]->text ? list->items[i]->text : "";
        if (strstr(name, "draco") || strstr(name, "meshopt") || strstr(name, "quantization"))
            return fail(g, list->items[i], ZV_NOT_SUPPORTED,
                        "expected plain geometry, found compressed one; convert the mesh without compression");
    }
    return ZV_OK;
}

/* The scene that the file shows, else its first. */
static zvStatus read_scene(Gltf *g) {
    const ziAffinity here = zi_affinity_identity();
    const zvNode *scene = NULL, *list;
    int number;
    if (!g->root || g->root->kind != ZV_NODE_MAP || !zv_node_get(g->root, "asset"))
        return fail(g, g->root, ZV_SCHEMA, "expected a glTF with an \"asset\"; is it a mesh?");
    zvStatus status = check_extensions(g);
    if (status == ZV_OK) status = integer(g, g->root, "scene", 0, &number);
    if (status == ZV_OK) status = member(g, NULL, "scenes", number, &scene);
    list = status == ZV_OK ? zv_node_get(scene, "nodes") : NULL;
    for (int i = 0; list && list->kind == ZV_NODE_LIST && i < list->count && status == ZV_OK; i++) {
        status = zv_node_integer(list->items[i], "nodes", &number, g->error);
        if (status == ZV_OK) status = read_node(g, scene, number, &here, 0);
    }
    return status;
}

/* The two chunks of a .glb; a .gltf is the JSON alone. */
static zvStatus split(const Gltf *g, const unsigned char *b, size_t size, Bytes *json, Bytes *chunk) {
    *json = (Bytes){b, size, NULL}, *chunk = (Bytes){0};
    if (size < 4 || memcmp(b, "glTF", 4) != 0) return ZV_OK;
    const size_t first = size >= HEAD + CHUNK ? word_at(b + HEAD) : 0;
    if (size < HEAD + CHUNK || word_at(b + 4) != 2 || memcmp(b + HEAD + 4, "JSON", 4) != 0 ||
        first > size - HEAD - CHUNK)
        return fail(g, NULL, ZV_SYNTAX, "expected glTF 2 with a chunk of JSON; the file is cut or older");
    *json = (Bytes){b + HEAD + CHUNK, first, NULL};
    const size_t second = HEAD + CHUNK + first;
    if (size < second + CHUNK) return ZV_OK;
    const size_t length = word_at(b + second);
    if (length > size - second - CHUNK) return fail(g, NULL, ZV_SYNTAX, "expected a whole chunk; the file is cut");
    *chunk = (Bytes){b + second + CHUNK, length, NULL};
    return ZV_OK;
}

/* JSON is YAML: documents are read by the reader of these. */
zvStatus zi_gltf_read(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error) {
    Gltf g = {.file = name, .error = error, .surface = {.error = error}};
    Bytes json, chunk;
    zvDocument *document = NULL;
    if (size > (size_t)MOST_MIB * 1024 * 1024)
        return fail(&g, NULL, ZV_SIZE, "the file is larger than 256 MiB; simplify the mesh");
    zvStatus status = split(&g, bytes, size, &json, &chunk);
    if (status == ZV_OK) status = zv_document_read_memory(name, (const char *)json.at, json.size, &document, error);
    if (status == ZV_OK) {
        g.root = zv_document_root(document);
        if (g.root) status = read_buffers(&g, chunk.at, chunk.size);
        if (status == ZV_OK) status = read_scene(&g);
    }
    for (int i = 0; i < g.nbuffer; i++) free(g.buffers[i].own);
    zv_document_destroy(document);
    return zi_surface_end(&g.surface, name, status, mesh);
}
