/* Operations of generated functions, without writing them. */
#include <stdlib.h>

#include "codegen/columns.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"

/* Of the loop, whose factors are the last of `size` edges. */
static zvStatus add_columns(const zvModel *model, zvGenerated function, const ziTape *tape, const ziEdge *factor,
                            zvOperations *operations) {
    ziColumns columns;
    const bool done = zi_columns_make(&columns, model, tape, factor);
    if (done) {
        const zvOperations more = zi_columns_operations(&columns, function);
        operations->mul += more.mul;
        operations->add += more.add;
    }
    zi_columns_free(&columns);
    return done ? ZV_OK : ZV_MEMORY;
}

static zvStatus count_on(ziTape *tape, const ziReduced *reduced, zvGenerated function, zvOperations *operations) {
    const zvModel *m = reduced->model;
    const bool looped = zi_columns_looped(m, function);
    const size_t size = looped ? zi_columns_size(m, function) : zi_generated_size(m, function);
    const size_t edges = size + 2 * zi_generated_guards(m, function);
    ziEdge *output = calloc(2 * edges + 1, sizeof *output), *moved = output + edges;
    ziTape tidy = {0};
    zvStatus status = ZV_MEMORY;
    if (output) status = (looped ? zi_trace_to_columns : zi_trace_function)(reduced, function, tape, output);
    if (status >= 0) status = zi_simplify(tape, edges, output, &tidy, moved);
    if (status >= 0) *operations = zi_tape_operations(&tidy);
    if (status >= 0 && looped)
        status = add_columns(m, function, &tidy, moved + size - zi_columns_factors(m), operations);
    zi_tape_close(&tidy);
    free(output);
    return status;
}

zvStatus zv_count_generated(const zvModel *model, zvGenerated function, int frame, zvOperations *operations,
                            zvError *error) {
    ziReduced reduced = {0};
    ziTape tape = {0};
    zvStatus status = zi_reduced_make(model, frame, &reduced, error);
    if (status >= 0) {
        status = zi_tape_open(&tape, ZI_TAPE_RECORD) ? count_on(&tape, &reduced, function, operations) : ZV_MEMORY;
        if (status < 0)
            zv_fail(error, status, (zvMark){0}, zv_generated_name(function), "%s; no straight-line program of it",
                    tape.branch ? tape.branch : zv_status_sentence(status));
    }
    zi_tape_close(&tape);
    zi_reduced_free(&reduced);
    return status;
}
