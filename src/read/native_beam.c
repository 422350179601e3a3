/* Beams of native files: of material and section, or of stiffness and mass per length. */
#include <stdio.h>

#include "read/native_elastic.h"

#define NUMBER_KEYS "EI", "EIy", "EIz", "GJ", "EA", "rhoA", "rhoI", "rhoIy", "rhoIz", "kGA", "kGAy", "kGAz"

static const char *const number_keys[] = {NUMBER_KEYS};
enum { NUMBERS = sizeof number_keys / sizeof *number_keys };

static zvStatus read_modes(const ziReading *reading, const ziElement *beam, int modes[ZV_BEAM_MOTIONS]) {
    static const char *const keys[ZV_BEAM_MOTIONS] = {"y", "z", "twist", "axial"};
    const zvNode *node = zv_node_get(beam->node, "modes");
    if (!node) return ZV_OK;
    zvStatus status;
    char what[ZI_WHAT];
    if (node->kind == ZV_NODE_SCALAR) {
        status = zv_node_integer(node, zi_element_what(beam, "modes", what), &modes[ZV_BEAM_BEND_Y], reading->error);
        if (status < 0) return status;
        modes[ZV_BEAM_BEND_Z] = modes[ZV_BEAM_BEND_Y];
    } else {
        ziElement part;
        status = zi_element_part(reading, beam, "modes", "modes of beam of link", keys, ZV_BEAM_MOTIONS, &part);
        for (int i = 0; i < ZV_BEAM_MOTIONS && status >= 0; i++) {
            const zvNode *count = zv_node_get(part.node, keys[i]);
            if (!count) continue;
            status = zv_node_integer(count, zi_element_what(&part, keys[i], what), &modes[i], reading->error);
            if (status >= 0 && modes[i] < 0) {
                return zi_element_refuse(reading, &part, keys[i], "must not be negative; write 0 for none");
            }
        }
        if (status < 0) return status;
    }
    long long all = 0;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) all += modes[i];
    char reason[120];
    snprintf(reason, sizeof reason, "are %lld in all; a link has 0 to %d of them", all, ZV_MAX_MODES);
    return all < 0 || all > ZV_MAX_MODES ? zi_element_refuse(reading, beam, "modes", reason) : ZV_OK;
}

/* Two numbers under their own keys, or one for both. */
static zvStatus read_pair(const ziReading *reading, const ziElement *beam, const char *const keys[3], double *first,
                          double *second) {
    for (int i = 1; i < 3; i++) {
        if (!zi_element_has(beam, keys[0]) || !zi_element_has(beam, keys[i])) continue;
        char reason[120];
        snprintf(reason, sizeof reason, "and %s are both given; %s stands for %s and %s: keep it or them", keys[i],
                 keys[0], keys[1], keys[2]);
        return zi_element_refuse(reading, beam, keys[0], reason);
    }
    zvStatus status = zi_element_number(reading, beam, keys[0], first);
    if (status < 0) return status;
    if (zi_element_has(beam, keys[0])) *second = *first;
    if ((status = zi_element_number(reading, beam, keys[1], first)) < 0) return status;
    return zi_element_number(reading, beam, keys[2], second);
}

/* What the modes cannot do without. A zero is left to the rules of the model: it may have been computed. */
static zvStatus need_numbers(const ziReading *reading, const ziElement *element, const zvBeam *beam) {
    zvStatus status = zi_element_need(reading, element, "rhoA", "rhoA, the mass per length in kg/m");
    bool both = zi_element_has(element, "EI");
    if (status >= 0 && beam->modes[ZV_BEAM_BEND_Y] > 0 && !both)
        status = zi_element_need(reading, element, "EIz", "EIz in N m^2 for bending along y, or EI for both planes");
    if (status >= 0 && beam->modes[ZV_BEAM_BEND_Z] > 0 && !both)
        status = zi_element_need(reading, element, "EIy", "EIy in N m^2 for bending along z, or EI for both planes");
    if (status >= 0 && beam->modes[ZV_BEAM_TWIST] > 0)
        status = zi_element_need(reading, element, "GJ", "GJ in N m^2 for the modes of twist");
    if (status >= 0 && beam->modes[ZV_BEAM_EXTEND] > 0)
        status = zi_element_need(reading, element, "EA", "EA in N for the axial modes");
    return status;
}

static zvStatus read_numbers(const ziReading *reading, const ziElement *element, zvBeam *beam) {
    static const char *const bending[3] = {"EI", "EIy", "EIz"}, *const inertia[3] = {"rhoI", "rhoIy", "rhoIz"},
                             *const shear[3] = {"kGA", "kGAy", "kGAz"};
    if (zi_element_has(element, "shear")) {
        return zi_element_refuse(reading, element, "shear",
                                 "belongs to material and section; give kGAy and kGAz instead");
    }
    zvStatus status = need_numbers(reading, element, beam);
    if (status < 0) return status;
    if ((status = read_pair(reading, element, bending, &beam->EIy, &beam->EIz)) < 0) return status;
    if ((status = zi_element_number(reading, element, "GJ", &beam->GJ)) < 0) return status;
    if ((status = zi_element_number(reading, element, "EA", &beam->EA)) < 0) return status;
    if ((status = zi_element_number(reading, element, "rhoA", &beam->rhoA)) < 0) return status;
    if ((status = read_pair(reading, element, inertia, &beam->rhoIy, &beam->rhoIz)) < 0) return status;
    return read_pair(reading, element, shear, &beam->kGAy, &beam->kGAz);
}

/* Material and section go together and leave no place for other numbers. */
static zvStatus read_stuff(const ziReading *reading, const ziElement *element, zvBeam *beam) {
    const char *number = NULL;
    for (int i = 0; i < NUMBERS && !number; i++) {
        if (zi_element_has(element, number_keys[i])) number = number_keys[i];
    }
    bool material = zi_element_has(element, "material"), section = zi_element_has(element, "section");
    if (!material && !section && number) return read_numbers(reading, element, beam);
    if (number) {
        char reason[120];
        snprintf(reason, sizeof reason, "and %s are both given; keep material and section, or the numbers",
                 material ? "material" : "section");
        return zi_element_refuse(reading, element, number, reason);
    }
    zvStatus status = zi_element_need(reading, element, "material",
                                      section ? "material: {E: Pa, G: Pa, density: kg/m^3}"
                                              : "material and section, or numbers such as EI and rhoA");
    if (status < 0) return status;
    status = zi_element_need(reading, element, "section", "section with circle, tube, box or frame");
    return status < 0 ? status : zi_native_section(reading, element, beam);
}

static zvStatus read_tip(const ziReading *reading, const ziElement *element, zvBeam *beam) {
    bool mass = zi_element_has(element, "tip_mass"), inertia = zi_element_has(element, "tip_inertia");
    if (beam->shapes != ZV_SHAPES_CLAMPED_TIP_MASS) {
        if (!mass && !inertia) return ZV_OK;
        return zi_element_refuse(reading, element, mass ? "tip_mass" : "tip_inertia",
                                 "belongs to shapes: clamped-tip-mass; a body at the tip is a link of its own: remove "
                                 "it or change the shapes");
    }
    zvStatus status = inertia ? ZV_OK : zi_element_need(reading, element, "tip_mass", "tip_mass in kg");
    if (status < 0) return status;
    if ((status = zi_element_number(reading, element, "tip_mass", &beam->tip_mass)) < 0) return status;
    return zi_element_number(reading, element, "tip_inertia", &beam->tip_inertia);
}

static zvStatus read_shapes(const ziReading *reading, const ziElement *element, zvBeam *beam) {
    static const char *const shapes_words[] = {
#define ZV_X(name, word) word,
        ZV_SHAPES_LIST(ZV_X)
#undef ZV_X
    };
    static const char *const stiffening_words[] = {"auto", "on", "off"};
    int shapes = (int)beam->shapes, stiffening = (int)beam->stiffening;
    zvStatus status = zi_element_word(reading, element, "shapes", shapes_words, ZV_SHAPES_COUNT, &shapes);
    if (status < 0) return status;
    if ((status = zi_element_word(reading, element, "stiffening", stiffening_words, 3, &stiffening)) < 0) return status;
    beam->shapes = (zvShapes)shapes;
    beam->stiffening = (zvStiffening)stiffening;
    if ((status = zi_element_bool(reading, element, "rotary", &beam->rotary)) < 0) return status;
    if ((status = read_modes(reading, element, beam->modes)) < 0) return status;
    return read_tip(reading, element, beam);
}

static int count_modes(const zvBeam *beam) {
    int count = 0;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) count += beam->modes[i];
    return count;
}

zvStatus zi_native_beam(const ziReading *reading, const ziElement *link, ziArena *arena, const zvBeam **out) {
    static const char *const keys[] = {"length",      "start",     "axis",       "material", "section",
                                       "shear",       NUMBER_KEYS, "shapes",     "modes",    "tip_mass",
                                       "tip_inertia", "rotary",    "stiffening", "damping"};
    ziElement element, damping;
    zvStatus status =
        zi_element_part(reading, link, "beam", "beam of link", keys, sizeof keys / sizeof *keys, &element);
    if (status < 0) return status;
    zvBeam *beam = zi_native_room(reading, &element, arena, 1, sizeof *beam);
    if (!beam) return ZV_MEMORY;
    *beam = zv_beam_default();
    if ((status = zi_element_need(reading, &element, "length", "length, in m")) < 0) return status;
    if ((status = zi_element_number(reading, &element, "length", &beam->length)) < 0) return status;
    if ((status = zi_element_numbers(reading, &element, "start", 3, beam->start)) < 0) return status;
    if ((status = zi_element_numbers(reading, &element, "axis", 3, beam->axis)) < 0) return status;
    if ((status = read_shapes(reading, &element, beam)) < 0) return status;
    if ((status = read_stuff(reading, &element, beam)) < 0) return status;
    *out = beam;
    return zi_native_damping(reading, &element, false, count_modes(beam), arena, &damping, &beam->damping);
}
