/* Equations of motion in analytic form: what the files say, read back and evaluated, is what the library computes; and
 * for the arm of two links it is the textbook's formula, term by term. */
#include "codegen/analytic.h"
#include "codegen/analytic_reader.h"
#include "oracle/robot.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

static const char directory[] = ZV_BINARY_DIR "/analytic";

/* The text of DIRECTORY/NAME ENDING; freed by the caller. */
static char *read_text(const char *name, const char *ending) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", directory, name, ending);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static char *generate(const zvModel *model, const char *name, zvLanguage language, zvCodegenSummary *summary) {
    const zvCodegenOptions options = {.name = name, .language = language};
    zvError error = {0};
    if (zi_generate_analytic(model, &options, directory, summary, &error) < 0) fail_msg("%s: %s", name, error.text);
    assert_int_equal(summary->file_count, 1);
    char *text = read_text(name, language == ZV_LANGUAGE_LATEX ? ".tex" : ".mac");
    assert_int_equal(summary->bytes, strlen(text));
    return text;
}

/* tau of a text at a state. Terms count with their sizes: their sum is what 1e-12 is measured by. */
static bool evaluate(const char *text, int n, const double *q, const double *v, const double *a, double *tau,
                     double *scale) {
    double M[MAX * MAX], S[MAX * MAX], c[MAX], cs[MAX], g[MAX], gs[MAX];
    if (!read_matrix(text, "M", q, v, a, n, n, n, M, S) || !read_matrix(text, "c", q, v, a, n, n, 1, c, cs) ||
        !read_matrix(text, "g", q, v, a, n, n, 1, g, gs))
        return false;
    for (int i = 0; i < n; i++) {
        tau[i] = c[i] + g[i];
        scale[i] = cs[i] + gs[i];
        for (int j = 0; j < n; j++) {
            tau[i] += M[i * n + j] * a[j];
            scale[i] += S[i * n + j] * fabs(a[j]);
        }
    }
    return true;
}

static void compare_states(const zvModel *model, const char *text, uint64_t seed) {
    enum { STATES = 5 };
    zvWork *work = zv_work_create(model, NULL);
    const int n = zv_model_nv(model);
    rtRandom random = {seed};
    assert_non_null(work);
    assert_true(n <= MAX && zv_model_nq(model) == n);
    for (int k = 0; k < STATES; k++) {
        double q[MAX], v[MAX], a[MAX], want[MAX], tau[MAX], scale[MAX];
        for (int i = 0; i < n; i++) {
            q[i] = rt_uniform(&random, -3, 3);
            v[i] = rt_uniform(&random, -2, 2);
            a[i] = rt_uniform(&random, -2, 2);
        }
        zv_inverse_dynamics(model, work, q, v, a, NULL, want);
        if (!evaluate(text, n, q, v, a, tau, scale)) fail_msg("not readable:\n%s", text);
        for (int i = 0; i < n; i++)
            if (!(fabs(tau[i] - want[i]) <= 1e-12 * (1e-6 + scale[i])))
                fail_msg("seed %llu, tau %d is %.17g, not %.17g:\n%s", (unsigned long long)seed, i + 1, tau[i], want[i],
                         text);
    }
    zv_work_destroy(work);
}

static void check_model(const zvModel *model, const char *name, uint64_t seed) {
    zvCodegenSummary summary;
    char *text = generate(model, name, ZV_LANGUAGE_MAXIMA, &summary);
    assert_true(summary.function[ZV_GENERATED_INVERSE].statements > 0);
    assert_non_null(strstr(text, "\ntau: M . matrix([a1]"));
    assert_non_null(strstr(text, ") + c + g;\n"));
    compare_states(model, text, seed);
    free(text);
}

static void robots_of_the_library(void **state) {
    (void)state;
    static const char *const files[] = {"two_link", "scara", "rrp", "double_pendulum", "puma560", "ssrms7"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[64];
        snprintf(file, sizeof file, "%s.yaml", files[i]);
        Robot robot = open_robot(file);
        check_model(robot.model, files[i], 700 + i);
        close_robot(&robot);
    }
}

/* Arms with axes and offsets at random, and every kind of joint that has angles and lengths; some with joints that
 * follow others. */
static void random_arms(void **state) {
    (void)state;
    enum { ARMS = 40 };
    for (int k = 0; k < ARMS; k++) {
        rtOptions options = rt_options_default(2 + k % 2);
        options.types = RT_TYPE(REVOLUTE) | RT_TYPE(CONTINUOUS) | RT_TYPE(PRISMATIC);
        options.frames = 0;
        if (k % 4 == 3) {
            options.joints = 2;
            options.types |=
                RT_TYPE(HELICAL) | RT_TYPE(CYLINDRICAL) | RT_TYPE(PLANAR) | RT_TYPE(UNIVERSAL) | RT_TYPE(CURVE);
            options.curves = RT_LINE | RT_CIRCLE;
        }
        if (k % 4 == 1) options.mimics = 1, options.coupled = true;
        const uint64_t seed = 4100 + (uint64_t)k;
        rtTree *tree = rt_tree_create(seed, &options);
        zvModel *model = rt_tree_freeze(tree);
        assert_non_null(model);
        check_model(model, "random", seed);
        zv_model_destroy(model);
        free(tree);
    }
}

/* -- the arm of two links --------------------------------------------------------------------------------------- */

/* Counts of "cos(" or "sin(" in an assignment, up to its end. */
static int count_in(const char *text, const char *name, const char *word) {
    const char *at = find_assignment(text, name), *end = at ? strchr(at, ';') : NULL;
    int count = 0;
    assert_non_null(end);
    while ((at = strstr(at, word)) && at < end) count++, at++;
    return count;
}

/* The numbers of the textbook from those of the file: lengths, masses, centres of mass along the links, moments. */
typedef struct Textbook {
    double constant, couple, alone; /* M11 = constant + 2 couple cos q2, M12 = alone + couple cos q2, M22 = alone */
    double first, second;           /* g1 = first cos q1 + second cos(q1 + q2), g2 = second cos(q1 + q2) */
} Textbook;

static Textbook textbook(const zvModel *model) {
    const zvInertia *one = &zv_model_link(model, zv_model_joint_place(model, 0).child)->inertia;
    const zvInertia *two = &zv_model_link(model, zv_model_joint_place(model, 1).child)->inertia;
    const double l1 = 0.5, r1 = 0.25, r2 = 0.2, g = 9.81; /* of models/two_link.yaml */
    const double m1 = 6, m2 = 4, J1 = one->moment[5], J2 = two->moment[5];
    return (Textbook){.constant = J1 + m1 * r1 * r1 + J2 + m2 * (l1 * l1 + r2 * r2),
                      .couple = m2 * l1 * r2,
                      .alone = J2 + m2 * r2 * r2,
                      .first = (m1 * r1 + m2 * l1) * g,
                      .second = m2 * r2 * g};
}

/* Coefficients come out by evaluation where the other terms vanish. */
static void two_links_as_in_textbooks(void **state) {
    (void)state;
    Robot robot = open_robot("two_link.yaml");
    const Textbook t = textbook(robot.model);
    zvCodegenSummary summary;
    char *text = generate(robot.model, "two_link", ZV_LANGUAGE_MAXIMA, &summary);
    /* M11 two terms, M12 two, M22 one; c1 and c2 one sine each with v1 v2, v2^2 and v1^2; g1 two cosines, g2 one */
    assert_int_equal(count_in(text, "M", "cos("), 3);
    assert_int_equal(count_in(text, "M", "sin("), 0);
    assert_int_equal(count_in(text, "M", "+"), 3);
    assert_int_equal(count_in(text, "M", "-"), 0);
    assert_int_equal(count_in(text, "c", "sin(q2)"), 2);
    assert_int_equal(count_in(text, "c", "sin("), 2);
    assert_int_equal(count_in(text, "c", "cos("), 0);
    assert_int_equal(count_in(text, "c", "+"), 1);
    assert_int_equal(count_in(text, "g", "cos("), 3);
    assert_int_equal(count_in(text, "g", "sin("), 0);
    assert_non_null(strstr(text, "[-0.4*sin(q2)*(2*v1*v2 + v2^2)]"));
    assert_non_null(strstr(text, "[0.4*sin(q2)*v1^2]"));
    assert_int_equal(summary.function[ZV_GENERATED_INVERSE].statements, 8 + 5); /* multiplied out */
    const double pi = acos(-1), zero[2] = {0, 0}, folded[2] = {0, pi}, up[2] = {pi / 2, -pi / 2}, v[2] = {0.3, 0.7};
    double M[4], c[2], g[2];
    assert_true(read_matrix(text, "M", zero, zero, zero, 2, 2, 2, M, NULL));
    assert_close(M[0], t.constant + 2 * t.couple, 1e-13);
    assert_close(M[1], t.alone + t.couple, 1e-13);
    assert_close(M[2], M[1], 1e-13);
    assert_close(M[3], t.alone, 1e-13);
    assert_true(read_matrix(text, "M", folded, zero, zero, 2, 2, 2, M, NULL));
    assert_close(M[0], t.constant - 2 * t.couple, 1e-13);
    assert_close(M[1], t.alone - t.couple, 1e-13);
    assert_close(M[3], t.alone, 1e-13);
    assert_true(read_matrix(text, "c", up, v, zero, 2, 2, 1, c, NULL));
    assert_close(c[0], t.couple * (2 * v[0] * v[1] + v[1] * v[1]), 1e-13);
    assert_close(c[1], -t.couple * v[0] * v[0], 1e-13);
    assert_true(read_matrix(text, "g", up, v, zero, 2, 2, 1, g, NULL));
    assert_close(g[0], t.second, 1e-13);
    assert_close(g[1], t.second, 1e-13);
    assert_true(read_matrix(text, "g", zero, v, zero, 2, 2, 1, g, NULL));
    assert_close(g[0], t.first + t.second, 1e-13);
    free(text);
    close_robot(&robot);
}

/* -- LaTeX ------------------------------------------------------------------------------------------------------ */

/* Braces and environments close in the order they were opened; signs that LaTeX acts on are where they belong. */
static void check_balance(const char *text) {
    enum { DEEP = 16 };
    const char *open[DEEP];
    int braces = 0, environments = 0, tabs = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '\\' && c[1] && !isalpha((unsigned char)c[1])) {
            tabs = c[1] == '\\' ? 0 : tabs;
            c++;
            continue;
        }
        braces += *c == '{' ? 1 : *c == '}' ? -1 : 0;
        assert_true(braces >= 0);
        if (*c == '&') assert_true(++tabs <= 4 && environments == 2);
        if (!strncmp(c, "\\begin{", 7)) {
            assert_true(environments < DEEP);
            open[environments++] = c + 7;
        }
        if (!strncmp(c, "\\end{", 5)) {
            assert_true(environments > 0);
            const char *name = open[--environments];
            const size_t length = strcspn(name, "}") + 1;
            assert_memory_equal(name, c + 5, length);
            tabs = 0;
        }
    }
    assert_int_equal(braces, 0);
    assert_int_equal(environments, 0);
}

static void documents_are_balanced(void **state) {
    (void)state;
    static const char *const files[] = {"two_link", "scara", "rrp"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[64];
        zvCodegenSummary summary;
        snprintf(file, sizeof file, "%s.yaml", files[i]);
        Robot robot = open_robot(file);
        char *text = generate(robot.model, files[i], ZV_LANGUAGE_LATEX, &summary);
        check_balance(text);
        assert_ptr_equal(strstr(text, "\\documentclass"), strchr(text, '\n') + 1);
        assert_non_null(strstr(text, "\\tau = M(q)\\,\\ddot q + c(q, \\dot q) + g(q)"));
        free(text);
        close_robot(&robot);
    }
}

static void two_links_read_well(void **state) {
    (void)state;
    Robot robot = open_robot("two_link.yaml");
    zvCodegenSummary summary;
    char *text = generate(robot.model, "two_link", ZV_LANGUAGE_LATEX, &summary);
    assert_non_null(strstr(text, "\\texttt{two\\_\\allowbreak{}link}"));
    assert_non_null(strstr(text, "M_{1,1} &= 1.71333 + 0.8\\,\\cos(q_{2})"));
    assert_non_null(strstr(text, "c_{1} &= -0.4\\,\\sin(q_{2})\\,(2\\,\\dot q_{1}\\,\\dot q_{2} + \\dot q_{2}^{2})"));
    assert_non_null(
        strstr(text, "\\tau_{2} &= (0.213333 + 0.4\\,\\cos(q_{2}))\\,\\ddot q_{1} + 0.213333\\,\\ddot q_{2}"));
    free(text);
    close_robot(&robot);
}

/* Names are the user's: nothing in them is a command of LaTeX, or ends a comment of Maxima. */
static void names_do_no_harm(void **state) {
    (void)state;
    static const char odd[] = "\\input{x} %$#&_{^~*/ \xd0\x96";
    zvBuilder *b = zv_builder_create(NULL);
    zvLink base = zv_link_default("base"), arm = zv_link_default("arm");
    zvJoint joint = zv_joint_default(odd, ZV_JOINT_REVOLUTE, "base", "arm");
    arm.inertia = (zvInertia){.mass = 2, .com = {0.5, 0, 0}, .moment = {0.01, 0, 0, 0.2, 0, 0.2}};
    joint.axis[0] = 1, joint.axis[2] = 0;
    assert_true(zv_builder_add_link(b, &base, NULL) >= 0 && zv_builder_add_link(b, &arm, NULL) >= 0);
    assert_true(zv_builder_add_joint(b, &joint, NULL) >= 0 && zv_builder_set_name(b, odd, NULL) >= 0);
    Robot robot = robot_from(b);
    zvCodegenSummary summary;
    char *text = generate(robot.model, "odd", ZV_LANGUAGE_LATEX, &summary);
    check_balance(text);
    assert_non_null(strstr(
        text,
        "\\char92{}input\\{x\\} \\allowbreak{}\\%\\$\\#\\&\\_\\allowbreak{}\\{\\char94{}\\char126{}*/\\allowbreak{} "
        "\\allowbreak{}\xd0\x96}"));
    free(text);
    check_model(robot.model, "odd", 9);
    close_robot(&robot);
}

/* -- what is refused -------------------------------------------------------------------------------------------- */

static void expect_refusal(const char *file, zvStatus status, const char *word) {
    Robot robot = {0};
    zvError error = {0};
    zvCodegenSummary summary;
    zvBuilder *builder = read_model(file);
    assert_true(zv_builder_freeze(builder, &robot.model, &error) >= 0);
    zv_builder_destroy(builder);
    const zvCodegenOptions options = {.name = "refused", .language = ZV_LANGUAGE_MAXIMA};
    assert_int_equal(zi_generate_analytic(robot.model, &options, directory, &summary, &error), status);
    if (!strstr(error.text, word)) fail_msg("%s: %s", file, error.text);
    assert_int_equal(summary.file_count, 0);
    zv_model_destroy(robot.model);
}

static void others_are_refused(void **state) {
    (void)state;
    expect_refusal("ssrms_free.yaml", ZV_NOT_SUPPORTED, "root_joint");
    expect_refusal("joints_zoo.yaml", ZV_NOT_SUPPORTED, "joint \"");
    expect_refusal("flexible_arm.yaml", ZV_NOT_SUPPORTED, "is elastic");
    expect_refusal("cobot7.yaml", ZV_SIZE, "5000 terms");
}

TESTS(robots_of_the_library, random_arms, two_links_as_in_textbooks, documents_are_balanced, two_links_read_well,
      names_do_no_harm, others_are_refused)
