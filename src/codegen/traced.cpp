/* The kernels of the dynamics on the recording scalar: their texts are read here once more, as C++, each in a namespace
 * of its own. Whatever reads state or model comes from them; this file only leads numbers in and out. */
#define ZI_ISA _trace

#include "codegen/traced.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/coupled.h"
#include "dynamics/elastic.h"
#include "dynamics/elastic_factor.h"
#include "dynamics/kernel_base_axes.h"
#include "dynamics/kernel_screw.h"
#include "dynamics/kernels.h"
#include "linalg/ltl.h"
#include "real/sincos.h"
#include "work/coupling.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* kernels that no row asks for */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
namespace {
namespace in_newton_euler {
#include "dynamics/kernel_newton_euler.c"
}
namespace in_articulated {
#include "dynamics/kernel_articulated.c"
}
namespace in_composite {
#include "dynamics/kernel_composite.c"
}
namespace in_yaskevich {
#include "dynamics/kernel_yaskevich.c"
}
namespace in_kosynka {
#include "dynamics/kernel_kosynka.c"
}
namespace in_kane {
#include "dynamics/kernel_kane.c"
}
namespace in_path {
#include "dynamics/kernel_path.c"
}
#pragma GCC diagnostic pop

/* The kernels by the names of their rows. */
struct Mass {
    const char *name;
    void (*run)(const ziTree *t, ziScratch scratch, const real *q, real *M);
};
const Mass masses[] = {
    {"composite", in_composite::zi_composite_trace},
    {"yaskevich", in_yaskevich::zi_yaskevich_trace},
    {"kosynka", in_kosynka::zi_kosynka_trace},
    {"kane", in_kane::zi_kane_trace},
    {"path", in_path::zi_path_trace},
};
struct Bias {
    const char *name;
    void (*run)(const ziTree *t, ziScratch scratch, const real *q, const real *v, const double *gravity, real *bias);
};
const Bias biases[] = {
    {"yaskevich", in_yaskevich::zi_yaskevich_bias_trace},
    {"kane", in_kane::zi_kane_bias_trace},
    {"path", in_path::zi_path_bias_trace},
};

const double weightless[3] = {0, 0, 0};

bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* A robot being traced. */
struct Robot {
    const zvModel *model;
    const ziTree *tree;
    ziTape *tape;
    ziScratch kernel;  /* of a workspace: what kernels lay out */
    ziScratch numbers; /* of this file: states and answers */
};

real *take(Robot &r, int count) { return zi_scratch_array(&r.numbers, real, count); }

/* -- coordinates of the model and of the tree ------------------------------------------------------------------------
 */

real *inputs(Robot &r, int first, int count) {
    real *x = take(r, count);
    for (int i = 0; i < count; i++) x[i] = real::of(zi_tape_input(r.tape, first + i));
    return x;
}

const real *tree_q(Robot &r) { return zi_tree_q(r.model, &r.numbers, inputs(r, 0, r.model->nq)); }
const real *tree_v(Robot &r, const real *v) { return zi_tree_v(r.model, &r.numbers, v); }
const real *velocity(Robot &r) { return tree_v(r, inputs(r, r.model->nq, r.model->nv)); }
real *third_input(Robot &r) { return inputs(r, r.model->nq + r.model->nv, r.model->nv); }

/* -- questions ------------------------------------------------------------------------------------------------------
 */

void newton_euler(Robot r, const real *q, const real *v, const real *a, const double *gravity, real *tau) {
    real *tree_tau = zi_tree_vector(r.model, &r.numbers, tau);
    in_newton_euler::zi_newton_euler_trace(r.tree, r.kernel, q, v, a, gravity, NULL, tree_tau, NULL);
    zi_contract(r.model, tree_tau, tau);
}

/* Columns by unit accelerations, as zi_mass_by_columns. */
void mass_by_columns(Robot r, const real *q, real *M) {
    const int nv = r.model->nv;
    real *e = take(r, nv);
    for (int j = 0; j < nv; j++) {
        Robot column = r;
        for (int i = 0; i < nv; i++) e[i] = i == j;
        newton_euler(column, q, NULL, tree_v(column, e), weightless, M + (size_t)j * (size_t)nv);
    }
}

zvStatus mass(Robot r, const char *method, const real *q, real *M) {
    if (same(method, "columns")) {
        mass_by_columns(r, q, M);
        return ZV_OK;
    }
    for (const Mass &row : masses) {
        if (!same(method, row.name)) continue;
        real *T = M;
        if (r.model->coupling.count) T = zi_scratch_array(&r.numbers, real, (size_t)r.tree->nv * (size_t)r.tree->nv);
        row.run(r.tree, r.kernel, q, T);
        zi_contract_matrix(r.model, T, M);
        return ZV_OK;
    }
    return ZV_NOT_SUPPORTED;
}

zvStatus bias(Robot r, const char *method, real *answer) {
    const real *q = tree_q(r), *v = velocity(r);
    if (same(method, "newton-euler")) {
        newton_euler(r, q, v, NULL, r.tree->gravity, answer);
        return ZV_OK;
    }
    for (const Bias &row : biases) {
        if (!same(method, row.name)) continue;
        real *tree_bias = zi_tree_vector(r.model, &r.numbers, answer);
        row.run(r.tree, r.kernel, q, v, r.tree->gravity, tree_bias);
        zi_contract(r.model, tree_bias, answer);
        return ZV_OK;
    }
    return ZV_NOT_SUPPORTED;
}

zvStatus inverse(Robot r, const char *method, real *tau) {
    const real *q = tree_q(r), *v = velocity(r), *a = tree_v(r, third_input(r));
    if (same(method, "newton-euler")) {
        newton_euler(r, q, v, a, r.tree->gravity, tau);
    } else if (same(method, "path")) {
        real *tree_tau = zi_tree_vector(r.model, &r.numbers, tau);
        in_path::zi_path_inverse_trace(r.tree, r.kernel, q, v, a, r.tree->gravity, NULL, tree_tau);
        zi_contract(r.model, tree_tau, tau);
    } else {
        return ZV_NOT_SUPPORTED;
    }
    return ZV_OK;
}

/* M a = tau - bias. */
zvStatus forward_by_mass(Robot r, const char *method, real *a) {
    const int nv = r.model->nv;
    const real *q = tree_q(r), *v = velocity(r), *tau = third_input(r);
    real *M = zi_scratch_array(&r.numbers, real, (size_t)nv * (size_t)nv), *scratch = take(r, nv);
    int *parent = zi_scratch_array(&r.numbers, int, nv);
    const zvStatus status = mass(r, method, q, M);
    if (status != ZV_OK) return status;
    newton_euler(r, q, v, NULL, r.tree->gravity, a);
    for (int i = 0; i < nv; i++) {
        parent[i] = r.model->coupling.count ? i - 1 : r.tree->dof_parent[i];
        a[i] = tau[i] - a[i];
    }
    ltl_factor(nv, parent, M, scratch);
    ltl_solve(nv, parent, M, a);
    return ZV_OK;
}

/* -- separate bodies; multipliers of coupled mimic joints as in dynamics/coupled.c ------------------------------------
 */

/* A robot in a position, for sweeps by unit coupling forces. */
struct CoupledRest {
    const Robot *robot;
    const real *q;
};

zvStatus sweep_at_rest(const void *context, ziScratch, real *tau, real *a) {
    const CoupledRest *rest = (const CoupledRest *)context;
    const Robot *r = rest->robot;
    in_articulated::zi_articulated_forward_trace(r->tree, r->kernel, rest->q, NULL, tau, weightless, NULL, a);
    return ZV_OK;
}

/* Accelerations of the model: of the loose tree, then again with the forces that close its gaps. */
void solve_coupled(Robot r, const ziGaps &g, const real *q, const real *v, const double *gravity, const real *tau,
                   real *a) {
    const ziCoupling *c = &r.model->coupling;
    const int nt = r.tree->nv;
    real *x = take(r, nt), *t_tau = take(r, nt);
    for (int i = 0; i < nt; i++) t_tau[i] = c->follows[i] ? 0 : tau[c->v_master[i]];
    in_articulated::zi_articulated_forward_trace(r.tree, r.kernel, q, v, t_tau, gravity, NULL, x);
    zi_gaps_close(r.model, r.numbers, &g, x, t_tau);
    in_articulated::zi_articulated_forward_trace(r.tree, r.kernel, q, v, t_tau, gravity, NULL, x);
    for (int i = 0; i < r.model->nv; i++) a[i] = x[c->own_v[i]];
}

/* Solved, and refined once: the motion of the loose tree costs digits. */
void forward_coupled(Robot r, const real *q, const real *v, const real *tau, real *a) {
    const int nv = r.model->nv;
    const CoupledRest rest = {&r, q};
    ziGaps g;
    zi_gaps_find(r.model, &r.numbers, NULL, sweep_at_rest, &rest, &g);
    real *error = take(r, nv), *more = take(r, nv);
    solve_coupled(r, g, q, v, r.tree->gravity, tau, a);
    newton_euler(r, q, v, tree_v(r, a), r.tree->gravity, error);
    for (int i = 0; i < nv; i++) error[i] = tau[i] - error[i];
    solve_coupled(r, g, q, NULL, weightless, error, more);
    for (int i = 0; i < nv; i++) a[i] += more[i];
}

zvStatus forward_by_bodies(Robot r, real *a) {
    const real *q = tree_q(r), *v = velocity(r), *tau = third_input(r);
    if (r.model->coupling.count)
        forward_coupled(r, q, v, tau, a);
    else
        in_articulated::zi_articulated_forward_trace(r.tree, r.kernel, q, v, tau, r.tree->gravity, NULL, a);
    return ZV_OK;
}

zvStatus forward(Robot r, const char *method, real *a) {
    if (same(method, "articulated")) return forward_by_bodies(r, a);
    if (same(method, "mass")) return forward_by_mass(r, "composite", a);
    return forward_by_mass(r, strncmp(method, "mass-", 5) == 0 ? method + 5 : method, a);
}

zvStatus answer(Robot r, const char *question, const char *method, ziEdge *output) {
    const size_t nv = (size_t)r.model->nv, size = same(question, "mass") ? nv * nv : nv;
    real *x = zi_scratch_array(&r.numbers, real, size);
    zvStatus status = ZV_NOT_SUPPORTED;
    if (same(question, "mass")) status = mass(r, method, tree_q(r), x);
    if (same(question, "bias")) status = bias(r, method, x);
    if (same(question, "inverse")) status = inverse(r, method, x);
    if (same(question, "forward")) status = forward(r, method, x);
    for (size_t i = 0; i < size && status == ZV_OK; i++) output[i] = x[i].edge;
    return status;
}

/* What this file lays out at most: 16 vectors and, where M is asked for or solved with, 4 matrices; each rounded up. */
size_t numbers_size(const zvModel *m, const char *question) {
    const size_t n = (size_t)m->tree.nv, all = n + (size_t)(m->tree.nq + m->nq + m->nv);
    const size_t matrices = same(question, "mass") || same(question, "forward") ? 4 : 0;
    return (16 * all + matrices * n * n) * sizeof(real) + 32 * 64;
}
} // namespace

zvStatus zi_trace_method(const zvModel *model, const char *question, const char *method, ziTape *tape, ziEdge *output) {
    if (model->tree.ne) return ZV_NOT_SUPPORTED;
    const size_t size = numbers_size(model, question);
    zvWork *work = zv_work_create(model, NULL);
    unsigned char *block = (unsigned char *)malloc(size);
    zvStatus status = ZV_MEMORY;
    if (work && block) {
        ziTape *before = zi_tape_use(tape);
        status = answer({model, &model->tree, tape, work->scratch, {block, block + size}}, question, method, output);
        zi_tape_use(before);
    }
    zv_work_destroy(work);
    free(block);
    if (tape->full) return ZV_MEMORY;
    return tape->branch ? ZV_NOT_SUPPORTED : status;
}
