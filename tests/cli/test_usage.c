/* Words of the command line: verbs, options, help, exit codes. */
#define _XOPEN_SOURCE 700
#include "support/run_tests.h"
#include "transcript.h"

static const char *const verb_names[] = {
    "info", "check",   "inverse",  "forward", "mixed",    "mass",      "terms",    "frame", "modes", "equilibrium",
    "map",  "ik",      "assemble", "reduce",  "simulate", "linearize", "response", "show",  "plot",  "report",
    "view", "convert", "generate", "count",   "codegen",  "agree",     "bench",    "help"};
enum { VERBS = sizeof verb_names / sizeof verb_names[0] };

static void version_is_printed(void **state) {
    (void)state;
    static const char *const spellings[] = {"--version", "-V"};
    for (int w = 0; w < 2; w++) {
        const Transcript t = zveno(spellings[w]);
        expect_silence(t);
        expect_part(t.out, "zveno ");
    }
}

static void nothing_asked_is_wrong_usage(void **state) {
    (void)state;
    const Transcript t = zveno("");
    expect_code(t, 2);
    assert_string_equal(t.out, "");
    expect_part(t.err, "usage: zveno VERB MODEL");
    int lines = 0;
    for (const char *c = t.err; *c; c++) lines += *c == '\n';
    assert_true(lines <= VERBS + 2);
}

static void overview_names_every_verb(void **state) {
    (void)state;
    static const char *const spellings[] = {"help", "--help", "-h"};
    for (int w = 0; w < 3; w++) {
        const Transcript t = zveno(spellings[w]);
        expect_silence(t);
        for (int i = 0; i < VERBS; i++) expect_part(t.out, verb_names[i]);
        expect_part(t.out, "quaternion  x, y, z, w");
        expect_part(t.out, "Exit codes");
    }
}

static void every_verb_has_help_with_an_example(void **state) {
    (void)state;
    for (int i = 0; i < VERBS; i++) {
        char words[64];
        static char first[TRANSCRIPT_CAPACITY];
        snprintf(words, sizeof words, "help %s", verb_names[i]);
        Transcript t = zveno(words);
        expect_silence(t);
        expect_part(t.out, "usage: zveno ");
        expect_part(t.out, "Example\n");
        for (const char *line = t.out; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 108) fail_msg("help %s: a long line: %.200s", verb_names[i], line);
        static const char *const without[] = {"check",    "show",  "plot",  "report", "view", "convert",
                                              "generate", "count", "agree", "bench",  "help"};
        bool conventions = true;
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            conventions &= strcmp(verb_names[i], without[k]) != 0;
        assert_int_equal(strstr(t.out, "linear part first") != NULL, conventions);
        assert_int_equal(strstr(t.out, "State (--state FILE") != NULL, conventions && strcmp(verb_names[i], "info") &&
                                                                           strcmp(verb_names[i], "simulate") &&
                                                                           strcmp(verb_names[i], "codegen"));
        snprintf(first, sizeof first, "%s", t.out);
        snprintf(words, sizeof words, "%s --help", verb_names[i]);
        t = zveno(words);
        expect_silence(t);
        assert_string_equal(t.out, first);
    }
}

static void help_lists_methods(void **state) {
    (void)state;
    expect_part(zveno("help forward").out, "Methods\n");
    expect_part(zveno("help mass").out, "(default)");
}

static void unknown_words_get_suggestions(void **state) {
    (void)state;
    expect_failure(zveno("invrse arm.urdf"), 2, "did you mean \"inverse\"?");
    expect_part(zveno("invrse arm.urdf").err, "known: info check inverse");
    expect_failure(zveno("help invrse"), 2, "did you mean \"inverse\"?");
    expect_failure(zveno("inverse arm.urdf --stat x"), 2, "did you mean \"--state\"?");
    expect_failure(zveno("info arm.urdf --jsn"), 2, "did you mean \"--json\"?");
    expect_failure(zveno("info arm.urdf -x"), 2, "expected a known option");
    const Transcript t = zveno("inverse arm.urdf --frame tool");
    expect_failure(t, 2, "expected a known option of \"zveno inverse\", found \"--frame\"\nknown: --state ");
    assert_null(strstr(t.err, "did you mean"));
    assert_null(strstr(zveno("mass arm.urdf --quaternion").err, "did you mean"));
    expect_failure(zveno("forward arm.urdf --method articulate"), 2, "did you mean \"articulated\"?");
    expect_part(zveno("mass arm.urdf --method x").err, "known: ");
    expect_failure(zveno("frame arm.urdf --frame tol"), 1, "did you mean \"tool\"?");
    expect_part(zveno("frame arm.urdf --frame tol").err, "known: base beam tip tool");
}

static void options_belong_to_verbs(void **state) {
    (void)state;
    expect_failure(zveno("info arm.urdf --method mass"), 2, "\"zveno info\"");
    expect_failure(zveno("forward arm.urdf --reactions"), 2, "--reactions");
    expect_failure(zveno("--json info arm.urdf"), 2, "expected a verb, found \"--json\"");
}

static void values_of_options(void **state) {
    (void)state;
    expect_failure(zveno("inverse arm.urdf --state"), 2, "--state FILE");
    expect_failure(zveno("info arm.urdf --base=hanging"), 2, "free|fixed");
    expect_failure(zveno("info arm.urdf --mimic x"), 2, "couple|free");
    expect_failure(zveno("frame arm.urdf --frame tool --axes x"), 2, "world|local");
    expect_failure(zveno("info arm.urdf --json=yes"), 2, "expected no value of option --json, found one");
    expect_failure(zveno("info arm.urdf --gravity 1,2"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --gravity 1,2,nan"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --gravity 1,2,3,4"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --gravity 0,0,0x10"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --gravity 0,,1"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --gravity 1,2,"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --gravity 0,0,1e999"), 2, "x,y,z");
    expect_failure(zveno("info arm.urdf --base free --base fixed"), 2, "once, found it twice");
    expect_failure(zveno("frame arm.urdf"), 2, "--frame NAME");
}

static void both_forms_of_a_value_are_the_same(void **state) {
    (void)state;
    static const double g[3] = {-1, 0.5, 2};
    Transcript t = zveno("info arm.urdf --json --gravity -1,0.5,2");
    expect_silence(t);
    expect_numbers(t.out, "gravity", 3, g);
    t = zveno("info --gravity=-1,0.5,2 --json arm.urdf");
    expect_silence(t);
    expect_numbers(t.out, "gravity", 3, g);
}

static void operands(void **state) {
    (void)state;
    expect_failure(zveno("info"), 2, "expected the model file, found none");
    expect_failure(zveno("info arm.urdf other.urdf"), 2, "expected nothing after \"arm.urdf\", found \"other.urdf\"");
    expect_failure(zveno("inverse - --state -"), 2, "from standard input, found both");
    put_file("--odd.urdf", arm_urdf);
    expect_silence(zveno("info --json -- --odd.urdf"));
    expect_silence(zveno_with(arm_urdf, "info -"));
}

static void missing_files_are_wrong_input(void **state) {
    (void)state;
    expect_failure(zveno("info nowhere.urdf"), 1, "nowhere.urdf");
    expect_failure(zveno("inverse arm.urdf --state nowhere.json"), 1, "nowhere.json");
}

TESTS_BETWEEN(make_folder, remove_folder, version_is_printed, nothing_asked_is_wrong_usage, overview_names_every_verb,
              every_verb_has_help_with_an_example, help_lists_methods, unknown_words_get_suggestions,
              options_belong_to_verbs, values_of_options, both_forms_of_a_value_are_the_same, operands,
              missing_files_are_wrong_input)
