/* Beams, as stiffness and mass per length, and modal data. */
#include "read/write.h"

#include <string.h>

/* Ratios beyond the last mode mean nothing and are not written. */
static bool has_damping(const zvElasticDamping *damping, int modes) {
    const double values[3] = {damping->ratio, damping->mass_factor, damping->stiffness_factor};
    return !zi_is_zero(values, 3) || (damping->count > 0 && modes > 0);
}

/* Ratios and Rayleigh factors that are not zero. */
static void put_damping(ziEmitter *emitter, const zvElasticDamping *damping, int modes) {
    const double rayleigh[2] = {damping->mass_factor, damping->stiffness_factor};
    zi_put_nonzero(emitter, "ratio", damping->ratio);
    int count = damping->count < modes ? damping->count : modes;
    if (count > 0) zi_put_numbers(emitter, "ratios", damping->ratios, count);
    if (zi_is_zero(rayleigh, 2)) return;
    zi_emit_key(emitter, "rayleigh");
    zi_emit_open(emitter);
    zi_put_nonzero(emitter, "mass", rayleigh[0]);
    zi_put_nonzero(emitter, "stiffness", rayleigh[1]);
    zi_emit_close(emitter);
}

/* Beams ------------------------------------------------------------------------------------------- */

/* 0 where a beam that was not checked yet has an impossible number. */
static int possible_mode_count(const zvBeam *beam) {
    long long count = 0;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) count += beam->modes[i];
    return count < 0 || count > ZV_MAX_MODES ? 0 : (int)count;
}

static void put_modes(ziEmitter *emitter, const int modes[ZV_BEAM_MOTIONS]) {
    static const char *const keys[ZV_BEAM_MOTIONS] = {"y", "z", "twist", "axial"};
    zi_emit_key(emitter, "modes");
    zi_emit_open(emitter);
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) {
        if (modes[i] != 0) zi_put_number(emitter, keys[i], modes[i]);
    }
    zi_emit_close(emitter);
}

/* A beam is written as stiffness and mass per length, which it was turned into when it was read. */
static void put_beam(ziEmitter *emitter, const zvBeam *beam) {
    static const char *const stiffenings[] = {"auto", "on", "off"};
    const int modes = possible_mode_count(beam);
    const zvBeam plain = zv_beam_default();
    zi_emit_map_begin(emitter, "beam");
    zi_put_number(emitter, "length", beam->length);
    if (memcmp(beam->start, plain.start, sizeof plain.start) != 0) zi_put_numbers(emitter, "start", beam->start, 3);
    if (memcmp(beam->axis, plain.axis, sizeof plain.axis) != 0) zi_put_numbers(emitter, "axis", beam->axis, 3);
    zi_put_number(emitter, "EIy", beam->EIy);
    zi_put_number(emitter, "EIz", beam->EIz);
    zi_put_number(emitter, "GJ", beam->GJ);
    zi_put_number(emitter, "EA", beam->EA);
    zi_put_number(emitter, "rhoA", beam->rhoA);
    zi_put_nonzero(emitter, "rhoIy", beam->rhoIy);
    zi_put_nonzero(emitter, "rhoIz", beam->rhoIz);
    zi_put_nonzero(emitter, "kGAy", beam->kGAy);
    zi_put_nonzero(emitter, "kGAz", beam->kGAz);
    zi_put_word(emitter, "shapes", zv_shapes_word(beam->shapes));
    put_modes(emitter, beam->modes);
    if (beam->shapes == ZV_SHAPES_CLAMPED_TIP_MASS) {
        zi_put_number(emitter, "tip_mass", beam->tip_mass);
        zi_put_nonzero(emitter, "tip_inertia", beam->tip_inertia);
    }
    if (beam->rotary) zi_put_word(emitter, "rotary", "true");
    if (beam->stiffening != ZV_STIFFENING_AUTO) zi_put_text(emitter, "stiffening", stiffenings[beam->stiffening]);
    if (has_damping(&beam->damping, modes)) {
        zi_emit_key(emitter, "damping");
        zi_emit_open(emitter);
        put_damping(emitter, &beam->damping, modes);
        zi_emit_close(emitter);
    }
    zi_emit_map_end(emitter);
}

/* Modal data -------------------------------------------------------------------------------------- */

/* A diagonal matrix as the list of its diagonal. */
static void put_square(ziEmitter *emitter, const char *key, const double *A, int n) {
    if (!A) return;
    double diagonal[ZV_MAX_MODES];
    bool plain = n <= ZV_MAX_MODES;
    for (int i = 0; i < n && plain; i++) {
        diagonal[i] = A[i * n + i];
        plain = zi_is_zero(A + i * n, i) && zi_is_zero(A + i * n + i + 1, n - 1 - i);
    }
    if (plain) {
        zi_put_numbers(emitter, key, diagonal, n);
    } else {
        zi_put_rows(emitter, key, A, n, n, n);
    }
}

/* Rotations are left out where all of them are zero. */
static void put_mode_shape(ziEmitter *emitter, const double *shape, int n) {
    if (!shape) return;
    bool turns = false;
    for (int i = 0; i < n; i++) turns = turns || !zi_is_zero(shape + 6 * i + 3, 3);
    zi_put_rows(emitter, "shape", shape, n, turns ? 6 : 3, 6);
}

/* Points with mass and modes. */
static void put_nodes(ziEmitter *emitter, const zvModal *modal) {
    zi_emit_list_begin(emitter, "nodes");
    for (int i = 0; i < modal->node_count; i++) {
        const zvModalNode *node = &modal->nodes[i];
        zi_emit_item(emitter);
        zi_emit_open(emitter);
        zi_put_numbers(emitter, "at", node->at, 3);
        zi_put_number(emitter, "mass", node->mass);
        zi_put_moments(emitter, node->moment);
        put_mode_shape(emitter, node->shape, modal->count);
        zi_emit_close(emitter);
    }
    zi_emit_list_end(emitter);
}

/* Places of attachment. */
static void put_interfaces(ziEmitter *emitter, const zvModal *modal) {
    zi_emit_list_begin(emitter, "interfaces");
    for (int i = 0; i < modal->interface_count; i++) {
        const zvModalInterface *place = &modal->interfaces[i];
        zi_emit_item(emitter);
        zi_emit_open(emitter);
        zi_put_text(emitter, "name", place->name);
        zi_put_numbers(emitter, "at", place->at, 3);
        put_mode_shape(emitter, place->shape, modal->count);
        zi_emit_close(emitter);
    }
    zi_emit_list_end(emitter);
}

static void put_names(ziEmitter *emitter, const zvModal *modal) {
    zi_emit_list_begin(emitter, "names");
    for (int i = 0; i < modal->count; i++) {
        zi_emit_item(emitter);
        zi_emit_text(emitter, modal->names[i]);
    }
    zi_emit_list_end(emitter);
}

static void put_modal_damping(ziEmitter *emitter, const zvModal *modal) {
    if (!has_damping(&modal->damping, modal->count)) {
        put_square(emitter, "damping", modal->damping_matrix, modal->count);
        return;
    }
    zi_emit_key(emitter, "damping");
    zi_emit_open(emitter);
    put_damping(emitter, &modal->damping, modal->count);
    put_square(emitter, "matrix", modal->damping_matrix, modal->count);
    zi_emit_close(emitter);
}

/* Modal data as they would be given in place. */
static void put_modal(ziEmitter *emitter, const zvModal *modal) {
    const int n = modal->count;
    zi_emit_map_begin(emitter, "modal");
    if (!modal->stiffness) zi_put_word(emitter, "stiffness", "[]"); /* not a robot yet: reading will say so */
    put_square(emitter, "stiffness", modal->stiffness, n);
    if (modal->names) put_names(emitter, modal);
    put_square(emitter, "mass", modal->mass, n);
    put_modal_damping(emitter, modal);
    if (modal->node_count > 0) {
        put_nodes(emitter, modal);
    } else {
        if (modal->translation) zi_put_rows(emitter, "translation", modal->translation, n, 3, 3);
        if (modal->rotation) zi_put_rows(emitter, "rotation", modal->rotation, n, 3, 3);
    }
    if (modal->interface_count > 0) put_interfaces(emitter, modal);
    zi_emit_map_end(emitter);
}

void zi_write_elastic(ziEmitter *emitter, const zvLink *link) {
    if (link->beam) put_beam(emitter, link->beam);
    if (link->modal) put_modal(emitter, link->modal);
}
