/* Equations of motion in analytic form: what tapes say as sums, told apart into M, c and g. */
#include "codegen/analytic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/derivation.h"

/* Below this share of the largest coefficient of an equation a term is rounding of the model's own numbers. */
static const double least_share = 1e-14;
static const zvMark nowhere = {0};

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

/* The size of a term where letters have the values of the file. */
static double term_size(const ziEquations *e, const ziFourier *sum, size_t term) {
    const int8_t *power = zi_key_exponents(&e->space, zi_fourier_key(&e->space, sum, term)) + e->nq + 2 * e->nv;
    double size = fabs(sum->value[term]);
    for (int i = 0; e->letters && i < e->letters->count; i++) {
        const ziLetter *letter = &e->letters->letter[i];
        if (letter->chosen && power[letter->input]) size *= pow(fabs(letter->value), power[letter->input]);
    }
    return size;
}

/* Each term goes to M, c or g by whether an acceleration or a rate stands in it; those that are rounding are dropped.
 * */
zvStatus zi_equations_split(ziEquations *e, int row, const ziFourier *sum) {
    double largest = 0;
    size_t terms = 0;
    zvStatus status = ZV_OK;
    int8_t *key = malloc(e->space.width);
    if (!key) return ZV_MEMORY;
    for (size_t i = 0; i < sum->count; i++) largest = fmax(largest, term_size(e, sum, i));
    for (size_t i = 0; i < sum->count && status >= 0; i++) {
        if (!(term_size(e, sum, i) > least_share * largest)) continue;
        terms++;
        memcpy(key, zi_fourier_key(&e->space, sum, i), e->space.width);
        ziFourier *part = part_of(e, row, key);
        if (part) status = zi_fourier_put(&e->space, key, sum->value[i], sum->error_scale[i], part);
    }
    free(key);
    e->terms += terms;
    if (terms > e->greatest) e->greatest = terms;
    return status;
}

/* Terms by the rate that stands in them, which their keys lose; terms without one have no place in a row. */
zvStatus zi_equations_row(ziEquations *e, const ziFourier *sum, ziFourier *row) {
    zvStatus status = ZV_OK;
    int8_t *key = malloc(e->space.width);
    if (!key) return ZV_MEMORY;
    for (size_t i = 0; i < sum->count && status >= 0; i++) {
        memcpy(key, zi_fourier_key(&e->space, sum, i), e->space.width);
        int8_t *v = key + 1 + e->space.angles + e->nq;
        int j = 0;
        while (j < e->nv && !v[j]) j++;
        if (j == e->nv) continue;
        v[j]--;
        status = zi_fourier_put(&e->space, key, sum->value[i], sum->error_scale[i], &row[j]);
    }
    free(key);
    return status;
}

static zvStatus sort_sums(const ziEquations *e, ziFourier *sum, int count) {
    zvStatus status = ZV_OK;
    for (int i = 0; sum && i < count && status >= 0; i++) status = zi_fourier_sort(&e->space, &sum[i]);
    return status;
}

/* All sums in reading order. */
static zvStatus sort_all(ziEquations *e) {
    zvStatus status = sort_sums(e, e->M, e->nv * e->nv);
    if (status >= 0) status = sort_sums(e, e->c, e->nv);
    if (status >= 0) status = sort_sums(e, e->g, e->nv);
    if (status >= 0) status = sort_sums(e, e->passive, e->nv);
    if (status >= 0) status = sort_sums(e, e->dry, e->nv);
    if (status >= 0) status = sort_sums(e, e->J, 6 * e->nv);
    if (status >= 0) status = sort_sums(e, e->gap, e->rows);
    if (status >= 0) status = sort_sums(e, e->gamma, e->rows);
    if (status >= 0) status = sort_sums(e, e->G, e->rows * e->nv);
    return status < 0 || !e->C ? status : sort_sums(e, e->C, e->nv * e->nv);
}

static bool open_matrices(ziEquations *e) {
    const size_t nv = (size_t)e->nv;
    e->M = calloc(nv * nv + 1, sizeof *e->M);
    e->c = calloc(nv + 1, sizeof *e->c);
    e->g = calloc(nv + 1, sizeof *e->g);
    return e->M && e->c && e->g;
}

/* Forces to M, c and g. */
static zvStatus split_all(ziEquations *e, const ziFourier *tau) {
    zvStatus status = open_matrices(e) ? ZV_OK : ZV_MEMORY;
    for (int i = 0; i < e->nv && status >= 0; i++) status = zi_equations_split(e, i, &tau[i]);
    return status >= 0 && e->greatest > ZV_CODEGEN_MAX_TERMS ? ZV_SIZE : status;
}

/* Why there are no equations, and what to do. */
static zvStatus explain(const ziEquations *e, zvStatus status, zvError *error) {
    if (status == ZV_MEMORY) return zv_fail(error, status, nowhere, NULL, "out of memory");
    if (status != ZV_SIZE)
        return zv_fail(
            error, status, nowhere, NULL,
            "the equations of motion are no sums of sines, cosines and powers of the coordinates; generate C");
    char size[64] = "far more than that";
    if (e->greatest) snprintf(size, sizeof size, "%zu", e->greatest);
    return zv_fail(error, status, nowhere, NULL,
                   "equations are written in analytic form up to %d terms, and one of these has %s; fix joints that "
                   "need not move, %sor generate C",
                   ZV_CODEGEN_MAX_TERMS, size, e->letters && e->letters->chosen ? "choose fewer symbols " : "");
}

static void free_sums(ziFourier *sum, int count) {
    for (int i = 0; sum && i < count; i++) zi_fourier_free(&sum[i]);
    free(sum);
}

zvStatus zi_equations_make(const ziTape *tape, int nq, int nv, const ziEdge *output, ziEquations *e, zvError *error) {
    *e = (ziEquations){.nq = nq, .nv = nv};
    ziFourier *tau = calloc((size_t)nv + 1, sizeof *tau);
    zvStatus status = tau ? zi_sums_make(tape, nq, nq + 2 * nv, nv, output, &e->angles, &e->space, tau) : ZV_MEMORY;
    if (status >= 0) status = split_all(e, tau);
    if (status >= 0) status = sort_all(e);
    free_sums(tau, nv);
    return status < 0 ? explain(e, status, error) : status;
}

/* -- from the description --------------------------------------------------------------------------------------- */

/* TapeOutputs one after the other: forces, passive forces, friction, gaps, rates, motion of the frame. */
typedef struct TapeOutputs {
    int count, tau, passive, dry, gap, rate, motion;
    ziEdge *edge;
    bool *has_rate;
    ziFourier *sum;
} TapeOutputs;

static int put_edges(TapeOutputs *o, const ziEdge *edge, int count) {
    const int at = o->count;
    for (int i = 0; i < count; i++) o->edge[o->count++] = edge[i] == ZI_EDGE_UNKNOWN ? ZI_EDGE_ZERO : edge[i];
    return at;
}

/* The outputs of a derivation in one list, so that the tape is worked out once for all of them. */
static bool gather(const ziDerivation *d, TapeOutputs *o) {
    const size_t most = (size_t)(3 * d->n + 2 * d->rows + 6);
    o->edge = calloc(most, sizeof *o->edge);
    o->sum = calloc(most, sizeof *o->sum);
    o->has_rate = calloc((size_t)d->rows + 1, sizeof *o->has_rate);
    if (!o->edge || !o->sum || !o->has_rate) return false;
    o->tau = put_edges(o, d->tau, d->n);
    o->passive = put_edges(o, d->passive, d->n);
    o->dry = put_edges(o, d->dry, d->n);
    o->gap = put_edges(o, d->gap, d->rows);
    o->rate = put_edges(o, d->rate, d->rows);
    o->motion = put_edges(o, d->motion, 6);
    for (int r = 0; r < d->rows; r++) o->has_rate[r] = d->rate[r] != ZI_EDGE_UNKNOWN;
    return true;
}

/* Sums that go over to the equations as they are. */
static ziFourier *take_sums(ziFourier *sum, int count) {
    ziFourier *x = calloc((size_t)count + 1, sizeof *x);
    for (int i = 0; x && i < count; i++) {
        x[i] = sum[i];
        sum[i] = (ziFourier){0};
    }
    return x;
}

static zvStatus take_frame(ziEquations *e, const ziFourier *motion) {
    zvStatus status = ZV_OK;
    e->J = calloc((size_t)(6 * e->nv) + 1, sizeof *e->J);
    if (!e->J) return ZV_MEMORY;
    for (int i = 0; i < 6 && status >= 0; i++) status = zi_equations_row(e, &motion[i], &e->J[i * e->nv]);
    return status;
}

/* Everything from the sums of the outputs. */
static zvStatus distribute(const zvCodegenOptions *options, const ziDerivation *d, TapeOutputs *o, ziEquations *e) {
    zvStatus status = split_all(e, o->sum + o->tau);
    if (status >= 0 && options->passive) {
        e->passive = take_sums(o->sum + o->passive, e->nv);
        e->dry = take_sums(o->sum + o->dry, e->nv);
        if (!e->passive || !e->dry) status = ZV_MEMORY;
    }
    if (status >= 0 && options->external) status = take_frame(e, o->sum + o->motion);
    if (status >= 0) status = zi_equations_close(e, d->rows, o->sum + o->gap, o->sum + o->rate, o->has_rate);
    return status < 0 ? status : sort_all(e);
}

/* The sums of all outputs, then what the equations have of them. */
static zvStatus derive_from(const ziDerivation *d, const zvCodegenOptions *options, const ziTape *tape,
                            ziEquations *e) {
    TapeOutputs o = {0};
    const int variables = 3 * d->n + (e->letters ? e->letters->chosen : 0);
    zvStatus status = gather(d, &o) ? ZV_OK : ZV_MEMORY;
    if (status >= 0) status = zi_sums_make(tape, d->n, variables, o.count, o.edge, &e->angles, &e->space, o.sum);
    if (status >= 0) status = distribute(options, d, &o, e);
    free_sums(o.sum, o.count);
    free(o.edge);
    free(o.has_rate);
    return status;
}

/* A tape for the whole description; it is closed when its sums are there. */
zvStatus zi_equations_derive(const zvModel *model, const zvCodegenOptions *options, const ziLetters *letters,
                             ziEquations *e, zvError *error) {
    ziTape tape;
    ziDerivation d = {0};
    *e = (ziEquations){.letters = letters};
    const bool open = zi_tape_open(&tape, ZI_TAPE_RECORD);
    const int frame = options->external ? options->frame : -1;
    zvStatus status = open ? zi_derive_dynamics(model, letters, frame, options->flexible, &tape, &d) : ZV_MEMORY;
    e->nq = e->nv = d.n;
    if (status >= 0) status = derive_from(&d, options, &tape, e);
    zi_derivation_free(&d);
    zi_tape_close(&tape);
    return status < 0 ? explain(e, status, error) : status;
}

/* Everything that the equations own, however far they came. */
void zi_equations_free(ziEquations *e) {
    free_sums(e->M, e->nv * e->nv);
    free_sums(e->c, e->nv);
    free_sums(e->g, e->nv);
    free_sums(e->passive, e->nv);
    free_sums(e->dry, e->nv);
    free_sums(e->J, 6 * e->nv);
    free_sums(e->gap, e->rows);
    free_sums(e->gamma, e->rows);
    free_sums(e->G, e->rows * e->nv);
    free_sums(e->C, e->nv * e->nv);
    free_sums(e->Num, e->rows * e->independents);
    zi_fourier_free(&e->Delta);
    free(e->independent);
    free(e->dependent);
    zi_fourier_space_close(&e->space);
    zi_angles_free(&e->angles);
    *e = (ziEquations){0};
}
