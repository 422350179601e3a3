/* Turns as quaternions in between: exact near no turn and near half a turn alike. */
#include "motion/turn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/arguments.h"

static const double orthonormal = 1e-6;
static const double half_turn = 1e-9; /* cosine of half the angle below which both senses count as equally short */
static const double zero = 1e-9;      /* component of an axis */

static double gram(const double R[9], int i, int j) { return R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j]; }

static double determinant(const double R[9]) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

bool zi_place_check(const char *what, const zvPlace *place, zvError *error) {
    char name[64];
    snprintf(name, sizeof name, "the position of %s", what);
    if (!zi_argument_array(name, 1, 3, place->p, error)) return false;
    snprintf(name, sizeof name, "the rotation of %s", what);
    if (!zi_argument_array(name, 3, 3, place->R, error)) return false;
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) worst = fmax(worst, fabs(gram(place->R, i, j) - (i == j)));
    if (worst > orthonormal) {
        zv_fail(error, ZV_NUMBER, (zvMark){0}, "",
                "%s is not orthonormal (off by %.2g, allowed is %g); give a rotation matrix with more digits", name,
                worst, orthonormal);
        return false;
    }
    if (determinant(place->R) > 0) return true;
    zv_fail(error, ZV_NUMBER, (zvMark){0}, "", "%s is a reflection (determinant -1); give right-handed axes", name);
    return false;
}

/* R (3 - R^T R) / 2 twice: Newton's step for the polar decomposition squares the error. */
void zi_place_clean(zvPlace *place) {
    for (int step = 0; step < 2; step++) {
        double S[9], R[9];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) S[3 * i + j] = 0.5 * ((i == j ? 3 : 0) - gram(place->R, i, j));
        zi_turn_product(place->R, S, R);
        memcpy(place->R, R, sizeof R);
    }
}

void zi_turn_product(const double A[9], const double B[9], double AB[9]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) AB[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* Unit quaternion x y z w of a rotation, by its component of greatest square: no root of a small number. */
static void quaternion_of(const double R[9], double q[4]) {
    const double squares[4] = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8],
                               1 + R[0] + R[4] + R[8]}; /* four times */
    const double x = R[7] - R[5], y = R[2] - R[6], z = R[3] - R[1];
    const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    const double rows[4][4] = {
        {squares[0], xy, xz, x}, {xy, squares[1], yz, y}, {xz, yz, squares[2], z}, {x, y, z, squares[3]}};
    int best = 3;
    for (int i = 0; i < 3; i++)
        if (squares[i] > squares[best]) best = i;
    double length = 0;
    for (int i = 0; i < 4; i++) length += rows[best][i] * rows[best][i];
    for (int i = 0; i < 4; i++) q[i] = rows[best][i] / sqrt(length);
}

/* Whether the first component of a vector that is not zero is negative. */
static bool points_back(const double v[3]) {
    for (int i = 0; i < 3; i++)
        if (fabs(v[i]) > zero) return v[i] < 0;
    return false;
}

void zi_turn_between(const double R0[9], const double R1[9], double axis[3], double *angle) {
    double T[9], R[9], q[4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) T[3 * i + j] = R0[3 * j + i];
    zi_turn_product(R1, T, R);
    quaternion_of(R, q);
    const bool back = fabs(q[3]) < half_turn ? points_back(q) : q[3] < 0;
    for (int i = 0; i < 4; i++) q[i] = back ? -q[i] : q[i];
    const double sine = hypot(hypot(q[0], q[1]), q[2]);
    *angle = 2 * atan2(sine, q[3]);
    for (int i = 0; i < 3; i++) axis[i] = sine > 0 ? q[i] / sine : i == 0;
}

/* Rodrigues: c 1 + s u~ + (1 - c) u u^T. */
void zi_turn_matrix(const double u[3], double angle, double R[9]) {
    const double s = sin(angle), c = cos(angle), half = sin(0.5 * angle), k = 2 * half * half;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) R[3 * i + j] = k * u[i] * u[j] + (i == j ? c : 0);
    R[1] -= s * u[2];
    R[2] += s * u[1];
    R[3] += s * u[2];
    R[5] -= s * u[0];
    R[6] -= s * u[1];
    R[7] += s * u[0];
}
