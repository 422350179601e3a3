/* Loops in letters: Jacobian and accelerations of the conditions, the Coriolis matrix, and the equations of the
 * independent coordinates, [Kolyubin] five-bar: v = P v_r with P = (1; -J2^-1 J1). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/analytic.h"

void zi_angle_rates(const ziEquations *e, int q, double *rate) {
    for (int k = 0; k < e->angles.count; k++) rate[k] = e->angles.angle[k].q == q ? e->angles.angle[k].unit : 0;
}

/* x += factor dA/dq_j times variable `by` (-1: one). */
static zvStatus add_derivative(ziEquations *e, double factor, const ziFourier *A, int q, int by, double *rate,
                               ziFourier *x) {
    ziFourier d = {0}, one = {0};
    zi_angle_rates(e, q, rate);
    zvStatus status = zi_fourier_derivative(&e->space, A, q, rate, &d);
    if (status >= 0)
        status = by < 0 ? zi_fourier_constant(&e->space, 1, &one) : zi_fourier_variable(&e->space, by, &one);
    if (status >= 0) status = zi_fourier_gather(&e->space, factor, &d, &one, x);
    zi_fourier_free(&d);
    zi_fourier_free(&one);
    return status;
}

/* A row of G from the gap, or from its rate; false when it demands nothing. */
static zvStatus make_row(ziEquations *e, const ziFourier *gap, const ziFourier *rate, double *scratch, ziFourier *row,
                         bool *demands) {
    zvStatus status = rate ? zi_equations_row(e, rate, row) : ZV_OK;
    for (int j = 0; j < e->nv && status >= 0 && !rate; j++) status = add_derivative(e, 1, gap, j, -1, scratch, &row[j]);
    *demands = false;
    for (int j = 0; j < e->nv; j++) *demands |= row[j].count > 0;
    return status;
}

/* gamma = dG/dt v */
static zvStatus make_gamma(ziEquations *e, int row, double *scratch) {
    zvStatus status = ZV_OK;
    const int v = e->nq;
    for (int j = 0; j < e->nv && status >= 0; j++) {
        ziFourier rate = {0}, by = {0};
        for (int k = 0; k < e->nv && status >= 0; k++)
            status = add_derivative(e, 1, &e->G[row * e->nv + j], k, v + k, scratch, &rate);
        if (status >= 0) status = zi_fourier_variable(&e->space, v + j, &by);
        if (status >= 0) status = zi_fourier_gather(&e->space, 1, &rate, &by, &e->gamma[row]);
        zi_fourier_free(&rate);
        zi_fourier_free(&by);
    }
    return status;
}

static const ziFourier *mass(const ziEquations *e, int i, int j) {
    return &e->M[i < j ? i * e->nv + j : j * e->nv + i];
}

/* C_ij = sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k / 2 */
static zvStatus make_coriolis(ziEquations *e, double *scratch) {
    zvStatus status = ZV_OK;
    const int n = e->nv, v = e->nq;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                ziFourier *x = &e->C[i * n + j];
                if (status >= 0) status = add_derivative(e, 0.5, mass(e, i, j), k, v + k, scratch, x);
                if (status >= 0) status = add_derivative(e, 0.5, mass(e, i, k), j, v + k, scratch, x);
                if (status >= 0) status = add_derivative(e, -0.5, mass(e, j, k), i, v + k, scratch, x);
            }
    return status;
}

/* Conditions that hold by themselves, as those across the plane of a planar mechanism, are left out. */
static zvStatus close_rows(ziEquations *e, int rows, ziFourier *gap, ziFourier *rate, const bool *has_rate,
                           double *scratch) {
    zvStatus status = ZV_OK;
    for (int r = 0; r < rows && status >= 0; r++) {
        bool demands;
        ziFourier *row = &e->G[e->rows * e->nv];
        status = make_row(e, &gap[r], has_rate[r] ? &rate[r] : NULL, scratch, row, &demands);
        if (status < 0 || !demands) continue;
        e->gap[e->rows] = gap[r];
        gap[r] = (ziFourier){0};
        status = make_gamma(e, e->rows++, scratch);
    }
    return status < 0 ? status : make_coriolis(e, scratch);
}

/* Room for all rows, then the rows that demand anything. */
zvStatus zi_equations_close(ziEquations *e, int rows, ziFourier *gap, ziFourier *rate, const bool *has_rate) {
    const size_t nv = (size_t)e->nv, count = (size_t)rows + 1;
    if (rows == 0) return ZV_OK;
    double *scratch = calloc((size_t)e->angles.count + 1, sizeof *scratch);
    e->gap = calloc(count, sizeof *e->gap);
    e->gamma = calloc(count, sizeof *e->gamma);
    e->G = calloc(count * nv, sizeof *e->G);
    e->C = calloc(nv * nv, sizeof *e->C);
    const bool fine = scratch && e->gap && e->gamma && e->G && e->C;
    const zvStatus status = fine ? close_rows(e, rows, gap, rate, has_rate, scratch) : ZV_MEMORY;
    free(scratch);
    return status;
}

/* -- independent coordinates ------------------------------------------------------------------------------------ */

/* G where coordinates are demands numbers, and letters those of the file. */
static bool numbers_of(const ziEquations *e, double *G) {
    double *angle = calloc((size_t)e->angles.count + 1, sizeof *angle);
    double *variable = calloc((size_t)e->space.variables + 1, sizeof *variable);
    for (int i = 0; variable && i < e->nq; i++) variable[i] = 0.4 + 0.9 * sin(1.7 * (i + 1));
    for (int k = 0; angle && variable && k < e->angles.count; k++)
        angle[k] = e->angles.angle[k].unit * variable[e->angles.angle[k].q];
    for (int i = 0; variable && e->letters && i < e->letters->count; i++) {
        const ziLetter *letter = &e->letters->letter[i];
        if (letter->chosen) variable[e->nq + 2 * e->nv + letter->input] = letter->value;
    }
    const bool fine = angle && variable;
    for (int i = 0; i < e->rows * e->nv && fine; i++) G[i] = zi_fourier_value(&e->space, &e->G[i], angle, variable);
    free(angle);
    free(variable);
    return fine;
}

/* Takes what the columns before have in common with column j off it, with the same step for all that follow; true when
 * something is left. */
static bool take_column(int rows, int n, double *G, int j, bool *used) {
    int pivot = -1;
    for (int r = 0; r < rows; r++)
        if (!used[r] && (pivot < 0 || fabs(G[r * n + j]) > fabs(G[pivot * n + j]))) pivot = r;
    if (pivot < 0 || fabs(G[pivot * n + j]) < 1e-9) return false;
    used[pivot] = true;
    for (int r = 0; r < rows; r++) {
        const double factor = used[r] ? 0 : G[r * n + j] / G[pivot * n + j];
        for (int k = 0; k < n && factor != 0; k++) G[r * n + k] -= factor * G[pivot * n + k];
    }
    return true;
}

/* Links between a coordinate's joint and the ground; arc lengths are behind all. */
static int depth_of(const zvModel *model, int coordinate) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace place = zv_model_joint_place(model, j);
        if (coordinate < place.v_index || coordinate >= place.v_index + place.nv) continue;
        int depth = 0;
        for (int link = place.parent; link > 0; depth++)
            link = zv_model_joint_place(model, zv_model_link_joint(model, link)).parent;
        return depth;
    }
    return zv_model_njoint(model);
}

/* Dependent ones are the deepest first, or those that are not marked. Their number. */
static int choose(const zvModel *model, const ziEquations *e, const unsigned char *marked, double *G, bool *used,
                  bool *dependent) {
    int found = 0;
    for (int depth = zv_model_njoint(model); depth >= 0; depth--)
        for (int j = e->nv - 1; j >= 0; j--) {
            if (depth_of(model, j) != depth || (marked && j < zv_model_nv(model) && marked[j])) continue;
            if (!take_column(e->rows, e->nv, G, j, used)) continue;
            dependent[j] = true;
            found++;
        }
    return found;
}

/* Rows of `rows` and columns of dependents without the first `from` and those that are taken. */
static zvStatus expand_minor(ziEquations *e, const int *column, int count, unsigned without_row,
                             unsigned without_column, ziFourier *x) {
    zvStatus status = ZV_OK;
    int row = 0;
    while (without_row >> row & 1) row++;
    if (count == 0) return zi_fourier_constant(&e->space, 1, x);
    double sign = 1;
    for (int k = 0; k < e->rows && status >= 0; k++) {
        if (without_column >> k & 1) continue;
        ziFourier minor = {0};
        status = expand_minor(e, column, count - 1, without_row | 1u << row, without_column | 1u << k, &minor);
        if (status >= 0) status = zi_fourier_gather(&e->space, sign, &e->G[row * e->nv + column[k]], &minor, x);
        zi_fourier_free(&minor);
        sign = -sign;
    }
    return status;
}

/* Cramer's rule: dependent k against independent i has the determinant with column k replaced by -G_i. */
static zvStatus make_numerators(ziEquations *e) {
    zvStatus status = expand_minor(e, e->dependent, e->rows, 0, 0, &e->Delta);
    for (int k = 0; k < e->rows; k++)
        for (int i = 0; i < e->independents && status >= 0; i++) {
            int column[ZI_MOST_REDUCED];
            ziFourier x = {0}, one = {0};
            for (int j = 0; j < e->rows; j++) column[j] = j == k ? e->independent[i] : e->dependent[j];
            status = expand_minor(e, column, e->rows, 0, 0, &x);
            if (status >= 0) status = zi_fourier_constant(&e->space, -1, &one);
            if (status >= 0) status = zi_fourier_mul(&e->space, 1, &one, &x, &e->Num[k * e->independents + i]);
            if (status >= 0) status = zi_fourier_sort(&e->space, &e->Num[k * e->independents + i]);
            zi_fourier_free(&x);
            zi_fourier_free(&one);
        }
    return status < 0 ? status : zi_fourier_sort(&e->space, &e->Delta);
}

/* Dependent and independent coordinates at a position that is not special, then the ratios of their rates. */
static zvStatus split_coordinates(const zvModel *model, ziEquations *e, const unsigned char *marked, double *G,
                                  bool *dependent, zvError *error) {
    const zvMark nowhere = {0};
    bool used[ZI_MOST_REDUCED] = {false};
    int given = 0;
    if (!numbers_of(e, G)) return ZV_MEMORY;
    for (int j = 0; marked && j < zv_model_nv(model); j++) given += marked[j] != 0;
    const int found = choose(model, e, marked, G, used, dependent);
    if (marked && (found < e->rows || given != e->nv - e->rows))
        return zv_fail(error, ZV_SINGULAR, nowhere, NULL,
                       "expected %d independent coordinates that determine the others, found %d%s", e->nv - e->rows,
                       given, given == e->nv - e->rows ? " that do not; choose others" : "");
    if (found < e->rows) return ZV_OK; /* conditions repeat each other */
    e->independents = e->nv - e->rows;
    e->independent = calloc((size_t)e->nv + 1, sizeof *e->independent);
    e->dependent = calloc((size_t)e->nv + 1, sizeof *e->dependent);
    e->Num = calloc((size_t)(e->rows * e->nv) + 1, sizeof *e->Num);
    if (!e->independent || !e->dependent || !e->Num) return ZV_MEMORY;
    for (int j = 0, i = 0, d = 0; j < e->nv; j++) *(dependent[j] ? &e->dependent[d++] : &e->independent[i++]) = j;
    return make_numerators(e);
}

/* Nothing is reduced where nobody asked and Cramer's rule would be long. */
zvStatus zi_equations_reduce(const zvModel *model, ziEquations *e, const unsigned char *independent, zvError *error) {
    if (e->rows == 0 || e->rows > ZI_MOST_REDUCED || e->rows >= e->nv) {
        if (!independent) return ZV_OK;
        return zv_fail(
            error, ZV_NOT_SUPPORTED, (zvMark){0}, NULL,
            "expected loops of 1 to %d conditions that leave freedoms to reduce equations by, found %d and %d "
            "coordinates; leave --independent out",
            ZI_MOST_REDUCED, e->rows, e->nv);
    }
    double *G = calloc((size_t)(e->rows * e->nv), sizeof *G);
    bool *dependent = calloc((size_t)e->nv, sizeof *dependent);
    const zvStatus status = G && dependent ? split_coordinates(model, e, independent, G, dependent, error) : ZV_MEMORY;
    free(G);
    free(dependent);
    if (status == ZV_MEMORY) return zv_fail(error, status, (zvMark){0}, NULL, "out of memory");
    if (status == ZV_SIZE)
        return zv_fail(error, status, (zvMark){0}, NULL,
                       "the equations of the independent coordinates have too many terms");
    return status;
}
