/* docs/formats.md: every whole robot on the page can be read and frozen, and the first one is the file it names; the
 * pages of formats have the words of their readers. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "read/mjcf_words.h"
#include "support/run_tests.h"
#include "zveno/check.h"
#include "zveno/read.h"

enum { CAPACITY = 1 << 18 };

static const char *read_text(const char *path, char *text) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("there is no %s", path);
    const size_t size = fread(text, 1, CAPACITY - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

static bool count_warnings(void *context, const zvFinding *finding) {
    *(int *)context += finding->severity >= ZV_SEVERITY_WARNING && strcmp(finding->rule, "massless-leaf") != 0 &&
                       strcmp(finding->rule, "no-mass") != 0;
    return true;
}

/* Includes are looked for in docs/formats. */
static void expect_robot(const char *text, size_t size) {
    zvError error = {0};
    zvModel *model = NULL;
    int warnings = 0;
    zvBuilder *builder = zv_builder_create(&error);
    assert_non_null(builder);
    if (zv_read_memory(builder, ZV_SOURCE_DIR "/docs/formats/page.yaml", text, size, ZV_FORMAT_AUTO, &error) != ZV_OK ||
        zv_builder_freeze(builder, &model, &error) != ZV_OK)
        fail_msg("%s\n%.*s", error.text, (int)size, text);
    assert_int_equal(zv_check(builder, count_warnings, &warnings, &error), ZV_OK);
    assert_int_equal(warnings, 0);
    zv_model_destroy(model);
    zv_builder_destroy(builder);
}

static void robots_of_the_page(void **state) {
    (void)state;
    static char page[CAPACITY], file[CAPACITY];
    static const char fence[] = "```yaml\n";
    int robots = 0;
    read_text(ZV_SOURCE_DIR "/docs/formats.md", page);
    read_text(ZV_SOURCE_DIR "/docs/formats/small-arm.yaml", file);
    for (const char *at = page; (at = strstr(at, fence));) {
        at += strlen(fence);
        const char *end = strstr(at, "```");
        assert_non_null(end);
        const size_t size = (size_t)(end - at);
        if (strncmp(at, "zveno: 1", 8) != 0) continue;
        if (robots++ == 0 && (size != strlen(file) || memcmp(at, file, size) != 0))
            fail_msg("docs/formats/small-arm.yaml is not the robot of the page");
        expect_robot(at, size);
    }
    assert_true(robots >= 3);
}

/* Whether a page has a word within backquotes. */
static bool is_told(const char *page, const char *word, size_t length) {
    bool code = false;
    for (const char *at = page; *at; at++) {
        if (*at == '`') code = !code;
        const bool begins = at == page || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (!code || !begins || strncmp(at, word, length) != 0) continue;
        if (!isalnum((unsigned char)at[length]) && at[length] != '_') return true;
    }
    return false;
}

/* All words between quotation marks from one text of a source to another. */
static int untold_words(const char *source, const char *from, const char *to, const char *page) {
    static char text[CAPACITY], told[CAPACITY];
    int missing = 0;
    char path[512];
    snprintf(path, sizeof path, ZV_SOURCE_DIR "/src/read/%s", source);
    const char *at = strstr(read_text(path, text), from);
    snprintf(path, sizeof path, ZV_SOURCE_DIR "/docs/formats/%s", page);
    read_text(path, told);
    assert_non_null(at);
    const char *end = strstr(at, to);
    assert_non_null(end);
    while ((at = strchr(at, '"')) && at < end) {
        const char *stop = strchr(++at, '"');
        for (; at < stop; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " \"");
            if (length > 0 && !is_told(told, at, length))
                print_message("%s: %s does not have %.*s\n", source, page, (int)length, at), missing++;
            at += length;
            if (*at == '"') break;
        }
        at = stop + 1;
    }
    return missing;
}

/* The page of a format has every word that its reader knows; of MJCF every element, and what the reader does with their
 * attributes is told in the same rows. */
static void words_of_the_readers(void **state) {
    (void)state;
    static char page[CAPACITY];
    int missing = untold_words("sdf_remark.c", "known[] = {", "\n};", "sdf.md");
    missing += untold_words("urdf_remark.c", "urdf_names[] = {", "\n};", "urdf.md");
    read_text(ZV_SOURCE_DIR "/docs/formats/mjcf.md", page);
    for (size_t i = 0; i < sizeof zi_mjcf_words / sizeof *zi_mjcf_words; i++) {
        if (is_told(page, zi_mjcf_words[i].element, strlen(zi_mjcf_words[i].element))) continue;
        print_message("mjcf.md does not have <%s>\n", zi_mjcf_words[i].element);
        missing++;
    }
    assert_int_equal(missing, 0);
}

TESTS(robots_of_the_page, words_of_the_readers)
