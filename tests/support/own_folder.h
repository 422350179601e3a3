/* A folder of a test program's own, below the build folder: made before the tests, gone behind them with all that lies
 * in it. Needs _XOPEN_SOURCE 700. */
#ifndef TESTS_SUPPORT_OWN_FOLDER_H
#define TESTS_SUPPORT_OWN_FOLDER_H

#include <dirent.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[200];

/* The path of a name in it; four live at a time. */
static inline char *in_folder(const char *name) {
    static char path[4][300];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static inline void save(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* How much lies in it. */
static inline int entries(void) {
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    while (readdir(directory)) count++;
    closedir(directory);
    return count - 2;
}

static inline int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    return place->level > 0 ? remove(path) : 0;
}

/* Removes what lies in it; links are removed, not followed. */
static inline void empty_folder(void) { assert_int_equal(nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0); }

static inline int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "%s/testXXXXXX", ZV_BINARY_DIR);
    return mkdtemp(folder) ? 0 : 1;
}

static inline int remove_folder(void **state) {
    (void)state;
    empty_folder();
    return rmdir(folder);
}

#endif
