/* Elastic links within a description. */
#include "model/elastic.h"

#include <math.h>
#include <string.h>

#include "beam/integrals.h"

static const double reach = 1e-9;       /* of its size: how far off a beam or an interface a joint may be */
static const double same_place = 1e-12; /* of the length of a beam: what rounding makes of equal numbers */

int zi_link_modes(const zvLink *link) {
    if (link->beam) return zi_beam_count(link->beam);
    return link->modal && link->modal->count > 0 ? link->modal->count : 0;
}

static bool beam_section(const zvBeam *beam, const double p[3], ziSection *section) {
    double length = beam->length, x = zi_beam_along(beam, p), R[9];
    if (!(x >= -reach * length && x <= length * (1 + reach))) return false;
    *section = (ziSection){.x = fmin(fmax(x, 0), length), .interface = -1};
    zi_beam_pose(beam, R, section->at);
    for (int k = 0; k < 3; k++) section->at[k] += section->x * R[3 * k];
    return true;
}

static double distance(const double a[3], const double b[3]) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static bool modal_section(const zvModal *modal, const double p[3], ziSection *section) {
    static const double origin[3] = {0};
    double nearest = INFINITY;
    for (int i = 0; i < modal->interface_count; i++) {
        const double *at = modal->interfaces[i].at;
        double off = distance(at, p);
        if (!(off < nearest && off <= reach * (1 + distance(at, origin)))) continue;
        nearest = off;
        *section = (ziSection){{at[0], at[1], at[2]}, 0, i, modal->interfaces[i].shape};
    }
    return nearest < INFINITY;
}

bool zi_link_section(const zvLink *link, const double p[3], ziSection *section) {
    return link->beam ? beam_section(link->beam, p, section) : modal_section(link->modal, p, section);
}

bool zi_same_section(const zvLink *link, const ziSection *a, const ziSection *b) {
    return link->beam ? fabs(a->x - b->x) <= same_place * link->beam->length : a->interface == b->interface;
}

zvPose zi_link_shape_axes(const zvLink *link, const zvPose *place) {
    if (!link->beam) return *place;
    zvPose own;
    zi_beam_pose(link->beam, own.R, own.p);
    return zv_pose_compose(place, &own);
}

double zi_link_mass(const zvLink *link) {
    double mass = link->inertia.mass;
    if (link->beam) mass += link->beam->rhoA * link->beam->length;
    for (int i = 0; link->modal && i < link->modal->node_count; i++) mass += link->modal->nodes[i].mass;
    return mass;
}

/* The inertia of two bodies as one. */
static void join(zvInertia *sum, const zvInertia *part) {
    double mass = sum->mass + part->mass, d[3], share = mass != 0 ? part->mass / mass : 0;
    for (int i = 0; i < 3; i++) d[i] = part->com[i] - sum->com[i];
    const double x = d[0], y = d[1], z = d[2], reduced = sum->mass * share;
    const double steiner[6] = {y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y};
    for (int i = 0; i < 6; i++) sum->moment[i] += part->moment[i] + reduced * steiner[i];
    for (int i = 0; i < 3; i++) sum->com[i] += share * d[i];
    sum->mass = mass;
}

static zvInertia beam_inertia(const zvBeam *beam) {
    double length = beam->length, mass = beam->rhoA * length, rod = mass * length * length / 12;
    const double own[6] = {length * (beam->rhoIy + beam->rhoIz), 0, 0,
                           rod + length * beam->rhoIy,           0, rod + length * beam->rhoIz};
    zvInertia inertia = {.mass = mass};
    double R[9];
    zi_beam_pose(beam, R, inertia.com);
    for (int k = 0; k < 3; k++) inertia.com[k] += length / 2 * R[3 * k];
    zi_sym_turn(R, own, inertia.moment);
    return inertia;
}

zvInertia zi_link_inertia(const zvLink *link) {
    zvInertia sum = link->inertia;
    if (link->beam) {
        zvInertia beam = beam_inertia(link->beam);
        join(&sum, &beam);
    }
    for (int i = 0; link->modal && i < link->modal->node_count; i++) {
        const zvModalNode *node = &link->modal->nodes[i];
        zvInertia part = {.mass = node->mass};
        memcpy(part.com, node->at, sizeof part.com);
        memcpy(part.moment, node->moment, sizeof part.moment);
        join(&sum, &part);
    }
    return sum;
}
