/* HDF5 for the reader and the writer: attributes, small reads, and a file driver of our own. */
#define _XOPEN_SOURCE 700

#include "record/h5.h"
#include "record/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Attributes, and what HDF5 has to say about its failures. */

void zi_h5_begin(ziH5Quiet *quiet) {
    *quiet = (ziH5Quiet){0};
    H5Eget_auto2(H5E_DEFAULT, &quiet->function, &quiet->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void zi_h5_end(const ziH5Quiet *quiet) { H5Eset_auto2(H5E_DEFAULT, quiet->function, quiet->data); }

typedef struct Complaint {
    char *text;
    size_t size;
} Complaint;

static herr_t note_first(unsigned n, const H5E_error2_t *found, void *data) {
    const Complaint *complaint = data;
    if (n == 0 && found->desc) snprintf(complaint->text, complaint->size, " (%.120s)", found->desc);
    return 0;
}

const char *zi_h5_complaint(char *text, size_t size) {
    Complaint complaint = {text, size};
    text[0] = '\0';
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_first, &complaint);
    return text;
}

hid_t zi_h5_text_type(void) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
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

bool zi_h5_set_text(hid_t object, const char *name, const char *text) {
    hid_t type = zi_h5_text_type();
    bool ok = set(object, name, type, type, H5Screate(H5S_SCALAR), &text);
    if (type >= 0) H5Tclose(type);
    return ok;
}

bool zi_h5_set_texts(hid_t object, const char *name, int count, const char *const *texts) {
    hsize_t size = (hsize_t)count;
    hid_t type = zi_h5_text_type();
    bool ok = set(object, name, type, type, H5Screate_simple(1, &size, NULL), texts);
    if (type >= 0) H5Tclose(type);
    return ok;
}

bool zi_h5_set_integer(hid_t object, const char *name, int value) {
    return set(object, name, H5T_STD_I32LE, H5T_NATIVE_INT, H5Screate(H5S_SCALAR), &value);
}

/* Small things taken out of HDF5 files. Texts come from HDF5's allocator and are copied, so that free() fits them. */

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

/* In the order of creation where the file kept it, else by name; the true name may be an attribute. */
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

/* A file driver for HDF5 over a file that is open already.
 *
 * HDF5 cannot close a file that it cannot write to: after a failed write its handles stay open, and when the process
 * ends it tries again (1.10.8 crashes then). So this driver never tells HDF5 of a failed write. It remembers the reason
 * and drops what follows; the caller looks at the reason and throws the file away. Files keep no trace of the driver.
 */

typedef struct Driver {
    H5FD_t pub; /* HDF5's part comes first */
    ziH5File *file;
    haddr_t eoa, eof;
} Driver;

/* The name does not matter: the file is open already, and comes with the access list. */
static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t limit) {
    (void)name, (void)flags, (void)limit;
    ziH5File *const *info = H5Pget_driver_info(access);
    if (!info) return NULL;
    struct stat state;
    Driver *driver = calloc(1, sizeof *driver);
    if (!driver || fstat((*info)->file, &state) != 0) {
        (*info)->reason = driver ? errno : ENOMEM;
        free(driver);
        return NULL;
    }
    driver->file = *info;
    driver->eof = (haddr_t)state.st_size;
    return &driver->pub;
}

static herr_t driver_close(H5FD_t *driver) {
    free(driver);
    return 0;
}

static herr_t driver_query(const H5FD_t *driver, unsigned long *flags) {
    (void)driver;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *driver, H5FD_mem_t type) {
    (void)type;
    return ((const Driver *)driver)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *driver, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((Driver *)driver)->eoa = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *driver, H5FD_mem_t type) {
    (void)type;
    return ((const Driver *)driver)->eof;
}

/* What lies beyond the end reads as zeros. */
static herr_t driver_read(H5FD_t *pub, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
    (void)type, (void)transfer;
    Driver *driver = (Driver *)pub;
    char *to = buffer;
    while (size > 0) {
        ssize_t got = pread(driver->file->file, to, size, (off_t)address);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            if (!driver->file->reason) driver->file->reason = errno;
            return -1;
        }
        if (got == 0) {
            memset(to, 0, size);
            break;
        }
        to += got;
        address += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t driver_write(H5FD_t *pub, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *buffer) {
    (void)type, (void)transfer;
    Driver *driver = (Driver *)pub;
    if (!driver->file->reason && zi_write_all(driver->file->file, buffer, size, (int64_t)address) < size)
        driver->file->reason = errno;
    if (address + size > driver->eof) driver->eof = address + size;
    return 0;
}

static herr_t driver_truncate(H5FD_t *pub, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    Driver *driver = (Driver *)pub;
    if (driver->eoa == driver->eof) return 0;
    if (!driver->file->reason && ftruncate(driver->file->file, (off_t)driver->eoa) != 0) driver->file->reason = errno;
    driver->eof = driver->eoa;
    return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = H5_VFD_RESERVED + 1,
#endif
    .name = "zveno",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(ziH5File *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* Files for HDF5 1.8 (2008) and later; attributes of any size; a megabyte of metadata at most in memory. */
static hid_t access_list(ziH5File *file) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_driver(access, file->driver, &file) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        return access;
    if (access >= 0) H5Pclose(access);
    return H5I_INVALID_HID;
}

/* A file is the same bytes whenever it is written: no times. Names keep the order in which they were given. */
static hid_t creation_list(void) {
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0)
        return creation;
    if (creation >= 0) H5Pclose(creation);
    return H5I_INVALID_HID;
}

/* Registers the driver and opens or creates the file through it; nothing is left behind on failure. */
static bool open_driver(ziH5File *file, bool create) {
    file->id = H5I_INVALID_HID;
    file->reason = 0;
    file->driver = H5FDregister(&driver_class);
    if (file->driver < 0) return false;
    hid_t access = access_list(file), creation = create ? creation_list() : H5P_DEFAULT;
    if (access >= 0 && creation >= 0)
        file->id = create ? H5Fcreate("recording", H5F_ACC_TRUNC, creation, access)
                          : H5Fopen("recording", H5F_ACC_RDONLY, access);
    if (create && creation >= 0) H5Pclose(creation);
    if (access >= 0) H5Pclose(access);
    if (file->id < 0) H5FDunregister(file->driver);
    return file->id >= 0;
}

bool zi_h5_create(ziH5File *file) { return open_driver(file, true); }
bool zi_h5_open(ziH5File *file) { return open_driver(file, false); }

bool zi_h5_close(ziH5File *file) {
    bool closed = H5Fclose(file->id) >= 0;
    H5FDunregister(file->driver);
    return closed;
}
