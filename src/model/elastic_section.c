/* How sections of elastic links move: for the attachments of a model, and for pictures. */
#include <math.h>
#include <string.h>

#include "base/require.h"
#include "beam/modes.h"
#include "model/elastic.h"
#include "model/tree.h"

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

bool zv_model_elastic_section(const zvModel *m, int index, const double p[3], zvElasticSection *section, double *d,
                              double *r, double *G) {
    ZI_REQUIRE(m);
    const zvLink *link = &m->links[index];
    const size_t n = (size_t)zi_link_modes(link);
    const zvPose own = zv_pose_identity(), axes = zi_link_shape_axes(link, &own);
    double room[6 * ZV_MAX_MODES];
    ziSection found;
    *section = (zvElasticSection){0};
    if (n == 0) return false;
    find_section(link, p, &found);
    memcpy(section->at, found.at, sizeof section->at);
    memcpy(section->R, axes.R, sizeof section->R);
    section->turns = zi_section_shape(link, &found, &own, d ? d : room, r ? r : room + 3 * n);
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
