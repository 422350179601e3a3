/* "zveno agree": the robots of models/ agree; results, exit codes, JSON, progress and refusals. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "support/sanitized.h"
#include "transcript.h"
#include "zveno/version.h"

static double number_at(const char *json, const char *path) {
    zvDocument *document = parse(json);
    double number;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), path), path, &number, NULL), ZV_OK);
    zv_document_destroy(document);
    return number;
}

/* One of each sort: arms, trees, all joints, elastic links, loops. */
static void models_agree(void **state) {
    (void)state;
    static const char *const names[] = {"cobot7",           "quadruped", "joints_zoo", "flexible_arm", "flexible_free",
                                        "four_bar_elastic", "five_bar",  "stewart",    "chain10"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[512];
        snprintf(words, sizeof words, "agree '%s/models/%s.yaml' --json --samples 2", ZV_SOURCE_DIR, names[i]);
        const Transcript t = zveno(words);
        if (t.code != 0) fail_msg("%s\n%s%s", names[i], t.err, t.out);
        expect_part(t.out, "\"agrees\": true,\n  \"samples\"");
        assert_null(strstr(t.out, "\"agrees\": false"));
    }
}

/* Programs that codegen would write are methods too; where there are none the reason is told. */
static void generated(void **state) {
    (void)state;
    Transcript t = zveno("agree arm.urdf --samples 10 --generated --json --quiet");
    expect_silence(t);
    if (strstr(t.out, "ZVENO_CODEGEN=OFF")) return;
    expect_part(t.out, "{\"method\": \"generated\", \"answered\": 10,");
    expect_part(t.out, "{\"method\": \"generated\", \"answered\": 5,"); /* they take no external forces */
    t = zveno("agree '" ZV_SOURCE_DIR "'/models/flexible_arm.yaml --samples 1 --generated --quiet");
    expect_silence(t);
    expect_part(t.out, "straight-line code is for rigid links only\n");
}

static void table(void **state) {
    (void)state;
    Transcript t = zveno("agree arm.urdf --samples 20 --seed 7 --quiet");
    expect_silence(t);
    expect_part(t.out, "robot arm: 2 degrees of freedom, depth 2, condition of M up to ");
    expect_part(t.out, "\n20 random states, seed 7; kernels ");
    expect_part(t.out, "\nresult: the methods agree; none differs by more than 32 times what rounding explains\n");
    static const char *const words[] = {"composite",
                                        "yaskevich",
                                        "kane",
                                        "newton-euler",
                                        "path",
                                        "coriolis-matrix",
                                        "articulated",
                                        "inverse(forward)",
                                        "auto",
                                        "composite-reduced",
                                        "mass-reduced-ldl",
                                        "analytic",
                                        "differences"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) expect_part(t.out, words[i]);
    assert_null(strstr(t.out, "DISAGREE"));
    assert_null(strstr(t.out, "generated")); /* not asked for */
}

/* More than rounding can keep is disagreement: told on both streams, exit code 3, and the whole certificate is there.
 */
static void disagreement(void **state) {
    (void)state;
    Transcript t = zveno("agree arm.urdf --samples 20 --factor 1e-9");
    expect_code(t, 3);
    expect_part(t.err, "zveno: error: the methods disagree about ");
    expect_part(t.err, " is farthest off");
    expect_part(t.out, "\nresult: THE METHODS DISAGREE; some differ by more than 1e-09 times");
    t = zveno("agree arm.urdf --samples 20 --factor 1e-9 --json");
    expect_code(t, 3);
    expect_part(t.out, "\"agrees\": false,\n  \"samples\"");
}

static void json(void **state) {
    (void)state;
    Transcript t = zveno("agree arm.urdf --samples 3 --seed 12 --json --quiet");
    expect_silence(t);
    expect_text(t.out, "model", "arm");
    expect_text(t.out, "kernels", zv_isa_name());
    assert_true(number_at(t.out, "samples") == 3);
    assert_true(number_at(t.out, "seed") == 12);
    assert_true(number_at(t.out, "factor") == 32);
    expect_text(t.out, "questions.0.question", "mass");
    expect_text(t.out, "questions.0.methods.0.method", "auto");
    assert_true(number_at(t.out, "questions.0.methods.0.answered") == 3);
    assert_true(number_at(t.out, "questions.0.methods.0.seconds") > 0);
    assert_true(number_at(t.out, "condition") >= 1);
    assert_true(number_at(t.out, "questions.0.ratio") <= 32);
}

/* Nobody can say how a massless part moves, and all say so. */
static void singular(void **state) {
    (void)state;
    put_file("ghost.yaml",
             "zveno: 1\nname: ghost\nlinks:\n  - {name: base}\n  - {name: arm, mass: 1, inertia: [1, 1, 1]}\n"
             "  - {name: tip}\njoints:\n"
             "  - {name: a, type: continuous, parent: base, child: arm}\n"
             "  - {name: b, type: continuous, parent: arm, child: tip}\n");
    Transcript t = zveno("agree ghost.yaml --samples 6");
    expect_code(t, 0);
    expect_part(t.out, "not compared; singular by all at 6\n");
    expect_part(
        t.out,
        "\nforward, inverse-mass, unit, back, forth, forward-derivatives, forward-differences: singular in 6 of 6 "
        "states and not compared there\n");
    expect_part(t.out, "\nresult: the methods agree where they were compared; none differs");
    t = zveno("agree ghost.yaml --samples 6 --json");
    expect_code(t, 0);
    expect_part(t.out, "\"agrees\": null,\n      \"compared\": 0,\n      \"singular\": 6,");
}

/* No certificate over nothing. */
static void nothing_moves(void **state) {
    (void)state;
    put_file("rock.yaml", "zveno: 1\nname: rock\nlinks:\n  - {name: base, mass: 1, inertia: [1, 1, 1]}\n");
    expect_failure(zveno("agree rock.yaml"), 1, "nothing moves: there is nothing to compare");
    expect_failure(zveno("agree '" ZV_SOURCE_DIR "'/models/two_link.yaml --lock joint1,joint2"), 1,
                   "nothing moves: there is nothing to compare");
}

/* Loops that no position closes. */
static void open_loops(void **state) {
    (void)state;
    put_file("far.yaml", "zveno: 1\nname: far\nlinks:\n  - {name: base}\n  - {name: arm, mass: 1, inertia: [1, 1, 1]}\n"
                         "joints:\n  - {name: a, type: continuous, parent: base, child: arm, axis: [0, 0, 1]}\n"
                         "loops:\n  - {name: rod, type: rod, parent: base, child: arm, origin: {xyz: [9, 0, 0]}, "
                         "child_origin: {xyz: [1, 0, 0]}, length: 1}\n");
    Transcript t = zveno("agree far.yaml --samples 3");
    expect_failure(t, 3, "loop \"rod\" cannot close");
}

static void refusals(void **state) {
    (void)state;
    expect_failure(zveno("agree"), 2, "expected the model file, found none");
    expect_failure(zveno("agree nothing.yaml"), 1, "nothing.yaml");
    expect_failure(zveno("agree arm.urdf --samples 0"), 2, "expected --samples N");
    expect_failure(zveno("agree arm.urdf --samples many"), 2, "expected --samples N");
    expect_failure(zveno("agree arm.urdf --seed -1"), 2, "expected --seed S");
    expect_failure(zveno("agree arm.urdf --seed 1.5"), 2, "expected --seed S");
    expect_failure(zveno("agree arm.urdf --seed 1e20"), 2, "a whole number, 0 to 2^53");
    expect_failure(zveno("agree arm.urdf --samples 0"), 2, "1 to 999999999");
    expect_failure(zveno("agree arm.urdf --factor 0"), 2, "expected --factor F");
    expect_failure(zveno("agree arm.urdf --factor nan"), 2, "a number above 0");
    expect_failure(zveno("agree arm.urdf --state x"), 2,
                   "expected a known option of \"zveno agree\", found \"--state\"");
}

/* A run of more than a second says how far it is, unless it is told not to. */
static void progress(void **state) {
    (void)state;
    const int samples = SANITIZED ? 20 : 200;
    char line[1024], told[32];
    snprintf(line, sizeof line, "agree '%s/models/humanoid50.yaml' --samples %d", ZV_SOURCE_DIR, samples);
    snprintf(told, sizeof told, " of %d states", samples);
    const Transcript t = zveno(line);
    expect_code(t, 0);
    if (t.err[0]) expect_part(t.err, told); /* a machine may be quick */
    expect_silence(zveno("agree '" ZV_SOURCE_DIR "/models/humanoid50.yaml' --samples 5 --quiet"));
}

TESTS_BETWEEN(make_folder, remove_folder, models_agree, generated, table, disagreement, json, singular, nothing_moves,
              open_loops, refusals, progress)
