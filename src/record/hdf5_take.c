/* Small things taken out of HDF5 files. Texts come from HDF5's allocator and are copied, so that free() fits them. */
#define _POSIX_C_SOURCE 200809L
#include "record/hdf5_take.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether an object is there and holds texts of variable length, the only ones we write. */
static bool is_text(hid_t type) {
    return type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
}

/* Notes the reason when there is none of what was asked for. */
static void *got(ziH5File *file, void *memory) {
    if (!memory) file->reason = ENOMEM;
    return memory;
}

static bool copy_texts(ziH5File *file, char **from, size_t count, char **to) {
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        to[i] = got(file, strdup(from[i] ? from[i] : ""));
        if (!to[i]) ok = false;
    }
    return ok;
}

/* Reads exactly count texts of an attribute into to. */
static bool take_attribute(ziH5File *file, hid_t object, const char *name, size_t count, char **to) {
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) return false;
    hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute), type = zi_h5_text_type();
    char **raw = got(file, calloc(count, sizeof *raw));
    bool ok = false;
    if (raw && is_text(stored) && type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)count &&
        H5Aread(attribute, type, raw) >= 0) {
        ok = copy_texts(file, raw, count, to);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw);
    }
    free(raw);
    if (stored >= 0) H5Tclose(stored);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
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

bool zi_h5_take_integer(hid_t object, const char *name, int *value) {
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (attribute < 0) return false;
    hid_t space = H5Aget_space(attribute);
    bool ok = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_INT, value) >= 0;
    if (space >= 0) H5Sclose(space);
    H5Aclose(attribute);
    return ok;
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

hid_t zi_h5_take_nth(ziH5File *file, hid_t group, int i, char **name) {
    H5_index_t order = order_of(group);
    ssize_t length = H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, (hsize_t)i, NULL, 0, H5P_DEFAULT);
    char *link = length > 0 ? got(file, malloc((size_t)length + 1)) : NULL;
    hid_t dataset = H5I_INVALID_HID;
    if (link &&
        H5Lget_name_by_idx(group, ".", order, H5_ITER_INC, (hsize_t)i, link, (size_t)length + 1, H5P_DEFAULT) >= 0)
        dataset = H5Dopen2(group, link, H5P_DEFAULT);
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
    hid_t type = zi_h5_text_type(), stored = H5Dget_type(dataset);
    char **raw = got(file, calloc((size_t)count, sizeof *raw));
    bool ok = raw && type >= 0 && is_text(stored) && H5Dread(dataset, type, here, there, H5P_DEFAULT, raw) >= 0;
    if (ok) {
        ok = copy_texts(file, raw, (size_t)count, values);
        H5Dvlen_reclaim(type, here, H5P_DEFAULT, raw);
    }
    free(raw);
    if (stored >= 0) H5Tclose(stored);
    if (type >= 0) H5Tclose(type);
    return ok;
}

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
