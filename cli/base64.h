/* Numbers as text: base64 [RFC 4648] of the bytes of a little-endian machine. */
#ifndef ZVENO_CLI_BASE64_H
#define ZVENO_CLI_BASE64_H

#include "json.h"

void base64_put(Text *out, const void *bytes, size_t size);

/* A JSON text of count numbers, 4 or 8 bytes each. */
void base64_floats(Json *json, const float *values, size_t count);
void base64_doubles(Json *json, const double *values, size_t count);

#endif
