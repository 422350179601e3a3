/* Equations of motion as a file that Maxima loads, or as a module of Python for SymPy. */
#include <stdio.h>
#include <string.h>

#include "codegen/analytic_print.h"
#include "zveno/version.h"

static int plain_width(const char *text, size_t size) {
    int width = 0;
    for (size_t i = 0; i < size; i++) width = text[i] == '\n' ? 0 : width + 1;
    return width;
}

/* What Maxima and SymPy have in common: all but powers and signs. */
#define PROGRAM_STYLE(power_, sign_)                                                                          \
    {                                                                                                         \
        .times = "*", .turn = {"cos(", "sin("}, .broken = "\n      ", .line = 100, .digits = 15, .ten = "e@", \
        .symbol = {"q@", "v@", "a@"}, .power = power_, .sign = sign_, .width = plain_width                    \
    }
static const ziStyle maxima_style = PROGRAM_STYLE("^@", "signum(v@)");
static const ziStyle sympy_style = PROGRAM_STYLE("**@", "sign(v@)");

/* What the two languages write differently around the sums. */
typedef struct Dialect {
    const ziStyle *style;
    const char *assign, *open, *close, *end; /* NAME assign open rows close */
    const char *remark, *remark_end;
    const char *dot;           /* product of matrices */
    const char *transposed[2]; /* around a name */
    const char *derivative[2]; /* around a name, before the variable and behind it */
} Dialect;

static const Dialect maxima = {&maxima_style, ": ",  "matrix(",           ")",           ";", "/* ",
                               " */",         " . ", {"transpose(", ")"}, {"diff(", ")"}};
static const Dialect sympy = {&sympy_style, " = ", "Matrix([", "])", "", "# ", "", " * ", {"", ".T"}, {"diff(", ")"}};

typedef struct ProgramText {
    ziPen pen;
    const Dialect *d;
    const ziEquations *e;
} ProgramText;

static void write_remark(ProgramText *p, const char *remark) {
    zi_code(p->pen.code, "%s%s%s\n", p->d->remark, remark, p->d->remark_end);
}

static void assign(ProgramText *p, const char *name) { zi_code(p->pen.code, "%s%s", name, p->d->assign); }

static void finish(ProgramText *p) { zi_code(p->pen.code, "%s\n", p->d->end); }

/* rows x columns of a matrix that is stored by rows, of the mass matrix above its diagonal alone. */
static void write_matrix(ProgramText *p, const char *name, const ziFourier *x, int rows, int columns, bool symmetric) {
    ziCode *code = p->pen.code;
    assign(p, name);
    zi_code(code, "%s\n", p->d->open);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            const bool mirror = symmetric && j < i;
            zi_code_puts(code, j ? ",\n    " : "   [");
            zi_write_alone(&p->pen, p->e, &x[mirror ? j * columns + i : i * columns + j]);
        }
        zi_code(code, i + 1 < rows ? "],\n" : "]%s%s\n\n", p->d->close, p->d->end);
    }
}

/* A column of names: a1, a2, ... */
static void write_symbols(ProgramText *p, const char *name, int count) {
    zi_code_puts(p->pen.code, p->d->open);
    for (int i = 0; i < count; i++) zi_code(p->pen.code, "%s[%s%d]", i ? ", " : "", name, i + 1);
    zi_code_puts(p->pen.code, p->d->close);
}

static const char *const wrench = "[Fx], [Fy], [Fz], [Nx], [Ny], [Nz]";

/* -- head ------------------------------------------------------------------------------------------------------- */

static void coordinate(ziCode *code, const ziCoordinateEntry *entry) {
    zi_code(code, "     q%d  ", entry->number);
    zi_code_remark(code, entry->joint);
    zi_code(code, "%s%s, %s; tau %s\n", entry->part[0] ? " " : "", entry->part, entry->unit, entry->effort_unit);
}

/* What each letter that is used stands for. */
static void describe_letters(ProgramText *p) {
    const ziLetters *letters = p->e->letters;
    if (!letters || !letters->chosen) return;
    zi_code_puts(p->pen.code, "\n");
    for (int i = 0; i < letters->count; i++) {
        if (!letters->letter[i].used) continue;
        zi_code(p->pen.code, "     %s  ", letters->letter[i].name);
        zi_code_remark(p->pen.code, letters->letter[i].about);
        zi_code_puts(p->pen.code, "\n");
    }
    zi_code(p->pen.code, "\n   Places and centres of mass are in the axes of their links, moments about the %s.\n",
            letters->origin ? "links' origins" : "centres of mass");
}

/* What the file is and what its names mean. */
static void head(ProgramText *p, const zvModel *model) {
    ziCode *code = p->pen.code;
    const bool python = p->d == &sympy;
    zi_code_puts(code, python ? "\"\"\"Equations of motion of " : "/* Equations of motion of ");
    zi_code_remark(code, zv_model_name(model));
    zi_code(code, ", written by zveno %s:  tau = M a + c + g%s%s%s\n\n", zv_version(), p->e->passive ? " - p" : "",
            p->e->J ? " - J^T F" : "", p->e->rows ? " - G^T lam" : "");
    zi_print_coordinates(code, model, coordinate);
    describe_letters(p);
    zi_code(code,
            "\n   v1 and a1 are the first and second derivatives of q1 by time. M has the armature of the drives;\n"
            "   springs, dampers and friction of the joints are %s. SI units.",
            p->e->passive ? "p" : "left out");
    if (p->e->rows) zi_code_puts(code, "\n   Loops: phi = 0, G v = 0, G a + gamma = 0, with the multipliers lam.");
    zi_code_puts(code, python ? "\"\"\"\n" : " */\n\n");
}

static void declare(ziCode *code, const char *name, int count) {
    for (int i = 0; i < count; i++) zi_code(code, "%s%s%d", i ? ", " : "", name, i + 1);
    zi_code_puts(code, count > 1 ? " = symbols(\"" : " = symbols(\"");
    for (int i = 0; i < count; i++) zi_code(code, "%s%s%d", i ? " " : "", name, i + 1);
    zi_code_puts(code, "\", real=True)\n");
}

static void declare_one(ziCode *code, const char *name, int number) {
    zi_code(code, "%s%d = symbols(\"%s%d\", real=True)\n", name, number, name, number);
}

/* Motors behind springs. */
static void declare_motors(ziCode *code, const zvModel *model, const unsigned char *flexible) {
    for (int i = 0; i < zv_model_nv(model); i++) {
        if (!flexible[i]) continue;
        const ziGearLetters gear = zi_gear_letters(model, i);
        declare_one(code, "th", i + 1), declare_one(code, "thv", i + 1), declare_one(code, "tha", i + 1);
        for (int k = 0; k < ZI_GEAR_LETTERS; k++)
            if (gear.has[k]) declare_one(code, zi_gear_letter[k], i + 1);
    }
}

/* Python wants to know its symbols. */
static void declare_symbols(ProgramText *p, const zvModel *model, const unsigned char *flexible) {
    ziCode *code = p->pen.code;
    const ziEquations *e = p->e;
    zi_code_puts(code, "from sympy import Matrix, cos, diff, sign, sin, symbols\n\n");
    declare(code, "q", e->nq);
    declare(code, "v", e->nv);
    declare(code, "a", e->nv);
    if (e->rows) declare(code, "lam", e->rows);
    if (e->J) zi_code_puts(code, "Fx, Fy, Fz, Nx, Ny, Nz = symbols(\"Fx Fy Fz Nx Ny Nz\", real=True)\n");
    if (flexible) declare_motors(code, model, flexible);
    for (int i = 0; e->letters && i < e->letters->count; i++)
        if (e->letters->letter[i].used)
            zi_code(code, "%s = symbols(\"%s\", real=True)\n", e->letters->letter[i].name, e->letters->letter[i].name);
    zi_code_puts(code, "\n");
}

/* One entry of the numbers, after `before` others. */
static void write_number(ProgramText *p, int before, const char *name, double value) {
    const bool python = p->d == &sympy;
    zi_code(p->pen.code, "%s%s%s", before ? (before % 6 ? ", " : ",\n   ") : "", name, python ? ": " : " = ");
    zi_write_value(&p->pen, value);
}

/* The numbers of the file for the letters, those of motors behind springs at the end. */
static void write_values(ProgramText *p, const zvModel *model, const unsigned char *flexible) {
    const ziLetters *letters = p->e->letters;
    const bool python = p->d == &sympy;
    int count = 0;
    if (!flexible && (!letters || !letters->chosen)) return;
    assign(p, "numbers");
    zi_code_puts(p->pen.code, python ? "{" : "[");
    for (int i = 0; letters && i < letters->count; i++)
        if (letters->letter[i].used) write_number(p, count++, letters->letter[i].name, letters->letter[i].value);
    for (int i = 0; flexible && i < zv_model_nv(model); i++) {
        const ziGearLetters gear = zi_gear_letters(model, i);
        for (int k = 0; k < ZI_GEAR_LETTERS && flexible[i]; k++) {
            char name[24];
            snprintf(name, sizeof name, "%s%d", zi_gear_letter[k], i + 1);
            if (gear.has[k] && gear.known[k]) write_number(p, count++, name, gear.value[k]);
        }
    }
    zi_code_puts(p->pen.code, python ? "}" : "]");
    finish(p);
    zi_code_puts(p->pen.code, "\n");
}

/* -- loops ------------------------------------------------------------------------------------------------------ */

/* p_i, with friction as the sign of the rate. */
static void write_passive(ProgramText *p) {
    ziCode *code = p->pen.code;
    write_remark(p, "springs, dampers and dry friction");
    assign(p, "p");
    zi_code(code, "%s\n", p->d->open);
    for (int i = 0; i < p->e->nv; i++) {
        zi_code_puts(code, "   [");
        zi_begin_line(&p->pen);
        zi_write_sum(&p->pen, p->e, &p->e->passive[i]);
        zi_write_dry(&p->pen, p->e, &p->e->dry[i], i);
        if (!p->pen.follows) zi_code_puts(code, "0");
        zi_end_line(&p->pen);
        zi_code(code, i + 1 < p->e->nv ? "],\n" : "]%s%s\n\n", p->d->close, p->d->end);
    }
}

/* Rows of P: of the unit matrix, or Num/Delta. */
static void write_ratios(ProgramText *p) {
    const ziEquations *e = p->e;
    ziCode *code = p->pen.code;
    int at = 0;
    assign(p, "P");
    zi_code_puts(code, p->d->open);
    for (int j = 0; j < e->nv; j++) {
        const bool dependent = at < e->rows && e->dependent[at] == j;
        zi_code_puts(code, j ? ", [" : "[");
        for (int i = 0; i < e->independents; i++) {
            const char *part = i ? ", " : "";
            if (!dependent)
                zi_code(code, "%s%d", part, e->independent[i] == j);
            else if (p->d == &sympy)
                zi_code(code, "%sNum[%d, %d]/Delta", part, at, i);
            else
                zi_code(code, "%sNum[%d,%d]/Delta", part, at + 1, i + 1);
        }
        zi_code_puts(code, "]");
        at += dependent;
    }
    zi_code_puts(code, p->d->close);
    finish(p);
}

/* dP/dt = sum of dP/dq v, then what is left of the equations. */
static void write_reduced(ProgramText *p) {
    const ziEquations *e = p->e;
    const Dialect *d = p->d;
    ziCode *code = p->pen.code;
    write_remark(p, "independent coordinates: v = P v_r, Dr a_r + Cr v_r + Gr = P^T tau");
    assign(p, "Delta");
    zi_write_alone(&p->pen, e, &e->Delta);
    finish(p);
    write_matrix(p, "Num", e->Num, e->rows, e->independents, false);
    write_ratios(p);
    assign(p, "Pdot");
    for (int j = 0; j < e->nv; j++)
        zi_code(code, "%s%sP, q%d%s*v%d", j ? " + " : "", d->derivative[0], j + 1, d->derivative[1], j + 1);
    finish(p);
    assign(p, "Dr");
    zi_code(code, "%sP%s%sM%sP", d->transposed[0], d->transposed[1], d->dot, d->dot);
    finish(p);
    assign(p, "Cr");
    zi_code(code, "%sP%s%s(M%sPdot + C%sP)", d->transposed[0], d->transposed[1], d->dot, d->dot, d->dot);
    finish(p);
    assign(p, "Gr");
    zi_code(code, "%sP%s%sg", d->transposed[0], d->transposed[1], d->dot);
    finish(p);
    zi_code_puts(code, "\n");
}

/* Everything that only robots with loops have. */
static void write_loops(ProgramText *p) {
    const ziEquations *e = p->e;
    write_remark(p, "loops: conditions, their Jacobian, G a + gamma = 0");
    write_matrix(p, "phi", e->gap, e->rows, 1, false);
    write_matrix(p, "G", e->G, e->rows, e->nv, false);
    write_matrix(p, "gamma", e->gamma, e->rows, 1, false);
    write_remark(p, "Coriolis matrix, c = C v");
    write_matrix(p, "C", e->C, e->nv, e->nv, false);
    if (e->Delta.count) write_reduced(p);
    assign(p, "lam");
    write_symbols(p, "lam", e->rows);
    finish(p);
}

/* Motors behind springs, [Kolyubin] 3.4: the joint has what the transmission gives, tau = spring, and motors drive
 * their rotors against it; all reckoned on the link side of the gears. */
static void write_flexible(ProgramText *p, const zvModel *model, const unsigned char *flexible) {
    ziCode *code = p->pen.code;
    const int count = zv_model_nv(model);
    write_remark(p, "flexible joints: tau = spring; th, thv, tha are the motors' angles over the gear ratio");
    for (int k = 0; k < 2; k++) {
        assign(p, k ? "taum" : "spring");
        zi_code_puts(code, p->d->open);
        for (int i = 0; i < count; i++) {
            const int n = i + 1;
            const ziGearLetters gear = zi_gear_letters(model, i);
            zi_code_puts(code, i ? ",\n   [" : "\n   [");
            if (flexible[i]) {
                if (k) zi_code(code, "Mm%d*tha%d + ", n, n);
                if (k && gear.has[ZI_GEAR_DM]) zi_code(code, "Dm%d*thv%d + ", n, n);
                zi_code(code, "Kf%d*(th%d - q%d) + ", n, n, n);
                if (gear.has[ZI_GEAR_KC])
                    zi_code(code, "Kc%d*(th%d - q%d)%s3 + ", n, n, n, p->d == &sympy ? "**" : "^");
                zi_code(code, "Df%d*(thv%d - v%d)]", n, n, n);
            } else if (p->d == &sympy) {
                zi_code(code, "tau[%d]]", i);
            } else {
                zi_code(code, "tau[%d][1]]", n);
            }
        }
        zi_code_puts(code, p->d->close);
        finish(p);
    }
}

/* The forces of the drives. */
static void write_tau(ProgramText *p) {
    const ziEquations *e = p->e;
    const Dialect *d = p->d;
    ziCode *code = p->pen.code;
    if (e->J) {
        assign(p, "F");
        zi_code(code, "%s%s%s", d->open, wrench, d->close);
        finish(p);
    }
    assign(p, "tau");
    zi_code(code, "M%s", d->dot);
    write_symbols(p, "a", e->nv);
    zi_code_puts(code, " + c + g");
    if (e->passive) zi_code_puts(code, " - p");
    if (e->J) zi_code(code, " - %sJ%s%sF", d->transposed[0], d->transposed[1], d->dot);
    if (e->rows) zi_code(code, " - %sG%s%slam", d->transposed[0], d->transposed[1], d->dot);
    finish(p);
}

/* Names first, then matrices, and at the end the forces of the drives made of them. */
void zi_print_program(ziCode *code, const zvModel *model, const zvCodegenOptions *options, const ziEquations *e) {
    const Dialect *d = options->language == ZV_LANGUAGE_SYMPY ? &sympy : &maxima;
    ProgramText p = {.pen = {.code = code, .style = d->style}, .d = d, .e = e};
    head(&p, model);
    if (d == &sympy) declare_symbols(&p, model, options->flexible);
    write_values(&p, model, options->flexible);
    write_matrix(&p, "M", e->M, e->nv, e->nv, true);
    write_remark(&p, "Coriolis and centrifugal forces");
    write_matrix(&p, "c", e->c, e->nv, 1, false);
    write_remark(&p, "gravity");
    write_matrix(&p, "g", e->g, e->nv, 1, false);
    if (e->passive) write_passive(&p);
    if (e->J) {
        write_remark(&p, "Jacobian of the frame, world axes");
        write_matrix(&p, "J", e->J, 6, e->nv, false);
    }
    if (e->rows) write_loops(&p);
    write_tau(&p);
    if (options->flexible) write_flexible(&p, model, options->flexible);
}
