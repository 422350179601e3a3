/* Robot files of any format: loads, looks which one it is, and hands over to its reader. */
#include "zveno/read.h"

#include <string.h>

#include "base/require.h"
#include "read/change.h"
#include "read/mjcf.h"
#include "read/native.h"
#include "read/sdf.h"
#include "read/text.h"
#include "read/urdf.h"

/* Offset of the first character that is neither byte-order mark nor white space. */
static size_t first_character(const char *bytes, size_t size) {
    size_t offset = zi_cursor_start(bytes, size).offset;
    while (offset < size && bytes[offset] != '\0' && strchr(" \t\r\n", bytes[offset])) offset++;
    return offset;
}

/* Archives, images and meshes open with bytes that no text file has. */
static zvStatus check_is_text(const char *name, const char *bytes, size_t size, size_t first, zvError *error) {
    const unsigned char c = (unsigned char)bytes[first];
    const size_t head = size - first < 64 ? size - first : 64;
    bool binary = (c < 0x20 && c != '\0') || c == 0x7F;
    if (size - first >= 2 && c == 0x1F && (unsigned char)bytes[first + 1] == 0x8B)
        return zv_fail(error, ZV_SYNTAX, (zvMark){name, 0, 0}, "",
                       "expected a robot description, found a gzip archive; unpack it");
    if (head >= 4 && memcmp(bytes + first, "PK\x03\x04", 4) == 0)
        return zv_fail(error, ZV_SYNTAX, (zvMark){name, 0, 0}, "",
                       "expected a robot description, found a zip archive; unpack it");
    for (size_t i = 0; i < head && !binary; i++) {
        const unsigned char d = (unsigned char)bytes[first + i];
        binary = d != '\0' && d < 0x20 && !strchr("\t\r\n\f", d);
    }
    if (!binary) return zi_text_check(name, bytes, size, 0, error);
    return zv_fail(error, ZV_SYNTAX, zi_text_mark(name, bytes, size, first), "",
                   "expected a robot description, found a binary file; name a URDF, an MJCF or a native YAML file");
}

/* The first character tells XML from YAML and JSON, the root element one kind of XML from the other. */
static zvFormat format_of(const char *bytes, size_t size, size_t first) {
    if (bytes[first] != '<') return ZV_FORMAT_NATIVE;
    return zi_mjcf_is(bytes, size) ? ZV_FORMAT_MJCF : zi_sdf_is(bytes, size) ? ZV_FORMAT_SDF : ZV_FORMAT_URDF;
}

/* Only native files have parameters. */
static zvStatus refuse_parameters(const char *name, int count, const char *const *changes, zvError *error) {
    for (int i = 0; i < count; i++)
        if (zi_change_is_of(changes[i], "parameters"))
            return zv_fail(
                error, ZV_NAME, (zvMark){name, 0, 0}, changes[i],
                "--set %.100s: expected a native robot file, which may have parameters, found another format",
                changes[i]);
    return ZV_OK;
}

/* What is no text is refused before a reader sees it. */
zvStatus zi_read_memory_changed(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvFormat format,
                                int change_count, const char *const *changes, zvError *error) {
    while (size > 0 && bytes[size - 1] == '\0') size--; /* some exporters write the end of their string as well */
    const size_t first = first_character(bytes, size);
    if (first == size)
        return zv_fail(error, ZV_SYNTAX, (zvMark){name, 0, 0}, "",
                       "expected a robot description, found nothing but white space");
    zvStatus status = check_is_text(name, bytes, size, first, error);
    if (status != ZV_OK) return status;
    if (format == ZV_FORMAT_AUTO) format = format_of(bytes, size, first);
    if (format == ZV_FORMAT_NATIVE)
        return zi_native_read_changed(builder, name, bytes, size, change_count, changes, error);
    if ((status = refuse_parameters(name, change_count, changes, error)) < 0) return status;
    if (format == ZV_FORMAT_MJCF) return zi_mjcf_read(builder, name, bytes, size, error);
    if (format == ZV_FORMAT_SDF) return zi_sdf_read(builder, name, bytes, size, error);
    return zi_urdf_read(builder, name, bytes, size, error);
}

zvStatus zv_read_memory(zvBuilder *builder, const char *name, const char *bytes, size_t size, zvFormat format,
                        zvError *error) {
    ZI_REQUIRE(builder && name && (bytes || !size));
    return zi_read_memory_changed(builder, name, bytes, size, format, 0, NULL, error);
}

zvStatus zv_read_node(zvBuilder *builder, const char *name, const zvNode *node, zvError *error) {
    ZI_REQUIRE(builder && name && node);
    return zi_native_read_node(builder, name, node, error);
}

zvStatus zv_read_file(zvBuilder *builder, const char *path, zvFormat format, zvError *error) {
    return zv_read_file_changed(builder, path, format, 0, NULL, error);
}

zvStatus zv_model_read(const char *path, zvModel **model, zvError *error) {
    ZI_REQUIRE(path && model);
    *model = NULL;
    zvBuilder *builder = zv_builder_create(error);
    if (!builder) return ZV_MEMORY;
    zvStatus status = zv_read_file(builder, path, ZV_FORMAT_AUTO, error);
    if (status == ZV_OK) status = zv_builder_freeze(builder, model, error);
    zv_builder_destroy(builder);
    return status;
}
