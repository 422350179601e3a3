/* Equations in letters: with the numbers of another robot for the letters they are that robot's, as the engine has it;
 * loops are those of the engine; and what is refused. */
#include "codegen/analytic.h"

#include <stdlib.h>
#include <string.h>

#include "oracle/robot.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static const char directory[] = ZV_BINARY_DIR "/letters_refused";

/* Equations and where they are looked at. */
typedef struct Derived {
    const zvModel *model;
    ziLetters letters;
    ziEquations e;
    double *angle, *variable;
} Derived;

static void derive(Derived *x, const zvModel *model, const char *symbols, bool origin) {
    const zvCodegenOptions options = {.language = ZV_LANGUAGE_MAXIMA, .passive = true, .frame = -1};
    zvError error = {0};
    *x = (Derived){.model = model};
    if (zi_letters_make(model, symbols, origin, -1, &x->letters, &error) < 0) fail_msg("%s", error.text);
    if (zi_equations_derive(model, &options, &x->letters, &x->e, &error) < 0) fail_msg("%s", error.text);
    if (zi_equations_reduce(model, &x->e, NULL, &error) < 0) fail_msg("%s", error.text);
    x->angle = calloc((size_t)x->e.angles.count + 1, sizeof(double));
    x->variable = calloc((size_t)x->e.space.variables + 1, sizeof(double));
    assert_true(x->angle && x->variable);
}

static void forget(Derived *x) {
    free(x->angle);
    free(x->variable);
    zi_equations_free(&x->e);
    zi_letters_free(&x->letters);
}

/* The letters take the values of `values`, whose letters are the same. */
static void place(Derived *x, const ziLetters *values, const double *q, const double *v) {
    const int n = x->e.nv;
    for (int i = 0; i < n; i++) x->variable[i] = q[i], x->variable[n + i] = v[i];
    for (int k = 0; k < x->e.angles.count; k++) x->angle[k] = x->e.angles.angle[k].unit * q[x->e.angles.angle[k].q];
    assert_int_equal(values->count, x->letters.count);
    for (int i = 0; i < values->count; i++) {
        assert_string_equal(values->letter[i].name, x->letters.letter[i].name);
        if (x->letters.letter[i].chosen) x->variable[3 * n + x->letters.letter[i].input] = values->letter[i].value;
    }
}

static double at(const Derived *x, const ziFourier *sum) {
    return zi_fourier_value(&x->e.space, sum, x->angle, x->variable);
}

static double mass_at(const Derived *x, int i, int j) {
    return at(x, &x->e.M[i < j ? i * x->e.nv + j : j * x->e.nv + i]);
}

static void draw(rtRandom *random, int n, double *x) {
    for (int i = 0; i < n; i++) x[i] = rt_uniform(random, -2, 2);
}

/* Forces and passive forces of the equations beside those of the model whose numbers they have. */
static void compare_engine(Derived *x, const ziLetters *values, const zvModel *model, uint64_t seed) {
    zvWork *work = zv_work_create(model, NULL);
    const int n = zv_model_nv(model);
    double q[MAX], v[MAX], a[MAX], want[MAX], spring[MAX], viscous[MAX], dry[MAX];
    rtRandom random = {seed};
    assert_true(work && n <= MAX);
    draw(&random, n, q), draw(&random, n, v), draw(&random, n, a);
    place(x, values, q, v);
    zv_inverse_dynamics(model, work, q, v, a, NULL, want);
    zv_passive_forces(model, work, q, v, 0, spring, viscous, dry);
    near_about("seed %llu", (unsigned long long)seed);
    for (int i = 0; i < n; i++) {
        double tau = at(x, &x->e.c[i]) + at(x, &x->e.g[i]), scale = 1;
        for (int j = 0; j < n; j++) {
            tau += mass_at(x, i, j) * a[j];
            scale += fabs(mass_at(x, i, j) * a[j]);
        }
        assert_near(tau, want[i], 1e-11 * (scale + fabs(want[i])));
        assert_close(at(x, &x->e.passive[i]), spring[i] + viscous[i], 1e-12);
        assert_close(-at(x, &x->e.dry[i]) * copysign(1, v[i]), dry[i], 1e-12);
    }
    zv_work_destroy(work);
}

/* Other numbers where there are some; what is zero stays zero. */
static void change_tree(rtTree *tree, rtRandom *random) {
    for (int i = 0; i < tree->nlink; i++) {
        zvInertia *inertia = &tree->links[i].inertia;
        const double s = rt_uniform(random, 0.5, 2), t = rt_uniform(random, 0.5, 2);
        inertia->mass *= s;
        for (int k = 0; k < 3; k++) inertia->com[k] *= t;
        for (int k = 0; k < 6; k++) inertia->moment[k] *= s * t;
    }
    for (int j = 0; j < tree->njoint; j++) {
        for (int k = 0; k < 3; k++) tree->joints[j].origin.p[k] *= rt_uniform(random, 0.5, 2);
        for (int k = 0; k < ZV_MAX_DOF; k++) {
            zvDof *d = &tree->joints[j].dof[k];
            d->armature *= rt_uniform(random, 0.5, 2);
            d->stiffness *= rt_uniform(random, 0.5, 2), d->rest *= rt_uniform(random, 0.5, 2);
            d->damping *= rt_uniform(random, 0.5, 2), d->friction *= rt_uniform(random, 0.5, 2);
        }
    }
}

/* Joints of one freedom about and along coordinate axes: letters of arms at any angle are many thousand terms. */
static void give_passive(rtTree *tree, rtRandom *random) {
    static const double steps[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                       {1, 0, 0, 0, 0, -1, 0, 1, 0},
                                       {0, 0, 1, 0, 1, 0, -1, 0, 0},
                                       {0, -1, 0, 1, 0, 0, 0, 0, 1}};
    for (int j = 0; j < tree->njoint; j++) {
        zvJoint *joint = &tree->joints[j];
        memcpy(joint->origin.R, steps[(j + (int)(tree->seed % 4)) % 4], sizeof joint->origin.R);
        for (int k = 0; k < 3; k++) joint->axis[k] = k == (j + (int)tree->seed) % 3;
        joint->dof[0].stiffness = rt_uniform(random, 1, 5), joint->dof[0].rest = rt_uniform(random, 0.1, 1);
        joint->dof[0].damping = rt_uniform(random, 1, 5), joint->dof[0].friction = rt_uniform(random, 1, 5);
    }
}

static void letters_take_any_numbers(void **state) {
    (void)state;
    enum { TREES = 12, OTHERS = 9 };
    for (int k = 0; k < TREES; k++) {
        rtOptions options = rt_options_default(2 + k % 2);
        options.types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC) | RT_TYPE(HELICAL);
        options.frames = 0;
        rtTree *tree = rt_tree_create(8100 + (uint64_t)k, &options);
        rtRandom random = {9100 + (uint64_t)k};
        give_passive(tree, &random);
        zvModel *model = rt_tree_freeze(tree);
        Derived x;
        assert_non_null(model);
        derive(&x, model, "all", k % 2);
        assert_true(x.letters.chosen > 8);
        for (int i = 0; i < OTHERS; i++) {
            ziLetters values;
            change_tree(tree, &random);
            zvModel *other = rt_tree_freeze(tree);
            assert_non_null(other);
            assert_true(zi_letters_make(other, "all", k % 2, -1, &values, NULL) >= 0);
            compare_engine(&x, &values, other, 100 * (uint64_t)k + (uint64_t)i);
            zi_letters_free(&values);
            zv_model_destroy(other);
        }
        forget(&x);
        zv_model_destroy(model);
        free(tree);
    }
}

/* A plate on springs and dampers of these matrices (xx, xy, xz, yy, yz, zz), beside those of single freedoms. */
static Robot plate_on(const double springs[6], const double dampers[6], double rest) {
    static const int entry[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double K[9], D[9];
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), plate = zv_link_default("plate");
    zvJoint joint = zv_joint_default("mount", ZV_JOINT_PLANAR, "base", "plate");
    for (int i = 0; i < 9; i++) K[i] = springs[entry[i]], D[i] = dampers[entry[i]];
    plate.inertia = (zvInertia){.mass = 2, .com = {0.1, 0.2, 0}, .moment = {0.2, 0, 0, 0.2, 0, 0.3}};
    joint.stiffness_matrix = K, joint.damping_matrix = D;
    joint.dof[0].rest = -rest, joint.dof[1].rest = rest, joint.dof[1].stiffness = 7, joint.dof[2].friction = 0.4;
    assert_true(zv_builder_add_link(b, &base, NULL) >= 0 && zv_builder_add_link(b, &plate, NULL) >= 0);
    assert_true(zv_builder_add_joint(b, &joint, NULL) >= 0);
    return robot_from(b);
}

/* Full matrices have a letter for each entry of the upper half: equations of one plate with the numbers of another. */
static void matrices_of_springs(void **state) {
    (void)state;
    Robot plate = plate_on((const double[]){40, 5, 2, 30, 1, 8}, (const double[]){3, 1, 0, 2, 0.5, 1}, 0.3);
    Robot other = plate_on((const double[]){70, -9, 3, 50, 4, 6}, (const double[]){5, -2, 0, 4, 0.7, 2}, 0.8);
    Derived x, numbers;
    derive(&x, plate.model, "all", false);
    derive(&numbers, other.model, "all", false);
    for (uint64_t seed = 77; seed < 80; seed++) {
        compare_engine(&x, &x.letters, plate.model, seed);
        compare_engine(&x, &numbers.letters, other.model, seed);
    }
    const ziLetter *coupling = zi_letter_of(&x.letters, ZI_LETTER_SPRINGS, 0, zi_matrix_entry(1, 0));
    assert_non_null(coupling);
    assert_string_equal(coupling->name, "k1_2");
    assert_null(zi_letter_of(&x.letters, ZI_LETTER_DAMPERS, 0, zi_matrix_entry(0, 2))); /* zero: no letter */
    forget(&x);
    derive(&x, plate.model, "k", false); /* a sort: dampers stay numbers */
    assert_int_equal(x.letters.chosen, 7);
    compare_engine(&x, &x.letters, plate.model, 81);
    forget(&x), forget(&numbers);
    close_robot(&plate), close_robot(&other);
}

/* The rotor of a flexible joint is no longer part of the mass matrix; that of the others is. */
static void rotors_of_flexible_joints(void **state) {
    (void)state;
    zvBuilder *b = zv_builder_create(NULL);
    Robot robot = open_robot("two_link.yaml");
    for (int i = 0; i < 3; i++) assert_true(zv_builder_add_link(b, zv_model_link(robot.model, i), NULL) >= 0);
    for (int i = 0; i < 2; i++) {
        zvJoint joint = *zv_model_joint(robot.model, i);
        joint.dof[0].armature = 0.5 + i;
        assert_true(zv_builder_add_joint(b, &joint, NULL) >= 0);
    }
    Robot geared = robot_from(b);
    const unsigned char flexible[2] = {0, 1};
    const double q[2] = {0.2, 0.7}, v[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const zvCodegenOptions options = {.frame = -1, .flexible = k ? flexible : NULL};
        zvError error = {0};
        double bare[4];
        Derived x = {.model = geared.model};
        assert_true(zi_equations_derive(geared.model, &options, &x.letters, &x.e, &error) >= 0);
        x.angle = calloc((size_t)x.e.angles.count + 1, sizeof(double));
        x.variable = calloc((size_t)x.e.space.variables + 1, sizeof(double));
        assert_true(x.angle && x.variable);
        place(&x, &x.letters, q, v);
        zv_mass_matrix(robot.model, robot.work, q, bare);
        assert_close(mass_at(&x, 0, 0), bare[0] + 0.5, 1e-13);
        assert_close(mass_at(&x, 0, 1), bare[1], 1e-13);
        assert_close(mass_at(&x, 1, 1), bare[3] + (k ? 0 : 1.5), 1e-13);
        forget(&x);
    }
    close_robot(&geared);
    close_robot(&robot);
}

/* -- loops ------------------------------------------------------------------------------------------------------ */

/* A closed state of the tree and, behind it, the arc lengths of loops along curves with their rates. */
static void closed_state(const zvModel *model, zvWork *work, uint64_t seed, double *q, double *v) {
    rtRandom random = {seed};
    const int n = zv_model_nv(model);
    double gap = 1;
    for (int tries = 0; gap > 1e-12 && tries < 200; tries++) {
        draw(&random, n, q), draw(&random, n, v);
        if (zv_close_position(model, work, NULL, NULL, q, &gap) < 0) gap = 1;
    }
    assert_true(gap <= 1e-12);
    assert_true(zv_close_velocity(model, work, NULL, q, NULL, v, NULL) >= 0);
    for (int r = 0, k = n; r < zv_model_nloop(model); r++) {
        if (zv_model_loop(model, r)->type != ZV_JOINT_CURVE) continue;
        zv_loop_coordinates(model, work, q, v, r, &q[k], &v[k]);
        k++;
    }
}

/* What is left of G a + gamma when arc lengths accelerate as fits best: at most one. */
static double left_of(const double *G, const double *gamma, double *a, int rows, int n, int tree) {
    double left = 0, along = 0, square = 0;
    for (int pass = 0; pass < 2; pass++) {
        left = along = square = 0;
        for (int r = 0; r < rows; r++) {
            double x = gamma[r];
            for (int j = 0; j < n; j++) x += G[r * n + j] * a[j];
            left = fmax(left, fabs(x));
            if (n == tree) continue;
            along += G[r * n + tree] * x;
            square += G[r * n + tree] * G[r * n + tree];
        }
        if (n > tree) a[tree] -= pass ? 0 : along / square;
    }
    return left;
}

/* Gaps and rates vanish where the engine has closed them, c = C v, and the engine's accelerations are those of the
 * equations: loops accelerate with them, and what is left of the forces does no work on P. */
static void compare_loops(Derived *x, uint64_t seed) {
    const zvModel *model = x->model;
    zvWork *work = zv_work_create(model, NULL);
    const int n = x->e.nv, rows = x->e.rows, tree = zv_model_nv(model);
    double q[MAX] = {0}, v[MAX] = {0}, a[MAX] = {0}, tau[MAX] = {0}, G[MAX * MAX], gamma[MAX], force[MAX];
    rtRandom random = {seed};
    assert_true(work && n <= MAX);
    closed_state(model, work, seed, q, v);
    draw(&random, tree, tau);
    assert_true(zv_closed_forward_dynamics(model, work, NULL, q, v, tau, NULL, a, NULL) >= 0);
    place(x, &x->letters, q, v);
    near_about("seed %llu", (unsigned long long)seed);
    double speed = 1;
    for (int j = 0; j < n; j++) speed = fmax(speed, fmax(fabs(a[j]), v[j] * v[j]));
    for (int r = 0; r < rows; r++) {
        double rate = 0;
        for (int j = 0; j < n; j++) rate += (G[r * n + j] = at(x, &x->e.G[r * n + j])) * v[j];
        gamma[r] = at(x, &x->e.gamma[r]);
        assert_near(at(x, &x->e.gap[r]), 0, 1e-11);
        assert_near(rate, 0, 1e-10 * speed);
    }
    assert_near(left_of(G, gamma, a, rows, n, tree), 0, 1e-9 * speed);
    for (int i = 0; i < n; i++) {
        double Cv = 0;
        force[i] = at(x, &x->e.c[i]) + at(x, &x->e.g[i]) - (i < tree ? tau[i] : 0);
        for (int j = 0; j < n; j++) force[i] += mass_at(x, i, j) * a[j];
        for (int j = 0; j < n; j++) Cv += at(x, &x->e.C[i * n + j]) * v[j];
        assert_close(Cv, at(x, &x->e.c[i]), 1e-12 * speed);
    }
    const double Delta = at(x, &x->e.Delta);
    for (int i = 0; i < x->e.independents; i++) {
        double power = force[x->e.independent[i]] * Delta, scale = fabs(power) + 1;
        for (int k = 0; k < rows; k++) {
            const double part = at(x, &x->e.Num[k * x->e.independents + i]) * force[x->e.dependent[k]];
            power += part;
            scale += fabs(part);
        }
        assert_near(power, 0, 1e-9 * scale * speed);
    }
    zv_work_destroy(work);
}

static void loops_are_those_of_the_engine(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int rows;
    } robots[] = {{"five_bar.yaml", 2}, {"parallelogram.yaml", 2}, {"rrp_rail.yaml", 3}};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++)
        for (int letters = 0; letters < 2; letters++) {
            Robot robot = open_robot(robots[i].file);
            Derived x;
            derive(&x, robot.model, letters ? "all" : NULL, false);
            assert_int_equal(x.e.rows, robots[i].rows);
            assert_true(x.e.Delta.count > 0);
            for (int k = 0; k < 5; k++) compare_loops(&x, 300 + 10 * i + (uint64_t)k);
            forget(&x);
            close_robot(&robot);
        }
}

static void independent_as_wanted(void **state) {
    (void)state;
    Robot robot = open_robot("five_bar.yaml");
    Derived x;
    zvError error = {0};
    derive(&x, robot.model, "all", false);
    assert_int_equal(x.e.independents, 2);
    assert_int_equal(x.e.independent[0], 0);
    assert_int_equal(x.e.independent[1], 2); /* the motors */
    forget(&x);
    const zvCodegenOptions options = {.frame = -1};
    for (int wanted = 0; wanted < 2; wanted++) {
        const unsigned char good[] = {1, 1, 0, 0}, few[] = {1, 0, 0, 0};
        ziEquations e;
        assert_true(zi_equations_derive(robot.model, &options, &(ziLetters){0}, &e, &error) >= 0);
        const zvStatus status = zi_equations_reduce(robot.model, &e, wanted ? good : few, &error);
        assert_int_equal(status, wanted ? ZV_OK : ZV_SINGULAR);
        if (wanted) assert_int_equal(e.independent[1], 1);
        if (!wanted) assert_non_null(strstr(error.text, "expected 2 independent coordinates"));
        zi_equations_free(&e);
    }
    close_robot(&robot);
}

/* -- squares ---------------------------------------------------------------------------------------------------- */

static double squared_value(const Derived *x, const ziFourier *sum) {
    const ziFourierSpace *s = &x->e.space;
    double value = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const int8_t *key = zi_fourier_key(s, sum, i), *power = zi_key_exponents(s, key);
        double angle = 0, term = sum->value[i];
        for (int k = 0; k < s->angles; k++) angle += zi_key_angles(key)[k] * x->angle[k];
        for (int k = 0; k < s->variables; k++) term *= pow(x->variable[k], power[k]);
        const double c = cos(angle / 2), sn = sin(angle / 2);
        const double turn[] = {cos(angle), sin(angle), c * c, sn * sn, sn * c};
        value += term * turn[key[0]];
    }
    return value;
}

/* [Liu] (46a) has squares, and no double angle is left of them. */
static void squares_have_the_same_value(void **state) {
    (void)state;
    Robot robot = open_robot("rrp.yaml");
    Derived x;
    const double q[3] = {0.3, 0.8, 1.1}, v[3] = {-0.7, 0.4, 0.9};
    derive(&x, robot.model, "all", true);
    place(&x, &x.letters, q, v);
    for (int i = 0; i < 3; i++) {
        const double before = at(&x, &x.e.c[i]), inertia = at(&x, &x.e.M[4 * i]);
        zi_fourier_square(&x.e.space, &x.e.c[i]);
        zi_fourier_square(&x.e.space, &x.e.M[4 * i]);
        assert_close(squared_value(&x, &x.e.c[i]), before, 1e-14);
        assert_close(squared_value(&x, &x.e.M[4 * i]), inertia, 1e-14);
    }
    for (size_t i = 0; i < x.e.M[0].count; i++) {
        const int8_t kind = zi_fourier_key(&x.e.space, &x.e.M[0], i)[0];
        assert_true(kind == ZI_TURN_COS || kind == ZI_TURN_COS_SQUARE || kind == ZI_TURN_SIN_SQUARE);
        if (kind == ZI_TURN_COS) assert_false(zi_key_angles(zi_fourier_key(&x.e.space, &x.e.M[0], i))[1]);
    }
    forget(&x);
    close_robot(&robot);
}

/* -- what is refused -------------------------------------------------------------------------------------------- */

static void names_that_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *symbols;
        const char *words;
    } bad[] = {
        {"m1,m22", "found \"m22\"; did you mean \"m2\"?"},
        {"stiff", "this robot has m1, m2"},
        {"", "expected all or parameters parted by commas"},
        {"m1,,m2", "expected all or parameters parted by commas"},
        {"m=k", "expected one parameter for the letter \"k\", found 2"},
        {"m1=x,l1=x", "found \"x\", which is the"},
        {"m1=l1,l1", "found \"l1\", which is the"},
        {"m1=q2", "which the equations have for something else"},
        {"m1=M", "which the equations have for something else"},
        {"m1=lambda", "which the equations have for something else"},
        {"m1=yield", "which the equations have for something else"},
        {"m1=thru", "which the equations have for something else"},
        {"m1=2m", "expected a letter with digits"},
        {"m1=", "expected a letter with digits"},
        {"m1=m-1", "expected a letter with digits"},
        {"k1", "found \"k1\""}, /* without springs there is none */
    };
    Robot robot = open_robot("two_link.yaml");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const zvCodegenOptions options = {.name = "refused", .language = ZV_LANGUAGE_SYMPY, .symbols = bad[i].symbols};
        zvError error = {0};
        zvCodegenSummary summary;
        assert_int_equal(zi_generate_analytic(robot.model, &options, directory, &summary, &error), ZV_NAME);
        if (!strstr(error.text, bad[i].words)) fail_msg("%s: %s", bad[i].symbols, error.text);
        assert_int_equal(summary.file_count, 0);
    }
    close_robot(&robot);
}

static void names_in_latex(void **state) {
    (void)state;
    static const char *const names[][2] = {{"m1", "m_{1}"},       {"lc2x", "l_{c2x}"},   {"g0", "g"},
                                           {"g0x", "g_{0x}"},     {"rho2", "\\rho_{2}"}, {"J1zz", "J_{1zz}"},
                                           {"eta", "\\eta"},      {"a_b", "a_{b}"},      {"theta_1", "\\theta_{1}"},
                                           {"etale", "e_{tale}"}, {"k1_2", "k_{1,2}"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[2 * ZI_LETTER_SIZE];
        zi_letter_latex(names[i][0], text, sizeof text);
        assert_string_equal(text, names[i][1]);
    }
}

TESTS(letters_take_any_numbers, matrices_of_springs, rotors_of_flexible_joints, loops_are_those_of_the_engine,
      independent_as_wanted, squares_have_the_same_value, names_that_are_refused, names_in_latex)
