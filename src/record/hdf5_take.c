/* Attributes and small reads of HDF5 files. */
#define _XOPEN_SOURCE 700

#include "record/h5.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

hid_t zi_h5_text_type(size_t size) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size ? size : 1) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
        H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    if (type >= 0) H5Tclose(type);
    return H5I_INVALID_HID;
}

/* Takes over space and type. */
static bool set(hid_t object, const char *name, hid_t stored, hid_t type, hid_t space, const void *value) {
    hid_t attribute = stored >= 0 && type >= 0 && space >= 0
                          ? H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT)
                          : H5I_INVALID_HID;
    bool ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) ok = H5Aclose(attribute) >= 0 && ok;
    if (space >= 0) H5Sclose(space);
    return ok;
}

size_t zi_h5_text_width(size_t count, const char *const *texts) {
    size_t width = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(texts[i]);
        if (length > width) width = length;
    }
    return width;
}

char *zi_h5_pack_texts(size_t count, const char *const *texts, size_t width) {
    char *packed = calloc(count ? count : 1, width);
    for (size_t i = 0; packed && i < count; i++) memcpy(packed + i * width, texts[i], strlen(texts[i]));
    return packed;
}

bool zi_h5_set_text(hid_t object, const char *name, const char *text) {
    hid_t type = zi_h5_text_type(strlen(text));
    bool ok = set(object, name, type, type, H5Screate(H5S_SCALAR), text);
    if (type >= 0) H5Tclose(type);
    return ok;
}

bool zi_h5_set_texts(hid_t object, const char *name, int count, const char *const *texts) {
    hsize_t size = (hsize_t)count;
    const size_t width = zi_h5_text_width((size_t)count, texts);
    char *packed = zi_h5_pack_texts((size_t)count, texts, width);
    hid_t type = zi_h5_text_type(width);
    bool ok = packed && set(object, name, type, type, H5Screate_simple(1, &size, NULL), packed);
    if (type >= 0) H5Tclose(type);
    free(packed);
    return ok;
}

bool zi_h5_set_checksum(hid_t object, uint64_t sum) {
    return set(object, "checksum", H5T_STD_U64LE, H5T_NATIVE_UINT64, H5Screate(H5S_SCALAR), &sum);
}

bool zi_h5_set_integer(hid_t object, const char *name, int value) {
    return set(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, H5Screate(H5S_SCALAR), &value);
}

/* Small things taken out of HDF5 files. Texts of variable length come from HDF5's allocator and are copied, so that
 * free() fits them. */

/* Notes the reason when there is none of what was asked for. */
static void *got(ziH5File *file, void *memory) {
    if (!memory) file->reason = ENOMEM;
    return memory;
}

/* What reads texts, from an attribute or a stretch of a dataset. */
typedef struct TextSource {
    hid_t attribute, dataset; /* one of the two */
    hid_t here, there;        /* spaces of the stretch; here also tells how many they are */
} TextSource;

static bool read_texts(const TextSource *from, hid_t type, void *to) {
    if (from->attribute >= 0) return H5Aread(from->attribute, type, to) >= 0;
    return H5Dread(from->dataset, type, from->here, from->there, H5P_DEFAULT, to) >= 0;
}

/* Those of variable length, which recordings of format 1 have. */
static bool take_variable(ziH5File *file, const TextSource *from, hid_t stored, size_t count, char **to) {
    char **raw = got(file, calloc(count, sizeof *raw));
    hid_t type = H5Tcopy(stored);
    bool ok = raw && type >= 0 && read_texts(from, type, raw);
    for (size_t i = 0; ok && i < count; i++) to[i] = got(file, strdup(raw[i] ? raw[i] : ""));
    if (ok) H5Dvlen_reclaim(type, from->here, H5P_DEFAULT, raw);
    free(raw);
    if (type >= 0) H5Tclose(type);
    return ok && !file->reason;
}

/* Those of fixed length: as long as the type says, and not longer than a text may be. */
static bool take_fixed(ziH5File *file, const TextSource *from, hid_t stored, size_t count, char **to) {
    const size_t width = H5Tget_size(stored);
    if (width == 0 || width > ZI_H5_MAX_TEXT / count) return false;
    char *raw = got(file, malloc(width * count));
    bool ok = raw && read_texts(from, stored, raw);
    for (size_t i = 0; ok && i < count; i++) to[i] = got(file, strndup(raw + i * width, width));
    free(raw);
    return ok && !file->reason;
}

/* Exactly count texts; anything else is none. */
static bool take_texts_of(ziH5File *file, const TextSource *from, hid_t stored, size_t count, char **to) {
    if (stored < 0 || H5Tget_class(stored) != H5T_STRING || count == 0 || count > ZI_H5_MAX_TEXT) return false;
    return H5Tis_variable_str(stored) > 0 ? take_variable(file, from, stored, count, to)
                                          : take_fixed(file, from, stored, count, to);
}

/* Reads exactly count texts of an attribute into to. */
static bool take_attribute(ziH5File *file, hid_t object, const char *name, size_t count, char **to) {
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) return false;
    hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const TextSource from = {attribute, H5I_INVALID_HID, space, space};
    bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
              take_texts_of(file, &from, stored, count, to);
    if (stored >= 0) H5Tclose(stored);
    if (space >= 0) H5Sclose(space);
    H5Aclose(attribute);
    return ok;
}

char *zi_h5_take_text(ziH5File *file, hid_t object, const char *name) {
    char *text = NULL;
    if (take_attribute(file, object, name, 1, &text)) return text;
    free(text);
    return NULL;
}

char **zi_h5_take_texts(ziH5File *file, hid_t object, const char *name, int count) {
    if (count <= 0) return NULL;
    char **texts = got(file, calloc((size_t)count, sizeof *texts));
    if (texts && take_attribute(file, object, name, (size_t)count, texts)) return texts;
    zi_h5_free_texts(texts, count);
    return NULL;
}

void zi_h5_free_texts(char **texts, int count) {
    for (int i = 0; i < count && texts; i++) free(texts[i]);
    free((void *)texts);
}

/* One number, not an array of them nor a text. */
static bool take_number(hid_t object, const char *name, hid_t type, void *value) {
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) return false;
    hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && stored >= 0 &&
              H5Tget_class(stored) == H5T_INTEGER && H5Aread(attribute, type, value) >= 0;
    if (space >= 0) H5Sclose(space);
    if (stored >= 0) H5Tclose(stored);
    H5Aclose(attribute);
    return ok;
}

bool zi_h5_take_integer(hid_t object, const char *name, int *value) {
    return take_number(object, name, H5T_NATIVE_INT, value);
}

bool zi_h5_take_checksum(hid_t object, uint64_t *sum) {
    return take_number(object, "checksum", H5T_NATIVE_UINT64, sum);
}

/* In the order of creation where the file keeps it, else by name. */
static H5_index_t order_of(hid_t group) {
    unsigned order = 0;
    hid_t creation = H5Gget_create_plist(group);
    if (creation < 0) return H5_INDEX_NAME;
    if (H5Pget_link_creation_order(creation, &order) < 0) order = 0;
    H5Pclose(creation);
    return order & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

/* In the order of creation where the file kept it, else by name; the true name may be an attribute. */
hid_t zi_h5_take_nth(ziH5File *file, hid_t group, int i, char **name) {
    H5_index_t order = order_of(group);
    ssize_t length = H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, (hsize_t)i, NULL, 0, H5P_DEFAULT);
    char *link = length > 0 ? got(file, malloc((size_t)length + 1)) : NULL;
    hid_t dataset = H5I_INVALID_HID;
    if (link &&
        H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, (hsize_t)i, link, (size_t)length + 1, H5P_DEFAULT) >= 0) {
        file->obstacle = zi_h5_link_obstacle(group, link);
        if (!file->obstacle) dataset = H5Dopen2(group, link, H5P_DEFAULT);
        if (dataset >= 0) file->obstacle = zi_h5_storage_obstacle(dataset);
    }
    if (file->obstacle && dataset >= 0) {
        H5Dclose(dataset);
        dataset = H5I_INVALID_HID;
    }
    if (dataset >= 0) *name = zi_h5_take_text(file, dataset, "name");
    if (dataset >= 0 && !*name)
        *name = link;
    else
        free(link);
    return dataset;
}

hssize_t zi_h5_length(hid_t dataset) {
    hid_t space = H5Dget_space(dataset);
    hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (space >= 0) H5Sclose(space);
    return points;
}

/* Reads into values what the spaces select. */
static bool take_selected(ziH5File *file, hid_t dataset, hid_t here, hid_t there, uint64_t count, bool texts,
                          void *values) {
    if (!texts) return H5Dread(dataset, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, values) >= 0;
    hid_t stored = H5Dget_type(dataset);
    const TextSource from = {H5I_INVALID_HID, dataset, here, there};
    bool ok = take_texts_of(file, &from, stored, (size_t)count, values);
    if (stored >= 0) H5Tclose(stored);
    return ok;
}

/* A stretch of a vector, as numbers or as texts. */
bool zi_h5_take_elements(ziH5File *file, hid_t dataset, uint64_t first, uint64_t count, bool texts, void *values) {
    hsize_t start = first, size = count;
    hid_t there = H5Dget_space(dataset);
    int rank = there >= 0 ? H5Sget_simple_extent_ndims(there) : -1;
    hid_t here = H5Screate_simple(1, &size, NULL);
    bool ok = here >= 0 && ((rank == 0 && count == 1) || rank == 1);
    if (ok && rank == 1) ok = H5Sselect_hyperslab(there, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0;
    ok = ok && take_selected(file, dataset, here, there, count, texts, values);
    if (there >= 0) H5Sclose(there);
    if (here >= 0) H5Sclose(here);
    return ok;
}
