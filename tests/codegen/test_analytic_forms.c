/* The normal form: identities of trigonometry come out as equal sums, and two different programs of the same inverse
 * dynamics as the same terms. */
#include <string.h>

#include "codegen/analytic.h"
#include "codegen/traced.h"
#include "oracle/robot.h"
#include "support/run_tests.h"

/* One coordinate: inputs 0, 1, 2 are q, v, a. */
typedef struct Form {
    ziTape tape;
    ziEquations equations;
    ziEdge q, v, a;
} Form;

static void open_form(Form *f) {
    *f = (Form){0};
    assert_true(zi_tape_open(&f->tape, ZI_TAPE_RECORD));
    f->q = zi_tape_input(&f->tape, 0);
    f->v = zi_tape_input(&f->tape, 1);
    f->a = zi_tape_input(&f->tape, 2);
}

static zvStatus make(Form *f, ziEdge output) {
    zvError error = {0};
    const zvStatus status = zi_equations_make(&f->tape, 1, 1, &output, &f->equations, &error);
    if (status < 0) assert_true(strlen(error.text) > 0);
    return status;
}

static void close_form(Form *f) {
    zi_equations_free(&f->equations);
    zi_tape_close(&f->tape);
}

/* cos^2(q/2 + 0.3) - sin^2(q/2 + 0.3) = cos(q + 0.6), and the sum of the squares divides as 1 */
static void halves_and_phases(void **state) {
    (void)state;
    Form f;
    open_form(&f);
    ziTape *t = &f.tape;
    const ziEdge x = zi_tape_add(t, zi_tape_mul(t, zi_tape_constant(t, 0.5), f.q), zi_tape_constant(t, 0.3));
    const ziEdge y = zi_tape_add(t, zi_tape_mul(t, zi_tape_constant(t, -0.5), f.q), zi_tape_constant(t, -0.3));
    const ziEdge c = zi_tape_cos(t, x), s = zi_tape_sin(t, y); /* s = -sin x in disguise */
    const ziEdge cc = zi_tape_mul(t, c, c), ss = zi_tape_mul(t, s, s);
    const ziEdge difference = zi_tape_add(t, cc, zi_edge_negate(ss)), one = zi_tape_add(t, cc, ss);
    assert_int_equal(make(&f, zi_tape_div(t, difference, one)), ZV_OK);
    const ziFourier *g = f.equations.g;
    assert_int_equal(f.equations.angles.count, 1);
    assert_true(f.equations.angles.angle[0].unit == 0.5);
    assert_int_equal(g->count, 2); /* cos 0.6 cos q - sin 0.6 sin q */
    for (size_t i = 0; i < 2; i++) {
        const int8_t *key = zi_fourier_key(&f.equations.space, g, i);
        assert_int_equal(key[0], i);
        assert_int_equal(zi_key_angles(key)[0], 2);
        assert_true(fabs(g->value[i] - (i ? -sin(0.6) : cos(0.6))) < 1e-15);
    }
    close_form(&f);
}

/* (q + v) (q - v) + v^2 a^0: products of powers, what cancels is gone, what has a or v stands where it belongs */
static void powers_and_parts(void **state) {
    (void)state;
    Form f;
    open_form(&f);
    ziTape *t = &f.tape;
    const ziEdge product = zi_tape_mul(t, zi_tape_add(t, f.q, f.v), zi_tape_add(t, f.q, zi_edge_negate(f.v)));
    const ziEdge third = zi_tape_mul(t, zi_tape_constant(t, 1.0 / 3), f.a);
    ziEdge sum = zi_tape_add(t, product, zi_tape_mul(t, f.v, f.v));
    sum = zi_tape_add(t, sum, zi_tape_add(t, third, zi_tape_mul(t, zi_tape_constant(t, 2.0 / 3), f.a)));
    assert_int_equal(make(&f, zi_edge_negate(sum)), ZV_OK); /* -(q^2 + a) */
    const ziEquations *e = &f.equations;
    assert_int_equal(e->terms, 2);
    assert_int_equal(e->M[0].count, 1);
    assert_int_equal(e->c[0].count, 0);
    assert_int_equal(e->g[0].count, 1);
    assert_true(fabs(e->M[0].value[0] + 1) < 1e-15 && e->g[0].value[0] == -1);
    assert_int_equal(zi_key_exponents(&e->space, e->g[0].key)[0], 2);
    close_form(&f);
}

/* 0.1 + 0.2 - 0.3 is not zero in double, and yet there is no term. */
static void rounding_leaves_nothing(void **state) {
    (void)state;
    Form f;
    open_form(&f);
    ziTape *t = &f.tape;
    const ziEdge s = zi_tape_sin(t, f.q);
    const ziEdge one = zi_tape_mul(t, zi_tape_mul(t, zi_tape_constant(t, 0.1), s), f.v);
    const ziEdge two = zi_tape_mul(t, zi_tape_mul(t, zi_tape_constant(t, 0.2), f.v), s);
    const ziEdge three = zi_tape_mul(t, zi_tape_constant(t, 0.3), zi_tape_mul(t, s, f.v));
    assert_int_equal(make(&f, zi_tape_add(t, zi_tape_add(t, one, two), zi_edge_negate(three))), ZV_OK);
    assert_int_equal(f.equations.terms, 0);
    close_form(&f);
}

static void others_are_refused(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        Form f;
        open_form(&f);
        ziTape *t = &f.tape;
        const ziEdge s = zi_tape_sin(t, f.q);
        const ziEdge bad[] = {zi_tape_div(t, f.v, s), zi_tape_sqrt(t, f.q), zi_tape_sin(t, s),
                              zi_tape_cos(t, zi_tape_mul(t, f.q, f.q))};
        assert_int_equal(make(&f, bad[k]), ZV_NOT_SUPPORTED);
        close_form(&f);
    }
}

/* (1 + sum of sines)^2^k has too many terms soon: told at once, not after hours. */
static void growth_is_stopped(void **state) {
    (void)state;
    enum { N = 8 };
    ziTape t;
    ziEquations e;
    zvError error = {0};
    ziEdge output[N] = {0};
    assert_true(zi_tape_open(&t, ZI_TAPE_RECORD));
    ziEdge x = zi_tape_constant(&t, 1);
    for (int i = 0; i < N; i++) x = zi_tape_add(&t, x, zi_tape_sin(&t, zi_tape_input(&t, i)));
    for (int k = 0; k < 4; k++) x = zi_tape_mul(&t, x, x);
    output[0] = x;
    assert_int_equal(zi_equations_make(&t, N, N, output, &e, &error), ZV_SIZE);
    assert_non_null(strstr(error.text, "5000 terms"));
    zi_equations_free(&e);
    zi_tape_close(&t);
}

/* Frequencies of positions: programs may know angles that are in no term. */
static bool same_key(const ziEquations *x, const int8_t *a, const ziEquations *y, const int8_t *b) {
    double frequency[MAX] = {0};
    for (int k = 0; k < x->angles.count; k++)
        frequency[x->angles.angle[k].q] += zi_key_angles(a)[k] * x->angles.angle[k].unit;
    for (int k = 0; k < y->angles.count; k++)
        frequency[y->angles.angle[k].q] -= zi_key_angles(b)[k] * y->angles.angle[k].unit;
    for (int q = 0; q < x->nq; q++)
        if (frequency[q] != 0) return false;
    const size_t variables = (size_t)x->space.variables;
    return a[0] == b[0] && !memcmp(zi_key_exponents(&x->space, a), zi_key_exponents(&y->space, b), variables);
}

static void same_sum(const ziEquations *x, const ziFourier *a, const ziEquations *y, const ziFourier *b,
                     const char *what) {
    if (a->count != b->count) fail_msg("%s: %zu and %zu terms", what, a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_true(same_key(x, zi_fourier_key(&x->space, a, i), y, zi_fourier_key(&y->space, b, i)));
        if (!(fabs(a->value[i] - b->value[i]) <= 1e-12 * (a->error_scale[i] + b->error_scale[i])))
            fail_msg("%s: %.17g and %.17g", what, a->value[i], b->value[i]);
    }
}

/* The library's text and the one for generated code share no line, not even the frames of the links. */
static void two_programs_one_form(void **state) {
    (void)state;
    static const char *const files[] = {"two_link.yaml", "rrp.yaml", "scara.yaml", "puma560.yaml"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        Robot robot = open_robot(files[k]);
        ziTape one, two;
        ziEquations x, y;
        ziReduced reduced;
        zvError error = {.status = ZV_OK};
        ziEdge output[MAX];
        assert_true(zi_tape_open(&one, ZI_TAPE_RECORD) && zi_tape_open(&two, ZI_TAPE_RECORD));
        assert_true(zi_trace_method(robot.model, ZV_QUESTION_INVERSE, "newton-euler", &one, output) >= 0);
        assert_true(zi_equations_make(&one, robot.nq, robot.nv, output, &x, &error) >= 0);
        assert_true(zi_reduced_make(robot.model, -1, &reduced, &error) >= 0);
        assert_true(zi_trace_function(&reduced, ZV_GENERATED_INVERSE, &two, output) >= 0);
        assert_true(zi_equations_make(&two, robot.nq, robot.nv, output, &y, &error) >= 0);
        assert_int_equal(x.terms, y.terms);
        for (int i = 0; i < robot.nv * robot.nv; i++) same_sum(&x, &x.M[i], &y, &y.M[i], files[k]);
        for (int i = 0; i < robot.nv; i++) same_sum(&x, &x.c[i], &y, &y.c[i], files[k]);
        for (int i = 0; i < robot.nv; i++) same_sum(&x, &x.g[i], &y, &y.g[i], files[k]);
        zi_reduced_free(&reduced);
        zi_equations_free(&x);
        zi_equations_free(&y);
        zi_tape_close(&one);
        zi_tape_close(&two);
        close_robot(&robot);
    }
}

TESTS(halves_and_phases, powers_and_parts, rounding_leaves_nothing, others_are_refused, growth_is_stopped,
      two_programs_one_form)
