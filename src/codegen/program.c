#include "codegen/program.h"

#include <limits.h>
#include <stdlib.h>

#include "codegen/simplify.h"
#include "linalg/ltdl.h"

/* Products go inside the sums that use them, so that compilers fuse them; longer expressions gain nothing and read
 * badly. Bounds the depth of expressions too. */
enum { MOST_LEAVES = 8 };

int zi_node_operands(const ziTapeNode *node) {
    if (node->op < ZI_TAPE_ADD) return 0;
    return node->op <= ZI_TAPE_DIV ? 2 : 1;
}

bool zi_program_short(const ziProgram *program) {
    enum { SHORT = 1500 };
    const zvOperations o = zi_tape_operations(program->tape);
    return o.mul + o.add <= SHORT;
}

static bool trigonometric(const ziTapeNode *n) { return n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS; }

/* Uses by nodes and by outputs; outputs of one node form a list. */
static void count_uses(ziProgram *p) {
    for (int i = 0; i < p->tape->count; i++) {
        const ziTapeNode *n = &p->tape->node[i];
        const int operands = zi_node_operands(n);
        if (operands > 0) p->uses[zi_edge_node(n->a)]++;
        if (operands > 1) p->uses[zi_edge_node(n->b)]++;
        p->first[i] = p->lane[i] = -1;
    }
    for (int k = (int)p->count - 1; k >= 0; k--) {
        const int node = zi_edge_node(p->output[k]);
        p->uses[node]++;
        p->answers[node]++;
        p->next[k] = p->first[node];
        p->first[node] = k;
    }
    for (size_t k = p->count; k < p->count + 2 * p->guards; k++) p->uses[zi_edge_node(p->output[k])] += 2;
}

/* The input an angle is made of, perhaps with an offset: neighbours are then loaded together. */
static int angle_key(const ziTape *tape, int node) {
    const ziTapeNode *n = &tape->node[node];
    if (n->op == ZI_TAPE_ADD && tape->node[zi_edge_node(n->a)].op == ZI_TAPE_CONSTANT)
        n = &tape->node[zi_edge_node(n->b)];
    return n->op == ZI_TAPE_INPUT ? n->a : INT_MAX;
}

static void sort_angles(ziProgram *p) {
    for (int i = 1; i < p->angles; i++) {
        const int node = p->angle[i], key = angle_key(p->tape, node);
        int k = i;
        for (; k > 0 && angle_key(p->tape, p->angle[k - 1]) > key; k--) p->angle[k] = p->angle[k - 1];
        p->angle[k] = node;
    }
    for (int i = 0; i < p->angles; i++) p->lane[p->angle[i]] = i;
}

/* Angles that depend on no other sine or cosine, and what they are made of. */
static void find_angles(ziProgram *p) {
    const ziTape *tape = p->tape;
    bool *late = p->inlined; /* borrowed: depends on a sine or cosine */
    for (int i = 0; i < tape->count; i++) {
        const ziTapeNode *n = &tape->node[i];
        const int operands = zi_node_operands(n), a = zi_edge_node(n->a);
        if (trigonometric(n) && !late[a] && p->lane[a] < 0) {
            p->lane[a] = p->angles;
            p->angle[p->angles++] = a;
            p->early[a] = true;
        }
        late[i] = trigonometric(n) || (operands > 0 && late[a]) || (operands > 1 && late[zi_edge_node(n->b)]);
    }
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        const int operands = p->early[i] ? zi_node_operands(n) : 0;
        if (operands > 0) p->early[zi_edge_node(n->a)] = true;
        if (operands > 1) p->early[zi_edge_node(n->b)] = true;
    }
    for (int i = 0; i < tape->count; i++) late[i] = false;
    sort_angles(p);
}

static bool may_be_inlined(const ziProgram *p, int i) {
    const ziTapeOp op = p->tape->node[i].op;
    return (op == ZI_TAPE_ADD || op == ZI_TAPE_MUL) && p->uses[i] == 1 && !p->answers[i];
}

/* Operands that are used once go into the statement that uses them, while it stays short. */
static void inline_operands(ziProgram *p) {
    int *leaves = p->next + p->count; /* the part behind: per node */
    for (int i = 0; i < p->tape->count; i++) {
        const ziTapeNode *n = &p->tape->node[i];
        leaves[i] = 1;
        if (n->op != ZI_TAPE_ADD && n->op != ZI_TAPE_MUL) continue;
        const int operand[2] = {zi_edge_node(n->a), zi_edge_node(n->b)};
        leaves[i] = 2;
        /* the smaller one first: more of them fit */
        const int small = leaves[operand[0]] > leaves[operand[1]];
        for (int k = 0; k < 2; k++) {
            const int o = operand[k ? !small : small];
            if (!may_be_inlined(p, o) || leaves[i] - 1 + leaves[o] > MOST_LEAVES) continue;
            p->inlined[o] = true;
            leaves[i] += leaves[o] - 1;
        }
    }
}

/* Arrays per node from few allocations; then uses, angles, inlining. */
zvStatus zi_program_make(ziProgram *p, const ziTape *tape, size_t count, size_t guards, const ziEdge *output) {
    *p = (ziProgram){.tape = tape, .count = count, .guards = guards, .output = output};
    const size_t nodes = (size_t)tape->count;
    p->uses = calloc(5 * nodes + count, sizeof *p->uses);
    p->next = calloc(count + nodes, sizeof *p->next);
    p->inlined = calloc(2 * nodes, sizeof *p->inlined);
    if (!p->uses || !p->next || !p->inlined) return ZV_MEMORY;
    p->answers = p->uses + nodes;
    p->first = p->answers + nodes;
    p->lane = p->first + nodes;
    p->angle = p->lane + nodes;
    p->early = p->inlined + nodes;
    count_uses(p);
    find_angles(p);
    inline_operands(p);
    return ZV_OK;
}

void zi_program_free(ziProgram *p) {
    free(p->uses);
    free(p->next);
    free(p->inlined);
    *p = (ziProgram){0};
}

/* How many statements a number must live through: by measurement. */
enum { LONG = 60 };

typedef struct Lives {
    const ziProgram *p;
    int *born, *dies; /* per node: the statement that makes it, the last one that uses it */
    int *root;        /* per node that is written inside of another: which statement's */
    int statements;
    bool late; /* answers wait until all inputs are read, and so does what they are made of */
} Lives;

/* The statement in which a node uses others, or is stored. */
static int used_in(const Lives *l, int i) { return l->late && l->p->answers[i] ? INT_MAX : l->born[i]; }

static void find_births(Lives *l) {
    const ziTape *tape = l->p->tape;
    l->statements = 0;
    for (int i = 0; i < tape->count; i++) {
        l->born[i] = l->statements;
        l->dies[i] = -1;
        l->statements += !l->p->inlined[i] && zi_node_operands(&tape->node[i]) > 0;
    }
}

/* Users stand behind what they use. */
static void find_ends(Lives *l) {
    const ziTape *tape = l->p->tape;
    for (int i = tape->count - 1; i >= 0; i--) {
        const ziTapeNode *n = &tape->node[i];
        const int root = l->p->inlined[i] ? l->root[i] : i, at = used_in(l, root);
        if (at == INT_MAX) l->dies[root] = at;
        for (int k = zi_node_operands(n) - 1; k >= 0; k--) {
            const int o = zi_edge_node(k ? n->b : n->a);
            l->root[o] = root;
            if (l->dies[o] < at) l->dies[o] = at;
        }
    }
    for (size_t k = l->p->count; k < l->p->count + 2 * l->p->guards; k++)
        l->dies[zi_edge_node(l->p->output[k])] = INT_MAX;
}

static bool lives_long(const Lives *l, int i) {
    const ziTapeOp op = l->p->tape->node[i].op;
    if (op != ZI_TAPE_ADD && op != ZI_TAPE_MUL && op != ZI_TAPE_DIV) return false;
    return !l->p->inlined[i] && !l->p->early[i] && l->dies[i] - LONG > l->born[i];
}

/* Equal pieces; what is written inside of a statement belongs to the statement's. */
static void cut(const Lives *l, ziKeep *keep) {
    keep->pieces = l->statements > ZI_PIECES_FROM ? (l->statements + ZI_PIECE - 1) / ZI_PIECE : 1;
    const int length = l->statements / keep->pieces + 1;
    for (int i = l->p->tape->count - 1; i >= 0; i--)
        keep->piece[i] = l->p->inlined[i] ? keep->piece[l->root[i]] : l->born[i] / length;
}

/* Sines of angles lie in arrays of their own, constants are written where they are used. */
static bool is_handed_on(const Lives *l, const ziKeep *keep, int i) {
    const ziProgram *p = l->p;
    const ziTapeNode *n = &p->tape->node[i];
    if (keep->pieces == 1 || p->inlined[i] || n->op < ZI_TAPE_ADD) return false;
    if ((n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS) && p->lane[zi_edge_node(n->a)] >= 0) return false;
    if (p->early[i] || l->dies[i] == INT_MAX) return true;
    const int length = l->statements / keep->pieces + 1;
    return l->dies[i] >= 0 && l->dies[i] / length != keep->piece[i];
}

/* The first place that is free; -1: there is none but far ones, which are for what is handed on. */
static int free_place(const int *until, int from, int near, int count) {
    for (int k = 0; k < count; k++)
        if (until[k] < from) return k;
    return count < near ? count : -1;
}

/* In the order of the statements, each takes the first place that is free; before them all what comes before the first
 * piece. */
static bool take_places(const Lives *l, ziKeep *keep, int first, int near) {
    const ziTape *tape = l->p->tape;
    const bool none = zi_program_short(l->p);
    int *until = malloc(((size_t)tape->count + 1) * sizeof *until);
    for (int early = 1; early >= 0 && until; early--)
        for (int i = 0; i < tape->count; i++) {
            const bool input = keep->pieces > 1 && tape->node[i].op == ZI_TAPE_INPUT && tape->node[i].a >= first;
            const bool before = input || (l->p->early[i] && !l->p->inlined[i]),
                       handed = input || is_handed_on(l, keep, i);
            if (before != early) continue;
            keep->place[i] = -1;
            if (!handed && (none || near == 0 || !lives_long(l, i))) continue;
            int k = free_place(until, early ? 0 : l->born[i], near, keep->places);
            if (k < 0 && !handed) continue;
            if (k < 0 || early) k = keep->places;
            until[k] = early || l->dies[i] == INT_MAX ? INT_MAX : l->dies[i];
            keep->place[i] = k;
            if (k >= keep->places) keep->places = k + 1;
        }
    free(until);
    return until != NULL;
}

/* Places for numbers that live long, none in short programs, and for those that are handed on. */
bool zi_keep_make(ziKeep *keep, const ziProgram *program, bool late, int first, bool near) {
    const size_t nodes = (size_t)program->tape->count;
    *keep = (ziKeep){.place = calloc(2 * nodes + 1, sizeof *keep->place)};
    int *scratch = calloc(3 * nodes + 1, sizeof *scratch);
    bool done = keep->place && scratch;
    if (done) {
        Lives lives = {.p = program, .born = scratch, .dies = scratch + nodes, .root = scratch + 2 * nodes};
        keep->piece = keep->place + nodes;
        find_births(&lives);
        lives.late = late && lives.statements <= ZI_PIECES_FROM; /* pieces have copies of what is overwritten */
        find_ends(&lives);
        cut(&lives, keep);
        done = take_places(&lives, keep, late ? first : INT_MAX, near ? ZI_KEEP_POINTERS * ZI_KEEP_NEAR : 0);
    }
    free(scratch);
    return done;
}

void zi_keep_free(ziKeep *keep) {
    free(keep->place);
    *keep = (ziKeep){0};
}

double zi_guard_floor(bool single) { return single ? 0x1p29 * LTDL_PIVOT_FLOOR : LTDL_PIVOT_FLOOR; }

static bool holds(double p, double m) { return p > LTDL_PIVOT_FLOOR * m; }

bool zi_guard_known(const ziTape *tape, const ziEdge *pair, bool *good) {
    double p, m;
    if (!zi_tape_known(tape, pair[0], &p) || !zi_tape_known(tape, pair[1], &m)) return false;
    *good = holds(p, m);
    return true;
}

/* A singular mass matrix is told with the joint that makes it so. */
static zvStatus name_freedom(const zvModel *model, zvGenerated function, int dof, zvError *error) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        const zvJointPlace at = zv_model_joint_place(model, j);
        if (dof < at.v_index || dof >= at.v_index + at.nv) continue;
        const char *part = zv_joint_type_v_part(joint->type, dof - at.v_index);
        return zv_fail(
            error, ZV_SINGULAR, joint->mark, joint->name,
            "the mass matrix is singular in every position: joint \"%s\"%s%s moves nothing that has mass, "
            "or its inertia is not positive, and \"%s\" divides by it; give what it moves a mass or inertia, "
            "or the joint an armature",
            joint->name, part ? ", " : "", part ? part : "", zv_generated_name(function));
    }
    return zv_fail(error, ZV_SINGULAR, (zvMark){0}, zv_generated_name(function),
                   "the mass matrix is singular in every position");
}

/* From the last freedom on, as they are eliminated: what comes after the first failure is no number. */
zvStatus zi_guards_refuse(const zvModel *model, zvGenerated function, const ziTape *tape, size_t pairs,
                          const ziEdge *guard, zvError *error) {
    for (size_t k = pairs; k-- > 0;) {
        bool good;
        if (zi_guard_known(tape, guard + 2 * k, &good) && !good) return name_freedom(model, function, (int)k, error);
    }
    return ZV_OK;
}

bool zi_guards_hold(size_t pairs, const ziEdge *guard, const double *value) {
    bool good = true;
    for (size_t k = 0; k < pairs; k++)
        good &= holds(zi_edge_value(value, guard[2 * k]), zi_edge_value(value, guard[2 * k + 1]));
    return good;
}
