/* Operations of the methods: as their texts are written, and as they are left for one robot. */
#include <stdlib.h>
#include <string.h>

#include "codegen/simplify.h"
#include "codegen/traced.h"

static size_t answer_size(const zvModel *m, const zvCountable *what) {
    const size_t nv = (size_t)m->nv;
    return strcmp(what->question, "mass") == 0 ? nv * nv : nv;
}

static zvOperations operations_of(const ziTapeCounts *done) {
    return (zvOperations){.mul = done->mul, .add = done->add, .div = done->div + done->root, .trig = done->trig};
}

static zvStatus refuse(const zvModel *m, const zvCountable *what, const ziTape *tape, zvStatus status, zvError *error) {
    const zvMark nowhere = {0};
    if (status == ZV_MEMORY)
        return zv_fail(error, status, nowhere, what->method,
                       "out of memory: the program of %s by %s is too long; count it as written only", what->question,
                       what->method);
    if (tape->branch)
        return zv_fail(error, status, nowhere, what->method,
                       "%s by %s decides by a number of the state (%s), as splines under a curve joint do: that is no "
                       "straight-line program; use a line or a circle",
                       what->question, what->method, tape->branch);
    if (m->tree.ne)
        return zv_fail(error, status, nowhere, what->method,
                       "operations are counted for rigid links only, and this robot has elastic ones; make them rigid");
    return zv_fail(error, status, nowhere, what->method, "there is no method %s of %s whose operations are counted",
                   what->method, what->question);
}

static zvStatus count_written(const zvModel *m, const zvCountable *what, ziEdge *output, zvCount *count,
                              zvError *error) {
    ziTape tape;
    zvStatus status = zi_tape_open(&tape, ZI_TAPE_COUNT)
                          ? zi_trace_method(m, what->question, what->method, &tape, output)
                          : ZV_MEMORY;
    count->kinematics = operations_of(&tape.done[0]);
    count->method = operations_of(&tape.done[1]);
    if (status != ZV_OK) refuse(m, what, &tape, status, error);
    zi_tape_close(&tape);
    return status;
}

static zvStatus count_folded(const zvModel *m, const zvCountable *what, size_t size, ziEdge *output, zvCount *count,
                             zvError *error) {
    ziTape tape, needed = {0};
    zvStatus status = zi_tape_open(&tape, ZI_TAPE_RECORD)
                          ? zi_trace_method(m, what->question, what->method, &tape, output)
                          : ZV_MEMORY;
    if (status == ZV_OK) status = zi_prune(&tape, size, output, &needed, output + size);
    if (status == ZV_OK)
        count->folded = zi_tape_operations(&needed);
    else
        refuse(m, what, &tape, status, error);
    zi_tape_close(&needed);
    zi_tape_close(&tape);
    return status;
}

zvStatus zv_count(const zvModel *model, const zvCountable *what, bool fold, zvCount *count, zvError *error) {
    *count = (zvCount){0};
    const size_t size = answer_size(model, what);
    ziEdge *output = malloc((2 * size + 1) * sizeof *output); /* as traced, and as pruned */
    if (!output) return refuse(model, what, NULL, ZV_MEMORY, error);
    zvStatus status = count_written(model, what, output, count, error);
    if (status == ZV_OK && fold) status = count_folded(model, what, size, output, count, error);
    free(output);
    return status;
}
