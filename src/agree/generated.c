/* Programs of zveno/codegen.h, simplified as they would be written, and run on their tapes. */
#include "agree/roster.h"

#include <stddef.h>

#ifdef ZI_WITH_CODEGEN
#include <stdlib.h>

#include "codegen/program.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"

struct ziRecorded {
    int nq, nv;
    ziTape tape;
    size_t count, guards;
    size_t skip;    /* first outputs that are not asked for */
    ziEdge *output; /* count, then the guards */
    double *input;  /* nq + 2 nv */
    double *value;  /* of every node */
};

/* Degrees of freedom up to which programs are recorded: finding short ones takes longer than all comparisons beyond. */
enum { MOST = 12 };

static void destroy(ziRecorded *p) {
    if (!p) return;
    zi_tape_close(&p->tape);
    free(p->output);
    free(p->input);
    free(p->value);
    free(p);
}

/* The program as it would be written: traced, then simplified. */
static zvStatus record(const ziReduced *reduced, zvGenerated function, ziRecorded *p) {
    const size_t edges = p->count + 2 * p->guards;
    ziTape raw = {0};
    ziEdge *output = calloc(edges + 1, sizeof *output);
    zvStatus status = ZV_MEMORY;
    if (output && zi_tape_open(&raw, ZI_TAPE_RECORD)) status = zi_trace_function(reduced, function, &raw, output);
    if (status >= 0) status = zi_simplify(&raw, edges, output, &p->tape, p->output);
    if (status >= 0) p->value = malloc((size_t)p->tape.count * sizeof *p->value);
    zi_tape_close(&raw);
    free(output);
    return status < 0 ? status : p->value ? ZV_OK : ZV_MEMORY;
}

/* A program with the memory it runs in; nothing is left of it when it fails. */
static zvStatus make(const ziReduced *reduced, zvGenerated function, ziRecorded **made) {
    const int nq = zv_model_nq(reduced->model), nv = zv_model_nv(reduced->model);
    ziRecorded *p = calloc(1, sizeof *p);
    *made = NULL;
    if (!p) return ZV_MEMORY;
    *p = (ziRecorded){.nq = nq,
                      .nv = nv,
                      .count = zi_generated_size(reduced->model, function),
                      .guards = zi_generated_guards(reduced->model, function),
                      .skip = function == ZV_GENERATED_FORWARD_DERIVATIVES ? (size_t)nv : 0};
    p->output = calloc(zi_generated_edges(reduced->model, function) + 1, sizeof *p->output);
    p->input = calloc((size_t)(nq + 2 * nv) + 1, sizeof *p->input);
    const zvStatus status = p->output && p->input ? record(reduced, function, p) : ZV_MEMORY;
    if (status >= 0)
        *made = p;
    else
        destroy(p);
    return status;
}

/* Why there are no programs, or NULL. */
static const char *obstacle(const zvModel *m) {
    if (m->nv == 0) return "no joint moves";
    if (m->tree.ne > 0) return "straight-line code is for rigid links only";
    return m->nv > MOST ? "not recorded for more than 12 degrees of freedom" : NULL;
}

/* Programs of all functions from one set of reduced data. */
static zvStatus make_all(const zvModel *model, ziRecordedSet *set) {
    static const zvGenerated functions[ZI_RECORDINGS] = {
        [ZI_RECORDED_MASS] = ZV_GENERATED_MASS,
        [ZI_RECORDED_BIAS] = ZV_GENERATED_BIAS,
        [ZI_RECORDED_INVERSE] = ZV_GENERATED_INVERSE,
        [ZI_RECORDED_FORWARD] = ZV_GENERATED_FORWARD,
        [ZI_RECORDED_MINV] = ZV_GENERATED_MINV,
        [ZI_RECORDED_INVERSE_DERIVATIVES] = ZV_GENERATED_INVERSE_DERIVATIVES,
        [ZI_RECORDED_FORWARD_DERIVATIVES] = ZV_GENERATED_FORWARD_DERIVATIVES};
    ziReduced reduced = {0};
    zvStatus status = zi_reduced_make(model, -1, &reduced, NULL);
    for (int i = 0; i < ZI_RECORDINGS && status >= 0; i++) status = make(&reduced, functions[i], &set->program[i]);
    zi_reduced_free(&reduced);
    return status;
}

bool zi_recorded_make(const zvModel *model, ziRecordedSet *set) {
    const char *why = obstacle(model);
    *set = (ziRecordedSet){{NULL}, {NULL}};
    const zvStatus status = why ? ZV_NOT_SUPPORTED : make_all(model, set);
    for (int i = 0; i < ZI_RECORDINGS; i++)
        set->why[i] = why ? why : "no straight-line code: a spline chooses its piece at run time";
    return status != ZV_MEMORY;
}

void zi_recorded_free(ziRecordedSet *set) {
    for (int i = 0; i < ZI_RECORDINGS; i++) destroy(set->program[i]);
}

static void copy_numbers(double *to, const double *from, int count) {
    for (int i = 0; i < count; i++) to[i] = from ? from[i] : 0;
}

zvStatus zi_recorded_run(const ziRecorded *p, const double *q, const double *v, const double *x, double *answer) {
    copy_numbers(p->input, q, p->nq);
    copy_numbers(p->input + p->nq, v, p->nv);
    copy_numbers(p->input + p->nq + p->nv, x, p->nv);
    zi_tape_run(&p->tape, p->input, p->value);
    for (size_t i = p->skip; i < p->count; i++) answer[i - p->skip] = zi_edge_value(p->value, p->output[i]);
    return zi_guards_hold(p->guards, p->output + p->count, p->value) ? ZV_OK : ZV_SINGULAR;
}

#else
bool zi_recorded_make(const zvModel *model, ziRecordedSet *set) {
    (void)model;
    for (int i = 0; i < ZI_RECORDINGS; i++) {
        set->program[i] = NULL;
        set->why[i] = "built without generated code (ZVENO_CODEGEN=OFF)";
    }
    return true;
}

void zi_recorded_free(ziRecordedSet *set) { (void)set; }

zvStatus zi_recorded_run(const ziRecorded *program, const double *q, const double *v, const double *x, double *answer) {
    (void)program, (void)q, (void)v, (void)x, (void)answer;
    return ZV_NOT_SUPPORTED;
}
#endif
