/* Between the caller's arrays, entry i of state s at [i * stride + s], and lanes. The last group of all repeats its
 * last state. */
#ifndef ZI_BATCH_TRANSFER_H
#define ZI_BATCH_TRANSFER_H

#include "batch/unroll.h"

enum { GROUP = REAL_UNROLL * (int)REAL_LANES };

struct StateSpan {
    size_t first, end; /* states of a group */
    size_t stride;
    size_t size() const { return end - first; }
    bool whole() const { return size() == GROUP; }
};

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
    const lane *from = (const lane *)numbers + g.first;
    if (g.whole())
        for (size_t i = 0; i < n; i++) fetch_entry(from + i * g.stride, to + i * REAL_UNROLL);
    else
        for (size_t i = 0; i < n; i++) fetch_partial(g.size(), from + i * g.stride, to + i * REAL_UNROLL);
    return to;
}

static inline void deliver(StateSpan g, const real *from, size_t n, void *numbers) {
    lane *to = (lane *)numbers + g.first;
    if (g.whole())
        for (size_t i = 0; i < n; i++) deliver_entry(from + i * REAL_UNROLL, to + i * g.stride);
    else
        for (size_t i = 0; i < n; i++) deliver_partial(g.size(), from + i * REAL_UNROLL, to + i * g.stride);
}

/* n entries of one slot alone, as many of its states as there are. */
static inline void deliver_slot(StateSpan g, int slot, const real *from, size_t n, void *numbers) {
    const size_t before = (size_t)slot * REAL_LANES;
    if (g.size() <= before) return;
    const size_t count = g.size() - before;
    lane *to = (lane *)numbers + g.first + before;
    for (size_t i = 0; i < n && count >= REAL_LANES; i++) *(loose_lanes *)(to + i * g.stride) = from[i].v;
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
