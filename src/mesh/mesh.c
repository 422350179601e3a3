/* Triangles of STL, OBJ and MSH files, and files of meshes as a whole. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/require.h"
#include "mesh/file.h"
#include "mesh/scan.h"
#include "zveno/mesh.h"

/* A mesh while it is read. */
typedef struct MeshBuild {
    zvMesh mesh;
    size_t capacity; /* triangles */
    const char *file;
    zvError *error;
} MeshBuild;

enum { FLOATS = 9, LARGEST_MIB = 2500 }; /* of a triangle; of a file: ZV_MESH_MOST triangles of 50 bytes */

/* Space for one more triangle, up to the limit of a mesh. */
static zvStatus reserve_triangle(MeshBuild *m) {
    const zvMark mark = {m->file, 0, 0};
    if (m->mesh.count == ZV_MESH_MOST)
        return zv_fail(m->error, ZV_SIZE, mark, "", "there are more than %d triangles; simplify the mesh",
                       ZV_MESH_MOST);
    if (zi_grow(&m->mesh.corners, m->mesh.count, &m->capacity, FLOATS * sizeof *m->mesh.corners)) return ZV_OK;
    return zv_fail(m->error, ZV_MEMORY, mark, "", "out of memory after %zu triangles", m->mesh.count);
}

/* OBJ: lines "v x y z" and "f a b c ...", where a corner is a vertex, counted from 1 or back from the last one, and
 * after slashes what is not needed here. All other lines (normals, groups, materials) are passed over. */

typedef struct Vertices {
    float (*at)[3];
    size_t count, capacity;
} Vertices;

/* Three numbers behind "v". */
static zvStatus read_vertex(ziMeshScan *s, Vertices *v) {
    if (!zi_grow(&v->at, v->count, &v->capacity, sizeof *v->at))
        return zi_mesh_fail(s, (ziMeshWord){"", 0, 0}, ZV_MEMORY, "out of memory while reading vertices");
    for (int k = 0; k < 3; k++) {
        const ziMeshWord word = zi_mesh_word_in_line(s);
        if (!word.size) return zi_mesh_expected(s, word, ZV_SYNTAX, "three numbers of a vertex");
        const zvStatus status = zi_mesh_number(s, word, &v->at[v->count][k]);
        if (status < 0) return status;
    }
    v->count++;
    return ZV_OK;
}

/* The vertex that a corner names. */
static zvStatus find_vertex(const ziMeshScan *s, ziMeshWord word, const Vertices *v, size_t *vertex) {
    const char *p = word.text, *stop = p + word.size;
    const bool back = p < stop && *p == '-';
    size_t number = 0;
    if (back) p++;
    for (; p < stop && *p >= '0' && *p <= '9' && number <= v->count; p++) number = 10 * number + (size_t)(*p - '0');
    if (number > v->count) return zi_mesh_fail(s, word, ZV_NAME, "there is no such vertex above this line");
    if (number == 0 || (p < stop && *p != '/'))
        return zi_mesh_expected(s, word, ZV_SYNTAX, "the number of a vertex (from 1 on, or -1 for the last one)");
    *vertex = back ? v->count - number : number - 1;
    return ZV_OK;
}

/* The triangles first, second, third; first, third, fourth; ... */
static zvStatus read_face(MeshBuild *m, ziMeshScan *s, const Vertices *v) {
    size_t corners = 0, of[3];
    for (;;) {
        const ziMeshWord word = zi_mesh_word_in_line(s);
        if (!word.size || *word.text == '#') {
            if (corners >= 3) return ZV_OK;
            return zi_mesh_expected(s, word, ZV_SYNTAX, "three corners of a face or more");
        }
        if (corners >= 3) of[1] = of[2];
        zvStatus status = find_vertex(s, word, v, &of[corners < 2 ? corners : 2]);
        if (status < 0) return status;
        if (++corners < 3) continue;
        status = reserve_triangle(m);
        if (status < 0) return status;
        for (size_t k = 0; k < 3; k++) memcpy(m->mesh.corners + 9 * m->mesh.count + 3 * k, v->at[of[k]], sizeof *v->at);
        m->mesh.count++;
    }
}

/* Faces refer to vertices above them, so one pass is enough. */
static zvStatus read_obj(MeshBuild *m, const char *bytes, size_t size) {
    ziMeshScan s = zi_mesh_scan(m->file, bytes, size, m->error);
    Vertices v = {0};
    zvStatus status = ZV_OK;
    while (status >= 0) {
        const ziMeshWord word = zi_mesh_word(&s);
        if (!word.size) break;
        if (zi_mesh_is(word, "v")) status = read_vertex(&s, &v);
        if (zi_mesh_is(word, "f")) status = read_face(m, &s, &v);
        zi_mesh_skip_line(&s);
    }
    free(v.at);
    return status;
}

/* STL. Binary: 80 bytes of anything, a count, 50 bytes a triangle (normal, three corners, two bytes of anything), all
 * little-endian. Text: words in a fixed order. Binary files that begin with "solid" exist, so the size decides first.
 */

enum { HEAD = 84, RECORD = 50, NORMAL = 12 };

static uint32_t word_at(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Triangles of 50 bytes; the size of the file has been checked. */
static zvStatus read_binary(MeshBuild *m, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const size_t start = HEAD + RECORD * i + NORMAL;
        const zvStatus status = reserve_triangle(m);
        if (status < 0) return status;
        float *corner = m->mesh.corners + 9 * i;
        for (size_t k = 0; k < 9; k++) {
            const uint32_t bits = word_at(bytes + start + 4 * k);
            memcpy(corner + k, &bits, sizeof bits);
            if (isfinite(corner[k])) continue;
            return zv_fail(m->error, ZV_NUMBER, (zvMark){m->file, 0, 0}, "",
                           "triangle %zu (byte %zu) has a corner that is not finite; write the file again", i + 1,
                           start + 4 * k);
        }
        m->mesh.count = i + 1;
    }
    return ZV_OK;
}

/* The word that must come next. */
static zvStatus expect_word(ziMeshScan *s, const char *text) {
    const ziMeshWord word = zi_mesh_word(s);
    if (zi_mesh_is(word, text)) return ZV_OK;
    char expected[128];
    snprintf(expected, sizeof expected,
             "\"%s\" (a facet is: facet normal, outer loop, three times vertex, endloop, endfacet)", text);
    return zi_mesh_expected(s, word, ZV_SYNTAX, expected);
}

/* Three numbers, or the three words of a normal, which may be anything. */
static zvStatus take_three(ziMeshScan *s, float *values) {
    for (int k = 0; k < 3; k++) {
        const ziMeshWord word = zi_mesh_word(s);
        if (!word.size) return zi_mesh_expected(s, word, ZV_SYNTAX, "three numbers of a facet");
        const zvStatus status = values ? zi_mesh_number(s, word, values + k) : ZV_OK;
        if (status < 0) return status;
    }
    return ZV_OK;
}

/* Behind "facet". */
static zvStatus read_facet(MeshBuild *m, ziMeshScan *s) {
    zvStatus status = reserve_triangle(m);
    if (status >= 0) status = expect_word(s, "normal");
    if (status >= 0) status = take_three(s, NULL);
    if (status >= 0) status = expect_word(s, "outer");
    if (status >= 0) status = expect_word(s, "loop");
    for (size_t k = 0; k < 3; k++) {
        if (status >= 0) status = expect_word(s, "vertex");
        if (status >= 0) status = take_three(s, m->mesh.corners + 9 * m->mesh.count + 3 * k);
    }
    if (status >= 0) status = expect_word(s, "endloop");
    if (status >= 0) status = expect_word(s, "endfacet");
    if (status >= 0) m->mesh.count++;
    return status;
}

/* Facets of a text file until it ends; names of solids are passed over. */
static zvStatus read_text(MeshBuild *m, const char *bytes, size_t size) {
    ziMeshScan s = zi_mesh_scan(m->file, bytes, size, m->error);
    for (;;) {
        const ziMeshWord word = zi_mesh_word(&s);
        zvStatus status = ZV_OK;
        if (!word.size) return ZV_OK;
        if (zi_mesh_is(word, "facet"))
            status = read_facet(m, &s);
        else if (zi_mesh_is(word, "solid") || zi_mesh_is(word, "endsolid"))
            zi_mesh_skip_line(&s); /* a name */
        else
            status = zi_mesh_expected(&s, word, ZV_SYNTAX, "facet or endsolid");
        if (status < 0) return status;
    }
}

static bool begins_as_text(const char *bytes, size_t size) {
    ziMeshScan s = zi_mesh_scan("", bytes, size, NULL);
    return zi_mesh_is(zi_mesh_word(&s), "solid");
}

/* Binary when the size is that of the count in the head, else text. */
static zvStatus read_stl(MeshBuild *m, const char *bytes, size_t size) {
    const zvMark mark = {m->file, 0, 0};
    const size_t count = size >= HEAD ? word_at(bytes + HEAD - 4) : 0;
    const bool fits = size >= HEAD && (size - HEAD) % RECORD == 0 && (size - HEAD) / RECORD == count;
    if (!fits && begins_as_text(bytes, size)) return read_text(m, bytes, size);
    if (size < HEAD) return zv_fail(m->error, ZV_SYNTAX, mark, "", "the file is too short for an STL file");
    if (!fits)
        return zv_fail(
            m->error, ZV_SYNTAX, mark, "",
            "expected %zu triangles of 50 bytes (as byte 80 says), found %zu bytes; the file is cut, or no STL file",
            count, size - HEAD);
    return read_binary(m, bytes, count);
}

/* MSH of MuJoCo: counts of vertices, normals, texture coordinates and faces, then these: three floats, three, two,
 * three indices each. */

enum { COUNTS = 16 };

static bool corner_at(const char *bytes, size_t vertex, float corner[3]) {
    bool finite = true;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t bits = word_at(bytes + COUNTS + 12 * vertex + 4 * k);
        memcpy(corner + k, &bits, sizeof bits);
        finite = finite && isfinite(corner[k]);
    }
    return finite;
}

/* The size of the file is that of its counts. */
static zvStatus read_msh(MeshBuild *m, const char *bytes, size_t size) {
    const zvMark mark = {m->file, 0, 0};
    uint64_t n[4] = {0};
    for (size_t i = 0; i < 4 && size >= COUNTS; i++) n[i] = word_at(bytes + 4 * i);
    if (size < COUNTS || COUNTS + 12 * n[0] + 12 * n[1] + 8 * n[2] + 12 * n[3] != size)
        return zv_fail(m->error, ZV_SYNTAX, mark, "",
                       "expected a file of the size that its first four numbers say, found %zu bytes; the file is cut, "
                       "or no MSH file of MuJoCo",
                       size);
    const char *faces = bytes + size - 12 * n[3];
    for (uint64_t i = 0; i < 3 * n[3]; i++) {
        const uint32_t vertex = word_at(faces + 4 * i);
        if (i % 3 == 0) {
            const zvStatus status = reserve_triangle(m);
            if (status < 0) return status;
        }
        if (vertex >= n[0] || !corner_at(bytes, vertex, m->mesh.corners + 9 * m->mesh.count + 3 * (i % 3)))
            return zv_fail(m->error, vertex >= n[0] ? ZV_NAME : ZV_NUMBER, mark, "",
                           "face %zu: expected vertices from 0 to %zu that are finite, found another",
                           (size_t)(i / 3) + 1, (size_t)n[0] - 1);
        m->mesh.count += i % 3 == 2;
    }
    return ZV_OK;
}

/* The file as a whole. */

typedef zvStatus MeshReader(MeshBuild *build, const char *bytes, size_t size);

/* The reader for the ending of a file name. */
static zvStatus choose_reader(const char *name, MeshReader **reader, zvError *error) {
    const char *dot = strrchr(name, '.');
    *reader = NULL;
    if (dot && strcasecmp(dot, ".stl") == 0) *reader = read_stl;
    if (dot && strcasecmp(dot, ".obj") == 0) *reader = read_obj;
    if (dot && strcasecmp(dot, ".msh") == 0) *reader = read_msh;
    if (*reader) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){name, 0, 0}, dot ? dot : "",
                   "expected a mesh in a .stl, .obj, .dae, .glb, .gltf or .msh file, found \"%s\"; convert it",
                   dot ? dot : name);
}

/* The mesh is the caller's only when all of it was read. */
zvStatus zi_mesh_read_plain(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error) {
    MeshBuild build = {.file = name, .error = error};
    MeshReader *reader;
    *mesh = (zvMesh){0};
    zvStatus status = choose_reader(name, &reader, error);
    if (status >= 0) status = reader(&build, bytes, size);
    if (status >= 0 && build.mesh.count == 0)
        status = zv_fail(error, ZV_SCHEMA, (zvMark){name, 0, 0}, "", "expected triangles, found none; is it a mesh?");
    if (status < 0)
        zv_mesh_free(&build.mesh);
    else
        *mesh = build.mesh;
    return status;
}

static zvStatus fail_open(const char *path, int code, zvError *error) {
    const zvMark mark = {path, 0, 0};
    if (code == ENOENT || code == ENOTDIR)
        return zv_fail(error, ZV_IO, mark, "", "there is no such file; check the path");
    if (code == EACCES || code == EPERM) return zv_fail(error, ZV_IO, mark, "", "no permission to read this file");
    return zv_fail(error, ZV_IO, mark, "", "the file cannot be read (error %d)", code);
}

typedef zvStatus WholeReader(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error);

/* A whole regular file, which is no larger than a mesh may be. */
static zvStatus load_mesh(FILE *file, const char *path, WholeReader *reader, zvMesh *mesh, zvError *error) {
    const zvMark mark = {path, 0, 0};
    struct stat info;
    if (fstat(fileno(file), &info) != 0) return fail_open(path, errno, error);
    if (!S_ISREG(info.st_mode))
        return zv_fail(error, ZV_IO, mark, "", "expected a regular file, found something else; check the path");
    if (info.st_size > (off_t)LARGEST_MIB * 1024 * 1024)
        return zv_fail(error, ZV_SIZE, mark, "", "the file is larger than %d MiB; simplify the mesh", LARGEST_MIB);
    const size_t size = (size_t)info.st_size;
    char *bytes = malloc(size + 1);
    if (!bytes) return zv_fail(error, ZV_MEMORY, mark, "", "out of memory while reading the file");
    const size_t got = fread(bytes, 1, size, file);
    const zvStatus status = ferror(file) ? fail_open(path, errno, error) : reader(path, bytes, got, mesh, error);
    free(bytes);
    return status;
}

zvStatus zi_mesh_check_name(const char *name, zvError *error) {
    MeshReader *reader;
    return choose_reader(name, &reader, error);
}

/* The bytes are whole in memory while they are decoded. */
zvStatus zi_mesh_load_file(const char *path, WholeReader *reader, zvMesh *mesh, zvError *error) {
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe is not waited for */
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file) {
        const int code = errno;
        if (descriptor >= 0) close(descriptor);
        return fail_open(path, code, error);
    }
    const zvStatus status = load_mesh(file, path, reader, mesh, error);
    fclose(file);
    return status;
}

void zv_mesh_free(zvMesh *mesh) {
    ZI_REQUIRE(mesh);
    free(mesh->corners);
    *mesh = (zvMesh){0};
}
