/* Sums of what integrators have counted: members of the method auto, a run in several pieces. */
#ifndef ZI_INTEGRATE_STATISTICS_H
#define ZI_INTEGRATE_STATISTICS_H

#include "zveno/integrate.h"

/* x follows after sum: the last step and order are those of x, unless it has no steps of its own. */
static inline void zi_statistics_add(zvIntegrationStatistics *sum, const zvIntegrationStatistics *x) {
    sum->steps += x->steps;
    sum->rates += x->rates;
    sum->rejected += x->rejected;
    sum->newton_iterations += x->newton_iterations;
    sum->newton_failures += x->newton_failures;
    sum->linear_iterations += x->linear_iterations;
    sum->preparations += x->preparations;
    sum->event_calls += x->event_calls;
    sum->restarts += x->restarts;
    if (x->steps == 0) return;
    if (sum->least_step == 0 || x->least_step < sum->least_step) sum->least_step = x->least_step;
    if (x->greatest_step > sum->greatest_step) sum->greatest_step = x->greatest_step;
    sum->last_step = x->last_step;
    sum->last_order = x->last_order;
}

#endif
