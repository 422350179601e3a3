/* The table of methods for closed loops. */
#include "loops/reduction.h"

const zvClosedMethod *zv_closed_methods(size_t *count) {
    static const zvClosedMethod rows[] = {
        {"multipliers", zv_closed_forward_dynamics, "O(n)",
         "multipliers eliminated where branches meet (Vereshchagin)"},
        {"partition", zi_partition_dynamics, "O(n^3)", "independent coordinates (Kolyubin)"},
    };
    *count = sizeof rows / sizeof *rows;
    return rows;
}
