/* What is printed when a run has ended. */
#ifndef ZVENO_CLI_VERBS_SIMULATE_SUMMARY_H
#define ZVENO_CLI_VERBS_SIMULATE_SUMMARY_H

#include "text.h"
#include "zveno/simulate.h"

typedef struct Ending {
    const zvScenario *scenario;
    const zvRunSummary *run;
    const char *title;
    bool resumed;
    double since; /* simulated time at which this process took over, s */
} Ending;

void summary_json(const Ending *ending, Text *out);
void summary_table(const Ending *ending, Text *out);

#endif
