/* What sines and cosines are taken of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/analytic.h"

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
