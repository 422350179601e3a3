/* Beams on a stand: uniform, slender, of steel as far as numbers go. */
#ifndef ZV_TESTS_MODES_BEAM_STAND_H
#define ZV_TESTS_MODES_BEAM_STAND_H

#include "modes/stand.h"

/* Numbers chosen so that no two motions have the same frequency by chance. Sections have inertia only when it twists.
 */
static inline zvBeam slender_beam(double length, zvShapes shapes, int y, int z, int twist, int axial) {
    zvBeam beam = zv_beam_default();
    beam.length = length;
    beam.EIy = 130;
    beam.EIz = 90;
    beam.GJ = 70;
    beam.EA = 3e6;
    beam.rhoA = 0.8;
    beam.rhoIy = twist ? 3e-5 : 0;
    beam.rhoIz = twist ? 2e-5 : 0;
    beam.shapes = shapes;
    beam.modes[ZV_BEAM_BEND_Y] = y;
    beam.modes[ZV_BEAM_BEND_Z] = z;
    beam.modes[ZV_BEAM_TWIST] = twist;
    beam.modes[ZV_BEAM_EXTEND] = axial;
    return beam;
}

/* Adds a beam on a joint at x along its parent. */
static inline void add_beam(zvBuilder *b, const char *name, const char *parent, zvJointType type, double at,
                            const zvBeam *beam) {
    zvLink link = zv_link_default(name);
    zvJoint joint = zv_joint_default(name, type, parent, name);
    link.beam = beam;
    joint.origin.p[0] = at;
    stand_add(b, &link, joint);
}

/* Adds a frame at x along a link. */
static inline void add_tip(zvBuilder *b, const char *name, const char *link, double at) {
    zvFrame frame = zv_frame_default(name, link);
    frame.pose.p[0] = at;
    assert_int_equal(zv_builder_add_frame(b, &frame, NULL), ZV_OK);
}

/* One clamped beam called "beam" without weight. */
static inline Stand clamped_beam(const zvBeam *beam) {
    zvBuilder *b = stand_builder(0, 0, 0);
    add_beam(b, "beam", "base", ZV_JOINT_FIXED, 0, beam);
    add_tip(b, "tip", "beam", beam->length);
    return stand_open(b);
}

/* (beta L)^2 / L^2 sqrt(EI / rho A) */
static inline double bending_rate(double betaL, double L, double EI, double rhoA) {
    return betaL * betaL / (L * L) * sqrt(EI / rhoA);
}

#endif
