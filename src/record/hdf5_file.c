/* HDF5 for the reader and the writer: its complaints, and a file driver of our own. */
#define _XOPEN_SOURCE 700

#include "record/h5.h"
#include "record/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
