/* Material and section of a beam. They become stiffness and mass per length here and are gone afterwards, so what is
 * wrong with them has to be said here. */
#include <stdio.h>

#include "read/native_elastic.h"

typedef struct Material {
    double E, G, density;
} Material;

static zvStatus read_positive(const ziReading *reading, const ziElement *element, const char *key, double *value) {
    zvStatus status = zi_element_number(reading, element, key, value);
    if (status < 0 || !zi_element_has(element, key) || *value > 0) return status;
    return zi_element_refuse(reading, element, key, "must be positive; check the number and its sign");
}

/* G = E / (2 (1 + nu)) of an isotropic material. */
static zvStatus read_poisson(const ziReading *reading, const ziElement *element, Material *material) {
    if (!zi_element_has(element, "poisson")) return ZV_OK;
    if (zi_element_has(element, "G")) {
        return zi_element_refuse(reading, element, "poisson", "and G are both given; keep one of them");
    }
    double nu = 0;
    zvStatus status = zi_element_number(reading, element, "poisson", &nu);
    if (status < 0) return status;
    if (!(nu > -1 && nu <= 0.5)) {
        return zi_element_refuse(reading, element, "poisson",
                                 "must lie between -1 and 0.5; metals have about 0.3: check the number");
    }
    material->G = material->E / (2 * (1 + nu));
    return ZV_OK;
}

static zvStatus read_material(const ziReading *reading, const ziElement *beam, bool needs_G, Material *material) {
    static const char *const keys[] = {"E", "G", "poisson", "density"};
    ziElement element;
    zvStatus status = zi_element_part(reading, beam, "material", "material of beam of link", keys, 4, &element);
    if (status < 0) return status;
    if ((status = zi_element_need(reading, &element, "E", "E, Young's modulus in Pa")) < 0) return status;
    if ((status = zi_element_need(reading, &element, "density", "density, in kg/m^3")) < 0) return status;
    if (needs_G && !zi_element_has(&element, "poisson")) {
        status = zi_element_need(reading, &element, "G", "G in Pa, or poisson: twist and shear need it");
        if (status < 0) return status;
    }
    if ((status = read_positive(reading, &element, "E", &material->E)) < 0) return status;
    if ((status = read_positive(reading, &element, "G", &material->G)) < 0) return status;
    if ((status = read_positive(reading, &element, "density", &material->density)) < 0) return status;
    return read_poisson(reading, &element, material);
}

typedef struct Kind {
    const char *key;
    int count;
    zvSectionKind kind;
} Kind;

static const Kind kinds[] = {
    {"circle", 1, ZV_SECTION_CIRCLE},
    {"tube", 2, ZV_SECTION_TUBE},
    {"box", 2, ZV_SECTION_BOX},
    {"frame", 3, ZV_SECTION_FRAME},
};

/* Why a section cannot be, or NULL. */
static const char *impossible(zvSectionKind kind, const double size[3]) {
    bool tube = kind == ZV_SECTION_TUBE, frame = kind == ZV_SECTION_FRAME;
    if (!(size[0] > 0)) return "must have sizes above zero, in m; check the numbers";
    if (tube && !(size[1] >= 0 && size[1] < size[0])) {
        return "must have an inner radius below the outer one; write [outer, inner], in m";
    }
    if ((kind == ZV_SECTION_BOX || frame) && !(size[1] > 0))
        return "must have sizes above zero, in m; check the numbers";
    if (frame && !(size[2] > 0 && 2 * size[2] < size[0] && 2 * size[2] < size[1])) {
        return "must have a wall thinner than half the width and height; write [width, height, wall], or box when it "
               "is solid";
    }
    return NULL;
}

static zvStatus read_section(const ziReading *reading, const ziElement *beam, zvSectionKind *kind, double size[3]) {
    static const char *const keys[] = {"circle", "tube", "box", "frame"};
    ziElement section;
    zvStatus status = zi_element_part(reading, beam, "section", "section of beam of link", keys, 4, &section);
    if (status < 0) return status;
    if (section.node->count != 1) {
        return zi_element_refuse(reading, beam, "section", "must have exactly one of circle, tube, box and frame");
    }
    const Kind *row = kinds;
    while (!zi_element_has(&section, row->key)) row++;
    *kind = row->kind;
    status = row->count == 1 ? zi_element_number(reading, &section, row->key, size)
                             : zi_element_numbers(reading, &section, row->key, row->count, size);
    if (status < 0) return status;
    const char *why = impossible(row->kind, size);
    return why ? zi_element_refuse(reading, &section, row->key, why) : ZV_OK;
}

zvStatus zi_native_section(const ziReading *reading, const ziElement *beam, zvBeam *out) {
    bool shear = false;
    zvStatus status = zi_element_bool(reading, beam, "shear", &shear);
    if (status < 0) return status;
    Material material = {0};
    if ((status = read_material(reading, beam, shear || out->modes[ZV_BEAM_TWIST] > 0, &material)) < 0) return status;
    zvSectionKind kind = ZV_SECTION_CIRCLE;
    double size[3] = {0};
    if ((status = read_section(reading, beam, &kind, size)) < 0) return status;
    zv_section_fill(out, material.E, material.G, material.density, kind, size, shear);
    return ZV_OK;
}
