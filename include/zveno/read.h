/* Application. Readers and writers of robot files: URDF, MJCF and SDF (XML) and the native YAML format
 * (docs/formats.md); SDF is read only. */
#ifndef ZVENO_READ_H
#define ZVENO_READ_H

#include "zveno/builder.h"
#include "zveno/document.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum zvFormat { ZV_FORMAT_AUTO, ZV_FORMAT_URDF, ZV_FORMAT_NATIVE, ZV_FORMAT_MJCF, ZV_FORMAT_SDF } zvFormat;

/* Adds the robot in a file to an empty builder. AUTO looks at the first character: '<' is MJCF
 * when the root element is <mujoco>, SDF when it is <sdf>, else URDF; anything else is native.
 * path "-" is standard input. On failure the builder is to be destroyed. */
zvStatus zv_read_file(zvBuilder *builder, const char *path, zvFormat format, zvError *error);
/* The same with values changed, each "path=value" as zv_document_set takes it: "links.payload.mass=120" in the robot as
 * it would be written in the native format, items of lists by their name, whatever the format of the file;
 * "parameters.payload=120" in a native file that has parameters. */
zvStatus zv_read_file_changed(zvBuilder *builder, const char *path, zvFormat format, int change_count,
                              const char *const *changes, zvError *error);
/* A robot from memory; name stands in error texts, and includes are looked up beside it. */
zvStatus zv_read_memory(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvFormat format,
                        zvError *error);

/* A native robot inside another document, such as the model of a scenario: "zveno: 1" may be left out there. name is
 * the document's file: includes are looked up beside it, and marks of elements show it. */
zvStatus zv_read_node(zvBuilder *builder, const char *name, const zvNode *node, zvError *error);

/* Read and freeze in one call. */
zvStatus zv_model_read(const char *path, zvModel **model, zvError *error);

/* Receives consecutive pieces of text; returns false to stop. */
typedef bool (*zvTextSink)(void *context, const char *text, size_t size);

/* Writes a description in the native format: read(write(x)) = x, digit by digit. */
zvStatus zv_write_native(const zvBuilder *builder, zvTextSink sink, void *context, zvError *error);
/* The same to a file, replaced only when complete. */
zvStatus zv_write_native_file(const zvBuilder *builder, const char *path, zvError *error);

/* Receives what a format cannot say of a robot, a call for each matter; the texts live only during the call. Of
 * warnings the robot that is read again moves differently, of notes it does not. */
typedef void (*zvLossSink)(void *context, const zvRemark *loss);

/* Writes a description in a format (AUTO: native). Of URDF and MJCF what is read again has the same coordinates in the
 * same order, and mass matrix, bias and poses to rounding, but for the warnings that `lost` receives (NULL: nobody);
 * docs/formats.md lists them. ZV_NOT_SUPPORTED: a joint, such as one along a curve, or the whole tree has no
 * counterpart there. */
zvStatus zv_write(const zvBuilder *builder, zvFormat format, zvTextSink sink, void *context, zvLossSink lost,
                  void *lost_context, zvError *error);
/* The same to a file, replaced only when complete. */
zvStatus zv_write_file(const zvBuilder *builder, const char *path, zvFormat format, zvLossSink lost, void *lost_context,
                       zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
