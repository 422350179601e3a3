/* The kernels of generated code on the recording scalar, and the search for the axes in which they take least. */
#include "codegen/traced.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/columns.h"
#include "codegen/reduced_derive.h"
#include "codegen/reduced_factor.h"
#include "codegen/reduced_frames.h"
#include "codegen/reduced_inverse.h"
#include "codegen/reduced_mass.h"
#include "codegen/reduced_passive.h"
#include "codegen/simplify.h"
#include "codegen/tape_rates.h"
#include "model/joint_type.h"

/* Derivatives have several answers, everything else one. */
size_t zi_generated_part(const zvModel *model, zvGenerated function, int part) {
    const size_t nv = (size_t)model->nv;
    switch (function) {
    case ZV_GENERATED_INVERSE_DERIVATIVES: return part < 3 ? nv * nv : 0;
    case ZV_GENERATED_FORWARD_DERIVATIVES: return part == 0 ? nv : part < 4 ? nv * nv : 0;
    case ZI_GENERATED_RATES: return part < 3 ? nv : 0;
    default: break;
    }
    if (part > 0) return 0;
    switch (function) {
    case ZV_GENERATED_MASS:
    case ZV_GENERATED_MINV: return nv * nv;
    case ZV_GENERATED_POSE: return 12;
    case ZV_GENERATED_JACOBIAN: return 6 * nv;
    default: return nv;
    }
}

size_t zi_generated_size(const zvModel *model, zvGenerated function) {
    size_t sum = 0, size;
    for (int part = 0; (size = zi_generated_part(model, function, part)) > 0; part++) sum += size;
    return sum;
}

size_t zi_generated_guards(const zvModel *model, zvGenerated function) {
    if (function != ZV_GENERATED_FORWARD && function != ZV_GENERATED_MINV && function != ZV_GENERATED_FORWARD_DERIVATIVES)
        return 0;
    size_t guards = (size_t)model->nv;
    for (int i = 1; i < model->tree.nb; i++) guards += zi_joint_has_quaternion(model->tree.body[i].type);
    return guards;
}

namespace {

/* Which bodies share axes with their parents, in inverse dynamics and elsewhere. */
struct Axes {
    unsigned char *inverse, *other;
};

/* Arrays for the kernels of one robot. */
struct TraceArrays {
    void *memory;
    reducedMotion *motion;
    reducedComposite *composite;
    reducedChange *change;
    real33 *world;
    real *q, *v, *a, *tau, *column, *M, *answer;
    ziEdge *scratch, *moved;               /* outputs of the largest function */
    unsigned char *inverse, *other, *best; /* nb */
    long long work;                        /* left for comparing axes */
};

template <class T> T *next(char **at, size_t count) {
    T *taken = (T *)*at;
    *at += (count * sizeof(T) + 15) / 16 * 16;
    return taken;
}

/* One block; every array begins aligned. */
bool open_arrays(const zvModel *m, size_t nb, TraceArrays *arrays) {
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, numbers = nq + (5 + nv) * nv,
                 outputs = 12 + (6 + 3 * nv) * nv + 2 * (nv + nb);
    const size_t bytes = nb * (sizeof(reducedMotion) + sizeof(reducedComposite) + sizeof(reducedChange) + sizeof(real33)) +
                         (numbers + outputs) * sizeof(real) + 2 * outputs * sizeof(ziEdge) + 3 * nb + 16 * 16;
    *arrays = TraceArrays();
    char *at = (char *)calloc(1, bytes);
    if (!at) return false;
    arrays->memory = at;
    arrays->motion = next<reducedMotion>(&at, nb);
    arrays->composite = next<reducedComposite>(&at, nb);
    arrays->change = next<reducedChange>(&at, nb);
    arrays->world = next<real33>(&at, nb);
    arrays->q = next<real>(&at, nq);
    arrays->v = next<real>(&at, nv);
    arrays->a = next<real>(&at, nv);
    arrays->tau = next<real>(&at, nv);
    arrays->column = next<real>(&at, nv);
    arrays->M = next<real>(&at, nv * nv);
    arrays->answer = next<real>(&at, outputs);
    arrays->scratch = next<ziEdge>(&at, outputs);
    arrays->moved = next<ziEdge>(&at, outputs);
    arrays->inverse = next<unsigned char>(&at, nb);
    arrays->other = next<unsigned char>(&at, nb);
    arrays->best = next<unsigned char>(&at, nb);
    return true;
}

void number_inputs(const zvModel *m, ziTape *tape, TraceArrays *arrays) {
    for (int i = 0; i < m->nq; i++) arrays->q[i] = real::of(zi_tape_input(tape, i));
    for (int i = 0; i < m->nv; i++) arrays->v[i] = real::of(zi_tape_input(tape, m->nq + i));
    for (int i = 0; i < m->nv; i++) arrays->a[i] = real::of(zi_tape_input(tape, m->nq + m->nv + i));
}

/* M becomes its factors; row has the joints; x is (n); guards: of the pivots, then of quaternions. */
template <class Row> void factor(const ziReduced *reduced, const Row *row, real *M, real *x, real *guard) {
    reduced_factor(reduced->model, M, x, guard);
    guard += 2 * reduced->model->nv;
    for (int i = 1; i < reduced->nb; i++) {
        if (!zi_joint_has_quaternion(reduced->body[i].type)) continue;
        *guard++ = row[i].joint.length;
        *guard++ = 0;
    }
}

/* M factored in arrays->M, and the guards. */
void mass_factor(const ziReduced *reduced, const Axes &axes, TraceArrays *arrays, real *guard) {
    reduced_mass(reduced, axes.other, arrays->composite, arrays->q, arrays->M);
    factor(reduced, arrays->composite, arrays->M, arrays->column, guard);
}

/* out: dq, dv, da. */
void derive(const ziReduced *reduced, TraceArrays *arrays, const real *a, real *out) {
    const int square = reduced->model->nv * reduced->model->nv;
    const reducedDerivatives x = {out, out + square, out + 2 * square};
    reduced_derive(reduced, arrays->change, arrays->q, arrays->v, a, &x);
}

/* A column of a matrix becomes -M^-1 times it. */
void divide(const zvModel *m, const real *M, real *column, real *x) {
    const int n = m->nv;
    for (int i = 0; i < n; i++) column[i] = -x[i * n];
    ltdl_solve(zi_dof_paths(m), M, column);
    for (int i = 0; i < n; i++) x[i * n] = column[i];
}

/* out: a, then derivatives of forces dq, dv and da at that a; M factored in arrays->M, and the guards. What is said twice
 * is recorded once: dv and da do not depend on a, and the forces of velocities, being quadratic, are dv v / 2. */
void prepare(const ziReduced *reduced, TraceArrays *arrays, real *out, real *guard) {
    const zvModel *m = reduced->model;
    const int n = m->nv;
    real *X = out + n;
    derive(reduced, arrays, NULL, X);
    reduced_weight(reduced, arrays->change, arrays->tau);
    for (int i = 0; i < n; i++) {
        real twice = 0;
        for (int k = 0; k < n; k++) twice = twice + X[(n + i) * n + k] * arrays->v[k];
        out[i] = arrays->a[i] - (0.5 * twice + arrays->tau[i]);
    }
    for (int i = 0; i < n * n; i++) arrays->M[i] = X[2 * n * n + i];
    factor(reduced, arrays->change, arrays->M, arrays->column, guard);
    ltdl_solve(zi_dof_paths(m), arrays->M, out);
    derive(reduced, arrays, out, X);
}

/* out: a, then dq, dv, dtau by (19) of docs/derivatives.md, then guards. */
void respond(const ziReduced *reduced, TraceArrays *arrays, real *out) {
    const zvModel *m = reduced->model;
    const int n = m->nv;
    real *X = out + n;
    prepare(reduced, arrays, out, X + 3 * n * n);
    for (int k = 0; k < 2 * n; k++) divide(m, arrays->M, arrays->column, X + k / n * n * n + k % n);
    reduced_invert(m, arrays->M, arrays->column, X + 2 * n * n);
}

/* As columns.h has them. */
void factors(const zvModel *m, const real *M, real *out) {
    const int n = m->nv;
    const ltdlPaths w = zi_dof_paths(m);
    for (int i = 0; i < n; i++) *out++ = -M[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int j = ltdl_parent(w, i); j >= 0; j = ltdl_parent(w, j)) *out++ = M[i * n + j];
}

/* out: what is recorded of a function that ends with the loop of columns.h, then its guards. */
void run_to_columns(const ziReduced *reduced, zvGenerated function, const Axes &axes, TraceArrays *arrays, real *out) {
    const zvModel *m = reduced->model;
    const int n = m->nv;
    real *guard = out + zi_columns_size(m, function);
    if (function == ZV_GENERATED_MINV) {
        mass_factor(reduced, axes, arrays, guard);
        factors(m, arrays->M, out);
        return;
    }
    real *X = out + n, *found = X + 3 * n * n;
    prepare(reduced, arrays, out, found);
    factors(m, arrays->M, X + 2 * n * n);
    for (size_t i = 0; i < 2 * zi_generated_guards(m, function); i++) guard[i] = found[i];
}

/* out: the answer, then its guards. */
void run(const ziReduced *reduced, zvGenerated function, const Axes &axes, TraceArrays *arrays, real *out) {
    const zvModel *m = reduced->model;
    const real *q = arrays->q, *v = arrays->v, *a = arrays->a;
    switch (function) {
    case ZV_GENERATED_INVERSE:
    case ZV_GENERATED_BIAS:
    case ZI_GENERATED_RATES:
        reduced_inverse(reduced, axes.inverse, arrays->motion, q, v, function == ZV_GENERATED_BIAS ? NULL : a, out);
        reduced_add_passive(reduced, q, v, -1, out);
        break;
    case ZV_GENERATED_GRAVITY: reduced_inverse(reduced, axes.inverse, arrays->motion, q, NULL, NULL, out); break;
    case ZV_GENERATED_MASS: reduced_mass(reduced, axes.other, arrays->composite, q, out); break;
    case ZV_GENERATED_MINV:
        mass_factor(reduced, axes, arrays, out + m->nv * m->nv);
        reduced_invert(m, arrays->M, arrays->column, out);
        break;
    case ZV_GENERATED_FORWARD:
        reduced_inverse(reduced, axes.inverse, arrays->motion, q, v, NULL, arrays->tau);
        reduced_add_passive(reduced, q, v, -1, arrays->tau);
        mass_factor(reduced, axes, arrays, out + m->nv);
        for (int i = 0; i < m->nv; i++) out[i] = a[i] - arrays->tau[i];
        ltdl_solve(zi_dof_paths(m), arrays->M, out);
        break;
    case ZV_GENERATED_POSE: reduced_pose(reduced, axes.other, arrays->composite, q, out); break;
    case ZV_GENERATED_JACOBIAN: reduced_jacobian(reduced, axes.other, arrays->composite, arrays->world, q, out); break;
    case ZV_GENERATED_INVERSE_DERIVATIVES: derive(reduced, arrays, a, out); break;
    case ZV_GENERATED_FORWARD_DERIVATIVES: respond(reduced, arrays, out); break;
    }
}

typedef void Run(const ziReduced *reduced, zvGenerated function, const Axes &axes, TraceArrays *arrays, real *out);

/* Runs a kernel on the recording scalar and takes the edges of its answers. */
zvStatus record(const ziReduced *reduced, zvGenerated function, Run *kernel, const Axes &axes, TraceArrays *arrays, ziTape *tape,
                ziEdge *output) {
    const zvModel *m = reduced->model;
    const bool rates = function == ZI_GENERATED_RATES;
    const size_t nv = (size_t)m->nv;
    const size_t size = rates         ? nv
                        : kernel == run ? zi_generated_size(m, function)
                                        : zi_columns_size(m, function);
    ziTape *before = zi_tape_use(tape);
    number_inputs(m, tape, arrays);
    kernel(reduced, function, axes, arrays, arrays->answer);
    zi_tape_use(before);
    for (size_t i = 0; i < size + 2 * zi_generated_guards(m, function); i++) output[i] = arrays->answer[i].edge;
    for (int k = 0; rates && k < 2; k++) zi_tape_rates(tape, m->nv, nv, output + k * nv, output + (k + 1) * nv);
    if (tape->branch) return ZV_NOT_SUPPORTED;
    return tape->full ? ZV_MEMORY : ZV_OK;
}

/* What a function takes with these axes; a division as much as eight products. Programs are compared without being
 * simplified: the order is mostly the same, and many can be tried. */
zvStatus price(const ziReduced *reduced, zvGenerated function, const Axes &axes, TraceArrays *arrays, long long *cost) {
    ziTape tape = ziTape(), tidy = ziTape();
    const size_t outputs = zi_generated_edges(reduced->model, function);
    zvStatus status = zi_tape_open(&tape, ZI_TAPE_RECORD) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) status = record(reduced, function, run, axes, arrays, &tape, arrays->scratch);
    if (status == ZV_OK) status = zi_prune(&tape, outputs, arrays->scratch, &tidy, arrays->moved);
    if (status == ZV_OK) {
        const zvOperations o = zi_tape_operations(&tidy);
        *cost = o.mul + o.add + 8 * o.div;
    }
    arrays->work -= tape.count;
    zi_tape_close(&tape);
    zi_tape_close(&tidy);
    return status;
}

/* Bodies that may share axes: with few of them every choice is tried, with many all, none, and the best of these
 * changed at one body at a time; as long as WORK, nodes recorded altogether, is not used up. */
enum { EVERY_CHOICE = 6, WORK = 1000000 };

int able_to_share(const ziReduced *reduced) {
    int able = 0;
    for (int i = 0; i < reduced->nb; i++) able += reduced->body[i].joins;
    return able;
}

/* The k-th choice to try, made of the best one so far; false when there are no more. */
bool choose(const ziReduced *reduced, int k, const unsigned char *best, unsigned char *joined) {
    const int able = able_to_share(reduced);
    if (k >= (able <= EVERY_CHOICE ? 1 << able : able + 2)) return false;
    for (int i = 0, at = 0; i < reduced->nb; i++) {
        joined[i] = 0;
        if (!reduced->body[i].joins) continue;
        if (able <= EVERY_CHOICE)
            joined[i] = !(k >> at & 1);
        else
            joined[i] = k == 0 ? 1 : k == 1 ? 0 : at == k - 2 ? !best[i] : best[i];
        at++;
    }
    return true;
}

/* The axes in which a function takes least; which: those looked for, with the others of `axes` as they are. */
zvStatus search(const ziReduced *reduced, zvGenerated function, const Axes &axes, unsigned char *which, TraceArrays *arrays) {
    long long least = -1, cost = 0;
    if (!able_to_share(reduced)) return ZV_OK;
    for (int k = 0; (k == 0 || arrays->work > 0) && choose(reduced, k, arrays->best, which); k++) {
        const zvStatus status = price(reduced, function, axes, arrays, &cost);
        if (status != ZV_OK) return status;
        if (least >= 0 && cost >= least) continue;
        least = cost;
        memcpy(arrays->best, which, (size_t)reduced->nb);
    }
    memcpy(which, arrays->best, (size_t)reduced->nb);
    return ZV_OK;
}

/* Forward dynamics takes the axes of both its parts, or the same for both, which saves what they share. */
zvStatus search_forward(const ziReduced *reduced, const Axes &axes, TraceArrays *arrays) {
    zvStatus status = search(reduced, ZV_GENERATED_BIAS, axes, axes.inverse, arrays);
    if (status == ZV_OK) status = search(reduced, ZV_GENERATED_MASS, axes, axes.other, arrays);
    if (status != ZV_OK || arrays->work < 0 || !memcmp(axes.inverse, axes.other, (size_t)reduced->nb)) return status;
    long long apart, together;
    const Axes same = {axes.other, axes.other};
    status = price(reduced, ZV_GENERATED_FORWARD, axes, arrays, &apart);
    if (status == ZV_OK) status = price(reduced, ZV_GENERATED_FORWARD, same, arrays, &together);
    if (status == ZV_OK && together < apart) memcpy(axes.inverse, axes.other, (size_t)reduced->nb);
    return status;
}

/* Axes are searched for where the answer does not depend on them. */
zvStatus search_axes(const ziReduced *reduced, zvGenerated function, const Axes &axes, TraceArrays *arrays) {
    switch (function) {
    case ZV_GENERATED_FORWARD: return search_forward(reduced, axes, arrays);
    case ZV_GENERATED_INVERSE:
    case ZV_GENERATED_BIAS:
    case ZV_GENERATED_GRAVITY: return search(reduced, function, axes, axes.inverse, arrays);
    case ZV_GENERATED_MINV: return search(reduced, ZV_GENERATED_MASS, axes, axes.other, arrays);
    case ZI_GENERATED_RATES: return search(reduced, ZV_GENERATED_INVERSE, axes, axes.inverse, arrays);
    case ZV_GENERATED_INVERSE_DERIVATIVES:
    case ZV_GENERATED_FORWARD_DERIVATIVES: return ZV_OK; /* bodies keep their own axes, in all parts of it */
    default: return search(reduced, function, axes, axes.other, arrays);
    }
}

zvStatus trace(const ziReduced *reduced, zvGenerated function, Run *kernel, ziTape *tape, ziEdge *output) {
    TraceArrays arrays;
    if (!open_arrays(reduced->model, (size_t)reduced->nb, &arrays)) return ZV_MEMORY;
    const Axes axes = {arrays.inverse, arrays.other};
    arrays.work = WORK;
    zvStatus status = tape->mode == ZI_TAPE_COUNT ? ZV_OK : search_axes(reduced, function, axes, &arrays);
    if (status == ZV_OK) status = record(reduced, function, kernel, axes, &arrays, tape, output);
    free(arrays.memory);
    return status;
}

} // namespace

zvStatus zi_trace_function(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *output) {
    return trace(reduced, function, run, tape, output);
}

zvStatus zi_trace_to_columns(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *output) {
    return trace(reduced, function, run_to_columns, tape, output);
}
