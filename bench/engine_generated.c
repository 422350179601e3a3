/* Generated code: the robot's own functions, written by zv_generate, compiled by the machine's compiler for this
 * machine, and loaded. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"
#include "own.h"
#include "zveno/codegen.h"

/* Operations; a compiler takes a minute or more for functions that are larger. Freedoms, and those with derivatives,
 * which have some n^2 depth operations. */
enum { LARGEST = 20000, LARGEST_ROBOT = 64, LARGEST_DERIVED = 20 };

typedef void (*Inverse)(const double *q, const double *v, const double *a, double *tau);
typedef int (*Forward)(const double *q, const double *v, const double *tau, double *a);
typedef void (*Mass)(const double *q, double *M);
typedef int (*Minv)(const double *q, double *Minv);
typedef void (*DInverse)(const double *q, const double *v, const double *a, double *dq, double *dv, double *da);
typedef int (*DForward)(const double *q, const double *v, const double *tau, double *a, double *dq, double *dv,
                        double *dtau);

typedef struct Generated {
    const Ring *ring;
    void *library;
    Inverse inverse;
    Forward forward;
    Mass mass, jacobian;
    Minv minv;
    DInverse d_inverse;
    DForward d_forward;
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

static size_t square(const Generated *g) { return (size_t)g->ring->nv * (size_t)g->ring->nv; }

static void run_d_inverse(void *self, int s) {
    Generated *g = self;
    g->d_inverse(at_q(g, s), g->ring->v + at(g, s), g->ring->a + at(g, s), g->out, g->out + square(g),
                 g->out + 2 * square(g));
}

/* a goes behind the derivatives. */
static void run_d_forward(void *self, int s) {
    Generated *g = self;
    g->d_forward(at_q(g, s), g->ring->v + at(g, s), g->ring->tau + at(g, s), g->out + 3 * square(g), g->out,
                 g->out + square(g), g->out + 2 * square(g));
}

static const Engine rows = {
    .name = "generated",
    .run = {run_inverse, run_forward, run_mass, run_mass, run_minv, run_jacobian, run_d_inverse, run_d_forward}};

/* Which function answers a task. */
static const struct {
    Task task;
    zvGenerated function;
} made[] = {{TASK_INVERSE, ZV_GENERATE_INVERSE},
            {TASK_FORWARD, ZV_GENERATE_FORWARD},
            {TASK_MASS, ZV_GENERATE_MASS},
            {TASK_MASS_DENSE, ZV_GENERATE_MASS},
            {TASK_MASS_INVERSE, ZV_GENERATE_MINV},
            {TASK_JACOBIAN, ZV_GENERATE_JACOBIAN},
            {TASK_D_INVERSE, ZV_GENERATE_INVERSE_DERIVATIVES},
            {TASK_D_FORWARD, ZV_GENERATE_FORWARD_DERIVATIVES}};
enum { MADE = sizeof made / sizeof *made };

static void answer(void *self, Task task, int state, double *out) {
    Generated *g = self;
    rows.run[task](self, state);
    memcpy(out, g->out, task_size(task, g->ring->nv) * sizeof *out);
}

static void destroy(void *self) {
    Generated *g = self;
    library_close(g->library);
    free(g->out);
    free(g);
}

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

static bool load(Generated *g, const char *folder, unsigned functions) {
    struct {
        zvGenerated function;
        const char *symbol;
        void *pointer;
    } const wanted[] = {{ZV_GENERATE_INVERSE, "robot_inverse", &g->inverse},
                        {ZV_GENERATE_FORWARD, "robot_forward", &g->forward},
                        {ZV_GENERATE_MASS, "robot_mass", &g->mass},
                        {ZV_GENERATE_MINV, "robot_minv", &g->minv},
                        {ZV_GENERATE_JACOBIAN, "robot_jacobian", &g->jacobian},
                        {ZV_GENERATE_INVERSE_DERIVATIVES, "robot_inverse_derivatives", &g->d_inverse},
                        {ZV_GENERATE_FORWARD_DERIVATIVES, "robot_forward_derivatives", &g->d_forward}};
    char path[512];
    snprintf(path, sizeof path, "%s/robot.so", folder);
    g->library = library_open(path);
    for (size_t i = 0; g->library && i < sizeof wanted / sizeof *wanted; ++i)
        if (functions & 1u << wanted[i].function && !library_find(g->library, wanted[i].symbol, wanted[i].pointer))
            return false;
    return g->library != NULL;
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

static bool write_and_load(Generated *g, const zvModel *model, int frame, unsigned functions, zvError *why) {
    char folder[400];
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/zveno-bench-XXXXXX", place && *place ? place : "/tmp");
    const zvGenerateOptions options = {.name = "robot", .frame = frame, .functions = functions};
    zvGenerateSummary summary;
    if (!mkdtemp(folder)) return false;
    bool done = zv_generate(model, &options, folder, &summary, why) >= 0;
    if (done && !(compile(folder) && load(g, folder, functions))) {
        zv_fail(why, ZV_NOT_SUPPORTED, (zvMark){0}, "", "no generated code: no C compiler took it (cc, or BENCH_CC)");
        done = false;
    }
    clear_away(folder);
    return done;
}

/* The functions for the tasks (bits) that are not too large; the others go into why. */
static unsigned choose(const zvModel *model, int frame, unsigned tasks, zvError *why) {
    unsigned functions = 0;
    char large[128] = "";
    for (int i = 0; i < MADE; ++i) {
        zvOperations o;
        const zvGenerated f = made[i].function;
        if (functions & 1u << f || !(tasks & 1u << made[i].task)) continue;
        const bool derived = f == ZV_GENERATE_INVERSE_DERIVATIVES || f == ZV_GENERATE_FORWARD_DERIVATIVES;
        const bool tried = !derived || zv_model_nv(model) <= LARGEST_DERIVED;
        if (tried && zv_count_generated(model, f, frame, &o, why) < 0) return 0;
        if (tried && o.mul + o.add + o.div + o.trig <= LARGEST) {
            functions |= 1u << f;
        } else {
            const size_t length = strlen(large);
            snprintf(large + length, sizeof large - length, "%s%s", length ? ", " : "", zv_generated_name(f));
        }
    }
    if (*large) zv_fail(why, ZV_SIZE, (zvMark){0}, "", "not generated, more than %d operations: %s", LARGEST, large);
    return functions;
}

bool generated_open(const zvModel *model, const Tree *tree, const Ring *ring, unsigned tasks, Engine *engine,
                    zvError *why) {
    if (ring->nv > LARGEST_ROBOT) return zv_fail(why, ZV_SIZE, (zvMark){0}, "", "too large for generated code"), false;
    const unsigned functions = choose(model, tree->tip_frame, tasks, why);
    Generated *g = functions ? calloc(1, sizeof *g) : NULL;
    if (!g) return false;
    g->ring = ring;
    g->out = malloc((task_room(ring->nv) + (size_t)ring->nv) * sizeof *g->out);
    if (!g->out || !write_and_load(g, model, tree->tip_frame, functions, why)) {
        destroy(g);
        return false;
    }
    *engine = rows;
    engine->self = g;
    engine->answer = answer;
    engine->destroy = destroy;
    for (int i = 0; i < MADE; ++i)
        if (!(functions & 1u << made[i].function)) engine->run[made[i].task] = NULL;
    return true;
}
