#include "codegen/emit.h"

#include <stdio.h>

#include "zveno/version.h"

void zi_code_command(ziCode *code, const char *name) {
    zi_code(code, "cc -std=c17 -O2 -march=native -ffp-contract=fast -c %s.c", name);
}

/* A row per entry of an array: "   3  elbow [rad]". */
static void list_coordinates(ziCode *code, const zvModel *model, bool positions) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        const zvJointPlace at = zv_model_joint_place(model, j);
        for (int k = 0; k < (positions ? at.nq : at.nv); k++) {
            const char *part = positions ? zv_joint_type_q_part(joint->type, k) : zv_joint_type_v_part(joint->type, k);
            zi_code(code, " *   %3d  ", (positions ? at.q_index : at.v_index) + k);
            zi_code_remark(code, joint->name);
            if (part) zi_code(code, ".%s", part);
            if (positions)
                zi_code(code, " [%s]\n", zv_joint_type_q_unit(joint->type, k));
            else
                zi_code(code, " [%s], force [%s]\n", zv_joint_type_v_unit(joint->type, k, ZV_QUANTITY_VELOCITY),
                        zv_joint_type_v_unit(joint->type, k, ZV_QUANTITY_FORCE));
        }
    }
}

static bool has_quaternions(const zvModel *model) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJointPlace at = zv_model_joint_place(model, j);
        if (at.nq != at.nv) return true;
    }
    return false;
}

/* What a reader of the header must know: units, frames, order of the coordinates. */
static void describe(ziCode *code, const ziEmitContext *source) {
    const zvModel *model = source->model;
    double g[3];
    zv_model_gravity(model, g);
    zi_code_puts(code, "/* Dynamics of the robot ");
    zi_code_remark(code, zv_model_name(model));
    zi_code(code,
            ", code for it alone, written by zveno %s. No memory of its own, re-entrant.\n"
            " *\n"
            " * Recommended: ",
            zv_version());
    zi_code_command(code, source->name);
    zi_code(code,
            "\n *\n"
            " * SI units and radians; matrices row-major; gravity (%g, %g, %g) m/s^2. ",
            g[0], g[1], g[2]);
    if (source->options->smoothing > 0)
        zi_code(code,
                "Besides tau\n"
                " * springs, damping and friction of the joints act, p = -stiffness (q - rest) - damping v - friction\n"
                " * tanh(v/%g): tau = M a + C v + g - p. Armature is part of the mass matrix.\n",
                source->options->smoothing);
    else
        zi_code_puts(code, "tau is the whole force in a\n"
                           " * joint: springs, damping and friction are not added; armature is part of the mass "
                           "matrix.\n");
    if (has_quaternions(model))
        zi_code_puts(code, " * Quaternions are x, y, z, w; v of a free joint: linear and angular velocity in its "
                           "body's axes.\n");
    if (zv_model_nloop(model) > 0)
        zi_code(code, " * The robot has %d closed loop%s: this is the spanning tree alone, as if they were open.\n",
                zv_model_nloop(model), zv_model_nloop(model) == 1 ? "" : "s");
    zi_code_puts(code, " *\n * q:\n");
    list_coordinates(code, model, true);
    zi_code_puts(code, " * v, a, tau:\n");
    list_coordinates(code, model, false);
    zi_code_puts(code, " */\n");
}

/* A prototype with what it computes and what that costs. */
static void declare(ziCode *code, const ziEmitContext *source, zvGenerated function) {
    const ziSignature *signature = zi_signature(function);
    const zvOperations *o = &source->summary->function[function].operations;
    zi_code(code, "/* %s", signature->what);
    if (function == ZV_GENERATED_POSE || function == ZV_GENERATED_JACOBIAN) {
        zi_code_puts(code, " Frame: ");
        zi_code_remark(code, zv_model_frame(source->model, source->options->frame).name);
        zi_code_puts(code, ".");
    }
    if (zi_signature_shares(function))
        zi_code(code, "\n * %s may be the same array as v%s%s.", signature->answer[0], signature->given ? " or " : "",
                signature->given ? signature->given : "");
    if (signature->checked)
        zi_code(code, "\n * Returns 0, or -1 when the mass matrix is not positive definite; %s undefined then.",
                signature->answer[1] ? "all answers are" : "the answer is");
    zi_code(code, "\n * %lld multiplications, %lld additions, %lld divisions and roots, %lld sines%s. */\n", o->mul,
            o->add, o->div, o->trig, source->options->smoothing > 0 ? ", cosines and tanh" : " and cosines");
    zi_code_prototype(code, source->name, function, false);
    zi_code_puts(code, ";\n");
    if (source->options->lanes) {
        zi_code_batch_prototype(code, source->name, function);
        zi_code_puts(code, ";\n");
    }
    zi_code_puts(code, "\n");
}

static void describe_batches(ziCode *code, const ziEmitContext *source) {
    zi_code(
        code,
        "/* Functions ending in _batch answer for count states, up to %d at once: entry i of state s stands at\n"
        " * [i * stride + s], stride >= count. A state is answered the same wherever it stands. Of those that return\n"
        " * int, status (count) or NULL receives what the function returns for each state, and the worst is\n"
        " * returned. The last states, when they do not fill the lanes, are computed on the stack. */\n\n",
        source->options->lanes);
}

/* NAME.h, for C and C++. */
void zi_code_header(ziCode *code, const ziEmitContext *source) {
    const char *name = source->name;
    describe(code, source);
    zi_code_pattern(code,
                    "#ifndef @_GENERATED_H\n"
                    "#define @_GENERATED_H\n\n",
                    name);
    if (source->options->lanes) zi_code_puts(code, "#include <stddef.h>\n\n");
    zi_code_pattern(code,
                    "#ifdef __cplusplus\n"
                    "extern \"C\" {\n"
                    "#endif\n\n",
                    name);
    zi_code(code, "#define %s_NQ %d\n#define %s_NV %d\n\n", name, zv_model_nq(source->model), name,
            zv_model_nv(source->model));
    zi_code(code, "typedef %s %s_real;\n\n", code->single ? "float" : "double", name);
    if (source->options->lanes) describe_batches(code, source);
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++)
        if (source->options->functions & 1u << f) declare(code, source, (zvGenerated)f);
    zi_code_motors_declare(code, source);
    zi_code_puts(code, "#ifdef __cplusplus\n"
                       "}\n"
                       "#endif\n"
                       "#endif\n");
}

/* Includes and what compilers are told about the code that follows. */
void zi_code_source_head(ziCode *code, const ziEmitContext *source) {
    zi_code(code, "/* Written by zveno %s for %s.h, which says what is what. */\n", zv_version(), source->name);
    zi_code(code, "#include \"%s.h\"\n\n#include <math.h>\n#include <stdint.h>\n\n", source->name);
    /* Strict C17 turns contraction off in gcc, which costs a fifth of the speed. */
    zi_code_puts(code, "#if defined(__GNUC__) && !defined(__clang__)\n"
                       "#pragma GCC optimize(\"fp-contract=fast,rename-registers\")\n"
                       "#endif\n");
    zi_code_pattern(code,
                    "/* What a pointer points to is not known any more, so that compilers use it as it stands. */\n"
                    "#if defined(__GNUC__)\n"
                    "#define @_ANEW(p) __asm__(\"\" : \"+r\"(p))\n"
                    "#else\n"
                    "#define @_ANEW(p) ((void)0)\n"
                    "#endif\n\n",
                    source->name);
}

/* The method of real/sincos.h: reduction by three parts of pi/2, minimax polynomials, quadrants by exchange. Here the
 * polynomials are summed in pairs, which takes half as long, and what reduction lost is a first-order correction.
 * Single precision computes in double with shorter (Taylor) polynomials. */

static const char head[] =
    "/* Sines s and cosines c of four angles at once, below 1 ulp off. Returns the sum of their squares: above @_NEAR\n"
    " * an angle may be too large for the reduction (or is not a number), and @_FAR looks at each. */\n"
    "#define @_NEAR ";

static const char types_double[] = "#if defined(__GNUC__)\n"
                                   "typedef double @_four __attribute__((vector_size(32)));\n"
                                   "typedef int64_t @_four_bits __attribute__((vector_size(32)));\n\n";

/* Here @ is the vector: x is given, *s and *c are asked for. */
static const char core_double[] =
    "    const @ shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52; /* x 2/pi in the low bits */\n"
    "    const @ k = shifted - 0x1.8p52;\n"
    "    const @ y = x - k * 0x1.921fb544p+0, w = k * 0x1.0b4611a6p-34;\n"
    "    const @ u = y - w, low = (y - u) - w - k * 0x1.3198a2e037073p-69;\n"
    "    const @ z = u * u, z2 = z * z, half = 0.5 * z, one = 1.0 - half;\n"
    "    const @ p = ((-0x1.5555555555549p-3 + z * 0x1.111111110f8a6p-7) +\n"
    "                 z2 * (-0x1.a01a019c161d5p-13 + z * 0x1.71de357b1fe7dp-19)) +\n"
    "                z2 * z2 * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33);\n"
    "    const @ r = ((0x1.555555555554cp-5 - z * 0x1.6c16c16c15177p-10) +\n"
    "                 z2 * (0x1.a01a019cb159p-16 - z * 0x1.27e4f809c52adp-22)) +\n"
    "                z2 * z2 * (0x1.1ee9ebdb4b1c4p-29 - z * 0x1.8fae9be8838d4p-37);\n"
    "    const @ sine = u + (low * one + u * z * p);\n"
    "    const @ cosine = one + (((1.0 - one) - half) + (z2 * r - u * low));\n"
    "    const @_bits n = (@_bits)shifted, swap = ((@_bits)sine ^ (@_bits)cosine) & -(n & 1);\n"
    "    *s = (@)((@_bits)sine ^ swap ^ ((n & 2) << 62));\n"
    "    *c = (@)((@_bits)cosine ^ swap ^ (((n + 1) & 2) << 62));\n";

static const char types_float[] = "#if defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9)\n"
                                  "typedef float @_four __attribute__((vector_size(16)));\n"
                                  "typedef double @_four_wide __attribute__((vector_size(32)));\n"
                                  "typedef int64_t @_four_bits __attribute__((vector_size(32)));\n\n";

static const char core_float[] =
    "    const @_wide wide = __builtin_convertvector(x, @_wide);\n"
    "    const @_wide shifted = wide * 0x1.45f306dc9c883p-1 + 0x1.8p52; /* x 2/pi in the low bits */\n"
    "    const @_wide k = shifted - 0x1.8p52;\n"
    "    const @_wide y = (wide - k * 0x1.921fb544p+0) - k * 0x1.0b4611a626331p-34;\n"
    "    const @_wide z = y * y, z2 = z * z;\n"
    "    const @_wide p = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));\n"
    "    const @_wide r = (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800));\n"
    "    const @_wide sine = y + y * z * p, cosine = (1.0 - z * 0.5) + z2 * r;\n"
    "    const @_bits n = (@_bits)shifted, swap = ((@_bits)sine ^ (@_bits)cosine) & -(n & 1);\n"
    "    *s = __builtin_convertvector((@_wide)((@_bits)sine ^ swap ^ ((n & 2) << 62)), @);\n"
    "    *c = __builtin_convertvector((@_wide)((@_bits)cosine ^ swap ^ (((n + 1) & 2) << 62)), @);\n";

/* Always: functions with other options of gcc's would call it. */
static const char fast[] =
    "__attribute__((always_inline)) static inline @_real @_sincos(@_real x0, @_real x1, @_real x2, @_real x3,\n"
    "                                                            @_four *s, @_four *c) {\n"
    "    const @_four x = {x0, x1, x2, x3};\n";

/* Copies go to the rare function, so that what the others use can stay in registers. */
static const char plain[] =
    "__attribute__((noinline, cold)) static void @_far(@_real x0, @_real x1, @_real x2, @_real x3, @_four *s,\n"
    "                                                  @_four *c) {\n"
    "    const @_real x[4] = {x0, x1, x2, x3};\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        if (x[i] * x[i] <= @_NEAR) continue;\n"
    "        (*s)[i] = @_sin(x[i]);\n"
    "        (*c)[i] = @_cos(x[i]);\n"
    "    }\n"
    "}\n"
    "#define @_FAR(x0, x1, x2, x3, s, c)         \\\n"
    "    do {                                    \\\n"
    "        @_four u_ = s, w_ = c;              \\\n"
    "        @_far(x0, x1, x2, x3, &u_, &w_);    \\\n"
    "        s = u_, c = w_;                     \\\n"
    "    } while (0)\n"
    "/* Four zeros from x on. */\n"
    "typedef @_real @_zeros __attribute__((vector_size(4 * sizeof(@_real)), aligned(sizeof(@_real)), may_alias));\n"
    "#define @_CLEAR(x) (*(@_zeros *)&(x) = (@_zeros){0, 0, 0, 0})\n"
    "#else\n"
    "#define @_CLEAR(x) ((&(x))[0] = (&(x))[1] = (&(x))[2] = (&(x))[3] = 0)\n"
    "typedef @_real @_four[4];\n\n"
    "static inline @_real @_sincos(@_real x0, @_real x1, @_real x2, @_real x3, @_four *s, @_four *c) {\n"
    "    const @_real x[4] = {x0, x1, x2, x3};\n"
    "    for (int i = 0; i < 4; i++) {\n"
    "        (*s)[i] = @_sin(x[i]);\n"
    "        (*c)[i] = @_cos(x[i]);\n"
    "    }\n"
    "    return 0;\n"
    "}\n"
    "#define @_FAR(x0, x1, x2, x3, s, c) ((void)0)\n"
    "#endif\n";

static void core(ziCode *code, const char *name, const char *vector) {
    char type[128];
    snprintf(type, sizeof type, "%s_%s", name, vector);
    zi_code_pattern(code, code->single ? core_float : core_double, type);
}

/* Constants and types of the precision, then the function for four angles. */
void zi_code_sincos(ziCode *code, const char *name) {
    zi_code_pattern(code, head, name);
    zi_code_puts(code, code->single ? "1e10f\n" : "1e10\n");
    for (int cosine = 0; cosine < 2; cosine++)
        zi_code(code, "#define %s_%s %s%s\n", name, cosine ? "cos" : "sin", cosine ? "cos" : "sin",
                code->single ? "f" : "");
    zi_code_puts(code, "\n");
    zi_code_pattern(code, code->single ? types_float : types_double, name);
    zi_code_pattern(code, fast, name);
    core(code, name, "four");
    zi_code_puts(code, "    return x0 * x0 + x1 * x1 + x2 * x2 + x3 * x3;\n}\n\n");
    zi_code_pattern(code, plain, name);
}

/* -- of many states ---------------------------------------------------------------------------------------------- */

static const char lanes_head[] =
    "\n/* The same of one angle of several states; far: sums of squares so far. */\n"
    "#if @_LANES > 1\n"
    "static inline void @_sincos_lanes(const @_lanes *angle, @_lanes *s, @_lanes *c, @_lanes *far) {\n"
    "    const @_lanes x = *angle;\n";

static const char lanes_plain[] =
    "    *far += x * x;\n"
    "}\n"
    "#else\n"
    "static inline void @_sincos_lanes(const @_lanes *angle, @_lanes *s, @_lanes *c, @_lanes *far) {\n"
    "    (void)far;\n"
    "    *s = @_sin(*angle);\n"
    "    *c = @_cos(*angle);\n"
    "}\n"
    "#endif\n\n"
    "@_APART static void @_far_lanes(const @_lanes *x, @_lanes *s, @_lanes *c) {\n"
    "    for (int i = 0; i < @_LANES; i++) {\n"
    "        const @_real angle = @_LANE(*x, i);\n"
    "        if (angle * angle <= @_NEAR) continue;\n"
    "        @_LANE(*s, i) = @_sin(angle);\n"
    "        @_LANE(*c, i) = @_cos(angle);\n"
    "    }\n"
    "}\n"
    "#define @_FAR_LANES(x, s, c)                \\\n"
    "    do {                                    \\\n"
    "        @_lanes x_ = x, u_ = s, w_ = c;     \\\n"
    "        @_far_lanes(&x_, &u_, &w_);         \\\n"
    "        s = u_, c = w_;                     \\\n"
    "    } while (0)\n\n"
    "static inline int @_any_far(const @_lanes *far) {\n"
    "    const @_mask bad = (@_mask)(*far > @_NEAR) | (@_mask)(*far != *far);\n"
    "    int any = 0;\n"
    "    for (int i = 0; i < @_LANES; i++) any |= @_LANE(bad, i) != 0;\n"
    "    return any;\n"
    "}\n";

void zi_code_sincos_lanes(ziCode *code, const char *name) {
    zi_code_pattern(code, lanes_head, name);
    core(code, name, "lanes");
    zi_code_pattern(code, lanes_plain, name);
}
