/* Meshes of glTF 2.0 files. */
#ifndef ZI_READ_GLTF_H
#define ZI_READ_GLTF_H

#include "zveno/mesh.h"

/* All triangles that the scene of a .glb or .gltf shows, placed by its nodes, in metres and in the axes of the file.
 * Buffers are in the file, as the binary chunk or as data URIs; nothing elsewhere is opened. */
zvStatus zi_gltf_read(const char *name, const void *bytes, size_t size, zvMesh *mesh, zvError *error);

#endif
