/* Sections against published numbers, integrals over grids and limits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/near.h"
#include "support/run_tests.h"
#include "zveno/beam.h"

static const double pi = 3.14159265358979323846;

static zvBeam fill(double E, double G, double density, zvSectionKind kind, double a, double b, double c, bool shear) {
    zvBeam beam = zv_beam_default();
    const double size[3] = {a, b, c};
    zv_section_fill(&beam, E, G, density, kind, size, shear);
    return beam;
}

/* The tubes of [Gevorkian]. */
static void aluminium_tube(void **state) {
    (void)state;
    const zvBeam beam = fill(6.895e10, 2.6e10, 2699, ZV_SECTION_TUBE, 0.05, 0.04, 0, false);
    assert_near_relative(beam.EIy, 199825.32042147755, 1e-15);
    assert_near_relative(beam.EIz, 199825.32042147755, 1e-15);
    assert_near_relative(beam.rhoA, 7.631242714834969, 1e-15);
    assert_near_relative(beam.GJ, 2 * 199825.32042147755 / 6.895e10 * 2.6e10, 1e-15);
    assert_near_relative(beam.EA, 6.895e10 / 2699 * 7.631242714834969, 1e-15);
    assert_near_relative(beam.rhoIy, 2699 * 199825.32042147755 / 6.895e10, 1e-15);
    assert_true(beam.kGAy == 0 && beam.kGAz == 0 && beam.rhoIy == beam.rhoIz);
}

static void circle_is_a_tube_without_a_hole(void **state) {
    (void)state;
    const zvBeam a = fill(200, 80, 3, ZV_SECTION_CIRCLE, 0.3, 9, 9, true);
    const zvBeam b = fill(200, 80, 3, ZV_SECTION_TUBE, 0.3, 0, 9, true);
    assert_near_relative(a.EIy, 200 * pi * pow(0.3, 4) / 4, 1e-15);
    assert_near_relative(a.GJ, 80 * pi * pow(0.3, 4) / 2, 1e-15);
    assert_near_relative(a.kGAy, b.kGAy, 0);
    assert_near_relative(a.GJ, b.GJ, 0);
    assert_near_relative(a.kGAy, 80 * pi * 0.09 * 6 * 1.25 / (7 + 6 * 0.25), 1e-15); /* Poisson 1/4 */
    /* a thin tube: 2 (1 + nu) / (4 + 3 nu) */
    const zvBeam thin = fill(200, 80, 3, ZV_SECTION_TUBE, 1, 1 - 1e-6, 0, true);
    assert_near_relative(thin.kGAz / (thin.EA / 200 * 80), 2 * 1.25 / (4 + 3 * 0.25), 1e-6);
}

/* Second moments as sums over cells; a hollow section leaves some out. */
static void check_box(const zvBeam *beam, double width, double height, double wall) {
    enum { CELLS = 600 };
    double A = 0, Iy = 0, Iz = 0;
    for (int i = 0; i < CELLS; i++) {
        for (int j = 0; j < CELLS; j++) {
            const double y = ((i + 0.5) / CELLS - 0.5) * width, z = ((j + 0.5) / CELLS - 0.5) * height;
            const double cell = width * height / CELLS / CELLS;
            if (wall > 0 && fabs(y) < width / 2 - wall && fabs(z) < height / 2 - wall) continue;
            A += cell;
            Iy += cell * z * z + cell * height * height / CELLS / CELLS / 12;
            Iz += cell * y * y + cell * width * width / CELLS / CELLS / 12;
        }
    }
    assert_near_relative(beam->EA, 7 * A, 1e-11);
    assert_near_relative(beam->EIy, 7 * Iy, 1e-11);
    assert_near_relative(beam->EIz, 7 * Iz, 1e-11);
    assert_near_relative(beam->rhoA, 11 * A, 1e-11);
    assert_near_relative(beam->rhoIy, 11 * Iy, 1e-11);
    assert_near_relative(beam->rhoIz, 11 * Iz, 1e-11);
}

static void boxes_by_cells(void **state) {
    (void)state;
    const zvBeam solid = fill(7, 3, 11, ZV_SECTION_BOX, 0.3, 0.5, 0, true);
    const zvBeam hollow = fill(7, 3, 11, ZV_SECTION_FRAME, 0.3, 0.6, 0.03, true); /* walls of whole cells */
    check_box(&solid, 0.3, 0.5, 0);
    check_box(&hollow, 0.3, 0.6, 0.03);
}

/* Torsion of rectangles: 0.141, 0.229 and 0.312 in the tables of textbooks, with more digits from the whole series. */
static void torsion_of_rectangles(void **state) {
    (void)state;
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_BOX, 2, 2, 0, false).GJ, 16 * 0.140577014955153716, 1e-14);
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_BOX, 2, 1, 0, false).GJ, 2 * 0.228681677119570765, 1e-14);
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_BOX, 1, 10, 0, false).GJ, 10 * 0.312325037457205386, 1e-14);
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_BOX, 1, 1e4, 0, false).GJ, 1e4 / 3, 1e-4);
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_BOX, 3, 1, 0, false).GJ,
                         fill(1, 1, 1, ZV_SECTION_BOX, 1, 3, 0, false).GJ, 0);
}

/* Bredt: 4 A^2 t / circumference of the middle line; a square of walls b has b^3 t. */
static void torsion_of_frames(void **state) {
    (void)state;
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_FRAME, 1.01, 1.01, 0.01, false).GJ, 0.01, 1e-14);
    assert_near_relative(fill(1, 1, 1, ZV_SECTION_FRAME, 2.01, 1.01, 0.01, false).GJ, 4 * 4 * 0.01 / 6, 1e-14);
}

/* Cowper: 10 (1 + nu) / (12 + 11 nu) of rectangles; 20 (1 + nu) / (48 + 39 nu) of a thin square tube; tall frames
 * become two webs, that is rectangles. */
static void shear_factors(void **state) {
    (void)state;
    for (double nu = 0; nu < 0.5; nu += 0.1) {
        const double E = 2 * (1 + nu);
        const zvBeam box = fill(E, 1, 1, ZV_SECTION_BOX, 0.2, 0.7, 0, true);
        const zvBeam square = fill(E, 1, 1, ZV_SECTION_FRAME, 1, 1, 0.001, true);
        const zvBeam webs = fill(E, 1, 1, ZV_SECTION_FRAME, 1, 1e5, 1e-6, true);
        assert_near_relative(box.kGAy / 0.14, 10 * (1 + nu) / (12 + 11 * nu), 1e-13);
        assert_near_relative(box.kGAz / 0.14, 10 * (1 + nu) / (12 + 11 * nu), 1e-13);
        assert_near_relative(square.kGAy / square.rhoA, 20 * (1 + nu) / (48 + 39 * nu), 1e-13);
        assert_near_relative(square.kGAz, square.kGAy, 1e-14);
        assert_near_relative(webs.kGAz / webs.rhoA, 10 * (1 + nu) / (12 + 11 * nu), 1e-4);
    }
}

TESTS(aluminium_tube, circle_is_a_tube_without_a_hole, boxes_by_cells, torsion_of_rectangles, torsion_of_frames,
      shear_factors)
