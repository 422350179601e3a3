/* Every fault of a beam, one at a time; and that what is right passes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "beam/modes.h"
#include "support/run_tests.h"

static zvBeam good(void) {
    zvBeam beam = zv_beam_default();
    beam.EIy = beam.EIz = beam.GJ = beam.EA = beam.rhoA = 1;
    beam.rhoIy = beam.rhoIz = 0.1;
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) beam.modes[k] = 2;
    return beam;
}

static void expect(const zvBeam *beam, const char *key, const char *word) {
    const ziBeamFault fault = zi_beam_fault(beam);
    if (!fault.key || strcmp(fault.key, key) != 0) fail_msg("fault %s, not %s", fault.key ? fault.key : "none", key);
    if (!strstr(fault.why, word)) fail_msg("\"%s\" does not say \"%s\"", fault.why, word);
    assert_true(fault.token[0] != 0 && fault.repair[0] != 0 && !fault.memory);
}

static void right_ones_pass(void **state) {
    (void)state;
    for (int shapes = 0; shapes < ZV_SHAPES_COUNT; shapes++) {
        zvBeam beam = good();
        beam.shapes = (zvShapes)shapes;
        if (shapes == ZV_SHAPES_CUBIC) {
            beam.modes[ZV_BEAM_TWIST] = beam.modes[ZV_BEAM_EXTEND] = 1;
            beam.kGAy = 1;
        }
        if (shapes == ZV_SHAPES_CLAMPED_TIP_MASS) beam.tip_mass = beam.tip_inertia = 3;
        assert_null(zi_beam_fault(&beam).key);
    }
    zvBeam beam = zv_beam_default();
    assert_null(zi_beam_fault(&beam).key); /* no modes need nothing */
    beam.modes[ZV_BEAM_BEND_Y] = 2;
    beam.EIz = beam.rhoA = 1; /* nor does a plane that is not there */
    assert_null(zi_beam_fault(&beam).key);
}

static void numbers_are_finite_and_not_negative(void **state) {
    (void)state;
    static const struct {
        const char *key;
        size_t at;
    } numbers[] = {
        {"EIy", offsetof(zvBeam, EIy)},
        {"EIz", offsetof(zvBeam, EIz)},
        {"GJ", offsetof(zvBeam, GJ)},
        {"EA", offsetof(zvBeam, EA)},
        {"rhoA", offsetof(zvBeam, rhoA)},
        {"rhoIy", offsetof(zvBeam, rhoIy)},
        {"rhoIz", offsetof(zvBeam, rhoIz)},
        {"kGAy", offsetof(zvBeam, kGAy)},
        {"kGAz", offsetof(zvBeam, kGAz)},
        {"tip_mass", offsetof(zvBeam, tip_mass)},
        {"length", offsetof(zvBeam, length)},
        {"tip_inertia", offsetof(zvBeam, tip_inertia)},
        {"ratio", offsetof(zvBeam, damping.ratio)},
        {"rayleigh: {mass: ...}", offsetof(zvBeam, damping.mass_factor)},
        {"rayleigh: {stiffness: ...}", offsetof(zvBeam, damping.stiffness_factor)},
    };
    const double bad[] = {-1e-3, (double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        for (int i = 0; i < 4; i++) {
            zvBeam beam = good();
            memcpy((char *)&beam + numbers[k].at, &bad[i], sizeof bad[i]);
            expect(&beam, numbers[k].key, "");
        }
    }
}

static void modes_need_their_numbers(void **state) {
    (void)state;
    zvBeam beam = good();
    beam.EIy = 0;
    expect(&beam, "EIy", "bending along z");
    beam = good();
    beam.EIz = 0;
    expect(&beam, "EIz", "bending along y");
    beam = good();
    beam.GJ = 0;
    expect(&beam, "GJ", "twist");
    beam = good();
    beam.EA = 0;
    expect(&beam, "EA", "extension");
    beam = good();
    beam.rhoA = 0;
    expect(&beam, "rhoA", "positive");
    beam = good();
    beam.rhoIy = beam.rhoIz = 0;
    expect(&beam, "rhoIy", "twist");
    beam = good();
    beam.rhoIz = 0; /* a plate still twists */
    assert_null(zi_beam_fault(&beam).key);
    beam.rotary = true;
    expect(&beam, "rhoIz", "rotary");
    beam = good();
    beam.length = 0;
    expect(&beam, "length", "expected a positive length of the beam, found");
    beam.length = 1e-120;
    expect(&beam, "length", "range");
    beam.length = 1e120;
    expect(&beam, "length", "range");
}

static void sets_have_so_many_modes(void **state) {
    (void)state;
    zvBeam beam = good();
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) {
        beam = good();
        beam.modes[k] = 7;
        assert_null(zi_beam_fault(&beam).key);
        beam.modes[k] = 8;
        expect(&beam, "modes", "shapes powers (more powers");
        expect(&beam, "modes", "integration crawls");
        assert_non_null(strstr(zi_beam_fault(&beam).repair, "clamped-free"));
    }
    beam = good();
    beam.modes[ZV_BEAM_BEND_Z] = -1;
    expect(&beam, "modes", "zero or more modes");
    beam = good();
    beam.shapes = ZV_SHAPES_GEVORKIAN;
    beam.modes[ZV_BEAM_BEND_Y] = 3;
    expect(&beam, "modes", "at most 2");
    beam = good();
    beam.shapes = ZV_SHAPES_CUBIC;
    expect(&beam, "modes", "at most 1 modes of twist in shapes cubic");
    beam.modes[ZV_BEAM_TWIST] = beam.modes[ZV_BEAM_EXTEND] = 1;
    beam.modes[ZV_BEAM_BEND_Y] = 1;
    expect(&beam, "modes", "expected 0 or 2");
    beam = good();
    beam.shapes = ZV_SHAPES_CLAMPED_FREE;
    beam.modes[ZV_BEAM_BEND_Y] = ZV_MAX_MODES - 6;
    assert_null(zi_beam_fault(&beam).key);
    beam.modes[ZV_BEAM_BEND_Y]++;
    expect(&beam, "modes", "at most 128 elastic");
    for (int k = 0; k < ZV_BEAM_MOTIONS; k++) beam.modes[k] = 2147483647;
    expect(&beam, "modes", "at most 128 elastic");
    beam = good();
    beam.shapes = ZV_SHAPES_COUNT;
    expect(&beam, "shapes", "expected a set of shapes, found");
}

static void numbers_of_other_shapes(void **state) {
    (void)state;
    zvBeam beam = good();
    beam.kGAz = 5;
    expect(&beam, "kGAz", "shear");
    beam.modes[ZV_BEAM_BEND_Z] = 0; /* of no concern */
    assert_null(zi_beam_fault(&beam).key);
    beam.kGAy = 5;
    expect(&beam, "kGAy", "shear");
    beam = good();
    beam.tip_mass = 1;
    expect(&beam, "tip_mass", "clamped-tip-mass");
    beam = good();
    beam.tip_inertia = 1;
    expect(&beam, "tip_inertia", "clamped-tip-mass");
}

static void damping_ratios(void **state) {
    (void)state;
    const double ratios[9] = {0.1, 0, 0.2, 0, 0, -0.1};
    zvBeam beam = good();
    beam.damping.ratios = ratios;
    beam.damping.count = 5;
    assert_null(zi_beam_fault(&beam).key);
    beam.damping.count = 6;
    expect(&beam, "ratios", "at least 0");
    beam.damping.count = 9;
    expect(&beam, "ratios", "at most one ratio of damping per mode");
    beam.damping.count = 1;
    beam.damping.ratios = NULL;
    expect(&beam, "ratios", "");
}

/* A section whose hole is larger than itself, or whose walls meet, or of nothing, shows in the numbers. */
static void sections_that_cannot_be(void **state) {
    (void)state;
    static const struct {
        zvSectionKind kind;
        double size[3];
    } bad[] = {{ZV_SECTION_TUBE, {0.04, 0.05, 0}},       {ZV_SECTION_TUBE, {0.05, 0.05, 0}},
               {ZV_SECTION_CIRCLE, {0, 0, 0}},           {ZV_SECTION_BOX, {-1, 1, 0}},
               {ZV_SECTION_FRAME, {0.1, 0.1, 0}},        {ZV_SECTION_BOX, {0, 1, 0}},
               {ZV_SECTION_CIRCLE, {(double)NAN, 0, 0}}, {ZV_SECTION_BOX, {-1, -1, 0}},
               {ZV_SECTION_TUBE, {-0.05, -0.06, 0}},     {ZV_SECTION_TUBE, {0.05, -0.04, 0}},
               {ZV_SECTION_FRAME, {0.1, 0.1, 0.06}}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        zvBeam beam = good();
        zv_section_fill(&beam, 7e10, 2.6e10, 2700, bad[k].kind, bad[k].size, false);
        assert_non_null(zi_beam_fault(&beam).key);
    }
}

TESTS(right_ones_pass, numbers_are_finite_and_not_negative, modes_need_their_numbers, sets_have_so_many_modes,
      numbers_of_other_shapes, damping_ratios, sections_that_cannot_be)
