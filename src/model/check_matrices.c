/* Rules about stiffness and damping matrices of joints: a size, symmetric, not negative. */
#include <stdio.h>

#include "model/check.h"
#include "model/joint_spring.h"

/* Numbers that are not finite another rule tells of. */
static void report_matrix(ziChecker *c, ziAbout about, const char *what, ziMatrixFault fault) {
    const int row = fault.row + 1, column = fault.column + 1;
    char token[32], repair[160];
    snprintf(token, sizeof token, "%.6g", fault.found);
    if (fault.what == ZI_MATRIX_NOT_EVEN) {
        snprintf(repair, sizeof repair, "give both the same number, %.6g if their mean is meant",
                 0.5 * (fault.found + fault.expected));
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "matrix-not-symmetric", about, token, repair,
                  "expected a symmetric %s matrix, found %.6g in row %d, column %d and %.6g in row %d, column %d", what,
                  fault.found, row, column, fault.expected, column, row);
    } else if (fault.what == ZI_MATRIX_NEGATIVE && row == column) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "matrix-negative", about, token,
                  "make it larger, or the entries beside the diagonal smaller: some motion would gain energy from it",
                  "expected a %s matrix that is not negative, with at least %.10g in row %d, column %d for the rows "
                  "before it, found %.10g",
                  what, fault.expected, row, column, fault.found);
    } else if (fault.what == ZI_MATRIX_NEGATIVE) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "matrix-negative", about, token,
                  "make the diagonal entry of that column larger: some motion would gain energy from it",
                  "expected a %s matrix that is not negative, with %.6g in row %d, column %d, whose diagonal holds no "
                  "more, found %.6g",
                  what, fault.expected, row, column, fault.found);
    }
}

/* Numbers do for joints of one freedom. */
static void check_matrix(ziChecker *c, const zvJoint *joint, ziAbout about, const char *what, const double *A) {
    const int nv = zv_joint_type_nv(joint->type);
    if (!A) return;
    if (nv < 2) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SIZE, "matrix-size", about, zv_joint_type_word(joint->type),
                  nv == 1 ? "give a number" : "remove it, or let the joint move",
                  "expected a %s matrix of a joint with several freedoms, found one of a %s joint", what,
                  zv_joint_type_word(joint->type));
        return;
    }
    report_matrix(c, about, what, zi_matrix_fault(nv, A));
}

void zi_check_matrices(ziChecker *c, const zvJoint *joint, ziAbout about) {
    check_matrix(c, joint, about, "stiffness", joint->stiffness_matrix);
    check_matrix(c, joint, about, "damping", joint->damping_matrix);
    zi_check_flexible(c, joint, about);
}
