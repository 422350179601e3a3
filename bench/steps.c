/* zveno_steps [ROBOT ...]: steps per second of simulations, beside engines that simulate, from the same state with the
 * same steps of the same method; free: before a robot gives it a free base. Without forces, limits, contacts, rotors.
 *
 * A right-hand side is everything that is done for one: laws, forces and their accounts, dynamics, checks, steps. Where
 * it goes: forward dynamics alone (with the loops closed, where there are some) is measured beside it. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "peers.h"
#include "ring.h"
#include "study.h"
#include "timer.h"
#include "zveno/builder.h"
#include "zveno/dynamics.h"
#include "zveno/loops.h"
#include "zveno/read.h"
#include "zveno/simulate.h"

enum { TURNS = 7 };
static const double step = 1e-3, aim = 0.05 /* s of each run */;

/* Robots ------------------------------------------------------------------------------------------------------ */

typedef struct Case {
    char name[64], file[64]; /* the robot as it is measured, a native file of our own */
    zvModel *model;
    zvWork *work;
    Tree *tree;
    Ring *ring;
} Case;

/* Nothing but bodies, joints and loops. */
static void strip(zvBuilder *b) {
    zv_builder_set_mimic_coupled(b, false);
    for (int j = 0; j < zv_builder_njoint(b); ++j) {
        zvJoint *joint = zv_builder_joint(b, j);
        joint->mimic = NULL;
        for (int d = 0; d < ZV_MAX_DOF; ++d) joint->dof[d] = (zvDof){0};
        if (strncmp(joint->name, "finger", 6) == 0 || strncmp(joint->name, "panda_finger", 12) == 0)
            zv_builder_lock_joint(b, j);
    }
}

/* The first state: slow, and where loops are, closed and at rest. */
static void settle(Case *c) {
    const int nv = c->ring->nv;
    for (int i = 0; i < nv; ++i) c->ring->v[i] *= zv_model_nloop(c->model) ? 0 : 0.1;
    memset(c->ring->tau, 0, (size_t)nv * sizeof *c->ring->tau);
    if (!zv_model_nloop(c->model)) return;
    zvError error = {0};
    zv_neutral(c->model, c->ring->q);
    study_demand(zv_assemble(c->model, c->work, NULL, NULL, c->ring->q, &error) >= 0, &error);
}

static Case open_case(const char *word) {
    static const char free_base[] = "free:";
    const bool is_free = strncmp(word, free_base, sizeof free_base - 1) == 0;
    const char *path = is_free ? word + sizeof free_base - 1 : word, *slash = strrchr(path, '/');
    Case c = {.file = "/tmp/zveno-steps-XXXXXX"};
    zvError error = {0};
    zvBuilder *b = zv_builder_create(&error);
    const int file = mkstemp(c.file);
    study_demand(b != NULL && file >= 0, &error);
    close(file);
    study_demand(zv_read_file(b, path, ZV_FORMAT_AUTO, &error) >= 0, &error);
    if (is_free) zv_builder_set_free_base(b, true);
    strip(b);
    study_demand(zv_write_native_file(b, c.file, &error) >= 0, &error);
    study_demand(zv_builder_freeze(b, &c.model, &error) >= 0, &error);
    zv_builder_destroy(b);
    snprintf(c.name, sizeof c.name, "%.*s", (int)strcspn(slash ? slash + 1 : path, "."), slash ? slash + 1 : path);
    c.work = zv_work_create(c.model, &error);
    c.tree = tree_create(c.model);
    c.ring = ring_create(c.model, 2, 2024);
    study_demand(c.work && c.tree && c.ring, &error);
    settle(&c);
    return c;
}

static void close_case(Case *c) {
    unlink(c->file);
    ring_destroy(c->ring);
    tree_destroy(c->tree);
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
}

/* Runs -------------------------------------------------------------------------------------------------------- */

typedef struct Marched {
    double seconds; /* the fastest */
    long rates;     /* 0: not told */
    double q[512], v[512], gap;
} Marched;

static void print_list(FILE *to, const char *key, int count, const double *x) {
    fprintf(to, "%s: [", key);
    for (int i = 0; i < count; ++i) fprintf(to, "%s%.17g", i ? ", " : "", x[i]);
    fputs("]", to);
}

/* The scenario as text, to be freed. */
static char *describe(const Case *c, bool euler, int steps, bool ledger, size_t *size) {
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    if (!to) abort();
    fprintf(to, "zveno_scenario: 1\nmodel: %s\nduration: %.17g\n", c->file, steps * step);
    fprintf(to, "integrator: {method: %s, step: %g}\ninitial: {", euler ? "euler" : "rk4", step);
    print_list(to, "q", c->ring->nq, c->ring->q);
    fputs(", ", to);
    print_list(to, "v", c->ring->nv, c->ring->v);
    fprintf(to, "}\noutput: {channels: [energy], rate: 1, ledger: %s}\n", ledger ? "true" : "false");
    fclose(to);
    return text;
}

static void run_zveno(const Case *c, bool euler, int steps, bool ledger, Marched *m) {
    zvScenario *scenario;
    zvRunSummary *summary;
    zvError error = {0};
    size_t size;
    char *text = describe(c, euler, steps, ledger, &size);
    study_demand(zv_scenario_read_memory("steps", text, size, 0, NULL, &scenario, &error) >= 0, &error);
    const double start = study_now();
    study_demand(zv_simulate(scenario, &(zvRunOptions){.accept_energy_error = true}, &summary, &error) >= 0, &error);
    m->seconds = fmin(m->seconds, study_now() - start);
    m->rates = zv_run_statistics(summary).rates;
    memcpy(m->q, zv_run_position(summary), (size_t)c->ring->nq * sizeof *m->q);
    memcpy(m->v, zv_run_velocity(summary), (size_t)c->ring->nv * sizeof *m->v);
    zv_run_summary_destroy(summary);
    zv_scenario_destroy(scenario);
    free(text);
}

/* Forward dynamics alone, as often. */
static double dynamics(const Case *c, int calls) {
    double a[512];
    const bool loops = zv_model_nloop(c->model) > 0;
    const double start = study_now();
    for (int k = 0; k < calls; ++k)
        if (loops)
            zv_closed_forward_dynamics(c->model, c->work, NULL, c->ring->q, c->ring->v, c->ring->tau, NULL, a, NULL);
        else
            zv_forward_dynamics(c->model, c->work, c->ring->q, c->ring->v, c->ring->tau, NULL, a);
    return (study_now() - start) / calls;
}

static bool run_peer(const Engine *engine, bool euler, int steps, Marched *m) {
    const double start = study_now();
    if (!engine->march(engine->self, 0, euler, step, steps, m->q, m->v)) return false;
    m->seconds = fmin(m->seconds, study_now() - start);
    return true;
}

/* The largest difference of velocities, of their size, and what is left of the loops. */
static double difference(const Case *c, const Marched *x, const Marched *y) {
    double most = 0, size = 1e-300;
    for (int i = 0; i < c->ring->nv; ++i) {
        most = fmax(most, fabs(x->v[i] - y->v[i]));
        size = fmax(size, fabs(y->v[i]));
    }
    return most / size;
}

static double gap(const Case *c, const Marched *m) {
    double most = 0;
    if (zv_model_nloop(c->model)) zv_loop_residual(c->model, c->work, NULL, m->q, m->v, -1, &most, NULL);
    return most;
}

/* In turn: with accounts, without, dynamics alone, the peers. Compared over a tenth of a second of motion. */
static void measure(const Case *c, const Peers *peers, bool euler) {
    Engine engine[MOST_PEERS] = {{0}};
    Marched ours = {.seconds = 1e9}, bare = ours, theirs[MOST_PEERS];
    double alone = 1e9;
    const int stages = euler ? 1 : 4;
    const int steps = (int)(aim / (stages * 4 * dynamics(c, 1000))) + 1;
    for (int p = 0; p < peers->count; ++p) {
        theirs[p] = ours;
        if (!peers->peer[p]->open(c->tree, c->ring, &engine[p])) engine[p] = (Engine){0};
    }
    for (int turn = 0; turn < TURNS; ++turn) {
        run_zveno(c, euler, steps, true, &ours);
        run_zveno(c, euler, steps, false, &bare);
        alone = fmin(alone, dynamics(c, stages * steps));
        for (int p = 0; p < peers->count; ++p)
            if (engine[p].march) run_peer(&engine[p], euler, steps, &theirs[p]);
    }
    const double rates = (double)stages * steps;
    printf("%-14s %-6s %10.0f %9.0f %9.0f %9.0f %8.2f", c->name, euler ? "euler" : "rk4", steps / ours.seconds,
           1e9 * ours.seconds / rates, 1e9 * bare.seconds / rates, 1e9 * alone, ours.seconds / rates / alone);
    for (int p = 0; p < peers->count; ++p) {
        if (!engine[p].march) continue;
        const double seconds = theirs[p].seconds;
        Marched x = {.seconds = 1e9}, y = x;
        run_zveno(c, euler, 100, true, &x);
        if (run_peer(&engine[p], euler, 100, &y))
            printf("  %-8s %10.0f %9.0f %7.2f %9.1e", peers->peer[p]->name, steps / seconds, 1e9 * seconds / rates,
                   seconds / ours.seconds, difference(c, &y, &x));
        if (zv_model_nloop(c->model)) printf("  gaps %.1e, %.1e", gap(c, &x), gap(c, &y));
    }
    printf("\n");
    fflush(stdout);
    for (int p = 0; p < peers->count; ++p)
        if (engine[p].self) engine[p].destroy(engine[p].self);
}

/* A line for each robot and method. */
int main(int count, char **words) {
    static const char *const usual[] = {
        BENCH_SOURCE "/models/industrial6.yaml",       BENCH_SOURCE "/models/cobot7.yaml",
        "free:" BENCH_SOURCE "/models/quadruped.yaml", "free:" BENCH_SOURCE "/models/humanoid50.yaml",
        BENCH_SOURCE "/models/chain10.yaml",           BENCH_SOURCE "/models/five_bar.yaml",
        BENCH_SOURCE "/models/stewart.yaml",           BENCH_SOURCE "/models/flexible_panel.yaml"};
    const char *const *robots = count > 1 ? (const char *const *)words + 1 : usual;
    const int many = count > 1 ? count - 1 : (int)(sizeof usual / sizeof *usual);
    Peers peers = peers_find();
    timer_pin(-1);
    printf("steps of %g s; a right-hand side: with accounts, without, its forward dynamics alone, all over that\n",
           step);
    printf("%-14s %-6s %10s %9s %9s %9s %8s  %-8s %10s %9s %7s %9s\n", "robot", "method", "steps/s", "ns", "bare ns",
           "alone ns", "over", "peer", "steps/s", "ns", "times", "differs");
    for (int i = 0; i < many; ++i)
        for (int euler = 0; euler < 2; ++euler) {
            Case c = open_case(robots[i]);
            measure(&c, &peers, euler);
            close_case(&c);
        }
    peers_forget(&peers);
    return EXIT_SUCCESS;
}
