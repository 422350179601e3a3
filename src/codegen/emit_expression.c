#include "codegen/emit_expression.h"

void zv_code_input(const zvCodeBody *b, int input, const char *form) {
    const int nq = b->nq, nv = b->nv;
    const char *array = input < nq ? "q" : input < nq + nv ? "v" : b->signature->given;
    zv_code(b->text, form, array, input < nq ? input : (input - nq) % nv);
}

/* Of one state four angles are taken together. */
static void sine_name(const zvCodeBody *b, const zvTapeNode *n) {
    const int angle = b->p->lane[zv_edge_node(n->a)];
    const char letter = n->op == ZV_TAPE_SIN ? 's' : 'c';
    if (b->lanes)
        zv_code(b->text, "%c%d", letter, angle);
    else
        zv_code(b->text, "%c%d[%d]", letter, angle / 4, angle % 4);
}

void zv_code_place(const zvCodeBody *b, int i) {
    const int place = b->keep.place[i];
    zv_code(b->text, "p%d[%d]", place / ZV_KEEP_NEAR, place % ZV_KEEP_NEAR - ZV_KEEP_NEAR / 2);
}

void zv_code_leaf(const zvCodeBody *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZV_TAPE_CONSTANT)
        zv_code_number(b->text, n->value);
    else if (n->op == ZV_TAPE_INPUT)
        zv_code_input(b, n->a, "%s%d");
    else if ((n->op == ZV_TAPE_SIN || n->op == ZV_TAPE_COS) && b->p->lane[zv_edge_node(n->a)] >= 0)
        sine_name(b, n);
    else if (b->keep.place && b->keep.place[i] >= 0)
        zv_code_place(b, i);
    else
        zv_code(b->text, "t%d", b->number[i]);
}

static void sum(const zvCodeBody *b, int i, bool negative);

/* A factor, or an operand that must be one: sums in parentheses, products too where they stand on the right. */
static void factor(const zvCodeBody *b, int i, bool right) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (!b->p->inlined[i]) {
        zv_code_leaf(b, i);
    } else if (n->op == ZV_TAPE_MUL && !right) {
        factor(b, zv_edge_node(n->a), false);
        zv_code_puts(b->text, " * ");
        factor(b, zv_edge_node(n->b), true);
    } else {
        zv_code_puts(b->text, "(");
        sum(b, i, false);
        zv_code_puts(b->text, ")");
    }
}

void zv_code_operation(const zvCodeBody *b, int i, bool negative) {
    const zvTapeNode *n = &b->p->tape->node[i];
    const int left = zv_edge_node(n->a), right = zv_edge_node(n->b);
    if (n->op == ZV_TAPE_ADD) {
        sum(b, left, negative);
        const bool minus = negative != zv_edge_negative(n->b);
        zv_code_puts(b->text, minus ? " - " : " + ");
        if (b->p->inlined[right] && b->p->tape->node[right].op == ZV_TAPE_MUL)
            sum(b, right, false);
        else
            factor(b, right, true);
        return;
    }
    if (negative) zv_code_puts(b->text, "-");
    factor(b, left, false);
    zv_code_puts(b->text, n->op == ZV_TAPE_DIV ? " / " : " * ");
    factor(b, right, true);
}

static void sum(const zvCodeBody *b, int i, bool negative) {
    if (b->p->inlined[i]) {
        zv_code_operation(b, i, negative);
    } else {
        if (negative) zv_code_puts(b->text, "-");
        zv_code_leaf(b, i);
    }
}
