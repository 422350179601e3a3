/* zveno_stepped ROBOT...: instructions of one call, with the kernels of this machine, counted by stepping through it;
 * beside its time. Valgrind, which bench/instructions.sh counts with, knows neither AVX-512 nor all of AVX2. A robot is
 * a file; free: before it gives it a free base. Mimic joints are let go. Linux. */
#define _GNU_SOURCE
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "study.h"
#include "zveno/builder.h"
#include "zveno/derive.h"
#include "zveno/dynamics.h"
#include "zveno/kinematics.h"
#include "zveno/read.h"
#include "zveno/version.h"

enum { QUESTIONS = 8, ROUNDS = 60, CALLS = 100 };
static const char *const names[QUESTIONS] = {"nothing", "inverse", "mass",      "forward",
                                             "minv",    "pose",    "d-inverse", "d-forward"};

typedef struct Asked {
    zvModel *model;
    zvWork *work;
    double *q, *v, *a, *out[3];
} Asked;

static void ask(const Asked *x, int question) {
    double *const *out = x->out;
    zvPose pose;
    switch (question) {
    case 0: break;
    case 1: zv_inverse_dynamics(x->model, x->work, x->q, x->v, x->a, NULL, out[0]); break;
    case 2: zv_mass_matrix(x->model, x->work, x->q, out[0]); break;
    case 3: (void)zv_forward_dynamics(x->model, x->work, x->q, x->v, x->a, NULL, out[0]); break;
    case 4: (void)zv_mass_inverse(x->model, x->work, x->q, out[0]); break;
    case 5: zv_frame_pose(x->model, x->work, x->q, zv_model_nlink(x->model) - 1, &pose); break;
    case 6: (void)zv_inverse_derivatives(x->model, x->work, x->q, x->v, x->a, NULL, out[0], out[1], out[2]); break;
    default: (void)zv_forward_derivatives(x->model, x->work, x->q, x->v, x->a, NULL, NULL, out[0], out[1], out[2]);
    }
}

/* A child asks between two signals; the rounds of a repeated instruction count once. */
static long steps_of(const Asked *x, int question) {
    const pid_t child = fork();
    int state;
    long steps = 0;
    unsigned long long before = 0;
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        ask(x, question);
        raise(SIGUSR1);
        ask(x, question);
        raise(SIGUSR2);
        _exit(0);
    }
    waitpid(child, &state, 0);
    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    waitpid(child, &state, 0);
    while (WIFSTOPPED(state) && WSTOPSIG(state) == SIGTRAP) {
        struct user_regs_struct at;
        ptrace(PTRACE_GETREGS, child, NULL, &at);
        steps += at.rip != before;
        before = at.rip;
        ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
        waitpid(child, &state, 0);
    }
    kill(child, SIGKILL);
    waitpid(child, &state, 0);
    return steps;
}

static Asked asked_of(const char *name) {
    Asked x = {0};
    zvError error = {0};
    const bool floats = strncmp(name, "free:", 5) == 0;
    zvBuilder *builder = zv_builder_create(&error);
    study_demand(zv_read_file(builder, name + (floats ? 5 : 0), ZV_FORMAT_AUTO, &error) >= 0, &error);
    if (floats) zv_builder_set_free_base(builder, true);
    zv_builder_set_mimic_coupled(builder, false);
    study_demand(zv_builder_freeze(builder, &x.model, &error) >= 0, &error);
    zv_builder_destroy(builder);
    x.work = zv_work_create(x.model, &error);
    const size_t nq = (size_t)zv_model_nq(x.model), nv = (size_t)zv_model_nv(x.model);
    x.q = calloc(nq, sizeof(double)), x.v = calloc(nv, sizeof(double)), x.a = calloc(nv, sizeof(double));
    for (int i = 0; i < 3; i++) x.out[i] = calloc(nv * nv, sizeof(double));
    study_demand(x.work && x.q && x.v && x.a && x.out[0] && x.out[1] && x.out[2], &error);
    zv_neutral(x.model, x.q);
    for (size_t i = 0; i < nq; i++)
        if (x.q[i] == 0) x.q[i] = 0.3 * sin((double)i + 1);
    for (size_t i = 0; i < nv; i++) x.v[i] = cos((double)i + 1), x.a[i] = sin(3 * (double)i + 1);
    return x;
}

int main(int argc, char **argv) {
    printf("%s kernels\n%-24s %-10s %12s %10s\n", zv_isa_name(), "robot", "question", "instructions", "ns");
    for (int r = 1; r < argc; r++) {
        const Asked x = asked_of(argv[r]);
        const char *slash = strrchr(argv[r], '/');
        const long around = steps_of(&x, 0);
        for (int question = 1; question < QUESTIONS; question++) {
            double least = INFINITY;
            for (int round = 0; round < ROUNDS; round++) {
                const double start = study_now();
                for (int i = 0; i < CALLS; i++) ask(&x, question);
                least = fmin(least, (study_now() - start) / CALLS);
            }
            printf("%-24s %-10s %12ld %10.0f\n", slash ? slash + 1 : argv[r], names[question],
                   steps_of(&x, question) - around, 1e9 * least);
            fflush(stdout);
        }
        for (int i = 0; i < 3; i++) free(x.out[i]);
        free(x.q), free(x.v), free(x.a);
        zv_work_destroy(x.work);
        zv_model_destroy(x.model);
    }
    return 0;
}
