/* Statements in the order of the tape. Inputs are read where they are first needed, answers stored where they are
 * ready, but none before the last input that may share its array. */
#include "codegen/emit.h"

#include <stdio.h>
#include <stdlib.h>

#include "codegen/columns.h"
#include "codegen/program.h"
#include "codegen/traced.h"

/* -- statements ------------------------------------------------------------------------------------------------- */

static void start_number(const ziCodeBody *b) {
    zi_code(b->code, "    const %s_%s ", b->name, b->lanes ? "lanes" : "real");
}

static bool is_kept(const ziCodeBody *b, int i) { return b->keep.place && b->keep.place[i] >= 0; }

/* Reads the inputs below a node that is about to be written. */
static void read_inputs(ziCodeBody *b, int i) {
    const ziTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZI_TAPE_INPUT && !b->number[i] && !is_kept(b, i)) {
        b->number[i] = 1;
        b->unread -= n->a >= b->nq && b->unread > 0;
        b->statements++;
        start_number(b);
        zi_code_input(b, n->a, "%s%d = ");
        if (b->lanes) zi_code(b->code, "%s_GET", b->name);
        zi_code_input(b, n->a, b->lanes ? "(%s, %d);\n" : "%s[%d];\n");
    }
    const int operands = zi_node_operands(n);
    for (int k = 0; k < operands; k++) {
        const int o = zi_edge_node(k ? n->b : n->a);
        if (b->p->inlined[o] || b->p->tape->node[o].op == ZI_TAPE_INPUT) read_inputs(b, o);
    }
}

/* "M[3]" */
static void answer_place(const ziCodeBody *b, int k) {
    const ziStoredArray *part = b->part;
    for (; k >= part->size; part++) k -= part->size;
    if (b->lanes && !part->local)
        zi_code(b->code, "%s_PUT(%s, %d)", b->name, part->array, k);
    else
        zi_code(b->code, "%s[%d]", part->array, k);
}
static void answer_name(const ziCodeBody *b, int k) {
    answer_place(b, k);
    zi_code_puts(b->code, " = ");
}

/* A number that nothing is computed for. */
static void store_leaf(const ziCodeBody *b, int i, bool negative) {
    const ziTapeNode *n = &b->p->tape->node[i];
    const bool constant = n->op == ZI_TAPE_CONSTANT;
    if (b->lanes && constant) zi_code(b->code, "%s_ALL(", b->name);
    if (negative && !(constant && n->value == 0)) zi_code_puts(b->code, "-");
    zi_code_leaf(b, i);
    if (b->lanes && constant) zi_code_puts(b->code, ")");
}

/* All answers of a node, those of one sign in one statement: "M[1] = M[7] = ...". */
static void store(ziCodeBody *b, int i, bool whole) {
    for (int negative = 0; negative < 2; negative++) {
        bool any = false;
        for (int k = b->p->first[i]; k >= 0; k = b->p->next[k]) {
            if (zi_edge_negative(b->p->output[k]) != negative) continue;
            if (!any) zi_code_puts(b->code, "    ");
            answer_name(b, k);
            any = true;
        }
        if (!any) continue;
        if (whole)
            zi_code_operation(b, i, negative);
        else
            store_leaf(b, i, negative);
        zi_code_puts(b->code, ";\n");
        b->statements++;
    }
}

/* How many answers from k on are this node's, side by side in one array. */
static int run_of(const ziCodeBody *b, int k) {
    int part = 0, end = 0, run = 1;
    while ((end += b->part[part].size) <= k) part++;
    for (; b->p->next[k] == k + 1 && k + 1 < end; k++) run++;
    return run;
}

/* Zeros of one state: where four or more lie side by side, four at a time; as numbers they would be most of the code of
 * a mass matrix with many branches. */
static void store_zeros(ziCodeBody *b, int i) {
    enum { FOUR = 4 };
    bool any = false;
    for (int k = b->p->first[i], run; k >= 0; k = b->p->next[k + run - 1]) {
        run = run_of(b, k);
        for (int done = 0; done < run && run >= FOUR; done += FOUR) {
            zi_code(b->code, "    %s_CLEAR(", b->name);
            answer_place(b, k + (done + FOUR <= run ? done : run - FOUR));
            zi_code_puts(b->code, ");\n");
            b->statements++;
        }
    }
    for (int k = b->p->first[i], run; k >= 0; k = b->p->next[k + run - 1]) {
        run = run_of(b, k);
        for (int one = k; one < k + run && run < FOUR; one++) {
            if (!any) zi_code_puts(b->code, "    ");
            answer_name(b, one);
            any = true;
        }
    }
    if (!any) return;
    store_leaf(b, i, false);
    zi_code_puts(b->code, ";\n");
    b->statements++;
}

static bool same_sign(const ziProgram *p, int i) {
    for (int k = p->first[i]; k >= 0; k = p->next[k])
        if (p->output[k] != p->output[p->first[i]]) return false;
    return true;
}

/* Nothing but one store needs it: the expression stands there. */
static bool only_stored(const ziProgram *p, int i) {
    const ziTapeOp op = p->tape->node[i].op;
    return p->answers[i] && p->uses[i] == p->answers[i] && op >= ZI_TAPE_ADD && op <= ZI_TAPE_DIV && same_sign(p, i);
}

/* A function of one number, of lanes one by one. */
static void call(const ziCodeBody *b, int i) {
    const ziTapeNode *n = &b->p->tape->node[i];
    const char *function = n->op == ZI_TAPE_SQRT   ? "sqrt"
                           : n->op == ZI_TAPE_TANH ? "tanh"
                           : n->op == ZI_TAPE_SIN  ? "sin"
                                                   : "cos";
    const char *sign = zi_edge_negative(n->a) ? "-" : "", *ending = b->code->single ? "f" : "";
    if (!b->lanes) {
        zi_code(b->code, "%s%s(%s", function, ending, sign);
        zi_code_leaf(b, zi_edge_node(n->a));
        zi_code_puts(b->code, ")");
        return;
    }
    zi_code(b->code, "t%d;\n    for (int i = 0; i < %s_LANES; i++) %s_LANE(t%d, i) = %s%s(%s%s_LANE(", b->number[i],
            b->name, b->name, b->number[i], function, ending, sign, b->name);
    zi_code_leaf(b, zi_edge_node(n->a));
    zi_code_puts(b->code, ", i))");
}

/* A statement that gives a node a name: in a variable, or in its place near a pointer. */
static void name_node(ziCodeBody *b, int i) {
    const bool one = zi_node_operands(&b->p->tape->node[i]) == 1;
    b->number[i] = ++b->temporaries;
    b->statements++;
    if (is_kept(b, i) && !(one && b->lanes))
        zi_code_puts(b->code, "    "), zi_code_place(b, i), zi_code_puts(b->code, " = ");
    else if (one && b->lanes)
        zi_code(b->code, "    %s_lanes ", b->name);
    else
        start_number(b), zi_code(b->code, "t%d = ", b->temporaries);
    if (one)
        call(b, i);
    else
        zi_code_operation(b, i, false);
    zi_code_puts(b->code, ";\n");
    if (!one || !b->lanes || !is_kept(b, i)) return;
    zi_code_puts(b->code, "    "), zi_code_place(b, i), zi_code(b->code, " = t%d;\n", b->number[i]);
}

static bool has_lane(const ziProgram *p, int i) {
    const ziTapeNode *n = &p->tape->node[i];
    return (n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS) && p->lane[zi_edge_node(n->a)] >= 0;
}

static void write_node(ziCodeBody *b, int i) {
    const ziProgram *p = b->p;
    if (p->tape->node[i].op == ZI_TAPE_CONSTANT || p->inlined[i]) return;
    const bool before = has_lane(p, i) || (p->early[i] && p->tape->node[i].op >= ZI_TAPE_ADD);
    if (!before) read_inputs(b, i);
    if (p->tape->node[i].op >= ZI_TAPE_ADD && !only_stored(p, i) && !has_lane(p, i) && !b->number[i]) name_node(b, i);
    if (p->answers[i]) b->waiting[b->waits++] = i;
    for (int w = 0; w < b->waits && b->unread == 0; w++) store(b, b->waiting[w], only_stored(p, b->waiting[w]));
    if (b->unread == 0) b->waits = 0;
}

static void call_lanes(const ziCodeBody *b, const char *function, int block, const char *address) {
    zi_code(b->code, "%s_%s(", b->name, function);
    for (int lane = 4 * block; lane < 4 * block + 4; lane++) {
        if (lane < b->p->angles)
            zi_code_leaf(b, b->p->angle[lane]);
        else
            zi_code_puts(b->code, "0");
        zi_code_puts(b->code, ", ");
    }
    zi_code(b->code, b->keep.pieces > 1 ? "%ss[%d], %sc[%d])" : "%ss%d, %sc%d)", address, block, address, block);
}

/* Four at a time, the sum of their squares looked at once. */
static void sines_of_one(const ziCodeBody *b) {
    const int blocks = (b->p->angles + 3) / 4;
    if (b->keep.pieces == 1) {
        zi_code(b->code, "    %s_four", b->name);
        for (int k = 0; k < blocks; k++) zi_code(b->code, "%s s%d, c%d", k ? "," : "", k, k);
        zi_code_puts(b->code, ";\n");
    }
    zi_code_puts(b->code, "    if (!(");
    for (int k = 0; k < blocks; k++) {
        if (k) zi_code_puts(b->code, " + ");
        call_lanes(b, "sincos", k, "&");
    }
    zi_code(b->code, " <= %s_NEAR)) {\n", b->name);
    for (int k = 0; k < blocks; k++) {
        zi_code_puts(b->code, "        ");
        call_lanes(b, "FAR", k, "");
        zi_code_puts(b->code, ";\n");
    }
    zi_code_puts(b->code, "    }\n");
}

/* Angle by angle, those of all states together. */
static void sines_of_many(const ziCodeBody *b) {
    const ziProgram *p = b->p;
    const bool array = b->keep.pieces > 1;
    const char *far_form = array ? ", s[%d], c[%d]);\n" : ", s%d, c%d);\n";
    const char *near_form = array ? ", &s[%d], &c[%d], &far);\n" : ", &s%d, &c%d, &far);\n";
    zi_code(b->code, "    %s_lanes far = %s_ALL(0)", b->name, b->name);
    for (int k = 0; k < p->angles && !array; k++) zi_code(b->code, ", s%d, c%d", k, k);
    zi_code_puts(b->code, ";\n");
    for (int far = 0; far < 2; far++) {
        if (far) zi_code(b->code, "    if (%s_any_far(&far)) {\n", b->name);
        for (int k = 0; k < p->angles; k++) {
            zi_code(b->code, far ? "        %s_FAR_LANES(" : "    %s_sincos_lanes(&", b->name);
            zi_code_leaf(b, p->angle[k]);
            zi_code(b->code, far ? far_form : near_form, k, k);
        }
    }
    zi_code_puts(b->code, "    }\n");
}

static void write_angles(ziCodeBody *b) {
    const ziProgram *p = b->p;
    if (!p->angles) return;
    for (int i = 0; i < p->tape->count; i++) {
        if (!p->early[i] || p->inlined[i] || p->tape->node[i].op == ZI_TAPE_CONSTANT) continue;
        read_inputs(b, i);
        if (p->tape->node[i].op >= ZI_TAPE_ADD) name_node(b, i);
    }
    (b->lanes ? sines_of_many : sines_of_one)(b);
    b->statements += 2 + (p->angles + 3) / 4;
}

static void signed_leaf(const ziCodeBody *b, ziEdge e) {
    if (zi_edge_negative(e)) zi_code_puts(b->code, "-");
    zi_code_leaf(b, zi_edge_node(e));
}

/* p > floor m */
static void write_guard(const ziCodeBody *b, const ziEdge *pair) {
    const double floor = zi_guard_floor(b->code->single);
    double m;
    signed_leaf(b, pair[0]);
    zi_code_puts(b->code, " > ");
    if (zi_tape_known(b->p->tape, pair[1], &m)) {
        zi_code_number(b->code, floor * m);
    } else {
        zi_code_number(b->code, floor);
        zi_code_puts(b->code, " * ");
        signed_leaf(b, pair[1]);
    }
}

/* All of them, between strings; false when there is none. */
static bool write_guards(const ziCodeBody *b, const char *first, const char *before, const char *behind) {
    const ziProgram *p = b->p;
    bool any = false, good;
    for (size_t k = 0; k < p->guards; k++) {
        const ziEdge *pair = p->output + p->count + 2 * k;
        if (zi_guard_known(p->tape, pair, &good) && good) continue;
        zi_code_puts(b->code, any ? before : first);
        write_guard(b, pair);
        zi_code_puts(b->code, behind);
        any = true;
    }
    return any;
}

/* The result of the guards: of one state as the function's value, of lanes in an array. */
static void write_result(const ziCodeBody *b) {
    if (!b->lanes) {
        zi_code_puts(b->code, write_guards(b, "    return ", " && ", "") ? " ? 0 : -1;\n" : "    return 0;\n");
        return;
    }
    char first[256], before[256];
    snprintf(first, sizeof first, "    const %s_mask good = (%s_mask)(", b->name, b->name);
    snprintf(before, sizeof before, " &\n        (%s_mask)(", b->name);
    const bool any = write_guards(b, first, before, ")");
    if (any) zi_code_puts(b->code, ";\n");
    zi_code(b->code, "    for (int i = 0; i < %s_LANES; i++) result[i] = ", b->name);
    zi_code(b->code, any ? "%s_LANE(good, i) ? 0 : -1;\n" : "0;\n", b->name);
}

/* Counts what may share an array with the answer, and looks away from arrays that nothing is read of. */
static void look_at_inputs(ziCodeBody *b) {
    const ziTape *tape = b->p->tape;
    int count[3] = {0};
    for (int i = 0; i < tape->count; i++) {
        const int input = tape->node[i].a;
        if (tape->node[i].op == ZI_TAPE_INPUT && b->p->uses[i])
            count[input < b->nq ? 0 : input < b->nq + b->nv ? 1 : 2]++;
    }
    b->unread = zi_signature_shares(b->function) ? count[1] + count[2] : 0;
    if (!count[0]) zi_code_puts(b->code, "    (void)q;\n");
    if (!count[1] && b->signature->velocity) zi_code_puts(b->code, "    (void)v;\n");
    if (!count[2] && b->signature->given) zi_code(b->code, "    (void)%s;\n", b->signature->given);
}

/* The arrays that answers go to; factors for the loop behind are local. */
static void list_parts(ziCodeBody *b) {
    int size;
    for (int k = 0; b->looped && (size = (int)zi_columns_part(b->model, b->function, k)) > 0; k++)
        b->part[k] = (ziStoredArray){b->signature->answer[k], size, false};
    for (int k = 0; !b->looped && b->signature->answer[k]; k++)
        b->part[k] = (ziStoredArray){b->signature->answer[k], (int)zi_generated_part(b->model, b->function, k), false};
    if (!b->looped) return;
    ziStoredArray *last = b->part;
    while (last[1].size) last++;
    last->array = "f";
    last->local = true;
    zi_code(b->code, "    %s_%s f[%d];\n", b->name, b->lanes ? "lanes" : "real", last->size);
}

/* Inputs that are kept, since answers may overwrite them. */
static void copy_inputs(ziCodeBody *b) {
    for (int i = 0; i < b->p->tape->count; i++) {
        if (b->p->tape->node[i].op != ZI_TAPE_INPUT || !is_kept(b, i)) continue;
        zi_code_puts(b->code, "    "), zi_code_place(b, i), zi_code_puts(b->code, " = ");
        if (b->lanes) zi_code(b->code, "%s_GET", b->name);
        zi_code_input(b, b->p->tape->node[i].a, b->lanes ? "(%s, %d);\n" : "%s[%d];\n");
        b->statements++;
    }
}

/* Inputs have to be read anew in every function. */
static void forget_inputs(ziCodeBody *b) {
    for (int i = 0; i < b->p->tape->count; i++)
        if (b->p->tape->node[i].op == ZI_TAPE_INPUT) b->number[i] = 0;
}

/* The statements of one piece, or of all. */
static void write_nodes(ziCodeBody *b, int piece) {
    const ziTape *tape = b->p->tape;
    for (int i = 0; i < tape->count; i++)
        if (b->keep.piece[i] == piece && (tape->node[i].op != ZI_TAPE_INPUT || b->p->answers[i])) write_node(b, i);
}

/* A function for each, and calls of them in turn; what the guards look at is read here. */
static void write_pieces(ziCodeBody *b) {
    ziCode *whole = b->code;
    for (int k = 0; k < b->keep.pieces; k++) {
        b->code = b->pieces;
        b->far_places = b->lanes;
        forget_inputs(b);
        zi_code_piece_begin(b, k);
        write_nodes(b, k);
        zi_code_puts(b->code, "}\n\n");
        b->code = whole;
        b->far_places = true;
        zi_code_piece_call(b, k);
    }
    forget_inputs(b);
    for (size_t k = b->p->count; k < b->p->count + 2 * b->p->guards; k++) {
        const int i = zi_edge_node(b->p->output[k]);
        if (b->p->tape->node[i].op == ZI_TAPE_INPUT) read_inputs(b, i);
    }
}

/* Answers that are constants. */
static void store_constants(ziCodeBody *b) {
    const ziTape *tape = b->p->tape;
    for (int i = 0; i < tape->count; i++) {
        if (tape->node[i].op != ZI_TAPE_CONSTANT || !b->p->answers[i]) continue;
        if (tape->node[i].value == 0 && b->p->angles && !b->lanes)
            store_zeros(b, i);
        else
            store(b, i, false);
    }
}

/* Angles first, then statements in the order of the tape, then answers that are constants or had to wait. */
static void write_body(ziCodeBody *b) {
    const bool divided = b->keep.pieces > 1;
    b->far_places = divided;
    list_parts(b);
    if (divided)
        zi_code_piece_arrays(b);
    else
        zi_code_pointers(b);
    if (b->looped) zi_code_columns_begin(b->code, b->name, b->function, b->lanes);
    look_at_inputs(b);
    write_angles(b);
    if (divided) {
        b->unread = 0;
        copy_inputs(b);
        write_pieces(b);
    } else {
        write_nodes(b, 0);
    }
    store_constants(b);
    if (b->looped) zi_code_columns_end(b->code, b->name, b->function, b->lanes);
}

/* Gathers what a body needs, and writes it unless memory was short. */
long long zi_code_body(ziCode *code, ziCode *pieces, const char *name, zvGenerated function, const zvModel *model,
                       const ziProgram *program, bool lanes) {
    const size_t nodes = (size_t)program->tape->count;
    ziCodeBody b = {.code = code,
                    .pieces = pieces,
                    .name = name,
                    .function = function,
                    .model = model,
                    .p = program,
                    .lanes = lanes};
    b.signature = zi_signature(function);
    b.looped = zi_columns_looped(model, function);
    b.nq = zv_model_nq(model);
    b.nv = zv_model_nv(model);
    b.number = calloc(nodes, sizeof *b.number);
    b.waiting = calloc(nodes, sizeof *b.waiting);
    code->failed |= !b.number || !b.waiting ||
                    !zi_keep_make(&b.keep, program, zi_signature_shares(function), zv_model_nq(model), !lanes);
    if (!code->failed) {
        write_body(&b);
        if (b.signature->checked) write_result(&b);
    }
    zi_keep_free(&b.keep);
    free(b.number);
    free(b.waiting);
    return code->failed ? -1 : b.statements;
}
