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

#include "record/recording.h"

typedef struct ziH5Quiet {
    H5E_auto2_t function;
    void *data;
} ziH5Quiet;
void zi_h5_begin(ziH5Quiet *quiet);
void zi_h5_end(const ziH5Quiet *quiet);

/* A file that is open already, as HDF5 sees it. reason is the errno of the first failed read or write. */
typedef struct ziH5File {
    int file, reason;
    const char *obstacle; /* why something of it is not read, or NULL */
    hid_t driver, id;
} ziH5File;
/* Both return false when HDF5 refuses; then nothing needs closing. */
bool zi_h5_create(ziH5File *file);
bool zi_h5_open(ziH5File *file);
bool zi_h5_close(ziH5File *file);

/* Texts are UTF-8 of fixed length, filled up with zeros: those of variable length lie in a heap without a sum of its
 * own, and a flipped bit there can end the library. Size 0 is taken as 1. */
hid_t zi_h5_text_type(size_t size);
/* The longest of count texts, and all of them at this width behind each other; to be freed, NULL when out of memory. */
size_t zi_h5_text_width(size_t count, const char *const *texts);
char *zi_h5_pack_texts(size_t count, const char *const *texts, size_t width);
bool zi_h5_set_text(hid_t object, const char *name, const char *text);
bool zi_h5_set_texts(hid_t object, const char *name, int count, const char *const *texts);
bool zi_h5_set_integer(hid_t object, const char *name, int value);
bool zi_h5_set_checksum(hid_t object, uint64_t sum);

/* The innermost complaint of HDF5 on this thread as " (...)", cut to size; "" when there is none. */
const char *zi_h5_complaint(char *text, size_t size);

/* Small things taken out of HDF5 files; all texts are to be freed by the caller. When we are out of memory the reason
 * of the file says so. Texts may be of fixed or, as in recordings of format 1, of variable length. */

/* The text of an attribute, or NULL. */
char *zi_h5_take_text(ziH5File *file, hid_t object, const char *name);
/* count texts of an attribute, or NULL when it is not there or of another size. */
char **zi_h5_take_texts(ziH5File *file, hid_t object, const char *name, int count);
void zi_h5_free_texts(char **texts, int count);
bool zi_h5_take_integer(hid_t object, const char *name, int *value);
bool zi_h5_take_checksum(hid_t object, uint64_t *sum);

/* Opens the dataset that was the i-th to be put into a group; *name is its own name, which may differ from the link. */
hid_t zi_h5_take_nth(ziH5File *file, hid_t group, int i, char **name);
/* Number of elements of a dataset, or -1. */
hssize_t zi_h5_length(hid_t dataset);
/* count elements of a scalar or vector dataset from first on: texts (char *) or numbers (double). */
bool zi_h5_take_elements(ziH5File *file, hid_t dataset, uint64_t first, uint64_t count, bool texts, void *values);

/* What is refused before it is read ----------------------------------------------------------------------------- */

/* NULL, or why what a link leads to does not lie in this file. */
const char *zi_h5_link_obstacle(hid_t group, const char *name);
/* NULL, or why the contents of a dataset are not asked for: they lie in other files, or are more than the file can
 * hold.
 */
const char *zi_h5_storage_obstacle(hid_t dataset);
enum { ZI_H5_MAX_CHANNELS = 1 << 20, ZI_H5_MAX_NOTES = 1 << 16, ZI_H5_MAX_TEXT = 1 << 28, ZI_H5_MAX_CHUNK = 1 << 28 };

/* Checksums (docs/recordings.md) ---------------------------------------------------------------------------------- */

/* Of a channel without its numbers, to which zi_checksum_add adds them; false when out of memory. */
bool zi_h5_sum_channel(const zvChannel *channel, uint64_t rows, uint64_t *sum);
uint64_t zi_h5_sum_texts(uint64_t sum, uint64_t count, char *const *texts);
uint64_t zi_h5_sum_integer(uint64_t sum, uint64_t value);

/* Reading in a process of its own -----------------------------------------------------------------------------------
 */

/* Opens a recording through an open file and fills in all but its form: hdf5_read.c. Nothing is closed again, since the
 * process ends. */
zvStatus zi_h5_source_open(zvRecording *recording, int file, zvError *error);
zvStatus zi_h5_source_read(zvRecording *recording, int channel, uint64_t first, uint64_t count, double *values,
                           zvError *error);
/* Checks the numbers of a channel against their sum, a block with each call until *done; values has room for a block
 * (zi_block_rows). */
zvStatus zi_h5_source_check(zvRecording *recording, int channel, double *values, bool *done, zvError *error);

#endif
