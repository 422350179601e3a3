#include "codegen/print_latex.h"

#include <string.h>

#include "codegen/analytic_expression.h"
#include "zveno/version.h"

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
static void print_name(ziCodeText *text, const char *name) {
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        if ((*c & 0xC0) == 0x80) continue; /* the rest of a character of several bytes */
        if (*c == '\\' || *c == '^' || *c == '~')
            zi_code(text, "\\char%d{}", *c);
        else if (strchr("_%&#$%{}", *c))
            zi_code(text, "\\%c", *c);
        else
            zi_code(text, "%c", *c < 0x20 || *c >= 0x7F ? '?' : *c);
    }
}

static void print_joint(ziCodeText *text, const zvModel *model, int joint) {
    const zvJoint *j = zv_model_joint(model, joint);
    const zvJointPlace place = zv_model_joint_place(model, joint);
    for (int k = 0; k < place.nq; k++) {
        const char *part = zv_joint_type_q_part(j->type, k);
        zi_code(text, "  $q_{%d}$ & \\texttt{", place.q_index + k + 1);
        print_name(text, j->name);
        zi_code(text, "} & %s%s%s & %s & %s \\\\\n", zv_joint_type_word(j->type), part ? ", " : "", part ? part : "",
                zv_joint_type_q_unit(j->type, k), zv_joint_type_v_unit(j->type, k, ZV_QUANTITY_FORCE));
    }
}

static void print_head(ziCodeText *text, const zvModel *model) {
    zi_code(text, "%% written by zveno %s\n", zv_version());
    zi_code_puts(text, "\\documentclass[a4paper]{article}\n"
                       "\\usepackage{amsmath}\n"
                       "\\allowdisplaybreaks\n"
                       "\\begin{document}\n\n"
                       "\\section*{Equations of motion of \\texttt{");
    print_name(text, zv_model_name(model));
    zi_code_puts(text, "}}\n\n\\[ \\tau = M(q)\\,\\ddot q + c(q, \\dot q) + g(q) \\]\n\n"
                       "\\begin{tabular}{lllll}\n"
                       "  & joint & type & unit of $q$ & unit of $\\tau$ \\\\ \\hline\n");
    for (int j = 0; j < zv_model_njoint(model); j++) print_joint(text, model, j);
    zi_code(text,
            "\\end{tabular}\n\n\\medskip\\noindent\n"
            "SI units; coefficients to %d digits. $M$ has the armature of the drives; springs, dampers and friction\n"
            "of the joints are left out.%s\n\n",
            DIGITS, zv_model_nloop(model) ? " Loops are open." : "");
}

static void begin(ziCodeText *text, const char *title) { zi_code(text, "\\subsection*{%s}\n\\begin{align*}\n", title); }

static void end(ziCodeText *text) { zi_code_puts(text, "\n\\end{align*}\n\n"); }

static void print_mass(ziPen *pen, const ziEquations *e) {
    begin(pen->text, "Mass matrix");
    for (int i = 0; i < e->nv; i++) {
        for (int j = i; j < e->nv; j++) {
            if (j) zi_code_puts(pen->text, " \\\\\n");
            zi_code(pen->text, "  M_{%d,%d} &= ", i + 1, j + 1);
            if (i != j) zi_code(pen->text, "M_{%d,%d} = ", j + 1, i + 1);
            zi_write_alone(pen, e, &e->M[i * e->nv + j]);
        }
    }
    end(pen->text);
}

static void print_column(ziPen *pen, const ziEquations *e, const char *title, char name, const ziFourier *column) {
    begin(pen->text, title);
    for (int i = 0; i < e->nv; i++) {
        zi_code(pen->text, "%s  %c_{%d} &= ", i ? " \\\\\n" : "", name, i + 1);
        zi_write_alone(pen, e, &column[i]);
    }
    end(pen->text);
}

/* One after the other with nothing abbreviated, as for an arm of two links in a textbook. */
static void print_equations(ziPen *pen, const ziEquations *e) {
    begin(pen->text, "Equations");
    for (int i = 0; i < e->nv; i++) {
        zi_code(pen->text, "%s  \\tau_{%d} &= ", i ? " \\\\\n" : "", i + 1);
        pen->follows = false;
        pen->on_line = 0;
        for (int j = 0; j < e->nv; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            zi_write_sum_times(pen, e, &e->M[low * e->nv + high], 2, j);
        }
        zi_write_sum(pen, e, &e->c[i]);
        zi_write_sum(pen, e, &e->g[i]);
        if (!pen->follows) zi_code_puts(pen->text, "0");
    }
    end(pen->text);
}

void zi_print_latex(ziCodeText *text, const zvModel *model, const ziEquations *e) {
    ziPen pen = {.text = text, .style = &latex};
    print_head(text, model);
    print_mass(&pen, e);
    print_column(&pen, e, "Coriolis and centrifugal forces", 'c', e->c);
    print_column(&pen, e, "Gravity", 'g', e->g);
    if (e->greatest <= SHORT_EQUATION) print_equations(&pen, e);
    zi_code_puts(text, "\\end{document}\n");
}
