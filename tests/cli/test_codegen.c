/* zveno codegen: what it writes compiles, its harness agrees with the library, and wrong words are answered. */
#define _XOPEN_SOURCE 700
#include "transcript.h"

#include "support/sanitized.h"

#define MODELS ZV_SOURCE_DIR "/models/"
#define WARNINGS "-std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror"

static void writes_code(void **state) {
    (void)state;
    const Transcript t = zveno("codegen arm.urdf --functions all --frame tool -o out");
    expect_silence(t);
    expect_part(t.out, "function  mul");
    expect_part(t.out, "inverse");
    expect_part(t.out, "jacobian");
    expect_part(t.out, "wrote out/arm.h, out/arm.c, out/arm_test.c (");
    expect_part(t.out, "compile: cc -std=c17 -O2 -march=native -ffp-contract=fast -c arm.c");
    expect_code(shell("cc " WARNINGS " -c out/arm.c -o out/arm.o"), 0);
    const Transcript header = shell("cat out/arm.h");
    expect_part(header.out, "0  swing [rad]");
    expect_part(header.out, "1  slide [m/s], force [N]");
    expect_part(header.out, "Frame: tool.");
}

/* A static library can be linked without what it has of other rooms. */
static void harness_agrees(void **state) {
    (void)state;
    if (SANITIZED || access(ZV_BINARY_DIR "/libzveno.a", R_OK)) skip();
    expect_silence(
        zveno("codegen " MODELS "scara.yaml --functions all --frame tool -o out --base free --gravity 1,2,3"));
    const Transcript made = shell("cc " WARNINGS " -O1 -I" ZV_SOURCE_DIR "/include out/scara_test.c out/scara.c "
                                  "-o out/scara_test " ZV_BINARY_DIR "/libzveno.a -lxml2 -lyaml -lm");
    expect_code(made, 0);
    const Transcript ran = shell("out/scara_test");
    expect_code(ran, 0);
    expect_part(ran.out, "jacobian");
    assert_null(strstr(ran.out, "WRONG"));
    /* it can fail */
    expect_code(
        shell("sed -i 's/ + 0/ + 0.001 + 0/' out/scara.c && grep -q 0.001 out/scara.c && cc -std=c17 -I" ZV_SOURCE_DIR
              "/include out/scara_test.c out/scara.c -o out/wrong " ZV_BINARY_DIR "/libzveno.a -lxml2 -lyaml -lm"),
        0);
    const Transcript wrong = shell("out/wrong");
    expect_code(wrong, 1);
    expect_part(wrong.out, "WRONG");
    expect_code(shell("out/scara_test nowhere.yaml"), 1);
    expect_code(shell("out/scara_test " MODELS "two_link.yaml"), 1);
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

static void loops_are_left_open(void **state) {
    (void)state;
    const Transcript t = zveno("codegen " MODELS "five_bar.yaml --functions mass -o out");
    expect_silence(t);
    expect_part(t.out, "of the spanning tree: 1 loop is left open");
    expect_part(shell("cat out/five_bar.h").out, "this is the spanning tree alone");
}

static void bad_input(void **state) {
    (void)state;
    expect_failure(zveno("codegen arm.urdf"), 2, "where to?");
    expect_failure(zveno("codegen arm.urdf -o out --functions mas"), 2, "there is no function \"mas\"; did you mean");
    expect_part(complained, "known: all inverse forward mass minv bias gravity pose jacobian");
    expect_failure(zveno("codegen arm.urdf -o out --functions ,"), 2, "there is no function");
    expect_failure(zveno("codegen arm.urdf -o out --functions pose"), 2, "of which frame?");
    expect_failure(zveno("codegen arm.urdf -o out --functions pose --frame toll"), 1, "did you mean \"tool\"?");
    expect_failure(zveno("codegen arm.urdf -o out --language fortran"), 2, "there is no language \"fortran\"");
    expect_failure(zveno("codegen arm.urdf -o out --language latex --float"), 2, "belong to the language c");
    expect_failure(zveno("codegen arm.urdf -o out --name 2r"), 1, "cannot begin the names of C functions");
    expect_failure(zveno("codegen arm.urdf -o none/deeper"), 1, "none/deeper: the directory could not be made");
    expect_failure(zveno("codegen " MODELS "flexible_arm.yaml -o out"), 1, "is elastic");
    expect_failure(zveno("codegen " MODELS "joints_zoo.yaml -o out"), 1, "runs along a spline");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_code),         cmocka_unit_test(harness_agrees), cmocka_unit_test(json),
        cmocka_unit_test(loops_are_left_open), cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
