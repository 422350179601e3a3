#include "codegen/emit_batch.h"

#include <stdio.h>

#include "codegen/emit_function.h"
#include "codegen/traced.h"

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

static const char reporting[] = "static inline int @_report(size_t count, const int *verdict, int *status) {\n"
                                "    int worst = 0;\n"
                                "    for (size_t s = 0; s < count; s++) {\n"
                                "        worst |= verdict[s];\n"
                                "        if (status) status[s] = verdict[s];\n"
                                "    }\n"
                                "    return worst;\n"
                                "}\n";

static void vector_type(ziCodeText *text, const char *name, const char *number, const char *what,
                        const char *attributes) {
    zi_code(text, "typedef %s %s_%s __attribute__((vector_size(%s_LANES * sizeof(%s))%s));\n", number, name, what, name,
            number, attributes);
}

/* Compilers split vectors that no register holds, and some do it badly: then four. */
static void choose_lanes(ziCodeText *text, const char *name, int lanes) {
    zi_code(text, "#ifndef %s_LANES\n", name);
    if (lanes > 4)
        zi_code(text, "#ifdef %s\n#define %s_LANES %d\n#else\n#define %s_LANES 4\n#endif\n",
                text->single ? "__AVX__" : "__AVX512F__", name, lanes, name);
    else
        zi_code(text, "#define %s_LANES %d\n", name, lanes);
    zi_code_puts(text, "#endif\n");
}

void zi_code_batch_head(ziCodeText *text, const char *name, int lanes, bool checked) {
    const bool single = text->single;
    const char *real = single ? "float" : "double";
    zi_code_puts(text, "\n/* -- batches: several states in the lanes of a vector -- */\n\n");
    choose_lanes(text, name, lanes);
    zi_code_puts(text, "#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9)\n");
    vector_type(text, name, real, "lanes", "");
    vector_type(text, name, single ? "int32_t" : "int64_t", "mask", "");
    vector_type(text, name, "int64_t", "lanes_bits", "");
    if (single) vector_type(text, name, "double", "lanes_wide", "");
    vector_type(text, name, real, "loose", single ? ", aligned(4), may_alias" : ", aligned(8), may_alias");
    zi_code_pattern(text, types, name);
    zi_code_pattern(text, padding, name);
    if (checked) zi_code_pattern(text, reporting, name);
}

void zi_code_batch_prototype(ziCodeText *text, const char *name, zvGenerated function) {
    const bool checked = zi_signature(function)->checked;
    char input[128], output[128];
    snprintf(input, sizeof input, "const %s_real *", name);
    snprintf(output, sizeof output, "%s_real *", name);
    zi_code(text, "%s %s_%s_batch(size_t count, size_t stride, ", checked ? "int" : "void", name,
            zv_generated_name(function));
    zi_code_arrays(text, function, input, output, "", ", ");
    zi_code_puts(text, checked ? ", int *status)" : ")");
}

/* "NAME_inverse_lanes(stride, q + at, ..., tau + at)" */
static void call(ziCodeText *text, const char *name, zvGenerated function, const char *stride, const char *before,
                 const char *behind) {
    zi_code(text, "%s_%s_lanes(%s, ", name, zv_generated_name(function), stride);
    zi_code_arrays(text, function, before, before, behind, ", ");
    zi_code_puts(text, zi_signature(function)->checked ? ", verdict)" : ")");
}

static void declare_rest(ziCodeText *text, const char *name, const char *array, size_t rows) {
    zi_code(text, "    %s_real last_%s[%zu * %s_LANES];\n", name, array, rows, name);
}

static void move_rest(ziCodeText *text, const char *name, const char *array, size_t rows, bool back) {
    zi_code(text,
            back ? "    %s_empty(%zu, stride, count - at, last_%s, %s + at);\n"
                 : "    %s_fill(%zu, stride, count - at, %s + at, last_%s);\n",
            name, rows, array, array);
}

/* The incomplete group: on the stack, as a batch of its own. */
static void write_rest(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model) {
    const ziSignature *s = zi_signature(function);
    const char *inputs[] = {"q", s->velocity ? "v" : NULL, s->given};
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    for (int k = 0; k < 3; k++)
        if (inputs[k]) declare_rest(text, name, inputs[k], k ? nv : nq);
    for (int k = 0; s->answer[k]; k++) declare_rest(text, name, s->answer[k], zi_generated_part(model, function, k));
    for (int k = 0; k < 3; k++)
        if (inputs[k]) move_rest(text, name, inputs[k], k ? nv : nq, false);
    zi_code_puts(text, "    ");
    char stride[128];
    snprintf(stride, sizeof stride, "%s_LANES", name);
    call(text, name, function, stride, "last_", "");
    zi_code_puts(text, ";\n");
    for (int k = 0; s->answer[k]; k++) move_rest(text, name, s->answer[k], zi_generated_part(model, function, k), true);
}

void zi_code_batch(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model) {
    const bool checked = zi_signature(function)->checked;
    zi_code_puts(text, "\n");
    zi_code_batch_prototype(text, name, function);
    zi_code_puts(text, " {\n    size_t at = 0;\n");
    if (checked) zi_code(text, "    int worst = 0, verdict[%s_LANES];\n", name);
    zi_code(text, "    for (; count - at >= %s_LANES; at += %s_LANES) {\n        ", name, name);
    call(text, name, function, "stride", "", " + at");
    zi_code_puts(text, ";\n");
    if (checked)
        zi_code(text, "        worst |= %s_report(%s_LANES, verdict, status ? status + at : status);\n", name, name);
    zi_code_puts(text,
                 checked ? "    }\n    if (at == count) return worst;\n" : "    }\n    if (at == count) return;\n");
    write_rest(text, name, function, model);
    if (checked)
        zi_code(text, "    return worst | %s_report(count - at, verdict, status ? status + at : status);\n", name);
    zi_code_puts(text, "}\n");
}
