/* zveno_crossings: where the rows of a question meet, for the thresholds of src/dynamics/auto.h.
 *
 * Four families of robots over the number of joints: arms with axes at right angles, as robots are built; chains in
 * general position; legs of six joints on a floating base; arms with two joints that follow others. Rows that auto
 * chooses between are called in turn, a batch of each in every round, so that whatever the machine does meanwhile meets
 * all alike; a row counts with its fastest batch. * is the fastest row, the last column what auto runs. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "chain.h"
#include "study.h"
#include "zveno/builder.h"
#include "zveno/dynamics.h"
#include "zveno/version.h"

enum { MOST_ROWS = 4, ROUNDS = 200, LEG = 6, FOLLOWERS = 2 };
static const double least_batch = 1e-4; /* s */

/* -- robots ------------------------------------------------------------------------------------------------------- */

static const char *numbered(char *name, size_t size, const char *word, int k) {
    snprintf(name, size, "%s%d", word, k);
    return name;
}

/* Link k and the joint that carries it, of `parent`; followed: the number of the joint that it follows, 0: none. */
static zvStatus add(zvBuilder *builder, int k, int parent, zvJointType type, int followed, zvError *error) {
    char child_name[24], parent_name[24], joint_name[24], master[24];
    zvLink link = zv_link_default(numbered(child_name, sizeof child_name, "link", k));
    link.has_inertia = true;
    link.inertia = (zvInertia){.mass = 2, .com = {0.01, 0.02, 0.1}, .moment = {0.03, 1e-3, 2e-3, 0.025, 1e-3, 0.02}};
    zvJoint joint = zv_joint_default(numbered(joint_name, sizeof joint_name, "joint", k), type,
                                     numbered(parent_name, sizeof parent_name, "link", parent), child_name);
    joint.origin.p[k % 2 ? 2 : 0] = 0.2;
    for (int i = 0; i < 3; i++) joint.axis[i] = i == (k % 3 == 1 ? 2 : 1); /* z y y z y y ... */
    if (followed > 0) joint.mimic = numbered(master, sizeof master, "joint", followed), joint.ratio = 0.5;
    const zvStatus status = zv_builder_add_link(builder, &link, error);
    return status < 0 ? status : zv_builder_add_joint(builder, &joint, error);
}

typedef enum Family { ARMS, CHAINS, LEGS, FOLLOWING, FAMILIES } Family;
static const char *const family_names[FAMILIES] = {"arms, axes at right angles", "chains in general position",
                                                   "legs of six joints on a floating base",
                                                   "arms, two more joints follow others"};

static zvStatus describe(zvBuilder *builder, Family family, int n, zvError *error) {
    const zvLink ground = zv_link_default("link0");
    zvStatus status = zv_builder_add_link(builder, &ground, error);
    zv_builder_set_mimic_coupled(builder, true);
    const int joints = family == LEGS ? n - LEG + 1 : n + (family == FOLLOWING ? FOLLOWERS : 0);
    for (int k = 1; k <= joints && status >= 0; k++) {
        const bool base = family == LEGS && k == 1, hip = family == LEGS && k > 1 && (k - 2) % LEG == 0;
        status = add(builder, k, hip ? 1 : k - 1, base ? ZV_JOINT_FREE : ZV_JOINT_REVOLUTE,
                     family == FOLLOWING ? k - n : 0, error);
    }
    return status;
}

/* n: degrees of freedom of the model. */
static zvModel *robot(Family family, int n) {
    zvModel *model = NULL;
    zvError error = {0};
    if (family == CHAINS) {
        study_demand(chain_create(n, &model, &error) >= 0, &error);
        return model;
    }
    zvBuilder *builder = zv_builder_create(NULL);
    study_demand(builder && describe(builder, family, n, &error) >= 0, &error);
    study_demand(zv_builder_freeze(builder, &model, &error) >= 0, &error);
    zv_builder_destroy(builder);
    return model;
}

/* -- measurement -------------------------------------------------------------------------------------------------- */

/* A robot in a state, with room for answers. */
typedef struct Case {
    zvModel *model;
    zvWork *work;
    double *q, *v, *a, *out;
} Case;

static Case case_open(Family family, int n) {
    zvError error = {0};
    Case c = {.model = robot(family, n)};
    const size_t size = (size_t)zv_model_nq(c.model) + 2 * (size_t)zv_model_nv(c.model);
    c.work = zv_work_create(c.model, &error);
    c.q = malloc(size * sizeof *c.q);
    c.out = malloc((size_t)zv_model_nv(c.model) * (size_t)zv_model_nv(c.model) * sizeof *c.out);
    study_demand(c.work && c.q && c.out, &error);
    for (size_t i = 0; i < size; i++) c.q[i] = sin(3.0 * (double)i + 1);
    c.v = c.q + zv_model_nq(c.model);
    c.a = c.v + zv_model_nv(c.model);
    return c;
}

static void case_close(Case *c) {
    zv_work_destroy(c->work);
    zv_model_destroy(c->model);
    free(c->q);
    free(c->out);
}

static double batch(const zvMethod *row, const Case *c, long calls) {
    const double start = study_now();
    for (long i = 0; i < calls; i++) (void)row->run(c->model, c->work, c->q, c->v, c->a, NULL, c->out);
    return study_now() - start;
}

/* Seconds per call of all rows, the rounds in turn; infinite where a row refuses. */
static void measure(const Case *c, int rows, const zvMethod *const *row, double *seconds) {
    long calls[MOST_ROWS];
    for (int i = 0; i < rows; i++) {
        seconds[i] = INFINITY;
        calls[i] = row[i]->run(c->model, c->work, c->q, c->v, c->a, NULL, c->out) < 0 ? 0 : 1;
        while (calls[i] && batch(row[i], c, calls[i]) < least_batch) calls[i] *= 2;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < rows; i++)
            if (calls[i]) seconds[i] = fmin(seconds[i], batch(row[i], c, calls[i]) / (double)calls[i]);
}

/* -- tables ------------------------------------------------------------------------------------------------------- */

typedef struct Study {
    zvQuestion question;
    Family family;
    const char *rows[MOST_ROWS];
    int n[20]; /* ends with 0 */
} Study;

static const Study studies[] = {
    {ZV_QUESTION_INVERSE, ARMS, {"newton-euler-reduced", "newton-euler"}, {2, 3, 4, 5, 6, 7, 8, 10, 16, 32, 128}},
    {ZV_QUESTION_INVERSE, CHAINS, {"newton-euler-reduced", "newton-euler"}, {2, 3, 4, 5, 6, 7, 8, 10, 16, 32, 128}},
    {ZV_QUESTION_MASS, ARMS, {"composite-reduced", "composite"}, {8, 16, 24, 28, 32, 36, 40, 48, 64, 96, 160}},
    {ZV_QUESTION_MASS, CHAINS, {"composite-reduced", "composite"}, {8, 16, 24, 28, 32, 36, 40, 48, 64, 96, 160}},
    {ZV_QUESTION_MASS, LEGS, {"composite-reduced", "composite"}, {18, 30, 54, 102, 204, 402}},
    {ZV_QUESTION_FORWARD, ARMS, {"mass-reduced-ldl", "articulated"}, {4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16}},
    {ZV_QUESTION_FORWARD, CHAINS, {"mass-reduced-ldl", "articulated"}, {4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16}},
    {ZV_QUESTION_FORWARD, LEGS, {"mass-reduced-ldl", "articulated"}, {12, 18, 24, 30}},
    {ZV_QUESTION_FORWARD, FOLLOWING, {"mass-reduced", "articulated"}, {4, 8, 16, 24, 32, 40, 48, 56, 64}},
    {ZV_QUESTION_INVERSE_MASS,
     ARMS,
     {"mass-reduced-ldl", "articulated-subtrees"},
     {6, 8, 12, 16, 18, 20, 22, 24, 26, 28, 32, 36, 40, 48, 64}},
    {ZV_QUESTION_INVERSE_MASS,
     CHAINS,
     {"mass-reduced-ldl", "articulated-subtrees"},
     {6, 8, 12, 16, 18, 20, 22, 24, 26, 28, 32, 36, 40, 48, 64}},
    {ZV_QUESTION_INVERSE_MASS,
     LEGS,
     {"mass-reduced-ldl", "articulated-subtrees"},
     {12, 18, 24, 30, 36, 42, 48, 54, 66, 78, 102}},
};

static void print_study(const Study *s) {
    const zvMethod *row[MOST_ROWS];
    int rows = 0;
    while (rows < MOST_ROWS && s->rows[rows]) row[rows] = zv_method_named(s->question, s->rows[rows]), rows++;
    printf("\n%s, %s: us per call\n%5s", zv_question_name(s->question), family_names[s->family], "n");
    for (int i = 0; i < rows; i++) printf(" %21s", row[i]->name);
    printf("  auto\n");
    for (int k = 0; s->n[k]; k++) {
        Case c = case_open(s->family, s->n[k]);
        double seconds[MOST_ROWS], least = INFINITY;
        measure(&c, rows, row, seconds);
        for (int i = 0; i < rows; i++) least = fmin(least, seconds[i]);
        printf("%5d", s->n[k]);
        for (int i = 0; i < rows; i++) printf(" %20.3g%c", 1e6 * seconds[i], seconds[i] == least ? '*' : ' ');
        printf("  %s\n", zv_method_chosen(s->question, c.model, false, NULL, 0)->name);
        fflush(stdout);
        case_close(&c);
    }
}

/* A processor that was idle needs a while to reach its frequency. */
static void warm_up(void) {
    volatile double x = 1;
    for (const double start = study_now(); study_now() - start < 0.3;) x = x * 1.0000001;
}

/* All studies, or those of one question. */
int main(int argc, char **argv) {
    warm_up();
    printf("%s kernels; processor time, fastest of %d batches in turn\n", zv_isa_name(), ROUNDS);
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++)
        if (argc < 2 || !strcmp(argv[1], zv_question_name(studies[i].question))) print_study(&studies[i]);
    return 0;
}
