/* Core. A robot that a formula describes, of any size: the planar chain of equal rods, example of the lecture on
 * Vereshchagin's method. `zveno generate rods N` writes it as a file. */
#ifndef ZVENO_CHAIN_H
#define ZVENO_CHAIN_H

#include "zveno/builder.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The longest chain that is made. */
enum { ZV_MOST_RODS = 100000 };

/* Adds a base and `count` uniform rods on ideal hinges, together `length` long (m) and `mass` heavy (kg): links base,
 * rod1, rod2, ... with their shapes, joints joint1, joint2, ... about -y, so that a positive angle turns x towards z.
 * q1 is the angle of rod 1 from +x, every other q that to the rod before. A rod is a round bar, its radius a twentieth
 * of its length: m l^2/12 about the middle across, m r^2/2 along, which planar motion never feels. ZV_NUMBER for a
 * count outside of 1 to ZV_MOST_RODS, a length or a mass that is not positive and finite; else fails only when memory
 * runs out, with a part of the chain added. */
zvStatus zv_builder_add_rods(zvBuilder *builder, int count, double length, double mass, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
