/* Evaluation of chains, once or for ever. */
#include "motion/chain.h"

#include <math.h>
#include <string.h>

#include "motion/horner.h"

zvLaw *zi_chain_new(ziLawType type, int width, int count, const double *times, int order, zvError *error) {
    const uint64_t rows = (uint64_t)(count - 1) * (uint64_t)order + 1;
    zvLaw *law = zi_law_new(type, width, rows, (uint64_t)count, error);
    if (!law) return NULL;
    law->count = count;
    law->order = order;
    law->begin = times[0];
    law->end = times[count - 1];
    memcpy(law->numbers, times, (size_t)count * sizeof *times);
    return law;
}

static const double *piece(const zvLaw *law, int k) {
    return law->numbers + law->count + (size_t)k * (size_t)law->order * (size_t)law->width;
}

double *zi_chain_piece(zvLaw *law, int k) {
    return law->numbers + law->count + (size_t)k * (size_t)law->order * (size_t)law->width;
}

zvLaw *zi_chain_finish(zvLaw *law, const double *last, zvError *error) {
    const double *times = law->numbers;
    memcpy(zi_chain_piece(law, law->count - 1), last, (size_t)law->width * sizeof *last);
    double bound = 0;
    for (int k = 0; k + 1 < law->count; k++)
        bound += zi_horner_bound(law->width, law->order, piece(law, k), 1 / (times[k + 1] - times[k]));
    return zi_law_refuse_overflow(law, bound, error);
}

/* How many knots are at or before t. */
static int passed(const zvLaw *law, double t) {
    int low = 0, high = law->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (law->numbers[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void zi_chain_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    const double *times = law->numbers;
    const int k = passed(law, t) - 1;
    if (k < 0 || k == law->count - 1) { /* at rest */
        zi_horner_add(law->width, 1, piece(law, k < 0 ? 0 : k), 0, 0, x, NULL, NULL);
        return;
    }
    const double rate = 1 / (times[k + 1] - times[k]);
    zi_horner_add(law->width, law->order, piece(law, k), (t - times[k]) * rate, rate, x, dx, ddx);
}

double zi_chain_next_break(const zvLaw *law, double t) {
    const int k = passed(law, t);
    return k < law->count ? law->numbers[k] : INFINITY;
}

/* t in the first turn, and the whole periods between. Rounding may leave it a little outside; then it is the start. */
static double fold(const zvLaw *law, double t, double *turns) {
    const double period = law->end - law->begin;
    *turns = floor((t - law->begin) / period);
    const double folded = t - *turns * period;
    if (folded >= law->begin && folded < law->end) return folded;
    if (folded >= law->end) *turns += 1;
    return law->begin;
}

void zi_periodic_add(const zvLaw *law, double t, double *x, double *dx, double *ddx) {
    double turns;
    zi_chain_add(law, fold(law, t, &turns), x, dx, ddx);
}

double zi_periodic_next_break(const zvLaw *law, double t) {
    const double period = law->end - law->begin;
    double turns;
    int k = passed(law, fold(law, t, &turns));
    for (int tries = 0; tries < 2; tries++) { /* the second for rounding's sake */
        const double time = law->numbers[k] + turns * period;
        if (time > t) return time;
        if (++k == law->count) {
            k = 1;
            turns++;
        }
    }
    return nextafter(t, INFINITY); /* the knots lie closer than numbers of the size of t */
}
