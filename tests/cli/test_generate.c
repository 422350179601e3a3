/* zveno generate: the chain of ten is models/chain10.yaml, chains of other sizes have their closed form, and wrong
 * words. */
#define _XOPEN_SOURCE 700
#include <math.h>

#include "support/run_tests.h"
#include "support/same_description.h"
#include "transcript.h"
#include "zveno/read.h"

static zvBuilder *read_robot(const char *path) {
    zvError error = {0};
    zvBuilder *builder = zv_builder_create(&error);
    if (!builder || zv_read_file(builder, path, ZV_FORMAT_AUTO, &error) < 0) fail_msg("%s", error.text);
    return builder;
}

static void ten_rods(void **state) {
    (void)state;
    char path[300], difference[256];
    const Transcript t = zveno("generate rods 10 -o ten.yaml");
    expect_silence(t);
    expect_part(t.out, "wrote ten.yaml: robot chain10 in the native format, 11 links, 10 joints\n");
    snprintf(path, sizeof path, "%s/ten.yaml", folder);
    zvBuilder *got = read_robot(path), *wanted = read_robot(ZV_SOURCE_DIR "/models/chain10.yaml");
    if (!same_description(got, wanted, difference, sizeof difference)) fail_msg("%s", difference);
    zv_builder_destroy(got);
    zv_builder_destroy(wanted);
}

/* Stretched: M_11 of one rod of 1 m and 10 kg about its end, of any number of them. */
static void any_number(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 7, 100};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char line[100];
        snprintf(line, sizeof line, "\"$Z\" generate rods %d | \"$Z\" mass - --json", sizes[i]);
        const Transcript t = shell(line);
        expect_silence(t);
        expect_numbers(t.out, "mass.0.0", 1, (double[]){10.0 / 3});
    }
    static const char *const files[] = {"seven.urdf", "seven.xml"};
    for (int i = 0; i < 2; i++) {
        char line[160];
        snprintf(line, sizeof line, "\"$Z\" generate rods 7 -o %s >said.txt && \"$Z\" mass %s --json", files[i],
                 files[i]);
        expect_numbers(shell(line).out, "mass.0.0", 1, (double[]){10.0 / 3});
    }
    const Transcript t = zveno("generate rods 2 --json");
    expect_silence(t);
    expect_text(t.out, "format", "native");
}

static void wrong_words(void **state) {
    (void)state;
    expect_failure(zveno("generate"), 2, "expected what to generate and its size, found neither");
    expect_failure(zveno("generate rods"), 2, "found no size: zveno generate rods 20");
    expect_failure(zveno("generate rod 3"), 2, "did you mean \"rods\"?");
    expect_failure(zveno("generate rods 3 4"), 2, "expected nothing after \"3\", found \"4\"");
    static const char *const sizes[] = {"0", "1e3", "3x", "x", "100001", "99999999999"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char words[60], found[60];
        snprintf(words, sizeof words, "generate rods %s", sizes[i]);
        snprintf(found, sizeof found, "a whole number of rods, 1 to 100000, found \"%s\"", sizes[i]);
        expect_failure(zveno(words), 2, found);
    }
    expect_failure(zveno("generate rods 3 -o no/where.yaml"), 1, "where.yaml");
}

TESTS_BETWEEN(make_folder, remove_folder, ten_rods, any_number, wrong_words)
