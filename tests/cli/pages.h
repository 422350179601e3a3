/* Pages of the documentation whose commands are run, in the source tree by links, so that they may write files beside
 * them. Goes with transcript.h. */
#ifndef ZV_TESTS_CLI_PAGES_H
#define ZV_TESTS_CLI_PAGES_H

#include "transcript.h"

static inline char *read_page(const char *name) {
    static char page[TRANSCRIPT_CAPACITY];
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", ZV_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    return page;
}

/* Runs a line in the tree; `merge`, such as "2>&1", is put behind all of it. */
static inline void run_in_tree(const char *command, size_t length, const char *merge) {
    static char line[4096];
    const int size =
        snprintf(line, sizeof line, "cd tree && zveno() { \"$Z\" \"$@\"; }\n{ %.*s\n} %s", (int)length, command, merge);
    assert_true(size > 0 && (size_t)size < sizeof line);
    expect_code(shell(line), 0);
}

/* The source tree by links. */
static inline int make_tree(void **state) {
    if (make_folder(state)) return -1;
    return shell("mkdir tree && ln -s '" ZV_SOURCE_DIR "'/* tree/").code;
}

#endif
