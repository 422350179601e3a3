/* Equations as a reader or Maxima wants them. */
#include "codegen/analytic_print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zveno/version.h"

enum { SHORT_DIGITS = 12, MOST_RATIO = 12 };
/* Coefficients that differ by this share are the same but for rounding. */
static const double rounding = 1e-14;

static bool is_one(double value) { return fabs(value - 1) <= rounding; }

static void write_pattern(ziPen *p, const char *pattern, int number) {
    char word[16];
    snprintf(word, sizeof word, "%d", number);
    zi_code_pattern(p->code, pattern, word);
}

/* As few digits as tell a positive number: rounding in sums and products must not show. */
static int digits_of(double value, int most) {
    char word[40];
    for (int digits = 1; digits <= SHORT_DIGITS && digits < most; digits++) {
        snprintf(word, sizeof word, "%.*g", digits, value);
        if (fabs(strtod(word, NULL) - value) <= rounding * value) return digits;
    }
    return most;
}

static void write_number(ziPen *p, double value) {
    char word[40];
    snprintf(word, sizeof word, "%.*g", digits_of(value, p->style->digits), value);
    char *exponent = strchr(word, 'e');
    if (exponent) *exponent = '\0';
    zi_code_puts(p->code, word);
    if (exponent) write_pattern(p, p->style->ten, atoi(exponent + 1));
}

/* What joins a term to those before it; a line ends where as many terms as come together have no room. */
static void write_sign(ziPen *p, bool negative, size_t together) {
    if (p->follows) {
        const bool full = p->on_line && (size_t)p->on_line + together > (size_t)p->style->line;
        zi_code_puts(p->code, full ? p->style->broken : " ");
        if (full) p->on_line = 0;
        zi_code_puts(p->code, negative ? "- " : "+ ");
    } else if (negative) {
        zi_code_puts(p->code, "-");
    }
    p->follows = true;
}

void zi_write_symbol(ziPen *p, int kind, int i, int power) {
    write_pattern(p, p->style->symbol[kind], i + 1);
    if (power != 1) write_pattern(p, p->style->power, power);
}

/* Factors of a product, parted by the sign of multiplication. */
static void part_factor(ziPen *p, bool *first) {
    if (!*first) zi_code_puts(p->code, p->style->times);
    *first = false;
}

static void write_powers(ziPen *p, int kind, int count, const int8_t *exponent, bool *first) {
    for (int i = 0; i < count; i++) {
        if (!exponent[i]) continue;
        part_factor(p, first);
        zi_write_symbol(p, kind, i, exponent[i]);
    }
}

static bool any(const int8_t *entry, int count) {
    for (int k = 0; k < count; k++)
        if (entry[k]) return true;
    return false;
}

static bool has_turn(const ziEquations *e, const int8_t *key) { return any(zi_key_angles(key), e->space.angles); }

static bool has_powers(const ziEquations *e, const int8_t *key) {
    return any(zi_key_exponents(&e->space, key), e->space.variables);
}

/* cos(2 q1 - q2) */
static void write_turn(ziPen *p, const ziEquations *e, const int8_t *key) {
    bool before = false;
    zi_code_puts(p->code, p->style->turn[key[0]]);
    for (int q = 0; q < e->nq; q++) {
        double factor = 0;
        for (int k = 0; k < e->angles.count; k++)
            if (e->angles.angle[k].q == q) factor += zi_key_angles(key)[k] * e->angles.angle[k].unit;
        if (factor == 0) continue;
        if (before || factor < 0) zi_code_puts(p->code, !before ? "-" : factor < 0 ? " - " : " + ");
        if (!is_one(fabs(factor))) {
            write_number(p, fabs(factor));
            zi_code_puts(p->code, p->style->times);
        }
        zi_write_symbol(p, 0, q, 1);
        before = true;
    }
    zi_code_puts(p->code, before ? ")" : "0)");
}

/* Which factors of its terms a product shows. */
typedef enum Shown { Q = 1, TURN = 2, V = 4, ALL = 7 } Shown;

/* size q^i turn v^j without what is not shown; its sign is there already. */
static void write_product(ziPen *p, const ziEquations *e, double size, const int8_t *key, unsigned shown) {
    const int8_t *q = zi_key_exponents(&e->space, key), *v = q + e->nq;
    const bool turn = shown & TURN && has_turn(e, key),
               powers = (shown & Q && any(q, e->nq)) || (shown & V && any(v, e->nv));
    bool first = true;
    if (!is_one(size) || !(turn || powers)) {
        part_factor(p, &first);
        write_number(p, size);
    }
    if (shown & Q) write_powers(p, 0, e->nq, q, &first);
    if (turn) {
        part_factor(p, &first);
        write_turn(p, e, key);
    }
    if (shown & V) write_powers(p, 1, e->nv, v, &first);
    p->on_line++;
}

/* The number of which all coefficients are small multiples, or 1, with the sign of the first. */
static double common_factor(const ziFourier *x, size_t begin, size_t end) {
    double least = fabs(x->value[begin]);
    for (size_t i = begin; i < end; i++) least = fmin(least, fabs(x->value[i]));
    for (size_t i = begin; i < end; i++) {
        const double ratio = fabs(x->value[i]) / least;
        if (ratio > MOST_RATIO || fabs(ratio - round(ratio)) > 100 * rounding) least = 1;
    }
    return copysign(least, x->value[begin]);
}

/* Q when all terms have the same powers of q, V when of v: they go before and behind the bracket. */
static unsigned common_powers(const ziEquations *e, const ziFourier *x, size_t begin, size_t end) {
    const int8_t *q = zi_key_exponents(&e->space, zi_fourier_key(&e->space, x, begin));
    unsigned common = Q | V;
    for (size_t i = begin; i < end; i++) {
        const int8_t *other = zi_key_exponents(&e->space, zi_fourier_key(&e->space, x, i));
        if (memcmp(q, other, (size_t)e->nq) != 0) common &= ~(unsigned)Q;
        if (memcmp(q + e->nq, other + e->nq, (size_t)e->nv) != 0) common &= ~(unsigned)V;
    }
    return common;
}

/* factor q^i turn (terms) v^j */
static void write_bracket(ziPen *p, const ziEquations *e, const ziFourier *x, size_t begin, size_t end) {
    const double factor = common_factor(x, begin, end);
    const unsigned common = common_powers(e, x, begin, end);
    const int8_t *key = zi_fourier_key(&e->space, x, begin);
    bool first = false;
    write_sign(p, factor < 0, end - begin);
    write_product(p, e, fabs(factor), key, (common & Q) | TURN);
    p->on_line--; /* the terms count */
    zi_code(p->code, "%s(", p->style->times);
    p->follows = false;
    for (size_t i = begin; i < end; i++) {
        const double value = x->value[i] / factor;
        write_sign(p, value < 0, 1);
        write_product(p, e, fabs(value), zi_fourier_key(&e->space, x, i), (Q | V) & ~common);
    }
    zi_code_puts(p->code, ")");
    if (common & V) write_powers(p, 1, e->nv, zi_key_exponents(&e->space, key) + e->nq, &first);
    p->follows = true;
}

/* Behind the terms that share the sine or cosine of term `begin`; terms without any stand each for itself. */
static size_t group_end(const ziEquations *e, const ziFourier *x, size_t begin) {
    const int8_t *key = zi_fourier_key(&e->space, x, begin);
    size_t end = begin + 1;
    if (!has_turn(e, key)) return end;
    while (end < x->count && zi_key_same_turn(&e->space, key, zi_fourier_key(&e->space, x, end))) end++;
    return end;
}

void zi_write_sum(ziPen *p, const ziEquations *e, const ziFourier *x) {
    for (size_t begin = 0, end; begin < x->count; begin = end) {
        end = group_end(e, x, begin);
        if (end > begin + 1) {
            write_bracket(p, e, x, begin, end);
            continue;
        }
        write_sign(p, x->value[begin] < 0, 1);
        write_product(p, e, fabs(x->value[begin]), zi_fourier_key(&e->space, x, begin), ALL);
    }
}

/* A sum of several terms goes in brackets; a sum that is one is left out. */
void zi_write_sum_times(ziPen *p, const ziEquations *e, const ziFourier *x, int kind, int i) {
    if (x->count == 0) return;
    const int8_t *key = zi_fourier_key(&e->space, x, 0);
    const bool unit = x->count == 1 && is_one(fabs(x->value[0])) && !has_turn(e, key) && !has_powers(e, key);
    const bool bracket = group_end(e, x, 0) < x->count;
    if (unit || bracket) write_sign(p, unit && x->value[0] < 0, x->count);
    if (bracket) {
        zi_code_puts(p->code, "(");
        p->follows = false;
    }
    if (!unit) zi_write_sum(p, e, x);
    zi_code(p->code, "%s%s", bracket ? ")" : "", unit ? "" : p->style->times);
    zi_write_symbol(p, kind, i, 1);
}

void zi_write_alone(ziPen *p, const ziEquations *e, const ziFourier *x) {
    p->follows = false;
    p->on_line = 0;
    zi_write_sum(p, e, x);
    if (x->count == 0) zi_code_puts(p->code, "0");
}

/* Terms of an equation up to which it is also written out with everything in it. */
enum { SHORT_EQUATION = 40, DIGITS = 6 };

static const ziStyle latex = {
    .times = "\\,",
    .turn = {"\\cos(", "\\sin("},
    .broken = " \\\\\n  &\\quad ",
    .line = 4,
    .digits = DIGITS,
    .ten = "\\cdot 10^{@}",
    .symbol = {"q_{@}", "\\dot q_{@}", "\\ddot q_{@}"},
    .power = "^{@}",
};

/* A user's name: what LaTeX would act on is escaped, what plain LaTeX has no letter for becomes a question mark. */
static void print_name(ziCode *code, const char *name) {
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if ((*c & 0xC0) == 0x80) continue; /* the rest of a character of several bytes */
        if (*c == '\\' || *c == '^' || *c == '~')
            zi_code(code, "\\char%d{}", *c);
        else if (strchr("_%&#$%{}", *c))
            zi_code(code, "\\%c", *c);
        else
            zi_code(code, "%c", *c < 0x20 || *c >= 0x7F ? '?' : *c);
    }
}

/* What the head of an output says of a coordinate. */
typedef struct CoordinateEntry {
    int number; /* q1 is 1 */
    const char *joint, *type;
    const char *part; /* which coordinate of its joint; empty where there is one only */
    const char *unit, *effort_unit;
} CoordinateEntry;

/* Prints an entry for each coordinate, in the order of q. */
static void print_coordinates(ziCode *code, const zvModel *model,
                              void (*print)(ziCode *code, const CoordinateEntry *entry)) {
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const zvJoint *j = zv_model_joint(model, joint);
        const zvJointPlace place = zv_model_joint_place(model, joint);
        for (int k = 0; k < place.nq; k++) {
            const char *part = zv_joint_type_q_part(j->type, k);
            const CoordinateEntry entry = {.number = place.q_index + k + 1,
                                           .joint = j->name,
                                           .type = zv_joint_type_word(j->type),
                                           .part = part ? part : "",
                                           .unit = zv_joint_type_q_unit(j->type, k),
                                           .effort_unit = zv_joint_type_v_unit(j->type, k, ZV_QUANTITY_FORCE)};
            print(code, &entry);
        }
    }
}

static void latex_coordinate(ziCode *code, const CoordinateEntry *entry) {
    zi_code(code, "  $q_{%d}$ & \\texttt{", entry->number);
    print_name(code, entry->joint);
    zi_code(code, "} & %s%s%s & %s & %s \\\\\n", entry->type, entry->part[0] ? ", " : "", entry->part, entry->unit,
            entry->effort_unit);
}

/* Preamble, title and the table of coordinates. */
static void latex_head(ziCode *code, const zvModel *model) {
    zi_code(code, "%% written by zveno %s\n", zv_version());
    zi_code_puts(code, "\\documentclass[a4paper]{article}\n"
                       "\\usepackage{amsmath}\n"
                       "\\allowdisplaybreaks\n"
                       "\\begin{document}\n\n"
                       "\\section*{Equations of motion of \\texttt{");
    print_name(code, zv_model_name(model));
    zi_code_puts(code, "}}\n\n\\[ \\tau = M(q)\\,\\ddot q + c(q, \\dot q) + g(q) \\]\n\n"
                       "\\begin{tabular}{lllll}\n"
                       "  & joint & type & unit of $q$ & unit of $\\tau$ \\\\ \\hline\n");
    print_coordinates(code, model, latex_coordinate);
    zi_code(code,
            "\\end{tabular}\n\n\\medskip\\noindent\n"
            "SI units; coefficients to %d digits. $M$ has the armature of the drives; springs, dampers and friction\n"
            "of the joints are left out.%s\n\n",
            DIGITS, zv_model_nloop(model) ? " Loops are open." : "");
}

static void begin_section(ziCode *code, const char *title) {
    zi_code(code, "\\subsection*{%s}\n\\begin{align*}\n", title);
}

static void end(ziCode *code) { zi_code_puts(code, "\n\\end{align*}\n\n"); }

/* Entries on and above the diagonal, each named with its mirror. */
static void latex_mass(ziPen *pen, const ziEquations *e) {
    begin_section(pen->code, "Mass matrix");
    for (int i = 0; i < e->nv; i++) {
        for (int j = i; j < e->nv; j++) {
            if (j) zi_code_puts(pen->code, " \\\\\n");
            zi_code(pen->code, "  M_{%d,%d} &= ", i + 1, j + 1);
            if (i != j) zi_code(pen->code, "M_{%d,%d} = ", j + 1, i + 1);
            zi_write_alone(pen, e, &e->M[i * e->nv + j]);
        }
    }
    end(pen->code);
}

static void latex_column(ziPen *pen, const ziEquations *e, const char *title, char name, const ziFourier *column) {
    begin_section(pen->code, title);
    for (int i = 0; i < e->nv; i++) {
        zi_code(pen->code, "%s  %c_{%d} &= ", i ? " \\\\\n" : "", name, i + 1);
        zi_write_alone(pen, e, &column[i]);
    }
    end(pen->code);
}

/* One after the other with nothing abbreviated, as for an arm of two links in a textbook. */
static void print_equations(ziPen *pen, const ziEquations *e) {
    begin_section(pen->code, "Equations");
    for (int i = 0; i < e->nv; i++) {
        zi_code(pen->code, "%s  \\tau_{%d} &= ", i ? " \\\\\n" : "", i + 1);
        pen->follows = false;
        pen->on_line = 0;
        for (int j = 0; j < e->nv; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            zi_write_sum_times(pen, e, &e->M[low * e->nv + high], 2, j);
        }
        zi_write_sum(pen, e, &e->c[i]);
        zi_write_sum(pen, e, &e->g[i]);
        if (!pen->follows) zi_code_puts(pen->code, "0");
    }
    end(pen->code);
}

void zi_print_latex(ziCode *code, const zvModel *model, const ziEquations *e) {
    ziPen pen = {.code = code, .style = &latex};
    latex_head(code, model);
    latex_mass(&pen, e);
    latex_column(&pen, e, "Coriolis and centrifugal forces", 'c', e->c);
    latex_column(&pen, e, "Gravity", 'g', e->g);
    if (e->greatest <= SHORT_EQUATION) print_equations(&pen, e);
    zi_code_puts(code, "\\end{document}\n");
}

static const ziStyle maxima = {
    .times = "*",
    .turn = {"cos(", "sin("},
    .broken = "\n      ",
    .line = 6,
    .digits = 15,
    .ten = "e@",
    .symbol = {"q@", "v@", "a@"},
    .power = "^@",
};

static void maxima_coordinate(ziCode *code, const CoordinateEntry *entry) {
    zi_code(code, "     q%d  ", entry->number);
    zi_code_remark(code, entry->joint);
    zi_code(code, "%s%s, %s; tau %s\n", entry->part[0] ? " " : "", entry->part, entry->unit, entry->effort_unit);
}

static void maxima_head(ziCode *code, const zvModel *model) {
    zi_code_puts(code, "/* Equations of motion of ");
    zi_code_remark(code, zv_model_name(model));
    zi_code(code, ", written by zveno %s:  tau = M a + c + g\n\n", zv_version());
    print_coordinates(code, model, maxima_coordinate);
    zi_code_puts(
        code, "\n   v1 and a1 are the first and second derivatives of q1 by time. M has the armature of the drives;\n"
              "   springs, dampers and friction of the joints are left out. SI units.");
    if (zv_model_nloop(model)) zi_code_puts(code, " Loops are open.");
    zi_code_puts(code, " */\n\n");
}

static void maxima_mass(ziPen *pen, const ziEquations *e) {
    zi_code_puts(pen->code, "M: matrix(\n");
    for (int i = 0; i < e->nv; i++) {
        for (int j = 0; j < e->nv; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            zi_code_puts(pen->code, j ? ",\n    " : "   [");
            zi_write_alone(pen, e, &e->M[low * e->nv + high]);
        }
        zi_code_puts(pen->code, i + 1 < e->nv ? "],\n" : "]);\n\n");
    }
}

static void maxima_column(ziPen *pen, const ziEquations *e, const char *name, const ziFourier *column) {
    zi_code(pen->code, "%s: matrix(\n", name);
    for (int i = 0; i < e->nv; i++) {
        zi_code_puts(pen->code, "   [");
        zi_write_alone(pen, e, &column[i]);
        zi_code_puts(pen->code, i + 1 < e->nv ? "],\n" : "]);\n\n");
    }
}

/* Assignments that Maxima evaluates: M, c, g, tau. */
void zi_print_maxima(ziCode *code, const zvModel *model, const ziEquations *e) {
    ziPen pen = {.code = code, .style = &maxima};
    maxima_head(code, model);
    maxima_mass(&pen, e);
    zi_code_puts(code, "/* Coriolis and centrifugal forces */\n");
    maxima_column(&pen, e, "c", e->c);
    zi_code_puts(code, "/* gravity */\n");
    maxima_column(&pen, e, "g", e->g);
    zi_code_puts(code, "tau: M . matrix(");
    for (int i = 0; i < e->nv; i++) zi_code(code, "%s[a%d]", i ? ", " : "", i + 1);
    zi_code_puts(code, ") + c + g;\n");
}
