/* Statements in the order of the tape. Inputs are read where they are first needed, answers stored where they are
 * ready, but none before the last input that may share its array. */
#include "codegen/emit_function.h"

#include <stdlib.h>

#include "codegen/emit_sincos.h"
#include "codegen/guards.h"

typedef struct Body {
    zvCodeText *text;
    const char *name;
    const zvSignature *signature;
    const zvProgram *p;
    int nq, nv;
    int *number;  /* per node: of its temporary, or 1 once an input is read; 0: not yet */
    int unread;   /* inputs that may share their array with the answer and are still to be read */
    int *waiting; /* nodes whose answers wait for that */
    int waits;
    int temporaries;
    long long statements;
} Body;

static const zvSignature signatures[ZV_GENERATED] = {
    [ZV_GENERATE_INVERSE] = {"a", true, "tau", false, "Inverse dynamics: tau = M a + C v + g."},
    [ZV_GENERATE_FORWARD] = {"tau", true, "a", true, "Forward dynamics: a with M a + C v + g = tau."},
    [ZV_GENERATE_MASS] = {NULL, false, "M", false, "Mass matrix, full and symmetric (nv x nv)."},
    [ZV_GENERATE_MINV] = {NULL, false, "W", true, "Inverse of the mass matrix, full and symmetric (nv x nv)."},
    [ZV_GENERATE_BIAS] = {NULL, true, "b", false, "Forces at a = 0: b = C v + g."},
    [ZV_GENERATE_GRAVITY] = {NULL, false, "g", false, "Forces that hold the robot at rest."},
    [ZV_GENERATE_POSE] = {NULL, false, "pose", false, "Pose of the frame in the world: rotation (3 x 3), origin (3)."},
    [ZV_GENERATE_JACOBIAN] = {NULL, false, "J", false,
                              "Jacobian of the frame (6 x nv), world axes: rows of its origin's velocity, then of its "
                              "angular velocity."},
};

const zvSignature *zv_signature(zvGenerated function) { return &signatures[function]; }

void zv_code_prototype(zvCodeText *text, const char *name, zvGenerated function, bool definition) {
    const zvSignature *s = &signatures[function];
    const char *apart = definition && !s->velocity ? "restrict " : "";
    zv_code(text, "%s %s_%s(const %s_real *%sq", s->checked ? "int" : "void", name, zv_generated_name(function), name,
            apart);
    if (s->velocity) zv_code(text, ", const %s_real *v", name);
    if (s->given) zv_code(text, ", const %s_real *%s", name, s->given);
    zv_code(text, ", %s_real *%s%s)", name, apart, s->answer);
}

/* -- expressions ------------------------------------------------------------------------------------------------ */

static void input_name(const Body *b, int input, const char *form) {
    const int nq = b->nq, nv = b->nv;
    const char *array = input < nq ? "q" : input < nq + nv ? "v" : b->signature->given;
    zv_code(b->text, form, array, input < nq ? input : (input - nq) % nv);
}

static void lane_name(const Body *b, const zvTapeNode *n) {
    const int lane = b->p->lane[zv_edge_node(n->a)];
    zv_code(b->text, "%c%d[%d]", n->op == ZV_TAPE_SIN ? 's' : 'c', lane / 4, lane % 4);
}

static void leaf(const Body *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZV_TAPE_CONSTANT)
        zv_code_number(b->text, n->value);
    else if (n->op == ZV_TAPE_INPUT)
        input_name(b, n->a, "%s%d");
    else if ((n->op == ZV_TAPE_SIN || n->op == ZV_TAPE_COS) && b->p->lane[zv_edge_node(n->a)] >= 0)
        lane_name(b, n);
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

/* Reads the inputs below a node that is about to be written. */
static void read_inputs(Body *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZV_TAPE_INPUT && !b->number[i]) {
        b->number[i] = 1;
        b->unread -= n->a >= b->nq;
        b->statements++;
        zv_code(b->text, "    const %s_real ", b->name);
        input_name(b, n->a, "%s%d = ");
        input_name(b, n->a, "%s[%d];\n");
    }
    const int operands = zv_node_operands(n);
    for (int k = 0; k < operands; k++) {
        const int o = zv_edge_node(k ? n->b : n->a);
        if (b->p->inlined[o] || b->p->tape->node[o].op == ZV_TAPE_INPUT) read_inputs(b, o);
    }
}

/* All answers of a node, those of one sign in one statement: "M[1] = M[7] = ...". */
static void store(Body *b, int i, bool whole) {
    for (int negative = 0; negative < 2; negative++) {
        bool any = false;
        for (int k = b->p->first[i]; k >= 0; k = b->p->next[k]) {
            if (zv_edge_negative(b->p->output[k]) != negative) continue;
            zv_code(b->text, "%s%s[%d] = ", any ? "" : "    ", b->signature->answer, k);
            any = true;
        }
        if (!any) continue;
        if (whole)
            operation(b, i, negative);
        else if (negative && b->p->tape->node[i].value == 0 && b->p->tape->node[i].op == ZV_TAPE_CONSTANT)
            leaf(b, i);
        else
            zv_code_puts(b->text, negative ? "-" : ""), leaf(b, i);
        zv_code_puts(b->text, ";\n");
        b->statements++;
    }
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

static void name_node(Body *b, int i) {
    const zvTapeNode *n = &b->p->tape->node[i];
    b->number[i] = ++b->temporaries;
    b->statements++;
    zv_code(b->text, "    const %s_real t%d = ", b->name, b->temporaries);
    if (zv_node_operands(n) == 2) {
        operation(b, i, false);
    } else {
        const char *function = n->op == ZV_TAPE_SQRT ? "sqrt" : n->op == ZV_TAPE_SIN ? "sin" : "cos";
        zv_code(b->text, "%s%s(", function, b->text->single ? "f" : "");
        if (zv_edge_negative(n->a)) zv_code_puts(b->text, "-");
        leaf(b, zv_edge_node(n->a));
        zv_code_puts(b->text, ")");
    }
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

static void write_angles(Body *b) {
    const zvProgram *p = b->p;
    const int blocks = (p->angles + 3) / 4;
    if (!blocks) return;
    for (int i = 0; i < p->tape->count; i++) {
        if (!p->early[i] || p->inlined[i] || p->tape->node[i].op == ZV_TAPE_CONSTANT) continue;
        read_inputs(b, i);
        if (p->tape->node[i].op >= ZV_TAPE_ADD) name_node(b, i);
    }
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
    b->statements += 2 + blocks;
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

static void write_verdict(const Body *b) {
    const zvProgram *p = b->p;
    bool any = false, good;
    for (size_t k = 0; k < p->guards; k++) {
        const zvEdge *pair = p->output + p->count + 2 * k;
        if (zv_guard_known(p->tape, pair, &good) && good) continue;
        zv_code_puts(b->text, any ? " && " : "    return ");
        write_guard(b, pair);
        any = true;
    }
    zv_code_puts(b->text, any ? " ? 0 : -1;\n" : "    return 0;\n");
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
    b->unread = count[1] + count[2];
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
    for (int i = 0; i < tape->count; i++)
        if (tape->node[i].op == ZV_TAPE_CONSTANT && b->p->answers[i]) store(b, i, false);
}

long long zv_code_function(zvCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                           const zvProgram *program) {
    const size_t nodes = (size_t)program->tape->count;
    Body b = {.text = text, .name = name, .signature = &signatures[function], .p = program};
    b.nq = zv_model_nq(model);
    b.nv = zv_model_nv(model);
    b.number = calloc(nodes, sizeof *b.number);
    b.waiting = calloc(nodes, sizeof *b.waiting);
    if (b.number && b.waiting) {
        zv_code_puts(text, "\n");
        zv_code_prototype(text, name, function, true);
        zv_code_puts(text, " {\n");
        write_body(&b);
        if (b.signature->checked) write_verdict(&b);
        zv_code_puts(text, "}\n");
    } else {
        text->failed = true;
    }
    free(b.number);
    free(b.waiting);
    return text->failed ? -1 : b.statements;
}
