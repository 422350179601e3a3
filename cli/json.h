/* A writer of JSON: numbers that read back exactly, strings that are always valid UTF-8. */
#ifndef ZVENO_CLI_JSON_H
#define ZVENO_CLI_JSON_H

#include "text.h"

enum { JSON_DEPTH = 16 }; /* no answer nests deeper */

/* Members one per line, or all on one line. */
typedef enum JsonLayout { JSON_BLOCK, JSON_LINE } JsonLayout;

typedef struct JsonLevel {
    char close; /* '}' or ']' */
    JsonLayout layout;
    bool empty;
} JsonLevel;

typedef struct Json {
    Text *out;
    int depth;
    bool after_key;
    JsonLevel level[JSON_DEPTH];
} Json;

Json json_start(Text *out);

void json_map(Json *json, JsonLayout layout);
void json_list(Json *json, JsonLayout layout);
void json_end(Json *json); /* closes the innermost map or list */
void json_key(Json *json, const char *key);

void json_number(Json *json, double value);
void json_integer(Json *json, int value);
void json_bool(Json *json, bool value);
void json_text(Json *json, const char *value); /* null for NULL */
/* The caller writes the next value into what is returned. */
Text *json_raw(Json *json);
/* [..] on one line */
void json_numbers(Json *json, const double *values, size_t count);
/* [[..], [..]] with a line per row; values row-major */
void json_rows(Json *json, const double *values, size_t rows, size_t columns);

/* Numbers as text: base64 [RFC 4648] of the bytes of a little-endian machine. */

void base64_put(Text *out, const void *bytes, size_t size);

/* A JSON text of count numbers, 4 or 8 bytes each. */
void base64_floats(Json *json, const float *values, size_t count);
void base64_doubles(Json *json, const double *values, size_t count);

#endif
