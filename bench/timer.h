/* Time spent by this thread, on one processor. */
#ifndef BENCH_TIMER_H
#define BENCH_TIMER_H

#include "engine.h"

/* Where the thread may run. */
typedef struct Pin {
    int cpu;                   /* it stays on; -1: the system refused */
    unsigned char before[128]; /* processors it could run on, a bit for each */
} Pin;

/* Stays on one processor (-1: the last one allowed). */
Pin timer_pin(int cpu);
/* As it was before. */
void timer_unpin(const Pin *pin);
/* CPU time of this thread, s. */
double timer_now(void);
/* Seconds taken by `calls` calls of a task over the ring, after a short warm-up. */
double timer_batch(const Engine *engine, Task task, int ring, long calls);
/* Calls that fill a batch of the given length, s. */
long timer_calibrate(const Engine *engine, Task task, int ring, double length);
/* The name of the processor, for the head of a table; returns buffer. */
const char *timer_cpu_name(char *buffer, size_t size);

#endif
