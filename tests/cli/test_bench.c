/* "zveno bench": rows for every function and engine, JSON, answers that agree, wrong models and wrong words. */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "support/run_tests.h"
#include "support/sanitized.h"
#include "transcript.h"

#define ALONE "ZVENO_PEERS=/nowhere "
#define INDUSTRIAL6 "'" ZV_SOURCE_DIR "/models/industrial6.yaml'"
#define QUADRUPED "'" ZV_SOURCE_DIR "/models/quadruped.yaml'"

/* zveno WORDS with no peers at hand. */
static Transcript alone(const char *words) {
    char line[2048];
    snprintf(line, sizeof line, ALONE "\"$Z\" %s", words);
    return shell(line);
}

static double number_in(const zvNode *node, const char *key) {
    double number;
    assert_int_equal(zv_node_number(node_at(node, key), key, &number, NULL), ZV_OK);
    return number;
}

static bool is_text(const zvNode *node, const char *key, const char *text) {
    return !strcmp(node_at(node, key)->text, text);
}

/* The row of a robot, function and engine; NULL when there is none. */
static const zvNode *row_of(const zvNode *rows, const char *robot, const char *function, const char *engine) {
    for (int i = 0; i < rows->count; i++) {
        const zvNode *row = rows->items[i];
        if (is_text(row, "robot", robot) && is_text(row, "function", function) && is_text(row, "engine", engine))
            return row;
    }
    return NULL;
}

/* All functions; the library's numbers fit each other, and no ratios where there is nobody to compare with. */
static void rows(void **state) {
    (void)state;
    static const char *const functions[] = {"inverse",   "forward",    "mass",    "mass-dense", "minv",   "jacobian",
                                            "d-inverse", "d-forward",  "bias",    "links",      "bodies", "pose",
                                            "momentum",  "centroidal", "opspace", "weld"};
    const double start = spent_by_children();
    const Transcript t = alone("bench --quick --json --quiet " INDUSTRIAL6);
    const double taken = spent_by_children() - start;
    expect_code(t, 0);
    if (!SANITIZED && taken > 30) fail_msg("--quick took %g s", taken);
    zvDocument *document = parse(t.out);
    const zvNode *root = zv_document_root(document), *list = node_at(root, "rows");
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const zvNode *row = row_of(list, "industrial6", functions[i], "Zveno");
        if (!row) fail_msg("no row of %s", functions[i]);
        const double ns = number_in(row, "ns");
        assert_true(ns > 1 && ns < 1e7);
        assert_true(fabs(number_in(row, "calls_per_second") * ns - 1e9) < 1);
        assert_true(number_in(row, "spread") >= 0);
        assert_true(number_in(row, "nv") == 6);
    }
    /* more work takes more time: the derivatives hold the inverse dynamics */
    const double inverse = number_in(row_of(list, "industrial6", "inverse", "Zveno"), "ns");
    assert_true(number_in(row_of(list, "industrial6", "d-inverse", "Zveno"), "ns") > inverse);
    assert_null(strstr(t.out, "\"ratio\""));
    assert_null(strstr(t.out, "generated")); /* takes a compiler's time */
    expect_part(t.out, "\"peers\": []");
    zv_document_destroy(document);
}

/* Answers of lanes are compared with the library's before they are timed. */
static void lanes(void **state) {
    (void)state;
    const Transcript t = alone("bench --quick --json --rounds 1 --functions inverse,forward " INDUSTRIAL6);
    expect_code(t, 0);
    zvDocument *document = parse(t.out);
    const zvNode *list = node_at(zv_document_root(document), "rows");
    const zvNode *wide = row_of(list, "industrial6", "forward", "lanes");
    if (wide) { /* built with ZVENO_BATCH */
        const zvNode *narrow = row_of(list, "industrial6", "forward", "lanes float");
        assert_true(number_in(wide, "difference") < 1e-12);
        assert_true(number_in(narrow, "difference") < 1e-3 && number_in(narrow, "difference") > 1e-12);
    }
    assert_null(row_of(list, "industrial6", "mass", "Zveno")); /* not asked for */
    assert_true(number_in(zv_document_root(document), "rounds") == 1);
    zv_document_destroy(document);
}

/* Several models, one with a free base; --lock is for those that have the joint. */
static void models(void **state) {
    (void)state;
    Transcript t =
        alone("bench --quick --json --rounds 1 --functions jacobian free:" QUADRUPED " " INDUSTRIAL6 " --lock axis4");
    expect_code(t, 0);
    zvDocument *document = parse(t.out);
    const zvNode *list = node_at(zv_document_root(document), "rows");
    assert_true(number_in(row_of(list, "quadruped", "jacobian", "Zveno"), "nv") == 18);
    const double nv = number_in(row_of(list, "industrial6", "jacobian", "Zveno"), "nv");
    if (nv != 5) fail_msg("industrial6 has %g coordinates with one joint locked", nv);
    zv_document_destroy(document);
}

static void table(void **state) {
    (void)state;
    const Transcript t = alone("bench --quick --rounds 1 --functions inverse arm.urdf");
    expect_code(t, 0);
    expect_part(t.out, "\nrobot  function  engine");
    expect_part(t.out, "\narm    inverse   Zveno");
    assert_null(strstr(t.out, "MuJoCo"));
    expect_part(t.err, "zveno: note: no other engines were found; ./dev bench");
    expect_part(t.err, "libmujoco-dev");
}

/* Elastic links and loops are measured as far as there are functions for them. */
static void special(void **state) {
    (void)state;
    Transcript t = alone("bench --quick --rounds 1 --json '" ZV_SOURCE_DIR "/models/flexible_arm.yaml'");
    expect_code(t, 0);
    expect_part(t.out, "\"forward\"");
    assert_null(strstr(t.out, "d-inverse"));
    t = alone("bench --quick --rounds 1 --json '" ZV_SOURCE_DIR "/models/five_bar.yaml'");
    expect_code(t, 0);
    expect_part(t.out, "\"d-inverse\"");
    expect_part(t.out, "\"links\"");
    assert_null(strstr(t.out, "opspace")); /* its tip moves in a plane */
    assert_null(strstr(t.out, "weld"));
    expect_part(t.out, "{\"robot\": \"five_bar\", \"what\": [\"loops\"]}");
}

/* What a robot is measured without is said of it. */
static void left_out(void **state) {
    (void)state;
    put_file("geared.yaml", "zveno: 1\nlinks: [{name: a}, {name: b, mass: 1, inertia: [1, 1, 1]},\n"
                            "  {name: c, mass: 1, inertia: [1, 1, 1]}]\njoints:\n"
                            "  - {name: j, type: revolute, parent: a, child: b, armature: 1}\n"
                            "  - {name: k, type: revolute, parent: b, child: c, mimic: {joint: j}}\n");
    Transcript t = alone("bench --quick --rounds 1 --functions inverse geared.yaml");
    expect_code(t, 0);
    expect_part(t.out, "\nnote: geared: mimic joints move freely, rotors have no inertia\n");
    t = alone("bench --quick --rounds 1 --functions inverse arm.urdf");
    assert_null(strstr(t.out, "note: "));
}

/* A peer that knows the mass matrix of one slide: its mass, or twice that when it lies. */
static const char peer_c[] =
    "#include <stdlib.h>\n"
    "#include \"engine.h\"\n"
    "static volatile double sum;\n"
    "static void run(void *self, int state) { for (int i = 0; i < 1000; i++) sum += state; (void)self; }\n"
    "static void answer(void *self, Task task, int state, double *out) {\n"
    "    out[0] = ((const Tree *)self)->body[1].inertia.mass * (getenv(\"LIES\") ? 2 : 1);\n"
    "    (void)task, (void)state;\n"
    "}\n"
    "static void destroy(void *self) { (void)self; }\n"
    "static bool take(const Tree *tree, const Ring *ring, Engine *engine) {\n"
    "    *engine = (Engine){.name = \"Peer\", .self = (void *)tree, .answer = answer, .destroy = destroy};\n"
    "    engine->run[TASK_MASS] = run;\n"
    "    return (void)ring, tree->nv == 1;\n"
    "}\n"
    "PEER_EXPORT const Peer zveno_peer = {PEER_VERSION, \"Peer\", take};\n";

/* Modules are found and compared; ratios are peer over engine; a wrong answer ends the run with code 3. */
static void peers(void **state) {
    (void)state;
    put_file("peer.c", peer_c);
    put_file("rail.urdf", "<robot name=\"rail\"><link name=\"base\"/><link name=\"car\"><inertial><mass value=\"3\"/>"
                          "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"
                          "<joint name=\"rail\" type=\"prismatic\"><parent link=\"base\"/><child link=\"car\"/>"
                          "<limit effort=\"1\" velocity=\"1\" lower=\"-9\" upper=\"9\"/></joint></robot>");
    expect_code(
        shell("mkdir -p peers && cc -std=c17 -O1 -fPIC -shared -o peers/zveno-peer-test.so peer.c -I'" ZV_SOURCE_DIR
              "/bench' -I'" ZV_SOURCE_DIR "/include'"),
        0);
    Transcript t = shell("ZVENO_PEERS=peers \"$Z\" bench --quick --json --functions mass rail.urdf");
    expect_code(t, 0);
    expect_part(t.out, "\"peers\": [\"Peer\"]");
    zvDocument *document = parse(t.out);
    const zvNode *list = node_at(zv_document_root(document), "rows");
    const zvNode *ours = row_of(list, "rail", "mass", "Zveno"), *theirs = row_of(list, "rail", "mass", "Peer");
    const double ratio = number_in(ours, "ratio.Peer"), expected = number_in(theirs, "ns") / number_in(ours, "ns");
    assert_true(fabs(ratio / expected - 1) < 1e-9);
    assert_true(number_in(theirs, "difference") < 1e-15);
    zv_document_destroy(document);
    t = shell("LIES=1 ZVENO_PEERS=peers \"$Z\" bench --quick rail.urdf");
    expect_code(t, 3);
    assert_string_equal(t.out, "");
    expect_part(t.err, "Peer and Zveno do not compute the same thing: mass of rail differs by 1");
}

static void bad_input(void **state) {
    (void)state;
    Transcript t = alone("bench --quick nowhere.urdf");
    expect_code(t, 1);
    expect_part(t.err, "nowhere.urdf");
    assert_string_equal(t.out, "");
    t = alone("bench --quick arm.urdf --lock elbow");
    expect_code(t, 1);
    expect_part(t.err, "--lock: expected a known joint, found \"elbow\"");
    t = alone("bench --quick arm.urdf " INDUSTRIAL6 " --lock axis1,elbow");
    expect_code(t, 1);
    expect_part(t.err, "found \"elbow\"");
    put_file("rock.urdf", "<robot name=\"rock\"><link name=\"base\"/></robot>");
    t = alone("bench --quick rock.urdf");
    expect_code(t, 1);
    expect_part(t.err, "nothing moves");
}

static void bad_words(void **state) {
    (void)state;
    static const char *const lines[] = {"bench --task xyz",          "bench arm.urdf --functions inverse,mas",
                                        "bench arm.urdf --rounds 0", "bench --base free",
                                        "bench arm.urdf --golden .", "bench --cpu -1",
                                        "bench arm.urdf --cpu 1023"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const Transcript t = alone(lines[i]);
        if (t.code != 2) fail_msg("%s: code %d\n%s", lines[i], t.code, t.err);
        assert_string_equal(t.out, "");
    }
    expect_part(alone("bench arm.urdf --functions inverse,mas").err, "did you mean \"mass\"?");
}

static void help(void **state) {
    (void)state;
    const Transcript t = zveno("help bench");
    expect_silence(t);
    static const char *const words[] = {"ns/call", "nanoseconds", "--quick", "--rounds N", "d-forward", "Exit code 3"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) expect_part(t.out, words[i]);
}

TESTS_BETWEEN(make_folder, remove_folder, rows, lanes, models, table, special, peers, left_out, bad_input, bad_words,
              help)
