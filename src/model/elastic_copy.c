/* Deep copies of beams and modal data. Arrays that cannot be as long as they should be are left out: the rules find
 * that they are missing. */
#include <string.h>

#include "model/elastic.h"

enum { GAP = 32 }; /* of one array, alignment included */

static bool copy_doubles(ziArena *arena, const double **numbers, size_t count) {
    if (!*numbers || count == 0) {
        *numbers = NULL;
        return true;
    }
    double *copy = zi_arena_alloc(arena, count * sizeof *copy);
    if (copy) memcpy(copy, *numbers, count * sizeof *copy);
    *numbers = copy;
    return copy != NULL;
}

static bool copy_text(ziArena *arena, const char **text) {
    if (!*text) return true;
    *text = zi_arena_text(arena, *text);
    return *text != NULL;
}

static bool copy_damping(ziArena *arena, zvElasticDamping *damping) {
    return copy_doubles(arena, &damping->ratios, damping->count > 0 ? (size_t)damping->count : 0);
}

static bool copy_beam(ziArena *arena, zvLink *link) {
    zvBeam *beam = zi_arena_alloc(arena, sizeof *beam);
    if (!beam) return false;
    *beam = *link->beam;
    link->beam = beam;
    return copy_damping(arena, &beam->damping);
}

/* How many coordinates the arrays are believed to have. */
static size_t believed(const zvModal *modal) {
    return modal->count > 0 && modal->count <= ZV_MAX_MODES ? (size_t)modal->count : 0;
}

static bool copy_nodes(ziArena *arena, zvModal *modal) {
    if (modal->node_count <= 0 || !modal->nodes) {
        modal->node_count = 0;
        modal->nodes = NULL;
        return true;
    }
    size_t size = (size_t)modal->node_count * sizeof *modal->nodes;
    zvModalNode *nodes = zi_arena_alloc(arena, size);
    if (!nodes) return false;
    memcpy(nodes, modal->nodes, size);
    modal->nodes = nodes;
    for (int i = 0; i < modal->node_count; i++) {
        if (!copy_doubles(arena, &nodes[i].shape, 6 * believed(modal))) return false;
    }
    return true;
}

static bool copy_interfaces(ziArena *arena, zvModal *modal) {
    if (modal->interface_count <= 0 || !modal->interfaces) {
        modal->interface_count = 0;
        modal->interfaces = NULL;
        return true;
    }
    size_t size = (size_t)modal->interface_count * sizeof *modal->interfaces;
    zvModalInterface *interfaces = zi_arena_alloc(arena, size);
    if (!interfaces) return false;
    memcpy(interfaces, modal->interfaces, size);
    modal->interfaces = interfaces;
    for (int i = 0; i < modal->interface_count; i++) {
        if (!copy_text(arena, &interfaces[i].name) || !copy_doubles(arena, &interfaces[i].shape, 6 * believed(modal)))
            return false;
    }
    return true;
}

static bool copy_names(ziArena *arena, zvModal *modal) {
    size_t n = believed(modal);
    if (!modal->names || n == 0) {
        modal->names = NULL;
        return true;
    }
    const char **names = zi_arena_alloc(arena, n * sizeof *names);
    if (!names) return false;
    for (size_t i = 0; i < n; i++) {
        names[i] = modal->names[i];
        if (!copy_text(arena, &names[i])) return false;
    }
    modal->names = names;
    return true;
}

static bool copy_modal(ziArena *arena, zvLink *link) {
    zvModal *modal = zi_arena_alloc(arena, sizeof *modal);
    if (!modal) return false;
    *modal = *link->modal;
    link->modal = modal;
    size_t n = believed(modal);
    return copy_names(arena, modal) && copy_doubles(arena, &modal->mass, n * n) &&
           copy_doubles(arena, &modal->stiffness, n * n) && copy_doubles(arena, &modal->damping_matrix, n * n) &&
           copy_damping(arena, &modal->damping) && copy_nodes(arena, modal) &&
           copy_doubles(arena, &modal->translation, 3 * n) && copy_doubles(arena, &modal->rotation, 3 * n) &&
           copy_interfaces(arena, modal);
}

bool zi_elastic_copy(ziArena *arena, zvLink *link) {
    if (link->beam && !copy_beam(arena, link)) return false;
    return !link->modal || copy_modal(arena, link);
}

static size_t damping_bytes(const zvElasticDamping *damping) {
    return GAP + (damping->count > 0 ? (size_t)damping->count * sizeof(double) : 0);
}

static size_t text_bytes(const char *text) { return text ? strlen(text) + GAP : 0; }

static size_t modal_bytes(const zvModal *modal) {
    size_t n = believed(modal), bytes = sizeof *modal + damping_bytes(&modal->damping) + 10 * GAP;
    bytes += n * (sizeof(char *) + 6 * sizeof(double)) + 3 * n * n * sizeof(double);
    for (size_t i = 0; modal->names && i < n; i++) bytes += text_bytes(modal->names[i]);
    for (int i = 0; i < modal->node_count; i++) bytes += sizeof(zvModalNode) + 6 * n * sizeof(double) + GAP;
    for (int i = 0; i < modal->interface_count; i++) {
        bytes += sizeof(zvModalInterface) + 6 * n * sizeof(double) + GAP + text_bytes(modal->interfaces[i].name);
    }
    return bytes;
}

size_t zi_elastic_copy_bytes(const zvLink *link) {
    size_t bytes = link->beam ? sizeof(zvBeam) + damping_bytes(&link->beam->damping) + GAP : 0;
    return bytes + (link->modal ? modal_bytes(link->modal) : 0);
}
