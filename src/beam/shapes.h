/* Shape functions of the coordinates of one motion of a beam. */
#ifndef ZI_BEAM_SHAPES_H
#define ZI_BEAM_SHAPES_H

#include "zveno/beam.h"

/* A function at a place; derivatives by x. */
typedef struct ziModeShape {
    double value; /* displacement, or twist */
    double slope; /* its derivative */
    double turn;  /* bending: rotation of the section, the slope unless there is shear */
    double bend;  /* bending: derivative of that, the curvature */
} ziModeShape;

typedef struct ziShapeSet {
    zvShapes shapes;
    zvBeamMotion motion;
    int count;
    double length;
    double shear;               /* 12 EI / (kGA length^2); 0 without shear */
    double tip;                 /* what sits at the tip over what the beam has itself: mass, or moment of inertia */
    double root[ZV_MAX_MODES];  /* eigenfunctions: wave number times length */
    double scale[ZV_MAX_MODES]; /* what the functions are multiplied by */
} ziShapeSet;

void zi_shape_set(const zvBeam *beam, zvBeamMotion motion, ziShapeSet *set);
/* All functions of the set at s = x / length. */
void zi_shape_at(const ziShapeSet *set, double s, ziModeShape *shape);
/* How many functions there are that double precision can tell apart. */
int zi_shape_most(zvShapes shapes, zvBeamMotion motion);
/* Equal parts of the beam over each of which products of functions are as smooth as polynomials. */
int zi_shape_panels(const zvBeam *beam);

/* What the table in shapes.c is made of: function k at s, not scaled, derivatives by s. */
ziModeShape zi_shape_clamped(const ziShapeSet *set, int k, double s);
ziModeShape zi_shape_sine(const ziShapeSet *set, int k, double s);
ziModeShape zi_shape_cubic(const ziShapeSet *set, int k, double s);
/* Wave number times length of eigenfunction k; tip as in ziShapeSet. */
double zi_root_clamped(int k, double tip);
double zi_root_rod(int k, double tip);
double zi_root_pinned(int k, double tip);

#endif
