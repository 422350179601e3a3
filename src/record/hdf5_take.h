/* Small things taken out of HDF5 files; all texts are to be freed by the caller. When we are out of memory the reason
 * of the file says so. */
#ifndef ZI_RECORD_HDF5_TAKE_H
#define ZI_RECORD_HDF5_TAKE_H

#include <stdint.h>

#include "record/h5.h"

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
