/* The rows of the tables of methods on the recording scalar. What is traced is the code that runs, compiled once more as
 * C++ (scalar_rows.h); this file only leads numbers in and out. */
#define ZI_ISA _trace

#include "codegen/traced.h"

#include <stdlib.h>

#include "codegen/scalar_rows.h"

namespace {
/* What this file lays out: the state in model coordinates, and the answer. */
struct Numbers {
    ziScratch memory;
    real *take(size_t count) { return zi_scratch_array(&memory, real, count); }
    real *inputs(ziTape *tape, int first, int count) {
        real *x = take((size_t)count);
        for (int i = 0; i < count; i++) x[i] = real::of(zi_tape_input(tape, first + i));
        return x;
    }
};

size_t numbers_size(const zvModel *m, zvQuestion question) {
    return ((size_t)(m->nq + 2 * m->nv) + zv_answer_size(question, m)) * sizeof(real) + 8 * 64;
}

/* Inputs are nodes of the tape; the answer of the row is left as edges of it. */
zvStatus answer(const zvModel *m, zvQuestion question, const char *method, ziTape *tape, ziScratch scratch,
                Numbers numbers, ziEdge *output) {
    const ziRow row = scalar_row(question, method);
    if (!row) return ZV_NOT_SUPPORTED;
    const size_t size = zv_answer_size(question, m);
    ziQuery query = {m, scratch, numbers.inputs(tape, 0, m->nq), NULL, NULL, NULL, NULL};
    query.v = numbers.inputs(tape, m->nq, m->nv);
    query.x = numbers.inputs(tape, m->nq + m->nv, m->nv);
    query.answer = numbers.take(size);
    const zvStatus status = row(query);
    for (size_t i = 0; i < size && status == ZV_OK; i++) output[i] = query.answer[i].edge;
    return status;
}
} // namespace

/* Kernels take memory of a workspace made for doubles: numbers of the tape are no larger. */
zvStatus zi_trace_method(const zvModel *model, zvQuestion question, const char *method, ziTape *tape, ziEdge *output) {
    const size_t size = numbers_size(model, question);
    zvWork *work = zv_work_create(model, NULL);
    /* zeros: tiles read beyond what is written, and drop it */
    unsigned char *block = (unsigned char *)calloc(1, size);
    zvStatus status = ZV_MEMORY;
    if (work && block) {
        ziTape *before = zi_tape_use(tape);
        status = answer(model, question, method, tape, work->scratch, {{block, block + size}}, output);
        zi_tape_use(before);
    }
    zv_work_destroy(work);
    free(block);
    if (tape->full) return ZV_MEMORY;
    return tape->branch ? ZV_NOT_SUPPORTED : status;
}
