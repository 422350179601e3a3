/* Robot files with values changed from outside. Parameters are set in the native file that has them; all other values
 * in the robot as it was read, whatever its format: it is written as a native text, changed there and read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "model/builder.h"
#include "read/change.h"
#include "read/native.h"
#include "read/parameters.h"
#include "zveno/read.h"

/* zv_document_set adds keys that are missing, which nobody would look at. */
static zvStatus check_parameter(const zvDocument *document, const char *change, const char *name, zvError *error) {
    const zvNode *map = zv_node_get(zv_document_root(document), "parameters");
    if (zv_node_get(map, name)) return ZV_OK;
    const char *near = map && map->kind == ZV_NODE_MAP ? zv_nearest_name(name, map->keys, (size_t)map->count) : NULL;
    if (near)
        return zv_fail(error, ZV_NAME, (zvMark){0}, name,
                       "--set %.100s: expected a parameter of the file, found \"%.60s\"; did you mean \"%.60s\"?",
                       change, name, near);
    return zv_fail(
        error, ZV_NAME, (zvMark){0}, name,
        "--set %.100s: expected a parameter of the file, found \"%.60s\"; zveno info --parameters lists them", change,
        name);
}

/* A number without a unit has that of the parameter's own value; another unit is refused. */
static zvStatus keep_unit(zvDocument *document, const char *path, const char *text, ziUnit unit, zvError *error) {
    char wanted[ZI_UNIT_SIZE], found[ZI_UNIT_SIZE], value[600];
    const ziUnit none = {0, 0, 0};
    ziExpressionValue now;
    const char *name = path + strlen("parameters.");
    if (!zi_parameter_value(document, name, &now)) return ZV_OK; /* expanding will tell */
    if (now.kind == ZI_EXPRESSION_TEXT || zi_unit_is(now.unit, unit)) return ZV_OK;
    if (!zi_unit_is(now.unit, none))
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, text,
                       "--set %.100s=%.60s: expected a number in %s, found one in %s", path, text,
                       zi_unit_text(unit, wanted), zi_unit_text(now.unit, found));
    const int length =
        snprintf(value, sizeof value, "(%s) * (1 kg)**%d * (1 m)**%d * (1 s)**%d", text, unit.kg, unit.m, unit.s);
    if (length < 0 || (size_t)length >= sizeof value)
        return zv_fail(error, ZV_SIZE, (zvMark){0}, text, "--set %.100s: expected a shorter expression", path);
    return zv_document_set(document, path, value, error);
}

/* A parameter that is there, in its unit. */
static zvStatus set_parameter(zvDocument *document, const char *change, const char *path, const char *text,
                              zvError *error) {
    ziExpressionValue before = {.kind = ZI_EXPRESSION_FLOAT};
    const char *name = path + strlen("parameters.");
    zvStatus status = check_parameter(document, change, name, error);
    if (status < 0) return status;
    const bool known = zi_parameter_value(document, name, &before) && before.kind != ZI_EXPRESSION_TEXT;
    status = zv_document_set(document, path, text, error);
    return status < 0 || !known ? status : keep_unit(document, path, text, before.unit, error);
}

bool zi_change_is_of(const char *change, const char *part) {
    const size_t length = strlen(part);
    return strncmp(change, part, length) == 0 && change[length] == '.';
}

/* The path ends at the first sign of equality; what follows is the value, whatever is in it. */
zvStatus zv_document_change(zvDocument *document, const char *change, zvError *error) {
    ZI_REQUIRE(document && change);
    const char *equals = strchr(change, '=');
    if (!equals || equals == change)
        return zv_fail(error, ZV_SYNTAX, (zvMark){0}, change,
                       "expected --set key=value, found --set %.100s; for example --set integrator.rtol=1e-6", change);
    const size_t length = (size_t)(equals - change);
    char *path = malloc(length + 1);
    if (!path) return zv_fail(error, ZV_MEMORY, (zvMark){0}, change, "out of memory while reading a change");
    memcpy(path, change, length);
    path[length] = '\0';
    const zvStatus status = zi_change_is_of(change, "parameters")
                                ? set_parameter(document, change, path, equals + 1, error)
                                : zv_document_set(document, path, equals + 1, error);
    free(path);
    return status;
}

/* The robot with its numbers changed, read again: remarks and packages are those of the file. */
static zvStatus read_again(zvBuilder *builder, const char *name, const char *bytes, size_t size, int count,
                           const char *const *changes, zvError *error) {
    zvDocument *document = NULL;
    char place[320];
    snprintf(place, sizeof place, "%.200s, as zveno convert writes it", name);
    zvBuilder *changed = zv_builder_create(error);
    zvStatus status = changed ? zv_document_read_memory(place, bytes, size, &document, error) : ZV_MEMORY;
    for (int i = 0; status >= 0 && i < count; i++)
        if (!zi_change_is_of(changes[i], "parameters")) status = zv_document_change(document, changes[i], error);
    if (status >= 0) status = zi_native_read_node(changed, place, zv_document_root(document), error);
    for (int i = 0; status >= 0 && i < zv_builder_nremark(builder); i++)
        status = zv_builder_add_remark(changed, zv_builder_remark(builder, i), error);
    zv_document_destroy(document);
    if (status >= 0) {
        const zvBuilder first = *builder;
        *builder = *changed;
        *changed = first;
    }
    if (changed) zv_builder_destroy(changed);
    return status < 0 ? status : ZV_OK;
}

/* Parameters first, while the file is read; the rest in what came of it. */
zvStatus zv_read_file_changed(zvBuilder *builder, const char *path, zvFormat format, int change_count,
                              const char *const *changes, zvError *error) {
    ZI_REQUIRE(builder && path && (change_count <= 0 || changes));
    int others = 0;
    ziSource source;
    for (int i = 0; i < change_count; i++) others += !zi_change_is_of(changes[i], "parameters");
    zvStatus status = zi_source_load(path, &source, error);
    if (status < 0) return status;
    status = zi_read_memory_changed(builder, zi_source_name(path), source.bytes, source.size, format, change_count,
                                    changes, error);
    zi_source_free(&source);
    if (status < 0 || others == 0) return status;
    char *text = NULL;
    size_t size = 0;
    status = zi_native_text(builder, &text, &size, error);
    if (status >= 0) status = read_again(builder, zi_source_name(path), text, size, change_count, changes, error);
    free(text);
    return status;
}
