/* Tiles: up to four rows of a matrix by up to three vectors of its columns, summed up in registers, so that every
 * number that is read serves several sums. rows, parts: constants, so that loops become straight lines. */
#ifndef ZI_DYNAMICS_TILE_H
#define ZI_DYNAMICS_TILE_H

#include <stdbool.h>

#include "real/pack.h"

enum { TILE_ROWS = 4, TILE_PARTS = 3, TILE_WIDTH = TILE_PARTS * PACK };

#define TILE_EACH(i, from, to) _Pragma("GCC unroll 4") for (int i = from; i < to; i++)

typedef struct Tile {
    pack x[TILE_ROWS][TILE_PARTS];
} Tile;

static ZI_HOT void tile_clear(Tile *t, const int rows, const int parts) {
    TILE_EACH(r, 0, rows) TILE_EACH(c, 0, parts) t->x[r][c] = pack_like(0);
}
static ZI_HOT void tile_read_row(Tile *t, int r, const int parts, const real *x) {
    TILE_EACH(c, 0, parts) t->x[r][c] = pack_of(x + c * PACK);
}
/* Row r += f x */
static ZI_HOT void tile_row_more(Tile *t, int r, const int parts, real f, const pack *x) {
    const pack all = pack_like(f);
    TILE_EACH(c, 0, parts) t->x[r][c] = t->x[r][c] + all * x[c];
}
/* Every row r += f[r step] x */
static ZI_HOT void tile_more(Tile *t, const int rows, const int parts, const real *f, size_t step, const real *x) {
    pack row[TILE_PARTS];
    TILE_EACH(c, 0, parts) row[c] = pack_of(x + c * PACK);
    TILE_EACH(r, 0, rows) tile_row_more(t, r, parts, f[(size_t)r * step], row);
}

/* Stores a row of a tile where `room` numbers fit, which lacks less than a vector. Behind them is another row, which
 * must stay, or, behind the last one, no memory. */
static ZI_COLD void tile_write_last(real *x, int room, const pack *z) {
    for (int j = 0; j < PACK - 1; j++)
        if (j < room) x[j] = pack_lane(*z, j);
}

/* Full vectors are stored whole; a last one that does not fit is blended with what lies behind it, or written number by
 * number at the end of the matrix. */
static ZI_HOT void tile_write_row(real *x, const int parts, int room, bool last, const pack *z) {
    real *end = x + (parts - 1) * PACK;
    const int left = room - (parts - 1) * PACK;
    TILE_EACH(c, 0, parts - 1) pack_to(x + c * PACK, z[c]);
    if (left >= PACK) {
        pack_to(end, z[parts - 1]);
    } else if (!last) {
        pack_to(end, pack_between(z[parts - 1], 0, left) + pack_between(pack_of(end), left, PACK));
    } else {
        const pack copy = z[parts - 1];
        tile_write_last(end, left, &copy);
    }
}

/* y = x^T, PACK rows and columns. */
#if defined ZI_TRACE || defined ZI_WIDE
static ZI_HOT void pack_square_turned(const pack *x, pack *y) { *y = *x; }
#else
static ZI_HOT void pack_square_turned(const pack *x, pack *y) {
    const pack ab = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6),
               ba = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
    const pack cd = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6),
               dc = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
    y[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    y[1] = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
    y[2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    y[3] = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}
#endif

/* The variant of a step on a tile for so many rows. */
#define TILE_BY_ROWS(rows, step, ...) \
    do {                              \
        if ((rows) == 3)              \
            step(3, __VA_ARGS__);     \
        else if ((rows) == 2)         \
            step(2, __VA_ARGS__);     \
        else if ((rows) == 4)         \
            step(4, __VA_ARGS__);     \
        else                          \
            step(1, __VA_ARGS__);     \
    } while (0)

#endif
