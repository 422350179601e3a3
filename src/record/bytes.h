/* A growing run of bytes: what is put together in memory before it goes to a file. */
#ifndef ZI_RECORD_BYTES_H
#define ZI_RECORD_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ziBytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed; /* out of memory; later additions do nothing, so one look at the end is enough */
} ziBytes;

void zi_bytes_add(ziBytes *bytes, const void *data, size_t size);
void zi_bytes_add_u32(ziBytes *bytes, uint32_t value);
void zi_bytes_add_u64(ziBytes *bytes, uint64_t value);
void zi_bytes_add_text(ziBytes *bytes, const char *text); /* its length, then its bytes */
void zi_bytes_free(ziBytes *bytes);

/* FNV-1a, 64 bits: any change of a single byte changes it. */
uint64_t zi_checksum(const void *data, size_t size);
/* In pieces: that of nothing, and that of what came before and data. */
uint64_t zi_checksum_start(void);
uint64_t zi_checksum_add(uint64_t sum, const void *data, size_t size);

#endif
