/* A beam that spins steadily with its hub (hub radius 0): centrifugal forces stiffen it. First frequencies of flapping,
 * out of the plane of rotation, against Wright, Smith, Thresher and Wang, J. Appl. Mech. 49 (1982) 197-202, in units of
 * sqrt(EI / rho A L^4). In the plane of rotation they are sqrt(flap^2 - spin^2). */
#include "modes/beam_stand.h"
#include "support/run_tests.h"

static const double flap[5] = {3.5160, 3.6817, 4.1373, 4.7973, 5.5850}; /* spin 0 ... 4 */
static const double as_printed = 2e-5;                                  /* half a unit of the last digit */

/* First frequencies along y (in the plane) and z (flapping) of a beam with n modes per plane, or of a chain. */
static void first_rates(zvBeam beam, int links, double spin, double rates[2]) {
    zvBuilder *b = stand_builder(0, 0, 0);
    char names[16][8];
    beam.length /= links;
    for (int i = 0; i < links; i++) {
        snprintf(names[i], sizeof names[i], "b%d", i);
        add_beam(b, names[i], i ? names[i - 1] : "base", i ? ZV_JOINT_FIXED : ZV_JOINT_CONTINUOUS, i ? beam.length : 0,
                 &beam);
    }
    Stand s = stand_open(b);
    double *v = calloc(s.nv, sizeof *v);
    unsigned char *held = calloc(s.nv, 1);
    v[0] = spin;
    held[0] = 1;
    find_rest(&s, (zvRest){.v = v, .held = held}, 1);
    find_modes(&s, (zvRest){.v = v, .held = held});
    rates[0] = s.modes[0].frequency;
    rates[1] = s.modes[1].frequency;
    for (int k = 0; k < s.count; k++) assert_true(fabs(s.modes[k].damping) < 1e-12);
    free(v);
    free(held);
    stand_close(&s);
}

static void check_table(const zvBeam *beam, int links, double tolerance) {
    const double unit = sqrt(beam->EIz / beam->rhoA) / (beam->length * beam->length);
    for (int spin = 0; spin <= 4; spin++) {
        double rates[2];
        first_rates(*beam, links, spin * unit, rates);
        const double lag = sqrt(flap[spin] * flap[spin] - spin * spin);
        print_message("spin %d: flap %.5f (%.4f)  lag %.5f (%.4f)\n", spin, rates[1] / unit, flap[spin],
                      rates[0] / unit, lag);
        expect_near("flap", rates[1] / unit, flap[spin], tolerance);
        expect_near("lag", rates[0] / unit, lag, tolerance * flap[spin] * flap[spin] / (lag * lag));
    }
}

static zvBeam blade(zvShapes shapes, int modes) {
    zvBeam beam = slender_beam(2, shapes, modes, modes, 0, 0);
    beam.EIy = beam.EIz * (1 + 1e-9); /* lag before flap when it stands still */
    return beam;
}

static void one_link_stiffens(void **state) {
    (void)state;
    const zvBeam beam = blade(ZV_SHAPES_CLAMPED_FREE, 5);
    check_table(&beam, 1, 3e-5);
}

static void powers_stiffen(void **state) {
    (void)state;
    const zvBeam beam = blade(ZV_SHAPES_POWERS, 5);
    check_table(&beam, 1, as_printed);
}

static void chain_stiffens(void **state) {
    (void)state;
    const zvBeam beam = blade(ZV_SHAPES_CUBIC, 2);
    check_table(&beam, 10, as_printed);
}

/* Without stiffening the beam only feels the centrifugal force sideways: lag goes down with spin, flap stays. */
static void stiffening_can_be_off(void **state) {
    (void)state;
    zvBeam beam = blade(ZV_SHAPES_CLAMPED_FREE, 3);
    const double unit = sqrt(beam.EIz / beam.rhoA) / (beam.length * beam.length);
    double rates[2];
    beam.stiffening = ZV_STIFFENING_OFF;
    first_rates(beam, 1, 2 * unit, rates);
    expect_near("flap", rates[1] / unit, flap[0], 1e-4);
    expect_near("lag", rates[0] / unit, sqrt(flap[0] * flap[0] - 4), 1e-4);
}

TESTS(one_link_stiffens, powers_stiffen, chain_stiffens, stiffening_can_be_off)
