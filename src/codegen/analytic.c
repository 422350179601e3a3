/* Equations of motion in analytic form: inverse dynamics on a tape, its angles, its sums, and the files they become. */
#define _POSIX_C_SOURCE 200809L
#include "codegen/analytic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_numbers.h"
#include "codegen/analytic_print.h"
#include "codegen/code.h"
#include "codegen/traced.h"
#include "model/joint_type.h"
#include "zveno/codegen.h"

enum { MOST_MULTIPLE = 16 };

static bool turns(const ziTapeNode *n) { return n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS; }

/* Gives rows to the arguments of sines and to what they are made of; returns how many. */
static int number_rows(const ziTape *tape, const bool *wanted, int *row) {
    enum { NEEDED = -2 };
    int rows = 0;
    for (int i = 0; i < tape->count; i++) row[i] = -1;
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        if (turns(n) && wanted[i]) row[zi_edge_node(n->a)] = NEEDED;
        if (row[i] == -1) continue;
        if (n->op == ZI_TAPE_ADD || n->op == ZI_TAPE_MUL) row[zi_edge_node(n->a)] = row[zi_edge_node(n->b)] = NEEDED;
        rows++;
    }
    for (int i = 0, next = 0; i < tape->count; i++)
        if (row[i] != -1) row[i] = next++;
    return rows;
}

/* form of node i from those before it; false when it is none. */
static bool make_form(const ziTape *tape, int i, const ziAngles *s) {
    const ziTapeNode *n = &tape->node[i];
    const int width = 1 + s->nq;
    double *form = s->form + (size_t)s->row[i] * (size_t)width, known;
    if (n->op == ZI_TAPE_CONSTANT) form[0] = n->value;
    if (n->op == ZI_TAPE_INPUT && n->a >= 0 && n->a < s->nq) form[1 + n->a] = 1;
    if (n->op == ZI_TAPE_CONSTANT) return true;
    if (n->op == ZI_TAPE_INPUT) return n->a >= 0 && n->a < s->nq;
    if (n->op != ZI_TAPE_ADD && n->op != ZI_TAPE_MUL) return false;
    const double *a = s->form + (size_t)s->row[zi_edge_node(n->a)] * (size_t)width;
    const double *b = s->form + (size_t)s->row[zi_edge_node(n->b)] * (size_t)width;
    const double sa = zi_edge_negative(n->a) ? -1 : 1, sb = zi_edge_negative(n->b) ? -1 : 1;
    if (n->op == ZI_TAPE_ADD) {
        for (int k = 0; k < width; k++) form[k] = sa * a[k] + sb * b[k];
        return true;
    }
    const double *other = zi_tape_known(tape, n->a, &known) ? b : zi_tape_known(tape, n->b, &known) ? a : NULL;
    for (int k = 0; k < width && other; k++) form[k] = known * (other == b ? sb : sa) * other[k];
    return other != NULL;
}

/* The greatest common measure of two positive numbers when they are small multiples of one, else 0. */
static double common_unit(double x, double y) {
    const double largest = fmax(x, y), least = 1e-13 * largest;
    double u = largest, w = fmin(x, y);
    while (w > least) {
        double rest = fmod(u, w);
        if (w - rest < least) rest = 0;
        u = w;
        w = rest;
    }
    const double multiple = round(largest / u);
    return multiple <= MOST_MULTIPLE ? largest / multiple : 0;
}

static void add_factor(ziAngles *s, int q, double factor) {
    for (int k = 0; k < s->count; k++) {
        const double unit = s->angle[k].q == q ? common_unit(s->angle[k].unit, fabs(factor)) : 0;
        if (unit == 0) continue;
        s->angle[k].unit = unit;
        return;
    }
    s->angle[s->count++] = (ziAngle){q, fabs(factor)};
}

static const double *argument(const ziAngles *s, const ziTape *tape, int node) {
    return s->form + (size_t)s->row[zi_edge_node(tape->node[node].a)] * (size_t)(1 + s->nq);
}

/* Positions in their order, so that the first angle is that of the first joint. */
static void collect_angles(const ziTape *tape, const bool *wanted, ziAngles *s) {
    for (int q = 0; q < s->nq; q++)
        for (int i = 0; i < tape->count; i++)
            if (wanted[i] && turns(&tape->node[i]) && argument(s, tape, i)[1 + q] != 0)
                add_factor(s, q, argument(s, tape, i)[1 + q]);
}

static int count_factors(const ziTape *tape, const bool *wanted) {
    int count = 0;
    for (int i = 0; i < tape->count; i++) count += wanted[i] && turns(&tape->node[i]);
    return count;
}

/* Linear forms of all arguments first; then units that all of them are multiples of. */
zvStatus zi_angles_find(const ziTape *tape, const bool *wanted, int nq, ziAngles *s) {
    *s = (ziAngles){.nq = nq, .row = malloc((size_t)tape->count * sizeof *s->row)};
    if (!s->row) return ZV_MEMORY;
    const size_t rows = (size_t)number_rows(tape, wanted, s->row);
    s->form = calloc(rows + 1, (1 + (size_t)nq) * sizeof *s->form);
    s->angle = calloc((size_t)count_factors(tape, wanted) + 1, (1 + (size_t)nq) * sizeof *s->angle);
    if (!s->form || !s->angle) return ZV_MEMORY;
    for (int i = 0; i < tape->count; i++)
        if (s->row[i] >= 0 && !make_form(tape, i, s)) return ZV_NOT_SUPPORTED;
    collect_angles(tape, wanted, s);
    return ZV_OK;
}

void zi_angles_free(ziAngles *s) {
    free(s->angle);
    free(s->row);
    free(s->form);
    *s = (ziAngles){0};
}

/* Factors are looked up among the units of their position; the sign of the edge goes into the multiples. */
double zi_angles_argument(const ziAngles *s, const ziTape *tape, int node, int *multiple) {
    const double *form = argument(s, tape, node), sign = zi_edge_negative(tape->node[node].a) ? -1 : 1;
    memset(multiple, 0, (size_t)s->count * sizeof *multiple);
    for (int q = 0; q < s->nq; q++) {
        for (int k = 0; k < s->count && form[1 + q] != 0; k++) {
            const double ratio = form[1 + q] / s->angle[k].unit;
            if (s->angle[k].q != q || fabs(ratio - round(ratio)) > 1e-12 * fmax(1, fabs(ratio))) continue;
            multiple[k] = (int)(sign * round(ratio));
            break;
        }
    }
    return sign * form[0];
}

/* Intermediate sums may be longer than an equation, and the size of equations that are too long is told when it is
 * found with little work; beyond, it is hopeless. */
enum { MOST_TERMS = 8 * ZV_GENERATE_MAX_TERMS, MOST_WORK = 20000000 };
/* Below this share of the largest coefficient of an equation a term is rounding of the model's own numbers. */
static const double least_share = 1e-14;

/* The values of the nodes of a tape, each kept until its last use. */
typedef struct Walk {
    const ziTape *tape;
    const ziAngles *angles;
    ziFourierSpace *space;
    int *uses;
    ziFourier *sum; /* nodes */
    int *multiple;  /* angles: scratch */
} Walk;

static double sign_of(ziEdge e) { return zi_edge_negative(e) ? -1 : 1; }

static bool has_operands(ziTapeOp op) { return op == ZI_TAPE_ADD || op == ZI_TAPE_MUL || op == ZI_TAPE_DIV; }

/* How often each node is used for the outputs. Arguments of sines are not: ziAngles has them. */
static void count_uses(const ziTape *tape, int count, const ziEdge *output, int *uses) {
    for (int i = 0; i < count; i++) uses[zi_edge_node(output[i])]++;
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        if (!uses[i] || !(has_operands(n->op) || n->op == ZI_TAPE_SQRT)) continue;
        uses[zi_edge_node(n->a)]++;
        if (has_operands(n->op)) uses[zi_edge_node(n->b)]++;
    }
}

static void release(Walk *w, ziEdge e) {
    const int i = zi_edge_node(e);
    if (--w->uses[i] == 0) zi_fourier_free(&w->sum[i]);
}

/* Whether a sum is a number, and which. */
static bool constant(const ziFourierSpace *s, const ziFourier *x, double *value) {
    *value = x->count ? x->value[0] : 0;
    if (x->count > 1) return false;
    for (size_t k = 0; x->count && k < s->width; k++)
        if (x->key[k]) return false;
    return true;
}

static zvStatus divide(Walk *w, const ziTapeNode *n, ziFourier *x) {
    const ziFourier none = {0};
    double by;
    if (!constant(w->space, &w->sum[zi_edge_node(n->b)], &by) || by == 0) return ZV_NOT_SUPPORTED;
    return zi_fourier_add(w->space, sign_of(n->a) * sign_of(n->b) / by, &w->sum[zi_edge_node(n->a)], 0, &none, x);
}

static zvStatus root(Walk *w, const ziTapeNode *n, ziFourier *x) {
    double of;
    if (!constant(w->space, &w->sum[zi_edge_node(n->a)], &of) || sign_of(n->a) * of < 0) return ZV_NOT_SUPPORTED;
    return zi_fourier_constant(w->space, sqrt(fabs(of)), x);
}

/* The sum that a node is, from those of its operands, which are freed after their last use. */
static zvStatus evaluate(Walk *w, int i) {
    const ziTapeNode *n = &w->tape->node[i];
    ziFourier *x = &w->sum[i];
    const ziFourier *a = has_operands(n->op) ? &w->sum[zi_edge_node(n->a)] : NULL;
    const ziFourier *b = has_operands(n->op) ? &w->sum[zi_edge_node(n->b)] : NULL;
    zvStatus status = ZV_OK;
    switch (n->op) {
    case ZI_TAPE_CONSTANT: status = zi_fourier_constant(w->space, n->value, x); break;
    case ZI_TAPE_INPUT: status = zi_fourier_variable(w->space, n->a, x); break;
    case ZI_TAPE_ADD: status = zi_fourier_add(w->space, sign_of(n->a), a, sign_of(n->b), b, x); break;
    case ZI_TAPE_MUL: status = zi_fourier_mul(w->space, sign_of(n->a) * sign_of(n->b), a, b, x); break;
    case ZI_TAPE_DIV: status = divide(w, n, x); break;
    case ZI_TAPE_SQRT: status = root(w, n, x); break;
    case ZI_TAPE_SIN:
    case ZI_TAPE_COS: {
        const double phase = zi_angles_argument(w->angles, w->tape, i, w->multiple);
        status = zi_fourier_turn(w->space, n->op == ZI_TAPE_SIN, phase, w->multiple, x);
        break;
    }
    case ZI_TAPE_TANH: status = ZV_NOT_SUPPORTED; break; /* of generated C alone */
    }
    if (has_operands(n->op) || n->op == ZI_TAPE_SQRT) release(w, n->a);
    if (has_operands(n->op)) release(w, n->b);
    return status;
}

/* The part of an equation that a term belongs to; its key loses the acceleration. NULL: below the diagonal. */
static ziFourier *part_of(ziEquations *e, int row, int8_t *key) {
    int8_t *v = key + 1 + e->space.angles + e->nq, *a = v + e->nv;
    bool moving = false;
    for (int j = 0; j < e->nv; j++) {
        moving |= v[j] != 0;
        if (!a[j]) continue;
        a[j]--;
        return j < row ? NULL : &e->M[row * e->nv + j];
    }
    return moving ? &e->c[row] : &e->g[row];
}

/* Terms of one equation to M, c or g, by whether an acceleration or a rate stands in them. */
static zvStatus split(ziEquations *e, int row, double sign, const ziFourier *sum, size_t *terms) {
    double largest = 0;
    zvStatus status = ZV_OK;
    int8_t *key = malloc(e->space.width);
    if (!key) return ZV_MEMORY;
    for (size_t i = 0; i < sum->count; i++) largest = fmax(largest, fabs(sum->value[i]));
    for (size_t i = 0; i < sum->count && status >= 0; i++) {
        if (!(fabs(sum->value[i]) > least_share * largest)) continue;
        ++*terms;
        memcpy(key, zi_fourier_key(&e->space, sum, i), e->space.width);
        ziFourier *part = part_of(e, row, key);
        if (part) status = zi_fourier_put(&e->space, key, sign * sum->value[i], sum->error_scale[i], part);
    }
    free(key);
    return status;
}

static zvStatus sort_all(ziEquations *e) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < e->nv * e->nv && status >= 0; i++) status = zi_fourier_sort(&e->space, &e->M[i]);
    for (int i = 0; i < e->nv && status >= 0; i++) status = zi_fourier_sort(&e->space, &e->c[i]);
    for (int i = 0; i < e->nv && status >= 0; i++) status = zi_fourier_sort(&e->space, &e->g[i]);
    return status;
}

/* Nodes in the order of the tape, then the equations. */
static zvStatus walk(ziEquations *e, Walk *w, const ziEdge *output) {
    zvStatus status = ZV_OK;
    for (int i = 0; i < w->tape->count && status >= 0; i++)
        if (w->uses[i]) status = evaluate(w, i);
    for (int i = 0; i < e->nv && status >= 0; i++) {
        size_t terms = 0;
        status = split(e, i, sign_of(output[i]), &w->sum[zi_edge_node(output[i])], &terms);
        e->terms += terms;
        if (terms > e->greatest) e->greatest = terms;
    }
    if (status >= 0 && e->greatest > ZV_GENERATE_MAX_TERMS) return ZV_SIZE;
    return status < 0 ? status : sort_all(e);
}

/* The angles, then the sums of all nodes. */
static zvStatus prepare_and_walk(ziEquations *e, Walk *w, const ziEdge *output) {
    const size_t count = (size_t)w->tape->count, nv = (size_t)e->nv;
    bool *wanted = calloc(count, sizeof *wanted);
    w->uses = calloc(count, sizeof *w->uses);
    w->sum = calloc(count, sizeof *w->sum);
    e->M = calloc(nv * nv, sizeof *e->M);
    e->c = calloc(nv, sizeof *e->c);
    e->g = calloc(nv, sizeof *e->g);
    zvStatus status = wanted && w->uses && w->sum && e->M && e->c && e->g ? ZV_OK : ZV_MEMORY;
    if (status >= 0) {
        count_uses(w->tape, e->nv, output, w->uses);
        for (size_t i = 0; i < count; i++) wanted[i] = w->uses[i] > 0;
        status = zi_angles_find(w->tape, wanted, e->nq, &e->angles);
    }
    free(wanted);
    if (status < 0) return status;
    zi_fourier_space_open(&e->space, e->angles.count, e->nq + 2 * e->nv, MOST_TERMS, MOST_WORK);
    w->multiple = calloc((size_t)e->angles.count + 1, sizeof *w->multiple);
    return w->multiple ? walk(e, w, output) : ZV_MEMORY;
}

/* Why there are no equations, and what to do. */
static zvStatus say(const ziEquations *e, zvStatus status, zvError *error) {
    const zvMark nowhere = {0};
    if (status == ZV_MEMORY) return zv_fail(error, status, nowhere, NULL, "out of memory");
    if (status != ZV_SIZE)
        return zv_fail(
            error, status, nowhere, NULL,
            "the equations of motion are no sums of sines, cosines and powers of the coordinates; generate C");
    char size[64] = "far more than that";
    if (e->greatest) snprintf(size, sizeof size, "%zu", e->greatest);
    return zv_fail(error, status, nowhere, NULL,
                   "equations are written in analytic form up to %d terms, and one of these has %s; fix joints that "
                   "need not move, or generate C",
                   ZV_GENERATE_MAX_TERMS, size);
}

zvStatus zi_equations_make(const ziTape *tape, int nq, int nv, const ziEdge *output, ziEquations *e, zvError *error) {
    *e = (ziEquations){.nq = nq, .nv = nv};
    Walk w = {.tape = tape, .angles = &e->angles, .space = &e->space};
    const zvStatus status = prepare_and_walk(e, &w, output);
    for (int i = 0; i < tape->count && w.sum; i++) zi_fourier_free(&w.sum[i]);
    free(w.sum);
    free(w.uses);
    free(w.multiple);
    return status < 0 ? say(e, status, error) : status;
}

void zi_equations_free(ziEquations *e) {
    for (int i = 0; i < e->nv * e->nv && e->M; i++) zi_fourier_free(&e->M[i]);
    for (int i = 0; i < e->nv && e->c; i++) zi_fourier_free(&e->c[i]);
    for (int i = 0; i < e->nv && e->g; i++) zi_fourier_free(&e->g[i]);
    free(e->M);
    free(e->c);
    free(e->g);
    zi_fourier_space_close(&e->space);
    zi_angles_free(&e->angles);
    *e = (ziEquations){0};
}

static const char *obstacle(const zvJoint *j) {
    if (zi_joint_has_quaternion(j->type))
        return "has a quaternion for coordinates, and no angles to take sines of; generate C, or put joints about "
               "single axes in its place";
    if (j->type == ZV_JOINT_CURVE && j->curve.kind == ZV_CURVE_SPLINE)
        return "runs along a spline, which chooses its piece at run time; use a line or a circle";
    return NULL;
}

/* What has no analytic form is told with the name of the joint or link. */
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
    const zvStatus status = zi_trace_method(model, ZV_QUESTION_INVERSE, "newton-euler", tape, output);
    if (tape->full || status == ZV_MEMORY) return zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
    if (tape->branch) /* refused above, so far as is known */
        return zv_fail(error, ZV_NOT_SUPPORTED, nowhere, NULL, "inverse dynamics has %s and no analytic form",
                       tape->branch);
    return status < 0 ? zv_fail(error, status, nowhere, NULL, "inverse dynamics could not be recorded") : status;
}

/* Inverse dynamics recorded with symbols for q, v and a, as sums. */
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

static zvStatus print(const zvModel *model, zvLanguage language, const ziEquations *equations, ziCode *code,
                      zvError *error) {
    const zvMark nowhere = {0};
    ziPlainNumbers numbers;
    const bool plain = zi_plain_numbers_begin(&numbers);
    if (plain && language == ZV_LANGUAGE_LATEX) zi_print_latex(code, model, equations);
    if (plain && language == ZV_LANGUAGE_MAXIMA) zi_print_maxima(code, model, equations);
    if (plain) zi_plain_numbers_end(&numbers);
    return plain && !code->failed ? ZV_OK : zv_fail(error, ZV_MEMORY, nowhere, NULL, "out of memory");
}

static const char *ending(zvLanguage language) { return language == ZV_LANGUAGE_LATEX ? ".tex" : ".mac"; }

/* Nothing is written unless all equations are there. */
zvStatus zi_generate_analytic(const zvModel *model, const zvGenerateOptions *options, const char *directory,
                              zvGenerateSummary *summary, zvError *error) {
    ziEquations equations = {0};
    ziCode code = {0};
    char name[ZI_NAME_SIZE];
    *summary = (zvGenerateSummary){0};
    zvStatus status = check_model(model, error);
    if (status >= 0) status = zi_code_name(model, options, name, error);
    if (status >= 0) status = derive(model, &equations, error);
    if (status >= 0) status = print(model, options->language, &equations, &code, error);
    if (status >= 0) status = zi_code_directory(directory, error);
    if (status >= 0) status = zi_code_file(&code, directory, name, ending(options->language), summary, error);
    if (status >= 0) summary->function[ZV_GENERATED_INVERSE].statements = (long long)equations.terms;
    zi_equations_free(&equations);
    zi_code_free(&code);
    return status;
}
