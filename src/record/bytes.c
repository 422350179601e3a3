/* A growing run of bytes, and the checksum of one. */
#include "record/bytes.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(ziBytes *bytes, size_t size) {
    if (bytes->failed || size > SIZE_MAX / 4 - bytes->size) return false;
    if (bytes->size + size <= bytes->capacity) return true;
    size_t capacity = 2 * (bytes->size + size) + 256;
    unsigned char *data = realloc(bytes->data, capacity);
    if (!data) return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void zi_bytes_add(ziBytes *bytes, const void *data, size_t size) {
    if (size == 0) return;
    if (!make_room(bytes, size)) {
        bytes->failed = true;
        return;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void zi_bytes_add_u32(ziBytes *bytes, uint32_t value) { zi_bytes_add(bytes, &value, sizeof value); }
void zi_bytes_add_u64(ziBytes *bytes, uint64_t value) { zi_bytes_add(bytes, &value, sizeof value); }

void zi_bytes_add_text(ziBytes *bytes, const char *text) {
    size_t length = strlen(text);
    zi_bytes_add_u64(bytes, length);
    zi_bytes_add(bytes, text, length);
}

void zi_bytes_free(ziBytes *bytes) {
    free(bytes->data);
    *bytes = (ziBytes){0};
}

uint64_t zi_checksum_start(void) { return 14695981039346656037u; }

uint64_t zi_checksum_add(uint64_t sum, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) sum = (sum ^ byte[i]) * 1099511628211u;
    return sum;
}

uint64_t zi_checksum(const void *data, size_t size) { return zi_checksum_add(zi_checksum_start(), data, size); }
