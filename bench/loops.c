/* zveno_loops: what closed loops cost. [ROBOT ...]: robot files whose last link is welded to the ground besides.
 *
 *   1. rows of 1 to 1000 four-bars, and towers of them: the slope of constrained accelerations must be near 1
 *   2. rows of 1, 10 and 100 four-bars and the Stewart platform beside Simbody, interleaved in one run
 *   3. arms with the hand welded to the ground (six conditions) against their free forward dynamics */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/simbody.h"
#include "study.h"
#include "zveno/builder.h"
#include "zveno/loops.h"
#include "zveno/read.h"

enum { STATES = 16, ROUNDS = 15 };

/* Mechanisms ------------------------------------------------------------------------------------------ */

static void add_bar(zvBuilder *b, const char *name) {
    zvLink link = zv_link_default(name);
    zvError error = {0};
    link.inertia = (zvInertia){.mass = 1, .com = {0.5, 0, 0}, .moment = {1e-4, 0, 0, 1. / 12, 0, 1. / 12}};
    study_demand(zv_builder_add_link(b, &link, &error) >= 0, &error);
}

static void add_pin(zvBuilder *b, const char *name, const char *parent, const char *child, double x) {
    zvJoint joint = zv_joint_default(name, ZV_JOINT_CONTINUOUS, parent, child);
    zvError error = {0};
    joint.origin.p[0] = x;
    study_demand(zv_builder_add_joint(b, &joint, &error) >= 0, &error);
}

static void add_ball(zvBuilder *b, const char *name, const char *parent, const char *child) {
    zvLoop loop = zv_loop_default(name, ZV_LOOP_JOINT, ZV_JOINT_SPHERICAL, parent, child);
    zvError error = {0};
    loop.origin.p[0] = loop.child_origin.p[0] = 1;
    study_demand(zv_builder_add_loop(b, &loop, &error) >= 0, &error);
}

static zvModel *freeze(zvBuilder *b) {
    zvModel *model;
    zvError error = {0};
    study_demand(zv_builder_freeze(b, &model, &error) >= 0, &error);
    zv_builder_destroy(b);
    return model;
}

static zvBuilder *begin(void) {
    zvBuilder *b = zv_builder_create(NULL);
    const zvLink ground = zv_link_default("ground");
    zvError error = {0};
    zv_builder_set_gravity(b, (double[3]){0, -9.81, 0});
    study_demand(b && zv_builder_add_link(b, &ground, &error) >= 0, &error);
    return b;
}

/* count + 1 cranks on the ground, count couplers between their ends: neighbours share a crank. */
static zvModel *row(int count) {
    zvBuilder *b = begin();
    char crank[2][24], coupler[24], pin[24];
    for (int i = 0; i <= count; i++) {
        snprintf(crank[i % 2], sizeof crank[0], "crank%d", i);
        add_bar(b, crank[i % 2]);
        snprintf(pin, sizeof pin, "pivot%d", i);
        add_pin(b, pin, "ground", crank[i % 2], i);
        if (i > 0) {
            snprintf(pin, sizeof pin, "ball%d", i - 1);
            add_ball(b, pin, coupler, crank[i % 2]);
        }
        if (i == count) break;
        snprintf(coupler, sizeof coupler, "coupler%d", i);
        add_bar(b, coupler);
        snprintf(pin, sizeof pin, "pin%d", i);
        add_pin(b, pin, crank[i % 2], coupler, 1);
    }
    return freeze(b);
}

/* Each four-bar stands on the coupler of the one below. */
static zvModel *tower(int count) {
    zvBuilder *b = begin();
    char foot[24] = "ground", left[24], right[24], coupler[24], name[24];
    for (int i = 0; i < count; i++) {
        snprintf(left, sizeof left, "left%d", i);
        snprintf(right, sizeof right, "right%d", i);
        snprintf(coupler, sizeof coupler, "coupler%d", i);
        add_bar(b, left);
        add_bar(b, coupler);
        add_bar(b, right);
        snprintf(name, sizeof name, "pivot%d", i);
        add_pin(b, name, foot, left, 0);
        snprintf(name, sizeof name, "pin%d", i);
        add_pin(b, name, left, coupler, 1);
        snprintf(name, sizeof name, "other%d", i);
        add_pin(b, name, foot, right, 1);
        snprintf(name, sizeof name, "ball%d", i);
        add_ball(b, name, coupler, right);
        snprintf(foot, sizeof foot, "coupler%d", i);
    }
    return freeze(b);
}

/* Grippers whose fingers follow each other are kept as they are: an arm remains. */
static void fix_fingers(zvBuilder *b) {
    for (int i = 0; i < zv_builder_njoint(b); i++) {
        zvJoint *joint = zv_builder_joint(b, i);
        if (!joint->mimic) continue;
        zv_builder_joint(b, zv_builder_find_joint(b, joint->mimic))->type = ZV_JOINT_FIXED;
        joint->type = ZV_JOINT_FIXED;
        joint->mimic = NULL;
    }
}

/* The link behind the last joint that moves. */
static const char *hand(const zvModel *model) {
    int last = zv_model_njoint(model) - 1;
    while (last > 0 && zv_model_joint_place(model, last).nv == 0) last--;
    return zv_model_joint(model, last)->child;
}

/* A robot whose hand is welded to the ground at q. */
static zvModel *welded(const char *path, const double *q) {
    zvBuilder *b = zv_builder_create(NULL);
    zvModel *open;
    zvError error = {0};
    study_demand(b && zv_read_file(b, path, ZV_FORMAT_AUTO, &error) >= 0, &error);
    fix_fingers(b);
    study_demand(zv_builder_freeze(b, &open, &error) >= 0, &error);
    zvWork *work = zv_work_create(open, &error);
    zvLoop loop = zv_loop_default("weld", ZV_LOOP_JOINT, ZV_JOINT_FIXED, zv_model_link(open, 0)->name, hand(open));
    study_demand(work != NULL, &error);
    zv_frame_pose(open, work, q, zv_model_find_frame(open, loop.child), &loop.origin);
    study_demand(zv_builder_add_loop(b, &loop, &error) >= 0, &error);
    zv_work_destroy(work);
    zv_model_destroy(open);
    return freeze(b);
}

/* States that obey the loops ----------------------------------------------------------------------------- */

typedef struct Bench {
    zvModel *model;
    zvWork *work;
    int nq, nv;
    double *q, *v, *a; /* STATES x nq, nv; nv */
    Simbody *peer;     /* or NULL */
} Bench;

static void place_bars(const Bench *b, int state, double *q) {
    const double angle = 1.1 + 0.06 * state; /* all cranks parallel, all couplers level */
    for (int i = 0; i < zv_model_njoint(b->model); i++) {
        const zvJointPlace place = zv_model_joint_place(b->model, i);
        const char *name = zv_model_joint(b->model, i)->name;
        if (place.nv != 1) continue;
        q[place.q_index] = !strncmp(name, "pin", 3) ? -angle : !strncmp(name, "leg", 3) ? 0.002 * state : angle;
    }
}

/* Random states with their loops closed, and the peer for the same mechanism. */
static Bench open_bench(zvModel *model, bool bars, bool peer) {
    Bench b = {.model = model, .nq = zv_model_nq(model), .nv = zv_model_nv(model)};
    zvError error = {0};
    b.work = zv_work_create(model, &error);
    b.q = malloc((size_t)b.nq * STATES * sizeof *b.q);
    b.v = malloc((size_t)b.nv * STATES * sizeof *b.v);
    b.a = malloc((size_t)b.nv * sizeof *b.a);
    study_demand(b.work && b.q && b.v && b.a, &error);
    for (int s = 0; s < STATES; s++) {
        double *q = b.q + s * b.nq, *v = b.v + s * b.nv;
        zv_neutral(model, q);
        if (bars)
            place_bars(&b, s, q);
        else
            for (int i = 0; i < b.nq && b.nq == b.nv; i++) q[i] = 0.3 * sin(1.7 * i + s);
        for (int i = 0; i < b.nv; i++) v[i] = 0.3 * cos(2.3 * i + s);
        if (zv_model_nloop(model) == 0) continue;
        study_demand(zv_assemble(model, b.work, NULL, NULL, q, &error) >= 0, &error);
        study_demand(zv_close_velocity(model, b.work, NULL, q, NULL, v, NULL) >= 0, &error);
    }
#ifdef BENCH_SIMBODY
    if (peer) b.peer = simbody_open(model, STATES, b.q, b.v);
#else
    (void)peer;
#endif
    return b;
}

static void close_bench(Bench *b) {
#ifdef BENCH_SIMBODY
    if (b->peer) simbody_close(b->peer);
#endif
    zv_work_destroy(b->work);
    zv_model_destroy(b->model);
    free(b->q);
    free(b->v);
    free(b->a);
}

/* Tasks ---------------------------------------------------------------------------------------------------- */

typedef void (*Task)(Bench *b, int state);

static void closed(Bench *b, int s) {
    zv_closed_forward_dynamics(b->model, b->work, NULL, b->q + s * b->nq, b->v + s * b->nv, NULL, NULL, b->a, NULL);
}

static void open_tree(Bench *b, int s) {
    zv_forward_dynamics(b->model, b->work, b->q + s * b->nq, b->v + s * b->nv, NULL, NULL, b->a);
}

static void peer(Bench *b, int s) {
#ifdef BENCH_SIMBODY
    simbody_accelerate(b->peer, s);
#else
    (void)b;
    (void)s;
#endif
}

/* Seconds per call of a batch over the states. */
static double batch(Bench *b, Task task) {
    long calls = 0;
    double spent = 0;
    for (const double start = study_now(); spent < 0.01; spent = study_now() - start)
        for (int s = 0; s < STATES; s++, calls++) task(b, s);
    return spent / (double)calls;
}

/* The fastest of several batches of each task, interleaved. */
static void fastest(Bench *b, int count, const Task *tasks, double *best) {
    for (int i = 0; i < count; i++) best[i] = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++) best[i] = fmin(best[i], batch(b, tasks[i]));
}

/* Time of closed forward dynamics over the number of loops, with its slope. */
static void growth(const char *what, zvModel *(*make)(int count)) {
    static const int counts[] = {1, 3, 10, 30, 100, 300, 1000};
    enum { COUNT = sizeof counts / sizeof *counts };
    double x[COUNT], y[COUNT];
    printf("%s: closed forward dynamics\n%8s %8s %12s %16s\n", what, "N", "bodies", "us", "ns per body");
    for (int i = 0; i < COUNT; i++) {
        Bench b = open_bench(make(counts[i]), true, false);
        const int bodies = zv_model_nbody(b.model) - 1;
        fastest(&b, 1, (Task[]){closed}, &y[i]);
        x[i] = counts[i];
        printf("%8d %8d %12.3f %16.1f\n", counts[i], bodies, 1e6 * y[i], 1e9 * y[i] / bodies);
        close_bench(&b);
    }
    printf("slope %.3f, from N = 10 on %.3f (1: linear)\n\n", study_slope(COUNT, x, y),
           study_slope(COUNT - 2, x + 2, y + 2));
}

/* The largest difference of the two answers, of 1 + the largest acceleration. */
static double difference(Bench *b) {
    double worst = 0, size = 1, *mine = b->a, *theirs = calloc((size_t)b->nv, sizeof *theirs);
#ifdef BENCH_SIMBODY
    for (int s = 0; s < STATES && theirs; s++) {
        closed(b, s);
        simbody_accelerate(b->peer, s);
        memcpy(theirs, mine, (size_t)b->nv * sizeof *theirs);
        simbody_answer(b->peer, theirs);
        for (int i = 0; i < b->nv; i++) {
            worst = fmax(worst, fabs(mine[i] - theirs[i]));
            size = fmax(size, fabs(mine[i]));
        }
    }
#else
    (void)mine;
#endif
    free(theirs);
    return worst / size;
}

/* The same mechanism in both engines, measured in turn. */
static void beside(const char *name, zvModel *model) {
    Bench b = open_bench(model, true, true);
    double best[2];
    if (!b.peer) {
        fastest(&b, 1, (Task[]){closed}, best);
        printf("%-24s %12.3f %12s\n", name, 1e6 * best[0], "-");
    } else {
        fastest(&b, 2, (Task[]){closed, peer}, best);
        printf("%-24s %12.3f %12.3f %10.1f %14.1e\n", name, 1e6 * best[0], 1e6 * best[1], best[1] / best[0],
               difference(&b));
    }
    close_bench(&b);
}

/* A robot whose hand is welded to the ground: what the loop adds to the tree. */
static void weld(const char *path) {
    const char *slash = strrchr(path, '/');
    double q[64], best[2];
    for (int i = 0; i < 64; i++) q[i] = 0.4 * sin(1.3 * i + 0.5);
    Bench b = open_bench(welded(path, q), false, false);
    for (int s = 0; s < STATES; s++) {
        memcpy(b.q + s * b.nq, q, (size_t)b.nq * sizeof *q);
        zv_close_velocity(b.model, b.work, NULL, q, NULL, b.v + s * b.nv, NULL);
    }
    fastest(&b, 2, (Task[]){closed, open_tree}, best);
    printf("%-24s %12.1f %12.1f %10.2f\n", slash ? slash + 1 : path, 1e9 * best[0], 1e9 * best[1], best[0] / best[1]);
    close_bench(&b);
}

static zvModel *read_model(const char *path) {
    zvModel *model;
    zvError error = {0};
    study_demand(zv_model_read(path, &model, &error) >= 0, &error);
    return model;
}

/* Growth of both families, then mechanisms of files beside the peer. */
int main(int count, char **paths) {
    growth("rows of N four-bars (planar, closed by balls)", row);
    growth("towers of N four-bars", tower);
    printf("constrained accelerations from q and v, beside Simbody\n%-24s %12s %12s %10s %14s\n", "mechanism",
           "zveno us", "simbody us", "ratio", "difference");
    beside("four-bar", row(1));
    beside("10 four-bars", row(10));
    beside("100 four-bars", row(100));
    beside("Stewart platform", read_model(BENCH_SOURCE "/models/stewart.yaml"));
    printf("\nhand welded to the ground, six conditions\n%-24s %12s %12s %10s\n", "robot", "welded ns", "free ns",
           "ratio");
    weld(BENCH_SOURCE "/models/cobot7.yaml");
    weld(BENCH_SOURCE "/models/industrial6.yaml");
    for (int i = 1; i < count; i++) weld(paths[i]);
    return EXIT_SUCCESS;
}
