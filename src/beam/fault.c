/* What may be wrong with a beam. */
#include "beam/modes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "beam/shapes.h"

static const ziBeamFault none = {0};
static const double shortest_axis = 1e-12; /* as for axes of joints */
static const double farthest = 1e50;       /* m: moments of inertia stay in range */

ziBeamFault zi_fault_word(const char *key, const char *word, const char *why, const char *repair) {
    ziBeamFault fault = {.key = key};
    snprintf(fault.token, sizeof fault.token, "%s", word);
    snprintf(fault.why, sizeof fault.why, "%s", why);
    snprintf(fault.repair, sizeof fault.repair, "%s", repair);
    return fault;
}

ziBeamFault zi_fault_number(const char *key, double number, const char *expected, const char *repair) {
    char word[32], why[sizeof((ziBeamFault *)0)->why];
    snprintf(word, sizeof word, "%.9g", number);
    snprintf(why, sizeof why, "expected %s, found %s", expected, word);
    return zi_fault_word(key, word, why, repair);
}

/* A number of a beam: never negative; `need` tells what it must be positive for, NULL: nothing. */
typedef struct ziBeamNumber {
    const char *key;
    double value;
    const char *need;
} ziBeamNumber;

/* Finite, not negative, and positive where a motion with modes needs it. */
static ziBeamFault check_number(ziBeamNumber number) {
    char expected[160];
    if (!isfinite(number.value)) return zi_fault_number(number.key, number.value, "a finite number", "give a number");
    if (number.value < 0)
        return zi_fault_number(number.key, number.value, "at least 0", "give zero or a positive number");
    if (number.value > 0 || !number.need) return none;
    snprintf(expected, sizeof expected, "a positive number for %s", number.need);
    return zi_fault_number(number.key, number.value, expected, "give a positive number, or take those modes away");
}

/* Every number of the section against what the modes that are switched on need. */
static ziBeamFault check_numbers(const zvBeam *beam) {
    const int *modes = beam->modes;
    const bool along_y = modes[ZV_BEAM_BEND_Y] > 0, along_z = modes[ZV_BEAM_BEND_Z] > 0;
    const bool moves = along_y || along_z || modes[ZV_BEAM_EXTEND] > 0;
    const ziBeamNumber numbers[] = {
        {"EIy", beam->EIy, along_z ? "bending along z" : NULL},
        {"EIz", beam->EIz, along_y ? "bending along y" : NULL},
        {"GJ", beam->GJ, modes[ZV_BEAM_TWIST] > 0 ? "twist" : NULL},
        {"EA", beam->EA, modes[ZV_BEAM_EXTEND] > 0 ? "extension" : NULL},
        {"rhoA", beam->rhoA, moves ? "bending and extension" : NULL},
        {"rhoIy", beam->rhoIy, beam->rotary && along_z ? "rotary inertia in bending along z" : NULL},
        {"rhoIz", beam->rhoIz, beam->rotary && along_y ? "rotary inertia in bending along y" : NULL},
        {"kGAy", beam->kGAy, NULL},
        {"kGAz", beam->kGAz, NULL},
        {"tip_mass", beam->tip_mass, NULL},
        {"tip_inertia", beam->tip_inertia, NULL},
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        const ziBeamFault fault = check_number(numbers[k]);
        if (fault.key) return fault;
    }
    if (modes[ZV_BEAM_TWIST] > 0 && !(beam->rhoIy + beam->rhoIz > 0))
        return zi_fault_number("rhoIy", beam->rhoIy + beam->rhoIz, "a positive rhoIy + rhoIz for twist",
                               "give them, or take the twist modes away");
    return none;
}

/* Numbers that belong to one set of shapes only. */
static ziBeamFault check_fit(const zvBeam *beam) {
    const bool cubic = beam->shapes == ZV_SHAPES_CUBIC, tipped = beam->shapes == ZV_SHAPES_CLAMPED_TIP_MASS;
    const char *const no_shear = "no shear, which cubic shapes alone know",
                      *const no_tip = "nothing on the tip, which clamped-tip-mass alone knows";
    if (!cubic && beam->kGAy > 0 && beam->modes[ZV_BEAM_BEND_Y] > 0)
        return zi_fault_number("kGAy", beam->kGAy, no_shear, "choose shapes: cubic, or leave shear out");
    if (!cubic && beam->kGAz > 0 && beam->modes[ZV_BEAM_BEND_Z] > 0)
        return zi_fault_number("kGAz", beam->kGAz, no_shear, "choose shapes: cubic, or leave shear out");
    if (!tipped && beam->tip_mass > 0)
        return zi_fault_number("tip_mass", beam->tip_mass, no_tip, "choose those shapes, or attach a link at the tip");
    if (!tipped && beam->tip_inertia > 0)
        return zi_fault_number("tip_inertia", beam->tip_inertia, no_tip,
                               "choose those shapes, or attach a link at the tip");
    return none;
}

/* Start and direction of the axis. */
static ziBeamFault check_place(const zvBeam *beam) {
    const double *a = beam->axis, *p = beam->start;
    char token[64];
    for (int k = 0; k < 3; k++) {
        if (!isfinite(a[k])) return zi_fault_number("axis", a[k], "a finite number", "give a number");
        if (!(fabs(p[k]) < farthest))
            return zi_fault_number("start", p[k], "a number that a place can have", "give the root of the beam in m");
    }
    if (hypot(hypot(a[0], a[1]), a[2]) >= shortest_axis) return none;
    snprintf(token, sizeof token, "%.6g %.6g %.6g", a[0], a[1], a[2]);
    return zi_fault_word("axis", token, "expected a direction of the beam, found the zero vector",
                         "give a direction, such as 0 0 1");
}

/* Numbers of modes against what the set of shapes can tell apart in double precision. */
static ziBeamFault check_modes(const zvBeam *beam) {
    static const char *const motions[ZV_BEAM_MOTIONS] = {"bending along y", "bending along z", "twist", "extension"};
    const char *word = zv_shapes_word(beam->shapes);
    double total = 0;
    char expected[200];
    for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++) {
        const int count = beam->modes[motion], most = zi_shape_most(beam->shapes, (zvBeamMotion)motion);
        const bool pair = beam->shapes == ZV_SHAPES_CUBIC && motion <= ZV_BEAM_BEND_Z;
        total += count;
        if (count < 0) return zi_fault_number("modes", count, "zero or more modes", "give zero or more");
        if (count > most && most == ZV_MAX_MODES) break; /* told below */
        if (count > most) {
            snprintf(expected, sizeof expected, "at most %d modes of %s in shapes %s%s", most, motions[motion], word,
                     most > 2 ? " (more powers are so alike that rounding of their mass matrix spoils accelerations, "
                                "and integration crawls)"
                              : "");
            return zi_fault_number("modes", count, expected,
                                   "take fewer, or shapes: clamped-free, whose functions stay apart");
        }
        if (pair && count == 1)
            return zi_fault_number("modes", count, "0 or 2, displacement and slope of the tip together",
                                   "give 2 (or 0) in each plane");
    }
    if (total <= ZV_MAX_MODES) return none;
    snprintf(expected, sizeof expected, "at most %d elastic coordinates of a link", (int)ZV_MAX_MODES);
    return zi_fault_number("modes", total, expected, "take fewer, or a chain of several links");
}

/* Numbers whose integrals leave the range of doubles. */
static ziBeamFault check_range(const zvBeam *beam) {
    const double L = beam->length, L3 = L * L * L;
    const double stiffest = fmax(fmax(beam->EIy, beam->EIz) / L3, fmax(fmax(beam->GJ, beam->EA), 1) / L);
    const double heaviest = beam->rhoA * L3 + (beam->rhoIy + beam->rhoIz) * L;
    if (L3 > 1e-150 && L3 < 1e150 && stiffest < 1e150 && heaviest < 1e150) return none;
    return zi_fault_number("length", L, "a length that keeps stiffness and inertia within the range of numbers",
                           "check the units: all numbers are SI");
}

/* Ratios and factors of damping: finite, not negative, no more ratios than modes. */
ziBeamFault zi_damping_fault(const zvElasticDamping *damping, int count) {
    const ziBeamNumber numbers[] = {{"ratio", damping->ratio, NULL},
                                    {"rayleigh: {mass: ...}", damping->mass_factor, NULL},
                                    {"rayleigh: {stiffness: ...}", damping->stiffness_factor, NULL}};
    const char *const expected = "a finite number of at least 0", *const repair = "give zero or a positive number";
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        if (!(numbers[k].value >= 0 && isfinite(numbers[k].value)))
            return zi_fault_number(numbers[k].key, numbers[k].value, expected, repair);
    }
    if (damping->count < 0 || damping->count > count || (damping->count > 0 && !damping->ratios))
        return zi_fault_number("ratios", damping->count, "at most one ratio of damping per mode",
                               "give at most one per mode");
    for (int k = 0; k < damping->count; k++) {
        if (!(damping->ratios[k] >= 0 && isfinite(damping->ratios[k])))
            return zi_fault_number("ratios", damping->ratios[k], expected, repair);
    }
    return none;
}

/* The first fault in the order in which later checks rely on earlier ones. */
ziBeamFault zi_beam_fault(const zvBeam *beam) {
    if (!(beam->length > 0) || !isfinite(beam->length))
        return zi_fault_number("length", beam->length, "a positive length of the beam", "give its length in m");
    if (beam->shapes < 0 || beam->shapes >= ZV_SHAPES_COUNT)
        return zi_fault_number("shapes", beam->shapes, "a set of shapes", "take one of zvShapes");
    ziBeamFault fault = check_place(beam);
    if (!fault.key) fault = check_modes(beam);
    if (!fault.key) fault = check_numbers(beam);
    if (!fault.key) fault = check_fit(beam);
    if (!fault.key) fault = check_range(beam);
    if (!fault.key) fault = zi_damping_fault(&beam->damping, zi_beam_count(beam));
    return fault;
}
