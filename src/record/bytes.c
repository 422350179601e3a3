/* A growing run of bytes, and the checksum of one. */
#include "record/bytes.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(zvBytes *bytes, size_t size) {
    if (bytes->failed || size > SIZE_MAX / 4 - bytes->size) return false;
    if (bytes->size + size <= bytes->capacity) return true;
    size_t capacity = 2 * (bytes->size + size) + 256;
    unsigned char *data = realloc(bytes->data, capacity);
    if (!data) return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void zv_bytes_add(zvBytes *bytes, const void *data, size_t size) {
    if (size == 0) return;
    if (!make_room(bytes, size)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void zv_bytes_add_u32(zvBytes *bytes, uint32_t value) { zv_bytes_add(bytes, &value, sizeof value); }
void zv_bytes_add_u64(zvBytes *bytes, uint64_t value) { zv_bytes_add(bytes, &value, sizeof value); }

void zv_bytes_add_text(zvBytes *bytes, const char *text) {
    size_t length = strlen(text);
    zv_bytes_add_u64(bytes, length);
    zv_bytes_add(bytes, text, length);
}

void zv_bytes_free(zvBytes *bytes) {
    free(bytes->data);
    *bytes = (zvBytes){0};
}

uint64_t zv_checksum_start(void) { return 14695981039346656037u; }

uint64_t zv_checksum_add(uint64_t sum, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) sum = (sum ^ byte[i]) * 1099511628211u;
    return sum;
}

uint64_t zv_checksum(const void *data, size_t size) { return zv_checksum_add(zv_checksum_start(), data, size); }
