#include "codegen/emit_batch.h"
#include "codegen/emit_function.h"
#include "codegen/emit_source.h"
#include "zveno/version.h"

void zi_code_command(ziCodeText *text, const char *name) {
    zi_code(text, "cc -std=c17 -O2 -march=native -ffp-contract=fast -c %s.c", name);
}

/* A row per entry of an array: "   3  elbow [rad]". */
static void list_coordinates(ziCodeText *text, const zvModel *model, bool positions) {
    for (int j = 0; j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        const zvJointPlace at = zv_model_joint_place(model, j);
        for (int k = 0; k < (positions ? at.nq : at.nv); k++) {
            const char *part = positions ? zv_joint_type_q_part(joint->type, k) : zv_joint_type_v_part(joint->type, k);
            zi_code(text, " *   %3d  ", (positions ? at.q_index : at.v_index) + k);
            zi_code_remark(text, joint->name);
            if (part) zi_code(text, ".%s", part);
            if (positions)
                zi_code(text, " [%s]\n", zv_joint_type_q_unit(joint->type, k));
            else
                zi_code(text, " [%s], force [%s]\n", zv_joint_type_v_unit(joint->type, k, ZV_QUANTITY_VELOCITY),
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

static void describe(ziCodeText *text, const ziSource *source) {
    const zvModel *model = source->model;
    double g[3];
    zv_model_gravity(model, g);
    zi_code_puts(text, "/* Dynamics of the robot ");
    zi_code_remark(text, zv_model_name(model));
    zi_code(text,
            ", code for it alone, written by zveno %s. No memory of its own, re-entrant.\n"
            " *\n"
            " * Recommended: ",
            zv_version());
    zi_code_command(text, source->name);
    zi_code(text,
            "\n *\n"
            " * SI units and radians; matrices row-major; gravity (%g, %g, %g) m/s^2. tau is the whole force in a\n"
            " * joint: springs, damping and friction are not added; armature is part of the mass matrix.\n",
            g[0], g[1], g[2]);
    if (has_quaternions(model))
        zi_code_puts(text, " * Quaternions are x, y, z, w; v of a free joint: linear and angular velocity in its "
                           "body's axes.\n");
    if (zv_model_nloop(model) > 0)
        zi_code(text, " * The robot has %d closed loop%s: this is the spanning tree alone, as if they were open.\n",
                zv_model_nloop(model), zv_model_nloop(model) == 1 ? "" : "s");
    zi_code_puts(text, " *\n * q:\n");
    list_coordinates(text, model, true);
    zi_code_puts(text, " * v, a, tau:\n");
    list_coordinates(text, model, false);
    zi_code_puts(text, " */\n");
}

static void declare(ziCodeText *text, const ziSource *source, zvGenerated function) {
    const ziSignature *signature = zi_signature(function);
    const zvOperations *o = &source->summary->function[function].operations;
    zi_code(text, "/* %s", signature->what);
    if (function == ZV_GENERATE_POSE || function == ZV_GENERATE_JACOBIAN) {
        zi_code_puts(text, " Frame: ");
        zi_code_remark(text, zv_model_frame(source->model, source->options->frame).name);
        zi_code_puts(text, ".");
    }
    if (zi_signature_shares(function))
        zi_code(text, "\n * %s may be the same array as v%s%s.", signature->answer[0], signature->given ? " or " : "",
                signature->given ? signature->given : "");
    if (signature->checked)
        zi_code(text, "\n * Returns 0, or -1 when the mass matrix is not positive definite; %s undefined then.",
                signature->answer[1] ? "all answers are" : "the answer is");
    zi_code(text, "\n * %lld multiplications, %lld additions, %lld divisions and roots, %lld sines and cosines. */\n",
            o->mul, o->add, o->div, o->trig);
    zi_code_prototype(text, source->name, function, false);
    zi_code_puts(text, ";\n");
    if (source->options->lanes) {
        zi_code_batch_prototype(text, source->name, function);
        zi_code_puts(text, ";\n");
    }
    zi_code_puts(text, "\n");
}

static void describe_batches(ziCodeText *text, const ziSource *source) {
    zi_code(
        text,
        "/* Functions ending in _batch answer for count states, up to %d at once: entry i of state s stands at\n"
        " * [i * stride + s], stride >= count. A state is answered the same wherever it stands. Of those that return\n"
        " * int, status (count) or NULL receives what the function returns for each state, and the worst is\n"
        " * returned. The last states, when they do not fill the lanes, are computed on the stack. */\n\n",
        source->options->lanes);
}

void zi_code_header(ziCodeText *text, const ziSource *source) {
    const char *name = source->name;
    describe(text, source);
    zi_code_pattern(text,
                    "#ifndef @_GENERATED_H\n"
                    "#define @_GENERATED_H\n\n",
                    name);
    if (source->options->lanes) zi_code_puts(text, "#include <stddef.h>\n\n");
    zi_code_pattern(text,
                    "#ifdef __cplusplus\n"
                    "extern \"C\" {\n"
                    "#endif\n\n",
                    name);
    zi_code(text, "#define %s_NQ %d\n#define %s_NV %d\n\n", name, zv_model_nq(source->model), name,
            zv_model_nv(source->model));
    zi_code(text, "typedef %s %s_real;\n\n", text->single ? "float" : "double", name);
    if (source->options->lanes) describe_batches(text, source);
    for (int f = 0; f < ZV_GENERATED; f++)
        if (source->options->functions & 1u << f) declare(text, source, (zvGenerated)f);
    zi_code_puts(text, "#ifdef __cplusplus\n"
                       "}\n"
                       "#endif\n"
                       "#endif\n");
}

void zi_code_source_head(ziCodeText *text, const ziSource *source) {
    zi_code(text, "/* Written by zveno %s for %s.h, which says what is what. */\n", zv_version(), source->name);
    zi_code(text, "#include \"%s.h\"\n\n#include <math.h>\n#include <stdint.h>\n\n", source->name);
    /* Strict C17 turns contraction off in gcc, which costs a fifth of the speed. */
    zi_code_puts(text, "#if defined(__GNUC__) && !defined(__clang__)\n"
                       "#pragma GCC optimize(\"fp-contract=fast,rename-registers\")\n"
                       "#endif\n");
    zi_code_pattern(text,
                    "/* What a pointer points to is not known any more, so that compilers use it as it stands. */\n"
                    "#if defined(__GNUC__)\n"
                    "#define @_ANEW(p) __asm__(\"\" : \"+r\"(p))\n"
                    "#else\n"
                    "#define @_ANEW(p) ((void)0)\n"
                    "#endif\n\n",
                    source->name);
}
