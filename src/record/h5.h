/* The HDF5 library, for src/record only, with what our readers and writers share.
 *
 * HDF5 prints its errors unless told otherwise. The switch belongs to the calling thread in thread-safe builds of HDF5
 * (Debian's are) and to the process in others; zv_h5_begin turns it off and zv_h5_end puts it back as it was. */
#ifndef ZV_RECORD_H5_H
#define ZV_RECORD_H5_H

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <stdbool.h>

#include "zveno/status.h"

typedef struct zvH5Quiet {
    H5E_auto2_t function;
    void *data;
} zvH5Quiet;
void zv_h5_begin(zvH5Quiet *quiet);
void zv_h5_end(const zvH5Quiet *quiet);

/* A file that is open already, as HDF5 sees it. reason is the errno of the first failed read or write. */
typedef struct zvH5File {
    int file, reason;
    hid_t driver, id;
} zvH5File;
/* Both return false when HDF5 refuses; then nothing needs closing. */
bool zv_h5_create(zvH5File *file);
bool zv_h5_open(zvH5File *file);
bool zv_h5_close(zvH5File *file);

/* Texts are UTF-8 of variable length: what h5py shows as str and MATLAB as string. */
hid_t zv_h5_text_type(void);
bool zv_h5_set_text(hid_t object, const char *name, const char *text);
bool zv_h5_set_texts(hid_t object, const char *name, int count, const char *const *texts);
bool zv_h5_set_integer(hid_t object, const char *name, int value);

/* The innermost complaint of HDF5 on this thread as " (...)", cut to size; "" when there is none. */
const char *zv_h5_complaint(char *text, size_t size);

#endif
