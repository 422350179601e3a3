/* Elastic links in the document of a page: how what they carry moves with them, and sections to draw them by. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"

enum { PIECES = 16, MOST_PIECES = 32 };     /* between the sections of a beam, per order of its shapes */
static const double slenderness = 1.0 / 60; /* of a link that does not tell its thickness: half of it to its length */

/* A section with room for its tables. */
typedef struct Bend {
    zvElasticSection section;
    size_t n;
    double *d, *r, *G;
} Bend;

static bool bend_alloc(const zvModel *model, int link, Bend *bend) {
    const size_t n = (size_t)zv_model_elastic_place(model, link).count;
    *bend = (Bend){.n = n, .d = calloc(n * (n + 6) + 1, sizeof(double))};
    if (!bend->d) return false;
    bend->r = bend->d + 3 * n;
    bend->G = bend->r + 3 * n;
    return true;
}

static void bend_put(const Bend *bend, Json *json) {
    const double *R = bend->section.R, axis[3] = {R[0], R[3], R[6]};
    json_map(json, JSON_LINE);
    json_key(json, "at"), json_numbers(json, bend->section.at, 3);
    json_key(json, "d"), json_numbers(json, bend->d, 3 * bend->n);
    json_key(json, "r");
    if (bend->section.turns)
        json_numbers(json, bend->r, 3 * bend->n);
    else
        json_text(json, NULL);
    json_key(json, "G");
    if (bend->section.shortens)
        json_numbers(json, bend->G, bend->n * bend->n);
    else
        json_text(json, NULL);
    json_key(json, "axis"), json_numbers(json, axis, 3);
    json_end(json);
}

void page_bend_json(const zvModel *model, int link, const double p[3], Json *json) {
    Bend bend;
    if (!bend_alloc(model, link, &bend)) {
        json->out->failed = true;
        return;
    }
    if (zv_model_elastic_section(model, link, p, &bend.section, bend.d, bend.r, bend.G))
        bend_put(&bend, json);
    else
        json_text(json, NULL);
    free(bend.d);
}

/* Half of a uniform solid box along the direction whose moment per length is given. */
static double half_width(double rhoI, double rhoA, double length) {
    return rhoA > 0 && rhoI > 0 ? sqrt(3 * rhoI / rhoA) : slenderness * length;
}

static void beam_sections(const zvModel *model, int link, const zvBeam *beam, Bend *bend, Json *json) {
    int order = 1;
    for (int i = 0; i < ZV_BEAM_MOTIONS; i++) order = beam->modes[i] > order ? beam->modes[i] : order;
    const int pieces = order * PIECES < MOST_PIECES ? order * PIECES : MOST_PIECES;
    const double *a = beam->axis, size = hypot(hypot(a[0], a[1]), a[2]);
    for (int i = 0; i <= pieces; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = beam->start[k] + beam->length * i / pieces * (a[k] / size);
        zv_model_elastic_section(model, link, p, &bend->section, bend->d, bend->r, bend->G);
        bend_put(bend, json);
    }
}

static void beam_json(const zvModel *model, int link, const zvBeam *beam, Bend *bend, Json *json) {
    const double radius[2] = {half_width(beam->rhoIz, beam->rhoA, beam->length),
                              half_width(beam->rhoIy, beam->rhoA, beam->length)};
    json_key(json, "sections"), json_list(json, JSON_BLOCK);
    beam_sections(model, link, beam, bend, json);
    json_end(json);
    json_key(json, "R"), json_numbers(json, bend->section.R, 9);
    json_key(json, "radius"), json_numbers(json, radius, 2);
}

/* Places of modal data: the link frame, which does not move, the nodes, the interfaces. */
typedef struct Place {
    const double *at, *shape; /* NULL: none */
} Place;

static int place_count(const zvModal *modal) { return 1 + modal->node_count + modal->interface_count; }

static Place place_of(const zvModal *modal, int i) {
    static const double origin[3] = {0};
    if (i == 0) return (Place){origin, NULL};
    if (i <= modal->node_count) return (Place){modal->nodes[i - 1].at, modal->nodes[i - 1].shape};
    const zvModalInterface *interface = &modal->interfaces[i - 1 - modal->node_count];
    return (Place){interface->at, interface->shape};
}

/* The box that holds the places. */
static void modal_box(const zvModal *modal, double lower[3], double upper[3]) {
    for (int k = 0; k < 3; k++) lower[k] = upper[k] = 0;
    for (int i = 1; i < place_count(modal); i++) {
        const double *at = place_of(modal, i).at;
        for (int k = 0; k < 3; k++) {
            lower[k] = fmin(lower[k], at[k]);
            upper[k] = fmax(upper[k], at[k]);
        }
    }
}

/* One section for all places of a piece along direction k: their mean. False when there are none. */
static bool mean_section(const zvModal *modal, int k, double lower, double upper, int piece, Bend *bend) {
    const double width = upper > lower ? (upper - lower) / MOST_PIECES : 1;
    int count = 0;
    bend->section = (zvElasticSection){.turns = true};
    memset(bend->d, 0, 6 * bend->n * sizeof *bend->d);
    for (int i = 0; i < place_count(modal); i++) {
        const Place place = place_of(modal, i);
        if ((int)floor((place.at[k] - lower) / width + 0.5) != piece) continue;
        count++;
        for (int j = 0; j < 3; j++) bend->section.at[j] += place.at[j];
        for (size_t j = 0; place.shape && j < 3 * bend->n; j++) {
            bend->d[j] += place.shape[6 * (j / 3) + j % 3];
            bend->r[j] += place.shape[6 * (j / 3) + 3 + j % 3];
        }
    }
    for (size_t j = 0; count && j < 6 * bend->n; j++) bend->d[j] /= count;
    for (int j = 0; count && j < 3; j++) bend->section.at[j] /= count;
    return count > 0;
}

static void modal_json(const zvModal *modal, Bend *bend, Json *json) {
    double lower[3], upper[3], R[9] = {0};
    int k = 0;
    modal_box(modal, lower, upper);
    for (int i = 1; i < 3; i++) k = upper[i] - lower[i] > upper[k] - lower[k] ? i : k;
    for (int i = 0; i < 3; i++) R[3 * ((k + i) % 3) + i] = 1;
    json_key(json, "sections"), json_list(json, JSON_BLOCK);
    for (int piece = 0; piece <= MOST_PIECES; piece++) {
        if (mean_section(modal, k, lower[k], upper[k], piece, bend)) bend_put(bend, json);
    }
    json_end(json);
    double radius[2];
    for (int i = 0; i < 2; i++) {
        const int across = (k + 1 + i) % 3;
        radius[i] = fmax((upper[across] - lower[across]) / 2, slenderness * (upper[k] - lower[k]));
    }
    json_key(json, "R"), json_numbers(json, R, 9);
    json_key(json, "radius"), json_numbers(json, radius, 2);
}

void page_elastic_json(const zvModel *model, int link, Json *json) {
    const zvElasticPlace place = zv_model_elastic_place(model, link);
    const zvLink *described = zv_model_link(model, link);
    Bend bend = {0};
    if (place.count == 0) {
        json_text(json, NULL);
        return;
    }
    if (!bend_alloc(model, link, &bend)) {
        json->out->failed = true;
        return;
    }
    json_map(json, JSON_LINE);
    json_key(json, "q"), json_integer(json, place.q_index);
    json_key(json, "count"), json_integer(json, place.count);
    if (described->beam)
        beam_json(model, link, described->beam, &bend, json);
    else
        modal_json(described->modal, &bend, json);
    json_end(json);
    free(bend.d);
}
