/* Files of arrays, written byte by byte.
 *
 * MATLAB level 5: "MAT-File Format", The MathWorks, sections 1-3 to 1-23; not compressed, little-endian. NumPy: NEP 1
 * (format version 1.0); a zip file of entries that are stored, APPNOTE 6.3 sections 4.3.7, 4.3.12 and 4.3.16. */
#include "arrays.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Little-endian numbers. */
static void put_integer(Text *out, uint64_t value, int bytes) {
    char text[8];
    for (int i = 0; i < bytes; i++) text[i] = (char)(value >> (8 * i) & 255);
    text_put(out, text, (size_t)bytes);
}

static void put_double(Text *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(out, bits, 8);
}

static void pad(Text *out, size_t begin, size_t unit, char with) {
    while ((out->size - begin) % unit) text_put(out, &with, 1);
}

static size_t longest(const Array *a) {
    size_t most = 0;
    for (size_t i = 0; i < a->rows; i++) {
        const size_t size = strlen(a->names[i]);
        if (size > most) most = size;
    }
    return most;
}

/* MATLAB ---------------------------------------------------------------------------------------------------- */

enum { MI_INT8 = 1, MI_UINT16 = 4, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14 };
enum { MX_CHAR = 4, MX_DOUBLE = 6 };

static void mat_tag(Text *out, int type, size_t size) {
    put_integer(out, (uint64_t)type, 4);
    put_integer(out, size, 4);
}

/* Class, dimensions, name. */
static void mat_head(Text *out, const Array *a, int class, size_t columns) {
    const int dimensions = a->pages ? 3 : 2;
    mat_tag(out, MI_UINT32, 8);
    put_integer(out, (uint64_t) class, 4);
    put_integer(out, 0, 4);
    mat_tag(out, MI_INT32, 4 * (size_t)dimensions);
    put_integer(out, a->rows, 4);
    put_integer(out, columns, 4);
    if (a->pages) put_integer(out, a->pages, 4);
    pad(out, 0, 8, 0);
    mat_tag(out, MI_INT8, strlen(a->name));
    text_puts(out, a->name);
    pad(out, 0, 8, 0);
}

/* By columns; names are a matrix of characters, blanks behind them. */
static void mat_array(Text *out, const Array *a) {
    const size_t columns = a->numbers ? a->columns : longest(a), pages = a->pages ? a->pages : 1,
                 count = pages * a->rows * columns, data = count * (a->numbers ? 8 : 2),
                 head = 16 + 8 + (a->pages ? 16 : 8) + 8 + (strlen(a->name) + 7) / 8 * 8;
    mat_tag(out, MI_MATRIX, head + 8 + (data + 7) / 8 * 8);
    mat_head(out, a, a->numbers ? MX_DOUBLE : MX_CHAR, columns);
    mat_tag(out, a->numbers ? MI_DOUBLE : MI_UINT16, data);
    for (size_t page = 0; page < pages; page++) {
        for (size_t k = 0; k < columns; k++) {
            for (size_t i = 0; i < a->rows; i++) {
                if (a->numbers)
                    put_double(out, a->numbers[(page * a->rows + i) * columns + k]);
                else
                    put_integer(out, k < strlen(a->names[i]) ? (unsigned char)a->names[i][k] : ' ', 2);
            }
        }
    }
    pad(out, 0, 8, 0);
}

/* The head has 128 bytes, so that places in the file are those in the text. */
bool arrays_mat(const Array *arrays, size_t count, Text *out) {
    static const char about[] = "MATLAB 5.0 MAT-file, written by zveno";
    text_clear(out);
    text_puts(out, about);
    while (out->size < 116) text_put(out, " ", 1);
    put_integer(out, 0, 8);
    put_integer(out, 0x0100, 2);
    text_put(out, "IM", 2);
    for (size_t i = 0; i < count; i++) {
        mat_array(out, &arrays[i]);
        if (out->size > INT_MAX) return false;
    }
    return !out->failed;
}

/* NumPy ----------------------------------------------------------------------------------------------------- */

/* Of a zip entry: bits of the polynomial 0xedb88320. */
static uint32_t checksum(const char *bytes, size_t size) {
    uint32_t sum = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        sum ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum;
}

/* Names are texts of fixed length in UCS-4, of which only ASCII is taken as it is. */
static void npy(Text *out, const Array *a) {
    const size_t width = a->numbers ? 0 : longest(a), pages = a->pages ? a->pages : 1;
    Text head = {0};
    text_clear(out);
    if (a->numbers)
        text_puts(&head, "{'descr': '<f8', 'fortran_order': False, 'shape': (");
    else
        text_printf(&head, "{'descr': '<U%zu', 'fortran_order': False, 'shape': (%zu,", width ? width : 1, a->rows);
    if (a->pages) text_printf(&head, "%zu, ", a->pages);
    if (a->numbers) text_printf(&head, "%zu, %zu", a->rows, a->columns);
    text_puts(&head, "), }");
    while ((10 + head.size + 1) % 64) text_put(&head, " ", 1);
    text_put(&head, "\n", 1);
    text_put(out, "\x93NUMPY\x01\x00", 8);
    put_integer(out, head.size, 2);
    text_put(out, head.bytes, head.size);
    for (size_t i = 0; a->numbers && i < pages * a->rows * a->columns; i++) put_double(out, a->numbers[i]);
    for (size_t i = 0; !a->numbers && i < a->rows; i++) {
        const size_t size = strlen(a->names[i]);
        for (size_t k = 0; k < (width ? width : 1); k++)
            put_integer(out, k < size ? (unsigned char)a->names[i][k] : 0, 4);
    }
    out->failed |= head.failed;
    text_free(&head);
}

/* What both heads of an entry share. */
static void zip_sizes(Text *out, uint32_t sum, size_t size, size_t name) {
    put_integer(out, 20, 2); /* version that is needed: 2.0 */
    put_integer(out, 0, 2);
    put_integer(out, 0, 2);    /* stored */
    put_integer(out, 0, 2);    /* midnight */
    put_integer(out, 0x21, 2); /* 1 January 1980 */
    put_integer(out, sum, 4);
    put_integer(out, size, 4);
    put_integer(out, size, 4);
    put_integer(out, name, 2);
    put_integer(out, 0, 2);
}

/* Entries one after another, then the directory that tells where each begins. */
bool arrays_npz(const Array *arrays, size_t count, Text *out) {
    Text entry = {0}, directory = {0};
    text_clear(out);
    for (size_t i = 0; i < count; i++) {
        const size_t at = out->size, name = strlen(arrays[i].name) + 4;
        npy(&entry, &arrays[i]);
        const uint32_t sum = checksum(entry.bytes, entry.size);
        text_put(out, "PK\x03\x04", 4);
        zip_sizes(out, sum, entry.size, name);
        text_printf(out, "%s.npy", arrays[i].name);
        text_put(out, entry.bytes, entry.size);
        text_put(&directory, "PK\x01\x02", 4);
        put_integer(&directory, 20, 2);
        zip_sizes(&directory, sum, entry.size, name);
        put_integer(&directory, 0, 2); /* comment, disk, attributes */
        put_integer(&directory, 0, 8);
        put_integer(&directory, at, 4);
        text_printf(&directory, "%s.npy", arrays[i].name);
        if (out->size > INT_MAX) break;
    }
    const size_t begin = out->size;
    const bool fits = begin <= INT_MAX && !entry.failed && !directory.failed;
    text_put(out, directory.bytes, directory.size);
    text_put(out, "PK\x05\x06", 4);
    put_integer(out, 0, 4);
    put_integer(out, count, 2);
    put_integer(out, count, 2);
    put_integer(out, directory.size, 4);
    put_integer(out, begin, 4);
    put_integer(out, 0, 2);
    text_free(&entry);
    text_free(&directory);
    return fits && !out->failed;
}
