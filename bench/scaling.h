/* How time grows with the number of bodies. */
#ifndef BENCH_SCALING_H
#define BENCH_SCALING_H

#include "options.h"

/* Prints time per body and the log-log slope of inverse and forward dynamics of chains; false when memory runs out. */
bool scaling_run(const Options *options);

#endif
