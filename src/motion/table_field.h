/* Lines of a table cut into fields, and fields read as numbers. Nothing here allocates; bytes end with a NUL. */
#ifndef ZI_MOTION_TABLE_FIELD_H
#define ZI_MOTION_TABLE_FIELD_H

#include <stdbool.h>
#include <stddef.h>

/* A stretch of bytes: from first to before stop. */
typedef struct ziStretch {
    const char *first, *stop;
} ziStretch;

/* Cuts the next line off rest (ended by LF, CR LF or CR) and returns it without comment and blanks at its ends. */
ziStretch zi_line_cut(ziStretch *rest);
/* ';' or ',' when the line has one outside of quotes, else ' ' for blanks and tabs. */
char zi_line_separator(ziStretch line);
/* Cuts the next field off the line, without blanks around it; false when there is none left. After the last field
 * line->first is NULL. Between two separators there is an empty field. */
bool zi_field_cut(ziStretch *line, char separator, ziStretch *field);

/* Whether it looks like the name of a column: quoted, or begun by a character that begins no number. */
bool zi_field_is_name(ziStretch field);
/* Reads a whole field as a finite number. NULL when it is one, else what to do. */
const char *zi_field_number(ziStretch field, double *value);
/* What a name is without its quotes. */
ziStretch zi_field_name(ziStretch field);

#endif
