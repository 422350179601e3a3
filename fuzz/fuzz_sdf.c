/* SDF from memory. */
#include "robot.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_robot("nowhere/fuzz.sdf", (const char *)data, size, ZV_FORMAT_SDF);
    return 0;
}
