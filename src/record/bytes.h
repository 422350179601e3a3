/* A growing run of bytes: what is put together in memory before it goes to a file. */
#ifndef ZV_RECORD_BYTES_H
#define ZV_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct zvBytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* out of memory; later additions do nothing, so one look at the end is enough */
} zvBytes;

void zv_bytes_add(zvBytes *bytes, const void *data, size_t size);
void zv_bytes_add_u32(zvBytes *bytes, uint32_t value);
void zv_bytes_add_u64(zvBytes *bytes, uint64_t value);
void zv_bytes_add_text(zvBytes *bytes, const char *text); /* its length, then its bytes */
void zv_bytes_free(zvBytes *bytes);

/* FNV-1a, 64 bits: any change of a single byte changes it. */
uint64_t zv_checksum(const void *data, size_t size);
/* In pieces: that of nothing, and that of what came before and data. */
uint64_t zv_checksum_start(void);
uint64_t zv_checksum_add(uint64_t sum, const void *data, size_t size);

#endif
