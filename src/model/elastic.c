/* Elastic links within a description: their inertia, the sections that carry joints and frames, deep copies. */
#include "model/elastic.h"

#include <math.h>
#include <string.h>

#include "base/require.h"
#include "beam/integrals.h"
#include "beam/modes.h"
#include "model/tree.h"

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

/* The nearest interface within reach of the point. */
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

/* Of the rigid part, the beam and the nodes, as one body. */
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

/* How sections of elastic links move: for the attachments of a model, and for pictures. */

static const double no_rotation = 1e-15; /* of 1 / length: what rounding leaves of a slope that is zero */

static bool negligible(const double *x, size_t count, double least) {
    for (size_t i = 0; i < count; i++) {
        if (fabs(x[i]) > least) return false;
    }
    return true;
}

static void modal_shape(const double *shape, size_t n, double *d, double *r) {
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 3; k++) {
            d[3 * i + k] = shape ? shape[6 * i + k] : 0;
            r[3 * i + k] = shape ? shape[6 * i + 3 + k] : 0;
        }
    }
}

static void turn(const double R[9], double x[3]) {
    const double y[3] = {x[0], x[1], x[2]};
    for (int i = 0; i < 3; i++) x[i] = R[3 * i] * y[0] + R[3 * i + 1] * y[1] + R[3 * i + 2] * y[2];
}

/* Shapes in their own axes, turned into those of the target frame. */
bool zi_section_shape(const zvLink *link, const ziSection *section, const zvPose *place, double *d, double *r) {
    const zvPose axes = zi_link_shape_axes(link, place);
    const size_t n = (size_t)zi_link_modes(link);
    if (link->beam)
        zi_beam_shape(link->beam, section->x, d, r);
    else
        modal_shape(section->shape, n, d, r);
    const bool turns = !negligible(r, 3 * n, link->beam ? no_rotation / link->beam->length : 0);
    for (size_t i = 0; i < n; i++) {
        turn(axes.R, d + 3 * i);
        turn(axes.R, r + 3 * i);
    }
    return turns;
}

/* Takes the place when it is nearer to p than what has been found so far. */
static void nearer(const double at[3], const double *shape, const double p[3], double *nearest, ziSection *section) {
    const double off = hypot(hypot(at[0] - p[0], at[1] - p[1]), at[2] - p[2]);
    if (!(off < *nearest)) return;
    *nearest = off;
    *section = (ziSection){{at[0], at[1], at[2]}, 0, -1, shape};
}

/* Modal data without a place anywhere leave the point where it is. */
static void nearest_place(const zvModal *modal, const double p[3], ziSection *section) {
    double nearest = INFINITY;
    *section = (ziSection){{p[0], p[1], p[2]}, 0, -1, NULL};
    for (int i = 0; i < modal->interface_count; i++)
        nearer(modal->interfaces[i].at, modal->interfaces[i].shape, p, &nearest, section);
    for (int i = 0; i < modal->node_count; i++) nearer(modal->nodes[i].at, modal->nodes[i].shape, p, &nearest, section);
}

/* The end of the beam that is nearer to a point beyond it. */
static void nearest_end(const zvBeam *beam, const double p[3], ziSection *section) {
    const double x = zi_beam_along(beam, p) > 0 ? beam->length : 0;
    double R[9];
    *section = (ziSection){.x = x, .interface = -1};
    zi_beam_pose(beam, R, section->at);
    for (int k = 0; k < 3; k++) section->at[k] += x * R[3 * k];
}

static void find_section(const zvLink *link, const double p[3], ziSection *section) {
    if (zi_link_section(link, p, section)) return;
    if (link->beam)
        nearest_end(link->beam, p, section);
    else
        nearest_place(link->modal, p, section);
}

/* For pictures: any point takes the nearest section. */
bool zv_model_elastic_section(const zvModel *m, int index, const double p[3], zvElasticSection *section, double *d,
                              double *r, double *G) {
    ZI_REQUIRE(m && p && section);
    ZI_REQUIRE_INDEX(index, m->nlink);
    const zvLink *link = &m->links[index];
    const size_t n = (size_t)zi_link_modes(link);
    const zvPose own = zv_pose_identity(), axes = zi_link_shape_axes(link, &own);
    double buffer[6 * ZV_MAX_MODES];
    ziSection found;
    *section = (zvElasticSection){0};
    if (n == 0) return false;
    find_section(link, p, &found);
    memcpy(section->pose.p, found.at, sizeof section->pose.p);
    memcpy(section->pose.R, axes.R, sizeof section->pose.R);
    section->turns = zi_section_shape(link, &found, &own, d ? d : buffer, r ? r : buffer + 3 * n);
    section->shortens = link->beam && zi_beam_shortens(link->beam);
    if (r && !section->turns) memset(r, 0, 3 * n * sizeof *r);
    if (G && section->shortens)
        zi_beam_shortening(link->beam, found.x, G);
    else if (G)
        memset(G, 0, n * n * sizeof *G);
    return true;
}

zvInertia zv_model_link_inertia(const zvModel *m, int link) {
    ZI_REQUIRE(m);
    ZI_REQUIRE_INDEX(link, zv_model_nlink(m));
    return zi_link_inertia(&m->links[link]);
}

/* Deep copies of beams and modal data. Arrays that cannot be as long as they should be are left out: the rules find
 * that they are missing. */

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

/* Nodes and their shapes. */
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

/* Interfaces, their names and shapes. */
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

/* Names of modes, where there are any. */
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

/* All arrays of modal data, as long as the number of modes says. */
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
