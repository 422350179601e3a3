/* Shape functions of the coordinates of one motion of a beam. */
#ifndef ZV_BEAM_SHAPES_H
#define ZV_BEAM_SHAPES_H

#include "zveno/beam.h"

/* A function at a place; derivatives by x. */
typedef struct zvModeShape {
    double value; /* displacement, or twist */
    double slope; /* its derivative */
    double turn;  /* bending: rotation of the section, the slope unless there is shear */
    double bend;  /* bending: derivative of that, the curvature */
} zvModeShape;

typedef struct zvShapeSet {
    zvShapes shapes;
    zvBeamMotion motion;
    int count;
    double length;
    double shear;               /* 12 EI / (kGA length^2); 0 without shear */
    double tip;                 /* what sits at the tip over what the beam has itself: mass, or moment of inertia */
    double root[ZV_MAX_MODES];  /* eigenfunctions: wave number times length */
    double scale[ZV_MAX_MODES]; /* what the functions are multiplied by */
} zvShapeSet;

void zv_shape_set(const zvBeam *beam, zvBeamMotion motion, zvShapeSet *set);
/* All functions of the set at s = x / length. */
void zv_shape_at(const zvShapeSet *set, double s, zvModeShape *shape);
/* How many functions there are that double precision can tell apart. */
int zv_shape_most(zvShapes shapes, zvBeamMotion motion);
/* Equal parts of the beam over each of which products of functions are as smooth as polynomials. */
int zv_shape_panels(const zvBeam *beam);

/* What the table in shapes.c is made of: function k at s, not scaled, derivatives by s. */
zvModeShape zv_shape_clamped(const zvShapeSet *set, int k, double s);
zvModeShape zv_shape_sine(const zvShapeSet *set, int k, double s);
zvModeShape zv_shape_cubic(const zvShapeSet *set, int k, double s);
/* Wave number times length of eigenfunction k; tip as in zvShapeSet. */
double zv_root_clamped(int k, double tip);
double zv_root_rod(int k, double tip);
double zv_root_pinned(int k, double tip);

#endif
