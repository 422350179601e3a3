#define _POSIX_C_SOURCE 200809L
#include "generated_code.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"

/* Statements of a function, which a compiler takes some ten seconds for. Freedoms. */
enum { LARGEST = 20000, LARGEST_ROBOT = 64 };

/* Which function answers a task. */
static const struct {
    zvGenerated function;
    bool none;
} made[TASKS] = {[TASK_INVERSE] = {ZV_GENERATED_INVERSE, false},
                 [TASK_FORWARD] = {ZV_GENERATED_FORWARD, false},
                 [TASK_MASS] = {ZV_GENERATED_MASS, false},
                 [TASK_MASS_DENSE] = {ZV_GENERATED_MASS, false},
                 [TASK_MASS_INVERSE] = {ZV_GENERATED_MINV, false},
                 [TASK_JACOBIAN] = {ZV_GENERATED_JACOBIAN, false},
                 [TASK_D_INVERSE] = {ZV_GENERATED_INVERSE_DERIVATIVES, false},
                 [TASK_D_FORWARD] = {ZV_GENERATED_FORWARD_DERIVATIVES, false},
                 [TASK_BIAS] = {ZV_GENERATED_BIAS, false},
                 [TASK_POSE] = {ZV_GENERATED_POSE, false},
                 [TASK_LINKS] = {.none = true},
                 [TASK_BODIES] = {.none = true},
                 [TASK_MOMENTUM] = {.none = true},
                 [TASK_CENTROIDAL] = {.none = true},
                 [TASK_OPSPACE] = {.none = true},
                 [TASK_WELD] = {.none = true}};

static void run_compiler(const char *library, const char *source) {
    const char *cc = getenv("BENCH_CC");
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    execlp(cc ? cc : "cc", "cc", "-std=c17", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-shared",
           "-fPIC", "-o", library, source, "-lm", (char *)NULL);
    _exit(127);
}

static bool compile(const char *folder) {
    char source[512], library[512];
    int status = 0;
    snprintf(source, sizeof source, "%s/robot.c", folder);
    snprintf(library, sizeof library, "%s/robot.so", folder);
    const pid_t child = fork();
    if (child == 0) run_compiler(library, source);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void clear_away(const char *folder) {
    static const char *const names[] = {"robot.c", "robot.h", "robot.so"};
    char path[512];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void *load(const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%s/robot.so", folder);
    return library_open(path);
}

static bool write_and_load(GeneratedCode *code, const char *folder, const zvModel *model, int frame, zvError *why) {
    const zvCodegenOptions options = {.name = "robot", .frame = frame, .functions = code->functions, .lanes = 4};
    zvCodegenSummary summary;
    if (zv_codegen(model, &options, folder, &summary, why) < 0) return false;
    if (compile(folder) && (code->library = load(folder))) return true;
    zv_fail(why, ZV_NOT_SUPPORTED, (zvMark){0}, "", "no generated code: no C compiler took it (cc, or BENCH_CC)");
    return false;
}

/* Statements of a function, which is written into the folder; more than are taken when it is too long to be written;
 * -1: it cannot be. */
static long long weigh(const char *folder, const zvModel *model, int frame, zvGenerated f, zvError *why) {
    const zvCodegenOptions options = {.name = "robot", .frame = frame, .functions = 1u << f};
    zvCodegenSummary summary;
    const zvStatus status = zv_codegen(model, &options, folder, &summary, why);
    if (status == ZV_SIZE) return LARGEST + 1;
    return status < 0 ? -1 : summary.function[f].statements;
}

/* The functions for the tasks (bits) that are not too large; the others go into why. */
static unsigned choose(const char *folder, const zvModel *model, int frame, unsigned tasks, zvError *why) {
    unsigned functions = 0;
    char large[128] = "";
    for (int t = 0; t < TASKS; ++t) {
        const zvGenerated f = made[t].function;
        if (made[t].none || functions & 1u << f || !(tasks & 1u << t)) continue;
        const long long statements = weigh(folder, model, frame, f, why);
        if (statements < 0) return 0;
        if (statements <= LARGEST) {
            functions |= 1u << f;
        } else {
            const size_t length = strlen(large);
            snprintf(large + length, sizeof large - length, "%s%s", length ? ", " : "", zv_generated_name(f));
        }
    }
    if (*large) zv_fail(why, ZV_SIZE, (zvMark){0}, "", "not generated, more than %d statements: %s", LARGEST, large);
    return functions;
}

/* Writes, compiles and loads in a folder of its own, which is gone afterwards. */
bool generated_code_open(const zvModel *model, int frame, unsigned tasks, GeneratedCode *code, zvError *why) {
    *code = (GeneratedCode){0};
    if (zv_model_nv(model) > LARGEST_ROBOT)
        return zv_fail(why, ZV_SIZE, (zvMark){0}, "", "too large for generated code"), false;
    char folder[400];
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/zveno-bench-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder)) return false;
    code->functions = choose(folder, model, frame, tasks, why);
    const bool done = code->functions && write_and_load(code, folder, model, frame, why);
    clear_away(folder);
    return done;
}

void generated_code_close(GeneratedCode *code) {
    library_close(code->library);
    *code = (GeneratedCode){0};
}

bool generated_code_has(const GeneratedCode *code, Task task) {
    return !made[task].none && code->functions & 1u << made[task].function;
}

bool generated_code_find(const GeneratedCode *code, Task task, const char *suffix, void *pointer) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "robot_%s%s", zv_generated_name(made[task].function), suffix);
    return !generated_code_has(code, task) || library_find(code->library, symbol, pointer);
}
