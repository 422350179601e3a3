/* Meshes from STL and OBJ: what is read, and what is refused with the place where it stands. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/run_tests.h"
#include "zveno/mesh.h"

static const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 2.5f, -1e-3f};

static void put32(char *bytes, uint32_t bits) {
    for (int i = 0; i < 4; i++) bytes[i] = (char)(bits >> (8 * i) & 0xff);
}

/* A binary STL file of count equal triangles, to be freed. */
static char *binary(uint32_t count, size_t *size) {
    *size = 84 + 50 * (size_t)count;
    char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    memcpy(bytes, "solid but binary", 16);
    put32(bytes + 80, count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 9; k++) {
            uint32_t bits;
            memcpy(&bits, &corner[k], sizeof bits);
            put32(bytes + 84 + 50 * i + 12 + 4 * k, bits);
        }
    return bytes;
}

static zvMesh read_good(const char *name, const void *bytes, size_t size) {
    zvMesh mesh;
    zvError error = {0};
    if (zv_mesh_read_memory(name, bytes, size, &mesh, &error) != ZV_OK) fail_msg("%s refused: %s", name, error.text);
    return mesh;
}

static void refused(const char *name, const char *bytes, size_t size, zvStatus status, int line, const char *text) {
    zvMesh mesh = {1, NULL};
    zvError error = {0};
    const zvStatus found = zv_mesh_read_memory(name, bytes, size, &mesh, &error);
    if (found != status) fail_msg("\"%s\": status %d, not %d", bytes, found, status);
    if (error.line != line || !strstr(error.text, text))
        fail_msg("line %d \"%s\", not %d \"%s\"", error.line, error.text, line, text);
    assert_true(mesh.count == 0 && !mesh.corners);
}

static void refused_text(const char *name, const char *text, zvStatus status, int line, const char *said) {
    refused(name, text, strlen(text), status, line, said);
}

/* Four vertices, a normal, a texture coordinate, two faces; cut anywhere, with counts that lie, and with what is none.
 */
static void msh(void **state) {
    (void)state;
    static const float vertices[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    static const int order[6] = {0, 1, 2, 3, 2, 1};
    char bytes[16 + 48 + 12 + 8 + 24] = {0};
    const size_t size = sizeof bytes, faces = size - 24;
    put32(bytes, 4), put32(bytes + 4, 1), put32(bytes + 8, 1), put32(bytes + 12, 2);
    memcpy(bytes + 16, vertices, sizeof vertices);
    for (size_t i = 0; i < 6; i++) put32(bytes + faces + 4 * i, (uint32_t)order[i]);
    zvMesh mesh = read_good("a.MSH", bytes, size);
    assert_int_equal(mesh.count, 2);
    for (int i = 0; i < 18; i++) assert_true(mesh.corners[i] == vertices[3 * order[i / 3] + i % 3]);
    zv_mesh_free(&mesh);
    for (size_t cut = 1; cut < size; cut++) refused("a.msh", bytes, cut, ZV_SYNTAX, 0, "the file is cut");
    put32(bytes + 12, 0xffffffff);
    refused("a.msh", bytes, size, ZV_SYNTAX, 0, "the file is cut");
    put32(bytes + 12, 2);
    put32(bytes + faces + 16, 4);
    refused("a.msh", bytes, size, ZV_NAME, 0, "face 2: expected vertices from 0 to 3");
    put32(bytes + faces + 16, 2);
    put32(bytes + 16, 0x7fc00000);
    refused("a.msh", bytes, size, ZV_NUMBER, 0, "face 1");
}

static void binary_stl(void **state) {
    (void)state;
    size_t size;
    char *bytes = binary(3, &size);
    zvMesh mesh = read_good("a.STL", bytes, size);
    assert_int_equal(mesh.count, 3);
    for (int i = 0; i < 27; i++) assert_true(mesh.corners[i] == corner[i % 9]);
    zv_mesh_free(&mesh);
    refused("a.stl", bytes + 1, size - 1, ZV_SYNTAX, 0, "50 bytes");
    memcpy(bytes, "solib", 5);
    refused("a.stl", bytes, size - 1, ZV_SYNTAX, 0, "3 triangles");
    refused("a.stl", bytes, size + 1, ZV_SYNTAX, 0, "3 triangles");
    refused("a.stl", bytes, 50, ZV_SYNTAX, 0, "too short");
    put32(bytes + 80, 0xffffffff);
    refused("a.stl", bytes, size, ZV_SYNTAX, 0, "4294967295");
    put32(bytes + 80, 3);
    put32(bytes + 84 + 50 + 12 + 8, 0x7fc00000);
    refused("a.stl", bytes, size, ZV_NUMBER, 0, "triangle 2 (byte 154)");
    put32(bytes + 80, 0);
    refused("a.stl", bytes, 84, ZV_SCHEMA, 0, "expected triangles, found none");
    free(bytes);
}

#define FACET \
    "facet normal nan 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\r\n vertex 0.0 +25e-1 -.1E-2\nendloop\nendfacet\n"

static void text_stl(void **state) {
    (void)state;
    static const char good[] = "solid a facet\n" FACET "ENDSOLID a facet\nsolid\n" FACET "endsolid";
    zvMesh mesh = read_good("b.stl", good, sizeof good - 1);
    assert_int_equal(mesh.count, 2);
    for (int i = 0; i < 18; i++) assert_true(mesh.corners[i] == corner[i % 9]);
    zv_mesh_free(&mesh);
    refused_text("b.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n", ZV_NUMBER, 4, "finite number");
    refused_text("b.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e39\n", ZV_NUMBER, 4, "single precision");
    refused_text("b.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e\n", ZV_NUMBER, 4, "finite number");
    refused_text("b.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0", ZV_SYNTAX, 4,
                 "found the end of the file");
    refused_text("b.stl", "solid\nfacet normal 0 0 1\nvertex 0 0 0", ZV_SYNTAX, 3, "a facet is");
    refused_text("b.stl", "solid\nfacets", ZV_SYNTAX, 2, "expected facet or endsolid");
    refused_text("b.stl", "solid\nendsolid\n", ZV_SCHEMA, 0, "expected triangles, found none");
    refused_text("b.stl", "<html>", ZV_SYNTAX, 0, "too short");
}

static void obj(void **state) {
    (void)state;
    static const char good[] = "# four\nmtllib x\nv 0 0 0 1\nv 1 0 0\\\n\nvt 0 0\nv 1 1 0 0.5 0.5 0.5\rv 0 1 0\n"
                               "g side\nf 1/1/1 2//3 3/2 -1 # a square\nf -4 -3 -2\n";
    static const int order[9] = {0, 1, 2, 0, 2, 3, 0, 1, 2};
    static const float at[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    zvMesh mesh = read_good("c.Obj", good, sizeof good - 1);
    assert_int_equal(mesh.count, 3);
    for (int i = 0; i < 27; i++) assert_true(mesh.corners[i] == at[order[i / 3]][i % 3]);
    zv_mesh_free(&mesh);
    refused_text("c.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", ZV_NAME, 3, "no such vertex");
    refused_text("c.obj", "v 0 0 0\nv 1 0 0\nf 1 2 -3\n", ZV_NAME, 3, "no such vertex");
    refused_text("c.obj", "v 0 0 0\nf 1 1 99999999999999999999999999\n", ZV_NAME, 2, "no such vertex");
    refused_text("c.obj", "v 0 0 0\nf 1 1 0\n", ZV_SYNTAX, 2, "from 1 on");
    refused_text("c.obj", "v 0 0 0\nf 1 1 1a\n", ZV_SYNTAX, 2, "from 1 on");
    refused_text("c.obj", "v 0 0 0\nf 1 1\n", ZV_SYNTAX, 2, "three corners");
    refused_text("c.obj", "v 0 0\nf 1 1\n", ZV_SYNTAX, 1, "three numbers");
    refused_text("c.obj", "v 0 inf 0\n", ZV_NUMBER, 1, "finite number");
    refused_text("c.obj", "v 0 0 0\n", ZV_SCHEMA, 0, "expected triangles, found none");
    refused_text("c.obj", "", ZV_SCHEMA, 0, "expected triangles, found none");
    refused_text("c.ply", "<COLLADA/>", ZV_NOT_SUPPORTED, 0, "convert");
    refused_text("stl", "solid", ZV_NOT_SUPPORTED, 0, "convert");
}

/* Numbers against those of strtod, which is right to the last digit. */
static void numbers(void **state) {
    (void)state;
    static const char *const words[] = {"0.1",
                                        "-123456789.123456789",
                                        "3.4028235e38",
                                        "1e-45",
                                        "1e-400",
                                        "0.0e999",
                                        "12345678901234567890123456789",
                                        "000000000000000000000.5",
                                        "1e-10",
                                        "299792458",
                                        "-0",
                                        "6.02214076E+23"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "v %s 0 0\nf 1 1 1\n", words[i]);
        zvMesh mesh = read_good("d.obj", text, strlen(text));
        const float wanted = strtof(words[i], NULL);
        if (mesh.corners[0] != wanted)
            fail_msg("%s: %.9g, not %.9g", words[i], (double)mesh.corners[0], (double)wanted);
        zv_mesh_free(&mesh);
    }
}

static void files(void **state) {
    (void)state;
    char folder[] = "/tmp/zveno_mesh_XXXXXX", path[128], pipe[128];
    zvMesh mesh;
    zvError error = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/one.obj", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe.stl", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    assert_int_equal(zv_mesh_read_file(path, &mesh, &error), ZV_OK);
    assert_int_equal(mesh.count, 1);
    zv_mesh_free(&mesh);
    unlink(path);
    assert_int_equal(zv_mesh_read_file(path, &mesh, &error), ZV_IO);
    assert_non_null(strstr(error.text, "no such file"));
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(zv_mesh_read_file(path, &mesh, &error), ZV_IO);
    assert_int_equal(mkfifo(pipe, 0600), 0); /* nobody writes to it: must not wait */
    assert_int_equal(zv_mesh_read_file(pipe, &mesh, &error), ZV_IO);
    assert_non_null(strstr(error.text, "regular"));
    unlink(pipe);
    rmdir(path);
    rmdir(folder);
}

TESTS(msh, binary_stl, text_stl, obj, numbers, files)
