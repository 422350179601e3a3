/* Generated code: the robot's own functions, written by zv_generate, compiled by the machine's compiler for this
 * machine, and loaded. The compiler is cc, or what BENCH_CC names. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine.h"
#include "zveno/codegen.h"

/* Straight-line code of larger robots takes minutes to compile. */
enum { LARGEST = 20 };

typedef void (*Inverse)(const double *q, const double *v, const double *a, double *tau);
typedef int (*Forward)(const double *q, const double *v, const double *tau, double *a);
typedef void (*Mass)(const double *q, double *M);
typedef int (*Minv)(const double *q, double *Minv);

typedef struct Generated {
    const Ring *ring;
    void *library;
    Inverse inverse;
    Forward forward;
    Mass mass, jacobian;
    Minv minv;
    double *out;
} Generated;

static const double *at_q(const Generated *g, int s) { return g->ring->q + (size_t)s * (size_t)g->ring->nq; }
static size_t at(const Generated *g, int s) { return (size_t)s * (size_t)g->ring->nv; }

static void run_inverse(void *self, int s) {
    Generated *g = self;
    g->inverse(at_q(g, s), g->ring->v + at(g, s), g->ring->a + at(g, s), g->out);
}

static void run_forward(void *self, int s) {
    Generated *g = self;
    g->forward(at_q(g, s), g->ring->v + at(g, s), g->ring->tau + at(g, s), g->out);
}

static void run_mass(void *self, int s) {
    Generated *g = self;
    g->mass(at_q(g, s), g->out);
}

static void run_minv(void *self, int s) {
    Generated *g = self;
    g->minv(at_q(g, s), g->out);
}

static void run_jacobian(void *self, int s) {
    Generated *g = self;
    g->jacobian(at_q(g, s), g->out);
}

static const Engine rows = {
    "generated", NULL, {run_inverse, run_forward, run_mass, run_mass, run_minv, run_jacobian}, NULL, NULL};

static void answer(void *self, Task task, int state, double *out) {
    Generated *g = self;
    rows.run[task](self, state);
    memcpy(out, g->out, task_size(task, g->ring->nv) * sizeof *out);
}

static void destroy(void *self) {
    Generated *g = self;
    if (g->library) dlclose(g->library);
    free(g->out);
    free(g);
}

static bool compile(const char *folder) {
    char source[512], library[512];
    snprintf(source, sizeof source, "%s/robot.c", folder);
    snprintf(library, sizeof library, "%s/robot.so", folder);
    const char *cc = getenv("BENCH_CC");
    if (!cc) cc = "cc";
    const pid_t child = fork();
    if (child == 0) {
        execlp(cc, cc, "-std=c17", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-shared", "-fPIC",
               "-o", library, source, "-lm", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* dlsym gives a data pointer; POSIX says that it may be read as a function's. */
static bool find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load(Generated *g, const char *folder) {
    char path[512];
    snprintf(path, sizeof path, "%s/robot.so", folder);
    g->library = dlopen(path, RTLD_NOW);
    return g->library && find(g->library, "robot_inverse", &g->inverse) &&
           find(g->library, "robot_forward", &g->forward) && find(g->library, "robot_mass", &g->mass) &&
           find(g->library, "robot_minv", &g->minv) && find(g->library, "robot_jacobian", &g->jacobian);
}

static bool write_and_load(Generated *g, const zvModel *model, int frame) {
    char folder[] = P_tmpdir "/zveno-bench-XXXXXX", command[64];
    const zvGenerateOptions options = {.name = "robot",
                                       .frame = frame,
                                       .functions = 1u << ZV_GENERATE_INVERSE | 1u << ZV_GENERATE_FORWARD |
                                                    1u << ZV_GENERATE_MASS | 1u << ZV_GENERATE_MINV |
                                                    1u << ZV_GENERATE_JACOBIAN};
    zvGenerateSummary summary;
    zvError error = {0};
    if (!mkdtemp(folder)) return false;
    bool done = zv_generate(model, &options, folder, &summary, &error) >= 0;
    if (!done) fprintf(stderr, "note: no generated code: %s\n", error.text);
    done = done && compile(folder) && load(g, folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command)) fprintf(stderr, "note: %s stays\n", folder);
    return done;
}

bool generated_open(const zvModel *model, const Tree *tree, const Ring *ring, Engine *engine) {
    if (ring->nv > LARGEST) return false;
    const size_t n = (size_t)ring->nv, rows_out = n > 6 ? n : 6;
    Generated *g = calloc(1, sizeof *g);
    if (!g) return false;
    g->ring = ring;
    g->out = malloc(rows_out * n * sizeof *g->out);
    if (!g->out || !write_and_load(g, model, tree->tip_frame)) {
        destroy(g);
        return false;
    }
    *engine = rows;
    engine->self = g;
    engine->answer = answer;
    engine->destroy = destroy;
    return true;
}
