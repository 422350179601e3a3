/* The texts of generated code on the recording scalar, and the search for the axes in which they take least. */
#include "codegen/traced.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/columns.h"
#include "codegen/reduced_derive.h"
#include "codegen/reduced_factor.h"
#include "codegen/reduced_frames.h"
#include "codegen/reduced_inverse.h"
#include "codegen/reduced_mass.h"
#include "codegen/simplify.h"
#include "model/joint_type.h"

size_t zi_generated_part(const zvModel *model, zvGenerated function, int part) {
    const size_t nv = (size_t)model->nv;
    switch (function) {
    case ZV_GENERATE_INVERSE_DERIVATIVES: return part < 3 ? nv * nv : 0;
    case ZV_GENERATE_FORWARD_DERIVATIVES: return part == 0 ? nv : part < 4 ? nv * nv : 0;
    default: break;
    }
    if (part > 0) return 0;
    switch (function) {
    case ZV_GENERATE_MASS:
    case ZV_GENERATE_MINV: return nv * nv;
    case ZV_GENERATE_POSE: return 12;
    case ZV_GENERATE_JACOBIAN: return 6 * nv;
    default: return nv;
    }
}

size_t zi_generated_size(const zvModel *model, zvGenerated function) {
    size_t sum = 0, size;
    for (int part = 0; (size = zi_generated_part(model, function, part)) > 0; part++) sum += size;
    return sum;
}

size_t zi_generated_guards(const zvModel *model, zvGenerated function) {
    if (function != ZV_GENERATE_FORWARD && function != ZV_GENERATE_MINV && function != ZV_GENERATE_FORWARD_DERIVATIVES)
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

/* Room for one robot's texts. */
struct Room {
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

bool open_room(const zvModel *m, size_t nb, Room *room) {
    const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, numbers = nq + (5 + nv) * nv,
                 outputs = 12 + (6 + 3 * nv) * nv + 2 * (nv + nb);
    const size_t bytes = nb * (sizeof(reducedMotion) + sizeof(reducedComposite) + sizeof(reducedChange) + sizeof(real33)) +
                         (numbers + outputs) * sizeof(real) + 2 * outputs * sizeof(ziEdge) + 3 * nb + 16 * 16;
    *room = Room();
    char *at = (char *)calloc(1, bytes);
    if (!at) return false;
    room->memory = at;
    room->motion = next<reducedMotion>(&at, nb);
    room->composite = next<reducedComposite>(&at, nb);
    room->change = next<reducedChange>(&at, nb);
    room->world = next<real33>(&at, nb);
    room->q = next<real>(&at, nq);
    room->v = next<real>(&at, nv);
    room->a = next<real>(&at, nv);
    room->tau = next<real>(&at, nv);
    room->column = next<real>(&at, nv);
    room->M = next<real>(&at, nv * nv);
    room->answer = next<real>(&at, outputs);
    room->scratch = next<ziEdge>(&at, outputs);
    room->moved = next<ziEdge>(&at, outputs);
    room->inverse = next<unsigned char>(&at, nb);
    room->other = next<unsigned char>(&at, nb);
    room->best = next<unsigned char>(&at, nb);
    return true;
}

void number_inputs(const zvModel *m, ziTape *tape, Room *room) {
    for (int i = 0; i < m->nq; i++) room->q[i] = real::of(zi_tape_input(tape, i));
    for (int i = 0; i < m->nv; i++) room->v[i] = real::of(zi_tape_input(tape, m->nq + i));
    for (int i = 0; i < m->nv; i++) room->a[i] = real::of(zi_tape_input(tape, m->nq + m->nv + i));
}

/* M becomes its factors; row has the joints; guards: of the pivots, then of quaternions. */
template <class Row> void factor(const ziReduced *reduced, const Row *row, real *M, real *guard) {
    reduced_factor(reduced->model, M, guard);
    guard += 2 * reduced->model->nv;
    for (int i = 1; i < reduced->nb; i++) {
        if (!zi_joint_has_quaternion(reduced->body[i].type)) continue;
        *guard++ = row[i].joint.length;
        *guard++ = 0;
    }
}

/* M factored in room->M, and the guards. */
void mass_factor(const ziReduced *reduced, const Axes &axes, Room *room, real *guard) {
    reduced_mass(reduced, axes.other, room->composite, room->q, room->M);
    factor(reduced, room->composite, room->M, guard);
}

/* out: dq, dv, da. */
void derive(const ziReduced *reduced, Room *room, const real *a, real *out) {
    const int square = reduced->model->nv * reduced->model->nv;
    const reducedDerivatives x = {out, out + square, out + 2 * square};
    reduced_derive(reduced, room->change, room->q, room->v, a, &x);
}

/* A column of a matrix becomes -M^-1 times it. */
void divide(const zvModel *m, const real *M, real *column, real *x) {
    const int n = m->nv;
    for (int i = 0; i < n; i++) column[i] = -x[i * n];
    reduced_solve(m, M, n - 1, column);
    for (int i = 0; i < n; i++) x[i * n] = column[i];
}

/* out: a, then derivatives of forces dq, dv and da at that a; M factored in room->M, and the guards. What is said twice
 * is recorded once: dv and da do not depend on a, and the forces of velocities, being quadratic, are dv v / 2. */
void prepare(const ziReduced *reduced, Room *room, real *out, real *guard) {
    const zvModel *m = reduced->model;
    const int n = m->nv;
    real *X = out + n;
    derive(reduced, room, NULL, X);
    reduced_weight(reduced, room->change, room->tau);
    for (int i = 0; i < n; i++) {
        real twice = 0;
        for (int k = 0; k < n; k++) twice = twice + X[(n + i) * n + k] * room->v[k];
        out[i] = room->a[i] - (0.5 * twice + room->tau[i]);
    }
    for (int i = 0; i < n * n; i++) room->M[i] = X[2 * n * n + i];
    factor(reduced, room->change, room->M, guard);
    reduced_solve(m, room->M, n - 1, out);
    derive(reduced, room, out, X);
}

/* out: a, then dq, dv, dtau by (19) of docs/derivatives.md, then guards. */
void respond(const ziReduced *reduced, Room *room, real *out) {
    const zvModel *m = reduced->model;
    const int n = m->nv;
    real *X = out + n;
    prepare(reduced, room, out, X + 3 * n * n);
    for (int k = 0; k < 2 * n; k++) divide(m, room->M, room->column, X + k / n * n * n + k % n);
    reduced_invert(m, room->M, room->column, X + 2 * n * n);
}

/* As columns.h has them. */
void factors(const zvModel *m, const real *M, real *out) {
    const int n = m->nv;
    for (int i = 0; i < n; i++) *out++ = -M[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int j = reduced_before(m, i); j >= 0; j = reduced_before(m, j)) *out++ = M[i * n + j];
}

/* out: what is recorded of a function that ends with the loop of columns.h, then its guards. */
void run_to_columns(const ziReduced *reduced, zvGenerated function, const Axes &axes, Room *room, real *out) {
    const zvModel *m = reduced->model;
    const int n = m->nv;
    real *guard = out + zi_columns_size(m, function);
    if (function == ZV_GENERATE_MINV) {
        mass_factor(reduced, axes, room, guard);
        factors(m, room->M, out);
        return;
    }
    real *X = out + n, *found = X + 3 * n * n;
    prepare(reduced, room, out, found);
    factors(m, room->M, X + 2 * n * n);
    for (size_t i = 0; i < 2 * zi_generated_guards(m, function); i++) guard[i] = found[i];
}

/* out: the answer, then its guards. */
void run(const ziReduced *reduced, zvGenerated function, const Axes &axes, Room *room, real *out) {
    const zvModel *m = reduced->model;
    const real *q = room->q, *v = room->v, *a = room->a;
    switch (function) {
    case ZV_GENERATE_INVERSE: reduced_inverse(reduced, axes.inverse, room->motion, q, v, a, out); break;
    case ZV_GENERATE_BIAS: reduced_inverse(reduced, axes.inverse, room->motion, q, v, NULL, out); break;
    case ZV_GENERATE_GRAVITY: reduced_inverse(reduced, axes.inverse, room->motion, q, NULL, NULL, out); break;
    case ZV_GENERATE_MASS: reduced_mass(reduced, axes.other, room->composite, q, out); break;
    case ZV_GENERATE_MINV:
        mass_factor(reduced, axes, room, out + m->nv * m->nv);
        reduced_invert(m, room->M, room->column, out);
        break;
    case ZV_GENERATE_FORWARD:
        reduced_inverse(reduced, axes.inverse, room->motion, q, v, NULL, room->tau);
        mass_factor(reduced, axes, room, out + m->nv);
        for (int i = 0; i < m->nv; i++) out[i] = a[i] - room->tau[i];
        reduced_solve(m, room->M, m->nv - 1, out);
        break;
    case ZV_GENERATE_POSE: reduced_pose(reduced, axes.other, room->composite, q, out); break;
    case ZV_GENERATE_JACOBIAN: reduced_jacobian(reduced, axes.other, room->composite, room->world, q, out); break;
    case ZV_GENERATE_INVERSE_DERIVATIVES: derive(reduced, room, a, out); break;
    case ZV_GENERATE_FORWARD_DERIVATIVES: respond(reduced, room, out); break;
    case ZV_GENERATED: break;
    }
}

typedef void Run(const ziReduced *reduced, zvGenerated function, const Axes &axes, Room *room, real *out);

zvStatus record(const ziReduced *reduced, zvGenerated function, Run *text, const Axes &axes, Room *room, ziTape *tape,
                ziEdge *output) {
    const zvModel *m = reduced->model;
    const size_t size = text == run ? zi_generated_size(m, function) : zi_columns_size(m, function);
    ziTape *before = zi_tape_use(tape);
    number_inputs(m, tape, room);
    text(reduced, function, axes, room, room->answer);
    zi_tape_use(before);
    for (size_t i = 0; i < size + 2 * zi_generated_guards(m, function); i++) output[i] = room->answer[i].edge;
    if (tape->branch) return ZV_NOT_SUPPORTED;
    return tape->full ? ZV_MEMORY : ZV_OK;
}

/* What a function takes with these axes; a division as much as eight products. Programs are compared without being
 * simplified: the order is mostly the same, and many can be tried. */
zvStatus price(const ziReduced *reduced, zvGenerated function, const Axes &axes, Room *room, long long *cost) {
    ziTape tape = ziTape(), tidy = ziTape();
    const size_t outputs = zi_generated_edges(reduced->model, function);
    zvStatus status = zi_tape_open(&tape, ZI_TAPE_RECORD) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) status = record(reduced, function, run, axes, room, &tape, room->scratch);
    if (status == ZV_OK) status = zi_prune(&tape, outputs, room->scratch, &tidy, room->moved);
    if (status == ZV_OK) {
        const zvOperations o = zi_tape_operations(&tidy);
        *cost = o.mul + o.add + 8 * o.div;
    }
    room->work -= tape.count;
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
zvStatus search(const ziReduced *reduced, zvGenerated function, const Axes &axes, unsigned char *which, Room *room) {
    long long least = -1, cost = 0;
    if (!able_to_share(reduced)) return ZV_OK;
    for (int k = 0; (k == 0 || room->work > 0) && choose(reduced, k, room->best, which); k++) {
        const zvStatus status = price(reduced, function, axes, room, &cost);
        if (status != ZV_OK) return status;
        if (least >= 0 && cost >= least) continue;
        least = cost;
        memcpy(room->best, which, (size_t)reduced->nb);
    }
    memcpy(which, room->best, (size_t)reduced->nb);
    return ZV_OK;
}

/* Forward dynamics takes the axes of both its parts, or the same for both, which saves what they share. */
zvStatus search_forward(const ziReduced *reduced, const Axes &axes, Room *room) {
    zvStatus status = search(reduced, ZV_GENERATE_BIAS, axes, axes.inverse, room);
    if (status == ZV_OK) status = search(reduced, ZV_GENERATE_MASS, axes, axes.other, room);
    if (status != ZV_OK || room->work < 0 || !memcmp(axes.inverse, axes.other, (size_t)reduced->nb)) return status;
    long long apart, together;
    const Axes same = {axes.other, axes.other};
    status = price(reduced, ZV_GENERATE_FORWARD, axes, room, &apart);
    if (status == ZV_OK) status = price(reduced, ZV_GENERATE_FORWARD, same, room, &together);
    if (status == ZV_OK && together < apart) memcpy(axes.inverse, axes.other, (size_t)reduced->nb);
    return status;
}

zvStatus search_axes(const ziReduced *reduced, zvGenerated function, const Axes &axes, Room *room) {
    switch (function) {
    case ZV_GENERATE_FORWARD: return search_forward(reduced, axes, room);
    case ZV_GENERATE_INVERSE:
    case ZV_GENERATE_BIAS:
    case ZV_GENERATE_GRAVITY: return search(reduced, function, axes, axes.inverse, room);
    case ZV_GENERATE_MINV: return search(reduced, ZV_GENERATE_MASS, axes, axes.other, room);
    case ZV_GENERATE_INVERSE_DERIVATIVES:
    case ZV_GENERATE_FORWARD_DERIVATIVES: return ZV_OK; /* bodies keep their own axes, in all parts of it */
    default: return search(reduced, function, axes, axes.other, room);
    }
}

zvStatus trace(const ziReduced *reduced, zvGenerated function, Run *text, ziTape *tape, ziEdge *output) {
    Room room;
    if (!open_room(reduced->model, (size_t)reduced->nb, &room)) return ZV_MEMORY;
    const Axes axes = {room.inverse, room.other};
    room.work = WORK;
    zvStatus status = tape->mode == ZI_TAPE_COUNT ? ZV_OK : search_axes(reduced, function, axes, &room);
    if (status == ZV_OK) status = record(reduced, function, text, axes, &room, tape, output);
    free(room.memory);
    return status;
}

} // namespace

zvStatus zi_trace_function(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *output) {
    return trace(reduced, function, run, tape, output);
}

zvStatus zi_trace_to_columns(const ziReduced *reduced, zvGenerated function, ziTape *tape, ziEdge *output) {
    return trace(reduced, function, run_to_columns, tape, output);
}
