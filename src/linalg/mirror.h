/* The lower triangle of a symmetric matrix from its upper one. */
#ifndef ZI_LINALG_MIRROR_H
#define ZI_LINALG_MIRROR_H

#include "real/pack.h"

/* Rows read together are so wide that whole lines of the cache are used. */
enum { MIRROR_ROWS = 4 * PACK };

/* Rows from ... to - 1 of n below the diagonal; from is a multiple of PACK. */
static inline void mirror_rows(int n, real *M, int from, int to) {
    const size_t width = (size_t)n;
    const int whole = from + (to - from) / PACK * PACK;
    for (int i = from; i < whole; i += MIRROR_ROWS) {
        const int end = i + MIRROR_ROWS < whole ? i + MIRROR_ROWS : whole;
        for (int j = 0; j < end; j += PACK)
            for (int k = j < i ? i : j + PACK; k < end; k += PACK)
                square_turned(M + (size_t)j * width + (size_t)k, M + (size_t)k * width + (size_t)j, n);
    }
    for (int i = from; i < to; i++)
        for (int j = i < whole ? i / PACK * PACK : 0; j < i; j++)
            M[(size_t)i * width + (size_t)j] = M[(size_t)j * width + (size_t)i];
}

#endif
