/* Mass properties of triangles and convex hulls, against formulas of bodies and each other. */
#include <math.h>
#include <stdlib.h>

#include "mesh/measure.h"
#include "support/near.h"
#include "support/run_tests.h"

/* Corners of the twelve triangles of a box from 0 to a, b, c, moved by p. */
static void make_box(const double size[3], const double p[3], double corners[108]) {
    static const int faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    for (int i = 0; i < 36; i++)
        for (int k = 0; k < 3; k++) corners[3 * i + k] = p[k] + (faces[i / 3][i % 3] >> k & 1) * size[k];
}

static const double size[3] = {0.3, 0.5, 0.7}, place[3] = {10, -20, 30};

/* A box far from the origin: solid, by pyramids, and its surface by six plates. */
static void boxes(void **state) {
    (void)state;
    double corners[108];
    ziMeshMeasure m;
    make_box(size, place, corners);
    for (int method = ZI_MESH_SOLID; method <= ZI_MESH_PYRAMIDS; method++) {
        assert_true(zi_mesh_measure(corners, 12, (ziMeshMethod)method, &m));
        const double volume = size[0] * size[1] * size[2];
        assert_near_relative(m.size, volume, 1e-13);
        for (int k = 0; k < 3; k++) assert_near(m.com[k], place[k] + size[k] / 2, 1e-13);
        assert_near_relative(m.moment[0], volume * (size[1] * size[1] + size[2] * size[2]) / 12, 1e-12);
        assert_near(m.moment[1], 0, 1e-15);
    }
    assert_true(zi_mesh_measure(corners, 12, ZI_MESH_SHELL, &m));
    double area = 0, xx = 0;
    for (int k = 0; k < 3; k++) {
        const double u = size[(k + 1) % 3], w = size[(k + 2) % 3], plates = 2 * u * w;
        double square[3] = {size[0] * size[0] / 12, size[1] * size[1] / 12, size[2] * size[2] / 12};
        square[k] = size[k] * size[k] / 4;
        area += plates;
        xx += plates * (square[1] + square[2]);
    }
    assert_near_relative(m.size, area, 1e-13);
    assert_near_relative(m.moment[0], xx, 1e-12);
}

/* Outwards is positive: a box turned inside out has no volume, its pyramids and surface have. */
static void orientation(void **state) {
    (void)state;
    double corners[108];
    ziMeshMeasure m;
    make_box(size, place, corners);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 3; k++) {
            const double kept = corners[9 * i + 3 + k];
            corners[9 * i + 3 + k] = corners[9 * i + 6 + k];
            corners[9 * i + 6 + k] = kept;
        }
    }
    assert_false(zi_mesh_measure(corners, 12, ZI_MESH_SOLID, &m));
    assert_true(m.size < 0);
    assert_true(zi_mesh_measure(corners, 12, ZI_MESH_PYRAMIDS, &m));
    assert_true(zi_mesh_measure(corners, 12, ZI_MESH_SHELL, &m));
    assert_false(zi_mesh_measure(corners, 0, ZI_MESH_SHELL, &m));
}

/* Points of a grid, most of them within faces or inside, give the box itself, by twelve triangles. */
static void hull_of_a_grid(void **state) {
    (void)state;
    enum { N = 9 };
    static double points[N * N * N * 3];
    for (int i = 0; i < N * N * N; i++) {
        const int at[3] = {i % N, i / N % N, i / N / N};
        for (int k = 0; k < 3; k++) points[3 * i + k] = place[k] + size[k] * at[k] / (N - 1);
    }
    double *corners;
    size_t count;
    ziMeshMeasure m;
    assert_int_equal(zi_mesh_hull(points, N * N * N, &corners, &count), ZV_OK);
    assert_int_equal(count, 12);
    assert_true(zi_mesh_measure(corners, count, ZI_MESH_SOLID, &m));
    assert_near_relative(m.size, size[0] * size[1] * size[2], 1e-13);
    free(corners);
}

static double uniform(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24);
}

/* No point lies outside the hull of random points, all corners are points, and Euler's formula holds. */
static void hull_of_random_points(void **state) {
    (void)state;
    enum { N = 400 };
    for (unsigned first = 1; first <= 20; first++) {
        unsigned seed = first;
        double points[3 * N], *corners;
        size_t count;
        near_about("seed %u", first);
        for (int i = 0; i < 3 * N; i++) points[i] = 2 * uniform(&seed) - 1;
        for (int i = 0; i < N; i++) { /* some on a ball, so that many are corners */
            const double r = sqrt(points[3 * i] * points[3 * i] + points[3 * i + 1] * points[3 * i + 1] +
                                  points[3 * i + 2] * points[3 * i + 2]);
            for (int k = 0; k < 3 && first % 2; k++) points[3 * i + k] /= r;
        }
        assert_int_equal(zi_mesh_hull(points, N, &corners, &count), ZV_OK);
        double highest = 0;
        for (size_t f = 0; f < count; f++) {
            const double *a = corners + 9 * f, *b = a + 3, *c = a + 6;
            double n[3];
            for (int i = 0; i < 3; i++) {
                const int j = (i + 1) % 3, k = (i + 2) % 3;
                n[i] = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
            }
            const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            for (int p = 0; p < N; p++) {
                double d = 0;
                for (int k = 0; k < 3; k++) d += n[k] / length * (points[3 * p + k] - a[k]);
                highest = fmax(highest, d);
            }
        }
        assert_near(highest, 0, 1e-9);
        int used = 0;
        for (int p = 0; p < N; p++) {
            bool is_corner = false;
            for (size_t i = 0; i < 3 * count && !is_corner; i++)
                is_corner = corners[3 * i] == points[3 * p] && corners[3 * i + 1] == points[3 * p + 1] &&
                            corners[3 * i + 2] == points[3 * p + 2];
            used += is_corner;
        }
        assert_int_equal((int)count, 2 * used - 4);
        free(corners);
    }
}

/* All in a plane, on a line, in a point, or too few. */
static void flat_points(void **state) {
    (void)state;
    double points[30], *corners;
    size_t count;
    for (int i = 0; i < 10; i++) points[3 * i] = i, points[3 * i + 1] = i * i, points[3 * i + 2] = 2 * i;
    assert_int_equal(zi_mesh_hull(points, 10, &corners, &count), ZV_PHYSICS);
    for (int i = 0; i < 10; i++) points[3 * i + 1] = i;
    assert_int_equal(zi_mesh_hull(points, 10, &corners, &count), ZV_PHYSICS);
    for (int i = 0; i < 30; i++) points[i] = 1;
    assert_int_equal(zi_mesh_hull(points, 10, &corners, &count), ZV_PHYSICS);
    assert_int_equal(zi_mesh_hull(points, 3, &corners, &count), ZV_PHYSICS);
}

TESTS(boxes, orientation, hull_of_a_grid, hull_of_random_points, flat_points)
