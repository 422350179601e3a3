#define _POSIX_C_SOURCE 200809L
#include "codegen/analytic.h"

#include <stdlib.h>

#include "codegen/emit_file.h"
#include "codegen/emit_name.h"
#include "codegen/print_latex.h"
#include "codegen/print_maxima.h"
#include "codegen/traced.h"
#include "record/csv.h"

static const char *obstacle(const zvJoint *j) {
    if (j->type == ZV_JOINT_SPHERICAL || j->type == ZV_JOINT_FREE)
        return "has a quaternion for coordinates, and no angles to take sines of; generate C, or put joints about "
               "single axes in its place";
    if (j->type == ZV_JOINT_CURVE && j->curve.kind == ZV_CURVE_SPLINE)
        return "runs along a spline, which chooses its piece at run time; use a line or a circle";
    return NULL;
}

static zvStatus check_model(const zvModel *model, zvError *error) {
    const zvMark nowhere = {0};
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJoint *j = zv_model_joint(model, i);
        if (obstacle(j))
            return zv_fail(error, ZV_NOT_SUPPORTED, j->mark, j->name, "joint \"%s\" (%s) %s", j->name,
                           zv_joint_type_word(j->type), obstacle(j));
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvLink *link = zv_model_link(model, i);
        if (zv_model_elastic_place(model, i).count)
            return zv_fail(error, ZV_NOT_SUPPORTED, link->mark, link->name,
                           "link \"%s\" is elastic; equations are written for rigid links", link->name);
    }
    if (zv_model_nv(model) == 0)
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL, "no joint moves: there are no equations of motion");
    return ZV_OK;
}

/* Inverse dynamics on a tape. */
static zvStatus record(const zvModel *model, ziTape *tape, ziEdge *output, zvError *error) {
    const zvMark nowhere = {0};
    const zvStatus status = zi_trace_method(model, "inverse", "newton-euler", tape, output);
    if (tape->full || status == ZV_MEMORY) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
    if (tape->branch) /* refused above, so far as is known */
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL, "inverse dynamics has %s and no analytic form",
                       tape->branch);
    return status < 0 ? zv_fail(error, status, nowhere, NULL, "inverse dynamics could not be recorded") : status;
}

static zvStatus derive(const zvModel *model, ziEquations *equations, zvError *error) {
    const zvMark nowhere = {0};
    const int nq = zv_model_nq(model), nv = zv_model_nv(model);
    ziTape tape;
    ziEdge *output = calloc((size_t)nv, sizeof *output);
    const bool open = zi_tape_open(&tape, ZI_TAPE_RECORD);
    zvStatus status = open && output ? record(model, &tape, output, error)
                                     : zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
    if (status >= 0) status = zi_equations_make(&tape, nq, nv, output, equations, error);
    zi_tape_close(&tape);
    free(output);
    return status;
}

static zvStatus print(const zvModel *model, zvLanguage language, const ziEquations *equations, ziCodeText *text,
                      zvError *error) {
    const zvMark nowhere = {0};
    ziPlainNumbers numbers;
    const bool plain = zi_plain_numbers_begin(&numbers);
    if (plain && language == ZV_LANGUAGE_LATEX) zi_print_latex(text, model, equations);
    if (plain && language == ZV_LANGUAGE_MAXIMA) zi_print_maxima(text, model, equations);
    if (plain) zi_plain_numbers_end(&numbers);
    return plain && !text->failed ? ZV_OK : zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
}

static const char *ending(zvLanguage language) { return language == ZV_LANGUAGE_LATEX ? ".tex" : ".mac"; }

zvStatus zi_generate_analytic(const zvModel *model, const zvGenerateOptions *options, const char *directory,
                              zvGenerateSummary *summary, zvError *error) {
    ziEquations equations = {0};
    ziCodeText text = {0};
    char name[ZI_NAME_ROOM];
    *summary = (zvGenerateSummary){0};
    zvStatus status = check_model(model, error);
    if (status >= 0) status = zi_code_name(model, options, name, error);
    if (status >= 0) status = derive(model, &equations, error);
    if (status >= 0) status = print(model, options->language, &equations, &text, error);
    if (status >= 0) status = zi_code_directory(directory, error);
    if (status >= 0) status = zi_code_file(&text, directory, name, ending(options->language), summary, error);
    if (status >= 0) summary->function[ZV_GENERATE_INVERSE].statements = (long long)equations.terms;
    zi_equations_free(&equations);
    zi_code_free(&text);
    return status;
}
