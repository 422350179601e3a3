#include "codegen/emit.h"

#include <stdio.h>

#include "codegen/traced.h"

void zi_code_input(const ziCodeBody *b, int input, const char *form) {
    const int nq = b->nq, nv = b->nv;
    const char *array = input < nq ? "q" : input < nq + nv ? "v" : b->signature->given;
    zi_code(b->code, form, array, input < nq ? input : input < nq + nv ? input - nq : input - nq - nv);
}

/* Of one state four angles are taken together. */
static void sine_name(const ziCodeBody *b, const ziTapeNode *n) {
    const int angle = b->p->lane[zi_edge_node(n->a)];
    const char letter = n->op == ZI_TAPE_SIN ? 's' : 'c';
    const bool array = b->keep.pieces > 1;
    zi_code(b->code, array ? "%c[%d]" : "%c%d", letter, b->lanes ? angle : angle / 4);
    if (!b->lanes) zi_code(b->code, "[%d]", angle % 4);
}

void zi_code_place(const ziCodeBody *b, int i) {
    const int place = b->keep.place[i];
    if (b->far_places || place >= ZI_KEEP_POINTERS * ZI_KEEP_NEAR)
        zi_code(b->code, "keep[%d]", place);
    else
        zi_code(b->code, "p%d[%d]", place / ZI_KEEP_NEAR, place % ZI_KEEP_NEAR - ZI_KEEP_NEAR / 2);
}

/* Constants stand as they are; everything else by its name. */
void zi_code_leaf(const ziCodeBody *b, int i) {
    const ziTapeNode *n = &b->p->tape->node[i];
    if (n->op == ZI_TAPE_CONSTANT)
        zi_code_number(b->code, n->value);
    else if (b->keep.place && b->keep.place[i] >= 0)
        zi_code_place(b, i);
    else if (n->op == ZI_TAPE_INPUT)
        zi_code_input(b, n->a, "%s%d");
    else if ((n->op == ZI_TAPE_SIN || n->op == ZI_TAPE_COS) && b->p->lane[zi_edge_node(n->a)] >= 0)
        sine_name(b, n);
    else
        zi_code(b->code, "t%d", b->number[i]);
}

static void write_sum(const ziCodeBody *b, int i, bool negative);

/* A factor, or an operand that must be one: sums in parentheses, products too where they stand on the right. */
static void factor(const ziCodeBody *b, int i, bool right) {
    const ziTapeNode *n = &b->p->tape->node[i];
    if (!b->p->inlined[i]) {
        zi_code_leaf(b, i);
    } else if (n->op == ZI_TAPE_MUL && !right) {
        factor(b, zi_edge_node(n->a), false);
        zi_code_puts(b->code, " * ");
        factor(b, zi_edge_node(n->b), true);
    } else {
        zi_code_puts(b->code, "(");
        write_sum(b, i, false);
        zi_code_puts(b->code, ")");
    }
}

/* Signs go where they cost nothing: into sums, or in front of products. */
void zi_code_operation(const ziCodeBody *b, int i, bool negative) {
    const ziTapeNode *n = &b->p->tape->node[i];
    const int left = zi_edge_node(n->a), right = zi_edge_node(n->b);
    if (n->op == ZI_TAPE_ADD) {
        write_sum(b, left, negative);
        const bool minus = negative != zi_edge_negative(n->b);
        zi_code_puts(b->code, minus ? " - " : " + ");
        if (b->p->inlined[right] && b->p->tape->node[right].op == ZI_TAPE_MUL)
            write_sum(b, right, false);
        else
            factor(b, right, true);
        return;
    }
    if (negative) zi_code_puts(b->code, "-");
    factor(b, left, false);
    zi_code_puts(b->code, n->op == ZI_TAPE_DIV ? " / " : " * ");
    factor(b, right, true);
}

static void write_sum(const ziCodeBody *b, int i, bool negative) {
    if (b->p->inlined[i]) {
        zi_code_operation(b, i, negative);
    } else {
        if (negative) zi_code_puts(b->code, "-");
        zi_code_leaf(b, i);
    }
}

/* How functions are called, and their frame around the statements of emit_body.c. */

static const ziSignature signatures[ZI_GENERATED_RATES + 1] = {
    [ZV_GENERATED_INVERSE] = {"a", true, {"tau"}, false, "Inverse dynamics: tau = M a + C v + g."},
    [ZV_GENERATED_FORWARD] = {"tau", true, {"a"}, true, "Forward dynamics: a with M a + C v + g = tau."},
    [ZV_GENERATED_MASS] = {NULL, false, {"M"}, false, "Mass matrix, full and symmetric (nv x nv)."},
    [ZV_GENERATED_MINV] = {NULL, false, {"W"}, true, "Inverse of the mass matrix, full and symmetric (nv x nv)."},
    [ZV_GENERATED_BIAS] = {NULL, true, {"b"}, false, "Forces at a = 0: b = C v + g."},
    [ZV_GENERATED_GRAVITY] = {NULL, false, {"g"}, false, "Forces that hold the robot at rest."},
    [ZV_GENERATED_POSE] =
        {NULL, false, {"pose"}, false, "Pose of the frame in the world: rotation (3 x 3), origin (3)."},
    [ZV_GENERATED_JACOBIAN] = {NULL,
                               false,
                               {"J"},
                               false,
                               "Jacobian of the frame (6 x nv), world axes: rows of its origin's velocity, then of its "
                               "angular velocity."},
    [ZV_GENERATED_INVERSE_DERIVATIVES] = {"a",
                                          true,
                                          {"dq", "dv", "da"},
                                          false,
                                          "Derivatives of tau = M a + C v + g (nv x nv): dq = d tau/d q along the "
                                          "coordinates of v,\n * dv = d tau/d v, da = d tau/d a = M."},
    [ZV_GENERATED_FORWARD_DERIVATIVES] = {"tau",
                                          true,
                                          {"a", "dq", "dv", "dtau"},
                                          true,
                                          "Forward dynamics a (nv) and its derivatives (nv x nv): dq = d a/d q along "
                                          "the coordinates of v,\n * dv = d a/d v, dtau = d a/d tau = M^-1."},
    [ZI_GENERATED_RATES] = {"motion",
                            true,
                            {"tau", "tau_rate", "tau_second"},
                            false,
                            "tau = M a + C v + g along a motion with its rate and second derivative; motion (3 nv) is "
                            "a, jerk, snap."},
};

const ziSignature *zi_signature(zvGenerated function) { return &signatures[function]; }

bool zi_signature_shares(zvGenerated function) {
    return signatures[function].velocity && !signatures[function].answer[1];
}

void zi_code_arrays(ziCode *code, zvGenerated function, const char *input, const char *output, const char *behind,
                    const char *between) {
    const ziSignature *s = &signatures[function];
    zi_code(code, "%sq%s", input, behind);
    if (s->velocity) zi_code(code, "%s%sv%s", between, input, behind);
    if (s->given) zi_code(code, "%s%s%s%s", between, input, s->given, behind);
    for (int k = 0; s->answer[k]; k++) zi_code(code, "%s%s%s%s", between, output, s->answer[k], behind);
}

/* "const NAME_real *q, ..., NAME_real *tau" */
static void parameters(ziCode *code, const char *name, zvGenerated function, bool definition) {
    const char *apart = definition && !zi_signature_shares(function) ? "restrict " : "";
    char input[256], output[256];
    snprintf(input, sizeof input, "const %s_real *%s", name, apart);
    snprintf(output, sizeof output, "%s_real *%s", name, apart);
    zi_code_arrays(code, function, input, output, "", ", ");
}

void zi_code_prototype(ziCode *code, const char *name, zvGenerated function, bool definition) {
    zi_code(code, "%s %s_%s(", signatures[function].checked ? "int" : "void", name, zv_generated_name(function));
    parameters(code, name, function, definition);
    zi_code_puts(code, ")");
}

/* gcc's plain -O2 keeps the order of the statements, though this code is one long block. To schedule before allotting
 * registers gains up to 15 % in short functions; longer ones, and those over lanes, lose by it. */

static const char schedule[] = "#if defined(__GNUC__) && !defined(__clang__)\n"
                               "#pragma GCC push_options\n"
                               "#pragma GCC optimize(\"schedule-insns,sched-pressure\")\n"
                               "#endif\n";
static const char as_before[] = "#if defined(__GNUC__) && !defined(__clang__)\n"
                                "#pragma GCC pop_options\n"
                                "#endif\n";

/* A head and its statements, behind the pieces that they call. */
static long long frame_body(ziCode *code, ziCode *whole, const char *name, zvGenerated function, const zvModel *model,
                            const ziProgram *program, bool lanes) {
    const long long statements = zi_code_body(whole, code, name, function, model, program, lanes);
    zi_code_append(code, whole);
    zi_code_puts(code, "}\n");
    zi_code_free(whole);
    return statements;
}

/* The frame of a function around its statements. */
long long zi_code_function(ziCode *code, const char *name, zvGenerated function, const zvModel *model,
                           const ziProgram *program) {
    const bool scheduled = zi_program_short(program);
    ziCode whole = {.single = code->single};
    zi_code_puts(code, "\n");
    if (scheduled) zi_code_puts(code, schedule);
    zi_code_prototype(&whole, name, function, true);
    zi_code_puts(&whole, " {\n");
    const long long statements = frame_body(code, &whole, name, function, model, program, false);
    if (scheduled) zi_code_puts(code, as_before);
    return statements;
}

long long zi_code_lanes(ziCode *code, const char *name, zvGenerated function, const zvModel *model,
                        const ziProgram *program) {
    ziCode whole = {.single = code->single};
    zi_code_puts(code, "\n");
    zi_code(&whole, "%s_APART static void %s_%s_lanes(size_t stride, ", name, name, zv_generated_name(function));
    parameters(&whole, name, function, true);
    zi_code_puts(&whole, signatures[function].checked ? ", int *result) {\n" : ") {\n");
    return frame_body(code, &whole, name, function, model, program, true);
}

/* Vectors go by address: passing them depends on the instruction set, of which compilers warn. */
static const char types[] = "#define @_APART __attribute__((noinline, aligned(64)))\n"
                            "#define @_LANE(x, i) ((x)[i])\n"
                            "#define @_GET(x, i) (*(const @_loose *)((x) + (i) * stride))\n"
                            "#define @_PUT(x, i) (*(@_loose *)((x) + (i) * stride))\n"
                            "#else\n"
                            "#undef @_LANES\n"
                            "#define @_LANES 1\n"
                            "typedef @_real @_lanes;\n"
                            "typedef int @_mask;\n"
                            "#define @_APART\n"
                            "#define @_LANE(x, i) (*(&(x) + (i)))\n"
                            "#define @_GET(x, i) ((x)[(i) * stride])\n"
                            "#define @_PUT(x, i) ((x)[(i) * stride])\n"
                            "#endif\n"
                            "#define @_ALL(number) ((@_lanes){0} + (number))\n\n";

static const char padding[] =
    "/* The last states, fewer than lanes, with the last of them repeated; and back. */\n"
    "static void @_fill(size_t rows, size_t stride, size_t rest, const @_real *from, @_real *to) {\n"
    "    for (size_t i = 0; i < rows; i++)\n"
    "        for (size_t s = 0; s < @_LANES; s++)\n"
    "            to[i * @_LANES + s] = from[i * stride + (s < rest ? s : rest - 1)];\n"
    "}\n"
    "static void @_empty(size_t rows, size_t stride, size_t rest, const @_real *from, @_real *to) {\n"
    "    for (size_t i = 0; i < rows; i++)\n"
    "        for (size_t s = 0; s < rest; s++) to[i * stride + s] = from[i * @_LANES + s];\n"
    "}\n";

static const char reporting[] = "static inline int @_report(size_t count, const int *result, int *status) {\n"
                                "    int worst = 0;\n"
                                "    for (size_t s = 0; s < count; s++) {\n"
                                "        worst |= result[s];\n"
                                "        if (status) status[s] = result[s];\n"
                                "    }\n"
                                "    return worst;\n"
                                "}\n";

static void vector_type(ziCode *code, const char *name, const char *number, const char *what, const char *attributes) {
    zi_code(code, "typedef %s %s_%s __attribute__((vector_size(%s_LANES * sizeof(%s))%s));\n", number, name, what, name,
            number, attributes);
}

/* Compilers split vectors that no register holds, and some do it badly: then four. */
static void choose_lanes(ziCode *code, const char *name, int lanes) {
    zi_code(code, "#ifndef %s_LANES\n", name);
    if (lanes > 4)
        zi_code(code, "#ifdef %s\n#define %s_LANES %d\n#else\n#define %s_LANES 4\n#endif\n",
                code->single ? "__AVX__" : "__AVX512F__", name, lanes, name);
    else
        zi_code(code, "#define %s_LANES %d\n", name, lanes);
    zi_code_puts(code, "#endif\n");
}

/* Vector types of the compiler where it has them, one state at a time elsewhere. */
void zi_code_batch_head(ziCode *code, const char *name, int lanes, bool checked) {
    const bool single = code->single;
    const char *real = single ? "float" : "double";
    zi_code_puts(code, "\n/* -- batches: several states in the lanes of a vector -- */\n\n");
    choose_lanes(code, name, lanes);
    zi_code_puts(code, "#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9)\n");
    vector_type(code, name, real, "lanes", "");
    vector_type(code, name, single ? "int32_t" : "int64_t", "mask", "");
    vector_type(code, name, "int64_t", "lanes_bits", "");
    if (single) vector_type(code, name, "double", "lanes_wide", "");
    vector_type(code, name, real, "loose", single ? ", aligned(4), may_alias" : ", aligned(8), may_alias");
    zi_code_pattern(code, types, name);
    zi_code_pattern(code, padding, name);
    if (checked) zi_code_pattern(code, reporting, name);
}

void zi_code_batch_prototype(ziCode *code, const char *name, zvGenerated function) {
    const bool checked = zi_signature(function)->checked;
    char input[128], output[128];
    snprintf(input, sizeof input, "const %s_real *", name);
    snprintf(output, sizeof output, "%s_real *", name);
    zi_code(code, "%s %s_%s_batch(size_t count, size_t stride, ", checked ? "int" : "void", name,
            zv_generated_name(function));
    zi_code_arrays(code, function, input, output, "", ", ");
    zi_code_puts(code, checked ? ", int *status)" : ")");
}

/* "NAME_inverse_lanes(stride, q + at, ..., tau + at)" */
static void call(ziCode *code, const char *name, zvGenerated function, const char *stride, const char *before,
                 const char *behind) {
    zi_code(code, "%s_%s_lanes(%s, ", name, zv_generated_name(function), stride);
    zi_code_arrays(code, function, before, before, behind, ", ");
    zi_code_puts(code, zi_signature(function)->checked ? ", result)" : ")");
}

static void declare_rest(ziCode *code, const char *name, const char *array, size_t rows) {
    zi_code(code, "    %s_real last_%s[%zu * %s_LANES];\n", name, array, rows, name);
}

static void move_rest(ziCode *code, const char *name, const char *array, size_t rows, bool back) {
    zi_code(code,
            back ? "    %s_empty(%zu, stride, count - at, last_%s, %s + at);\n"
                 : "    %s_fill(%zu, stride, count - at, %s + at, last_%s);\n",
            name, rows, array, array);
}

/* The incomplete group: on the stack, as a batch of its own. */
static void write_rest(ziCode *code, const char *name, zvGenerated function, const zvModel *model) {
    const ziSignature *s = zi_signature(function);
    const char *inputs[] = {"q", s->velocity ? "v" : NULL, s->given};
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    for (int k = 0; k < 3; k++)
        if (inputs[k]) declare_rest(code, name, inputs[k], k ? nv : nq);
    for (int k = 0; s->answer[k]; k++) declare_rest(code, name, s->answer[k], zi_generated_part(model, function, k));
    for (int k = 0; k < 3; k++)
        if (inputs[k]) move_rest(code, name, inputs[k], k ? nv : nq, false);
    zi_code_puts(code, "    ");
    char stride[128];
    snprintf(stride, sizeof stride, "%s_LANES", name);
    call(code, name, function, stride, "last_", "");
    zi_code_puts(code, ";\n");
    for (int k = 0; s->answer[k]; k++) move_rest(code, name, s->answer[k], zi_generated_part(model, function, k), true);
}

/* Whole groups in place; the last states are copied so that no lane reads beyond the arrays. */
void zi_code_batch(ziCode *code, const char *name, zvGenerated function, const zvModel *model) {
    const bool checked = zi_signature(function)->checked;
    zi_code_puts(code, "\n");
    zi_code_batch_prototype(code, name, function);
    zi_code_puts(code, " {\n    size_t at = 0;\n");
    if (checked) zi_code(code, "    int worst = 0, result[%s_LANES];\n", name);
    zi_code(code, "    for (; count - at >= %s_LANES; at += %s_LANES) {\n        ", name, name);
    call(code, name, function, "stride", "", " + at");
    zi_code_puts(code, ";\n");
    if (checked)
        zi_code(code, "        worst |= %s_report(%s_LANES, result, status ? status + at : status);\n", name, name);
    zi_code_puts(code,
                 checked ? "    }\n    if (at == count) return worst;\n" : "    }\n    if (at == count) return;\n");
    write_rest(code, name, function, model);
    if (checked)
        zi_code(code, "    return worst | %s_report(count - at, result, status ? status + at : status);\n", name);
    zi_code_puts(code, "}\n");
}
