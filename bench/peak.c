/* Loops of independent fused multiply-adds, enough of them in flight to fill the units; a triad for memory. */
#include "peak.h"

#include <math.h>
#include <stdlib.h>

#include "timer.h"

enum { ROUNDS = 60, STEPS = 20000, CHAINS = 12 };

/* One loop for a type of number; the sum keeps the compiler from leaving the work out. */
#define LOOP(name, type, number, attribute)                                        \
    attribute static double name(void) {                                           \
        type x[CHAINS], sum = {0};                                                 \
        const type a = (type){0} + (number)0.999999, b = (type){0} + (number)1e-6; \
        for (int k = 0; k < CHAINS; ++k) x[k] = (type){0} + (number)k;             \
        for (long i = 0; i < STEPS; ++i)                                           \
            for (int k = 0; k < CHAINS; ++k) x[k] = x[k] * a + b;                  \
        for (int k = 0; k < CHAINS; ++k) sum += x[k];                              \
        return (double)((const number *)&sum)[0];                                  \
    }

typedef double Double2 __attribute__((vector_size(16)));
typedef float Float4 __attribute__((vector_size(16)));
typedef double Double4 __attribute__((vector_size(32)));
typedef float Float8 __attribute__((vector_size(32)));
typedef double Double8 __attribute__((vector_size(64)));
typedef float Float16 __attribute__((vector_size(64)));

#define PLAIN
LOOP(plain_scalar, double, double, PLAIN)
LOOP(plain_double, Double2, double, PLAIN)
LOOP(plain_single, Float4, float, PLAIN)

#if defined(__x86_64__)
#define FMA __attribute__((target("avx2,fma")))
#define WIDE __attribute__((target("avx512f,avx512vl,avx512dq,fma")))
LOOP(fma_scalar, double, double, FMA)
LOOP(fma_double, Double4, double, FMA)
LOOP(fma_single, Float8, float, FMA)
LOOP(wide_double, Double8, double, WIDE)
LOOP(wide_single, Float16, float, WIDE)
#endif

static double gflops(double (*loop)(void), int lanes) {
    double best = HUGE_VAL;
    volatile double keep = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const double start = timer_now();
        keep = keep + loop();
        best = fmin(best, timer_now() - start);
    }
    return 2e-9 * STEPS * CHAINS * lanes / best;
}

/* y = y + a x: two numbers read, one written. */
#define TRIAD(name, attribute)                                             \
    attribute static void name(size_t count, const double *x, double *y) { \
        for (size_t i = 0; i < count; ++i) y[i] += 1.5 * x[i];             \
    }

TRIAD(plain_triad, PLAIN)
#if defined(__x86_64__)
TRIAD(fma_triad, FMA)
#endif

typedef void (*Triad)(size_t count, const double *x, double *y);

/* Bytes per second of a triad that fits a cache or does not: the fastest round counts. */
static double bandwidth(Triad triad, size_t bytes) {
    const size_t count = bytes / (2 * sizeof(double));
    const long repeats = bytes > 1 << 20 ? 1 : 400;
    double *x = calloc(2 * count, sizeof *x), best = HUGE_VAL;
    if (!x) return 0;
    for (int round = 0; round < (repeats > 1 ? ROUNDS : 10); ++round) {
        const double start = timer_now();
        for (long r = 0; r < repeats; ++r) triad(count, x, x + count);
        best = fmin(best, timer_now() - start);
        x[0] += x[count + count / 2];
    }
    free(x);
    return 1e-9 * 3 * sizeof(double) * (double)count * (double)repeats / best;
}

/* Peaks of this machine by the widest instructions it has; the roofs of the picture. */
Peak peak_measure(void) {
    Peak peak = {.vector = "baseline",
                 .scalar = gflops(plain_scalar, 1),
                 .vector_double = gflops(plain_double, 2),
                 .vector_single = gflops(plain_single, 4)};
    Triad triad = plain_triad;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        triad = fma_triad;
        peak.vector = "AVX2";
        peak.scalar = gflops(fma_scalar, 1);
        peak.vector_double = gflops(fma_double, 4);
        peak.vector_single = gflops(fma_single, 8);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
        peak.vector = "AVX-512";
        peak.vector_double = gflops(wide_double, 8);
        peak.vector_single = gflops(wide_single, 16);
    }
#endif
    peak.cache = bandwidth(triad, 16 * 1024);
    peak.memory = bandwidth(triad, 64 << 20);
    return peak;
}
