/* Operations of generated functions, without writing them. */
#include <stdlib.h>

#include "codegen/columns.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"

/* Of the loop, whose factors are the last of `size` edges. */
static zvStatus add_columns(const zvModel *model, zvGenerated function, const zvTape *tape, const zvEdge *factor,
                            zvOperations *operations) {
    zvColumns columns;
    const bool done = zv_columns_make(&columns, model, tape, factor);
    if (done) {
        const zvOperations more = zv_columns_operations(&columns, function);
        operations->mul += more.mul;
        operations->add += more.add;
    }
    zv_columns_free(&columns);
    return done ? ZV_OK : ZV_MEMORY;
}

static zvStatus count_on(zvTape *tape, const zvLean *lean, zvGenerated function, zvOperations *operations) {
    const zvModel *m = lean->model;
    const bool looped = zv_columns_looped(m, function);
    const size_t size = looped ? zv_columns_size(m, function) : zv_generated_size(m, function);
    const size_t edges = size + 2 * zv_generated_guards(m, function);
    zvEdge *output = calloc(2 * edges + 1, sizeof *output), *moved = output + edges;
    zvTape tidy = {0};
    zvStatus status = ZV_MEMORY;
    if (output) status = (looped ? zv_trace_to_columns : zv_trace_function)(lean, function, tape, output);
    if (status >= 0) status = zv_simplify(tape, edges, output, &tidy, moved);
    if (status >= 0) *operations = zv_tape_operations(&tidy);
    if (status >= 0 && looped)
        status = add_columns(m, function, &tidy, moved + size - zv_columns_factors(m), operations);
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
