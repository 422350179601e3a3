/* Native robots from memory, and every computation on what was read. */
#include "answers.h"
#include "robot.h"
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zv_read_memory(builder, "nowhere/fuzz.yaml", (const char *)data, size, ZV_FORMAT_NATIVE, &error);
    if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
    if (status >= 0) fuzz_answers(model);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
    return 0;
}
