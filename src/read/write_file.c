/* Robots to files: a half-written file never replaces a good one: the output is a new file beside the old one until it
 * is complete. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "read/change.h"
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

/* Text that grows piece by piece. */
typedef struct GrownText {
    char *bytes;
    size_t size, capacity;
    bool starved;
} GrownText;

/* A sink of pieces; capacity doubles. */
static bool append(void *context, const char *text, size_t size) {
    GrownText *written = context;
    if (written->size + size + 1 > written->capacity) {
        const size_t wanted = 2 * (written->capacity + size) + 1024;
        char *larger = realloc(written->bytes, wanted);
        if (!larger) return written->starved = true, false;
        written->bytes = larger;
        written->capacity = wanted;
    }
    memcpy(written->bytes + written->size, text, size);
    written->size += size;
    written->bytes[written->size] = '\0';
    return true;
}

zvStatus zi_native_text(const zvBuilder *builder, char **text, size_t *size, zvError *error) {
    GrownText written = {0};
    zvStatus status = zv_write_native(builder, append, &written, error);
    if (written.starved) status = zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for the robot as a text");
    if (status < 0) free(written.bytes);
    *text = status < 0 ? NULL : written.bytes;
    *size = written.size;
    return status;
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
