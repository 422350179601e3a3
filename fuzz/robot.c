/* From bytes to torques: everything a robot file can reach. Besides crashes it looks for broken promises: a refusal
 * without a text, a description that freezes although the linter calls it fatal, a written file that cannot be read
 * again. */
#include "robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"
#include "zveno/zveno.h"

enum { SMALL = 64, TEXT_LIMIT = 1 << 20 }; /* degrees of freedom; bytes */

typedef struct Text {
    char bytes[TEXT_LIMIT];
    size_t size;
} Text;

static bool append(void *context, const char *text, size_t size) {
    Text *all = context;
    if (size > TEXT_LIMIT - all->size) return false;
    memcpy(all->bytes + all->size, text, size);
    all->size += size;
    return true;
}

static bool note_fatal(void *context, const zvFinding *finding) {
    bool *fatal = context;
    demand(finding->rule && finding->element && finding->why, "a finding has texts");
    *fatal = *fatal || finding->fatal;
    return true;
}

static void move(const zvModel *model) {
    int nq = zv_model_nq(model), nv = zv_model_nv(model);
    if (nv > SMALL) return;
    zvWork *work = zv_work_create(model, NULL);
    demand(work != NULL, "a small model has a workspace");
    double q[SMALL * 2], v[SMALL + 1], a[SMALL + 1], tau[SMALL + 1];
    demand(nq <= SMALL * 2, "nq is at most twice nv");
    for (int i = 0; i < nv; i++) {
        v[i] = 0.1 * i;
        a[i] = 1;
    }
    zv_neutral(model, q);
    zv_position_add(model, q, v, q);
    zv_inverse_dynamics(model, work, q, v, a, NULL, tau);
    zv_forward_dynamics(model, work, q, v, tau, NULL, a);
    if (zv_model_nloop(model) > 0) {
        zv_closed_forward_dynamics(model, work, NULL, q, v, tau, NULL, a, NULL);
        if (zv_close_position(model, work, NULL, NULL, q, NULL) >= 0)
            zv_close_velocity(model, work, NULL, q, NULL, v, NULL);
    }
    zv_work_destroy(work);
}

/* A description that freezes can be written, and what was written reads and freezes again with the same size. */
static void write_and_read(zvBuilder *builder, const zvModel *model) {
    static Text text;
    zvError error = {0};
    zvModel *again = NULL;
    text.size = 0;
    if (zv_write_native(builder, append, &text, &error) < 0) return; /* too long for us */
    zvBuilder *second = zv_builder_create(&error);
    zvStatus status = zv_read_memory(second, "written.yaml", text.bytes, text.size, ZV_FORMAT_NATIVE, &error);
    if (status >= 0) status = zv_builder_freeze(second, &again, &error);
    if (status < 0)
        fprintf(stderr, "%d:%d: %s\n%.*s\n", error.line, error.column, error.text, (int)text.size, text.bytes);
    demand(status >= 0, "what was written reads and freezes");
    demand(zv_model_nv(again) == zv_model_nv(model), "what was written has the same freedoms");
    zv_model_destroy(again);
    zv_builder_destroy(second);
}

/* The other formats need not have words for it; a refusal has a text, and what was written is for their readers. */
static void write_others(const zvBuilder *builder) {
    static const zvFormat formats[] = {ZV_FORMAT_URDF, ZV_FORMAT_MJCF};
    static Text text;
    for (int i = 0; i < 2; i++) {
        zvError error = {0};
        text.size = 0;
        const zvStatus status = zv_write(builder, formats[i], append, &text, NULL, NULL, &error);
        demand(status >= 0 || error.text[0], "a refusal of a writer has a text");
        if (status < 0) continue;
        zvBuilder *second = zv_builder_create(&error);
        const zvStatus again = zv_read_memory(second, "nowhere/written.xml", text.bytes, text.size, formats[i], &error);
        demand(again >= 0 || error.text[0], "a refusal of the reader has a text");
        zv_builder_destroy(second);
    }
}

void fuzz_robot(const char *name, const char *bytes, size_t size, zvFormat format) {
    zvError error = {0};
    zvModel *model = NULL;
    bool fatal = false;
    zvBuilder *builder = zv_builder_create(&error);
    zvStatus status = zv_read_memory(builder, name, bytes, size, format, &error);
    demand(status >= 0 || (error.text[0] && error.status == status), "a refusal of the reader has a text");
    if (status >= 0) {
        demand(zv_check(builder, note_fatal, &fatal, &error) >= 0, "the linter runs");
        error = (zvError){0};
        status = zv_builder_freeze(builder, &model, &error);
        demand(status >= 0 || (error.text[0] && !model), "a refusal of freeze has a text and no model");
        demand((status >= 0) == !fatal, "freeze refuses exactly what the linter calls fatal");
    }
    if (model) {
        write_and_read(builder, model);
        write_others(builder);
        move(model);
    }
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}
