/* The forms of a recording, told by the suffix of its path. */
#ifndef ZI_RECORD_FORM_H
#define ZI_RECORD_FORM_H

#include "record/feed.h"

typedef enum ziForm { ZI_FORM_HDF5, ZI_FORM_CSV } ziForm;

/* Refuses what is not known and what this build cannot write. */
zvStatus zi_form_of(const char *path, ziForm *form, zvError *error);
/* Refuses a path that cannot be replaced, or not in this form. Told before a long run. */
zvStatus zi_form_check(const char *path, zvError *error);
/* Writes a recording in the form of the suffix; replaces path only when complete. */
zvStatus zi_form_write(const ziFeed *feed, const char *path, zvError *error);

#endif
