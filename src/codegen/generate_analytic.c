/* Files of equations: what has an analytic form, its sums, and the file they become. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "base/plain_numbers.h"
#include "codegen/analytic_print.h"
#include "codegen/code.h"
#include "codegen/derivation.h"
#include "model/gear.h"
#include "model/joint_type.h"

static const zvMark nowhere = {0};

static const char *obstacle(const zvJoint *j) {
    if (zi_joint_has_quaternion(j->type))
        return "has a quaternion for coordinates, and no angles to take sines of; generate C, or put joints about "
               "single axes in its place";
    if (j->type == ZV_JOINT_CURVE && j->curve.kind == ZV_CURVE_SPLINE)
        return "runs along a spline, which chooses its piece at run time; use a line or a circle";
    return NULL;
}

/* Of a gear that the letters of equations do not have; NULL: nothing. */
static const char *specialty(const zvFlexibleJoint *gear) {
    if (!gear) return NULL;
    if (gear->points) return "a law through points";
    return zi_rotor_couples(gear) ? "rotor_axis" : NULL;
}

const char *const zi_gear_letter[ZI_GEAR_LETTERS] = {"Mm", "Kf", "Df", "Kc", "Dm"};

/* Of a freedom without a gear the file has the armature alone. */
ziGearLetters zi_gear_letters(const zvModel *model, int coordinate) {
    ziGearLetters g = {.has = {true, true, true}, .known = {true}};
    int j = 0;
    zvJointPlace place = zv_model_joint_place(model, j);
    while (coordinate < place.v_index || coordinate >= place.v_index + place.nv)
        place = zv_model_joint_place(model, ++j);
    const zvJoint *joint = zv_model_joint(model, j);
    const zvFlexibleJoint *gear = joint->flexible;
    g.value[ZI_GEAR_MM] = joint->dof[coordinate - place.v_index].armature;
    if (!gear) return g;
    const double square = gear->ratio * gear->ratio;
    g.value[ZI_GEAR_MM] = gear->inertia * square;
    g.value[ZI_GEAR_KF] = gear->stiffness;
    g.value[ZI_GEAR_DF] = gear->damping;
    g.value[ZI_GEAR_KC] = gear->cubic;
    g.value[ZI_GEAR_DM] = gear->motor_damping * square;
    g.has[ZI_GEAR_KC] = gear->cubic != 0;
    g.has[ZI_GEAR_DM] = gear->motor_damping != 0;
    for (int k = 0; k < ZI_GEAR_LETTERS; k++) g.known[k] = true;
    return g;
}

/* What has no analytic form is told with the name of the joint, link or loop. */
static zvStatus check_model(const zvModel *model, const zvCodegenOptions *options, zvError *error) {
    for (int i = 0; i < zv_model_njoint(model); i++) {
        const zvJoint *j = zv_model_joint(model, i);
        if (obstacle(j))
            return zv_fail(error, ZV_NOT_SUPPORTED, j->mark, j->name, "joint \"%s\" (%s) %s", j->name,
                           zv_joint_type_word(j->type), obstacle(j));
        const zvJointPlace place = zv_model_joint_place(model, i);
        const char *special = options->flexible && options->flexible[place.v_index] ? specialty(j->flexible) : NULL;
        if (special)
            return zv_fail(
                error, ZV_NOT_SUPPORTED, j->mark, j->name,
                "joint \"%s\": expected a gear with stiffness and cubic on a rotor that turns by itself, found %s; "
                "leave it out of --flexible",
                j->name, special);
    }
    for (int i = 0; i < zv_model_nlink(model); i++) {
        const zvLink *link = zv_model_link(model, i);
        if (zv_model_elastic_place(model, i).count)
            return zv_fail(error, ZV_NOT_SUPPORTED, link->mark, link->name,
                           "link \"%s\" is elastic; equations are written for rigid links", link->name);
    }
    for (int i = 0; i < zv_model_nloop(model); i++) {
        const zvLoop *loop = zv_model_loop(model, i);
        if (zi_loop_obstacle(loop))
            return zv_fail(error, ZV_NOT_SUPPORTED, loop->mark, loop->name, "loop \"%s\" %s", loop->name,
                           zi_loop_obstacle(loop));
        if (loop->open)
            return zv_fail(error, ZV_NOT_SUPPORTED, loop->mark, loop->name,
                           "loop \"%s\": expected a closed one, found it open; take it out of the file for equations "
                           "without it, or `open` for those with it",
                           loop->name);
        if (options->passive && zi_loop_has_passive(loop))
            return zv_fail(error, ZV_NOT_SUPPORTED, loop->mark, loop->name,
                           "loop \"%s\" has springs or dampers where no coordinate is; leave --passive out, or put the "
                           "cut at a joint without them",
                           loop->name);
    }
    if (zv_model_nv(model) == 0)
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL, "no joint moves: there are no equations of motion");
    return ZV_OK;
}

/* Where there are letters, squares of sines and cosines read better than those of double angles. */
static void square_all(ziEquations *e) {
    ziFourier *const sums[] = {e->M, e->c, e->g, e->gamma, e->C, e->Num, &e->Delta};
    const int counts[] = {e->nv * e->nv, e->nv, e->nv, e->rows, e->C ? e->nv * e->nv : 0, e->rows * e->independents, 1};
    if (!e->letters || !e->letters->chosen) return;
    for (size_t k = 0; k < sizeof sums / sizeof *sums; k++)
        for (int i = 0; sums[k] && i < counts[k]; i++) {
            zi_fourier_square(&e->space, &sums[k][i]);
            zi_fourier_sort(&e->space, &sums[k][i]); /* without memory they stay in another order */
        }
}

static void note_used(const ziEquations *e, ziLetters *letters, const ziFourier *sum, int count) {
    for (int i = 0; sum && i < count; i++)
        for (size_t k = 0; k < sum[i].count; k++) {
            const int8_t *power =
                zi_key_exponents(&e->space, zi_fourier_key(&e->space, &sum[i], k)) + e->nq + 2 * e->nv;
            for (int j = 0; j < letters->count; j++)
                letters->letter[j].used |= letters->letter[j].chosen && power[letters->letter[j].input];
        }
}

/* Only letters that stand in the equations are listed. */
static void find_used(const ziEquations *e, ziLetters *letters) {
    note_used(e, letters, e->M, e->nv * e->nv);
    note_used(e, letters, e->c, e->nv);
    note_used(e, letters, e->g, e->nv);
    note_used(e, letters, e->passive, e->nv);
    note_used(e, letters, e->dry, e->nv);
    note_used(e, letters, e->J, 6 * e->nv);
    note_used(e, letters, e->gap, e->rows);
    note_used(e, letters, e->G, e->rows * e->nv);
    zi_letters_shorten(letters);
}

static zvStatus print(const zvModel *model, const zvCodegenOptions *options, const ziEquations *equations, ziCode *code,
                      zvError *error) {
    ziPlainNumbers numbers;
    const bool plain = zi_plain_numbers_begin(&numbers);
    if (plain && options->language == ZV_LANGUAGE_LATEX) zi_print_latex(code, model, options, equations);
    if (plain && options->language != ZV_LANGUAGE_LATEX) zi_print_program(code, model, options, equations);
    if (plain) zi_plain_numbers_end(&numbers);
    return plain && !code->failed ? ZV_OK : zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
}

static const char *ending(zvLanguage language) {
    return language == ZV_LANGUAGE_LATEX ? ".tex" : language == ZV_LANGUAGE_SYMPY ? ".py" : ".mac";
}

/* Text first, the file only when the text is complete. */
static zvStatus write_equations(const zvModel *model, const zvCodegenOptions *options, const char *name,
                                const char *directory, ziEquations *equations, zvCodegenSummary *summary,
                                zvError *error) {
    ziCode code = {0};
    square_all(equations);
    zvStatus status = print(model, options, equations, &code, error);
    if (status >= 0) status = zi_code_directory(directory, error);
    if (status >= 0) status = zi_code_file(&code, directory, name, ending(options->language), summary, error);
    if (status >= 0) summary->function[ZV_GENERATED_INVERSE].statements = (long long)equations->terms;
    zi_code_free(&code);
    return status;
}

/* Nothing is written unless all equations are there. */
zvStatus zi_generate_analytic(const zvModel *model, const zvCodegenOptions *options, const char *directory,
                              zvCodegenSummary *summary, zvError *error) {
    ziEquations equations = {0};
    ziLetters letters = {0};
    char name[ZI_NAME_SIZE];
    *summary = (zvCodegenSummary){0};
    const int frame = options->external ? options->frame : -1;
    zvStatus status = check_model(model, options, error);
    if (status >= 0) status = zi_code_name(model, options, name, error);
    if (status >= 0) status = zi_letters_make(model, options->symbols, options->origin_moments, frame, &letters, error);
    if (status >= 0) status = zi_equations_derive(model, options, &letters, &equations, error);
    if (status >= 0) status = zi_equations_reduce(model, &equations, options->independent, error);
    if (status >= 0) find_used(&equations, &letters);
    if (status >= 0) status = write_equations(model, options, name, directory, &equations, summary, error);
    zi_equations_free(&equations);
    zi_letters_free(&letters);
    return status;
}
