/* Statements in the order of the tape. Inputs are read where they are first needed, answers stored where they are
 * ready, but none before the last input that may share its array. */
#include "codegen/emit_body.h"

#include <stdio.h>
#include <stdlib.h>

#include "codegen/guards.h"
#include "codegen/traced.h"

typedef struct Body {
    zvCodeText *text;
    const char *name;
    zvGenerated function;
    const zvSignature *signature;
    const zvModel *model;
    const zvProgram *p;
    int nq, nv;
    bool lanes;   /* numbers are NAME_lanes, one lane for each state */
    int *number;  /* per node: of its temporary, or 1 once an input is read; 0: not yet */
    int unread;   /* inputs that may share their array with the answer and are still to be read */
    int *waiting; /* nodes whose answers wait for that */
    int waits;
    int temporaries;
    long long statements;
} Body;

/* -- expressions ------------------------------------------------------------------------------------------------ */

static void input_name(const Body *b, int input, const char *form) {
    const int nq = b->nq, nv = b->nv;
    const char *array = input < nq ? "q" : input < nq + nv ? "v" : b->signature->given;
    zv_code(b->text, form, array, input < nq ? input : (input - nq) % nv);
}

/* Of one state four angles are taken together. */
static void sine_name(const Body *b, const zvTapeNode *n) {
    const int angle = b->p->lane[zv_edge_node(n->a)];
    const char letter = n->op == ZV_TAPE_SIN ? 's' : 'c';
    if (b->lanes)
        zv_code(b->text, "%c%d", letter, angle);
    else
        zv_code(b->text, "%c%d[%d]", letter, angle / 4, angle % 4);
}

static void leaf(const Body *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZV_TAPE_CONSTANT)
        zv_code_number(b->text, n->value);
    else if (n->op == ZV_TAPE_INPUT)
        input_name(b, n->a, "%s%d");
    else if ((n->op == ZV_TAPE_SIN || n->op == ZV_TAPE_COS) && b->p->lane[zv_edge_node(n->a)] >= 0)
        sine_name(b, n);
    else
        zv_code(b->text, "t%d", b->number[i]);
}

static void sum(const Body *b, int i, bool negative);

/* A factor, or an operand that must be one: sums in parentheses, products too where they stand on the right. */
static void factor(const Body *b, int i, bool right) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (!b->p->inlined[i]) {
        leaf(b, i);
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

/* What a node is, whether or not it has a name. The depth is bounded by what is inlined. */
static void operation(const Body *b, int i, bool negative) {
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

static void sum(const Body *b, int i, bool negative) {
    if (b->p->inlined[i]) {
        operation(b, i, negative);
    } else {
        if (negative) zv_code_puts(b->text, "-");
        leaf(b, i);
    }
}

/* -- statements ------------------------------------------------------------------------------------------------- */

static void start_number(const Body *b) { zv_code(b->text, "    const %s_%s ", b->name, b->lanes ? "lanes" : "real"); }

/* Reads the inputs below a node that is about to be written. */
static void read_inputs(Body *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZV_TAPE_INPUT && !b->number[i]) {
        b->number[i] = 1;
        b->unread -= n->a >= b->nq && b->unread > 0;
        b->statements++;
        start_number(b);
        input_name(b, n->a, "%s%d = ");
        if (b->lanes) zv_code(b->text, "%s_GET", b->name);
        input_name(b, n->a, b->lanes ? "(%s, %d);\n" : "%s[%d];\n");
    }
    const int operands = zv_node_operands(n);
    for (int k = 0; k < operands; k++) {
        const int o = zv_edge_node(k ? n->b : n->a);
        if (b->p->inlined[o] || b->p->tape->node[o].op == ZV_TAPE_INPUT) read_inputs(b, o);
    }
}

/* "M[3]" */
static void answer_place(const Body *b, int k) {
    int part = 0;
    for (int size; k >= (size = (int)zv_generated_part(b->model, b->function, part)); part++) k -= size;
    const char *array = b->signature->answer[part];
    if (b->lanes)
        zv_code(b->text, "%s_PUT(%s, %d)", b->name, array, k);
    else
        zv_code(b->text, "%s[%d]", array, k);
}
static void answer_name(const Body *b, int k) {
    answer_place(b, k);
    zv_code_puts(b->text, " = ");
}

/* A number that nothing is computed for. */
static void store_leaf(const Body *b, int i, bool negative) {
    const zvTapeNode *n = &b->p->tape->node[i];
    const bool constant = n->op == ZV_TAPE_CONSTANT;
    if (b->lanes && constant) zv_code(b->text, "%s_ALL(", b->name);
    if (negative && !(constant && n->value == 0)) zv_code_puts(b->text, "-");
    leaf(b, i);
    if (b->lanes && constant) zv_code_puts(b->text, ")");
}

/* All answers of a node, those of one sign in one statement: "M[1] = M[7] = ...". */
static void store(Body *b, int i, bool whole) {
    for (int negative = 0; negative < 2; negative++) {
        bool any = false;
        for (int k = b->p->first[i]; k >= 0; k = b->p->next[k]) {
            if (zv_edge_negative(b->p->output[k]) != negative) continue;
            if (!any) zv_code_puts(b->text, "    ");
            answer_name(b, k);
            any = true;
        }
        if (!any) continue;
        if (whole)
            operation(b, i, negative);
        else
            store_leaf(b, i, negative);
        zv_code_puts(b->text, ";\n");
        b->statements++;
    }
}

/* How many answers from k on are this node's, side by side in one array. */
static int run_of(const Body *b, int k) {
    int part = 0, end = 0, run = 1;
    while ((end += (int)zv_generated_part(b->model, b->function, part)) <= k) part++;
    for (; b->p->next[k] == k + 1 && k + 1 < end; k++) run++;
    return run;
}

/* Zeros of one state: where four or more lie side by side, four at a time; as numbers they would be most of the code of
 * a mass matrix with many branches. */
static void store_zeros(Body *b, int i) {
    enum { FOUR = 4 };
    bool any = false;
    for (int k = b->p->first[i], run; k >= 0; k = b->p->next[k + run - 1]) {
        run = run_of(b, k);
        for (int done = 0; done < run && run >= FOUR; done += FOUR) {
            zv_code(b->text, "    %s_CLEAR(", b->name);
            answer_place(b, k + (done + FOUR <= run ? done : run - FOUR));
            zv_code_puts(b->text, ");\n");
            b->statements++;
        }
    }
    for (int k = b->p->first[i], run; k >= 0; k = b->p->next[k + run - 1]) {
        run = run_of(b, k);
        for (int one = k; one < k + run && run < FOUR; one++) {
            if (!any) zv_code_puts(b->text, "    ");
            answer_name(b, one);
            any = true;
        }
    }
    if (!any) return;
    store_leaf(b, i, false);
    zv_code_puts(b->text, ";\n");
    b->statements++;
}

static bool same_sign(const zvProgram *p, int i) {
    for (int k = p->first[i]; k >= 0; k = p->next[k])
        if (p->output[k] != p->output[p->first[i]]) return false;
    return true;
}

/* Nothing but one store needs it: the expression stands there. */
static bool only_stored(const zvProgram *p, int i) {
    const zvTapeOp op = p->tape->node[i].op;
    return p->answers[i] && p->uses[i] == p->answers[i] && op >= ZV_TAPE_ADD && op <= ZV_TAPE_DIV && same_sign(p, i);
}

/* A function of one number, of lanes one by one. */
static void call(const Body *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    const char *function = n->op == ZV_TAPE_SQRT ? "sqrt" : n->op == ZV_TAPE_SIN ? "sin" : "cos";
    const char *sign = zv_edge_negative(n->a) ? "-" : "", *ending = b->text->single ? "f" : "";
    if (!b->lanes) {
        zv_code(b->text, "%s%s(%s", function, ending, sign);
        leaf(b, zv_edge_node(n->a));
        zv_code_puts(b->text, ")");
        return;
    }
    zv_code(b->text, "t%d;\n    for (int i = 0; i < %s_LANES; i++) %s_LANE(t%d, i) = %s%s(%s%s_LANE(", b->number[i],
            b->name, b->name, b->number[i], function, ending, sign, b->name);
    leaf(b, zv_edge_node(n->a));
    zv_code_puts(b->text, ", i))");
}

static void name_node(Body *b, int i) {
    const bool one = zv_node_operands(&b->p->tape->node[i]) == 1;
    b->number[i] = ++b->temporaries;
    b->statements++;
    if (one && b->lanes)
        zv_code(b->text, "    %s_lanes ", b->name);
    else
        start_number(b), zv_code(b->text, "t%d = ", b->temporaries);
    if (one)
        call(b, i);
    else
        operation(b, i, false);
    zv_code_puts(b->text, ";\n");
}

static bool has_lane(const zvProgram *p, int i) {
    const zvTapeNode *n = &p->tape->node[i];
    return (n->op == ZV_TAPE_SIN || n->op == ZV_TAPE_COS) && p->lane[zv_edge_node(n->a)] >= 0;
}

static void write_node(Body *b, int i) {
    const zvProgram *p = b->p;
    if (p->tape->node[i].op == ZV_TAPE_CONSTANT || p->inlined[i]) return;
    if (p->tape->node[i].op != ZV_TAPE_INPUT || p->answers[i]) read_inputs(b, i);
    if (p->tape->node[i].op >= ZV_TAPE_ADD && !only_stored(p, i) && !has_lane(p, i) && !b->number[i]) name_node(b, i);
    if (p->answers[i]) b->waiting[b->waits++] = i;
    for (int w = 0; w < b->waits && b->unread == 0; w++) store(b, b->waiting[w], only_stored(p, b->waiting[w]));
    if (b->unread == 0) b->waits = 0;
}

static void call_lanes(const Body *b, const char *function, int block, const char *address) {
    zv_code(b->text, "%s_%s(", b->name, function);
    for (int lane = 4 * block; lane < 4 * block + 4; lane++) {
        if (lane < b->p->angles)
            leaf(b, b->p->angle[lane]);
        else
            zv_code_puts(b->text, "0");
        zv_code_puts(b->text, ", ");
    }
    zv_code(b->text, "%ss%d, %sc%d)", address, block, address, block);
}

/* Four at a time, the sum of their squares looked at once. */
static void sines_of_one(const Body *b) {
    const int blocks = (b->p->angles + 3) / 4;
    zv_code(b->text, "    %s_four", b->name);
    for (int k = 0; k < blocks; k++) zv_code(b->text, "%s s%d, c%d", k ? "," : "", k, k);
    zv_code_puts(b->text, ";\n    if (!(");
    for (int k = 0; k < blocks; k++) {
        if (k) zv_code_puts(b->text, " + ");
        call_lanes(b, "sincos", k, "&");
    }
    zv_code(b->text, " <= %s_NEAR)) {\n", b->name);
    for (int k = 0; k < blocks; k++) {
        zv_code_puts(b->text, "        ");
        call_lanes(b, "FAR", k, "");
        zv_code_puts(b->text, ";\n");
    }
    zv_code_puts(b->text, "    }\n");
}

/* Angle by angle, those of all states together. */
static void sines_of_many(const Body *b) {
    const zvProgram *p = b->p;
    zv_code(b->text, "    %s_lanes far = %s_ALL(0)", b->name, b->name);
    for (int k = 0; k < p->angles; k++) zv_code(b->text, ", s%d, c%d", k, k);
    zv_code_puts(b->text, ";\n");
    for (int far = 0; far < 2; far++) {
        if (far) zv_code(b->text, "    if (%s_any_far(&far)) {\n", b->name);
        for (int k = 0; k < p->angles; k++) {
            zv_code(b->text, far ? "        %s_FAR_LANES(" : "    %s_sincos_lanes(&", b->name);
            leaf(b, p->angle[k]);
            zv_code(b->text, far ? ", s%d, c%d);\n" : ", &s%d, &c%d, &far);\n", k, k);
        }
    }
    zv_code_puts(b->text, "    }\n");
}

static void write_angles(Body *b) {
    const zvProgram *p = b->p;
    if (!p->angles) return;
    for (int i = 0; i < p->tape->count; i++) {
        if (!p->early[i] || p->inlined[i] || p->tape->node[i].op == ZV_TAPE_CONSTANT) continue;
        read_inputs(b, i);
        if (p->tape->node[i].op >= ZV_TAPE_ADD) name_node(b, i);
    }
    (b->lanes ? sines_of_many : sines_of_one)(b);
    b->statements += 2 + (p->angles + 3) / 4;
}

static void signed_leaf(const Body *b, zvEdge e) {
    if (zv_edge_negative(e)) zv_code_puts(b->text, "-");
    leaf(b, zv_edge_node(e));
}

/* p > floor m */
static void write_guard(const Body *b, const zvEdge *pair) {
    const double floor = zv_guard_floor(b->text->single);
    double m;
    signed_leaf(b, pair[0]);
    zv_code_puts(b->text, " > ");
    if (zv_tape_known(b->p->tape, pair[1], &m)) {
        zv_code_number(b->text, floor * m);
    } else {
        zv_code_number(b->text, floor);
        zv_code_puts(b->text, " * ");
        signed_leaf(b, pair[1]);
    }
}

/* All of them, between strings; false when there is none. */
static bool write_guards(const Body *b, const char *first, const char *before, const char *behind) {
    const zvProgram *p = b->p;
    bool any = false, good;
    for (size_t k = 0; k < p->guards; k++) {
        const zvEdge *pair = p->output + p->count + 2 * k;
        if (zv_guard_known(p->tape, pair, &good) && good) continue;
        zv_code_puts(b->text, any ? before : first);
        write_guard(b, pair);
        zv_code_puts(b->text, behind);
        any = true;
    }
    return any;
}

static void write_verdict(const Body *b) {
    if (!b->lanes) {
        zv_code_puts(b->text, write_guards(b, "    return ", " && ", "") ? " ? 0 : -1;\n" : "    return 0;\n");
        return;
    }
    char first[256], before[256];
    snprintf(first, sizeof first, "    const %s_mask good = (%s_mask)(", b->name, b->name);
    snprintf(before, sizeof before, " &\n        (%s_mask)(", b->name);
    const bool any = write_guards(b, first, before, ")");
    if (any) zv_code_puts(b->text, ";\n");
    zv_code(b->text, "    for (int i = 0; i < %s_LANES; i++) verdict[i] = ", b->name);
    zv_code(b->text, any ? "%s_LANE(good, i) ? 0 : -1;\n" : "0;\n", b->name);
}

/* Counts what may share an array with the answer, and looks away from arrays that nothing is read of. */
static void look_at_inputs(Body *b) {
    const zvTape *tape = b->p->tape;
    int count[3] = {0};
    for (int i = 0; i < tape->count; i++) {
        const int input = tape->node[i].a;
        if (tape->node[i].op == ZV_TAPE_INPUT && b->p->uses[i])
            count[input < b->nq ? 0 : input < b->nq + b->nv ? 1 : 2]++;
    }
    b->unread = zv_signature_shares(b->function) ? count[1] + count[2] : 0;
    if (!count[0]) zv_code_puts(b->text, "    (void)q;\n");
    if (!count[1] && b->signature->velocity) zv_code_puts(b->text, "    (void)v;\n");
    if (!count[2] && b->signature->given) zv_code(b->text, "    (void)%s;\n", b->signature->given);
}

static void write_body(Body *b) {
    const zvTape *tape = b->p->tape;
    look_at_inputs(b);
    write_angles(b);
    for (int i = 0; i < tape->count; i++)
        if (tape->node[i].op != ZV_TAPE_INPUT || b->p->answers[i]) write_node(b, i);
    for (int i = 0; i < tape->count; i++) {
        if (tape->node[i].op != ZV_TAPE_CONSTANT || !b->p->answers[i]) continue;
        if (tape->node[i].value == 0 && b->p->angles && !b->lanes)
            store_zeros(b, i);
        else
            store(b, i, false);
    }
}

long long zv_code_body(zvCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                       const zvProgram *program, bool lanes) {
    const size_t nodes = (size_t)program->tape->count;
    Body b = {.text = text, .name = name, .function = function, .model = model, .p = program, .lanes = lanes};
    b.signature = zv_signature(function);
    b.nq = zv_model_nq(model);
    b.nv = zv_model_nv(model);
    b.number = calloc(nodes, sizeof *b.number);
    b.waiting = calloc(nodes, sizeof *b.waiting);
    text->failed |= !b.number || !b.waiting;
    if (!text->failed) {
        write_body(&b);
        if (b.signature->checked) write_verdict(&b);
    }
    free(b.number);
    free(b.waiting);
    return text->failed ? -1 : b.statements;
}
