/* A model from the text of a native file. */
#ifndef TESTS_SUPPORT_READ_MODEL_H
#define TESTS_SUPPORT_READ_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "zveno/builder.h"
#include "zveno/read.h"

static inline zvModel *read_model(const char *text) {
    zvError error = {0};
    zvModel *model = NULL;
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zv_read_memory(builder, "robot", text, strlen(text), ZV_FORMAT_NATIVE, &error);
    if (status >= 0) status = zv_builder_freeze(builder, &model, &error);
    zv_builder_destroy(builder);
    if (status < 0) fail_msg("%s", error.text);
    return model;
}

#endif
