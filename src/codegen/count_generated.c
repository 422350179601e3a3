/* Operations of generated functions, without writing them. */
#include <stdlib.h>

#include "codegen/simplify.h"
#include "codegen/traced.h"

static zvStatus count_on(zvTape *tape, const zvLean *lean, zvGenerated function, zvOperations *operations) {
    const size_t size = zv_generated_edges(lean->model, function);
    zvEdge *output = calloc(2 * size + 1, sizeof *output);
    zvTape tidy = {0};
    zvStatus status = output ? zv_trace_function(lean, function, tape, output) : ZV_MEMORY;
    if (status >= 0) status = zv_simplify(tape, size, output, &tidy, output + size);
    if (status >= 0) *operations = zv_tape_operations(&tidy);
    zv_tape_close(&tidy);
    free(output);
    return status;
}

zvStatus zv_count_generated(const zvModel *model, zvGenerated function, int frame, zvOperations *operations,
                            zvError *error) {
    zvLean lean = {0};
    zvTape tape = {0};
    zvStatus status = zv_lean_make(model, frame, &lean, error);
    if (status >= 0) {
        status = zv_tape_open(&tape, ZV_TAPE_RECORD) ? count_on(&tape, &lean, function, operations) : ZV_MEMORY;
        if (status < 0)
            zv_fail(error, status, (zvMark){0}, zv_generated_name(function), "%s; no straight-line program of it",
                    tape.branch ? tape.branch : zv_status_sentence(status));
    }
    zv_tape_close(&tape);
    zv_lean_free(&lean);
    return status;
}
