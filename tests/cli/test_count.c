/* zveno count: what publications print, what their texts do, tables and pictures. The figures of the second publication
 * for six joints are 1071 + 1443, 1596 + 1302 and 1458 + 5856; those of texts executed on a counting scalar of another
 * program 567 + 993 (recursion) and 858 + 696 (kosynka). */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#define ARM "'" ZV_SOURCE_DIR "'/models/ssrms7.yaml"

static double number_at(const char *json, const char *path) {
    zvDocument *document = parse(json);
    zvError error = {0};
    double value = 0;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), path), path, &value, &error), ZV_OK);
    zv_document_destroy(document);
    return value;
}

static void printed_formulas(void **state) {
    (void)state;
    static const struct {
        const char *method;
        double mul, add;
    } print[] = {{"yaskevich", 1071, 1443}, {"composite", 1596, 1302}, {"kosynka", 1458, 5856}};
    for (int i = 0; i < 3; i++) {
        char words[256];
        snprintf(words, sizeof words, "count " ARM " --lock joint7 --json --method %s", print[i].method);
        const Transcript t = zveno(words);
        expect_silence(t);
        expect_numbers(t.out, "n", 1, (double[]){6});
        expect_text(t.out, "methods.0.question", "mass");
        expect_numbers(t.out, "methods.0.printed.mul", 1, &print[i].mul);
        expect_numbers(t.out, "methods.0.printed.add", 1, &print[i].add);
    }
}

static void counted_texts(void **state) {
    (void)state;
    Transcript t = zveno("count " ARM " --lock joint7 --json --method yaskevich");
    expect_silence(t);
    expect_numbers(t.out, "methods.0.written.mul", 1, (double[]){567});
    expect_numbers(t.out, "methods.0.written.add", 1, (double[]){993});
    assert_true(number_at(t.out, "methods.0.folded.mul") < 567 + 666);
    t = zveno("count " ARM " --lock joint7 --json --method kosynka");
    expect_silence(t);
    expect_numbers(t.out, "methods.0.written.mul", 1, (double[]){858});
    expect_numbers(t.out, "methods.0.written.add", 1, (double[]){696});
}

/* At most a quarter of the published best for the mass matrix, everything from sines and cosines on. */
static void generated_code_is_reduced(void **state) {
    (void)state;
    const Transcript t = zveno("count " ARM " --lock joint7 --json --method generated");
    expect_silence(t);
    expect_text(t.out, "methods.0.question", "mass");
    const double mul = number_at(t.out, "methods.0.folded.mul"), add = number_at(t.out, "methods.0.folded.add");
    if (!(mul + add <= 2514 / 4.0)) fail_msg("%g + %g operations", mul, add);
    assert_true(mul > 20 && add > 20);
}

static void all_methods(void **state) {
    (void)state;
    const Transcript t = zveno("count arm.urdf --method all");
    expect_silence(t);
    static const char *const methods[] = {"composite", "yaskevich",   "kosynka",    "kane",      "columns",
                                          "path",      "articulated", "mass-kane",  "generated", "newton-euler",
                                          "inverse",   "forward",     "kinematics", "folded"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) expect_part(t.out, methods[i]);
}

static void tables(void **state) {
    (void)state;
    Transcript t = zveno("count --table 6:7 --plot counts.svg");
    expect_silence(t);
    expect_part(t.out, "1596+1302");
    expect_part(t.out, "1071+1443");
    expect_part(t.out, "1458+5856");
    expect_part(t.out, "567+993");
    expect_part(t.out, "777+1385"); /* N = 7 */
    t = shell("head -c 200 counts.svg");
    expect_part(t.out, "<svg");
    t = zveno("count --table 2:2 --json");
    expect_silence(t);
    expect_numbers(t.out, "table.0.n", 1, (double[]){2});
    assert_true(number_at(t.out, "table.0.counted.mul") > 0);
}

static void wrong_words(void **state) {
    (void)state;
    expect_failure(zveno("count"), 2, "expected the model file, found none");
    expect_failure(zveno("count arm.urdf --method yaskevitch"), 2, "did you mean \"yaskevich\"");
    expect_part(zveno("count arm.urdf --method nonsense").err, "composite");
    expect_failure(zveno("count --table 5:2"), 2, "N1 <= N2");
    expect_failure(zveno("count --table 0:2"), 2, "1 <= N1");
    expect_failure(zveno("count --table 2:1000000"), 2, "--table");
    expect_failure(zveno("count --table nonsense"), 2, "--table N1:N2");
    expect_failure(zveno("count arm.urdf --table 2:3"), 2, "found arm.urdf; leave it out");
    expect_failure(zveno("count arm.urdf --plot x.svg"), 2, "--table");
    expect_failure(zveno("count --table 2:3 --plot no/where.svg"), 1, "where.svg");
    expect_failure(zveno("count missing.urdf"), 1, "missing.urdf");
}

static void elastic_links(void **state) {
    (void)state;
    static const char arm[] = "'" ZV_SOURCE_DIR "'/models/flexible_arm.yaml";
    char words[256];
    snprintf(words, sizeof words, "count %s --method kane", arm);
    expect_silence(zveno(words));
    expect_part(zveno(words).out, "\nmass      kane    -  "); /* nothing is printed of elastic links */
    snprintf(words, sizeof words, "count %s", arm);
    expect_part(zveno(words).out, "\nforward              mass-path ");
    snprintf(words, sizeof words, "count %s --method composite-reduced", arm);
    expect_failure(zveno(words), 1, "mass by composite-reduced is defined for rigid links only\n");
    snprintf(words, sizeof words, "count %s --method generated", arm);
    expect_failure(zveno(words), 1, "elastic");
}

/* Formulas for chains of revolute joints are not printed for other robots. */
static void formulas_for_chains_only(void **state) {
    (void)state;
    const Transcript t = zveno("count arm.urdf --json --method yaskevich");
    expect_silence(t);
    assert_null(strstr(t.out, "printed"));
    expect_failure(zveno("count arm.urdf --lock swing,slide"), 1, "expected joints that move, found none");
    expect_failure(zveno("count --table 2:3 --method kane"), 2, "--method yaskevich, whose sums");
}

static void locked_joints(void **state) {
    (void)state;
    Transcript t = zveno("info arm.urdf --lock slide --json");
    expect_silence(t);
    expect_numbers(t.out, "nv", 1, (double[]){1});
    t = zveno("mass arm.urdf --lock slide --json"); /* 0.61 + 1^2 */
    expect_silence(t);
    expect_numbers(t.out, "mass.0", 1, (double[]){1.61});
    expect_failure(zveno("mass arm.urdf --lock slied"), 1, "did you mean \"slide\"");
    expect_failure(zveno("mass arm.urdf --lock swing,nothing_like_it"), 1, "zveno info lists them");
    expect_failure(zveno("mass arm.urdf --base free --lock nothing_like_it"), 1, "--base fixed");
    expect_silence(zveno("mass arm.urdf --lock 'swing, slide'"));
    expect_failure(zveno("mass '" ZV_SOURCE_DIR "'/models/cobot7.yaml --lock finger_left_joint"), 1, "lock it as well");
}

/* A locked joint stands where it stood at zero, whatever its type. */
static void locked_where_it_stood(void **state) {
    (void)state;
    put_file("rail.yaml",
             "zveno: 1\nname: rail\nlinks: [{name: a}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
             "joints: [{name: rail, type: curve, parent: a, child: b, origin: {xyz: [0, 0, 2]},\n"
             "  curve: {circle: {center: [1, 0.2, 0], normal: [0, 0, 1], start: [1, 0, 0], radius: 0.5}}}]\n");
    Transcript t = zveno("frame rail.yaml --frame b --json");
    expect_silence(t);
    expect_numbers(t.out, "position", 3, (double[]){1.5, 0.2, 2});
    t = zveno("frame rail.yaml --frame b --json --lock rail");
    expect_silence(t);
    expect_numbers(t.out, "position", 3, (double[]){1.5, 0.2, 2});
}

TESTS_BETWEEN(make_folder, remove_folder, printed_formulas, counted_texts, generated_code_is_reduced, all_methods,
              tables, wrong_words, elastic_links, locked_joints, formulas_for_chains_only, locked_where_it_stood)
