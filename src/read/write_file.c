/* Robots to files: a half-written file never replaces a good one: the output is a new file beside the old one until it
 * is complete. */
#include <errno.h>

#include "base/require.h"
#include "read/write_xml.h"
#include "record/output.h"

typedef struct RobotFile {
    ziOutput output;
    int reason; /* errno of the first failed write */
} RobotFile;

static bool write_bytes(void *context, const char *text, size_t size) {
    RobotFile *file = context;
    if (zi_write_all(file->output.file, text, size, -1) == size) return true;
    file->reason = errno;
    return false;
}

zvStatus zv_write(const zvBuilder *builder, zvFormat format, zvTextSink sink, void *context, zvLossSink lost,
                  void *lost_context, zvError *error) {
    ZI_REQUIRE(builder && sink);
    if (format == ZV_FORMAT_URDF) return zi_write_urdf(builder, sink, context, lost, lost_context, error);
    if (format == ZV_FORMAT_MJCF) return zi_write_mjcf(builder, sink, context, lost, lost_context, error);
    if (format == ZV_FORMAT_SDF)
        return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, "", "SDF is read and not written; write URDF or MJCF");
    return zv_write_native(builder, sink, context, error);
}

zvStatus zv_write_file(const zvBuilder *builder, const char *path, zvFormat format, zvLossSink lost, void *lost_context,
                       zvError *error) {
    ZI_REQUIRE(builder && path);
    RobotFile file = {.reason = 0};
    zvStatus status = zi_output_open(&file.output, path, error);
    if (status < 0) return status;
    status = zv_write(builder, format, write_bytes, &file, lost, lost_context, error);
    if (file.reason) status = zi_output_fail(error, path, file.reason, "written");
    return zi_output_close(&file.output, status, error);
}

zvStatus zv_write_native_file(const zvBuilder *builder, const char *path, zvError *error) {
    return zv_write_file(builder, path, ZV_FORMAT_NATIVE, NULL, NULL, error);
}
