/* Operations of the rows of the tables, as their code is written and as they are left for one robot; those that
 * publications print; those of generated functions, without writing them. */
#include <stdlib.h>
#include <string.h>

#include "base/require.h"
#include "codegen/columns.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"

bool zv_can_count(void) { return true; }

/* -- printed formulas ---------------------------------------------------------------------------------------------- */

/* Totals as [Yaskevich] prints them, from what step 1 has brought to base axes. */
static void printed_yaskevich(int n, zvOperations *count) {
    const long long N = n;
    *count = (zvOperations){.mul = 36 * N * N - 39 * N + 9, .add = (111 * N * N - 195 * N) / 2 + 30};
}

static void printed_kosynka(int n, zvOperations *count) {
    const long long N = n;
    *count = (zvOperations){.mul = 3 * N * N * N + 24 * N * N - 9 * N, .add = 11 * N * N * N + 105 * N * N - 50 * N};
}

/* Stepanenko's composite bodies. */
static void printed_composite(int n, zvOperations *count) {
    const long long N = n;
    *count = (zvOperations){.mul = 38 * N * N + 38 * N, .add = 31 * N * N + 31 * N};
}

/* Only mass matrices have printed formulas. */
bool zv_printed_operations(zvQuestion question, const zvMethod *method, int n, zvOperations *operations) {
    ZI_REQUIRE(method && operations);
    if (question != ZV_QUESTION_MASS) return false;
    if (!strcmp(method->name, "composite"))
        printed_composite(n, operations);
    else if (!strcmp(method->name, "yaskevich"))
        printed_yaskevich(n, operations);
    else if (!strcmp(method->name, "kosynka"))
        printed_kosynka(n, operations);
    else
        return false;
    return true;
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* A row of the tables on a model. */
typedef struct Counted {
    const zvModel *model;
    zvQuestion question;
    const zvMethod *method;
} Counted;

static zvOperations operations_of(const ziTapeCounts *done) {
    return (zvOperations){.mul = done->mul, .add = done->add, .div = done->div + done->root, .trig = done->trig};
}

/* Why there is no count. */
static zvStatus refuse_count(const Counted *what, const ziTape *tape, zvStatus status, zvError *error) {
    const zvMark nowhere = {0};
    const char *method = what->method->name, *question = zv_question_name(what->question);
    const char *obstacle = zv_domain_obstacle(what->method->domain, what->model, false);
    if (status == ZV_MEMORY)
        return zv_fail(error, status, nowhere, method,
                       "out of memory: the program of %s by %s is too long; count it as written only", question,
                       method);
    if (obstacle) return zv_fail(error, status, nowhere, method, "%s by %s is %s", question, method, obstacle);
    if (tape->branch)
        return zv_fail(
            error, status, nowhere, method,
            "%s by %s decides by a number of the state (%s), as splines under a curve joint and factors of "
            "elastic links with 20 coordinates or more do: that is no straight-line program; use a line or a "
            "circle, fewer coordinates or another method",
            question, method, tape->branch);
    return zv_fail(error, status, nowhere, method, "there is no method %s of %s whose operations are counted", method,
                   question);
}

static zvStatus trace(const Counted *what, ziTapeMode mode, ziTape *tape, ziEdge *output) {
    if (!zi_tape_open(tape, mode)) return ZV_MEMORY;
    return zi_trace_method(what->model, what->question, what->method->name, tape, output);
}

static zvStatus count_written(const Counted *what, ziEdge *output, zvCount *count, zvError *error) {
    ziTape tape;
    const zvStatus status = trace(what, ZI_TAPE_COUNT, &tape, output);
    count->kinematics = operations_of(&tape.done[0]);
    count->method = operations_of(&tape.done[1]);
    if (status != ZV_OK) refuse_count(what, &tape, status, error);
    zi_tape_close(&tape);
    return status;
}

/* Recorded with constants and common subexpressions folded, then without what no answer needs. */
static zvStatus count_folded(const Counted *what, size_t size, ziEdge *output, zvCount *count, zvError *error) {
    ziTape tape, needed = {0};
    zvStatus status = trace(what, ZI_TAPE_RECORD, &tape, output);
    if (status == ZV_OK) status = zi_prune(&tape, size, output, &needed, output + size);
    if (status == ZV_OK)
        count->folded = zi_tape_operations(&needed);
    else
        refuse_count(what, &tape, status, error);
    zi_tape_close(&needed);
    zi_tape_close(&tape);
    return status;
}

/* As written on a tape that only counts; folded on one that records. */
zvStatus zv_count(const zvModel *model, zvQuestion question, const zvMethod *method, bool fold, zvCount *count,
                  zvError *error) {
    ZI_REQUIRE(model && method && count);
    const Counted what = {model, question, method};
    const size_t size = zv_answer_size(question, model);
    *count = (zvCount){0};
    ziEdge *output = malloc((2 * size + 1) * sizeof *output); /* as traced, and as pruned */
    if (!output) return refuse_count(&what, NULL, ZV_MEMORY, error);
    zvStatus status = count_written(&what, output, count, error);
    if (status == ZV_OK && fold) status = count_folded(&what, size, output, count, error);
    free(output);
    return status;
}

/* -- generated functions ------------------------------------------------------------------------------------------- */

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

/* Of the straight-line part on the tape, and of the loop over columns where there is one. */
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

/* The program is made as for writing it, and only its operations are kept. */
zvStatus zv_count_generated(const zvModel *model, zvGenerated function, int frame, zvOperations *operations,
                            zvError *error) {
    ZI_REQUIRE(model && operations);
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
