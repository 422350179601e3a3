#include "codegen/print_maxima.h"

#include "codegen/analytic_expression.h"
#include "zveno/version.h"

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

static void print_joint(ziCodeText *text, const zvModel *model, int joint) {
    const zvJoint *j = zv_model_joint(model, joint);
    const zvJointPlace place = zv_model_joint_place(model, joint);
    for (int k = 0; k < place.nq; k++) {
        const char *part = zv_joint_type_q_part(j->type, k);
        zi_code(text, "     q%d  ", place.q_index + k + 1);
        zi_code_remark(text, j->name);
        zi_code(text, "%s%s, %s; tau %s\n", part ? " " : "", part ? part : "", zv_joint_type_q_unit(j->type, k),
                zv_joint_type_v_unit(j->type, k, ZV_QUANTITY_FORCE));
    }
}

static void print_head(ziCodeText *text, const zvModel *model) {
    zi_code_puts(text, "/* Equations of motion of ");
    zi_code_remark(text, zv_model_name(model));
    zi_code(text, ", written by zveno %s:  tau = M a + c + g\n\n", zv_version());
    for (int j = 0; j < zv_model_njoint(model); j++) print_joint(text, model, j);
    zi_code_puts(
        text, "\n   v1 and a1 are the first and second derivatives of q1 by time. M has the armature of the drives;\n"
              "   springs, dampers and friction of the joints are left out. SI units.");
    if (zv_model_nloop(model)) zi_code_puts(text, " Loops are open.");
    zi_code_puts(text, " */\n\n");
}

static void print_mass(ziPen *pen, const ziEquations *e) {
    zi_code_puts(pen->text, "M: matrix(\n");
    for (int i = 0; i < e->nv; i++) {
        for (int j = 0; j < e->nv; j++) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            zi_code_puts(pen->text, j ? ",\n    " : "   [");
            zi_write_alone(pen, e, &e->M[low * e->nv + high]);
        }
        zi_code_puts(pen->text, i + 1 < e->nv ? "],\n" : "]);\n\n");
    }
}

static void print_column(ziPen *pen, const ziEquations *e, const char *name, const ziFourier *column) {
    zi_code(pen->text, "%s: matrix(\n", name);
    for (int i = 0; i < e->nv; i++) {
        zi_code_puts(pen->text, "   [");
        zi_write_alone(pen, e, &column[i]);
        zi_code_puts(pen->text, i + 1 < e->nv ? "],\n" : "]);\n\n");
    }
}

void zi_print_maxima(ziCodeText *text, const zvModel *model, const ziEquations *e) {
    ziPen pen = {.text = text, .style = &maxima};
    print_head(text, model);
    print_mass(&pen, e);
    zi_code_puts(text, "/* Coriolis and centrifugal forces */\n");
    print_column(&pen, e, "c", e->c);
    zi_code_puts(text, "/* gravity */\n");
    print_column(&pen, e, "g", e->g);
    zi_code_puts(text, "tau: M . matrix(");
    for (int i = 0; i < e->nv; i++) zi_code(text, "%s[a%d]", i ? ", " : "", i + 1);
    zi_code_puts(text, ") + c + g;\n");
}
