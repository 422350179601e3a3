/* Elastic links of native files: a beam or modal data, and the damping both have. */
#include "read/native_elastic.h"

#include <stdio.h>

void *zi_native_room(const ziReading *reading, const ziElement *element, ziArena *arena, int count, size_t size) {
    void *room = zi_arena_alloc(arena, (size_t)count * size);
    char what[ZI_WHAT];
    if (!room) {
        zv_fail(reading->error, ZV_MEMORY, element->node->mark, "", "no memory for %s",
                zi_element_what(element, NULL, what));
    }
    return room;
}

static zvStatus read_ratios(const ziReading *reading, const ziElement *part, int modes, ziArena *arena,
                            zvElasticDamping *damping) {
    const zvNode *list = NULL;
    zvStatus status = zi_element_list(reading, part, "ratios", &list);
    if (status < 0 || !list) return status;
    if (list->count > modes) {
        char reason[160];
        snprintf(reason, sizeof reason, "has %d numbers, but the link has %d mode%s; remove the last ones", list->count,
                 modes, modes == 1 ? "" : "s");
        return zi_element_refuse(reading, part, "ratios", reason);
    }
    if (list->count == 0) return ZV_OK;
    double *ratios = zi_native_room(reading, part, arena, list->count, sizeof *ratios);
    if (!ratios) return ZV_MEMORY;
    damping->count = list->count;
    damping->ratios = ratios;
    return zi_element_numbers(reading, part, "ratios", list->count, ratios);
}

static zvStatus read_rayleigh(const ziReading *reading, const ziElement *part, zvElasticDamping *damping) {
    static const char *const keys[] = {"mass", "stiffness"};
    char kind[ZI_WHAT];
    snprintf(kind, sizeof kind, "rayleigh of %s", part->kind);
    ziElement rayleigh;
    zvStatus status = zi_element_part(reading, part, "rayleigh", kind, keys, 2, &rayleigh);
    if (status < 0 || !rayleigh.node) return status;
    if ((status = zi_element_number(reading, &rayleigh, "mass", &damping->mass_factor)) < 0) return status;
    return zi_element_number(reading, &rayleigh, "stiffness", &damping->stiffness_factor);
}

zvStatus zi_native_damping(const ziReading *reading, const ziElement *element, bool is_modal, int modes, ziArena *arena,
                           ziElement *part, zvElasticDamping *damping) {
    static const char *const keys[] = {"ratio", "ratios", "rayleigh", "matrix"};
    const char *kind = is_modal ? "damping of modal of link" : "damping of beam of link";
    zvStatus status = zi_element_part(reading, element, "damping", kind, keys, is_modal ? 4 : 3, part);
    if (status < 0 || !part->node) return status;
    if ((status = zi_element_number(reading, part, "ratio", &damping->ratio)) < 0) return status;
    if ((status = read_ratios(reading, part, modes, arena, damping)) < 0) return status;
    return read_rayleigh(reading, part, damping);
}

zvStatus zi_native_elastic(const ziReading *reading, const ziElement *element, ziArena *arena, zvLink *link) {
    bool beam = zi_element_has(element, "beam"), modal = zi_element_has(element, "modal");
    if (beam && modal) {
        return zi_element_refuse(reading, element, "modal", "and beam are both given; a link has one of them");
    }
    if (!beam && !modal) return ZV_OK;
    link->beam = NULL;
    link->modal = NULL;
    link->elastic_spot = zi_element_spot(element, beam ? "beam" : "modal");
    return beam ? zi_native_beam(reading, element, arena, &link->beam)
                : zi_native_modal(reading, element, arena, &link->modal);
}
