/* Squares of four numbers by four from rows of one arrangement to rows of the other, and stores that do not go through
 * the cache. `lane` is the number. */
#ifndef ZI_BATCH_TURN_H
#define ZI_BATCH_TURN_H

#include <stdbool.h>
#include <stddef.h>

typedef lane four_lanes __attribute__((vector_size(4 * sizeof(lane))));
typedef lane loose_four __attribute__((vector_size(4 * sizeof(lane)), aligned(sizeof(lane))));
enum { TURNED = 4 };

/* Written to memory past the caches; `to` is aligned as the vector is. */
static ZI_HOT void stream_four(lane *to, const four_lanes *x) {
#if defined __clang__
    __builtin_nontemporal_store(*x, (four_lanes *)to);
#elif defined ZI_SINGLE && defined __SSE__
    __builtin_ia32_movntps(to, *x);
#elif defined __AVX__
    __builtin_ia32_movntpd256(to, *x);
#elif defined __SSE2__
    typedef double two __attribute__((vector_size(16)));
    const two low = {(*x)[0], (*x)[1]}, high = {(*x)[2], (*x)[3]};
    __builtin_ia32_movntpd(to, low);
    __builtin_ia32_movntpd(to + 2, high);
#else
    *(loose_four *)to = *x;
#endif
}
static ZI_HOT void store_four(lane *to, const four_lanes *x, bool stream) {
    if (stream)
        stream_four(to, x);
    else
        *(loose_four *)to = *x;
}
/* What was streamed is in memory before anything that follows. */
static ZI_HOT void end_streams(void) {
#if defined __SSE2__
    __builtin_ia32_sfence();
#endif
}

/* to = from^T, rows `pitch` and `step` apart. */
static ZI_HOT void turn_square(const lane *from, size_t pitch, lane *to, size_t step, bool stream) {
    const four_lanes a = *(const loose_four *)from, b = *(const loose_four *)(from + pitch),
                     c = *(const loose_four *)(from + 2 * pitch), d = *(const loose_four *)(from + 3 * pitch);
    const four_lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), ba = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const four_lanes cd = __builtin_shufflevector(c, d, 0, 4, 2, 6), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const four_lanes x = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), y = __builtin_shufflevector(ba, dc, 0, 1, 4, 5),
                     z = __builtin_shufflevector(ab, cd, 2, 3, 6, 7), w = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
    store_four(to, &x, stream);
    store_four(to + step, &y, stream);
    store_four(to + 2 * step, &z, stream);
    store_four(to + 3 * step, &w, stream);
}

/* to = from^T of a table of `rows` by `width`; along rows of `to` first, a line of the cache at a time. */
static ZI_HOT void turn_table(const lane *from, size_t pitch, size_t rows, size_t width, lane *to, size_t step,
                              bool stream) {
    enum { LINE = 64 / sizeof(lane) };
    const size_t whole = width / TURNED * TURNED, deep = rows / TURNED * TURNED;
    for (size_t i = 0; i < deep; i += LINE)
        for (size_t s = 0; s < whole; s += TURNED)
            for (size_t k = i; k < deep && k < i + LINE; k += TURNED)
                turn_square(from + k * pitch + s, pitch, to + s * step + k, step, stream);
    for (size_t i = 0; i < rows; i++)
        for (size_t s = i < deep ? whole : 0; s < width; s++) to[s * step + i] = from[i * pitch + s];
}

/* Whether rows of `step` numbers from `to` on can be streamed by fours. */
static ZI_HOT bool fours_align(const lane *to, size_t step) {
    return (size_t)to % sizeof(four_lanes) == 0 && step % TURNED == 0;
}

#endif
