/* Native robot files from memory. Includes are looked up beside a folder that does not exist, so the input stays alone.
 */
#include "robot.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_robot("nowhere/fuzz.yaml", (const char *)data, size, ZV_FORMAT_NATIVE);
    return 0;
}
