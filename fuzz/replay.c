/* Runs a fuzz target once on every file of the folders given as arguments: the seeds and past findings, as a test. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "target.h"

enum { LARGEST = 1 << 20 };

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(LARGEST);
    if (!file || !bytes) {
        perror(path);
        exit(1);
    }
    size_t size = fread(bytes, 1, LARGEST, file);
    fclose(file);
    printf("%s, %zu bytes\n", path, size);
    fflush(stdout); /* the name of the file must be seen when the target aborts */
    /* an exact block, so that reading beyond the end is found */
    uint8_t *exact = realloc(bytes, size ? size : 1);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

static int run_folder(const char *folder) {
    int count = 0;
    char path[4096];
    DIR *directory = opendir(folder);
    if (!directory) {
        perror(folder);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count += run_file(path);
    }
    closedir(directory);
    return count;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; i++) count += run_folder(argv[i]);
    printf("%d files\n", count);
    return count == 0;
}
