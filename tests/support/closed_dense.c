/* Dense equations of closed mechanisms. */
#include "support/closed_dense.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double *numbers(int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    if (!x) abort();
    return x;
}

static void copy(int count, const double *from, exact *to) {
    for (int i = 0; i < count; i++) to[i] = from[i];
}

static exact **arrays(cdSystem *s, int i, int *count) {
    const int n = s->n, m = s->m, all = n + m;
    exact **at[] = {&s->M,         &s->G,           &s->bias, &s->error_scale, &s->gamma,  &s->gamma_error_scale,
                    &s->K,         &s->inverse,     &s->a,    &s->tau,         &s->lambda, &s->a_scale,
                    &s->tau_scale, &s->lambda_scale};
    const int counts[] = {n * n, m * n, n, n, m, m, all * all, all * all, n, n, m, n, n, m};
    *count = counts[i];
    return at[i];
}

enum { ARRAYS = 14 };

static void ask_forces(cdSystem *s, const rcCase *c) {
    double *with = numbers(s->n), *without = numbers(s->n), *M = numbers(s->n * s->n);
    zv_mass_matrix(c->model, c->work, c->q, M);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, NULL, c->fext, with);
    zv_inverse_dynamics(c->model, c->work, c->q, c->v, NULL, NULL, without);
    copy(s->n * s->n, M, s->M);
    copy(s->n, with, s->bias);
    for (int i = 0; i < s->n; i++) s->error_scale[i] = fabs(without[i]) + fabs(with[i] - without[i]);
    free(with);
    free(without);
    free(M);
}

static exact row_size(const cdSystem *s, int k) {
    exact most = 0;
    for (int j = 0; j < s->n; j++) most = fmaxl(most, fabsl(s->G[k * s->n + j]));
    return most;
}

static void ask_loops(cdSystem *s, const rcCase *c, const zvClosing *closing) {
    double *G = numbers(s->m * s->n), *gamma = numbers(s->m), speed = 0;
    zv_loop_jacobian(c->model, c->work, c->q, G);
    zv_loop_bias(c->model, c->work, closing, c->q, c->v, gamma);
    copy(s->m * s->n, G, s->G);
    copy(s->m, gamma, s->gamma);
    for (int i = 0; i < s->n; i++) speed += fabs(c->v[i]);
    const double feedback = closing ? closing->feedback : 0;
    for (int k = 0; k < s->m; k++) {
        s->gamma_error_scale[k] = fabs(gamma[k]) + row_size(s, k) * speed * speed;
        s->gamma_error_scale[k] +=
            feedback * (2 * row_size(s, k) * speed + feedback); /* gaps are of the order of a metre */
    }
    free(G);
    free(gamma);
}

void cd_open(cdSystem *s, const rcCase *c, const zvClosing *closing) {
    *s = (cdSystem){.n = c->nv, .m = c->rows, .given_a = numbers(c->nv), .given_tau = numbers(c->nv)};
    s->given = calloc((size_t)s->n + 1, 1);
    if (!s->given) abort();
    for (int i = 0, count; i < ARRAYS; i++) {
        exact **at = arrays(s, i, &count);
        *at = lin_numbers(count);
    }
    for (int i = 0; i < s->n; i++) s->given_tau[i] = c->tau[i];
    ask_forces(s, c);
    ask_loops(s, c, closing);
}

void cd_add_structure(cdSystem *s, const rcCase *c, double damping, double stiffness) {
    for (int link = 0; link < zv_model_nlink(c->model); link++) {
        const zvElasticPlace place = zv_model_elastic_place(c->model, link);
        const int count = place.count;
        if (count == 0) continue;
        double *K = calloc(2 * (size_t)count * (size_t)count, sizeof *K), *D = K + count * count;
        if (!K) abort();
        zv_model_elastic_matrices(c->model, link, NULL, K, D);
        for (int i = 0; i < count; i++) {
            exact *row = s->M + (place.v_index + i) * s->n + place.v_index;
            for (int j = 0; j < count; j++)
                row[j] += (exact)damping * D[i * count + j] + (exact)stiffness * K[i * count + j];
        }
        free(K);
    }
}

void cd_close(cdSystem *s) {
    for (int i = 0, count; i < ARRAYS; i++) free(*arrays(s, i, &count));
    free(s->given_a);
    free(s->given_tau);
    free(s->given);
}

/* Whether the conditions are independent in the freedoms whose forces are given; what moves a row by less than a
 * millionth of a metre or radian does not count. */
static bool independent(const cdSystem *s) {
    exact *free_part = lin_numbers(s->m * s->n), *Q = lin_numbers(s->n * s->n);
    for (int i = 0; i < s->m * s->n; i++) {
        if (s->given[i % s->n] == ZV_GIVEN_FORCE && fabsl(s->G[i]) > 1e-6L) free_part[i] = s->G[i];
    }
    const int rank = rc_row_basis(s->m, s->n, free_part, 1e-4L, Q);
    free(free_part);
    free(Q);
    return rank == s->m;
}

/* Column i of unknown a, or of unknown tau; then those of lambda. */
static void fill(cdSystem *s, exact *rest) {
    const int n = s->n, m = s->m, all = n + m;
    for (int i = 0; i < n; i++) {
        const bool force = s->given[i] == ZV_GIVEN_FORCE;
        const exact known = force ? s->given_tau[i] : 0, a = s->given[i] == ZV_GIVEN_ACCELERATION ? s->given_a[i] : 0;
        rest[i] += known - s->bias[i];
        for (int r = 0; r < n; r++) {
            s->K[r * all + i] = force ? s->M[r * n + i] : r == i ? -1 : 0;
            rest[r] -= force ? 0 : s->M[r * n + i] * a;
        }
        for (int k = 0; k < m; k++) {
            s->K[(n + k) * all + i] = force ? s->G[k * n + i] : 0;
            s->K[i * all + n + k] = -s->G[k * n + i];
            rest[n + k] -= force ? 0 : s->G[k * n + i] * a;
        }
    }
    for (int k = 0; k < m; k++) rest[n + k] -= s->gamma[k];
}

/* Elimination passes through the motion of the open tree: size of a condition += |G M^-1| sizes of forces, over the
 * freedoms whose forces are given. */
static void add_open_motion(const cdSystem *s, exact *size) {
    const int n = s->n;
    exact *block = lin_numbers(n * n), *inverse = lin_numbers(n * n);
    for (int i = 0; i < n * n; i++) {
        const bool both = s->given[i / n] == ZV_GIVEN_FORCE && s->given[i % n] == ZV_GIVEN_FORCE;
        block[i] = both ? s->M[i] : i / n == i % n;
    }
    if (!lin_inverse(n, block, inverse)) abort();
    for (int k = 0; k < s->m; k++) {
        for (int j = 0; j < n; j++) {
            exact sum = 0;
            for (int i = 0; i < n; i++)
                if (s->given[i] == ZV_GIVEN_FORCE) sum += s->G[k * n + i] * inverse[i * n + j];
            if (s->given[j] == ZV_GIVEN_FORCE) size[n + k] += fabsl(sum) * size[j];
        }
    }
    free(block);
    free(inverse);
}

static void scale(cdSystem *s) {
    const int n = s->n, m = s->m, all = n + m;
    exact *size = lin_numbers(all);
    for (int i = 0; i < n; i++) {
        size[i] = s->error_scale[i] + fabsl(s->tau[i]);
        for (int j = 0; j < n; j++) size[i] += sqrtl(s->M[i * (n + 1)] * s->M[j * (n + 1)]) * fabsl(s->a[j]);
        for (int k = 0; k < m; k++) size[i] += row_size(s, k) * fabsl(s->lambda[k]);
    }
    for (int k = 0; k < m; k++) {
        size[n + k] = s->gamma_error_scale[k];
        for (int j = 0; j < n; j++) size[n + k] += row_size(s, k) * fabsl(s->a[j]);
    }
    add_open_motion(s, size);
    for (int i = 0; i < all; i++) {
        exact sum = 0;
        for (int j = 0; j < all; j++) sum += fabsl(s->inverse[i * all + j]) * size[j];
        if (i >= n)
            s->lambda_scale[i - n] = sum;
        else if (s->given[i] == ZV_GIVEN_FORCE)
            s->a_scale[i] = sum, s->tau_scale[i] = 0;
        else
            s->tau_scale[i] = sum, s->a_scale[i] = 0;
    }
    free(size);
}

bool cd_solve(cdSystem *s) {
    const int n = s->n, m = s->m, all = n + m;
    if (!independent(s)) return false;
    exact *rest = lin_numbers(all), *x = lin_numbers(all);
    for (int i = 0; i < all * all; i++) s->K[i] = 0;
    fill(s, rest);
    const bool regular = lin_inverse(all, s->K, s->inverse);
    if (regular) lin_times(all, s->inverse, rest, x);
    for (int i = 0; i < n; i++) {
        const bool force = s->given[i] == ZV_GIVEN_FORCE;
        s->a[i] = force ? x[i] : s->given[i] == ZV_GIVEN_ACCELERATION ? s->given_a[i] : 0;
        s->tau[i] = force ? s->given_tau[i] : x[i];
    }
    for (int k = 0; k < m; k++) s->lambda[k] = x[n + k];
    if (regular) scale(s);
    free(rest);
    free(x);
    return regular;
}

bool cd_near(const rcCase *c, const char *what, int count, const double *got, const exact *want, const exact *scale,
             double tolerance) {
    return lin_near(c->seed, what, count, got, want, scale, tolerance);
}
