/* Between the caller's arrays, entry i of state s at [i * stride + s] or, states one after the other, at [s * n + i],
 * and lanes. The last group of all repeats its last state. */
#ifndef ZI_BATCH_TRANSFER_H
#define ZI_BATCH_TRANSFER_H

#include "batch/unroll.h"

enum { GROUP = REAL_UNROLL * (int)REAL_LANES };

struct StateSpan {
    size_t first, end; /* states of a group */
    size_t stride;
    bool by_state; /* states one after the other; stride does not count */
    size_t size() const { return end - first; }
    bool whole() const { return size() == GROUP; }
    bool direct() const { return whole() && !by_state; } /* lanes may be stored where the caller has them */
};

typedef lane two_lanes __attribute__((vector_size(2 * sizeof(lane))));
typedef lane loose_two __attribute__((vector_size(2 * sizeof(lane)), aligned(sizeof(lane))));

/* Two entries of two states, in rows of either arrangement: entries of a state, or states of an entry. */
static ZI_HOT void turn_four(const lane *from, size_t from_row, lane *to, size_t to_row) {
    const two_lanes x = *(const loose_two *)from, y = *(const loose_two *)(from + from_row);
    *(loose_two *)to = __builtin_shufflevector(x, y, 0, 2);
    *(loose_two *)(to + to_row) = __builtin_shufflevector(x, y, 1, 3);
}

/* A whole group, states one after the other, n entries each. */
static inline void fetch_states(const lane *from, size_t n, lane *to) {
    for (size_t s = 0; s < GROUP; s += 2)
        for (size_t i = 0; i + 1 < n; i += 2) turn_four(from + s * n + i, n, to + i * GROUP + s, GROUP);
    for (size_t s = 0; s < GROUP && n % 2; s++) to[(n - 1) * GROUP + s] = from[s * n + n - 1];
}
static inline void deliver_states(const lane *from, size_t n, lane *to) {
    for (size_t s = 0; s < GROUP; s += 2)
        for (size_t i = 0; i + 1 < n; i += 2) turn_four(from + i * GROUP + s, GROUP, to + s * n + i, n);
    for (size_t s = 0; s < GROUP && n % 2; s++) to[s * n + n - 1] = from[(n - 1) * GROUP + s];
}

/* The same of the few states of a last group. */
static inline void fetch_last_states(size_t count, const lane *from, size_t n, lane *to) {
    for (size_t s = 0; s < GROUP; s++)
        for (size_t i = 0; i < n; i++) to[i * GROUP + s] = from[(s < count ? s : count - 1) * n + i];
}

/* One entry of all states. */
static ZI_HOT void fetch_entry(const lane *from, real *to) {
    for (int c = 0; c < REAL_UNROLL; c++) to[c] = real::of(*(const loose_lanes *)(from + c * REAL_LANES));
}
static ZI_HOT void deliver_entry(const real *from, lane *to) {
    for (int c = 0; c < REAL_UNROLL; c++) *(loose_lanes *)(to + c * REAL_LANES) = from[c].v;
}

/* The same of the few states of a last group. */
static ZI_HOT void fetch_partial(size_t count, const lane *from, real *to) {
    for (int c = 0; c < REAL_UNROLL; c++) to[c] = real::of(lanes{} + from[count - 1]);
    memcpy((void *)to, from, count * sizeof(lane));
}
static ZI_HOT void deliver_partial(size_t count, const real *from, lane *to) {
    memcpy(to, (const void *)from, count * sizeof(lane));
}

/* n entries; NULL stays NULL. */
static inline real *fetch(ziScratch *scratch, StateSpan g, const void *numbers, size_t n) {
    if (!numbers) return NULL;
    real *to = zi_scratch_array(scratch, real, n * REAL_UNROLL);
    const lane *from = (const lane *)numbers + g.first * (g.by_state ? n : 1);
    if (g.by_state)
        g.whole() ? fetch_states(from, n, (lane *)to) : fetch_last_states(g.size(), from, n, (lane *)to);
    else if (g.whole())
        for (size_t i = 0; i < n; i++) fetch_entry(from + i * g.stride, to + i * REAL_UNROLL);
    else
        for (size_t i = 0; i < n; i++) fetch_partial(g.size(), from + i * g.stride, to + i * REAL_UNROLL);
    return to;
}

/* Entry i alone, of n. */
static inline void deliver_one(StateSpan g, const real *from, size_t i, size_t n, void *numbers) {
    lane *to = (lane *)numbers + (g.by_state ? g.first * n + i : i * g.stride + g.first);
    if (g.by_state)
        for (size_t s = 0; s < g.size(); s++) to[s * n] = ((const lane *)from)[s];
    else if (g.whole())
        deliver_entry(from, to);
    else
        deliver_partial(g.size(), from, to);
}

static inline void deliver(StateSpan g, const real *from, size_t n, void *numbers) {
    if (g.by_state && g.whole())
        deliver_states((const lane *)from, n, (lane *)numbers + g.first * n);
    else
        for (size_t i = 0; i < n; i++) deliver_one(g, from + i * REAL_UNROLL, i, n, numbers);
}

/* n entries of one slot alone, as many of its states as there are. */
static inline void deliver_slot(StateSpan g, int slot, const real *from, size_t n, void *numbers) {
    const size_t before = (size_t)slot * REAL_LANES;
    if (g.size() <= before) return;
    const size_t rest = g.size() - before, count = rest < (size_t)REAL_LANES ? rest : (size_t)REAL_LANES,
                 at = g.first + before;
    if (g.by_state) {
        lane *to = (lane *)numbers + at * n;
        for (size_t s = 0; s < count; s++)
            for (size_t i = 0; i < n; i++) to[s * n + i] = from[i].v[s];
        return;
    }
    lane *to = (lane *)numbers + at;
    for (size_t i = 0; i < n && count == REAL_LANES; i++) *(loose_lanes *)(to + i * g.stride) = from[i].v;
    for (size_t i = 0; i < n && count < REAL_LANES; i++) deliver_partial(count, from + i, to + i * g.stride);
}

/* Statuses of a group; the worst of them. */
static inline zvStatus note_statuses(StateSpan g, const real_ok *ok, zvStatus *status) {
    zvStatus worst = ZV_OK;
    for (size_t s = 0; s < g.size(); s++) {
        const zvStatus mine = ok[s / REAL_LANES].m[s % REAL_LANES] != 0 ? ZV_OK : ZV_SINGULAR;
        if (mine != ZV_OK) worst = mine;
        if (status) status[g.first + s] = mine;
    }
    return worst;
}

#endif
