/* Equations of motion as a small document for LaTeX. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "codegen/analytic_print.h"
#include "codegen/latex_name.h"
#include "zveno/version.h"

/* Terms of an equation up to which it is also written out with everything in it. */
enum { SHORT_EQUATION = 40, DIGITS = 6 };

/* -- widths ----------------------------------------------------------------------------------------------------- */

/* What a command prints, in tenths of a point at 10 pt; accents and spacing of none. */
static int command_width(const char *word, size_t length) {
    static const struct {
        const char *word;
        int width;
    } known[] = {{"cos", 180},  {"sin", 170}, {"dot", 0},     {"ddot", 0},          {"quad", 100}, {"cdot", 80},
                 {"Delta", 85}, {"tau", 55},  {"lambda", 60}, {"operatorname", 20}, {"Gamma", 65}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strlen(known[k].word) == length && !strncmp(known[k].word, word, length)) return known[k].width;
    return 65;
}

static int character_width(char c) {
    if (strchr("{} \n&", c)) return 0;
    if (strchr("+-=", c)) return 130;
    if (strchr("()[],.", c)) return 42;
    if (isdigit((unsigned char)c)) return 52;
    return strchr("mwM", c) ? 98 : isupper((unsigned char)c) ? 82 : 62;
}

/* An index is smaller by a third. */
static int latex_width(const char *text, size_t size) {
    int width = 0, depth = 0, index = 0;
    for (size_t i = 0; i < size; i++) {
        int w = 0;
        if (text[i] == '\\' && i + 1 < size && isalpha((unsigned char)text[i + 1])) {
            size_t length = 0;
            while (i + 1 + length < size && isalpha((unsigned char)text[i + 1 + length])) length++;
            w = command_width(text + i + 1, length);
            i += length;
        } else if (text[i] == '\\') {
            w = text[++i] == ',' ? 17 : 0;
        } else if (text[i] == '_' || text[i] == '^') {
            if (!index) index = depth + 1;
        } else {
            depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
            if (text[i] == '}' && index && depth < index) index = 0;
            w = character_width(text[i]);
        }
        width += index ? w * 3 / 4 : w;
    }
    return width;
}

static const ziStyle latex = {
    .times = "\\,",
    .turn = {"\\cos(", "\\sin("},
    .broken = " \\\\\n  &\\quad ",
    .line = 3700,
    .digits = DIGITS,
    .ten = "\\cdot 10^{@}",
    .symbol = {"q_{@}", "\\dot q_{@}", "\\ddot q_{@}"},
    .power = "^{@}",
    .sign = "\\operatorname{sgn}(\\dot q_{@})",
    .index = true,
    .power_first = true,
    .width = latex_width,
};

/* -- head ------------------------------------------------------------------------------------------------------- */

static void latex_coordinate(ziCode *code, const ziCoordinateEntry *entry) {
    zi_code(code, "  $q_{%d}$ & \\texttt{", entry->number);
    zi_latex_name(code, entry->joint);
    zi_code(code, "} & %s%s%s & %s & %s \\\\\n", entry->type, entry->part[0] ? ", " : "", entry->part, entry->unit,
            entry->effort_unit);
}

/* A table of the letters that are used: what they stand for and what the file has for them. */
static void latex_letters(ziPen *pen, const ziLetters *letters) {
    if (!letters || !letters->chosen) return;
    zi_code_puts(pen->code, "\\begin{longtable}{l>{\\raggedright\\arraybackslash}p{80mm}l}\n  & letter for & value "
                            "\\\\ \\hline\n\\endhead\n");
    for (int i = 0; i < letters->count; i++) {
        const ziLetter *letter = &letters->letter[i];
        char word[2 * ZI_LETTER_SIZE];
        if (!letter->used) continue;
        zi_letter_latex(letter->name, word, sizeof word);
        zi_code(pen->code, "  $%s$ & \\texttt{", word);
        zi_latex_name(pen->code, letter->about);
        zi_code_puts(pen->code, "} & $");
        zi_write_value(pen, letter->value);
        zi_code_puts(pen->code, "$ \\\\\n");
    }
    zi_code(
        pen->code,
        "\\end{longtable}\n\n\\noindent Places and centres of mass are in the axes of their links, moments about the "
        "%s.\n\n",
        letters->origin ? "links' origins" : "centres of mass");
}

static void note_names(const zvModel *model, const ziEquations *e, ziAlphabet *alphabet) {
    zi_alphabet_note(alphabet, zv_model_name(model));
    for (int j = 0; j < zv_model_njoint(model); j++) zi_alphabet_note(alphabet, zv_model_joint(model, j)->name);
    for (int r = 0; r < zv_model_nloop(model); r++) zi_alphabet_note(alphabet, zv_model_loop(model, r)->name);
    for (int i = 0; e->letters && i < e->letters->count; i++) zi_alphabet_note(alphabet, e->letters->letter[i].about);
}

/* What the equations are, with what is part of them. */
static void latex_form(ziCode *code, const ziEquations *e) {
    zi_code(code, "\\[ M(q)\\,\\ddot q + c(q, \\dot q) + g(q) = \\tau%s%s%s \\]\n",
            e->passive ? " + p(q, \\dot q)" : "", e->J ? " + J^{T} F" : "", e->rows ? " + G^{T} \\lambda" : "");
    if (e->rows)
        zi_code_puts(code, "\\[ \\varphi(q) = 0, \\qquad G\\,\\dot q = 0, \\qquad G\\,\\ddot q + \\gamma = 0 \\]\n");
    zi_code_puts(code, "\n");
}

/* Preamble, title and the tables of coordinates and letters. */
static void latex_head(ziPen *pen, const zvModel *model, const ziEquations *e) {
    ziCode *code = pen->code;
    ziAlphabet alphabet = {0};
    note_names(model, e, &alphabet);
    zi_code(code, "%% written by zveno %s\n", zv_version());
    zi_code_puts(code, "\\documentclass[a4paper]{article}\n"
                       "\\usepackage{amsmath,array,longtable}\n"
                       "\\setlength{\\textwidth}{160mm}\\setlength{\\oddsidemargin}{0mm}\n");
    zi_latex_alphabets(code, &alphabet);
    zi_alphabet_free(&alphabet);
    zi_code_puts(code, "\\allowdisplaybreaks\n"
                       "\\begin{document}\n\n"
                       "\\section*{Equations of motion of \\texttt{");
    zi_latex_name(code, zv_model_name(model));
    zi_code_puts(code, "}}\n\n");
    if (e->passive || e->J || e->rows)
        latex_form(code, e);
    else
        zi_code_puts(code, "\\[ \\tau = M(q)\\,\\ddot q + c(q, \\dot q) + g(q) \\]\n\n");
    zi_code_puts(code, "\\begin{longtable}{l>{\\raggedright\\arraybackslash}p{60mm}lll}\n"
                       "  & joint & type & unit of $q$ & unit of $\\tau$ \\\\ \\hline\n\\endhead\n");
    zi_print_coordinates(code, model, latex_coordinate);
    zi_code_puts(code, "\\end{longtable}\n\n");
    latex_letters(pen, e->letters);
    zi_code(code, "\\noindent SI units; coefficients to %d digits. $M$ has the armature of the drives%s\n\n", DIGITS,
            e->passive ? ", $p$ the springs, dampers\nand dry friction of the joints."
                       : "; springs, dampers and friction\nof the joints are left out.");
}

/* -- equations -------------------------------------------------------------------------------------------------- */

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

static void latex_column(ziPen *pen, const ziEquations *e, const char *title, const char *name, const ziFourier *column,
                         int count) {
    begin_section(pen->code, title);
    for (int i = 0; i < count; i++) {
        zi_code(pen->code, "%s  %s_{%d} &= ", i ? " \\\\\n" : "", name, i + 1);
        zi_write_alone(pen, e, &column[i]);
    }
    end(pen->code);
}

/* Entries of a matrix that are not zero. */
static void latex_matrix(ziPen *pen, const ziEquations *e, const char *title, char name, const ziFourier *x, int rows) {
    bool written = false;
    begin_section(pen->code, title);
    for (int k = 0; k < rows * e->nv; k++) {
        if (!x[k].count) continue;
        zi_code(pen->code, "%s  %c_{%d,%d} &= ", written ? " \\\\\n" : "", name, k / e->nv + 1, k % e->nv + 1);
        zi_write_alone(pen, e, &x[k]);
        written = true;
    }
    if (!written) zi_code(pen->code, "  %c &= 0", name);
    end(pen->code);
}

/* Springs, dampers, friction: p_i or, with the sign turned, what an equation has of them. */
static void write_passive(ziPen *pen, const ziEquations *e, int i) {
    zi_write_sum(pen, e, &e->passive[i]);
    zi_write_dry(pen, e, &e->dry[i], i);
}

static void latex_passive(ziPen *pen, const ziEquations *e) {
    begin_section(pen->code, "Springs, dampers and friction");
    for (int i = 0; i < e->nv; i++) {
        zi_code(pen->code, "%s  p_{%d} &= ", i ? " \\\\\n" : "", i + 1);
        zi_begin_line(pen);
        write_passive(pen, e, i);
        if (!pen->follows) zi_code_puts(pen->code, "0");
        zi_end_line(pen);
    }
    end(pen->code);
}

/* Right-hand sides: the force, and shares of what acts beside it. */
static void write_right_side(ziPen *pen, const ziEquations *e, int i) {
    static const char *const force[] = {"F_{x}", "F_{y}", "F_{z}", "N_{x}", "N_{y}", "N_{z}"};
    zi_code(pen->code, " \\\\\n  &= \\tau_{%d}", i + 1);
    zi_begin_line(pen);
    pen->follows = true;
    if (e->passive) write_passive(pen, e, i);
    for (int k = 0; k < 6 && e->J; k++) zi_write_share(pen, e, &e->J[k * e->nv + i], force[k]);
    for (int r = 0; r < e->rows; r++) {
        char name[32];
        snprintf(name, sizeof name, "\\lambda_{%d}", r + 1);
        zi_write_share(pen, e, &e->G[r * e->nv + i], name);
    }
    zi_end_line(pen);
}

/* One after the other with nothing abbreviated, as for an arm of two links in a textbook. */
static void print_equations(ziPen *pen, const ziEquations *e) {
    const bool beside = e->passive || e->J || e->rows;
    begin_section(pen->code, "Equations");
    for (int i = 0; i < e->nv; i++) {
        zi_code(pen->code, "%s  ", i ? " \\\\\n" : "");
        if (!beside) zi_code(pen->code, "\\tau_{%d} &= ", i + 1);
        if (beside) zi_code_puts(pen->code, "&");
        zi_begin_line(pen);
        for (int j = 0; j < e->nv; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            zi_write_sum_times(pen, e, &e->M[low * e->nv + high], 2, j);
        }
        zi_write_sum(pen, e, &e->c[i]);
        zi_write_sum(pen, e, &e->g[i]);
        if (!pen->follows) zi_code_puts(pen->code, "0");
        zi_end_line(pen);
        if (beside) write_right_side(pen, e, i);
    }
    end(pen->code);
}

/* -- loops ------------------------------------------------------------------------------------------------------ */

static bool is_dependent(const ziEquations *e, int j) {
    for (int k = 0; k < e->rows; k++)
        if (e->dependent[k] == j) return true;
    return false;
}

/* M_kl with the smaller index first; false when it is zero. */
static bool has_mass(const ziEquations *e, int k, int l) {
    return e->M[k < l ? k * e->nv + l : l * e->nv + k].count > 0;
}

static void write_join(ziPen *pen, const char *text) {
    zi_write_sign(pen, false);
    zi_code_puts(pen->code, text);
}

/* P_ki of the reduction as a factor: nothing for the independent coordinate itself; false when it is zero. */
static bool ratio_name(const ziEquations *e, int k, int i, char *name, size_t size) {
    name[0] = '\0';
    if (!is_dependent(e, k)) return k == e->independent[i];
    int row = 0;
    while (e->dependent[row] != k) row++;
    if (!e->Num[row * e->independents + i].count) return false;
    snprintf(name, size, "\\,P_{%d,%d}", k + 1, i + 1);
    return true;
}

/* sum_kl P_ki M_kl P_lj of what is not zero. */
static void write_reduced_mass(ziPen *pen, const ziEquations *e, int i, int j) {
    zi_begin_line(pen);
    for (int k = 0; k < e->nv; k++)
        for (int l = 0; l < e->nv; l++) {
            char left[32], right[32], text[128];
            if (!has_mass(e, k, l) || !ratio_name(e, k, i, left, sizeof left) ||
                !ratio_name(e, l, j, right, sizeof right))
                continue;
            snprintf(text, sizeof text, "M_{%d,%d}%s%s", k < l ? k + 1 : l + 1, k < l ? l + 1 : k + 1, left, right);
            write_join(pen, text);
        }
    if (!pen->follows) zi_code_puts(pen->code, "0");
    zi_end_line(pen);
}

static void write_reduced_gravity(ziPen *pen, const ziEquations *e, int i) {
    zi_begin_line(pen);
    for (int k = 0; k < e->nv; k++) {
        char ratio[32], text[64];
        if (!e->g[k].count || !ratio_name(e, k, i, ratio, sizeof ratio)) continue;
        snprintf(text, sizeof text, "g_{%d}%s", k + 1, ratio);
        write_join(pen, text);
    }
    if (!pen->follows) zi_code_puts(pen->code, "0");
    zi_end_line(pen);
}

/* Dependent rates by Cramer's rule. */
static void latex_ratios(ziPen *pen, const ziEquations *e) {
    zi_code_puts(pen->code, "\\begin{align*}\n  \\Delta &= ");
    zi_write_alone(pen, e, &e->Delta);
    for (int k = 0; k < e->rows; k++)
        for (int i = 0; i < e->independents; i++) {
            zi_code(pen->code, " \\\\\n  \\Delta\\,P_{%d,%d} &= ", e->dependent[k] + 1, i + 1);
            zi_write_alone(pen, e, &e->Num[k * e->independents + i]);
        }
    end(pen->code);
}

/* D_r, C_r, G_r of the independent coordinates. */
static void latex_reduced(ziPen *pen, const ziEquations *e) {
    ziCode *code = pen->code;
    zi_code_puts(code, "\\subsection*{Independent coordinates}\n$\\dot q = P\\,\\dot q_{r}$ with $q_{r} = (");
    for (int i = 0; i < e->independents; i++) zi_code(code, "%sq_{%d}", i ? ", " : "", e->independent[i] + 1);
    zi_code_puts(code, ")$; rows of $P$ that belong to these are those of the unit matrix.\n");
    latex_ratios(pen, e);
    zi_code_puts(code, "\\[ D_{r} = P^{T} M P, \\quad C_{r} = P^{T} (M \\dot P + C P), \\quad G_{r} = P^{T} g, \\quad\n"
                       "   D_{r}\\,\\ddot q_{r} + C_{r}\\,\\dot q_{r} + G_{r} = P^{T}");
    zi_code(code, " %s\\tau%s%s%s \\]\n\\begin{align*}\n", e->passive || e->J ? "(" : "", e->passive ? " + p" : "",
            e->J ? " + J^{T} F" : "", e->passive || e->J ? ")" : "");
    for (int i = 0; i < e->independents; i++)
        for (int j = i; j < e->independents; j++) {
            zi_code(code, "%s  D_{r,%d,%d} &= ", i + j ? " \\\\\n" : "", i + 1, j + 1);
            write_reduced_mass(pen, e, i, j);
        }
    for (int i = 0; i < e->independents; i++) {
        zi_code(code, " \\\\\n  G_{r,%d} &= ", i + 1);
        write_reduced_gravity(pen, e, i);
    }
    end(code);
    zi_code_puts(code,
                 "With $G_{d}$ the columns of $G$ that belong to the dependent coordinates, $\\dot P_{d} = -G_{d}^{-1} "
                 "(\\dot G P)$ in the\nrows of these, and $\\lambda = G_{d}^{-T} (M \\ddot q + c + g - \\tau");
    zi_code(code, "%s%s)_{d}$.\n\n", e->passive ? " - p" : "", e->J ? " - J^{T} F" : "");
}

static void latex_loops(ziPen *pen, const ziEquations *e) {
    if (!e->rows) return;
    latex_column(pen, e, "Closure", "\\varphi", e->gap, e->rows);
    latex_matrix(pen, e, "Jacobian of the loops", 'G', e->G, e->rows);
    latex_column(pen, e, "Accelerations of the loops", "\\gamma", e->gamma, e->rows);
    latex_matrix(pen, e, "Coriolis matrix", 'C', e->C, e->nv);
    if (e->Delta.count) latex_reduced(pen, e);
}

/* Motors behind springs, [Kolyubin] 3.4, reckoned on the link side of the gears. */
static void latex_flexible(ziCode *code, const zvModel *model, const unsigned char *flexible) {
    bool first = true;
    begin_section(code, "Flexible joints");
    for (int i = 0; i < zv_model_nv(model); i++) {
        const int n = i + 1;
        const ziGearLetters gear = zi_gear_letters(model, i);
        if (!flexible[i]) continue;
        zi_code(code, "%s  \\tau_{%d} &= K_{f%d}\\,(\\theta_{%d} - q_{%d}) + ", first ? "" : " \\\\\n", n, n, n, n);
        if (gear.has[ZI_GEAR_KC]) zi_code(code, "K_{c%d}\\,(\\theta_{%d} - q_{%d})^{3} + ", n, n, n);
        zi_code(code, "D_{f%d}\\,(\\dot\\theta_{%d} - \\dot q_{%d}) \\\\\n", n, n, n);
        zi_code(code, "  \\tau_{m%d} &= M_{m%d}\\,\\ddot\\theta_{%d} + ", n, n, n);
        if (gear.has[ZI_GEAR_DM]) zi_code(code, "D_{m%d}\\,\\dot\\theta_{%d} + ", n, n);
        zi_code(code, "\\tau_{%d}", n);
        first = false;
    }
    end(code);
    zi_code_puts(
        code,
        "$\\theta$ is the angle of a motor over its gear ratio $r$, $M_{m} = I_{m} r^{2}$ the inertia of its rotor,\n"
        "which is not part of $M$, and $\\tau_{m}$ $r$ times its torque.\n\n");
}

/* Section by section; the whole equations only where they are short. */
void zi_print_latex(ziCode *code, const zvModel *model, const zvCodegenOptions *options, const ziEquations *e) {
    ziPen pen = {.code = code, .style = &latex};
    latex_head(&pen, model, e);
    latex_mass(&pen, e);
    latex_column(&pen, e, "Coriolis and centrifugal forces", "c", e->c, e->nv);
    latex_column(&pen, e, "Gravity", "g", e->g, e->nv);
    if (e->passive) latex_passive(&pen, e);
    if (e->J) latex_matrix(&pen, e, "Jacobian of the frame, world axes", 'J', e->J, 6);
    latex_loops(&pen, e);
    if (e->greatest <= SHORT_EQUATION) print_equations(&pen, e);
    if (options->flexible) latex_flexible(code, model, options->flexible);
    zi_code_puts(code, "\\end{document}\n");
}
