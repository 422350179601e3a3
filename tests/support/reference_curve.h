/* Paths of curve joints, worked out anew from the words in model.h; part of the reference. */
#ifndef ZV_TEST_REFERENCE_CURVE_H
#define ZV_TEST_REFERENCE_CURVE_H

#include "support/linear.h"
#include "zveno/model.h"

typedef struct refCurve {
    const zvCurve *curve;
    int segments;
    exact *knots;   /* (segments + 1): accumulated chord length, the parameter of the cubics */
    exact *points;  /* (segments + 1) x 3 */
    exact *bending; /* (segments + 1) x 3: second derivatives at the knots */
    int panels;
    exact *breaks;  /* (panels + 1): parameters between which ten Gauss points give the length to rounding */
    exact *lengths; /* (panels + 1): arc length there */
    exact steepest; /* bound of the tangent's terms */
    exact sharpest; /* bound of the second derivative's terms, 1/m, for error bounds */
} refCurve;

void ref_curve_open(refCurve *path, const zvCurve *curve);
void ref_curve_close(refCurve *path);
/* Place and its first and second derivatives by arc length q. */
void ref_curve_at(const refCurve *path, exact q, exact c[3], exact dc[3], exact ddc[3]);

#endif
