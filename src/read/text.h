/* What readers of every format share: places in a text, numbers, whole files, and what a user probably meant. */
#ifndef ZI_READ_TEXT_H
#define ZI_READ_TEXT_H

#include <stddef.h>

#include "zveno/builder.h"
#include "zveno/status.h"

/* Places in a text and the check that it is text at all. */

/* Goes through a text byte by byte and knows line and column (in characters). */
typedef struct ziCursor {
    size_t offset;
    int line, column;
} ziCursor;

ziCursor zi_cursor_start(const char *bytes, size_t size); /* behind a byte-order mark, if there is one */
void zi_cursor_advance(ziCursor *cursor, const char *bytes, size_t to_offset);
zvMark zi_cursor_mark(const ziCursor *cursor, const char *file);

/* Place of a byte. */
zvMark zi_text_mark(const char *file, const char *bytes, size_t size, size_t offset);
/* Refuses zero bytes and, unless utf8 is 0, what is not UTF-8. */
zvStatus zi_text_check(const char *file, const char *bytes, size_t size, int utf8, zvError *error);

enum { ZI_QUOTE_SIZE = 48 };
/* The start of a text, short enough for an error sentence; control characters and those that
 * turn the direction of writing become '?'. Returns buffer. */
const char *zi_text_quote(char buffer[ZI_QUOTE_SIZE], const char *text, size_t length);

/* Decimal numbers, the same in every locale. */

typedef enum ziNumberFault {
    ZI_NUMBER_GOOD,
    ZI_NUMBER_NONE,     /* no number is here */
    ZI_NUMBER_INFINITE, /* inf or nan in one of its spellings */
    ZI_NUMBER_TOO_LARGE /* beyond the range of a double, e.g. 1e400 */
} ziNumberFault;

/* Reads a decimal number at the start of a NUL-terminated text; *end is where it stops.
 * INFINITE only when the whole text is such a word. Numbers too small for a double become zero or denormal. */
ziNumberFault zi_number_scan(const char *text, const char **end, double *value);
/* What was expected where a number has this fault, as a phrase to follow "expected "; not for GOOD. */
const char *zi_number_expected(ziNumberFault fault);

/* A file read whole into memory. */

typedef struct ziSource {
    char *bytes; /* size bytes and a NUL behind */
    size_t size;
} ziSource;

/* path "-" is standard input. Refuses directories, empty files and files of more than 256 MiB. */
zvStatus zi_source_load(const char *path, ziSource *out, zvError *error);
void zi_source_free(ziSource *source);
/* How error texts call a path: "<stdin>" for "-", else the path itself. */
const char *zi_source_name(const char *path);

/* The word a user probably meant. */

/* The one of count names that word means in another format (hinge: revolute), else the nearest in spelling, else NULL.
 */
const char *zi_meant_name(const char *word, const char *const *names, size_t count);

/* The same of a list of words between blanks, copied to found (of no more than 64 words, 767 characters). */
const char *zi_nearest_word(const char *list, const char *word, char found[ZI_QUOTE_SIZE]);
/* Whether a list has the word; the list begins and ends with a blank. */
bool zi_has_word(const char *list, const char *word);

/* The rotation matrix, row by row, of a quaternion x, y, z, w of unit length. */
void zi_quaternion_rotation(const double u[4], double R[9]);
/* The pose of the outer frame in the inner one. */
zvPose zi_pose_inverse(const zvPose *pose);

/* Angles that were probably written in degrees. */

/* Leaves a remark when one of roll, pitch, yaw is more than a whole turn. kind and name say what they belong to; mark
 * is where they are. */
zvStatus zi_degrees_remark(zvBuilder *builder, const char *kind, const char *name, zvMark mark, const double rpy[3],
                           zvError *error);

#endif
