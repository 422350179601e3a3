/* Elastic links of native files: a beam or modal data, and the damping both have. */
#include "read/native_elastic.h"

#include <stdio.h>

void *zv_native_room(const zvReading *reading, const zvElement *element, zvArena *arena, int count, size_t size) {
    void *room = zv_arena_alloc(arena, (size_t)count * size);
    char what[ZV_WHAT];
    if (!room) {
        zv_fail(reading->error, ZV_MEMORY, element->node->mark, "", "no memory for %s",
                zv_element_what(element, NULL, what));
    }
    return room;
}

static zvStatus read_ratios(const zvReading *reading, const zvElement *part, int modes, zvArena *arena,
                            zvElasticDamping *damping) {
    const zvNode *list = NULL;
    zvStatus status = zv_element_list(reading, part, "ratios", &list);
    if (status < 0 || !list) return status;
    if (list->count > modes) {
        char reason[160];
        snprintf(reason, sizeof reason, "has %d numbers, but the link has %d mode%s; remove the last ones", list->count,
                 modes, modes == 1 ? "" : "s");
        return zv_element_refuse(reading, part, "ratios", reason);
    }
    if (list->count == 0) return ZV_OK;
    double *ratios = zv_native_room(reading, part, arena, list->count, sizeof *ratios);
    if (!ratios) return ZV_MEMORY;
    damping->count = list->count;
    damping->ratios = ratios;
    return zv_element_numbers(reading, part, "ratios", list->count, ratios);
}

static zvStatus read_rayleigh(const zvReading *reading, const zvElement *part, zvElasticDamping *damping) {
    static const char *const keys[] = {"mass", "stiffness"};
    char kind[ZV_WHAT];
    snprintf(kind, sizeof kind, "rayleigh of %s", part->kind);
    zvElement rayleigh;
    zvStatus status = zv_element_part(reading, part, "rayleigh", kind, keys, 2, &rayleigh);
    if (status < 0 || !rayleigh.node) return status;
    if ((status = zv_element_number(reading, &rayleigh, "mass", &damping->mass_factor)) < 0) return status;
    return zv_element_number(reading, &rayleigh, "stiffness", &damping->stiffness_factor);
}

zvStatus zv_native_damping(const zvReading *reading, const zvElement *element, bool is_modal, int modes, zvArena *arena,
                           zvElement *part, zvElasticDamping *damping) {
    static const char *const keys[] = {"ratio", "ratios", "rayleigh", "matrix"};
    const char *kind = is_modal ? "damping of modal of link" : "damping of beam of link";
    zvStatus status = zv_element_part(reading, element, "damping", kind, keys, is_modal ? 4 : 3, part);
    if (status < 0 || !part->node) return status;
    if ((status = zv_element_number(reading, part, "ratio", &damping->ratio)) < 0) return status;
    if ((status = read_ratios(reading, part, modes, arena, damping)) < 0) return status;
    return read_rayleigh(reading, part, damping);
}

zvStatus zv_native_elastic(const zvReading *reading, const zvElement *element, zvArena *arena, zvLink *link) {
    bool beam = zv_element_has(element, "beam"), modal = zv_element_has(element, "modal");
    if (beam && modal) {
        return zv_element_refuse(reading, element, "modal", "and beam are both given; a link has one of them");
    }
    if (!beam && !modal) return ZV_OK;
    link->beam = NULL;
    link->modal = NULL;
    link->elastic_spot = zv_element_spot(element, beam ? "beam" : "modal");
    return beam ? zv_native_beam(reading, element, arena, &link->beam)
                : zv_native_modal(reading, element, arena, &link->modal);
}
