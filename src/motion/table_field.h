/* Lines of a table cut into fields, and fields read as numbers. Nothing here allocates; bytes end with a NUL. */
#ifndef ZV_MOTION_TABLE_FIELD_H
#define ZV_MOTION_TABLE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

/* A stretch of bytes: from first to before stop. */
typedef struct zvStretch {
    const char *first, *stop;
} zvStretch;

/* Cuts the next line off rest (ended by LF, CR LF or CR) and returns it without comment and blanks at its ends. */
zvStretch zv_line_cut(zvStretch *rest);
/* ';' or ',' when the line has one outside of quotes, else ' ' for blanks and tabs. */
char zv_line_separator(zvStretch line);
/* Cuts the next field off the line, without blanks around it; false when there is none left. After the last field
 * line->first is NULL. Between two separators there is an empty field. */
bool zv_field_cut(zvStretch *line, char separator, zvStretch *field);

/* Whether it looks like the name of a column: quoted, or begun by a character that begins no number. */
bool zv_field_is_name(zvStretch field);
/* Reads a whole field as a finite number. NULL when it is one, else why not, as a phrase with what to do. */
const char *zv_field_number(zvStretch field, double *value);
/* What a name is without its quotes. */
zvStretch zv_field_name(zvStretch field);

#endif
