/* A sum as it is read: terms with one sine or cosine together, whole-number ratios in front of brackets:
 *   -0.4 sin(q2) (2 v1 v2 + v2^2) */
#ifndef ZI_CODEGEN_ANALYTIC_PRINT_H
#define ZI_CODEGEN_ANALYTIC_PRINT_H

#include "codegen/analytic.h"
#include "codegen/code.h"
#include "zveno/model.h"

/* How a language writes; @ stands for a number. */
typedef struct ziStyle {
    const char *times;     /* between factors */
    const char *turn[2];   /* cosine and sine with an opening bracket */
    const char *broken;    /* ends a line between terms and begins the next */
    int line;              /* width of a line, as `width` has it */
    int digits;            /* of a number, unless fewer give the same but for rounding */
    const char *ten;       /* times ten to the power @ */
    const char *symbol[3]; /* q, v, a of coordinate @ */
    const char *power;
    const char *sign; /* of the rate of coordinate @ */
    bool index;       /* letters have their digits as an index */
    bool power_first; /* cos^2(q) instead of cos(q)^2 */
    int (*width)(const char *text, size_t size);
} ziStyle;

typedef struct ziPen {
    ziCode *code;
    const ziStyle *style;
    bool follows;      /* a term stands before: the next one is joined to it by its sign */
    size_t line, term; /* where this line begins, and its last term but for the first: 0 when it has but one */
} ziPen;

/* kind 0, 1, 2: q, v, a; i counts from 0. */
void zi_write_symbol(ziPen *pen, int kind, int i, int power);
/* A line begins here; its terms are broken so that it fits, up to zi_end_line. */
void zi_begin_line(ziPen *pen);
void zi_end_line(ziPen *pen);
/* Joins what is written next to what stands before it on the line. */
void zi_write_sign(ziPen *pen, bool negative);
/* The terms of a sum, joined to what stands before; nothing when there are none. */
void zi_write_sum(ziPen *pen, const ziEquations *equations, const ziFourier *sum);
/* The same times a symbol. */
void zi_write_sum_times(ziPen *pen, const ziEquations *equations, const ziFourier *sum, int kind, int i);
/* The same times something with a name. */
void zi_write_share(ziPen *pen, const ziEquations *equations, const ziFourier *sum, const char *name);
/* -(sum) sign(v_i), joined. */
void zi_write_dry(ziPen *pen, const ziEquations *equations, const ziFourier *sum, int i);
/* A sum that stands alone: "0" when it has no terms. */
void zi_write_alone(ziPen *pen, const ziEquations *equations, const ziFourier *sum);
/* A number in the style's digits. */
void zi_write_value(ziPen *pen, double value);

/* Letters of a motor behind a spring, on the link side of the gear: Mm inertia, Kf, Kc stiffness and its cubic part, Df
 * damping of the gear, Dm of the motor. A letter that is not has_ stands nowhere; values are those of the file. */
enum { ZI_GEAR_MM, ZI_GEAR_KF, ZI_GEAR_DF, ZI_GEAR_KC, ZI_GEAR_DM, ZI_GEAR_LETTERS };
typedef struct ziGearLetters {
    bool has[ZI_GEAR_LETTERS], known[ZI_GEAR_LETTERS]; /* known: the file has a value */
    double value[ZI_GEAR_LETTERS];
} ziGearLetters;
extern const char *const zi_gear_letter[ZI_GEAR_LETTERS];
ziGearLetters zi_gear_letters(const zvModel *model, int coordinate);

/* What the head of an output says of a coordinate. */
typedef struct ziCoordinateEntry {
    int number; /* q1 is 1 */
    const char *joint, *type;
    const char *part; /* which coordinate of its joint; empty where there is one only */
    const char *unit, *effort_unit;
} ziCoordinateEntry;

/* Prints an entry for each coordinate, in the order of q. */
void zi_print_coordinates(ziCode *code, const zvModel *model,
                          void (*print)(ziCode *code, const ziCoordinateEntry *entry));

/* A page for reading: coefficients have six digits. */
void zi_print_latex(ziCode *code, const zvModel *model, const zvCodegenOptions *options, const ziEquations *equations);
/* A file that Maxima loads, or a module of Python for SymPy. Symbols q1, v1, a1, ...; assigns M, c, g and tau. */
void zi_print_program(ziCode *code, const zvModel *model, const zvCodegenOptions *options,
                      const ziEquations *equations);

#endif
