/* Elastic links of native files: beams, and the damping that beams and modal data share. */
#include "read/native.h"

#include <stdio.h>

#include "beam/modes.h"

/* BeamMaterial and section of a beam. They become stiffness and mass per length here and are gone afterwards, so what
 * is wrong with them has to be said here. */

typedef struct BeamMaterial {
    double E, G, density;
} BeamMaterial;

static zvStatus read_positive(const ziReading *reading, const ziNamedMap *element, const char *key, double *value) {
    zvStatus status = zi_map_number(reading, element, key, value);
    if (status < 0 || !zi_map_has(element, key) || *value > 0) return status;
    return zi_map_expected(reading, element, key, "a positive number", "check the number and its sign");
}

/* G = E / (2 (1 + nu)) of an isotropic material. */
static zvStatus read_poisson(const ziReading *reading, const ziNamedMap *element, BeamMaterial *material) {
    if (!zi_map_has(element, "poisson")) return ZV_OK;
    if (zi_map_has(element, "G")) {
        return zi_map_refuse(reading, element, "poisson", "expected poisson or G, found both; keep one");
    }
    double nu = 0;
    zvStatus status = zi_map_number(reading, element, "poisson", &nu);
    if (status < 0) return status;
    if (!(nu > -1 && nu <= 0.5)) {
        return zi_map_expected(reading, element, "poisson", "a number between -1 and 0.5",
                               "metals have about 0.3: check the number");
    }
    material->G = material->E / (2 * (1 + nu));
    return ZV_OK;
}

/* E below that of rubber: nobody builds beams of it, but GPa are often written in the place of Pa. */
static zvStatus remark_soft(const ziReading *reading, const ziNamedMap *element, double E) {
    const double softest = 1e6; /* Pa */
    if (E >= softest) return ZV_OK;
    char token[32], why[120], repair[96];
    snprintf(token, sizeof token, "%.6g", E);
    snprintf(why, sizeof why, "expected Young's modulus of a beam, found E = %.6g Pa, softer than rubber", E);
    snprintf(repair, sizeof repair, "write Pa: %.6g GPa are %.6g Pa", E, 1e9 * E);
    const zvRemark remark = {ZV_SEVERITY_WARNING,
                             ZV_NUMBER,
                             "modulus-unit",
                             element->kind,
                             element->name,
                             token,
                             why,
                             repair,
                             zi_reading_mark(reading, zv_node_get(element->node, "E")->mark)};
    return zv_builder_add_remark(reading->builder, &remark, reading->error);
}

/* E and density, and G or Poisson's ratio where something twists or shears. */
static zvStatus read_material(const ziReading *reading, const ziNamedMap *beam, bool needs_G, BeamMaterial *material) {
    static const char *const keys[] = {"E", "G", "poisson", "density"};
    ziNamedMap element;
    zvStatus status = zi_map_part(reading, beam, "material", "material of beam of link", keys, 4, &element);
    if (status < 0) return status;
    if ((status = zi_map_need(reading, &element, "E", "E, Young's modulus in Pa")) < 0) return status;
    if ((status = zi_map_need(reading, &element, "density", "density, in kg/m^3")) < 0) return status;
    if (needs_G && !zi_map_has(&element, "poisson")) {
        status = zi_map_need(reading, &element, "G", "G in Pa, or poisson: twist and shear need it");
        if (status < 0) return status;
    }
    if ((status = read_positive(reading, &element, "E", &material->E)) < 0) return status;
    if ((status = remark_soft(reading, &element, material->E)) < 0) return status;
    if ((status = read_positive(reading, &element, "G", &material->G)) < 0) return status;
    if ((status = read_positive(reading, &element, "density", &material->density)) < 0) return status;
    return read_poisson(reading, &element, material);
}

typedef struct SectionKey {
    const char *key;
    int count;
    zvSectionKind kind;
} SectionKey;

static const SectionKey section_keys[] = {
    {"circle", 1, ZV_SECTION_CIRCLE},
    {"tube", 2, ZV_SECTION_TUBE},
    {"box", 2, ZV_SECTION_BOX},
    {"frame", 3, ZV_SECTION_FRAME},
};

/* Why a section cannot be, or NULL; texts with numbers are put into text. */
static const char *impossible(zvSectionKind kind, const double size[3], char text[ZI_WHAT]) {
    bool tube = kind == ZV_SECTION_TUBE, frame = kind == ZV_SECTION_FRAME;
    if (!(size[0] > 0)) return "expected sizes above zero, in m, found others; check the numbers";
    if (tube && !(size[1] >= 0 && size[1] < size[0])) {
        snprintf(text, ZI_WHAT,
                 "expected an inner radius below the outer one, found %g beside %g; write [outer, inner], in m",
                 size[1], size[0]);
        return text;
    }
    if ((kind == ZV_SECTION_BOX || frame) && !(size[1] > 0))
        return "expected sizes above zero, in m, found others; check the numbers";
    if (frame && !(size[2] > 0 && 2 * size[2] < size[0] && 2 * size[2] < size[1])) {
        return "expected a wall thinner than half the width and height, found another; write [width, height, wall], or "
               "box when it "
               "is solid";
    }
    return NULL;
}

/* The one section that is given, with the sizes that its kind has. */
static zvStatus read_beam_section(const ziReading *reading, const ziNamedMap *beam, zvSectionKind *kind,
                                  double size[3]) {
    static const char *const keys[] = {"circle", "tube", "box", "frame"};
    ziNamedMap section;
    zvStatus status = zi_map_part(reading, beam, "section", "section of beam of link", keys, 4, &section);
    if (status < 0) return status;
    if (section.node->count != 1) {
        return zi_map_expected(reading, beam, "section", "exactly one of circle, tube, box and frame",
                               "keep one of the keys");
    }
    const SectionKey *row = section_keys;
    while (!zi_map_has(&section, row->key)) row++;
    *kind = row->kind;
    status = row->count == 1 ? zi_map_number(reading, &section, row->key, size)
                             : zi_map_numbers(reading, &section, row->key, row->count, size);
    if (status < 0) return status;
    char text[ZI_WHAT];
    const char *why = impossible(row->kind, size, text);
    return why ? zi_map_refuse(reading, &section, row->key, why) : ZV_OK;
}

/* Stiffness and mass per length of a beam of one material and section. */
static zvStatus read_material_and_section(const ziReading *reading, const ziNamedMap *beam, zvBeam *out) {
    bool shear = false;
    zvStatus status = zi_map_bool(reading, beam, "shear", &shear);
    if (status < 0) return status;
    BeamMaterial material = {0};
    if ((status = read_material(reading, beam, shear || out->modes[ZV_BEAM_TWIST] > 0, &material)) < 0) return status;
    zvSectionKind kind = ZV_SECTION_CIRCLE;
    double size[3] = {0};
    if ((status = read_beam_section(reading, beam, &kind, size)) < 0) return status;
    zv_section_fill(out, material.E, material.G, material.density, kind, size, shear);
    return ZV_OK;
}

/* Beams of native files: of material and section, or of stiffness and mass per length. */

#define NUMBER_KEYS "EI", "EIy", "EIz", "GJ", "EA", "rhoA", "rhoI", "rhoIy", "rhoIz", "kGA", "kGAy", "kGAz"

static const char *const number_keys[] = {NUMBER_KEYS};
enum { NUMBERS = sizeof number_keys / sizeof *number_keys };

/* One number for bending in y and in z, or a map from motions to numbers. */
static zvStatus read_modes(const ziReading *reading, const ziNamedMap *beam, int modes[ZV_BEAM_MOTIONS]) {
    static const char *const keys[ZV_BEAM_MOTIONS] = {"y", "z", "twist", "axial"};
    const zvNode *node = zv_node_get(beam->node, "modes");
    if (!node) return ZV_OK;
    zvStatus status;
    char what[ZI_WHAT];
    if (node->kind == ZV_NODE_SCALAR) {
        status = zv_node_integer(node, zi_map_what(beam, "modes", what), &modes[ZV_BEAM_BEND_Y], reading->error);
        if (status < 0) return status;
        modes[ZV_BEAM_BEND_Z] = modes[ZV_BEAM_BEND_Y];
    } else {
        ziNamedMap part;
        status = zi_map_part(reading, beam, "modes", "modes of beam of link", keys, ZV_BEAM_MOTIONS, &part);
        for (int i = 0; i < ZV_BEAM_MOTIONS && status >= 0; i++) {
            const zvNode *count = zv_node_get(part.node, keys[i]);
            if (!count) continue;
            status = zv_node_integer(count, zi_map_what(&part, keys[i], what), &modes[i], reading->error);
            if (status >= 0 && modes[i] < 0) {
                return zi_map_expected(reading, &part, keys[i], "0 or more", "write 0 for none");
            }
        }
        if (status < 0) return status;
    }
    long long all = 0;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) all += modes[i];
    char reason[120];
    snprintf(reason, sizeof reason, "expected 0 to %d in all, found %lld", ZV_MAX_MODES, all);
    return all < 0 || all > ZV_MAX_MODES ? zi_map_refuse(reading, beam, "modes", reason) : ZV_OK;
}

/* Two numbers under their own keys, or one for both. */
static zvStatus read_pair(const ziReading *reading, const ziNamedMap *beam, const char *const keys[3], double *first,
                          double *second) {
    for (int i = 1; i < 3; i++) {
        if (!zi_map_has(beam, keys[0]) || !zi_map_has(beam, keys[i])) continue;
        char reason[120];
        snprintf(reason, sizeof reason, "expected it or %s, found both; %s is short for %s and %s: keep it or them",
                 keys[i], keys[0], keys[1], keys[2]);
        return zi_map_refuse(reading, beam, keys[0], reason);
    }
    zvStatus status = zi_map_number(reading, beam, keys[0], first);
    if (status < 0) return status;
    if (zi_map_has(beam, keys[0])) *second = *first;
    if ((status = zi_map_number(reading, beam, keys[1], first)) < 0) return status;
    return zi_map_number(reading, beam, keys[2], second);
}

/* What the modes cannot do without. A zero is left to the rules of the model: it may have been computed. */
static zvStatus need_numbers(const ziReading *reading, const ziNamedMap *element, const zvBeam *beam) {
    zvStatus status = zi_map_need(reading, element, "rhoA", "rhoA, the mass per length in kg/m");
    bool both = zi_map_has(element, "EI");
    if (status >= 0 && beam->modes[ZV_BEAM_BEND_Y] > 0 && !both)
        status = zi_map_need(reading, element, "EIz", "EIz in N m^2 for bending along y, or EI for both planes");
    if (status >= 0 && beam->modes[ZV_BEAM_BEND_Z] > 0 && !both)
        status = zi_map_need(reading, element, "EIy", "EIy in N m^2 for bending along z, or EI for both planes");
    if (status >= 0 && beam->modes[ZV_BEAM_TWIST] > 0)
        status = zi_map_need(reading, element, "GJ", "GJ in N m^2 for the modes of twist");
    if (status >= 0 && beam->modes[ZV_BEAM_EXTEND] > 0)
        status = zi_map_need(reading, element, "EA", "EA in N for the axial modes");
    return status;
}

/* Stiffness and mass per length given directly; EI is short for EIy and EIz. */
static zvStatus read_numbers(const ziReading *reading, const ziNamedMap *element, zvBeam *beam) {
    static const char *const bending[3] = {"EI", "EIy", "EIz"}, *const inertia[3] = {"rhoI", "rhoIy", "rhoIz"},
                             *const shear[3] = {"kGA", "kGAy", "kGAz"};
    if (zi_map_has(element, "shear")) {
        return zi_map_refuse(reading, element, "shear",
                             "expected it beside material and section, found neither; give kGAy and kGAz instead");
    }
    zvStatus status = need_numbers(reading, element, beam);
    if (status < 0) return status;
    if ((status = read_pair(reading, element, bending, &beam->EIy, &beam->EIz)) < 0) return status;
    if ((status = zi_map_number(reading, element, "GJ", &beam->GJ)) < 0) return status;
    if ((status = zi_map_number(reading, element, "EA", &beam->EA)) < 0) return status;
    if ((status = zi_map_number(reading, element, "rhoA", &beam->rhoA)) < 0) return status;
    if ((status = read_pair(reading, element, inertia, &beam->rhoIy, &beam->rhoIz)) < 0) return status;
    return read_pair(reading, element, shear, &beam->kGAy, &beam->kGAz);
}

/* BeamMaterial and section go together and leave no place for other numbers. */
static zvStatus read_stuff(const ziReading *reading, const ziNamedMap *element, zvBeam *beam) {
    const char *number = NULL;
    for (int i = 0; i < NUMBERS && !number; i++) {
        if (zi_map_has(element, number_keys[i])) number = number_keys[i];
    }
    bool material = zi_map_has(element, "material"), section = zi_map_has(element, "section");
    if (!material && !section && number) return read_numbers(reading, element, beam);
    if (number) {
        char reason[120];
        snprintf(reason, sizeof reason, "expected it or %s, found both; keep material and section, or the numbers",
                 material ? "material" : "section");
        return zi_map_refuse(reading, element, number, reason);
    }
    zvStatus status = zi_map_need(reading, element, "material",
                                  section ? "material: {E: Pa, G: Pa, density: kg/m^3}"
                                          : "material and section, or numbers such as EI and rhoA");
    if (status < 0) return status;
    status = zi_map_need(reading, element, "section", "section with circle, tube, box or frame");
    return status < 0 ? status : read_material_and_section(reading, element, beam);
}

/* The body at the tip that mode shapes take into account; other shapes know none. */
static zvStatus read_tip(const ziReading *reading, const ziNamedMap *element, zvBeam *beam) {
    bool mass = zi_map_has(element, "tip_mass"), inertia = zi_map_has(element, "tip_inertia");
    if (beam->shapes != ZV_SHAPES_CLAMPED_TIP_MASS) {
        if (!mass && !inertia) return ZV_OK;
        return zi_map_refuse(reading, element, mass ? "tip_mass" : "tip_inertia",
                             "expected shapes: clamped-tip-mass beside it, found others; a body at the tip is a link "
                             "of its own: remove it or change the shapes");
    }
    zvStatus status = inertia ? ZV_OK : zi_map_need(reading, element, "tip_mass", "tip_mass in kg");
    if (status < 0) return status;
    if ((status = zi_map_number(reading, element, "tip_mass", &beam->tip_mass)) < 0) return status;
    return zi_map_number(reading, element, "tip_inertia", &beam->tip_inertia);
}

/* The family of mode shapes, and whether tension stiffens the beam. */
static zvStatus read_shapes(const ziReading *reading, const ziNamedMap *element, zvBeam *beam) {
    static const char *const shapes_words[] = {
#define ZV_X(name, word) word,
        ZV_SHAPES_LIST(ZV_X)
#undef ZV_X
    };
    static const char *const stiffening_words[] = {"auto", "on", "off"};
    int shapes = (int)beam->shapes, stiffening = (int)beam->stiffening;
    zvStatus status = zi_map_word(reading, element, "shapes", shapes_words, ZV_SHAPES_COUNT, &shapes);
    if (status < 0) return status;
    if ((status = zi_map_word(reading, element, "stiffening", stiffening_words, 3, &stiffening)) < 0) return status;
    beam->shapes = (zvShapes)shapes;
    beam->stiffening = (zvStiffening)stiffening;
    if ((status = zi_map_bool(reading, element, "rotary", &beam->rotary)) < 0) return status;
    if ((status = read_modes(reading, element, beam->modes)) < 0) return status;
    return read_tip(reading, element, beam);
}

/* A beam with all its numbers; material and section, or stiffness per length, never both. */
zvStatus zi_native_beam(const ziReading *reading, const ziNamedMap *link, ziArena *arena, const zvBeam **out) {
    static const char *const keys[] = {"length",      "start",     "axis",       "material", "section",
                                       "shear",       NUMBER_KEYS, "shapes",     "modes",    "tip_mass",
                                       "tip_inertia", "rotary",    "stiffening", "damping"};
    ziNamedMap element, damping;
    zvStatus status = zi_map_part(reading, link, "beam", "beam of link", keys, sizeof keys / sizeof *keys, &element);
    if (status < 0) return status;
    zvBeam *beam = zi_native_alloc(reading, &element, arena, 1, sizeof *beam);
    if (!beam) return ZV_MEMORY;
    *beam = zv_beam_default();
    if ((status = zi_map_need(reading, &element, "length", "length, in m")) < 0) return status;
    if ((status = zi_map_number(reading, &element, "length", &beam->length)) < 0) return status;
    if ((status = zi_map_numbers(reading, &element, "start", 3, beam->start)) < 0) return status;
    if ((status = zi_native_axis(reading, &element, "axis", beam->axis)) < 0) return status;
    if ((status = read_shapes(reading, &element, beam)) < 0) return status;
    if ((status = read_stuff(reading, &element, beam)) < 0) return status;
    *out = beam;
    return zi_native_damping(reading, &element, false, zi_beam_count(beam), arena, &damping, &beam->damping);
}

/* Elastic links of native files: a beam or modal data, and the damping both have. */

void *zi_native_alloc(const ziReading *reading, const ziNamedMap *element, ziArena *arena, int count, size_t size) {
    void *memory = zi_arena_alloc(arena, (size_t)count * size);
    char what[ZI_WHAT];
    if (!memory) {
        zv_fail(reading->error, ZV_MEMORY, element->node->mark, "", "no memory for %s",
                zi_map_what(element, NULL, what));
    }
    return memory;
}

/* One damping ratio for each of the first modes. */
static zvStatus read_ratios(const ziReading *reading, const ziNamedMap *part, int modes, ziArena *arena,
                            zvElasticDamping *damping) {
    const zvNode *list = NULL;
    zvStatus status = zi_map_list(reading, part, "ratios", &list);
    if (status < 0 || !list) return status;
    if (list->count > modes) {
        char reason[160];
        snprintf(reason, sizeof reason, "at most %d number%s, one for each mode", modes, modes == 1 ? "" : "s");
        return zi_map_expected(reading, part, "ratios", reason, "remove the last ones");
    }
    if (list->count == 0) return ZV_OK;
    double *ratios = zi_native_alloc(reading, part, arena, list->count, sizeof *ratios);
    if (!ratios) return ZV_MEMORY;
    damping->count = list->count;
    damping->ratios = ratios;
    return zi_map_numbers(reading, part, "ratios", list->count, ratios);
}

static zvStatus read_rayleigh(const ziReading *reading, const ziNamedMap *part, zvElasticDamping *damping) {
    static const char *const keys[] = {"mass", "stiffness"};
    char kind[ZI_WHAT];
    ziNamedMap rayleigh;
    zvStatus status = zi_map_inner(reading, part, "rayleigh", keys, 2, kind, &rayleigh);
    const ziNumberKey numbers[] = {{"mass", &damping->mass_factor, false},
                                   {"stiffness", &damping->stiffness_factor, false}};
    return status < 0 || !rayleigh.node ? status : zi_map_keyed_numbers(reading, &rayleigh, numbers, 2);
}

zvStatus zi_native_damping(const ziReading *reading, const ziNamedMap *element, bool is_modal, int modes,
                           ziArena *arena, ziNamedMap *part, zvElasticDamping *damping) {
    static const char *const keys[] = {"ratio", "ratios", "rayleigh", "matrix"};
    const char *kind = is_modal ? "damping of modal of link" : "damping of beam of link";
    zvStatus status = zi_map_part(reading, element, "damping", kind, keys, is_modal ? 4 : 3, part);
    if (status < 0 || !part->node) return status;
    if ((status = zi_map_number(reading, part, "ratio", &damping->ratio)) < 0) return status;
    if ((status = read_ratios(reading, part, modes, arena, damping)) < 0) return status;
    return read_rayleigh(reading, part, damping);
}

/* A link is a beam or has modal data, or is rigid; what is given replaces what was there. */
zvStatus zi_native_elastic(const ziReading *reading, const ziNamedMap *element, ziArena *arena, zvLink *link) {
    bool beam = zi_map_has(element, "beam"), modal = zi_map_has(element, "modal");
    if (beam && modal) {
        return zi_map_refuse(reading, element, "modal", "expected beam or modal, found both; keep one");
    }
    if (!beam && !modal) return ZV_OK;
    link->beam = NULL;
    link->modal = NULL;
    link->elastic_spot = zi_map_spot(element, beam ? "beam" : "modal");
    return beam ? zi_native_beam(reading, element, arena, &link->beam)
                : zi_native_modal(reading, element, arena, &link->modal);
}
