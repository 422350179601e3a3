/* Released from rest close to a singular position: there the velocity that tells the branch is still none, or what a
 * difference quotient makes of it, and the motion is that of the reduced equation all the same. */
#define _POSIX_C_SOURCE 200809L
#include "simulate/singular_runs.h"
#include "support/run_tests.h"

static const double span = 1.5, usual = 1.5707963267948966 - 0.35; /* s, rad: mechanism_start */

/* Diagonally implicit methods most of all: their Jacobians stay for many steps. */
static const Run runs[] = {{"method: dirk, order: 3, rtol: 1e-8, atol: 1e-8", 2e-6, 1500},
                           {"method: dirk, order: 4, rtol: 1e-8, atol: 1e-8", 2e-6, 700},
                           {"method: dirk, order: 5, rtol: 1e-8, atol: 1e-8", 2e-6, 500},
                           {"method: dirk, rtol: 1e-10, atol: 1e-10", 2e-7, 2000},
                           {"method: bdf, rtol: 1e-9, atol: 1e-9", 2e-6, 2000},
                           {"method: erk, order: 6, rtol: 1e-9, atol: 1e-9", 2e-7, 300}};

static void four_bars(void **state) {
    (void)state;
    static const double beside[] = {0.02, 0.005, 0.001};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
        const Mechanism m = {"four-bar", FOUR_BARS, 1, 0, beside[i] - usual, true};
        for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) expect_passage(&m, &runs[k], span);
    }
}

static void slider_crank(void **state) {
    (void)state;
    static const Mechanism m = {"slider-crank", SLIDER_CRANK, 1, 0, 0.35 - 5e-3, true};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) expect_passage(&m, &runs[k], span);
}

TESTS(four_bars, slider_crank)
