/* The methods in base axes (yaskevich, kosynka, kane) as kernels, in tree coordinates: against the reference on random
 * trees, against composite bodies and Newton-Euler on a chain longer than the reference likes, and the memory they
 * take. Tolerance: 16 x depth x eps x the uncancelled size of the entry's terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/kernels.h"
#include "support/near.h"
#include "support/random_tree_case.h"
#include "support/run_tests.h"

enum { ULPS = 16 };

typedef void (*MassKernel)(const ziTree *t, ziScratch scratch, const real *q, real *M);
typedef void (*BiasKernel)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity,
                           real *b);

typedef struct Mass {
    const char *name;
    MassKernel run;
} Mass;
typedef struct Bias {
    const char *name;
    BiasKernel run;
} Bias;

enum { MASSES = 3, BIASES = 2 };
static void masses(const zvModel *model, Mass *to) {
    const ziKernels *k = zi_kernels(model);
    to[0] = (Mass){"yaskevich", k->yaskevich};
    to[1] = (Mass){"kosynka", k->kosynka};
    to[2] = (Mass){"kane", k->kane};
}
static void biases(const zvModel *model, Bias *to) {
    const ziKernels *k = zi_kernels(model);
    to[0] = (Bias){"yaskevich", k->yaskevich_bias};
    to[1] = (Bias){"kane", k->kane_bias};
}

/* Random trees ------------------------------------------------------------------------------------------------------
 */

static double worst; /* error in units of eps x scale */
static int compared, apart;

static void see(const rtCase *c, int count, const double *got, const exact *want, const exact *scale) {
    for (int i = 0; i < count; i++) {
        if (scale[i] > 0) worst = fmax(worst, (double)(fabsl(got[i] - want[i]) / (c->eps * scale[i])));
    }
    compared += count;
}

/* Exactly: mirrored, and zero between branches. */
static bool well_formed(const rtCase *c, const double *M) {
    const ziTree *t = &c->model->tree;
    for (int d = 0; d < c->nv; d++) {
        for (int e = d; e < c->nv; e++) {
            if (M[d * c->nv + e] != M[e * c->nv + d]) return false;
            const bool related = e < t->body[t->dof_body[d]].v_end;
            apart += !related;
            if (!related && M[d * c->nv + e] != 0) return false;
        }
    }
    return true;
}

static bool masses_agree(rtCase *c) {
    Mass methods[MASSES];
    masses(c->model, methods);
    const int n2 = c->nv * c->nv;
    bool good = true;
    ref_mass(c->ref, c->M);
    ref_error_scale_mass(c->ref, c->error_scale, c->S);
    for (int k = 0; k < MASSES && good; k++) {
        for (int i = 0; i < n2; i++) c->A[i] = NAN;
        methods[k].run(&c->model->tree, c->work->scratch, c->q, c->A);
        see(c, n2, c->A, c->M, c->S);
        good = rt_near(c, methods[k].name, n2, c->A, c->M, c->S, ULPS) && well_formed(c, c->A);
        if (!good) fprintf(stderr, "mass by %s\n", methods[k].name);
    }
    return good;
}

static bool biases_agree(rtCase *c, const double *v) {
    Bias methods[BIASES];
    biases(c->model, methods);
    bool good = true;
    ref_move(c->ref, v, NULL);
    ref_inverse(c->ref, NULL, true, c->want);
    ref_error_scale(c->ref, v, NULL, NULL, true, c->error_scale);
    for (int k = 0; k < BIASES && good; k++) {
        for (int i = 0; i < c->nv; i++) c->x[i] = NAN;
        methods[k].run(&c->model->tree, c->work->scratch, c->q, v, c->model->tree.gravity, c->x);
        see(c, c->nv, c->x, c->want, c->error_scale->tau);
        good = rt_near(c, methods[k].name, c->nv, c->x, c->want, c->error_scale->tau, ULPS);
        if (!good) fprintf(stderr, "bias by %s, %s\n", methods[k].name, v ? "moving" : "at rest");
    }
    return good;
}

static bool all_agree(rtCase *c) { return masses_agree(c) && biases_agree(c, c->v) && biases_agree(c, NULL); }

/* The kernels' coordinates are then the model's. */
static void uncoupled(int index, rtOptions *options) {
    (void)index;
    options->mimics = 0;
}

static void random_trees(void **state) {
    (void)state;
    worst = compared = apart = 0;
    assert_true(rt_each(64000, 1000, 40, uncoupled, all_agree));
    print_message("%d numbers, %d zeros between branches, the worst is %.2f depth eps off\n", compared, apart, worst);
    assert_true(compared > 100000 && apart > 10000);
}

static void single_types(void **state) {
    (void)state;
    assert_true(rt_each_type(65500, all_agree));
}

/* A long chain on a small scratch memory
 * ---------------------------------------------------------------------------------------
 */

enum { LONG = 500 };

static zvModel *long_chain(int n, rtRandom *random) {
    zvBuilder *builder = zv_builder_create(NULL);
    zvModel *model = NULL;
    char up[16] = "link0", name[16], joint_name[16];
    zvLink ground = zv_link_default(up);
    assert_non_null(builder);
    assert_int_equal(zv_builder_add_link(builder, &ground, NULL), ZV_OK);
    for (int i = 1; i <= n; i++) {
        snprintf(name, sizeof name, "link%d", i);
        snprintf(joint_name, sizeof joint_name, "joint%d", i);
        zvLink link = zv_link_default(name);
        zvJoint joint = zv_joint_default(joint_name, i % 7 == 3 ? ZV_JOINT_PRISMATIC : ZV_JOINT_REVOLUTE, up, name);
        link.has_inertia = true;
        rt_inertia(random, false, &link.inertia);
        rt_origin(random, false, &joint.origin);
        assert_int_equal(zv_builder_add_link(builder, &link, NULL), ZV_OK);
        assert_int_equal(zv_builder_add_joint(builder, &joint, NULL), ZV_OK);
        memcpy(up, name, sizeof up);
    }
    assert_true(zv_builder_freeze(builder, &model, NULL) >= 0);
    zv_builder_destroy(builder);
    return model;
}

/* What a scratch memory has for bodies and coordinates, without its matrices; behind it a strip that must stay as it
 * is. */
typedef struct SmallScratch {
    unsigned char *block;
    ziScratch scratch;
} SmallScratch;
enum { STRIP = 1 << 20, MARK = 0xa5 };

static SmallScratch small_scratch(const ziTree *t) {
    SmallScratch s;
    const size_t size =
        ((size_t)t->nb * ZI_SCRATCH_PER_BODY + (size_t)(t->nq + t->nv) * ZI_SCRATCH_PER_COORDINATE) / 64 * 64;
    s.block = aligned_alloc(64, size + STRIP);
    assert_non_null(s.block);
    memset(s.block, MARK, size + STRIP);
    s.scratch.next = s.block;
    s.scratch.end = s.block + size;
    return s;
}

static bool strip_untouched(const SmallScratch *s) {
    for (int i = 0; i < STRIP; i++)
        if (s->scratch.end[i] != MARK) return false;
    return true;
}

static void long_chain_in_small_scratch(void **state) {
    (void)state;
    rtRandom random = {66000};
    zvModel *model = long_chain(LONG, &random);
    zvWork *work = zv_work_create(model, NULL);
    const ziTree *t = &model->tree;
    const size_t n = (size_t)t->nv;
    double *q = calloc(4 * n + 2 * n * n, sizeof *q), *v = q + n, *b = v + n, *want = b + n, *M = want + n,
           *other = M + n * n;
    assert_true(work && q && t->nq == LONG && t->nv == LONG);
    SmallScratch small = small_scratch(t);
    rt_draw_position(model, &random, q);
    rt_vector(&random, 0.1, t->nv, v);
    Mass mass[MASSES];
    Bias bias[BIASES];
    masses(model, mass);
    biases(model, bias);
    zv_mass_matrix(model, work, q, other);
    zv_bias(model, work, q, v, want);
    for (int k = 0; k < MASSES; k++) {
        mass[k].run(t, small.scratch, q, M);
        assert_all_near_scaled(mass[k].name, t->nv * t->nv, M, other, LONG * DBL_EPSILON);
        assert_true(strip_untouched(&small));
    }
    for (int k = 0; k < BIASES; k++) {
        bias[k].run(t, small.scratch, q, v, t->gravity, b);
        assert_all_near_scaled(bias[k].name, t->nv, b, want, LONG * DBL_EPSILON);
        assert_true(strip_untouched(&small));
    }
    free(q);
    free(small.block);
    zv_work_destroy(work);
    zv_model_destroy(model);
}

TESTS(random_trees, single_types, long_chain_in_small_scratch)
