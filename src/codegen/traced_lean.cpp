/* The texts of generated code on the recording scalar, and the search for the axes in which they take least. */
#include "codegen/traced.h"

#include <stdlib.h>
#include <string.h>

#include "codegen/columns.h"
#include "codegen/lean_derive.h"
#include "codegen/lean_factor.h"
#include "codegen/lean_frames.h"
#include "codegen/lean_inverse.h"
#include "codegen/lean_mass.h"
#include "codegen/simplify.h"

size_t zv_generated_part(const zvModel *model, zvGenerated function, int part) {
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

size_t zv_generated_size(const zvModel *model, zvGenerated function) {
    size_t sum = 0, size;
    for (int part = 0; (size = zv_generated_part(model, function, part)) > 0; part++) sum += size;
    return sum;
}

static bool quaternion(unsigned char type) { return type == ZV_SPHERICAL || type == ZV_FREE; }

size_t zv_generated_guards(const zvModel *model, zvGenerated function) {
    if (function != ZV_GENERATE_FORWARD && function != ZV_GENERATE_MINV && function != ZV_GENERATE_FORWARD_DERIVATIVES)
        return 0;
    size_t guards = (size_t)model->nv;
    for (int i = 1; i < model->tree.nb; i++) guards += quaternion(model->tree.body[i].type);
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
    leanMotion *motion;
    leanComposite *composite;
    leanChange *change;
    real33 *world;
    real *q, *v, *a, *tau, *column, *M, *answer;
    zvEdge *scratch, *moved;               /* outputs of the largest function */
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
    const size_t bytes = nb * (sizeof(leanMotion) + sizeof(leanComposite) + sizeof(leanChange) + sizeof(real33)) +
                         (numbers + outputs) * sizeof(real) + 2 * outputs * sizeof(zvEdge) + 3 * nb + 16 * 16;
    *room = Room();
    char *at = (char *)calloc(1, bytes);
    if (!at) return false;
    room->memory = at;
    room->motion = next<leanMotion>(&at, nb);
    room->composite = next<leanComposite>(&at, nb);
    room->change = next<leanChange>(&at, nb);
    room->world = next<real33>(&at, nb);
    room->q = next<real>(&at, nq);
    room->v = next<real>(&at, nv);
    room->a = next<real>(&at, nv);
    room->tau = next<real>(&at, nv);
    room->column = next<real>(&at, nv);
    room->M = next<real>(&at, nv * nv);
    room->answer = next<real>(&at, outputs);
    room->scratch = next<zvEdge>(&at, outputs);
    room->moved = next<zvEdge>(&at, outputs);
    room->inverse = next<unsigned char>(&at, nb);
    room->other = next<unsigned char>(&at, nb);
    room->best = next<unsigned char>(&at, nb);
    return true;
}

void number_inputs(const zvModel *m, zvTape *tape, Room *room) {
    for (int i = 0; i < m->nq; i++) room->q[i] = real::of(zv_tape_input(tape, i));
    for (int i = 0; i < m->nv; i++) room->v[i] = real::of(zv_tape_input(tape, m->nq + i));
    for (int i = 0; i < m->nv; i++) room->a[i] = real::of(zv_tape_input(tape, m->nq + m->nv + i));
}

/* M becomes its factors; row has the joints; guards: of the pivots, then of quaternions. */
template <class Row> void factor(const zvLean *lean, const Row *row, real *M, real *guard) {
    lean_factor(lean->model, M, guard);
    guard += 2 * lean->model->nv;
    for (int i = 1; i < lean->nb; i++) {
        if (!quaternion(lean->body[i].type)) continue;
        *guard++ = row[i].joint.length;
        *guard++ = 0;
    }
}

/* M factored in room->M, and the guards. */
void mass_factor(const zvLean *lean, const Axes &axes, Room *room, real *guard) {
    lean_mass(lean, axes.other, room->composite, room->q, room->M);
    factor(lean, room->composite, room->M, guard);
}

/* out: dq, dv, da. */
void derive(const zvLean *lean, Room *room, const real *a, real *out) {
    const int square = lean->model->nv * lean->model->nv;
    const leanDerivatives x = {out, out + square, out + 2 * square};
    lean_derive(lean, room->change, room->q, room->v, a, &x);
}

/* A column of a matrix becomes -M^-1 times it. */
void divide(const zvModel *m, const real *M, real *column, real *x) {
    const int n = m->nv;
    for (int i = 0; i < n; i++) column[i] = -x[i * n];
    lean_solve(m, M, n - 1, column);
    for (int i = 0; i < n; i++) x[i * n] = column[i];
}

/* out: a, then derivatives of forces dq, dv and da at that a; M factored in room->M, and the guards. What is said twice
 * is recorded once: dv and da do not depend on a, and the forces of velocities, being quadratic, are dv v / 2. */
void prepare(const zvLean *lean, Room *room, real *out, real *guard) {
    const zvModel *m = lean->model;
    const int n = m->nv;
    real *X = out + n;
    derive(lean, room, NULL, X);
    lean_weight(lean, room->change, room->tau);
    for (int i = 0; i < n; i++) {
        real twice = 0;
        for (int k = 0; k < n; k++) twice = twice + X[(n + i) * n + k] * room->v[k];
        out[i] = room->a[i] - (0.5 * twice + room->tau[i]);
    }
    for (int i = 0; i < n * n; i++) room->M[i] = X[2 * n * n + i];
    factor(lean, room->change, room->M, guard);
    lean_solve(m, room->M, n - 1, out);
    derive(lean, room, out, X);
}

/* out: a, then dq, dv, dtau by (19) of docs/derivatives.md, then guards. */
void respond(const zvLean *lean, Room *room, real *out) {
    const zvModel *m = lean->model;
    const int n = m->nv;
    real *X = out + n;
    prepare(lean, room, out, X + 3 * n * n);
    for (int k = 0; k < 2 * n; k++) divide(m, room->M, room->column, X + k / n * n * n + k % n);
    lean_invert(m, room->M, room->column, X + 2 * n * n);
}

/* As columns.h has them. */
void factors(const zvModel *m, const real *M, real *out) {
    const int n = m->nv;
    for (int i = 0; i < n; i++) *out++ = -M[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int j = lean_before(m, i); j >= 0; j = lean_before(m, j)) *out++ = M[i * n + j];
}

/* out: what is recorded of a function that ends with the loop of columns.h, then its guards. */
void run_to_columns(const zvLean *lean, zvGenerated function, const Axes &axes, Room *room, real *out) {
    const zvModel *m = lean->model;
    const int n = m->nv;
    real *guard = out + zv_columns_size(m, function);
    if (function == ZV_GENERATE_MINV) {
        mass_factor(lean, axes, room, guard);
        factors(m, room->M, out);
        return;
    }
    real *X = out + n, *found = X + 3 * n * n;
    prepare(lean, room, out, found);
    factors(m, room->M, X + 2 * n * n);
    for (size_t i = 0; i < 2 * zv_generated_guards(m, function); i++) guard[i] = found[i];
}

/* out: the answer, then its guards. */
void run(const zvLean *lean, zvGenerated function, const Axes &axes, Room *room, real *out) {
    const zvModel *m = lean->model;
    const real *q = room->q, *v = room->v, *a = room->a;
    switch (function) {
    case ZV_GENERATE_INVERSE: lean_inverse(lean, axes.inverse, room->motion, q, v, a, out); break;
    case ZV_GENERATE_BIAS: lean_inverse(lean, axes.inverse, room->motion, q, v, NULL, out); break;
    case ZV_GENERATE_GRAVITY: lean_inverse(lean, axes.inverse, room->motion, q, NULL, NULL, out); break;
    case ZV_GENERATE_MASS: lean_mass(lean, axes.other, room->composite, q, out); break;
    case ZV_GENERATE_MINV:
        mass_factor(lean, axes, room, out + m->nv * m->nv);
        lean_invert(m, room->M, room->column, out);
        break;
    case ZV_GENERATE_FORWARD:
        lean_inverse(lean, axes.inverse, room->motion, q, v, NULL, room->tau);
        mass_factor(lean, axes, room, out + m->nv);
        for (int i = 0; i < m->nv; i++) out[i] = a[i] - room->tau[i];
        lean_solve(m, room->M, m->nv - 1, out);
        break;
    case ZV_GENERATE_POSE: lean_pose(lean, axes.other, room->composite, q, out); break;
    case ZV_GENERATE_JACOBIAN: lean_jacobian(lean, axes.other, room->composite, room->world, q, out); break;
    case ZV_GENERATE_INVERSE_DERIVATIVES: derive(lean, room, a, out); break;
    case ZV_GENERATE_FORWARD_DERIVATIVES: respond(lean, room, out); break;
    case ZV_GENERATED: break;
    }
}

typedef void Run(const zvLean *lean, zvGenerated function, const Axes &axes, Room *room, real *out);

zvStatus record(const zvLean *lean, zvGenerated function, Run *text, const Axes &axes, Room *room, zvTape *tape,
                zvEdge *output) {
    const zvModel *m = lean->model;
    const size_t size = text == run ? zv_generated_size(m, function) : zv_columns_size(m, function);
    zvTape *before = zv_tape_use(tape);
    number_inputs(m, tape, room);
    text(lean, function, axes, room, room->answer);
    zv_tape_use(before);
    for (size_t i = 0; i < size + 2 * zv_generated_guards(m, function); i++) output[i] = room->answer[i].edge;
    if (tape->branch) return ZV_NOT_SUPPORTED;
    return tape->full ? ZV_MEMORY : ZV_OK;
}

/* What a function takes with these axes; a division as much as eight products. Programs are compared without being
 * simplified: the order is mostly the same, and many can be tried. */
zvStatus price(const zvLean *lean, zvGenerated function, const Axes &axes, Room *room, long long *cost) {
    zvTape tape = zvTape(), tidy = zvTape();
    const size_t outputs = zv_generated_edges(lean->model, function);
    zvStatus status = zv_tape_open(&tape, ZV_TAPE_RECORD) ? ZV_OK : ZV_MEMORY;
    if (status == ZV_OK) status = record(lean, function, run, axes, room, &tape, room->scratch);
    if (status == ZV_OK) status = zv_prune(&tape, outputs, room->scratch, &tidy, room->moved);
    if (status == ZV_OK) {
        const zvOperations o = zv_tape_operations(&tidy);
        *cost = o.mul + o.add + 8 * o.div;
    }
    room->work -= tape.count;
    zv_tape_close(&tape);
    zv_tape_close(&tidy);
    return status;
}

/* Bodies that may share axes: with few of them every choice is tried, with many all, none, and the best of these
 * changed at one body at a time; as long as WORK, nodes recorded altogether, is not used up. */
enum { EVERY_CHOICE = 6, WORK = 1000000 };

int able_to_share(const zvLean *lean) {
    int able = 0;
    for (int i = 0; i < lean->nb; i++) able += lean->body[i].joins;
    return able;
}

/* The k-th choice to try, made of the best one so far; false when there are no more. */
bool choose(const zvLean *lean, int k, const unsigned char *best, unsigned char *joined) {
    const int able = able_to_share(lean);
    if (k >= (able <= EVERY_CHOICE ? 1 << able : able + 2)) return false;
    for (int i = 0, at = 0; i < lean->nb; i++) {
        joined[i] = 0;
        if (!lean->body[i].joins) continue;
        if (able <= EVERY_CHOICE)
            joined[i] = !(k >> at & 1);
        else
            joined[i] = k == 0 ? 1 : k == 1 ? 0 : at == k - 2 ? !best[i] : best[i];
        at++;
    }
    return true;
}

/* The axes in which a function takes least; which: those looked for, with the others of `axes` as they are. */
zvStatus search(const zvLean *lean, zvGenerated function, const Axes &axes, unsigned char *which, Room *room) {
    long long least = -1, cost = 0;
    if (!able_to_share(lean)) return ZV_OK;
    for (int k = 0; (k == 0 || room->work > 0) && choose(lean, k, room->best, which); k++) {
        const zvStatus status = price(lean, function, axes, room, &cost);
        if (status != ZV_OK) return status;
        if (least >= 0 && cost >= least) continue;
        least = cost;
        memcpy(room->best, which, (size_t)lean->nb);
    }
    memcpy(which, room->best, (size_t)lean->nb);
    return ZV_OK;
}

/* Forward dynamics takes the axes of both its parts, or the same for both, which saves what they share. */
zvStatus search_forward(const zvLean *lean, const Axes &axes, Room *room) {
    zvStatus status = search(lean, ZV_GENERATE_BIAS, axes, axes.inverse, room);
    if (status == ZV_OK) status = search(lean, ZV_GENERATE_MASS, axes, axes.other, room);
    if (status != ZV_OK || room->work < 0 || !memcmp(axes.inverse, axes.other, (size_t)lean->nb)) return status;
    long long apart, together;
    const Axes same = {axes.other, axes.other};
    status = price(lean, ZV_GENERATE_FORWARD, axes, room, &apart);
    if (status == ZV_OK) status = price(lean, ZV_GENERATE_FORWARD, same, room, &together);
    if (status == ZV_OK && together < apart) memcpy(axes.inverse, axes.other, (size_t)lean->nb);
    return status;
}

zvStatus search_axes(const zvLean *lean, zvGenerated function, const Axes &axes, Room *room) {
    switch (function) {
    case ZV_GENERATE_FORWARD: return search_forward(lean, axes, room);
    case ZV_GENERATE_INVERSE:
    case ZV_GENERATE_BIAS:
    case ZV_GENERATE_GRAVITY: return search(lean, function, axes, axes.inverse, room);
    case ZV_GENERATE_MINV: return search(lean, ZV_GENERATE_MASS, axes, axes.other, room);
    case ZV_GENERATE_INVERSE_DERIVATIVES:
    case ZV_GENERATE_FORWARD_DERIVATIVES: return ZV_OK; /* bodies keep their own axes, in all parts of it */
    default: return search(lean, function, axes, axes.other, room);
    }
}

zvStatus trace(const zvLean *lean, zvGenerated function, Run *text, zvTape *tape, zvEdge *output) {
    Room room;
    if (!open_room(lean->model, (size_t)lean->nb, &room)) return ZV_MEMORY;
    const Axes axes = {room.inverse, room.other};
    room.work = WORK;
    zvStatus status = tape->mode == ZV_TAPE_COUNT ? ZV_OK : search_axes(lean, function, axes, &room);
    if (status == ZV_OK) status = record(lean, function, text, axes, &room, tape, output);
    free(room.memory);
    return status;
}

} // namespace

zvStatus zv_trace_function(const zvLean *lean, zvGenerated function, zvTape *tape, zvEdge *output) {
    return trace(lean, function, run, tape, output);
}

zvStatus zv_trace_to_columns(const zvLean *lean, zvGenerated function, zvTape *tape, zvEdge *output) {
    return trace(lean, function, run_to_columns, tape, output);
}
