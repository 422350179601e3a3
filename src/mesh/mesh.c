/* Meshes: loads a file and asks the reader of its kind. */
#define _POSIX_C_SOURCE 200809L
#include "zveno/mesh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "mesh/build.h"

enum { FLOATS = 9, LARGEST_MIB = 2500 }; /* of a triangle; of a file: ZV_MESH_MOST triangles of 50 bytes */

zvStatus zi_mesh_room(ziMeshBuild *m) {
    const zvMark mark = {m->file, 0, 0};
    if (m->mesh.count == ZV_MESH_MOST)
        return zv_fail(m->error, ZV_SIZE, mark, "", "there are more than %d triangles; simplify the mesh",
                       ZV_MESH_MOST);
    if (zi_grow(&m->mesh.corners, m->mesh.count, &m->capacity, FLOATS * sizeof *m->mesh.corners)) return ZV_OK;
    return zv_fail(m->error, ZV_MEMORY, mark, "", "out of memory after %zu triangles", m->mesh.count);
}

typedef zvStatus Reader(ziMeshBuild *build, const char *bytes, size_t size);

static zvStatus choose(const char *name, Reader **reader, zvError *error) {
    const char *dot = strrchr(name, '.');
    *reader = NULL;
    if (dot && strcasecmp(dot, ".stl") == 0) *reader = zi_mesh_read_stl;
    if (dot && strcasecmp(dot, ".obj") == 0) *reader = zi_mesh_read_obj;
    if (*reader) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){name, 0, 0}, dot ? dot : "",
                   "only meshes in .stl and .obj files are read; convert it");
}

zvStatus zv_mesh_read_memory(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error) {
    ziMeshBuild build = {.file = name, .error = error};
    Reader *reader;
    *mesh = (zvMesh){0};
    zvStatus status = choose(name, &reader, error);
    if (status >= 0) status = reader(&build, bytes, size);
    if (status >= 0 && build.mesh.count == 0)
        status = zv_fail(error, ZV_SCHEMA, (zvMark){name, 0, 0}, "", "there is no triangle in it; is it a mesh?");
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

static zvStatus load(FILE *file, const char *path, zvMesh *mesh, zvError *error) {
    const zvMark mark = {path, 0, 0};
    struct stat info;
    if (fstat(fileno(file), &info) != 0) return fail_open(path, errno, error);
    if (!S_ISREG(info.st_mode)) return zv_fail(error, ZV_IO, mark, "", "this is no regular file");
    if (info.st_size > (off_t)LARGEST_MIB * 1024 * 1024)
        return zv_fail(error, ZV_SIZE, mark, "", "the file is larger than %d MiB; simplify the mesh", LARGEST_MIB);
    const size_t size = (size_t)info.st_size;
    char *bytes = malloc(size + 1);
    if (!bytes) return zv_fail(error, ZV_MEMORY, mark, "", "out of memory while reading the file");
    const size_t got = fread(bytes, 1, size, file);
    const zvStatus status =
        ferror(file) ? fail_open(path, errno, error) : zv_mesh_read_memory(path, bytes, got, mesh, error);
    free(bytes);
    return status;
}

zvStatus zv_mesh_read_file(const char *path, zvMesh *mesh, zvError *error) {
    Reader *reader;
    *mesh = (zvMesh){0};
    const zvStatus known = choose(path, &reader, error);
    if (known < 0) return known;
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe is not waited for */
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file) {
        const int code = errno;
        if (descriptor >= 0) close(descriptor);
        return fail_open(path, code, error);
    }
    const zvStatus status = load(file, path, mesh, error);
    fclose(file);
    return status;
}

void zv_mesh_free(zvMesh *mesh) {
    free(mesh->corners);
    *mesh = (zvMesh){0};
}
