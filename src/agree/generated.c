/* Programs of zveno/codegen.h, simplified as they would be written, and run on their tapes. */
#include "agree/generated.h"

#include <stddef.h>

#ifdef ZV_WITH_CODEGEN
#include <stdlib.h>

#include "codegen/guards.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"

struct zvRecorded {
    int nq, nv;
    zvTape tape;
    size_t count, guards;
    size_t skip;    /* first outputs that are not asked for */
    zvEdge *output; /* count, then the guards */
    double *input;  /* nq + 2 nv */
    double *value;  /* of every node */
};

/* Degrees of freedom up to which programs are recorded: finding short ones takes longer than all comparisons beyond. */
enum { MOST = 12 };

static void destroy(zvRecorded *p) {
    if (!p) return;
    zv_tape_close(&p->tape);
    free(p->output);
    free(p->input);
    free(p->value);
    free(p);
}

static zvStatus record(const zvLean *lean, zvGenerated function, zvRecorded *p) {
    const size_t edges = p->count + 2 * p->guards;
    zvTape raw = {0};
    zvEdge *output = calloc(edges + 1, sizeof *output);
    zvStatus status = ZV_MEMORY;
    if (output && zv_tape_open(&raw, ZV_TAPE_RECORD)) status = zv_trace_function(lean, function, &raw, output);
    if (status >= 0) status = zv_simplify(&raw, edges, output, &p->tape, p->output);
    if (status >= 0) p->value = malloc((size_t)p->tape.count * sizeof *p->value);
    zv_tape_close(&raw);
    free(output);
    return status < 0 ? status : p->value ? ZV_OK : ZV_MEMORY;
}

static zvStatus make(const zvLean *lean, zvGenerated function, zvRecorded **made) {
    const int nq = zv_model_nq(lean->model), nv = zv_model_nv(lean->model);
    zvRecorded *p = calloc(1, sizeof *p);
    *made = NULL;
    if (!p) return ZV_MEMORY;
    *p = (zvRecorded){.nq = nq,
                      .nv = nv,
                      .count = zv_generated_size(lean->model, function),
                      .guards = zv_generated_guards(lean->model, function),
                      .skip = function == ZV_GENERATE_FORWARD_DERIVATIVES ? (size_t)nv : 0};
    p->output = calloc(zv_generated_edges(lean->model, function) + 1, sizeof *p->output);
    p->input = calloc((size_t)(nq + 2 * nv) + 1, sizeof *p->input);
    const zvStatus status = p->output && p->input ? record(lean, function, p) : ZV_MEMORY;
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

static zvStatus make_all(const zvModel *model, zvRecordedSet *set) {
    static const zvGenerated functions[ZV_RECORDINGS] = {
        [ZV_RECORDED_MASS] = ZV_GENERATE_MASS,
        [ZV_RECORDED_BIAS] = ZV_GENERATE_BIAS,
        [ZV_RECORDED_INVERSE] = ZV_GENERATE_INVERSE,
        [ZV_RECORDED_FORWARD] = ZV_GENERATE_FORWARD,
        [ZV_RECORDED_MINV] = ZV_GENERATE_MINV,
        [ZV_RECORDED_INVERSE_DERIVATIVES] = ZV_GENERATE_INVERSE_DERIVATIVES,
        [ZV_RECORDED_FORWARD_DERIVATIVES] = ZV_GENERATE_FORWARD_DERIVATIVES};
    zvLean lean = {0};
    zvStatus status = zv_lean_make(model, -1, &lean, NULL);
    for (int i = 0; i < ZV_RECORDINGS && status >= 0; i++) status = make(&lean, functions[i], &set->program[i]);
    zv_lean_free(&lean);
    return status;
}

bool zv_recorded_make(const zvModel *model, zvRecordedSet *set) {
    const char *why = obstacle(model);
    *set = (zvRecordedSet){{NULL}, {NULL}};
    const zvStatus status = why ? ZV_NOT_SUPPORTED : make_all(model, set);
    for (int i = 0; i < ZV_RECORDINGS; i++)
        set->why[i] = why ? why : "no straight-line code: a spline chooses its piece at run time";
    return status != ZV_MEMORY;
}

void zv_recorded_free(zvRecordedSet *set) {
    for (int i = 0; i < ZV_RECORDINGS; i++) destroy(set->program[i]);
}

static void put(double *to, const double *from, int count) {
    for (int i = 0; i < count; i++) to[i] = from ? from[i] : 0;
}

zvStatus zv_recorded_run(const zvRecorded *p, const double *q, const double *v, const double *x, double *answer) {
    put(p->input, q, p->nq);
    put(p->input + p->nq, v, p->nv);
    put(p->input + p->nq + p->nv, x, p->nv);
    zv_tape_run(&p->tape, p->input, p->value);
    for (size_t i = p->skip; i < p->count; i++) answer[i - p->skip] = zv_edge_value(p->value, p->output[i]);
    return zv_guards_hold(p->guards, p->output + p->count, p->value) ? ZV_OK : ZV_SINGULAR;
}

#else
bool zv_recorded_make(const zvModel *model, zvRecordedSet *set) {
    (void)model;
    for (int i = 0; i < ZV_RECORDINGS; i++) {
        set->program[i] = NULL;
        set->why[i] = "built without generated code (ZVENO_CODEGEN=OFF)";
    }
    return true;
}

void zv_recorded_free(zvRecordedSet *set) { (void)set; }

zvStatus zv_recorded_run(const zvRecorded *program, const double *q, const double *v, const double *x, double *answer) {
    (void)program, (void)q, (void)v, (void)x, (void)answer;
    return ZV_NOT_SUPPORTED;
}
#endif
