/* zveno codegen: what it writes compiles, its harness agrees with the library, and wrong words are answered. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include "support/sanitized.h"

#define MODELS "'" ZV_SOURCE_DIR "'/models/"
#define WARNINGS "-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror"

static void writes_code(void **state) {
    (void)state;
    const Transcript t = zveno("codegen arm.urdf --functions all --frame tool -o out");
    expect_silence(t);
    expect_part(t.out, "function ");
    expect_part(t.out, "inverse");
    expect_part(t.out, "jacobian");
    expect_part(t.out, "wrote out/arm.h, out/arm.c, out/arm_test.c (");
    expect_part(t.out, "compile: cc -std=c17 -O2 -march=native -ffp-contract=fast -c out/arm.c");
    expect_code(shell("cc " WARNINGS " -c out/arm.c -o out/arm.o"), 0);
    const Transcript header = shell("cat out/arm.h");
    expect_part(header.out, "0  swing [rad]");
    expect_part(header.out, "1  slide [m/s], force [N]");
    expect_part(header.out, "Frame: tool.");
}

/* The static library is there and needs nothing of the compiler that a plain link does not give. */
static bool links_plainly(void) {
#ifdef ZI_COVERAGE
    return false;
#else
    return !SANITIZED && !access(ZV_BINARY_DIR "/libzveno.a", R_OK);
#endif
}

/* A static library can be linked without what it has of other folders. */
static void harness_agrees(void **state) {
    (void)state;
    if (!links_plainly()) skip();
    expect_silence(zveno("codegen " MODELS "scara.yaml --functions "
                         "inverse,minv,gravity,jacobian,inverse_derivatives,forward_derivatives --lanes 4 --frame tool "
                         "-o out --base free --gravity 1,2,3"));
    const Transcript made = shell("cc " WARNINGS " -O0 -I'" ZV_SOURCE_DIR "'/include out/scara_test.c out/scara.c "
                                  "-o out/scara_test '" ZV_BINARY_DIR "'/libzveno.a -lxml2 -lyaml -lm");
    expect_code(made, 0);
    const Transcript ran = shell("out/scara_test");
    expect_code(ran, 0);
    expect_part(ran.out, "jacobian");
    expect_part(ran.out, "forward_derivatives");
    expect_part(ran.out, "batch");
    assert_null(strstr(ran.out, "WRONG"));
    /* it can fail */
    expect_code(
        shell("sed -i 's/ + 0/ + 0.001 + 0/' out/scara.c && grep -q 0.001 out/scara.c && cc -std=c17 -I'" ZV_SOURCE_DIR
              "'"
              "/include out/scara_test.c out/scara.c -o out/wrong '" ZV_BINARY_DIR "'/libzveno.a -lxml2 -lyaml -lm"),
        0);
    const Transcript wrong = shell("out/wrong");
    expect_code(wrong, 1);
    expect_part(wrong.out, "WRONG");
    expect_code(shell("out/scara_test nowhere.yaml"), 1);
    expect_code(shell("out/scara_test " MODELS "two_link.yaml"), 1);
}

/* Gravity along all axes but for rounding: every force is a sum that cancels. The first two joints share an axis and
 * the link between them weighs nothing: no state has a mass matrix that can be inverted. */
static const char tilted[] =
    "zveno: 1\n"
    "name: tilted\n"
    "links:\n"
    "  - {name: base}\n"
    "  - {name: l0}\n"
    "  - {name: l1, mass: 2, com: [0.3, 0.1, -0.2], inertia: [0.3, 0.2, 0.1]}\n"
    "  - {name: l2, mass: 3, com: [0.1, -0.2, 0.4], inertia: [0.1, 0.3, 0.2]}\n"
    "  - {name: l3, mass: 1, com: [0.2, 0.1, 0.3], inertia: [0.02, 0.03, 0.04]}\n"
    "  - {name: l4, mass: 1, com: [0.1, 0.3, 0.2], inertia: [0.04, 0.02, 0.03]}\n"
    "joints:\n"
    "  - {name: j0, type: continuous, parent: base, child: l0, axis: [0.6, 0, 0.8]}\n"
    "  - {name: j1, type: continuous, parent: l0, child: l1, axis: [0.6, 0, 0.8]}\n"
    "  - {name: j2, type: continuous, parent: l1, child: l2, axis: [0.6, 0, 0.8], origin: {xyz: [0.3, 0.7, 0.1]}}\n"
    "  - {name: j3, type: prismatic, parent: l2, child: l3, axis: [0.8, 0, -0.6], origin: {xyz: [0.2, 0.1, 0.5]},\n"
    "     limits: {lower: -0.1, upper: 0.3}}\n"
    "  - {name: j4, type: continuous, parent: l3, child: l4, axis: [0, 1, 0]}\n";

#define BUILD(name)                                                                                     \
    "cc " WARNINGS " -O0 -I'" ZV_SOURCE_DIR "'/include out/" name "_test.c out/" name ".c -o out/" name \
    "_test '" ZV_BINARY_DIR "'/libzveno.a -lxml2 -lyaml -lm"

static void harness_knows_what_cancels(void **state) {
    (void)state;
    if (!links_plainly()) skip();
    put_file("tilted.yaml", tilted);
    /* the name is one that the harness might use for itself */
    expect_silence(
        zveno("codegen tilted.yaml --functions forward,minv,bias,gravity,mass --name library -o out --lock j4 "
              "--gravity -5.886,0,-7.848"));
    /* positions within the limits */
    expect_code(shell("sed -i 's/^    for (int i = 0; i < STATES; i++) draw(.*/&\\n"
                      "    for (int i = 0; i < STATES; i++) if (fabs(states[i].Q[3] - 0.1) > 0.2) return 7;/' "
                      "out/library_test.c && grep -q 'return 7' out/library_test.c"),
                0);
    expect_code(shell(BUILD("library")), 0);
    const Transcript ran = shell("out/library_test");
    expect_part(ran.out, "1000 singular states not compared");
    assert_null(strstr(ran.out, "WRONG"));
    expect_code(ran, 0);
    expect_code(shell("out/library_test arm.urdf"), 1);
}

static void input_has_no_harness(void **state) {
    (void)state;
    const Transcript t = shell("\"$Z\" codegen - -o piped <arm.urdf | cat");
    expect_silence(t);
    expect_part(t.out, "wrote piped/arm.h, piped/arm.c (");
    expect_part(t.out, "no test: the model came from standard input");
    assert_int_equal(t.out[strlen(t.out) - 1], '\n');
    expect_code(shell("test $(ls piped | wc -l) = 2"), 0);
}

static void json(void **state) {
    (void)state;
    const Transcript t = zveno("codegen arm.urdf --functions mass --name my_arm --float -o out --json");
    expect_silence(t);
    zvDocument *document = parse(t.out);
    const zvNode *root = zv_document_root(document);
    assert_string_equal(node_at(root, "directory")->text, "out");
    assert_string_equal(node_at(root, "files.1")->text, "my_arm.c");
    assert_non_null(node_at(root, "functions.mass.mul"));
    assert_non_null(node_at(root, "functions.mass.statements"));
    zv_document_destroy(document);
    expect_part(shell("cat out/my_arm.h").out, "typedef float my_arm_real;");
}

/* Of a humanoid the library is as good, which an arm is not told. */
static void long_code_is_told(void **state) {
    (void)state;
    Transcript t = zveno("codegen '" ZV_SOURCE_DIR
                         "/models/humanoid50.yaml' --base free --functions gravity,forward -o long --json");
    expect_code(t, 0);
    expect_part(t.err, "zveno: note: forward: the library is the better choice");
    zvDocument *document = parse(t.out);
    const zvNode *root = zv_document_root(document);
    assert_string_equal(node_at(root, "functions.forward.library_better")->text, "true");
    assert_string_equal(node_at(root, "functions.gravity.library_better")->text, "false");
    zv_document_destroy(document);
}

static void loops_are_left_open(void **state) {
    (void)state;
    const Transcript t = zveno("codegen " MODELS "five_bar.yaml --functions mass -o out");
    expect_silence(t);
    expect_part(t.out, "of the spanning tree: 1 loop is left open");
    expect_part(shell("cat out/five_bar.h").out, "this is the spanning tree alone");
}

static void bad_input(void **state) {
    (void)state;
    expect_failure(zveno("codegen arm.urdf"), 2, "expected a folder for several files, found none");
    expect_failure(zveno("codegen arm.urdf -o out --functions mas"), 2,
                   "expected a known function, found \"mas\"; did you mean");
    expect_part(
        complained,
        "known: all inverse forward mass minv bias gravity pose jacobian inverse_derivatives forward_derivatives");
    expect_failure(zveno("codegen arm.urdf -o out --functions ,"), 2, "expected a known function");
    expect_failure(zveno("codegen arm.urdf -o out --functions pose"), 2,
                   "expected a frame for pose and jacobian, found none");
    expect_failure(zveno("codegen arm.urdf -o out --functions pose --frame toll"), 1, "did you mean \"tool\"?");
    expect_failure(zveno("codegen arm.urdf -o out --language fortran"), 2,
                   "expected a known language, found \"fortran\"");
    expect_failure(zveno("codegen arm.urdf -o out --language latex --float"), 2, "expected the language c for");
    expect_failure(zveno("codegen arm.urdf -o out --language latex --lanes 4"), 2, "expected the language c for");
    expect_failure(zveno("codegen arm.urdf -o out --symbols m"), 2,
                   "expected --language latex, maxima or sympy beside");
    expect_failure(zveno("codegen arm.urdf -o out --language sympy --moments origin"), 2, "expected --symbols beside");
    expect_failure(zveno("codegen arm.urdf -o out --language sympy --symbols m --moments here"), 2, "--moments");
    expect_failure(zveno("codegen arm.urdf -o out --language sympy --symbols mass"), 1, "parameter that is not zero");
    expect_failure(zveno("codegen arm.urdf -o out --language sympy --frame toll"), 1, "did you mean \"tool\"?");
    expect_failure(zveno("codegen " MODELS "five_bar.yaml -o out --language sympy --independent motor3"), 1, "motor3");
    expect_failure(zveno("codegen " MODELS "five_bar.yaml -o out --language sympy --independent motor1"), 3,
                   "expected 2 independent coordinates that determine the others, found 1");
    expect_failure(zveno("codegen " MODELS "puma560.yaml -o out --language sympy --independent joint1"), 1,
                   "leave --independent out");
    expect_failure(zveno("codegen arm.urdf -o out --flexible all"), 1, "expected joints with a gear");
    expect_failure(zveno("codegen arm.urdf -o out --language sympy --flexible elbw"), 1, "elbw");
    expect_failure(zveno("codegen arm.urdf -o out --lanes 5"), 2, "--lanes");
    expect_failure(zveno("codegen arm.urdf -o out --name 2r"), 1, "cannot begin the names of C functions");
    expect_failure(zveno("codegen arm.urdf -o out --name zv"), 1, "belong to the library");
    expect_failure(zveno("codegen arm.urdf -o none/deeper"), 1, "none/deeper: the directory could not be made");
    expect_failure(zveno("codegen " MODELS "flexible_arm.yaml -o out"), 1, "is elastic");
    expect_failure(zveno("codegen " MODELS "joints_zoo.yaml -o out"), 1, "runs along a spline");
}

TESTS_BETWEEN(make_folder, remove_folder, writes_code, harness_agrees, json, harness_knows_what_cancels,
              input_has_no_harness, long_code_is_told, loops_are_left_open, bad_input)
