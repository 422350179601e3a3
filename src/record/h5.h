/* The HDF5 library, for src/record only, with what our readers and writers share.
 *
 * HDF5 prints its errors unless told otherwise. The switch belongs to the calling thread in thread-safe builds of HDF5
 * (Debian's are) and to the process in others; zi_h5_begin turns it off and zi_h5_end puts it back as it was. */
#ifndef ZI_RECORD_H5_H
#define ZI_RECORD_H5_H

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <stdbool.h>
#include <stdint.h>

#include "zveno/status.h"

typedef struct ziH5Quiet {
    H5E_auto2_t function;
    void *data;
} ziH5Quiet;
void zi_h5_begin(ziH5Quiet *quiet);
void zi_h5_end(const ziH5Quiet *quiet);

/* A file that is open already, as HDF5 sees it. reason is the errno of the first failed read or write. */
typedef struct ziH5File {
    int file, reason;
    hid_t driver, id;
} ziH5File;
/* Both return false when HDF5 refuses; then nothing needs closing. */
bool zi_h5_create(ziH5File *file);
bool zi_h5_open(ziH5File *file);
bool zi_h5_close(ziH5File *file);

/* Texts are UTF-8 of variable length: what h5py shows as str and MATLAB as string. */
hid_t zi_h5_text_type(void);
bool zi_h5_set_text(hid_t object, const char *name, const char *text);
bool zi_h5_set_texts(hid_t object, const char *name, int count, const char *const *texts);
bool zi_h5_set_integer(hid_t object, const char *name, int value);

/* The innermost complaint of HDF5 on this thread as " (...)", cut to size; "" when there is none. */
const char *zi_h5_complaint(char *text, size_t size);

/* Small things taken out of HDF5 files; all texts are to be freed by the caller. When we are out of memory the reason
 * of the file says so. */

/* The text of an attribute, or NULL. */
char *zi_h5_take_text(ziH5File *file, hid_t object, const char *name);
/* count texts of an attribute, or NULL when it is not there or of another size. */
char **zi_h5_take_texts(ziH5File *file, hid_t object, const char *name, int count);
void zi_h5_free_texts(char **texts, int count);
bool zi_h5_take_integer(hid_t object, const char *name, int *value);

/* Opens the dataset that was the i-th to be put into a group; *name is its own name, which may differ from the link. */
hid_t zi_h5_take_nth(ziH5File *file, hid_t group, int i, char **name);
/* Number of elements of a dataset, or -1. */
hssize_t zi_h5_length(hid_t dataset);
/* count elements of a scalar or vector dataset from first on: texts (char *) or numbers (double). */
bool zi_h5_take_elements(ziH5File *file, hid_t dataset, uint64_t first, uint64_t count, bool texts, void *values);

#endif
