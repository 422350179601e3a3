/* Poles, zeros, and responses over frequency and time of linear systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/require.h"
#include "modes/dense.h"
#include "modes/pencil.h"

/* Ranks: what is so small beside the scaled system is not there. */
static const double RANK = 1e-10;

static bool finite_numbers(const double *x, size_t count) {
    for (size_t i = 0; x && i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

zvStatus zv_poles(const zvStateSpace *s, double *real, double *imag, zvError *error) {
    ZI_REQUIRE(s && real && imag);
    const size_t square = (size_t)s->nx * (size_t)s->nx;
    if (!finite_numbers(s->A, square)) return zi_response_fail(ZV_NUMBER, error);
    double *A = malloc((square + 1) * sizeof *A);
    zvStatus status = A ? ZV_OK : ZV_MEMORY;
    if (A && square) memcpy(A, s->A, square * sizeof *A);
    if (A) status = zi_dense_eigenvalues(s->nx, A, real, imag);
    free(A);
    return status < 0 ? zi_response_fail(status, error) : ZV_OK;
}

/* Zeros ----------------------------------------------------------------------------------------------------- */

/* Of a system with a square and regular D: eigenvalues of A - B D^-1 C. */
static zvStatus zeros_of_regular(ziPencil *z, int *count, double *real, double *imag) {
    const int n = z->n, m = z->m;
    *count = 0;
    if (n == 0 || m != z->p) return ZV_OK;
    zvStatus status = ZV_OK;
    double *F = z->X; /* D^-1 C by singular values */
    if (m > 0) {
        for (int i = 0; i < m; i++)
            memcpy(z->X + (size_t)i * (size_t)m, z->S + (size_t)(n + i) * z->stride + n, (size_t)m * sizeof *F);
        status = zi_dense_decompose(m, m, z->X, z->U, z->values, z->Vt);
        if (status < 0) return status;
    }
    for (int k = 0; k < n; k++) {
        double turned[64] = {0};
        if (m > 64) return ZV_SIZE;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) turned[i] += z->U[j * m + i] * z->S[(size_t)(n + j) * z->stride + (size_t)k];
            turned[i] /= z->values[i];
        }
        for (int i = 0; i < n; i++) {
            double sum = z->S[(size_t)i * z->stride + (size_t)k];
            for (int j = 0; j < m; j++) {
                double f = 0;
                for (int l = 0; l < m; l++) f += z->Vt[l * m + j] * turned[l];
                sum -= z->S[(size_t)i * z->stride + (size_t)(n + j)] * f;
            }
            F[(size_t)i * (size_t)n + (size_t)k] = sum;
        }
    }
    status = zi_dense_eigenvalues(n, F, real, imag);
    for (int k = 0; status == ZV_OK && k < n; k++) {
        real[k] *= z->rate;
        imag[k] *= z->rate;
    }
    *count = status == ZV_OK ? n : 0;
    return status;
}

/* Whether a zero belongs before another: the slower one, of like size that on the left, of a pair the upper one. Like
 * is what differs by rounding. */
static bool comes_before(double re, double im, double other_re, double other_im) {
    const double size = hypot(re, im), other = hypot(other_re, other_im), alike = 1e-9 * (size + other);
    if (fabs(size - other) > alike) return size < other;
    if (fabs(re - other_re) > alike) return re < other_re;
    return im > other_im;
}

static void sort_zeros(int count, double *real, double *imag) {
    for (int i = 1; i < count; i++) {
        const double re = real[i], im = imag[i];
        int k = i;
        for (; k > 0 && comes_before(re, im, real[k - 1], imag[k - 1]); k--)
            real[k] = real[k - 1], imag[k] = imag[k - 1];
        real[k] = re, imag[k] = im;
    }
}

/* First D gets independent rows, then, turned about, independent columns. */
zvStatus zv_zeros(const zvStateSpace *s, int *count, double *real, double *imag, zvError *error) {
    ZI_REQUIRE(s && count && real && imag);
    ziPencil z;
    zvStatus status = zi_pencil_create(s, &z);
    *count = 0;
    if (status == ZV_OK) status = zi_pencil_full_rows(&z, RANK);
    if (status == ZV_OK) zi_pencil_transpose(&z);
    if (status == ZV_OK) status = zi_pencil_full_rows(&z, RANK);
    if (status == ZV_OK) status = zeros_of_regular(&z, count, real, imag);
    zi_pencil_free(&z);
    if (status == ZV_OK) sort_zeros(*count, real, imag);
    return status < 0 ? zi_response_fail(status, error) : ZV_OK;
}

/* Over frequency --------------------------------------------------------------------------------------------- */

/* A in Hessenberg form, B and C turned with it, so that a frequency costs n^2. */
typedef struct Sweep {
    ziArena arena;
    int n, m, p;
    double *H, *B, *C;
    const double *D;
    double *F; /* (n x n x 2) j omega - H, factored */
    double *X; /* (n x m x 2) */
    double *copy;
} Sweep;

static double *sweep_doubles(Sweep *w, size_t count) { return zi_arena_alloc(&w->arena, (count + 1) * sizeof(double)); }

/* B := Q^T B, C := C Q. */
static void turn_matrices(Sweep *w, const zvStateSpace *s, const double *Q) {
    const size_t n = (size_t)w->n, m = (size_t)w->m, p = (size_t)w->p;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m; k++)
            for (size_t j = 0; j < n; j++) w->B[i * m + k] += Q[j * n + i] * s->B[j * m + k];
        for (size_t k = 0; k < p; k++)
            for (size_t j = 0; j < n; j++) w->C[k * n + i] += s->C[k * n + j] * Q[j * n + i];
    }
}

/* A copy in Hessenberg form. */
static zvStatus sweep_open(Sweep *w, const zvStateSpace *s) {
    const size_t n = (size_t)s->nx, m = (size_t)s->nu, p = (size_t)s->ny;
    *w = (Sweep){.n = s->nx, .m = s->nu, .p = s->ny, .D = s->D};
    if (!finite_numbers(s->A, n * n) || !finite_numbers(s->B, n * m) || !finite_numbers(s->C, p * n) ||
        !finite_numbers(s->D, p * m))
        return ZV_NUMBER;
    double *Q = sweep_doubles(w, n * n);
    w->H = sweep_doubles(w, n * n);
    w->B = sweep_doubles(w, n * m);
    w->C = sweep_doubles(w, p * n);
    w->F = sweep_doubles(w, 2 * n * n);
    w->X = sweep_doubles(w, 2 * n * m);
    w->copy = sweep_doubles(w, 2 * p * m);
    if (!Q || !w->H || !w->B || !w->C || !w->F || !w->X || !w->copy) return ZV_MEMORY;
    if (n) memcpy(w->H, s->A, n * n * sizeof *Q);
    const zvStatus status = zi_dense_hessenberg(s->nx, w->H, Q);
    if (status == ZV_OK) turn_matrices(w, s, Q);
    return status;
}

typedef struct Complex {
    double re, im;
} Complex;

static Complex complex_product(Complex a, Complex b) {
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static Complex complex_quotient(Complex a, Complex b) {
    const double square = b.re * b.re + b.im * b.im;
    return (Complex){(a.re * b.re + a.im * b.im) / square, (a.im * b.re - a.re * b.im) / square};
}
static double complex_size(Complex a) { return hypot(a.re, a.im); }
static void subtract(Complex *from, Complex x) {
    from->re -= x.re;
    from->im -= x.im;
}

/* X := (j omega - H)^-1 B by elimination with exchange of neighbours, the only rows that meet. */
static void solve_at(Sweep *w, double omega) {
    const size_t n = (size_t)w->n, m = (size_t)w->m;
    Complex *F = (Complex *)w->F, *X = (Complex *)w->X;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) F[i * n + k] = (Complex){-w->H[i * n + k], i == k ? omega : 0};
        for (size_t k = 0; k < m; k++) X[i * m + k] = (Complex){w->B[i * m + k], 0};
    }
    for (size_t k = 0; k + 1 < n; k++) {
        Complex *top = F + k * n, *next = top + n;
        if (complex_size(next[k]) > complex_size(top[k])) {
            for (size_t j = k; j < n; j++) {
                const Complex t = top[j];
                top[j] = next[j];
                next[j] = t;
            }
            for (size_t j = 0; j < m; j++) {
                const Complex t = X[k * m + j];
                X[k * m + j] = X[(k + 1) * m + j];
                X[(k + 1) * m + j] = t;
            }
        }
        if (complex_size(next[k]) == 0) continue;
        const Complex by = complex_quotient(next[k], top[k]);
        for (size_t j = k; j < n; j++) subtract(&next[j], complex_product(by, top[j]));
        for (size_t j = 0; j < m; j++) subtract(&X[(k + 1) * m + j], complex_product(by, X[k * m + j]));
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = 0; j < m; j++) {
            for (size_t k = i + 1; k < n; k++) subtract(&X[i * m + j], complex_product(F[i * n + k], X[k * m + j]));
            X[i * m + j] =
                complex_size(F[i * n + i]) > 0 ? complex_quotient(X[i * m + j], F[i * n + i]) : (Complex){INFINITY, 0};
        }
    }
}

/* C X + D */
static void respond_at(Sweep *w, double omega, double *out) {
    const size_t n = (size_t)w->n, m = (size_t)w->m, p = (size_t)w->p;
    const Complex *X = (const Complex *)w->X;
    solve_at(w, omega);
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < m; k++) {
            Complex sum = {w->D ? w->D[i * m + k] : 0, 0};
            bool infinite = false;
            for (size_t j = 0; j < n; j++) {
                const double c = w->C[i * n + j];
                if (c == 0) continue;
                infinite |= !isfinite(X[j * m + k].re);
                sum.re += c * X[j * m + k].re;
                sum.im += c * X[j * m + k].im;
            }
            out[2 * (i * m + k)] = infinite ? INFINITY : sum.re;
            out[2 * (i * m + k) + 1] = infinite ? 0 : sum.im;
        }
    }
}

static zvStatus singular_at(Sweep *w, const double *response, double *sigma) {
    const size_t count = 2 * (size_t)w->p * (size_t)w->m;
    const int most = w->p < w->m ? w->p : w->m;
    memcpy(w->copy, response, count * sizeof *response);
    for (int k = 0; k < most; k++) sigma[k] = INFINITY;
    return finite_numbers(response, count) ? zi_dense_complex_singular(w->p, w->m, w->copy, sigma) : ZV_OK;
}

/* One reduction for all frequencies. */
zvStatus zv_frequency_response(const zvStateSpace *s, int count, const double *omega, double *response, double *sigma,
                               zvError *error) {
    ZI_REQUIRE(s && (count <= 0 || (omega && response)));
    Sweep w;
    const size_t size = 2 * (size_t)s->ny * (size_t)s->nu;
    const int most = s->ny < s->nu ? s->ny : s->nu;
    zvStatus status = sweep_open(&w, s);
    for (int k = 0; k < count && status == ZV_OK; k++) {
        double *at = response + (size_t)k * size;
        respond_at(&w, omega[k], at);
        if (sigma) status = singular_at(&w, at, sigma + (size_t)k * (size_t)most);
    }
    zi_arena_free(&w.arena);
    return status < 0 ? zi_response_fail(status, error) : ZV_OK;
}
