/* URDF from memory. */
#include "robot.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_robot("fuzz.urdf", (const char *)data, size, ZV_FORMAT_URDF);
    return 0;
}
