/* base64: three bytes become four letters; what is left over is filled up with "=". */
#include "base64.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(char *to, const unsigned char *from) {
    const unsigned word = (unsigned)from[0] << 16 | (unsigned)from[1] << 8 | from[2];
    for (int i = 0; i < 4; i++) to[i] = letters[word >> (18 - 6 * i) & 63];
}

void base64_put(Text *out, const void *bytes, size_t size) {
    enum { GROUPS = 256 };
    const unsigned char *from = bytes;
    char block[4 * GROUPS];
    while (size >= 3) {
        const size_t groups = size / 3 < GROUPS ? size / 3 : GROUPS;
        for (size_t i = 0; i < groups; i++) put_group(block + 4 * i, from + 3 * i);
        text_put(out, block, 4 * groups);
        from += 3 * groups;
        size -= 3 * groups;
    }
    if (!size) return;
    unsigned char rest[3] = {0};
    memcpy(rest, from, size);
    put_group(block, rest);
    memset(block + 1 + size, '=', 3 - size);
    text_put(out, block, 4);
}

/* As many numbers at a time as make whole groups of both sizes: no "=" in the middle. */
enum { AT_ONCE = 96 };

static uint64_t bits_of(const void *number, size_t size) {
    uint32_t narrow = 0;
    uint64_t wide = 0;
    if (size == sizeof narrow)
        memcpy(&narrow, number, sizeof narrow);
    else
        memcpy(&wide, number, sizeof wide);
    return wide | narrow;
}

static void put_little(unsigned char *to, uint64_t bits, size_t size) {
    for (size_t i = 0; i < size; i++) to[i] = (unsigned char)(bits >> 8 * i);
}

/* Numbers of `size` bytes, as a string. */
static void put_numbers(Json *json, const unsigned char *values, size_t count, size_t size) {
    unsigned char block[AT_ONCE * sizeof(double)];
    Text *out = json_raw(json);
    text_puts(out, "\"");
    for (size_t done = 0; done < count;) {
        const size_t part = count - done < AT_ONCE ? count - done : AT_ONCE;
        for (size_t i = 0; i < part; i++, done++)
            put_little(block + i * size, bits_of(values + done * size, size), size);
        base64_put(out, block, part * size);
    }
    text_puts(out, "\"");
}

void base64_floats(Json *json, const float *values, size_t count) {
    put_numbers(json, (const unsigned char *)values, count, sizeof *values);
}

void base64_doubles(Json *json, const double *values, size_t count) {
    put_numbers(json, (const unsigned char *)values, count, sizeof *values);
}
