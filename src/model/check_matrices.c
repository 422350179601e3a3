/* Rules about stiffness and damping matrices of joints (a size, symmetric, not negative) and about flexible joints. */
#include <math.h>
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

static void report_flexible(ziChecker *c, ziAbout about, const char *what, const char *expected, double found) {
    char token[32];
    snprintf(token, sizeof token, "%.6g", found);
    zi_report(c, ZI_WEIGH_FATAL, ZV_PHYSICS, "flexible-number", about, token,
              "give the numbers of gear and rotor, or leave flexible out for a rigid joint",
              "expected %s for the %s of its flexible joint, found %.6g", expected, what, found);
}

/* Stiffness, inertia and ratio are divided by. */
static void check_flexible(ziChecker *c, const zvJoint *joint, ziAbout about) {
    const zvFlexibleJoint *f = joint->flexible;
    if (!f) return;
    if (zv_joint_type_nv(joint->type) != 1 || joint->mimic) {
        zi_report(c, ZI_WEIGH_FATAL, ZV_SCHEMA, "flexible-type", about, zv_joint_type_word(joint->type),
                  "remove flexible, or give it to a joint with one freedom that follows none",
                  "expected one freedom of its own behind a flexible joint, found a %s joint%s",
                  zv_joint_type_word(joint->type), joint->mimic ? " that follows another" : "");
        return;
    }
    const struct {
        const char *what;
        double value;
        bool positive;
    } numbers[] = {{"stiffness", f->stiffness, true},
                   {"rotor inertia", f->inertia, true},
                   {"damping", f->damping, false},
                   {"motor damping", f->motor_damping, false},
                   {"cubic stiffness", f->cubic, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const double x = numbers[i].value;
        if (!isfinite(x) || x < 0 || (numbers[i].positive && x == 0))
            report_flexible(c, about, numbers[i].what, numbers[i].positive ? "more than zero" : "zero or more", x);
    }
    if (!isfinite(f->ratio) || f->ratio == 0)
        report_flexible(c, about, "gear ratio", "motor turns per link turn, other than 0,", f->ratio);
}

void zi_check_matrices(ziChecker *c, const zvJoint *joint, ziAbout about) {
    check_matrix(c, joint, about, "stiffness", joint->stiffness_matrix);
    check_matrix(c, joint, about, "damping", joint->damping_matrix);
    check_flexible(c, joint, about);
}
