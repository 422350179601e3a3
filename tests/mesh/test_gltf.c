/* glTF: a box in a .glb and in a .gltf against its corners by hand, transforms of nodes, strips and fans, and files
 * that are wrong or hostile. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/mesh.h"

static const float corners[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}, {0, 0, 5}};
static const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};

/* The bytes of the buffer: five positions with four bytes between them, six indices. */
static size_t buffer(unsigned char *out) {
    memset(out, 0, 92);
    for (int i = 0; i < 5; i++) memcpy(out + 16 * i, corners[i], 12);
    memcpy(out + 80, indices, 12);
    return 92;
}

#define VIEWS                                                                                                         \
    "\"bufferViews\": [{\"buffer\": 0, \"byteLength\": 80, \"byteStride\": 16}, {\"buffer\": 0, \"byteOffset\": 80, " \
    "\"byteLength\": 12}], \"accessors\": [{\"bufferView\": 0, \"componentType\": 5126, \"count\": 5, \"type\": "     \
    "\"VEC3\"}, "                                                                                                     \
    "{\"bufferView\": 1, \"componentType\": 5123, \"count\": 6, \"type\": \"SCALAR\"}]"
#define FILE_OF(buffer, primitive, nodes)                                   \
    "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [" buffer "], " VIEWS \
    ", \"meshes\": [{\"primitives\": [" primitive "]}], \"nodes\": [" nodes "], \"scenes\": [{\"nodes\": [0]}]}"
#define INDEXED "{\"attributes\": {\"POSITION\": 0}, \"indices\": 1}"

static void put32(unsigned char *at, size_t value) {
    for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> (8 * i) & 255);
}

static size_t glb(const char *json, unsigned char *out) {
    unsigned char bytes[92];
    const size_t text = (strlen(json) + 3) / 4 * 4, size = buffer(bytes), all = 12 + 8 + text + 8 + size;
    memcpy(out, "glTF", 4), put32(out + 4, 2), put32(out + 8, all);
    put32(out + 12, text), memcpy(out + 16, "JSON", 4);
    memset(out + 20, ' ', text), memcpy(out + 20, json, strlen(json));
    put32(out + 20 + text, size), memcpy(out + 24 + text, "BIN\0", 4), memcpy(out + 28 + text, bytes, size);
    return all;
}

static zvMesh read_glb(const char *json) {
    static unsigned char bytes[8192];
    zvMesh mesh;
    zvError error = {0};
    if (zv_mesh_read_memory("a.glb", bytes, glb(json, bytes), &mesh, &error) != ZV_OK) fail_msg("%s", error.text);
    return mesh;
}

static void expect(zvMesh mesh, size_t count, const int (*triangles)[3], double scale) {
    assert_int_equal(mesh.count, count);
    for (size_t i = 0; i < 9 * count; i++)
        assert_near(mesh.corners[i], scale * corners[triangles[i / 9][i / 3 % 3]][i % 3], 1e-6);
    zv_mesh_free(&mesh);
}

static void primitives(void **state) {
    (void)state;
    static const int two[][3] = {{0, 1, 2}, {0, 2, 3}}, strip[][3] = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}};
    static const int fan[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}, one[][3] = {{0, 1, 2}};
    expect(read_glb(FILE_OF("{\"byteLength\": 92}", INDEXED, "{\"mesh\": 0}")), 2, two, 1);
    expect(read_glb(FILE_OF("{}", "{\"attributes\": {\"POSITION\": 0}}", "{\"mesh\": 0}")), 1, one, 1);
    expect(read_glb(FILE_OF("{}", "{\"attributes\": {\"POSITION\": 0}, \"mode\": 5}", "{\"mesh\": 0}")), 3, strip, 1);
    expect(read_glb(FILE_OF("{}", "{\"attributes\": {\"POSITION\": 0}, \"mode\": 6}", "{\"mesh\": 0}")), 3, fan, 1);
    expect(read_glb(FILE_OF("{}", INDEXED, "{\"scale\": [2, 2, 2], \"children\": [1]}, {\"mesh\": 0}")), 2, two, 2);
}

/* A turn by (z, 90 degrees) and a shift, and the same by a matrix, column by column. */
static void transforms(void **state) {
    (void)state;
    const double expected[9] = {1, 2, 3, 1, 4, 3, -2, 4, 3}; /* (x, y, z) -> (1 - y, 2 + x, 3 + z) */
    static const char *const nodes[2] = {
        FILE_OF("{}", INDEXED,
                "{\"mesh\": 0, \"translation\": [1, 2, 3], \"rotation\": [0, 0, 0.7071067811865476, "
                "0.7071067811865476]}"),
        FILE_OF("{}", INDEXED, "{\"mesh\": 0, \"matrix\": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1]}")};
    for (int k = 0; k < 2; k++) {
        zvMesh mesh = read_glb(nodes[k]);
        for (int i = 0; i < 9; i++) assert_near(mesh.corners[i], expected[i], 1e-6);
        zv_mesh_free(&mesh);
    }
}

/* The same bytes in base64. */
static void in_base64(void **state) {
    (void)state;
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const int two[][3] = {{0, 1, 2}, {0, 2, 3}};
    unsigned char bytes[96] = {0};
    char text[256] = "", file[4096];
    const size_t size = buffer(bytes);
    for (size_t i = 0; i < size; i += 3) {
        const unsigned bits = (unsigned)bytes[i] << 16 | (unsigned)bytes[i + 1] << 8 | bytes[i + 2];
        for (int k = 0; k < 4; k++)
            snprintf(text + strlen(text), 2, "%c",
                     3 * size > 3 * i + 2u * (unsigned)k || k < 3 ? letters[bits >> (18 - 6 * k) & 63] : '=');
    }
    snprintf(file, sizeof file,
             FILE_OF("{\"uri\": \"data:application/octet-stream;base64,%s\"}", INDEXED, "{\"mesh\": 0}"), text);
    zvMesh mesh;
    zvError error = {0};
    if (zv_mesh_read_memory("a.gltf", file, strlen(file), &mesh, &error) != ZV_OK) fail_msg("%s", error.text);
    expect(mesh, 2, two, 1);
}

static void hostile(void **state) {
    (void)state;
    static const struct {
        const char *json, *part;
        zvStatus status;
    } cases[] = {
        {"[]", "is it a mesh", ZV_SCHEMA},
        {"{\"asset\": {}}", "number 0 of \"scenes\"", ZV_NAME},
        {FILE_OF("{}", INDEXED, "{\"mesh\": 7}"), "number 7 of \"meshes\"", ZV_NAME},
        {FILE_OF("{}", INDEXED, "{\"mesh\": 0, \"children\": [0]}"), "too many in each other", ZV_SIZE},
        {FILE_OF("{}", "3", "{\"mesh\": 0}"), "", ZV_SCHEMA},
        {FILE_OF("{}", "{\"attributes\": {\"POSITION\": 1}}", "{\"mesh\": 0}"), "three floats", ZV_NOT_SUPPORTED},
        {FILE_OF("{\"uri\": \"http://x/y.bin\"}", INDEXED, "{\"mesh\": 0}"), "elsewhere", ZV_NOT_SUPPORTED},
        {FILE_OF("{\"uri\": \"../../secret\"}", INDEXED, "{\"mesh\": 0}"), "elsewhere", ZV_NOT_SUPPORTED},
        {FILE_OF("{\"uri\": \"data:x;base64,AAAA\"}", INDEXED, "{\"mesh\": 0}"), "the file is cut", ZV_SIZE},
        {FILE_OF("{\"uri\": \"data:x;base64,A!\"}", INDEXED, "{\"mesh\": 0}"), "base64", ZV_SYNTAX},
        {"{\"asset\": {}, \"extensionsRequired\": [\"KHR_draco_mesh_compression\"]}", "compress", ZV_NOT_SUPPORTED},
        {FILE_OF("{}", "{\"attributes\": {\"POSITION\": 0}, \"mode\": 1}", "{\"mesh\": 0}"), "expected triangles",
         ZV_SCHEMA},
    };
    static unsigned char bytes[8192];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zvMesh mesh;
        zvError error = {0};
        const zvStatus status = zv_mesh_read_memory("a.glb", bytes, glb(cases[i].json, bytes), &mesh, &error);
        if (status != cases[i].status || !strstr(error.text, cases[i].part) || mesh.count)
            fail_msg("case %zu: %s: %s", i, zv_status_name(status), error.text);
    }
    const size_t all = glb(FILE_OF("{}", INDEXED, "{\"mesh\": 0}"), bytes);
    for (size_t size = 0; size < all; size++) { /* cut anywhere */
        zvMesh mesh;
        zvError error = {0};
        assert_true(zv_mesh_read_memory("a.glb", bytes, size, &mesh, &error) < 0 && error.text[0]);
    }
}

TESTS(primitives, transforms, in_base64, hostile)
