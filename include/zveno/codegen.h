/* Application. Operations counted, and straight-line programs for one robot.
 *
 * Both run the kernels on numbers that write down what is done with them. Counting looks at the rows of the tables of
 * methods as their code is written, and at what is left of them when this robot's constants are folded and common
 * subexpressions are taken once. Generating writes C for one robot: no loops over joints, no tables, no memory of its
 * own, re-entrant. Rigid links only; splines under a curve joint, which choose a piece at run time, have no
 * straight-line program. */
#ifndef ZVENO_CODEGEN_H
#define ZVENO_CODEGEN_H

#include <stdbool.h>
#include <stddef.h>

#include "zveno/dynamics.h"
#include "zveno/model.h"
#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* sine and cosine count one each; roots count as divisions. */
typedef struct zvOperations {
    long long mul, add, div, trig;
} zvOperations;

/* -- counting --------------------------------------------------------------------------------------------------- */

/* Whether this build counts (ZVENO_CODEGEN). */
bool zv_can_count(void);

/* Operations by the formula that the publication of a method prints, for n revolute joints in a chain, counted from
 * what is known in base axes; false: none was printed. */
bool zv_printed_operations(zvQuestion question, const zvMethod *method, int n, zvOperations *operations);

typedef struct zvCount {
    zvOperations kinematics; /* as written: rotations, offsets, columns, inertias in base axes */
    zvOperations method;     /* as written: what follows */
    zvOperations folded;     /* all of it for this robot: constants folded, common subexpressions once, dead code out */
} zvCount;

/* Operations of a row of a table, of auto those of the row it chooses. What pivots are compared with is not counted.
 * fold: whether folded is wanted; without it any size of robot can be counted. ZV_NOT_SUPPORTED, with a text, for
 * models outside of the method's domain and for kernels that branch on numbers. */
zvStatus zv_count(const zvModel *model, zvQuestion question, const zvMethod *method, bool fold, zvCount *count,
                  zvError *error);

/* The sums of [Yaskevich] for the mass matrix in the order of the rows of his table 1: masses and offsets r_ij, first
 * moments (rows 3 and 4, m_j r_ij and their sums), inertias M1, M2, M3, their sum, and the entries of the matrix. */
typedef enum zvSum {
    ZV_SUM_MASSES,
    ZV_SUM_OFFSETS,
    ZV_SUM_MOMENTS,
    ZV_SUM_M1,
    ZV_SUM_M2,
    ZV_SUM_M3,
    ZV_SUM_TOTAL,
    ZV_SUM_ENTRIES,
    ZV_SUMS
} zvSum;

typedef struct zvSumCount {
    const char *name;       /* "M2_ij" */
    const char *row;        /* of table 1: "7" */
    zvOperations printed;   /* by the formula of the row */
    zvOperations corrected; /* in the publication's own way of counting: dense products, 3 additions an inner product */
    zvOperations counted;   /* what the kernel does for it */
} zvSumCount;

/* Table 1 from base axes on: the formulas for a chain of nv revolute joints, and the operations of yaskevich on this
 * model, which its joints may be compared with if it is such a chain. */
zvStatus zv_count_sums(const zvModel *model, zvSumCount sums[ZV_SUMS], zvError *error);

/* -- generating ------------------------------------------------------------------------------------------------- */

/* Functions that can be generated. q is (nq), v, a, tau are (nv), matrices row-major:
 *   inverse   tau from q, v, a            bias     C v + g from q, v          gravity  g from q
 *   forward   a from q, v, tau            mass     M from q                   minv     M^-1 from q
 *   pose      of the frame, (12) in the order of zvPose: R row-major, then p, from q
 *   jacobian  of the frame, 6 x nv, world axes, from q
 *   inverse_derivatives  dq, dv, da = M of tau, from q, v, a          as in zveno/derive.h
 *   forward_derivatives  a; dq, dv, dtau = M^-1 of it, from q, v, tau */
typedef enum zvGenerated {
    ZV_GENERATED_INVERSE,
    ZV_GENERATED_FORWARD,
    ZV_GENERATED_MASS,
    ZV_GENERATED_MINV,
    ZV_GENERATED_BIAS,
    ZV_GENERATED_GRAVITY,
    ZV_GENERATED_POSE,
    ZV_GENERATED_JACOBIAN,
    ZV_GENERATED_INVERSE_DERIVATIVES,
    ZV_GENERATED_FORWARD_DERIVATIVES,
    ZV_GENERATED_FUNCTIONS
} zvGenerated;

const char *zv_generated_name(zvGenerated function); /* as listed above: "inverse" */

/* Operations of a function as it would be generated; frame as in zvCodegenOptions. */
zvStatus zv_count_generated(const zvModel *model, zvGenerated function, int frame, zvOperations *operations,
                            zvError *error);

typedef enum zvLanguage { ZV_LANGUAGE_C, ZV_LANGUAGE_LATEX, ZV_LANGUAGE_MAXIMA, ZV_LANGUAGE_SYMPY } zvLanguage;

/* Operations in one function beyond which no straight-line C is written, and terms of one equation beyond which no
 * analytic form is. */
enum { ZV_CODEGEN_MAX_OPERATIONS = 60000, ZV_CODEGEN_MAX_TERMS = 5000 };

typedef struct zvCodegenOptions {
    const char *name;       /* of files and prefix of functions, a C identifier; NULL: made of the model's name. Not a
                               word of C, nor zv or zv_... */
    const char *model_file; /* what the test harness reads; NULL: no harness */
    unsigned functions;     /* bits 1 << zvGenerated; C only */
    int frame;              /* of pose and jacobian: index as in kinematics.h */
    bool single;            /* float instead of double */
    int lanes;              /* 4 or 8: beside every function one over arrays of states, up to so many at once;
                               0: none */
    zvLanguage language;
    /* Passive forces p of springs, damping and friction (passive.h). In C inverse, forward and bias have those of the
     * tree's joints, tau = M a + C v + g - p, b = C v + g - p, with this smoothing of friction, above 0; functions with
     * derivatives have none: ZV_NOT_SUPPORTED. In equations they stand beside tau, and friction keeps its sign:
     * smoothing is 0. false: tau is the whole force. */
    bool passive;
    double smoothing;
    /* Equations, in the other languages. */
    const char *symbols; /* parameters that stay letters: "all", or names with letters of one's own where wanted,
                            "m,l,J1zz=I1"; NULL: numbers. ZV_NAME: unknown, or they clash */
    bool origin_moments; /* letters of moments of inertia are about the origins of the links, not the centres of mass */
    bool external;       /* a wrench at `frame`, world axes, stands beside tau */
    const unsigned char *flexible; /* (nv): 1 for degrees of freedom that motors drive through springs, [Kolyubin] 3.4:
                                      their armature is the rotor's; NULL: none. In C: the gears of the model among
                                      these, functions gear, gear_rest, motor, motor_torque, with forward
                                      motor_forward, and with inverse, unless a coordinate is a quaternion's,
                                      motor_inverse by inverse_rates (the header that is written says what they do) */
    const unsigned char *independent; /* (nv): 1 for the coordinates by which equations of loops are reduced; NULL: the
                                         nearest to the ground */
} zvCodegenOptions;

typedef struct zvGeneratedFunction {
    zvOperations operations;
    long long statements;
    bool library_better; /* so long that it gains less than half over the library, by measurement: call that */
} zvGeneratedFunction;

typedef struct zvCodegenSummary {
    zvGeneratedFunction function[ZV_GENERATED_FUNCTIONS]; /* zero for those not asked for */
    char files[4][256];                                   /* names in the directory */
    size_t file_count;
    long long bytes;
} zvCodegenSummary;

/* Writes NAME.h, NAME.c, NAME_test.c (or NAME.tex, NAME.mac, NAME.py) into a directory that is made when it does not
 * exist; a file is complete or not there. ZV_SIZE with the size it would have for robots beyond the limits;
 * ZV_SINGULAR, with the name of a joint, for forward and minv of robots whose mass matrix is not positive definite in
 * any position. */
zvStatus zv_codegen(const zvModel *model, const zvCodegenOptions *options, const char *directory,
                    zvCodegenSummary *summary, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
