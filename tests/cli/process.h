/* Runs the built zveno as a process of its own, so that it can be interrupted or killed. Goes with transcript.h. */
#ifndef ZV_TESTS_CLI_PROCESS_H
#define ZV_TESTS_CLI_PROCESS_H

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "support/sanitized.h"
#include "transcript.h"

/* zveno ARGUMENTS... (closed by NULL) in the folder of the test, output to out.txt and err.txt there. */
static inline pid_t start_zveno(const char *const *arguments) {
    char program[] = "zveno", *words[32] = {program};
    for (int i = 0; arguments[i] && i < 30; i++) words[i + 1] = (char *)arguments[i];
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child) return child;
    if (chdir(folder) || !freopen("out.txt", "w", stdout) || !freopen("err.txt", "w", stderr)) _exit(99);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    execv(ZV_BINARY_DIR "/zveno", words);
    _exit(99);
}

/* Waits for its end: the exit code, or minus the signal that ended it. */
static inline int wait_for(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static inline int run_zveno(const char *const *arguments) { return wait_for(start_zveno(arguments)); }

static inline void sleep_for(double seconds) {
    const struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
}

static inline double clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline bool has_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* A whole file in memory, to be freed. */
static inline char *load_file(const char *name, size_t *size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s is not there", name);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}

/* The table of a CSV recording: what comes after the comments. */
static inline const char *table_of_csv(const char *bytes) {
    while (*bytes == '#') bytes = strchr(bytes, '\n') + 1;
    return bytes;
}

#endif
