/* MJCF from memory; files that it names are not there. */
#include "robot.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_robot("nowhere/fuzz.xml", (const char *)data, size, ZV_FORMAT_MJCF);
    return 0;
}
