/* Scenarios and files: what lies beside one, fingerprints, and those of docs/scenarios.md. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "simulate/good_scenario.h"
#include "support/run_tests.h"

/* Files ------------------------------------------------------------------------------------------------ */

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file) fail_msg("cannot write %s", path);
    fputs(text, file);
    fclose(file);
}

#define FOLDER ZV_BINARY_DIR "/scenario_read"

static void make_files(void) {
    mkdir(FOLDER, 0777);
    mkdir(FOLDER "/data", 0777);
    write_text(FOLDER "/data/two.yaml", "zveno: 1\nlinks: [{name: a}, {name: b, " INERTIA "}, {name: c, " INERTIA
                                        "}]\njoints: [{name: j, type: revolute, parent: a, child: b}, {name: k, type: "
                                        "revolute, parent: b, child: c, axis: [0, 1, 0]}]\n");
    write_text(FOLDER "/data/push.csv", "time; one; two\n0; 0; 1\n1; 2; 3\n2; 0; 1\n");
    write_text(FOLDER "/data/state.json", "{\"q\": [0.1, 0.2], \"v\": [1, 2], \"tau\": [0, 0]}\n");
}

static void files_are_beside_the_scenario(void **state) {
    (void)state;
    make_files();
    write_text(
        FOLDER "/s.yaml",
        "zveno_scenario: 1\nmodel: {file: data/two.yaml, base: free}\nduration: 1\n"
        "drives:\n - {type: pd, name: a, joint: k, kp: 1, reference: {type: csv, file: data/push.csv, mode: linear, "
        "columns: [two], scale: 0.5}}\n"
        " - {type: pd, name: b, joint: j, kp: 1, reference: {type: csv, file: data/push.csv, time: 1, columns: [2], "
        "mode: hold}}\n");
    zvError error = {0};
    zvScenario *s = NULL;
    assert_int_equal(zv_scenario_read_file(FOLDER "/s.yaml", 0, NULL, &s, &error), ZV_OK);
    double r[8];
    assert_int_equal(zv_model_nv(s->model), 8);
    reference_at(s, 0.5, r);
    assert_true(r[7] == 1 && r[6] == 0);
    assert_string_equal(s->file, FOLDER "/s.yaml");
    zv_scenario_destroy(s);
    s = read_named(FOLDER "/t.yaml", "zveno_scenario: 1\nmodel: data/two.yaml\nduration: 1\ninitial: {state: "
                                     "data/state.json, q: {k: 0.5}}\n");
    assert_true(s->q[0] == 0.1 && s->q[1] == 0.5 && s->v[1] == 2);
    zv_scenario_destroy(s);
}

/* The fingerprint, computed anew. */
static uint64_t fnv(uint64_t hash, const char *bytes, size_t size) {
    while (size--) {
        hash ^= (unsigned char)*bytes++;
        hash *= 1099511628211u;
    }
    return hash;
}

static void fingerprints(void **state) {
    (void)state;
    static const char text[] =
        "zveno_scenario: 1\nmodel: data/two.yaml\nduration: 1\ndrives: [{type: torque, joint: j, law: "
        "{type: csv, file: data/push.csv, columns: [one]}}]\n";
    static const char csv[] = "time; one; two\n0; 0; 1\n1; 2; 3\n2; 0; 1\n";
    static const char *const sets[] = {"start=1"};
    make_files();
    zvScenario *a = read_named(FOLDER "/s.yaml", text), *b = read_named(FOLDER "/other.yaml", text);
    zvScenario *c = read_changed(FOLDER "/s.yaml", text, 1, sets);
    uint64_t hash = fnv(14695981039346656037u, text, sizeof text);
    char wanted[17];
    hash = fnv(hash, "", 1);
    hash = fnv(hash, csv, strlen(csv));
    hash = fnv(hash, a->model_text, strlen(a->model_text));
    snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)hash);
    assert_string_equal(zv_scenario_fingerprint(a), wanted);
    assert_string_equal(zv_scenario_fingerprint(b), wanted);
    assert_string_not_equal(zv_scenario_fingerprint(c), wanted);
    write_text(FOLDER "/data/push.csv", "time; one; two\n0; 0; 1\n1; 2; 4\n2; 0; 1\n");
    zvScenario *d = read_named(FOLDER "/s.yaml", text);
    assert_string_not_equal(zv_scenario_fingerprint(d), wanted);
    zv_scenario_destroy(a);
    zv_scenario_destroy(b);
    zv_scenario_destroy(c);
    zv_scenario_destroy(d);
}

/* The page --------------------------------------------------------------------------------------------- */

static char *load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("there is no %s", path);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    const size_t size = fread(text, 1, (1 << 18) - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* docs/scenarios.md: every scenario on the page can be read, and the first one is the file it names. */
static void scenarios_of_the_page(void **state) {
    (void)state;
    static const char fence[] = "```yaml\n";
    char *page = load(ZV_SOURCE_DIR "/docs/scenarios.md"), *file = load(ZV_SOURCE_DIR "/docs/scenarios/arm.yaml");
    int count = 0;
    for (char *at = page; (at = strstr(at, fence));) {
        at += strlen(fence);
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = '\0';
        if (strncmp(at, "zveno_scenario: 1", 17) == 0) {
            if (count++ == 0) assert_string_equal(at, file);
            zv_scenario_destroy(read_named(ZV_SOURCE_DIR "/docs/scenarios/page.yaml", at));
        }
        at = end + 1;
    }
    assert_true(count >= 2);
    free(page);
    free(file);
}

TESTS(files_are_beside_the_scenario, fingerprints, scenarios_of_the_page)
