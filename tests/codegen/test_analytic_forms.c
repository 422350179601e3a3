/* The normal form: identities of trigonometry come out as equal sums, and two different programs of the same inverse
 * dynamics as the same terms. */
#include <string.h>

#include "codegen/analytic_equations.h"
#include "codegen/traced.h"
#include "oracle/robot.h"

/* One coordinate: inputs 0, 1, 2 are q, v, a. */
typedef struct Form {
    zvTape tape;
    zvEquations equations;
    zvEdge q, v, a;
} Form;

static void open_form(Form *f) {
    *f = (Form){0};
    assert_true(zv_tape_open(&f->tape, ZV_TAPE_RECORD));
    f->q = zv_tape_input(&f->tape, 0);
    f->v = zv_tape_input(&f->tape, 1);
    f->a = zv_tape_input(&f->tape, 2);
}

static zvStatus make(Form *f, zvEdge output) {
    zvError error = {0};
    const zvStatus status = zv_equations_make(&f->tape, 1, 1, &output, &f->equations, &error);
    if (status < 0) assert_true(strlen(error.text) > 0);
    return status;
}

static void close_form(Form *f) {
    zv_equations_free(&f->equations);
    zv_tape_close(&f->tape);
}

/* cos^2(q/2 + 0.3) - sin^2(q/2 + 0.3) = cos(q + 0.6), and the sum of the squares divides as 1 */
static void halves_and_phases(void **state) {
    (void)state;
    Form f;
    open_form(&f);
    zvTape *t = &f.tape;
    const zvEdge x = zv_tape_add(t, zv_tape_mul(t, zv_tape_constant(t, 0.5), f.q), zv_tape_constant(t, 0.3));
    const zvEdge y = zv_tape_add(t, zv_tape_mul(t, zv_tape_constant(t, -0.5), f.q), zv_tape_constant(t, -0.3));
    const zvEdge c = zv_tape_cos(t, x), s = zv_tape_sin(t, y); /* s = -sin x in disguise */
    const zvEdge cc = zv_tape_mul(t, c, c), ss = zv_tape_mul(t, s, s);
    const zvEdge difference = zv_tape_add(t, cc, zv_edge_negate(ss)), one = zv_tape_add(t, cc, ss);
    assert_int_equal(make(&f, zv_tape_div(t, difference, one)), ZV_OK);
    const zvFourier *g = f.equations.g;
    assert_int_equal(f.equations.angles.count, 1);
    assert_true(f.equations.angles.angle[0].unit == 0.5);
    assert_int_equal(g->count, 2); /* cos 0.6 cos q - sin 0.6 sin q */
    for (size_t i = 0; i < 2; i++) {
        const int8_t *key = zv_fourier_key(&f.equations.space, g, i);
        assert_int_equal(key[0], i);
        assert_int_equal(zv_key_angles(key)[0], 2);
        assert_true(fabs(g->value[i] - (i ? -sin(0.6) : cos(0.6))) < 1e-15);
    }
    close_form(&f);
}

/* (q + v) (q - v) + v^2 a^0: products of powers, what cancels is gone, what has a or v stands where it belongs */
static void powers_and_parts(void **state) {
    (void)state;
    Form f;
    open_form(&f);
    zvTape *t = &f.tape;
    const zvEdge product = zv_tape_mul(t, zv_tape_add(t, f.q, f.v), zv_tape_add(t, f.q, zv_edge_negate(f.v)));
    const zvEdge third = zv_tape_mul(t, zv_tape_constant(t, 1.0 / 3), f.a);
    zvEdge sum = zv_tape_add(t, product, zv_tape_mul(t, f.v, f.v));
    sum = zv_tape_add(t, sum, zv_tape_add(t, third, zv_tape_mul(t, zv_tape_constant(t, 2.0 / 3), f.a)));
    assert_int_equal(make(&f, zv_edge_negate(sum)), ZV_OK); /* -(q^2 + a) */
    const zvEquations *e = &f.equations;
    assert_int_equal(e->terms, 2);
    assert_int_equal(e->M[0].count, 1);
    assert_int_equal(e->c[0].count, 0);
    assert_int_equal(e->g[0].count, 1);
    assert_true(fabs(e->M[0].value[0] + 1) < 1e-15 && e->g[0].value[0] == -1);
    assert_int_equal(zv_key_exponents(&e->space, e->g[0].key)[0], 2);
    close_form(&f);
}

/* 0.1 + 0.2 - 0.3 is not zero in double, and yet there is no term. */
static void rounding_leaves_nothing(void **state) {
    (void)state;
    Form f;
    open_form(&f);
    zvTape *t = &f.tape;
    const zvEdge s = zv_tape_sin(t, f.q);
    const zvEdge one = zv_tape_mul(t, zv_tape_mul(t, zv_tape_constant(t, 0.1), s), f.v);
    const zvEdge two = zv_tape_mul(t, zv_tape_mul(t, zv_tape_constant(t, 0.2), f.v), s);
    const zvEdge three = zv_tape_mul(t, zv_tape_constant(t, 0.3), zv_tape_mul(t, s, f.v));
    assert_int_equal(make(&f, zv_tape_add(t, zv_tape_add(t, one, two), zv_edge_negate(three))), ZV_OK);
    assert_int_equal(f.equations.terms, 0);
    close_form(&f);
}

static void others_are_refused(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        Form f;
        open_form(&f);
        zvTape *t = &f.tape;
        const zvEdge s = zv_tape_sin(t, f.q);
        const zvEdge bad[] = {zv_tape_div(t, f.v, s), zv_tape_sqrt(t, f.q), zv_tape_sin(t, s),
                              zv_tape_cos(t, zv_tape_mul(t, f.q, f.q))};
        assert_int_equal(make(&f, bad[k]), ZV_NOT_SUPPORTED);
        close_form(&f);
    }
}

/* (1 + sum of sines)^2^k has too many terms soon: told at once, not after hours. */
static void growth_is_stopped(void **state) {
    (void)state;
    enum { N = 8 };
    zvTape t;
    zvEquations e;
    zvError error = {0};
    zvEdge output[N] = {0};
    assert_true(zv_tape_open(&t, ZV_TAPE_RECORD));
    zvEdge x = zv_tape_constant(&t, 1);
    for (int i = 0; i < N; i++) x = zv_tape_add(&t, x, zv_tape_sin(&t, zv_tape_input(&t, i)));
    for (int k = 0; k < 4; k++) x = zv_tape_mul(&t, x, x);
    output[0] = x;
    assert_int_equal(zv_equations_make(&t, N, N, output, &e, &error), ZV_SIZE);
    assert_non_null(strstr(error.text, "5000 terms"));
    zv_equations_free(&e);
    zv_tape_close(&t);
}

/* Frequencies of positions: programs may know angles that are in no term. */
static bool same_key(const zvEquations *x, const int8_t *a, const zvEquations *y, const int8_t *b) {
    double frequency[MAX] = {0};
    for (int k = 0; k < x->angles.count; k++)
        frequency[x->angles.angle[k].q] += zv_key_angles(a)[k] * x->angles.angle[k].unit;
    for (int k = 0; k < y->angles.count; k++)
        frequency[y->angles.angle[k].q] -= zv_key_angles(b)[k] * y->angles.angle[k].unit;
    for (int q = 0; q < x->nq; q++)
        if (frequency[q] != 0) return false;
    const size_t variables = (size_t)x->space.variables;
    return a[0] == b[0] && !memcmp(zv_key_exponents(&x->space, a), zv_key_exponents(&y->space, b), variables);
}

static void same_sum(const zvEquations *x, const zvFourier *a, const zvEquations *y, const zvFourier *b,
                     const char *what) {
    if (a->count != b->count) fail_msg("%s: %zu and %zu terms", what, a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(same_key(x, zv_fourier_key(&x->space, a, i), y, zv_fourier_key(&y->space, b, i)));
        if (!(fabs(a->value[i] - b->value[i]) <= 1e-12 * (a->gross[i] + b->gross[i])))
            fail_msg("%s: %.17g and %.17g", what, a->value[i], b->value[i]);
    }
}

/* The library's text and the one for generated code share no line, not even the frames of the links. */
static void two_programs_one_form(void **state) {
    (void)state;
    static const char *const files[] = {"two_link.yaml", "rrp.yaml", "scara.yaml", "puma560.yaml"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        Robot robot = open_robot(files[k]);
        zvTape one, two;
        zvEquations x, y;
        zvLean lean;
        zvError error = {.status = ZV_OK};
        zvEdge output[MAX];
        assert_true(zv_tape_open(&one, ZV_TAPE_RECORD) && zv_tape_open(&two, ZV_TAPE_RECORD));
        assert_true(zv_trace_method(robot.model, "inverse", "newton-euler", &one, output) >= 0);
        assert_true(zv_equations_make(&one, robot.nq, robot.nv, output, &x, &error) >= 0);
        assert_true(zv_lean_make(robot.model, -1, &lean, &error) >= 0);
        assert_true(zv_trace_function(&lean, ZV_GENERATE_INVERSE, &two, output) >= 0);
        assert_true(zv_equations_make(&two, robot.nq, robot.nv, output, &y, &error) >= 0);
        assert_int_equal(x.terms, y.terms);
        for (int i = 0; i < robot.nv * robot.nv; i++) same_sum(&x, &x.M[i], &y, &y.M[i], files[k]);
        for (int i = 0; i < robot.nv; i++) same_sum(&x, &x.c[i], &y, &y.c[i], files[k]);
        for (int i = 0; i < robot.nv; i++) same_sum(&x, &x.g[i], &y, &y.g[i], files[k]);
        zv_lean_free(&lean);
        zv_equations_free(&x);
        zv_equations_free(&y);
        zv_tape_close(&one);
        zv_tape_close(&two);
        close_robot(&robot);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_and_phases),       cmocka_unit_test(powers_and_parts),
        cmocka_unit_test(rounding_leaves_nothing), cmocka_unit_test(others_are_refused),
        cmocka_unit_test(growth_is_stopped),       cmocka_unit_test(two_programs_one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
