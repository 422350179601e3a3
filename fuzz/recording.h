/* What the targets of recordings do with an input. */
#ifndef FUZZ_RECORDING_H
#define FUZZ_RECORDING_H

#include <stddef.h>
#include <stdint.h>

/* Opens bytes as a recording, in whatever form they are, copies it to CSV and compares the two. */
void fuzz_recording(const uint8_t *data, size_t size);

#endif
