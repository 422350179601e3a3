/* Bad robot and state files through the command: exit code, place, offending word, advice, and nothing printed.
 *
 * tests/read holds the same kinds of fault in full, file by file of the readers; here every kind is seen once as a user
 * sees it. The last tests spoil good files at random places and sizes: whatever happens, the program ends in order. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

#include "support/random_tree_numbers.h"
#include "support/sanitized.h"

#define LINKS "<link name=\"a\"/><link name=\"b\"/>\n"
#define JOINT(name, parent, child) \
    "<joint name=\"" name "\" type=\"continuous\"><parent link=\"" parent "\"/><child link=\"" child "\"/></joint>\n"
#define URDF(body) "<robot name=\"r\">\n" body "</robot>\n"
#define NATIVE(body) "zveno: 1\nlinks:\n  - {name: a}\n" body

/* The address sanitizer reserves terabytes for itself. */
#define LITTLE_MEMORY (SANITIZED ? "" : "ulimit -v 500000; ")

/* A sanitized program takes a tenth of a second to start; tests/read and the corpus of fuzz/ are read sanitized in one
 * process each. */
enum { SPOILED = SANITIZED ? 20 : 120, ENDLESS = SANITIZED ? 1000 * 1000 : 10 * 1000 * 1000 };

typedef struct Bad {
    const char *file, *text;
    const char *place; /* after the file's name: ":line:column: " */
    const char *token; /* the offending word */
    const char *advice;
} Bad;

static void expect_bad(const Bad *bad, const char *verb) {
    char words[128], place[160];
    put_file(bad->file, bad->text);
    snprintf(words, sizeof words, "%s %s --json", verb, bad->file);
    snprintf(place, sizeof place, "zveno: error: %s%s", bad->file, bad->place);
    const Transcript t = zveno(words);
    expect_failure(t, 1, place);
    expect_part(t.err, bad->token);
    expect_part(t.err, bad->advice);
    const char *end = strchr(t.err, '\n');
    if (!end || end[1]) fail_msg("%s: one line of complaint was expected:\n%s", bad->file, t.err);
}

static void expect_all(const Bad *bad, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!SANITIZED || i % 2 == 0) expect_bad(&bad[i], "info");
        if (!SANITIZED || i % 2 == 1) expect_bad(&bad[i], "inverse");
    }
}
#define EXPECT_ALL(bad) expect_all(bad, sizeof(bad) / sizeof *(bad))

static void broken_text(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"tag.urdf", "<robot name=\"r\">\n<link name=\"a\">\n</robot>", ":3:", "link", "mend it"},
        {"cut.urdf", "<robot name=\"r\">\n<link name=\"a\"/>\n<joi", ":3:", "expected well-formed XML, found",
         "mend it"},
        {"open.yaml", "zveno: 1\nlinks:\n  - {name: a\n  - b\n", ":5:1: ", "line 3", "check brackets"},
        {"tab.yaml", "zveno: 1\nlinks:\n\t- name: a\n", ":3:1: ", "a tab", "spaces"},
        {"empty.urdf", "", ": ", "empty", "check the path"},
        {"blank.yaml", " \n\n", ": ", "white space", "expected a robot description"},
        {"page.urdf", "<html><body>404</body></html>", ":1:1: ", "html", "web page"},
    };
    EXPECT_ALL(bad);
}

static void entities(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"bomb.urdf",
         "<!DOCTYPE robot [\n<!ENTITY a \"aaaaaaaaaa\">\n<!ENTITY b \"&a;&a;&a;&a;&a;&a;\">\n]>\n<robot name=\"&b;\"/>",
         ":2:1: ", "entities", "delete the DOCTYPE"},
        {"file.urdf",
         "<!DOCTYPE robot [\n <!ENTITY x SYSTEM \"arm.urdf\">\n]>\n<robot name=\"&x;\"><link name=\"a\"/></robot>",
         ":2:2: ", "entities", "delete the DOCTYPE"},
        {"ring.yaml", "zveno: 1\nlinks: &a\n  - name: x\n  - *a\n", ":4:5: ", "*a", "cannot contain itself"},
    };
    EXPECT_ALL(bad);
    /* an outer definition file is neither fetched nor missed */
    put_file("outer.urdf", "<!DOCTYPE robot SYSTEM \"secret.dtd\">\n<robot name=\"r\"><link name=\"a\"/></robot>");
    put_file("secret.dtd", "<!ENTITY x \"y\">");
    expect_silence(zveno("info outer.urdf"));
    put_file("fetch.urdf", "<!DOCTYPE robot SYSTEM \"secret.dtd\">\n<robot name=\"&x;\"><link name=\"a\"/></robot>");
    expect_failure(zveno("info fetch.urdf"), 1, "fetch.urdf:2:");
}

static void names_and_trees(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"type.urdf", URDF(LINKS "<joint name=\"j\" type=\"revolut\"/>\n"), ":3:23: ", "\"revolut\"",
         "did you mean \"revolute\"?"},
        {"type.yaml", NATIVE("  - {name: b}\njoints:\n  - {name: j, type: hinge, parent: a, child: b}\n"),
         ":6:21: ", "\"hinge\"", "expected fixed, revolute"},
        {"parent.urdf", URDF(LINKS JOINT("j", "aa", "b")), ":3:49: ", "\"aa\"", "correct the name or add the link"},
        {"child.urdf", URDF(LINKS JOINT("j", "a", "bb")), ":3:66: ", "\"bb\"", "correct the name or add the link"},
        {"orphan.urdf", URDF(LINKS "<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>\n"),
         ":3:1: ", "<parent>", "add it"},
        {"barren.urdf", URDF(LINKS "<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/></joint>\n"),
         ":3:1: ", "<child>", "add it"},
        {"two.urdf", URDF(LINKS "<link name=\"c\"/>" JOINT("j1", "a", "c") JOINT("j2", "b", "c")),
         ":4:67: ", "expected one joint above the link \"c\", found two", "one joint above each link"},
        {"links.urdf", URDF("<link name=\"a\"/>\n<link name=\"a\"/>\n"), ":3:13: ", "link \"a\"", "rename one of them"},
        {"joints.urdf", URDF(LINKS "<link name=\"c\"/>\n" JOINT("j", "a", "b") JOINT("j", "b", "c")),
         ":5:14: ", "joint \"j\"", "rename one of them"},
        {"cycle.urdf", URDF("<link name=\"r\"/>" LINKS JOINT("j1", "a", "b") JOINT("j2", "b", "a")),
         ":3:14: ", "cycle through link \"b\"", "remove or reverse one joint"},
        {"self.urdf", URDF(LINKS JOINT("j", "a", "a")), ":3:66: ", "\"a\" joined to itself",
         "name another parent or child"},
        {"roots.urdf", URDF(LINKS "<link name=\"c\"/>\n" JOINT("j", "a", "b")), ":3:13: ", "\"a\", \"c\"",
         "a fixed joint will do"},
        {"none.urdf", URDF(""), ":1:14: ", "expected links in the robot, found none", "add at least one link"},
        {"key.yaml", NATIVE("  - {name: b, mas: 1}\n"), ":4:15: ", "\"mas\"", "did you mean \"mass\"?"},
        {"format.yaml", "zveno: 2\nlinks: []\n", ":1:8: ", "format 2", "zveno: 1"},
        {"include.yaml", "zveno: 1\ninclude: nowhere.urdf\n", ":2:10: ", "nowhere.urdf", "check the path"},
    };
    EXPECT_ALL(bad);
}

#define MASS(value)                                     \
    "<link name=\"a\"><inertial>\n<mass value=\"" value \
    "\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>\n"

static void numbers_and_physics(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"nan.urdf", URDF(MASS("nan")), ":3:14: ", "\"nan\"", "expected a finite number"},
        {"inf.urdf", URDF(MASS("-inf")), ":3:14: ", "\"-inf\"", "expected a finite number"},
        {"far.urdf", URDF(MASS("1e400")), ":3:14: ", "\"1e400\"", "expected a finite number"},
        {"word.urdf", URDF(MASS("heavy")), ":3:14: ", "\"heavy\"", "write a plain number"},
        {"light.urdf", URDF("<link name=\"z\"/>" MASS("-1") JOINT("j", "z", "a")), ":3:14: ", "-1 kg", "in kilograms"},
        {"axis.urdf",
         URDF(LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
                    "<axis xyz=\"0 0 0\"/></joint>\n"),
         ":4:12: ", "axis of joint \"j\"", "0 0 1"},
        {"short.urdf",
         URDF(LINKS "<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n"
                    "<origin xyz=\"1 2\"/></joint>\n"),
         ":4:14: ", "xyz of <origin>", "expected 3 numbers, found 2"},
        {"nan.yaml", NATIVE("  - {name: b, mass: 1, com: [0, .nan, 0]}\n"), ":4:33: ", "\".nan\"", "finite"},
        {"inf.yaml", NATIVE("  - {name: b, mass: .inf}\n"), ":4:21: ", "\".inf\"", "finite"},
        {"far.yaml", NATIVE("  - {name: b, mass: 1e400}\n"), ":4:21: ", "\"1e400\"", "finite"},
        {"word.yaml", NATIVE("  - {name: b, mass: heavy}\n"), ":4:21: ", "\"heavy\"", "write a number"},
        {"angle.yaml", NATIVE("  - {name: b, mass: 30 deg}\n"), ":4:21: ", "\"30 deg\"",
         "only angles are written in deg"},
        {"effort.yaml",
         NATIVE(
             "  - {name: b}\njoints:\n  - {name: j, type: revolute, parent: a, child: b, limits: {effort: 50 deg}}\n"),
         ":6:69: ", "\"50 deg\"", "only angles are written in deg"},
        {"slide.yaml",
         NATIVE("  - {name: b}\njoints:\n"
                "  - {name: j, type: prismatic, parent: a, child: b, limits: {lower: 0, upper: 50 deg}}\n"),
         ":6:79: ", "\"50 deg\"", "only angles are written in deg"},
        {"short.yaml", NATIVE("  - {name: b, mass: 1, com: [1, 2]}\n"), ":4:29: ", "com of link \"b\"", "expected 3"},
        {"axis.yaml",
         NATIVE("  - {name: b}\njoints:\n  - {name: j, type: revolute, parent: a, child: b, axis: [0, 0, 0]}\n"),
         ":6:58: ", "joint \"j\"", "[0, 0, 1]"},
        {"turn.yaml",
         NATIVE("  - {name: b}\njoints:\n"
                "  - {name: j, type: fixed, parent: a, child: b, origin: {quaternion: [0, 0, 0, 2]}}\n"),
         ":6:70: ", "length 1, found 2", "x, y, z, w"},
    };
    EXPECT_ALL(bad);
}

/* Identified parameters may look so and still give right forces: the linter complains, dynamics goes on. */
static void negative_moments(void **state) {
    (void)state;
    put_file("moments.yaml", NATIVE("  - {name: b, mass: 1, inertia: [-1, 1, 1]}\n"
                                    "joints: [{name: j, type: revolute, parent: a, child: b}]\n"));
    const Transcript t = zveno("check moments.yaml");
    assert_int_equal(t.code, 1);
    expect_part(t.out, "moments.yaml:4:33: error: link \"b\"");
    expect_part(t.out, "-1, 1, 1 kg m^2");
    expect_part(t.out, "check the signs");
    assert_int_equal(zveno("inverse moments.yaml").code, 0);
}

/* States that test_states.c does not have. */
static void bad_states(void **state) {
    (void)state;
    static const Bad bad[] = {
        {"twice.json", "{\"q\": [0, 0],\n \"q\": [1, 1]}", ":2:2: ", "\"q\"", ""},
        {"key.json", "{\"q\": [0, 0],\n \"qd\": [1, 1]}", ":2:2: ", "\"qd\"", ""},
        {"ring.yaml", "&a\nq: [0, *a]\n", ":2:", "*a", "cannot contain itself"},
        {"tail.json", "{}\n{}", ":2:", "", ""},
        {"bytes.json", "{\"q\": [0, \xff]}", ":1:", "UTF-8", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char words[128], place[160];
        put_file(bad[i].file, bad[i].text);
        snprintf(words, sizeof words, "inverse arm.urdf --state %s --json", bad[i].file);
        snprintf(place, sizeof place, "zveno: error: %s%s", bad[i].file, bad[i].place);
        const Transcript t = zveno(words);
        expect_failure(t, 1, place);
        expect_part(t.err, bad[i].token);
        expect_part(t.err, bad[i].advice);
    }
}

/* Aliases are shared, not copied: nine to the ninth numbers take no room, and are refused as what they are. */
static void alias_bomb(void **state) {
    (void)state;
    char text[2048] = "{tau: &a [1,1,1,1,1,1,1,1,1], v: ";
    for (char name = 'b'; name < 'j'; name++) {
        char row[128];
        const char before = (char)(name - 1);
        snprintf(row, sizeof row, "[&%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c],\n", name, before, before, before, before,
                 before, before, before, before, before);
        strcat(text, row);
    }
    strcat(text, "1]]]]]]]]}");
    put_file("bomb.yaml", text);
    snprintf(text, sizeof text, "%s\"$Z\" inverse arm.urdf --state bomb.yaml --json", LITTLE_MEMORY);
    expect_failure(shell(text), 1, "bomb.yaml:");
}

static void files_that_are_none(void **state) {
    (void)state;
    expect_failure(zveno("info ."), 1, "this is a directory");
    expect_failure(zveno("inverse arm.urdf --state ."), 1, "this is a directory");
    expect_failure(zveno("info nowhere/arm.urdf"), 1, "nowhere/arm.urdf: there is no such file");
    expect_failure(zveno("info arm.urdf/arm.urdf"), 1, "arm.urdf/arm.urdf: ");
    if (geteuid() == 0) {
        print_message("skipped: a file without permission, because root may read everything\n");
        return;
    }
    put_file("locked.urdf", arm_urdf);
    expect_failure(shell("chmod 000 locked.urdf && \"$Z\" info locked.urdf"), 1, "locked.urdf: ");
}

static void put_repeated(const char *name, const char *first, const char *piece, size_t size) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(first, file);
    for (size_t done = 0; done < size; done += strlen(piece)) fputs(piece, file);
    assert_int_equal(fclose(file), 0);
}

/* Megabytes of opening brackets of every kind, with a small stack. */
static void nested_without_end(void **state) {
    (void)state;
    static const struct {
        const char *first, *piece;
    } rows[] = {{"<robot name=\"r\">", "<a>"}, {"", "<robot>"}, {"", "["}, {"", "{a: "},
                {"zveno: 1\nlinks: ", "["},    {"", "- "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put_repeated("deep", rows[i].first, rows[i].piece, ENDLESS);
        expect_failure(shell("ulimit -s 512; \"$Z\" info deep"), 1, "zveno: error: deep:");
        expect_failure(shell("ulimit -s 512; \"$Z\" inverse arm.urdf --state deep"), 1, "zveno: error: deep:");
    }
}

/* A word of megabytes is cut in the message, not repeated. */
static void words_without_end(void **state) {
    (void)state;
    put_repeated("word", "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"", "x", ENDLESS);
    Transcript t = zveno("info word");
    expect_failure(t, 1, "zveno: error: word:1:");
    assert_true(strlen(t.err) < 1000);
    put_repeated("word", "zveno: 1\nname: a\n? ", "x", 1000 * 1000);
    t = zveno("info word");
    expect_failure(t, 1, "zveno: error: word:");
    assert_true(strlen(t.err) < 1000);
}

/* Random damage --------------------------------------------------------------------------------------- */

/* Spoils a text in place: a byte changed, a piece cut out, doubled or moved. */
static void spoil(rtRandom *random, char *text, size_t capacity) {
    static const char bytes[] = "<>/\"'={}[]:,-&*#!?.0e9 \n\tnai\x80\xff";
    size_t size = strlen(text);
    const size_t at = (size_t)rt_below(random, (int)size), rest = size - at;
    const size_t piece = 1 + (size_t)rt_below(random, (int)(rest < 40 ? rest : 40));
    switch (rt_below(random, 4)) {
    case 0: text[at] = bytes[rt_below(random, (int)sizeof bytes - 1)]; break;
    case 1: memmove(text + at, text + at + piece, rest - piece + 1); break;
    case 2:
        if (size + piece < capacity) memmove(text + at + piece, text + at, rest + 1);
        break;
    default: text[at] = '\0'; break;
    }
}

static void sweep(uint64_t seed, const char *good, const char *file, const char *words) {
    static char text[1 << 16];
    for (int i = 0; i < SPOILED; i++) {
        rtRandom random = {seed + (uint64_t)i};
        snprintf(text, sizeof text, "%s", good);
        const int times = 1 + rt_below(&random, 3);
        for (int k = 0; k < times && text[0]; k++) spoil(&random, text, sizeof text);
        put_file(file, text);
        const Transcript t = zveno(words);
        const int in_order =
            t.code == 0 || ((t.code == 1 || t.code == 3) && !t.out[0] && strncmp(t.err, "zveno: error: ", 14) == 0);
        if (!in_order)
            fail_msg("seed %llu: exit code %d\n%s%s\nof:\n%s", (unsigned long long)(seed + (uint64_t)i), t.code, t.out,
                     t.err, text);
    }
}

static void spoiled_urdf(void **state) {
    (void)state;
    sweep(1000, arm_urdf, "spoiled.urdf", "inverse spoiled.urdf --json");
}

static void spoiled_native(void **state) {
    (void)state;
    static const char good[] =
        "zveno: 1\nname: r\ngravity: [0, 0, -9.81]\nlinks:\n  - {name: a}\n"
        "  - {name: b, mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1]}\n  - name: c\n    mass: 2\n    inertia: [1, 1, "
        "1]\n"
        "joints:\n  - {name: j, type: revolute, parent: a, child: b, limits: {lower: -1, upper: pi/2}}\n"
        "  - name: k\n    type: curve\n    parent: b\n    child: c\n"
        "    curve: {spline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], closed: true}}\n"
        "frames: [{name: t, link: c, pose: {xyz: [0, 0, 1], rpy: [0, 30 deg, 0]}}]\n";
    sweep(2000, good, "spoiled.yaml", "inverse spoiled.yaml --json");
}

static void spoiled_state(void **state) {
    (void)state;
    static const char good[] = "[{\"q\": [0.3, 0.2], \"v\": [1.5, -0.4], \"a\": [2, 3],\n"
                               " \"fext\": {\"tool\": [1, 2, 3, 4, 5, 6]}}, {\"q\": [0, 0]}]\n";
    sweep(3000, good, "spoiled.json", "inverse arm.urdf --state spoiled.json --json");
}

TESTS_BETWEEN(make_folder, remove_folder, broken_text, entities, names_and_trees, numbers_and_physics, negative_moments,
              bad_states, alias_bomb, files_that_are_none, nested_without_end, words_without_end, spoiled_urdf,
              spoiled_native, spoiled_state)
