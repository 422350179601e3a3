/* Integrals over a beam by Gauss points along it. */
#include <math.h>
#include <stddef.h>

#include "beam/integrals.h"
#include "beam/shapes.h"

/* The functions of all coordinates of a beam. */
typedef struct ziBeamShapes {
    int count;
    ziShapeSet set[ZV_BEAM_MOTIONS];
} ziBeamShapes;

static void prepare(const zvBeam *beam, ziBeamShapes *all) {
    all->count = zi_beam_count(beam);
    for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++)
        zi_shape_set(beam, (zvBeamMotion)motion, &all->set[motion]);
}

static void evaluate(const ziBeamShapes *all, double s, ziModeShape *shape) {
    for (int motion = 0; motion < ZV_BEAM_MOTIONS; motion++) {
        zi_shape_at(&all->set[motion], s, shape);
        shape += all->set[motion].count;
    }
}

/* Displacement and rotation of a section in beam axes. */
static void section_motion(zvBeamMotion motion, const ziModeShape *f, double d[3], double r[3]) {
    for (int k = 0; k < 3; k++) d[k] = r[k] = 0;
    switch (motion) {
    case ZV_BEAM_BEND_Y: d[1] = f->value, r[2] = f->turn; break;
    case ZV_BEAM_BEND_Z: d[2] = f->value, r[1] = -f->turn; break;
    case ZV_BEAM_TWIST: r[0] = f->value; break;
    default: d[0] = f->value; break;
    }
}

void zi_beam_shape(const zvBeam *beam, double x, double *d, double *r) {
    ziBeamShapes all;
    ziModeShape shape[ZV_MAX_MODES];
    prepare(beam, &all);
    evaluate(&all, x / beam->length, shape);
    for (int i = 0; i < all.count; i++) section_motion(zi_beam_motion(beam, i), &shape[i], d + 3 * i, r + 3 * i);
}

/* Slopes and shear strains along y and z; shapes of twist and extension have none. */
static void slopes(const zvBeam *beam, int n, const ziModeShape *shape, double *slope) {
    for (int i = 0; i < n; i++) {
        const zvBeamMotion motion = zi_beam_motion(beam, i);
        double *own = slope + ZI_SLOPES * i;
        own[0] = motion == ZV_BEAM_BEND_Y ? shape[i].slope : 0;
        own[1] = motion == ZV_BEAM_BEND_Z ? shape[i].slope : 0;
        own[2] = motion == ZV_BEAM_BEND_Y ? shape[i].slope - shape[i].turn : 0;
        own[3] = motion == ZV_BEAM_BEND_Z ? shape[i].slope - shape[i].turn : 0;
    }
}

/* Gauss points over [0, x]: shape functions are smooth, few panels are exact to rounding. */
void zi_beam_shortening(const zvBeam *beam, double x, double *G) {
    const int panels = zi_shape_panels(beam);
    ziBeamShapes all;
    ziModeShape shape[ZV_MAX_MODES];
    double slope[ZI_SLOPES * ZV_MAX_MODES];
    ziGauss gauss;
    prepare(beam, &all);
    zi_gauss(&gauss);
    const int n = all.count;
    for (int i = 0; i < n * n; i++) G[i] = 0;
    for (int point = 0; point < panels * GAUSS_POINTS; point++) {
        const int panel = point / GAUSS_POINTS, k = point % GAUSS_POINTS;
        const double weight = gauss.weight[k] * x / panels;
        evaluate(&all, (panel + gauss.at[k]) / panels * (x / beam->length), shape);
        slopes(beam, n, shape, slope);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                G[i * n + j] += weight * shortening2(slope + ZI_SLOPES * i, slope + ZI_SLOPES * j);
        }
    }
}

/* Strain energy of one motion, K of the coordinates first ... first + set->count - 1. */
static void add_stiffness(const zvBeam *beam, const ziShapeSet *set, int first, double weight, const ziModeShape *shape,
                          ziModeIntegrals *out) {
    const zvBeamMotion motion = set->motion;
    const bool bends = motion == ZV_BEAM_BEND_Y || motion == ZV_BEAM_BEND_Z;
    const double EI = motion == ZV_BEAM_BEND_Y ? beam->EIz : beam->EIy,
                 kGA = motion == ZV_BEAM_BEND_Y ? beam->kGAy : beam->kGAz;
    const double straight = motion == ZV_BEAM_TWIST ? beam->GJ : beam->EA;
    for (int i = 0; i < set->count; i++) {
        const ziModeShape *f = shape + first + i;
        for (int j = 0; j <= i; j++) {
            const ziModeShape *g = shape + first + j;
            const double shear = kGA * (f->slope - f->turn) * (g->slope - g->turn);
            const double density = bends ? EI * f->bend * g->bend + shear : straight * f->slope * g->slope;
            out->K[(first + i) * out->n + first + j] += weight * density;
        }
    }
}

/* Polynomials along the beam that are orthogonal and of unit mass, and their integrals over the mass beyond s. The
 * first two are enough for all terms of second order: places along the axis are linear in s. */
static void shortening_shapes(const zvBeam *beam, double s, double *spread, double *beyond) {
    const double mass = beam->rhoA * beam->length;
    const double value[ZI_SHORTENINGS] = {1, 2 * s - 1}, rest[ZI_SHORTENINGS] = {1 - s, s * (1 - s)};
    for (int a = 0; a < ZI_SHORTENINGS; a++) {
        spread[a] = sqrt((2 * a + 1) / mass) * value[a];
        beyond[a] = sqrt((2 * a + 1) * mass) * rest[a];
    }
}

typedef struct ziBeamFrame {
    const double *R, *p;
    double section[6]; /* moments of inertia of a section per length, target axes */
} ziBeamFrame;

/* What the piece of beam of the length weight at x adds. */
static void add_piece(const zvBeam *beam, const ziBeamShapes *all, const ziBeamFrame *frame, double x, double weight,
                      ziModeIntegrals *out) {
    ziModeShape shape[ZV_MAX_MODES];
    double d[3 * (ZV_MAX_MODES + ZI_SHORTENINGS)], r[3 * ZV_MAX_MODES], slope[ZI_SLOPES * ZV_MAX_MODES], at[3],
        moment[6];
    double spread[ZI_SHORTENINGS], beyond[ZI_SHORTENINGS];
    evaluate(all, x / beam->length, shape);
    for (int i = 0; i < all->count; i++) {
        const zvBeamMotion motion = zi_beam_motion(beam, i);
        double shift[3], turn[3];
        section_motion(motion, &shape[i], shift, turn);
        turn3(frame->R, shift, d + 3 * i);
        turn3(frame->R, turn, r + 3 * i);
        if (motion != ZV_BEAM_TWIST && !beam->rotary) r[3 * i] = r[3 * i + 1] = r[3 * i + 2] = 0;
    }
    shortening_shapes(beam, x / beam->length, spread, beyond);
    for (int a = 0; a < out->extra; a++) {
        for (int k = 0; k < 3; k++) d[3 * (all->count + a) + k] = -spread[a] * out->axis[k];
    }
    for (int k = 0; k < 3; k++) at[k] = frame->p[k] + x * out->axis[k];
    for (int k = 0; k < 6; k++) moment[k] = weight * frame->section[k];
    zi_modes_add_point(out, weight * beam->rhoA, at, d);
    zi_modes_add_moment(out, moment, r);
    for (int motion = 0, first = 0; motion < ZV_BEAM_MOTIONS; first += all->set[motion++].count)
        add_stiffness(beam, &all->set[motion], first, weight, shape, out);
    if (out->extra == 0) return;
    slopes(beam, all->count, shape, slope);
    for (int a = 0; a < out->extra; a++) beyond[a] *= weight;
    zi_modes_add_slopes(out, beyond, slope);
}

/* Sums pieces at the Gauss points of all panels, then mirrors symmetric matrices and adds damping. */
bool zi_beam_integrals(const zvBeam *beam, const double R[9], const double p[3], ziModeIntegrals *out) {
    const int panels = zi_shape_panels(beam);
    const double along[3] = {R[0], R[3], R[6]};
    const double section[6] = {beam->rhoIy + beam->rhoIz, 0, 0, beam->rhoIy, 0, beam->rhoIz};
    ziBeamFrame frame = {R, p, {0}};
    ziBeamShapes all;
    ziGauss gauss;
    prepare(beam, &all);
    zi_gauss(&gauss);
    zi_sym_turn(R, section, frame.section);
    out->n = all.count;
    out->extra = out->G && zi_beam_shortens(beam) ? ZI_SHORTENINGS : 0;
    zi_modes_clear(out, along);
    for (int point = 0; point < panels * GAUSS_POINTS; point++) {
        const int panel = point / GAUSS_POINTS, k = point % GAUSS_POINTS;
        add_piece(beam, &all, &frame, (panel + gauss.at[k]) / panels * beam->length,
                  gauss.weight[k] / panels * beam->length, out);
    }
    zi_modes_mirror(out);
    return zi_modes_damp(out, &beam->damping);
}
