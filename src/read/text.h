/* Places in a text and the check that it is text at all. */
#ifndef ZI_READ_TEXT_H
#define ZI_READ_TEXT_H

#include <stddef.h>

#include "zveno/status.h"

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

#endif
