/* Recordings in CSV. */
#include <string.h>

#include "recording.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || memcmp(data, "\x89HDF", 4) != 0) fuzz_recording(data, size);
    return 0;
}
