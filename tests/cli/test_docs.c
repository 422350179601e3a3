/* Runs every console example of the README, docs/overview.md, docs/cli.md, docs/equilibrium.md, docs/loops.md,
 * docs/methods.md, docs/publications.md, docs/report.md, docs/tutorial.md and the pages of docs/examples and compares
 * what it prints with what the page shows. Numbers may differ in their last digits, as they do between instruction
 * sets. Lists of verbs, options and examples are held against what there is. */
#define _XOPEN_SOURCE 700
#include "pages.h"
#include "support/run_tests.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>

static const char fence[] = "```console\n$ ";

/* The next word: a run of letters and digits, or one other sign. */
static size_t word_length(const char *at) {
    size_t length = 0;
    while (at[length] && (isalnum((unsigned char)at[length]) || strchr("._+-", at[length]))) length++;
    return length ? length : *at != '\0';
}

static bool same_word(const char *a, size_t na, const char *b, size_t nb) {
    if (na == nb && !memcmp(a, b, na)) return true;
    char *end_a, *end_b;
    const double x = strtod(a, &end_a), y = strtod(b, &end_b);
    return end_a == a + na && end_b == b + nb && fabs(x - y) <= 1e-9 * (1 + fabs(y));
}

static void compare(const char *command, const char *shown, size_t size, const char *got) {
    const char *end = shown + size;
    const char *a = shown, *b = got;
    for (;;) {
        while (a < end && isspace((unsigned char)*a)) a++;
        while (isspace((unsigned char)*b)) b++;
        if (a >= end || !*b) break;
        const size_t na = word_length(a), nb = word_length(b);
        if (!same_word(a, na, b, nb)) break;
        a += na;
        b += nb;
    }
    if (a < end || *b) fail_msg("$ %s\nthe page shows:\n%.*s\nthe program prints:\n%s", command, (int)size, shown, got);
}

/* Progress of runs that take a while on this machine is not shown. */
static void run_example(const char *command, size_t length) {
    run_in_tree(command, length, "2>&1 | sed -E '/^ *[0-9]+%  .*( of |took )/d'; true");
}

static void page_shows_what_examples_print(const char *page, int least) {
    int examples = 0;
    for (const char *at = read_page(page); (at = strstr(at, fence)); examples++) {
        at += strlen(fence);
        const char *shown = strchr(at, '\n') + 1;
        const char *end = strstr(shown - 1, "\n```");
        char command[1024];
        assert_non_null(end);
        snprintf(command, sizeof command, "%.*s", (int)(shown - 1 - at), at);
        run_example(at, (size_t)(shown - 1 - at));
        compare(command, shown, end < shown ? 0 : (size_t)(end - shown), printed);
        at = end;
    }
    assert_true(examples >= least);
}

static void cli_page(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/cli.md", 10);
}

static void control_page(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/control.md", 7);
}

static void loops_page(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/loops.md", 8);
}

static void methods_page(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/methods.md", 4);
}

static void publications_page(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/publications.md", 1);
}

static void report_page(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/report.md", 4);
}

static void tutorial(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/tutorial.md", 5);
}

static void readme(void **state) {
    (void)state;
    page_shows_what_examples_print("README.md", 1);
    page_shows_what_examples_print("docs/overview.md", 2);
}

static void equilibrium(void **state) {
    (void)state;
    page_shows_what_examples_print("docs/equilibrium.md", 3);
}

/* Whether the second column, words with blanks between, has the verb; "all but some" has it, too. */
static bool column_has(const char *row, const char *verb) {
    char column[200], *next = NULL;
    const char *start = strstr(row, " | ") + 3;
    snprintf(column, sizeof column, "%.*s", (int)(strstr(start, " |") - start), start);
    if (!strncmp(column, "all", 3)) return true;
    for (char *word = strtok_r(column, " ", &next); word; word = strtok_r(NULL, " ", &next))
        if (!strcmp(word, verb)) return true;
    return false;
}

/* Whether a row of a table, as "| `--every DT` | show | ...", has the word in its first column and, unless that is
 * NULL, the verb in its second. */
static bool table_has(const char *page, const char *word, const char *verb) {
    const size_t length = strlen(word);
    for (const char *line = page; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *end = line[0] == '|' ? strstr(line, " | ") : line;
        for (const char *at = line; (at = strchr(at, '`')) && at < end; at++) {
            if (strncmp(at + 1, word, length) || !strchr("` ", at[1 + length])) continue;
            if (!verb || column_has(line, verb)) return true;
        }
    }
    return false;
}

/* Options as the command's own help lists them, "  -o, --output FILE  write to FILE". */
static int expect_options(const char *page, const char *verb) {
    char words[32];
    int count = 0;
    snprintf(words, sizeof words, "help %s", verb);
    const char *line = strstr(zveno(words).out, "\nOptions\n");
    assert_non_null(line);
    for (line += strlen("\nOptions\n"); *line == ' '; line = strchr(line, '\n') + 1, count++) {
        const char *start = strstr(line, "--");
        char option[40];
        snprintf(option, sizeof option, "%.*s", (int)strcspn(start, " \n"), start);
        if (!table_has(page, option, verb))
            fail_msg("docs/cli.md: no row of the table of options has %s of zveno %s", option, verb);
    }
    return count;
}

/* The tables of verbs and of options of docs/cli.md are complete, by what the command itself says it knows. */
static void cli_tables(void **state) {
    (void)state;
    enum { VERBS = 23 };
    const char *page = read_page("docs/cli.md");
    static char verbs[TRANSCRIPT_CAPACITY];
    int count = 0, options = 0;
    strcpy(verbs, zveno("help").out);
    const char *line = strstr(verbs, "usage: zveno VERB");
    assert_non_null(line);
    for (line = strchr(line, '\n') + 1; !strncmp(line, "  ", 2); line = strchr(line, '\n') + 1, count++) {
        char verb[20];
        snprintf(verb, sizeof verb, "%.*s", (int)strcspn(line + 2, " "), line + 2);
        if (!table_has(page, verb, NULL)) fail_msg("docs/cli.md: no row of the table of verbs has %s", verb);
        options += expect_options(page, verb);
    }
    assert_true(count >= VERBS && options > 4 * count);
}

/* Every program of examples/ is named where examples are listed. */
static void example_list(void **state) {
    (void)state;
    glob_t found;
    const char *page = read_page("docs/examples.md");
    assert_int_equal(glob(ZV_SOURCE_DIR "/examples/[0-9]*.c", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 12);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char name[80];
        snprintf(name, sizeof name, "`%s`", strrchr(found.gl_pathv[i], '/') + 1);
        if (!strstr(page, name)) fail_msg("docs/examples.md does not name %s", name);
    }
    globfree(&found);
    assert_int_equal(glob(ZV_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *file = strrchr(found.gl_pathv[i], '/') + 1;
        char link[160];
        snprintf(link, sizeof link, "(examples/%.*s.md)", (int)(strlen(file) - strlen(".yaml")), file);
        if (!strstr(page, link)) fail_msg("docs/examples.md does not lead to %s", link);
    }
    globfree(&found);
}

/* Every scenario has a page, and every page of a scenario shows two commands at least: simulate and plot. */
static void example_pages(void **state) {
    (void)state;
    glob_t found;
    const size_t root = strlen(ZV_SOURCE_DIR "/");
    assert_int_equal(glob(ZV_SOURCE_DIR "/scenarios/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = found.gl_pathv[i] + root + strlen("scenarios/");
        char page[256];
        snprintf(page, sizeof page, "docs/examples/%.*s.md", (int)(strlen(name) - strlen(".yaml")), name);
        page_shows_what_examples_print(page, 2);
    }
    globfree(&found);
}

TESTS_BETWEEN(make_tree, remove_folder, cli_tables, example_list, cli_page, control_page, loops_page, methods_page,
              publications_page, report_page, tutorial, equilibrium, readme, example_pages)
