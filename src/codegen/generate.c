/* Generated C for one robot: trace, simplify, lay out, write. */
#include <math.h>
#include <stdlib.h>

#include "base/require.h"
#include "codegen/advice.h"
#include "codegen/analytic.h"
#include "codegen/code.h"
#include "codegen/columns.h"
#include "codegen/emit.h"
#include "codegen/program.h"
#include "codegen/simplify.h"
#include "codegen/traced.h"
#include "model/joint_spring.h"
#include "model/joint_type.h"

/* Programs so much longer than the limit are not simplified to see whether they come below it, and those beyond the
 * second are not even recorded. */
enum { HOPELESS = 2, ABSURD = 50 };

static const zvMark nowhere = {0};

/* -- what can be generated -------------------------------------------------------------------------------------- */

/* What no straight-line code can do is told with the name of the link or joint. */
static zvStatus check_model(const zvModel *model, zvError *error) {
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvLink *link = zv_model_link(model, i);
        if (zv_model_elastic_place(model, i).count)
            return zv_fail(error, ZV_NOT_SUPPORTED, link->mark, link->name,
                           "link \"%s\" is elastic, and code is generated for rigid links only; leave out its %s",
                           link->name, link->beam ? "beam" : "modes");
    }
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJoint *joint = zv_model_joint(model, i);
        if (joint->type == ZV_JOINT_CURVE && joint->curve.kind == ZV_CURVE_SPLINE)
            return zv_fail(error, ZV_NOT_SUPPORTED, joint->mark, joint->name,
                           "joint \"%s\" runs along a spline, which chooses its piece at run time: no straight-line "
                           "code does; use a line or a circle",
                           joint->name);
    }
    if (zv_model_nv(model) > 0) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, zv_model_name(model),
                   "no joint moves: there is nothing to generate");
}

static bool needs_frame(unsigned functions) {
    return functions & (1u << ZV_GENERATED_POSE | 1u << ZV_GENERATED_JACOBIAN);
}

/* Functions, lanes, smoothing and frame: what is asked for, apart from the robot. */
static zvStatus check_options(const zvModel *model, const zvCodegenOptions *options, zvError *error) {
    if (!options->functions || options->functions >> ZV_GENERATED_FUNCTIONS)
        return zv_fail(error, ZV_NAME, nowhere, "", "no function to generate, or one that is not known");
    if (options->lanes != 0 && options->lanes != 4 && options->lanes != 8)
        return zv_fail(error, ZV_NUMBER, nowhere, "", "lanes: expected 4 or 8, or 0 for no batches, found %d",
                       options->lanes);
    if (options->passive && !(options->smoothing > 0 && isfinite(options->smoothing)))
        return zv_fail(error, ZV_NUMBER, nowhere, "",
                       "smoothing: expected a velocity above 0 for passive forces, found %g; no straight-line code has "
                       "the sign of friction",
                       options->smoothing);
    if (options->passive && options->functions >> ZV_GENERATED_INVERSE_DERIVATIVES)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, nowhere, zv_generated_name(ZV_GENERATED_INVERSE_DERIVATIVES),
            "expected functions without derivatives beside passive forces, found some; generate those of the "
            "whole force apart");
    if (needs_frame(options->functions) && (options->frame < 0 || options->frame >= zv_model_nframe(model)))
        return zv_fail(error, ZV_NAME, nowhere, "", "pose and jacobian are those of a frame; name one of the robot's");
    return ZV_OK;
}

/* No straight-line code has the rotation vector of a quaternion. */
static zvStatus check_passive(const zvModel *model, const zvCodegenOptions *options, zvError *error) {
    for (int j = 0; options->passive && j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        if (!zi_joint_has_quaternion(joint->type) || !zi_joint_spring_of(model, j).sprung) continue;
        return zv_fail(
            error, ZV_NOT_SUPPORTED, joint->mark, joint->name,
            "joint \"%s\": expected springs of joints with coordinates beside passive forces, found one of a "
            "%s joint, which is measured by a rotation vector; leave its spring out and add its force, or "
            "generate the whole force without passive forces",
            joint->name, zv_joint_type_word(joint->type));
    }
    return ZV_OK;
}

static zvStatus too_long(const zvModel *model, zvGenerated function, long long operations, zvError *error) {
    return zv_fail(error, ZV_SIZE, nowhere, zv_generated_name(function),
                   "\"%s\" of %s would take %lld operations; straight-line code stops at %d; use the library or other "
                   "functions",
                   zv_generated_name(function), zv_model_name(model), operations, ZV_CODEGEN_MAX_OPERATIONS);
}

/* -- one function ----------------------------------------------------------------------------------------------- */

typedef struct Trace {
    ziTape raw, pruned, tidy;
    bool looped;                /* columns.h */
    size_t size, guards, count; /* of what is recorded; their edges together */
    ziEdge *output;             /* three times count: of each tape */
} Trace;

static long long total_of(const zvOperations *o) { return o->mul + o->add + o->div + o->trig; }

static zvStatus trace(const ziReduced *reduced, zvGenerated function, const Trace *t, ziTape *tape) {
    return (t->looped ? zi_trace_to_columns : zi_trace_function)(reduced, function, tape, t->output);
}

/* Whether it is worth while to record at all: operations as written, without any memory. */
static zvStatus weigh(const ziReduced *reduced, zvGenerated function, const Trace *t, zvError *error) {
    ziTape tape;
    zvStatus status = zi_tape_open(&tape, ZI_TAPE_COUNT) ? trace(reduced, function, t, &tape) : ZV_MEMORY;
    const ziTapeCounts *a = &tape.done[0], *b = &tape.done[1];
    const long long written =
        a->mul + a->add + a->div + a->trig + a->root + b->mul + b->add + b->div + b->trig + b->root;
    zi_tape_close(&tape);
    if (status >= 0 && written > (long long)ABSURD * ZV_CODEGEN_MAX_OPERATIONS)
        return too_long(reduced->model, function, written, error);
    return status;
}

/* which: 1 for what was pruned, before any work is put into it; 2 for the simplified one, where more is constant. */
static zvStatus refuse_singular(const ziReduced *reduced, zvGenerated function, const Trace *t, size_t which,
                                zvError *error) {
    return zi_guards_refuse(reduced->model, function, which == 1 ? &t->pruned : &t->tidy, t->guards,
                            t->output + which * t->count + t->size, error);
}

/* Traced, pruned, simplified; programs that would be too long are given up before the slow step. */
static zvStatus record(const ziReduced *reduced, zvGenerated function, Trace *t, zvError *error) {
    zvStatus status = weigh(reduced, function, t, error);
    if (status < 0) return status;
    if (!zi_tape_open(&t->raw, ZI_TAPE_RECORD)) return ZV_MEMORY;
    status = trace(reduced, function, t, &t->raw);
    if (status >= 0) status = zi_prune(&t->raw, t->count, t->output, &t->pruned, t->output + t->count);
    if (status < 0) return status;
    status = refuse_singular(reduced, function, t, 1, error);
    if (status < 0) return status;
    zvOperations operations = zi_tape_operations(&t->pruned);
    if (total_of(&operations) > (long long)HOPELESS * ZV_CODEGEN_MAX_OPERATIONS)
        return too_long(reduced->model, function, total_of(&operations), error);
    status = zi_simplify(&t->pruned, t->count, t->output + t->count, &t->tidy, t->output + 2 * t->count);
    if (status < 0) return status;
    operations = zi_tape_operations(&t->tidy);
    if (total_of(&operations) > ZV_CODEGEN_MAX_OPERATIONS)
        return too_long(reduced->model, function, total_of(&operations), error);
    return refuse_singular(reduced, function, t, 2, error);
}

static void trace_free(Trace *t) {
    zi_tape_close(&t->raw);
    zi_tape_close(&t->pruned);
    zi_tape_close(&t->tidy);
    free(t->output);
}

/* Functions, and their twins over lanes. */
typedef struct GeneratedText {
    ziCode functions, batches;
    ziColumns columns; /* empty while no function has the loop */
    bool angles, checked;
} GeneratedText;

/* One loop serves all functions: a factor vanishes when it does in all of them. */
static zvStatus note_columns(const zvModel *model, const Trace *t, GeneratedText *to) {
    const size_t count = zi_columns_factors(model);
    const ziEdge *factor = t->output + 2 * t->count + t->size - count;
    double value;
    if (to->columns.n == 0) return zi_columns_make(&to->columns, model, &t->tidy, factor) ? ZV_OK : ZV_MEMORY;
    for (size_t k = 0; k < count; k++)
        to->columns.vanishes[k] &= zi_tape_known(&t->tidy, factor[k], &value) && value == 0;
    return ZV_OK;
}

static void write_twin(const ziEmitContext *source, zvGenerated function, const ziProgram *program, ziCode *code) {
    zi_code_lanes(code, source->name, function, source->model, program);
    zi_code_batch(code, source->name, function, source->model);
}

/* One function, and over lanes once more; counts are those of the code that is written. */
static zvStatus write_function(const ziReduced *reduced, const ziEmitContext *source, zvGenerated function,
                               GeneratedText *to, zvGeneratedFunction *counts, zvError *error) {
    const zvModel *model = reduced->model;
    Trace t = {.looped = zi_columns_looped(model, function), .guards = zi_generated_guards(model, function)};
    t.size = t.looped ? zi_columns_size(model, function) : zi_generated_size(model, function);
    t.count = t.size + 2 * t.guards;
    ziProgram program = {0};
    t.output = calloc(3 * t.count, sizeof *t.output);
    zvStatus status = t.output ? record(reduced, function, &t, error) : ZV_MEMORY;
    if (status >= 0 && t.looped) status = note_columns(model, &t, to);
    if (status >= 0) status = zi_program_make(&program, &t.tidy, t.size, t.guards, t.output + 2 * t.count);
    if (status >= 0) {
        counts->operations = zi_tape_operations(&t.tidy);
        to->angles |= program.angles > 0;
        counts->statements = zi_code_function(&to->functions, source->name, function, model, &program);
        const bool listed = function < ZV_GENERATED_FUNCTIONS;
        counts->library_better = listed && zi_library_is_better(function, counts->statements);
        if (listed && source->options->lanes) write_twin(source, function, &program, &to->batches);
    }
    if (status < 0 && status != ZV_SIZE && status != ZV_SINGULAR)
        zv_fail(error, status, nowhere, zv_generated_name(function), "\"%s\" cannot be generated: %s",
                zv_generated_name(function), t.raw.branch ? t.raw.branch : zv_status_sentence(status));
    zi_program_free(&program);
    trace_free(&t);
    return status;
}

/* -- files ------------------------------------------------------------------------------------------------------ */

typedef struct GeneratedFiles {
    ziCode header, code, harness;
} GeneratedFiles;

/* What the loop adds to each function. */
static void count_columns(const ziEmitContext *source, zvCodegenSummary *summary, const GeneratedText *to) {
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) {
        if (!(source->options->functions & 1u << f) || !zi_columns_looped(source->model, (zvGenerated)f)) continue;
        const zvOperations more = zi_columns_operations(&to->columns, (zvGenerated)f);
        summary->function[f].operations.mul += more.mul;
        summary->function[f].operations.add += more.add;
    }
}

/* All functions from one set of reduced data; notes what they need of the rest of the file. */
static zvStatus write_functions(const ziEmitContext *source, zvCodegenSummary *summary, GeneratedText *to,
                                zvError *error) {
    const unsigned functions = source->options->functions;
    ziReduced reduced = {0};
    zvStatus status =
        zi_reduced_make(source->model, needs_frame(functions) ? source->options->frame : -1, &reduced, error);
    reduced.smoothing = source->options->smoothing;
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS && status >= 0; f++) {
        if (!(functions & 1u << f)) continue;
        status = write_function(&reduced, source, (zvGenerated)f, to, &summary->function[f], error);
        to->checked |= zi_signature((zvGenerated)f)->checked;
    }
    zvGeneratedFunction beside;
    if (status >= 0 && zi_makes_motor_inverse(source))
        status = write_function(&reduced, source, ZI_GENERATED_RATES, to, &beside, error);
    zi_reduced_free(&reduced);
    if (status >= 0 && to->columns.n) count_columns(source, summary, to);
    return status;
}

/* NAME.c: what functions need stands before them, though it is known only after they are written. */
static zvStatus write_code(const ziEmitContext *source, zvCodegenSummary *summary, ziCode *code, zvError *error) {
    const int lanes = source->options->lanes;
    GeneratedText made = {.functions.single = code->single, .batches.single = code->single};
    const zvStatus status = write_functions(source, summary, &made, error);
    zi_code_source_head(code, source);
    if (made.angles) zi_code_sincos(code, source->name);
    if (status >= 0 && made.columns.n)
        zi_code_columns(code, source->name, &made.columns, source->options->functions, false);
    zi_code_append(code, &made.functions);
    zi_code_motors(code, source);
    if (lanes) zi_code_batch_head(code, source->name, lanes, made.checked);
    if (lanes && made.angles) zi_code_sincos_lanes(code, source->name);
    if (status >= 0 && lanes && made.columns.n)
        zi_code_columns(code, source->name, &made.columns, source->options->functions, true);
    zi_code_append(code, &made.batches);
    zi_columns_free(&made.columns);
    zi_code_free(&made.functions);
    zi_code_free(&made.batches);
    if (status < 0 || !code->beyond) return status;
    return zv_fail(error, ZV_NUMBER, nowhere, zv_model_name(source->model),
                   code->single ? "a number of this robot does not fit into float; generate double"
                                : "a number of this robot is not finite, as when a link that moves freely has no mass; "
                                  "zveno check tells");
}

static zvStatus write_files(const ziEmitContext *source, const GeneratedFiles *files, const char *directory,
                            zvCodegenSummary *summary, zvError *error) {
    zvStatus status = zi_code_directory(directory, error);
    if (status >= 0) status = zi_code_file(&files->header, directory, source->name, ".h", summary, error);
    if (status >= 0) status = zi_code_file(&files->code, directory, source->name, ".c", summary, error);
    if (status >= 0 && source->options->model_file)
        status = zi_code_file(&files->harness, directory, source->name, "_test.c", summary, error);
    return status;
}

/* All code is there before the first file is written. */
static zvStatus generate_c(const zvModel *model, const zvCodegenOptions *options, const char *directory,
                           zvCodegenSummary *summary, zvError *error) {
    char name[ZI_NAME_SIZE];
    const ziEmitContext source = {model, options, name, summary};
    GeneratedFiles files = {
        .header.single = options->single, .code.single = options->single, .harness.single = options->single};
    zvStatus status = zi_code_name(model, options, name, error);
    if (status >= 0) status = write_code(&source, summary, &files.code, error);
    if (status >= 0) {
        zi_code_header(&files.header, &source);
        if (options->model_file) zi_code_harness(&files.harness, &source);
        status = write_files(&source, &files, directory, summary, error);
    }
    zi_code_free(&files.header);
    zi_code_free(&files.code);
    zi_code_free(&files.harness);
    return status;
}

/* C, or the equations in another language; on failure the summary is empty. */
zvStatus zv_codegen(const zvModel *model, const zvCodegenOptions *options, const char *directory,
                    zvCodegenSummary *summary, zvError *error) {
    ZI_REQUIRE(model && options && directory && summary);
    *summary = (zvCodegenSummary){0};
    const bool lettered = options->symbols || options->origin_moments || options->external || options->independent;
    if (options->language == ZV_LANGUAGE_C && lettered)
        return zv_fail(
            error, ZV_NOT_SUPPORTED, nowhere, "",
            "expected symbols, origin_moments, external and independent for equations only, found some for C");
    if (options->smoothing != 0 && (options->language != ZV_LANGUAGE_C || !options->passive))
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, "",
                       "smoothing: expected 0 without passive forces, and in equations, where friction keeps its sign, "
                       "found %g",
                       options->smoothing);
    if (options->language != ZV_LANGUAGE_C) return zi_generate_analytic(model, options, directory, summary, error);
    zvStatus status = check_model(model, error);
    if (status >= 0) status = check_options(model, options, error);
    if (status >= 0) status = check_passive(model, options, error);
    if (status >= 0) status = zi_check_motors(model, options, error);
    if (status >= 0) status = generate_c(model, options, directory, summary, error);
    if (status < 0) *summary = (zvCodegenSummary){0};
    return status;
}
