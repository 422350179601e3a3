/* The forms of a recording, told by the suffix of its path. */
#ifndef ZV_RECORD_FORM_H
#define ZV_RECORD_FORM_H

#include "record/feed.h"

typedef enum zvForm { ZV_FORM_HDF5, ZV_FORM_CSV } zvForm;

/* Refuses what is not known and what this build cannot write. */
zvStatus zv_form_of(const char *path, zvForm *form, zvError *error);
/* Refuses a path that cannot be replaced, or not in this form. Told before a long run. */
zvStatus zv_form_check(const char *path, zvError *error);
/* Writes a recording in the form of the suffix; replaces path only when complete. */
zvStatus zv_form_write(const zvFeed *feed, const char *path, zvError *error);

#endif
