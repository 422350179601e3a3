/* Between the caller's arrays, entry i of state s at [i * stride + s] or, states one after the other, at [s * n + i],
 * and lanes. The last group of all repeats its last state. */
#ifndef ZI_BATCH_TRANSFER_H
#define ZI_BATCH_TRANSFER_H

#include "batch/turn.h"
#include "batch/unroll.h"

enum { GROUP = REAL_UNROLL * (int)REAL_LANES };

struct StateSpan {
    size_t first, end; /* states of a group */
    size_t stride;
    bool by_state; /* states one after the other; stride does not count */
    bool stream;   /* results are more than caches hold */
    size_t size() const { return end - first; }
    bool whole() const { return size() == GROUP; }
    bool reaches(int slot) const { return size() > (size_t)slot * (size_t)REAL_LANES; } /* it has states */
    /* lanes may be stored where the caller has them */
    bool direct() const { return whole() && !by_state && !stream; }
};

/* A whole group, states one after the other, n entries each. */
static inline void fetch_states(const lane *from, size_t n, lane *to) {
    turn_table(from, n, GROUP, n, to, GROUP, false);
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

/* The same of the few states of a last group. */
static ZI_HOT void fetch_partial(size_t count, const lane *from, real *to) {
    for (int c = 0; c < REAL_UNROLL; c++) to[c] = real::of(lanes{} + from[count - 1]);
    memcpy((void *)to, from, count * sizeof(lane));
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

/* Results as kernels leave them: entry i of `width` states, the first of them `state`, at from + i * pitch. */
struct Piece {
    const lane *from;
    size_t pitch, width, state;
};

/* A register to the caller, past the caches. */
static ZI_HOT void stream_lanes(lane *to, lanes x) {
#if defined __clang__
    __builtin_nontemporal_store(x, (lanes *)to);
#elif defined __AVX512F__
    typedef float floats __attribute__((vector_size(64)));
    __builtin_ia32_movntps512((float *)to, (floats)x);
#elif defined __AVX__
    typedef float floats __attribute__((vector_size(32)));
    __builtin_ia32_movntps256((float *)to, (floats)x);
#elif defined __SSE2__
    typedef float floats __attribute__((vector_size(16)));
    __builtin_ia32_movntps((float *)to, (floats)x);
#else
    *(loose_lanes *)to = x;
#endif
}

/* n entries of pieces whose states follow each other, coordinate after coordinate: of each entry all that there is, so
 * that whole lines of the cache are written at once. */
static inline void deliver_rows(StateSpan g, const Piece *piece, size_t pieces, size_t n, void *numbers) {
    lane *to = (lane *)numbers + piece[0].state;
    const Piece *last = &piece[pieces - 1];
    const bool whole = last->state + last->width <= g.end,
               stream = g.stream && whole && (size_t)to % REAL_BYTES == 0 && g.stride % REAL_LANES == 0;
    for (size_t i = 0; i < n; i++, to += g.stride) {
        lane *at = to;
        for (size_t p = 0; p < pieces; p++, at += piece[p - 1].width) {
            const lane *from = piece[p].from + i * piece[p].pitch;
            if (!whole) {
                const size_t left = g.end > piece[p].state ? g.end - piece[p].state : 0;
                memcpy(at, from, (left < piece[p].width ? left : piece[p].width) * sizeof(lane));
                continue;
            }
            for (size_t k = 0; k < piece[p].width; k += REAL_LANES) {
                const lanes x = *(const loose_lanes *)(from + k);
                if (stream)
                    stream_lanes(at + k, x);
                else
                    *(loose_lanes *)(at + k) = x;
            }
        }
    }
}

/* The same, states one after the other. */
static inline void deliver_turned(StateSpan g, const Piece &piece, size_t n, void *numbers) {
    const size_t left = g.end > piece.state ? g.end - piece.state : 0;
    lane *to = (lane *)numbers + piece.state * n;
    turn_table(piece.from, piece.pitch, n, left < piece.width ? left : piece.width, to, n,
               g.stream && fours_align(to, n));
}

static inline void deliver_pieces(StateSpan g, const Piece *piece, size_t pieces, size_t n, void *numbers) {
    if (!g.by_state) return deliver_rows(g, piece, pieces, n, numbers);
    for (size_t p = 0; p < pieces; p++) deliver_turned(g, piece[p], n, numbers);
}

/* n entries of a group. */
static inline void deliver(StateSpan g, const real *from, size_t n, void *numbers) {
    const Piece piece = {(const lane *)from, GROUP, GROUP, g.first};
    deliver_pieces(g, &piece, 1, n, numbers);
}

/* Entry i alone, of n. */
static inline void deliver_one(StateSpan g, const real *from, size_t i, size_t n, void *numbers) {
    lane *to = (lane *)numbers + (g.by_state ? g.first * n + i : i * g.stride + g.first);
    for (size_t s = 0; s < g.size(); s++) to[s * (g.by_state ? n : 1)] = ((const lane *)from)[s];
}

/* Lanes of one slot alone. */
static inline Piece piece_of_slot(StateSpan g, int slot, const real *from) {
    return {(const lane *)from, REAL_LANES, REAL_LANES, g.first + (size_t)slot * REAL_LANES};
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
