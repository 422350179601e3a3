/* zveno check: findings that repeat, SARIF, exit codes by severity. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

/* Five point masses and an axis of length 2: notes only. */
static const char chain[] = "zveno: 1\nlinks:\n  - {name: a b}\n  - {name: l1, mass: 1, com: [1, 0, 0]}\n  - {name: "
                            "l2, mass: 1, com: [1, 0, 0]}\n"
                            "  - {name: l3, mass: 1, com: [1, 0, 0]}\n  - {name: l4, mass: 1, com: [1, 0, 0]}\n  - "
                            "{name: l5, mass: 1, com: [1, 0, 0]}\njoints:\n"
                            "  - {name: j1, type: revolute, parent: a b, child: l1, axis: [0, 0, 2]}\n"
                            "  - {name: j2, type: revolute, parent: l1, child: l2, origin: {xyz: [1, 0, 0]}}\n"
                            "  - {name: j3, type: revolute, parent: l2, child: l3, origin: {xyz: [1, 0, 0]}}\n"
                            "  - {name: j4, type: revolute, parent: l3, child: l4, origin: {xyz: [1, 0, 0]}}\n"
                            "  - {name: j5, type: revolute, parent: l4, child: l5, origin: {xyz: [1, 0, 0]}}\n";

static int prepare(void **state) {
    const int made = make_folder(state);
    put_file("a chain.yaml", chain);
    return made;
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) count++;
    return count;
}

static void repeats_are_one_line(void **state) {
    (void)state;
    Transcript t = zveno("check 'a chain.yaml'");
    assert_int_equal(t.code, 0);
    assert_int_equal(count_of(t.out, "[point-mass]"), 1);
    assert_non_null(strstr(t.out, "    and 4 more: link \"l2\", link \"l3\", link \"l4\", link \"l5\"\n"));
    assert_non_null(strstr(t.out, "0 errors, 0 warnings, 6 notes\n"));
    t = zveno("check --all 'a chain.yaml'");
    assert_int_equal(count_of(t.out, "[point-mass]"), 5);
    assert_null(strstr(t.out, " more"));
    assert_non_null(strstr(t.out, "0 errors, 0 warnings, 6 notes\n"));
}

static void exit_codes(void **state) {
    (void)state;
    assert_int_equal(zveno("check --fail-on note 'a chain.yaml'").code, 1);
    assert_int_equal(zveno("check --fail-on warning 'a chain.yaml'").code, 0);
    assert_int_equal(zveno("check nowhere.yaml").code, 1);
    assert_int_equal(zveno("check --fail-on never nowhere.yaml").code, 0);
    assert_int_equal(zveno("check --fail-on sometimes 'a chain.yaml'").code, 2);
    const Transcript t = zveno("check --format xml 'a chain.yaml'");
    assert_int_equal(t.code, 2);
    assert_non_null(strstr(t.err, "sarif"));
}

#define ROBOT(mass)                                                                                                   \
    "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='" mass                                     \
    "'/><inertia ixx='1' iyy='1' izz='1'/>"                                                                           \
    "</inertial><visual><geometry><mesh filename='package://p/cube.obj'/></geometry></visual></link><joint name='j' " \
    "type='continuous'><parent link='a'/><child link='b'/></joint></robot>"

/* The keys that code hosts read, of a document that a reader of JSON takes. */
static void sarif(void **state) {
    (void)state;
    const Transcript t = zveno("check --format sarif 'a chain.yaml'");
    assert_int_equal(t.code, 0);
    expect_text(t.out, "runs.0.tool.driver.name", "zveno check");
    expect_text(t.out, "runs.0.results.1.level", "note");
    assert_non_null(strstr(t.out, "\"version\": \"2.1.0\""));
    assert_non_null(strstr(t.out, "\"uri\": \"a%20chain.yaml\""));
    assert_non_null(strstr(t.out, "\"startLine\": 4, \"startColumn\": 5"));
    assert_non_null(strstr(t.out, "\"occurrenceCount\": 5"));
    assert_int_equal(count_of(t.out, "\"ruleId\""), 2);
    assert_int_equal(count_of(t.out, "{\"id\": \"axis-length\"}"), 1);
    /* what the schema requires of a run, a result and a location; levels are of its list, rules of the list of the tool
     */
    assert_int_equal(count_of(t.out, "\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\""), 1);
    zvDocument *document = parse(t.out);
    for (int i = 0; i < 2; i++) {
        static const char *const paths[] = {"message.text", "ruleId", "level",
                                            "locations.0.physicalLocation.region.startLine"};
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
            char path[96];
            snprintf(path, sizeof path, "runs.0.results.%d.%s", i, paths[k]);
            assert_true(strlen(node_at(zv_document_root(document), path)->text) > 0);
        }
    }
    zv_document_destroy(document);
    put_file("steel.urdf", ROBOT("8000"));
    const Transcript whole =
        zveno("check --format sarif steel.urdf"); /* its mesh is missing: of no line, so the first */
    assert_non_null(strstr(whole.out, "\"region\": {\"startLine\": 1}"));
}

/* A cube of 1 m beside the rules for other shapes: 8000 kg are steel, 80000 nothing, 0.5 less than air. */
static void meshes(void **state) {
    (void)state;
    assert_int_equal(shell("mkdir -p meshes").code, 0);
    put_file("heavy.urdf", ROBOT("80000"));
    put_file("steel.urdf", ROBOT("8000"));
    put_file("light.urdf", ROBOT("0.5"));
    const Transcript missing = zveno("check steel.urdf");
    assert_int_equal(count_of(missing.out, "[meshes-not-found]"), 1);
    put_file("meshes/cube.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                                "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    assert_int_equal(count_of(zveno("check --package p=meshes steel.urdf").out, "mesh"), 0);
    assert_int_equal(count_of(zveno("check --meshes meshes heavy.urdf").out, "8e+04 kg/m^3"), 1);
    assert_int_equal(count_of(zveno("check --meshes meshes light.urdf").out, "[mesh-density]"), 1);
}

TESTS_BETWEEN(prepare, remove_folder, repeats_are_one_line, exit_codes, sarif, meshes)
