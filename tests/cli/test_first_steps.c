/* What a newcomer types, and what the command says: files of the wrong kind, names that promise another format, folders
 * that are not there, keys that are not taken. */
#define _XOPEN_SOURCE 700
#include "process.h"
#include "support/run_tests.h"

#define MODEL(name) "'" ZV_SOURCE_DIR "/models/" name "'"

static const char fall[] = "zveno_scenario: 1\n"
                           "model: two_link.yaml\n"
                           "duration: 0.2\n"
                           "initial: {q: {joint1: -0.5, joint2: 0.3}}\n"
                           "output: {rate: 50, channels: [q, v, energy]}\n";

/* Files of the wrong kind ----------------------------------------------------------------------------- */

typedef struct KindRow {
    const char *name, *word, *taker; /* the file, what it is, a verb that the message must name */
} KindRow;

static const KindRow robots[] = {{"two_link.yaml", "a robot", "zveno info"}, {"arm.urdf", "a robot", "zveno view"}};
static const KindRow scenarios[] = {{"fall.yaml", "a scenario", "zveno simulate"}};
static const KindRow recordings[] = {
    {"fall.h5", "a recording", "plot"}, {"fall.csv", "a recording", "plot"}, {"fall.dat", "a recording", "plot"}};

static void expect_kind(const char *verb, const KindRow *row, const char *expected) {
    char words[160], part[200];
    snprintf(words, sizeof words, "%s %s", verb, row->name);
    snprintf(part, sizeof part, "%s: expected %s, found %s; ", row->name, expected, row->word);
    const Transcript t = zveno(words);
    expect_failure(t, 1, part);
    expect_part(t.err, row->taker);
}

static void kinds_of_files_are_told_apart(void **state) {
    (void)state;
    static const char *const of_recordings[] = {"plot", "show", "report"};
    static const char *const of_robots[] = {"inverse", "mass", "agree", "count", "bench", "codegen -o c", "modes"};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) expect_kind(of_recordings[i], &robots[k], "a recording");
        expect_kind(of_recordings[i], &scenarios[0], "a recording");
    }
    for (int i = 0; i < 7; i++) { /* modes takes scenarios too */
        if (i < 6) expect_kind(of_robots[i], &scenarios[0], "a robot");
        expect_kind(of_robots[i], &recordings[i % 3], "a robot");
    }
    expect_kind("info", &scenarios[0], "a robot");
    expect_kind("convert", &scenarios[0], "a robot");
    for (int k = 0; k < 2; k++) expect_kind("simulate", &robots[k], "a scenario");
    for (int k = 0; k < 3; k++) expect_kind("simulate", &recordings[k], "a scenario");
    put_file("settings.json", "{\"q\": [0, 0]}");
    expect_failure(zveno("plot settings.json"), 1, "expected a recording, found a YAML or JSON file");
    expect_failure(zveno_with(fall, "inverse -"), 1, "<stdin>:1:1: expected a robot, found a scenario; ");
    /* a finding like others, in JSON too */
    const Transcript t = zveno("check fall.yaml --json");
    expect_code(t, 1);
    expect_part(t.out, "expected a robot, found a scenario");
}

/* What a file is, not what it is called, decides. */
static void recordings_by_any_name(void **state) {
    (void)state;
    Transcript t = zveno("info fall.dat");
    expect_silence(t);
    expect_part(t.out, "recording fall.dat: 11 rows");
    expect_silence(zveno("convert fall.dat -o again.csv"));
    expect_code(shell("cmp fall.csv again.csv"), 0);
}

/* Pages, pictures and states too. */
static void other_kinds_are_named(void **state) {
    (void)state;
    put_file("page.html", "<!DOCTYPE html>\n<html><body></body></html>\n");
    put_file("plot.svg", "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n");
    expect_failure(zveno("show plot.svg"), 1, "plot.svg: expected a recording, found a picture; open it");
    expect_failure(zveno("report page.html"), 1, "page.html: expected a recording, found a web page; open it");
    expect_failure(zveno("inverse arm.urdf --state " MODEL("two_link.yaml")), 1, "expected a state, found a robot; ");
    expect_failure(zveno("inverse arm.urdf --state fall.yaml"), 1, "fall.yaml: expected a state, found a scenario; ");
    expect_failure(zveno("inverse arm.urdf --state fall.csv"), 1, "fall.csv: expected a state, found a recording; ");
    expect_failure(zveno_with("{zveno: 1}", "inverse arm.urdf --state -"), 1,
                   "<stdin>: expected a state, found a robot; ");
}

/* Outputs --------------------------------------------------------------------------------------------- */

static void convert_says_what_it_wrote(void **state) {
    (void)state;
    Transcript t = zveno("convert arm.urdf -o out.yaml");
    expect_silence(t);
    assert_string_equal(t.out, "wrote out.yaml: robot arm in the native format, 4 links, 3 joints\n");
    expect_silence(zveno("info out.yaml"));
    static const char *const formats[][2] = {{"urdf", "URDF"}, {"xml", "MJCF"}};
    for (size_t i = 0; i < 2; i++) {
        char words[80], said[120];
        snprintf(words, sizeof words, "convert arm.urdf -o out.%s", formats[i][0]);
        snprintf(said, sizeof said, "wrote out.%s: robot arm in %s, 4 links, 3 joints\n", formats[i][0], formats[i][1]);
        t = zveno(words);
        expect_code(t, 0);
        assert_string_equal(t.out, said);
        snprintf(words, sizeof words, "info out.%s", formats[i][0]);
        expect_silence(zveno(words));
    }
    static const char *const others[] = {"out.sdf", "out.json", "out.dae", "out.h5", "./a.b/out.usd"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char words[80];
        snprintf(words, sizeof words, "convert arm.urdf -o %s", others[i]);
        t = zveno(words);
        expect_failure(t, 2, "expected -o FILE.yaml, FILE.urdf or FILE.xml, found");
        assert_false(has_file(others[i]));
    }
    expect_silence(shell("mkdir -p a.b && \"$Z\" convert arm.urdf -o a.b/out && \"$Z\" convert arm.urdf -o a.b/o.YML"));
}

static void missing_folders_are_named(void **state) {
    (void)state;
    static const char *const words[] = {
        "simulate fall.yaml -o nowhere/deep/a.h5", "simulate fall.yaml -o nowhere/deep/a.csv",
        "convert arm.urdf -o nowhere/deep/a.yaml", "convert fall.csv -o nowhere/deep/a.h5"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const Transcript t = zveno(words[i]);
        expect_failure(t, 1, ": expected the folder nowhere/deep, found that it does not exist; make it");
        if (strstr(t.err, ".rows")) fail_msg("a file that the user did not name: %s", t.err);
    }
    expect_failure(zveno("simulate fall.yaml -o fall.yaml/a.h5"), 1, "expected the folder fall.yaml, found a file");
    expect_failure(zveno("simulate fall.yaml -o /nonexist/a.h5"), 1, "expected the folder /nonexist, found that");
}

static void headings_name_the_channel(void **state) {
    (void)state;
    Transcript t = zveno("show fall.csv --channels q,v.joint2,energy");
    expect_silence(t);
    expect_part(t.out, "q.joint1 [rad]  q.joint2 [rad]  v.joint2 [rad/s]  energy.kinetic [J]");
    /* what stands there is what --channels takes */
    t = zveno("show fall.csv --channels q.joint2,energy.kinetic --json");
    expect_silence(t);
    expect_part(t.out, "[\"q.joint2 [rad]\", \"energy.kinetic [J]\"]");
    put_file("one.csv", "time,height\n0,1\n1,2\n");
    expect_part(zveno("show one.csv").out, "t [s]     height [");
}

/* States ---------------------------------------------------------------------------------------------- */

/* Findings about the whole robot stand somewhere too; a modulus in GPa is told. */
static void findings_have_places(void **state) {
    (void)state;
    put_file("soft.yaml",
             "zveno: 1\nname: soft\ngravity: [0, 0, -9810]\nlinks:\n  - {name: base}\n"
             "  - {name: b, beam: {length: 1, modes: 1, material: {E: 70, density: 2700}, section: {circle: 0.01}}}\n"
             "joints:\n  - {name: j, type: revolute, parent: base, child: b}\n");
    Transcript t = zveno("check soft.yaml");
    expect_code(t, 0);
    expect_part(t.out, "soft.yaml:3:10: warning: robot \"soft\": expected gravity as on a planet");
    expect_part(t.out, "soft.yaml:6:57: warning: material of beam of link \"b\": ");
    expect_part(t.out, "write Pa: 70 GPa are 7e+10 Pa");
    put_file("none.yaml", "zveno: 1\nname: none\n");
    expect_part(zveno("check none.yaml").out, "none.yaml:2:7: error: robot \"none\": expected links");
    put_file("massless.yaml", "zveno: 1\nlinks: [{name: a}, {name: b}]\n"
                              "joints: [{name: j, type: revolute, parent: a, child: b}]\n");
    expect_part(zveno("check massless.yaml").out, "massless.yaml");
    t = zveno("check " MODEL("five_bar.yaml"));
    expect_part(t.out, "five_bar.yaml:27:5: note: robot \"five_bar\": only 2 of the 5 conditions");
}

/* Beside 1e3 N in x what is 1e-13 N in y is rounding, whichever columns they stand in. */
static void noise_is_zero(void **state) {
    (void)state;
    const Transcript t = zveno_with("{q: [pi/2, 0], fext: {link2: [0, 0, -1000, 0, 0, 0]}}",
                                    "inverse " MODEL("two_link.yaml") " --state - --reactions");
    expect_silence(t);
    const char *rows = strstr(t.out, "reactions of parent");
    assert_non_null(rows);
    if (strstr(rows, "e-1")) fail_msg("rounding is printed:\n%s", t.out);
}

/* A beam that sticks out straight under its weight starts to bend; where it has bent tau is what holds it. */
static void elastic_links_at_rest(void **state) {
    (void)state;
    put_file("beam.yaml", "zveno: 1\nlinks:\n  - {name: base}\n"
                          "  - {name: beam, beam: {length: 1, EIy: 500, EIz: 500, rhoA: 2, modes: {y: 1, z: 1}}}\n"
                          "joints:\n  - {name: hinge, type: revolute, parent: base, child: beam, axis: [0, 1, 0]}\n");
    Transcript t = zveno("inverse beam.yaml");
    expect_code(t, 0);
    expect_part(t.err, "note: the elastic links are not at rest at this q");
    t = shell("\"$Z\" modes beam.yaml --joints locked --equilibrium --json | sed -n 's/.*\"q\": "
              "\\(\\[[^]]*\\]\\).*/{q: \\1}/p'"
              " | \"$Z\" inverse beam.yaml --state - --json");
    expect_silence(t);
    zvDocument *document = parse(t.out);
    double tau = 0;
    assert_int_equal(zv_node_number(node_at(zv_document_root(document), "tau.0"), "tau", &tau, NULL), ZV_OK);
    zv_document_destroy(document);
    assert_true(fabs(tau + 2 * 9.81 / 2) < 1e-2); /* of its weight, but for how far it has bent */
}

static void what_is_not_taken_is_told(void **state) {
    (void)state;
    Transcript t = zveno_with("{tau: [1, 0]}", "inverse " MODEL("two_link.yaml") " --state -");
    expect_code(t, 0);
    expect_part(t.err, "zveno: note: the state has tau, which zveno inverse does not take; zveno help inverse tells");
    t = zveno_with("[{q: [1, 0]}, {a: [0, 1], given: [a, tau], fext: {link2: [1, 0, 0, 0, 0, 0]}}]",
                   "mass " MODEL("two_link.yaml") " --state - --json");
    expect_code(t, 0);
    expect_part(t.err, "the state has a, fext, given, which zveno mass does not take");
    t = zveno_with("{a: [1, 2]}", "mixed " MODEL("two_link.yaml") " --state -");
    expect_code(t, 0);
    expect_part(t.err, "zveno: note: 1 of 1 state has a, but no given, which says where it is known");
    expect_silence(zveno_with("{a: [1, 2], given: [a, a]}", "mixed " MODEL("two_link.yaml") " --state -"));
    /* neither what is taken nor zeros */
    expect_silence(zveno_with("{a: [1, 2], tau: [0, 0], fext: {link2: [1, 0, 0, 0, 0, 0]}}",
                              "inverse " MODEL("two_link.yaml") " --state -"));
    expect_silence(zveno_with("{v: [1, 2], tau: [1, 0], a: [0, 0]}", "forward " MODEL("two_link.yaml") " --state -"));
    expect_silence(zveno_with("{q: [1, 2], v: [1, 2]}", "mass " MODEL("two_link.yaml") " --state -"));
}

static void keys_that_others_use(void **state) {
    (void)state;
    static const char *const keys[][2] = {{"qd", "v"},    {"velocity", "v"}, {"qddot", "a"},
                                          {"Tau", "tau"}, {"torque", "tau"}, {"positions", "q"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char input[64], part[120];
        snprintf(input, sizeof input, "{%s: [0, 0]}", keys[i][0]);
        snprintf(part, sizeof part, "expected a key of a state, found \"%s\"; did you mean \"%s\"?", keys[i][0],
                 keys[i][1]);
        expect_failure(zveno_with(input, "forward " MODEL("two_link.yaml") " --state -"), 1, part);
    }
}

static void nothing_to_close_is_told(void **state) {
    (void)state;
    static const char *const verbs[] = {"assemble", "reduce"};
    for (int i = 0; i < 2; i++) {
        char words[400];
        snprintf(words, sizeof words, "%s two_link.yaml", verbs[i]);
        Transcript t = zveno(words);
        expect_code(t, 0);
        expect_part(t.err, "zveno: note: the robot has no closed loops: there is nothing to close");
        snprintf(words, sizeof words, "%s %s", verbs[i], MODEL("five_bar.yaml"));
        t = zveno(words);
        expect_code(t, 0);
        if (strstr(t.err, "no closed loops")) fail_msg("%s", t.err);
    }
}

static void methods_of_the_other_table(void **state) {
    (void)state;
    Transcript t = zveno("forward " MODEL("delta.yaml") " --method mass");
    expect_failure(t, 2, "expected a method for robots with closed loops, found \"mass\", which is for robots without");
    expect_part(t.err, "known: multipliers partition\n");
    t = zveno("forward two_link.yaml --method partition");
    expect_failure(t, 2, "expected a method for robots without closed loops, found \"partition\"");
    expect_part(t.err, "known: auto articulated");
}

/* Damping that is zero is printed as 0: gyroscopic forces make the problem a general one, whose eigenvalues have real
 * parts of rounding. */
static void no_damping_is_zero(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"{v: [0.3, 0.3]}", MODEL("two_link.yaml") " --joints free"},
                                           {"{v: [0.3, 0.3]}", MODEL("double_pendulum.yaml") " --joints free"},
                                           {"{}", MODEL("humanoid50.yaml")}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[400];
        snprintf(words, sizeof words, "modes %s --state - --json", cases[i][1]);
        const Transcript t = zveno_with(cases[i][0], words);
        if (t.code == 2 && strstr(t.err, "LAPACK")) skip();
        expect_code(t, 0);
        zvDocument *document = parse(t.out);
        const zvNode *modes = node_at(zv_document_root(document), "modes");
        assert_true(modes->count > 0);
        for (int k = 0; k < modes->count; k++) {
            const char *damping = node_at(modes->items[k], "damping")->text;
            if (strcmp(damping, "0") && fabs(strtod(damping, NULL)) < 1e-9)
                fail_msg("mode %d of %s: damping %s", k + 1, cases[i][1], damping);
        }
        zv_document_destroy(document);
    }
}

/* Robot files ----------------------------------------------------------------------------------------- */

#define ROBOT(joint)                                                                                    \
    "zveno: 1\nlinks:\n  - {name: base}\n  - {name: arm, mass: 1, inertia: [0.1, 0.1, 0.1]}\njoints:\n" \
    "  - {name: j, type: revolute, parent: base, child: arm, " joint "}\n"

static void axes_by_letter(void **state) {
    (void)state;
    static const char *const rows[][2] = {{"x", "[1, 0, 0]"},   {"y", "[0, 1, 0]"},   {"z", "[0, 0, 1]"},
                                          {"-x", "[-1, 0, 0]"}, {"-y", "[0, -1, 0]"}, {"-z", "[0, 0, -1]"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char one[400];
        snprintf(one, sizeof one, ROBOT("axis: %s"), rows[i][0]);
        put_file("letter.yaml", one);
        snprintf(one, sizeof one, ROBOT("axis: %s"), rows[i][1]);
        put_file("numbers.yaml", one);
        expect_silence(shell("\"$Z\" convert letter.yaml >a && \"$Z\" convert numbers.yaml >b && cmp a b"));
    }
    put_file("letter.yaml", ROBOT("axis: w"));
    expect_failure(
        zveno("info letter.yaml"), 1,
        "letter.yaml:6:63: axis of joint \"j\": expected a list of 3 numbers, or one of x, y, z, -x, -y, -z, "
        "found \"w\"; write [0, 1, 0] or y");
    put_file("list.yaml", ROBOT("origin: [0, 0, 1]"));
    expect_failure(zveno("info list.yaml"), 1,
                   "origin of joint \"j\": expected a map, found a list; write {xyz: [x, y, z]}");
}

static int prepare(void **state) {
    if (make_folder(state)) return -1;
    put_file("arm.urdf", arm_urdf);
    put_file("fall.yaml", fall);
    return shell("cp " MODEL("two_link.yaml") " . && \"$Z\" simulate fall.yaml -o fall.h5 && "
                                              "\"$Z\" simulate fall.yaml -o fall.csv && cp fall.csv fall.dat")
        .code;
}

TESTS_BETWEEN(prepare, remove_folder, kinds_of_files_are_told_apart, recordings_by_any_name, other_kinds_are_named,
              convert_says_what_it_wrote, missing_folders_are_named, headings_name_the_channel, elastic_links_at_rest,
              findings_have_places, noise_is_zero, what_is_not_taken_is_told, keys_that_others_use,
              nothing_to_close_is_told, methods_of_the_other_table, no_damping_is_zero, axes_by_letter)
