#include "codegen/emit_expression.h"

void zi_code_input(const ziCodeBody *b, int input, const char *form) {
    const int nq = b->nq, nv = b->nv;
    const char *array = input < nq ? "q" : input < nq + nv ? "v" : b->signature->given;
    zi_code(b->text, form, array, input < nq ? input : (input - nq) % nv);
}

/* Of one state four angles are taken together. */
static void sine_name(const ziCodeBody *b, const ziTapeNode *n) {
    const int angle = b->p->lane[zi_edge_node(n->a)];
    const char letter = n->op == ZI_TAPE_SIN ? 's' : 'c';
    if (b->lanes)
        zi_code(b->text, "%c%d", letter, angle);
    else
        zi_code(b->text, "%c%d[%d]", letter, angle / 4, angle % 4);
}

void zi_code_place(const ziCodeBody *b, int i) {
    const int place = b->keep.place[i];
    zi_code(b->text, "p%d[%d]", place / ZI_KEEP_NEAR, place % ZI_KEEP_NEAR - ZI_KEEP_NEAR / 2);
}

void zi_code_leaf(const ziCodeBody *b, int i) {
    const ziTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZI_TAPE_CONSTANT)
        zi_code_number(b->text, n->value);
    else if (n->op == ZI_TAPE_INPUT)
        zi_code_input(b, n->a, "%s%d");
    else if ((n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS) && b->p->lane[zi_edge_node(n->a)] >= 0)
        sine_name(b, n);
    else if (b->keep.place && b->keep.place[i] >= 0)
        zi_code_place(b, i);
    else
        zi_code(b->text, "t%d", b->number[i]);
}

static void sum(const ziCodeBody *b, int i, bool negative);

/* A factor, or an operand that must be one: sums in parentheses, products too where they stand on the right. */
static void factor(const ziCodeBody *b, int i, bool right) {
    const ziTapeNode *n = &b->p->tape->node[i];
    if (!b->p->inlined[i]) {
        zi_code_leaf(b, i);
    } else if (n->op == ZI_TAPE_MUL && !right) {
        factor(b, zi_edge_node(n->a), false);
        zi_code_puts(b->text, " * ");
        factor(b, zi_edge_node(n->b), true);
    } else {
        zi_code_puts(b->text, "(");
        sum(b, i, false);
        zi_code_puts(b->text, ")");
    }
}

void zi_code_operation(const ziCodeBody *b, int i, bool negative) {
    const ziTapeNode *n = &b->p->tape->node[i];
    const int left = zi_edge_node(n->a), right = zi_edge_node(n->b);
    if (n->op == ZI_TAPE_ADD) {
        sum(b, left, negative);
        const bool minus = negative != zi_edge_negative(n->b);
        zi_code_puts(b->text, minus ? " - " : " + ");
        if (b->p->inlined[right] && b->p->tape->node[right].op == ZI_TAPE_MUL)
            sum(b, right, false);
        else
            factor(b, right, true);
        return;
    }
    if (negative) zi_code_puts(b->text, "-");
    factor(b, left, false);
    zi_code_puts(b->text, n->op == ZI_TAPE_DIV ? " / " : " * ");
    factor(b, right, true);
}

static void sum(const ziCodeBody *b, int i, bool negative) {
    if (b->p->inlined[i]) {
        zi_code_operation(b, i, negative);
    } else {
        if (negative) zi_code_puts(b->text, "-");
        zi_code_leaf(b, i);
    }
}
