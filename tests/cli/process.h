/* Runs the built zveno as a process of its own, so that it can be interrupted or killed. Goes with transcript.h. */
#ifndef ZV_TESTS_CLI_PROCESS_H
#define ZV_TESTS_CLI_PROCESS_H

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#include "support/sanitized.h"
#include "transcript.h"

/* No test depends on how fast a machine is: they wait for what must come, and this long before they give it up. */
enum { PATIENCE = 600 }; /* s */

/* zveno ARGUMENTS... (closed by NULL) in the folder of the test, output to out.txt and err.txt there. A signal
 * (SIGPROF) ends it after so much processor time, however busy the machine is: nothing in zveno listens to it. 0:
 * nothing does. */
static inline pid_t start_mortal_zveno(const char *const *arguments, double seconds) {
    char program[] = "zveno", *words[32] = {program};
    for (int i = 0; arguments[i] && i < 30; i++) words[i + 1] = (char *)arguments[i];
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child) return child;
    if (chdir(folder) || !freopen("out.txt", "w", stdout) || !freopen("err.txt", "w", stderr)) _exit(99);
    /* others that run beside it use these files anew: what it says later comes behind, not over it */
    if (fcntl(STDOUT_FILENO, F_SETFL, O_APPEND) || fcntl(STDERR_FILENO, F_SETFL, O_APPEND)) _exit(99);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    const long life = (long)(1e6 * seconds);
    const struct itimerval timer = {.it_value = {life / 1000000, life % 1000000}};
    if (setitimer(ITIMER_PROF, &timer, NULL)) _exit(99); /* goes through execv */
    execv(ZV_BINARY_DIR "/zveno", words);
    _exit(99);
}

static inline pid_t start_zveno(const char *const *arguments) { return start_mortal_zveno(arguments, 0); }

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

static inline void remove_file(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

/* Which version of a file this is: another one has another number or time. All zero: there is none. */
typedef struct FileVersion {
    ino_t number;
    struct timespec time;
} FileVersion;

static inline FileVersion version_of(const char *name) {
    char path[512];
    struct stat info;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &info) == 0 ? (FileVersion){info.st_ino, info.st_mtim} : (FileVersion){0};
}

/* Waits until a process has written a file anew `times` times. False: it ended before, and *code says how. */
static inline bool comes_anew(pid_t child, const char *name, int times, int *code) {
    FileVersion before = version_of(name);
    for (double begin = clock_now(); clock_now() - begin < PATIENCE; sleep_for(0.002)) {
        const FileVersion now = version_of(name);
        if (now.number && (now.number != before.number || now.time.tv_sec != before.time.tv_sec ||
                           now.time.tv_nsec != before.time.tv_nsec)) {
            before = now;
            if (--times == 0) return true;
        }
        int status;
        if (waitpid(child, &status, WNOHANG) != child) continue;
        *code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        return false;
    }
    fail_msg("%s does not come", name);
    return false;
}

/* Interrupts zveno ARGUMENTS... by a signal after the second checkpoint of a file, when it is under way. Its exit code;
 * 0: it was done before that, and the caller takes a longer run. */
static inline int interrupt_zveno(const char *const *arguments, const char *output, int number) {
    char checkpoint[80];
    int code = 0;
    snprintf(checkpoint, sizeof checkpoint, "%s.checkpoint", output);
    const pid_t child = start_zveno(arguments);
    if (!comes_anew(child, checkpoint, 2, &code)) return code;
    kill(child, number);
    return wait_for(child);
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
