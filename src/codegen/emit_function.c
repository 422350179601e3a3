/* How functions are called, and their frame around the statements of emit_body.c. */
#include "codegen/emit_function.h"

#include <stdio.h>

#include "codegen/emit_body.h"

static const ziSignature signatures[ZV_GENERATED] = {
    [ZV_GENERATE_INVERSE] = {"a", true, {"tau"}, false, "Inverse dynamics: tau = M a + C v + g."},
    [ZV_GENERATE_FORWARD] = {"tau", true, {"a"}, true, "Forward dynamics: a with M a + C v + g = tau."},
    [ZV_GENERATE_MASS] = {NULL, false, {"M"}, false, "Mass matrix, full and symmetric (nv x nv)."},
    [ZV_GENERATE_MINV] = {NULL, false, {"W"}, true, "Inverse of the mass matrix, full and symmetric (nv x nv)."},
    [ZV_GENERATE_BIAS] = {NULL, true, {"b"}, false, "Forces at a = 0: b = C v + g."},
    [ZV_GENERATE_GRAVITY] = {NULL, false, {"g"}, false, "Forces that hold the robot at rest."},
    [ZV_GENERATE_POSE] =
        {NULL, false, {"pose"}, false, "Pose of the frame in the world: rotation (3 x 3), origin (3)."},
    [ZV_GENERATE_JACOBIAN] = {NULL,
                              false,
                              {"J"},
                              false,
                              "Jacobian of the frame (6 x nv), world axes: rows of its origin's velocity, then of its "
                              "angular velocity."},
    [ZV_GENERATE_INVERSE_DERIVATIVES] = {"a",
                                         true,
                                         {"dq", "dv", "da"},
                                         false,
                                         "Derivatives of tau = M a + C v + g (nv x nv): dq = d tau/d q along the "
                                         "coordinates of v,\n * dv = d tau/d v, da = d tau/d a = M."},
    [ZV_GENERATE_FORWARD_DERIVATIVES] = {"tau",
                                         true,
                                         {"a", "dq", "dv", "dtau"},
                                         true,
                                         "Forward dynamics a (nv) and its derivatives (nv x nv): dq = d a/d q along "
                                         "the coordinates of v,\n * dv = d a/d v, dtau = d a/d tau = M^-1."},
};

const ziSignature *zi_signature(zvGenerated function) { return &signatures[function]; }

bool zi_signature_shares(zvGenerated function) {
    return signatures[function].velocity && !signatures[function].answer[1];
}

void zi_code_arrays(ziCodeText *text, zvGenerated function, const char *input, const char *output, const char *behind,
                    const char *between) {
    const ziSignature *s = &signatures[function];
    zi_code(text, "%sq%s", input, behind);
    if (s->velocity) zi_code(text, "%s%sv%s", between, input, behind);
    if (s->given) zi_code(text, "%s%s%s%s", between, input, s->given, behind);
    for (int k = 0; s->answer[k]; k++) zi_code(text, "%s%s%s%s", between, output, s->answer[k], behind);
}

/* "const NAME_real *q, ..., NAME_real *tau" */
static void parameters(ziCodeText *text, const char *name, zvGenerated function, bool definition) {
    const char *apart = definition && !zi_signature_shares(function) ? "restrict " : "";
    char input[256], output[256];
    snprintf(input, sizeof input, "const %s_real *%s", name, apart);
    snprintf(output, sizeof output, "%s_real *%s", name, apart);
    zi_code_arrays(text, function, input, output, "", ", ");
}

void zi_code_prototype(ziCodeText *text, const char *name, zvGenerated function, bool definition) {
    zi_code(text, "%s %s_%s(", signatures[function].checked ? "int" : "void", name, zv_generated_name(function));
    parameters(text, name, function, definition);
    zi_code_puts(text, ")");
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

long long zi_code_function(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                           const ziProgram *program) {
    const bool scheduled = zi_program_short(program);
    zi_code_puts(text, "\n");
    if (scheduled) zi_code_puts(text, schedule);
    zi_code_prototype(text, name, function, true);
    zi_code_puts(text, " {\n");
    const long long statements = zi_code_body(text, name, function, model, program, false);
    zi_code_puts(text, "}\n");
    if (scheduled) zi_code_puts(text, as_before);
    return statements;
}

long long zi_code_lanes(ziCodeText *text, const char *name, zvGenerated function, const zvModel *model,
                        const ziProgram *program) {
    zi_code(text, "\n%s_APART static void %s_%s_lanes(size_t stride, ", name, name, zv_generated_name(function));
    parameters(text, name, function, true);
    zi_code_puts(text, signatures[function].checked ? ", int *verdict) {\n" : ") {\n");
    const long long statements = zi_code_body(text, name, function, model, program, true);
    zi_code_puts(text, "}\n");
    return statements;
}
