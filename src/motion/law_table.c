/* Tables: straight lines between points, or values held until the next. */
#include <limits.h>

#include "motion/arguments.h"
#include "motion/chain.h"

zvLaw *zv_law_table(int width, int count, const double *times, const double *points, zvTableMode mode, zvError *error) {
    if (!zi_argument_width(width, error) || !zi_argument_count("points of a table", count, 1, INT_MAX, error) ||
        !zi_argument_times(count, times, error) ||
        !zi_argument_array("the list of points", count, width, points, error))
        return NULL;
    const int order = mode == ZV_TABLE_LINEAR ? 2 : 1;
    zvLaw *law = zi_chain_new(ZI_LAW_CHAIN, width, count, times, order, error);
    if (!law) return NULL;
    const size_t size = (size_t)width;
    for (int k = 0; k + 1 < count; k++) {
        const double *point = points + (size_t)k * size;
        double *row = zi_chain_piece(law, k);
        for (size_t i = 0; i < size; i++) {
            row[i] = point[i];
            if (order == 2) row[size + i] = point[size + i] - point[i];
        }
    }
    return zi_chain_finish(law, points + (size_t)(count - 1) * size, error);
}
