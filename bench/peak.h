/* What the processor could do at most, measured. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

typedef struct Peak {
    const char *vector;                          /* instruction set of the vector loops */
    double scalar, vector_double, vector_single; /* Gflop/s of fused multiply-adds, two operations each */
    double cache, memory;                        /* GB/s of reading and writing: 16 kB over and over, and 64 MB */
} Peak;

/* The fastest of many short rounds on this processor; takes about a second. Zeros where memory runs out. */
Peak peak_measure(void);

#endif
