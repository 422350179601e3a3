/* splitmix64 and what is drawn from it. */
#include "support/random_tree_numbers.h"

#include <math.h>

uint64_t rt_next(rtRandom *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double rt_uniform(rtRandom *random, double lower, double upper) {
    double unit = (double)(rt_next(random) >> 11) * 0x1p-53;
    return lower + (upper - lower) * unit;
}

int rt_below(rtRandom *random, int count) { return (int)(rt_next(random) % (uint64_t)count); }

bool rt_chance(rtRandom *random, double probability) { return rt_uniform(random, 0, 1) < probability; }

double rt_decades(rtRandom *random, double lower, double upper) { return pow(10, rt_uniform(random, lower, upper)); }

double rt_signed(rtRandom *random, double lower, double upper) {
    double size = rt_uniform(random, lower, upper);
    return rt_chance(random, 0.5) ? size : -size;
}

void rt_vector(rtRandom *random, double size, int count, double *x) {
    for (int i = 0; i < count; i++) x[i] = rt_uniform(random, -size, size);
}

/* A point of the ball, not too near its centre, scaled to the sphere. */
static void rt_on_sphere(rtRandom *random, int count, double *x) {
    double square;
    do {
        rt_vector(random, 1, count, x);
        square = 0;
        for (int i = 0; i < count; i++) square += x[i] * x[i];
    } while (square > 1 || square < 0.01);
    for (int i = 0; i < count; i++) x[i] /= sqrt(square);
}

void rt_direction(rtRandom *random, double x[3]) { rt_on_sphere(random, 3, x); }

void rt_quaternion(rtRandom *random, double x[4]) { rt_on_sphere(random, 4, x); }

void rt_rotation(rtRandom *random, double R[9]) {
    double k[4];
    rt_quaternion(random, k);
    double x = k[0], y = k[1], z = k[2], w = k[3];
    double entries[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 9; i++) R[i] = entries[i];
}

void rt_positive_matrix(rtRandom *random, int n, double *A) {
    double B[36];
    rt_vector(random, 3, n * n, B);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = i == j;
            for (int k = 0; k < n; k++) A[i * n + j] += B[i * n + k] * B[j * n + k];
        }
    }
}
