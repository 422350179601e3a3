/* Vectors and matrices of three against sums written out. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spatial/vec3.h"
#include "support/random_tree_numbers.h"
#include "support/run_tests.h"

static rtRandom stream = {31};

static vec3 draw_vector(double *a) {
    rt_vector(&stream, 1, 3, a);
    return v3_of(a);
}

/* By rows in memory, by columns in the matrix. */
static mat3 draw_matrix(double a[3][3]) {
    rt_vector(&stream, 1, 9, a[0]);
    return m3(v3(a[0][0], a[1][0], a[2][0]), v3(a[0][1], a[1][1], a[2][1]), v3(a[0][2], a[1][2], a[2][2]));
}

static void expect_vector(vec3 x, const double *y) {
    double a[3];
    v3_to(a, x);
    for (int i = 0; i < 3; i++) assert_true(fabs(a[i] - y[i]) < 1e-15);
#ifdef __AVX__
    assert_true(x[3] == 0); /* the fourth lane takes part in every operation */
#endif
}

static void expect_matrix(mat3 m, double a[3][3]) {
    for (int j = 0; j < 3; j++) {
        const double column[3] = {a[0][j], a[1][j], a[2][j]};
        expect_vector(j == 0 ? m.x : j == 1 ? m.y : m.z, column);
    }
}

static void vectors(void **state) {
    (void)state;
    for (int n = 0; n < 100; n++) {
        double a[3], b[3], c[3], sum[3], cross[3], more[3], back[3];
        const vec3 x = draw_vector(a), y = draw_vector(b), z = draw_vector(c);
        double dot = 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            dot += a[i] * b[i];
            sum[i] = 0.3 * a[i] + b[i];
            cross[i] = a[j] * b[k] - a[k] * b[j];
            more[i] = cross[i] + c[i];
        }
        assert_true(fabs(v3_dot(x, y) - dot) < 1e-15);
        expect_vector(v3_axpy(0.3, x, y), sum);
        expect_vector(v3_cross(x, y), cross);
        expect_vector(v3_cross_add(x, y, z), more);
        v3_to(back, x);
        expect_vector(x, back);
    }
}

static void products(void **state) {
    (void)state;
    for (int n = 0; n < 100; n++) {
        double a[3][3], b[3][3], v[3], av[3], atv[3], ab[3][3], t[3][3], outer[3][3], w[3], memory[9];
        const mat3 A = draw_matrix(a), B = draw_matrix(b);
        const vec3 x = draw_vector(v), y = draw_vector(w);
        for (int i = 0; i < 3; i++) {
            av[i] = a[i][0] * v[0] + a[i][1] * v[1] + a[i][2] * v[2];
            atv[i] = a[0][i] * v[0] + a[1][i] * v[1] + a[2][i] * v[2];
            for (int j = 0; j < 3; j++) {
                ab[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
                t[i][j] = a[j][i];
                outer[i][j] = a[i][j] - v[i] * w[j];
            }
        }
        expect_vector(m3_mulv(A, x), av);
        expect_vector(m3_tmulv(A, x), atv);
        expect_matrix(m3_mul(A, B), ab);
        expect_matrix(m3_transpose(A), t);
        expect_matrix(m3_deflate(A, x, y), outer);
        for (int i = 0; i < 3; i++) av[i] += w[i];
        expect_vector(m3_mulv_add(A, x, y), av);
        m3_to(memory, A);
        expect_matrix(m3_of(memory), a);
        assert_true(fabs(m3_trace(m3_add_diagonal(A, 2)) - (a[0][0] + a[1][1] + a[2][2] + 6)) < 4e-15);
    }
}

/* E Rz, and R S R^T with S by columns of four. */
static void turned(void **state) {
    (void)state;
    for (int n = 0; n < 100; n++) {
        double e[3][3], r[3][3], s[3][3], columns[12] = {0}, expected[3][3];
        const mat3 E = draw_matrix(e), R = draw_matrix(r);
        const double angle = rt_uniform(&stream, -4, 4), sine = sin(angle), cosine = cos(angle);
        for (int i = 0; i < 3; i++) {
            expected[i][0] = e[i][0] * cosine + e[i][1] * sine;
            expected[i][1] = e[i][1] * cosine - e[i][0] * sine;
            expected[i][2] = e[i][2];
        }
        expect_matrix(m3_turn_z(E, sine, cosine), expected);
        draw_matrix(s);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) columns[4 * j + i] = s[i][j];
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                expected[i][j] = 0;
                for (int k = 0; k < 9; k++) expected[i][j] += r[i][k / 3] * s[k / 3][k % 3] * r[j][k % 3];
            }
        }
        expect_matrix(m3_rotatep12(R, columns), expected);
    }
}

TESTS(vectors, products, turned)
