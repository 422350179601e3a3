/* Gears and motors of flexible joints in generated C, [Kolyubin] 3.4 (flexible.h): what they do to the links, what the
 * motors do, and both together with forward dynamics. Their numbers are folded, like those of the robot. */
#include "codegen/emit.h"
#include "codegen/traced.h"
#include "model/gear.h"
#include "model/tree.h"

/* A gear of the robot file that the options ask for. */
static const zvFlexibleJoint *gear_of(const ziEmitContext *source, int joint) {
    const zvFlexibleJoint *gear = zv_model_joint(source->model, joint)->flexible;
    const int dof = zv_model_joint_place(source->model, joint).v_index;
    return gear && source->options->flexible && source->options->flexible[dof] ? gear : NULL;
}

static bool makes_forward(const ziEmitContext *source) {
    return source->options->functions & 1u << ZV_GENERATED_FORWARD;
}

/* Along a motion, where inverse is asked for and no coordinate is that of a quaternion. */
bool zi_makes_motor_inverse(const ziEmitContext *source) {
    return source->options->flexible && source->options->functions & 1u << ZV_GENERATED_INVERSE &&
           zi_has_rates(source->model);
}

/* What the motion of the links asks of the motors. */
static void declare_inverse(ziCode *code, const ziEmitContext *source) {
    zi_code(code, "/* %s */\n", zi_signature(ZI_GENERATED_RATES)->what);
    zi_code_prototype(code, source->name, ZI_GENERATED_RATES, false);
    zi_code_pattern(code,
                    ";\n/* Motors whose links move by q, v, a, jerk, snap: where they stand, with rate and second "
                    "derivative, and what they\n * give; tau are the forces on the links. theta of gears with damping "
                    "is an input, where their motors stand. Of joints\n * without a gear theta is q, and motor is tau. "
                    "Nothing may overlap. */\n"
                    "void @_motor_inverse(const @_real *q, const @_real *v, const @_real *a, const @_real *jerk, const "
                    "@_real *snap,\n                     @_real *theta, @_real *theta_rate, @_real *theta_second, "
                    "@_real *tau, @_real *motor);\n",
                    source->name);
}

/* Prototypes; @ is the name. */
void zi_code_motors_declare(ziCode *code, const ziEmitContext *source) {
    if (!source->options->flexible) return;
    zi_code_puts(code,
                 "/* Flexible joints: theta is a motor's angle / ratio, motor its torque * ratio, tau the forces on "
                 "the links. Of\n * joints without a gear nothing is written but in motor_forward, and tau there is "
                 "the motor's. Gears:");
    for (int j = 0; j < zv_model_njoint(source->model); j++) {
        if (!gear_of(source, j)) continue;
        zi_code_puts(code, " ");
        zi_code_remark(code, zv_model_joint(source->model, j)->name);
    }
    zi_code_pattern(
        code,
        ".\n * gear: tau = F(theta - q) + damping (theta_rate - v). gear_rest: theta where a gear at rest "
        "carries tau.\n * motor: theta_second from motor and tau. motor_torque: the other way round. */\n"
        "void @_gear(const @_real *q, const @_real *v, const @_real *theta, const @_real *theta_rate, @_real "
        "*tau);\n"
        "void @_gear_rest(const @_real *q, const @_real *tau, @_real *theta);\n"
        "void @_motor(const @_real *theta_rate, const @_real *motor, const @_real *tau, @_real "
        "*theta_second);\n"
        "void @_motor_torque(const @_real *theta_rate, const @_real *theta_second, const @_real *tau, @_real "
        "*motor);\n",
        source->name);
    if (makes_forward(source))
        zi_code_pattern(code,
                        "/* Accelerations of links and motors. Returns what forward returns. Nothing may overlap. */\n"
                        "int @_motor_forward(const @_real *q, const @_real *v, const @_real *theta, const @_real "
                        "*theta_rate, const @_real *motor,\n                    @_real *a, @_real *theta_second);\n",
                        source->name);
    if (zi_makes_motor_inverse(source)) declare_inverse(code, source);
    zi_code_puts(code, "\n");
}

static void assign(ziCode *code, const char *array, int dof) { zi_code(code, "    %s[%d] = ", array, dof); }

/* "(k + c * d * d) * d" of d, which is in scope; linear: "k * d". */
static void put_force(ziCode *code, const zvFlexibleJoint *gear) {
    if (gear->cubic != 0) zi_code_puts(code, "(");
    zi_code_number(code, gear->stiffness);
    if (gear->cubic != 0) {
        zi_code_puts(code, " + ");
        zi_code_number(code, gear->cubic);
        zi_code_puts(code, " * d * d)");
    }
    zi_code_puts(code, " * d");
}

/* F(d) with the damper, where there is one. */
static void write_gear(ziCode *code, const ziEmitContext *source, int j, const zvFlexibleJoint *gear) {
    const zvJointPlace place = zv_model_joint_place(source->model, j);
    zi_code(code, "    d = theta[%d] - q[%d];\n", place.v_index, place.q_index);
    assign(code, "tau", place.v_index);
    put_force(code, gear);
    if (gear->damping != 0) {
        zi_code_puts(code, " + ");
        zi_code_number(code, gear->damping);
        zi_code(code, " * (theta_rate[%d] - v[%d])", place.v_index, place.v_index);
    }
    zi_code_puts(code, ";\n");
}

/* The deflection that carries tau, as zi_gear_deflection: Cardano's formula in hyperbolic sines. */
static void put_deflection(ziCode *code, const ziEmitContext *source, int dof, const zvFlexibleJoint *gear) {
    if (gear->cubic == 0) {
        zi_code(code, "tau[%d] / ", dof);
        zi_code_number(code, gear->stiffness);
    } else {
        const double scale = sqrt(gear->stiffness / (3 * gear->cubic));
        zi_code(code, "(%s_real)", source->name);
        zi_code_puts(code, "(");
        zi_code_number(code, 2 * scale);
        zi_code_puts(code, " * sinh(asinh(");
        zi_code_number(code, 1.5 / (gear->stiffness * scale));
        zi_code(code, " * (double)tau[%d]) / 3.0))", dof);
    }
    zi_code_puts(code, ";\n");
}

static void write_rest(ziCode *code, const ziEmitContext *source, int j, const zvFlexibleJoint *gear) {
    const zvJointPlace place = zv_model_joint_place(source->model, j);
    zi_code(code, "    theta[%d] = q[%d] + ", place.v_index, place.q_index);
    put_deflection(code, source, place.v_index, gear);
}

/* "k = stiffness + 3 cubic d * d;" */
static void put_tangent(ziCode *code, const zvFlexibleJoint *gear) {
    zi_code_puts(code, "    k = ");
    zi_code_number(code, gear->stiffness);
    if (gear->cubic != 0) {
        zi_code_puts(code, " + ");
        zi_code_number(code, 3 * gear->cubic);
        zi_code_puts(code, " * d * d");
    }
    zi_code_puts(code, ";\n");
}

/* d and its derivatives e, f: of a gear with damping from the d where its motor stands, as deflect of motors.c. */
static void put_deflections(ziCode *code, const ziEmitContext *source, zvJointPlace place,
                            const zvFlexibleJoint *gear) {
    const int dof = place.v_index;
    zi_code_puts(code, "    d = ");
    if (gear->damping == 0)
        put_deflection(code, source, dof, gear);
    else
        zi_code(code, "theta[%d] - q[%d];\n", dof, place.q_index);
    put_tangent(code, gear);
    if (gear->damping == 0) {
        zi_code(code, "    e = rate[%d] / k;\n    f = (second[%d]", dof, dof);
        if (gear->cubic != 0) {
            zi_code_puts(code, " - ");
            zi_code_number(code, 6 * gear->cubic);
            zi_code_puts(code, " * d * e * e");
        }
        zi_code_puts(code, ") / k;\n");
        return;
    }
    zi_code(code, "    e = (tau[%d] - ", dof);
    put_force(code, gear);
    zi_code_puts(code, ") / ");
    zi_code_number(code, gear->damping);
    zi_code(code, ";\n    f = (rate[%d] - k * e) / ", dof);
    zi_code_number(code, gear->damping);
    zi_code_puts(code, ";\n");
}

/* A motor and what it gives, its gear being bent as far as the links ask. */
static void write_turn(ziCode *code, const ziEmitContext *source, int j, const zvFlexibleJoint *gear) {
    const zvJointPlace place = zv_model_joint_place(source->model, j);
    const int i = place.v_index;
    const double square = gear->ratio * gear->ratio;
    put_deflections(code, source, place, gear);
    zi_code(code, "    theta[%d] = q[%d] + d;\n    theta_rate[%d] = v[%d] + e;\n    theta_second[%d] = a[%d] + f;\n", i,
            place.q_index, i, i, i, i);
    zi_code(code, "    motor[%d] = tau[%d] + ", i, i);
    zi_code_number(code, gear->inertia * square);
    zi_code(code, " * theta_second[%d]", i);
    if (gear->motor_damping != 0) {
        zi_code_puts(code, " + ");
        zi_code_number(code, gear->motor_damping * square);
        zi_code(code, " * theta_rate[%d]", i);
    }
    zi_code_puts(code, ";\n");
}

/* The links first; joints without a gear are rigid. */
static void write_inverse(ziCode *code, const ziEmitContext *source) {
    zi_code_pattern(code,
                    "void @_motor_inverse(const @_real *q, const @_real *v, const @_real *a, const @_real *jerk, const "
                    "@_real *snap,\n                     @_real *theta, @_real *theta_rate, @_real *theta_second, "
                    "@_real *tau, @_real *motor) {\n"
                    "    @_real motion[3 * @_NV], rate[@_NV], second[@_NV], d, e, f, k;\n"
                    "    for (int i = 0; i < @_NV; i++) {\n"
                    "        motion[i] = a[i];\n"
                    "        motion[@_NV + i] = jerk[i];\n"
                    "        motion[2 * @_NV + i] = snap[i];\n"
                    "    }\n"
                    "    @_inverse_rates(q, v, motion, tau, rate, second);\n"
                    "    for (int i = 0; i < @_NV; i++) {\n"
                    "        theta_rate[i] = v[i];\n"
                    "        theta_second[i] = a[i];\n"
                    "        motor[i] = tau[i];\n"
                    "    }\n",
                    source->name);
    for (int j = 0; j < zv_model_njoint(source->model); j++) {
        const zvJointPlace place = zv_model_joint_place(source->model, j);
        const zvFlexibleJoint *gear = gear_of(source, j);
        for (int k = 0; !gear && k < place.nv; k++)
            zi_code(code, "    theta[%d] = q[%d];\n", place.v_index + k, place.q_index + k);
        if (gear) write_turn(code, source, j, gear);
    }
    zi_code_puts(code, "}\n\n");
}

static void put_friction(ziCode *code, const zvFlexibleJoint *gear, int dof, const char *sign) {
    if (gear->motor_damping == 0) return;
    zi_code(code, " %s ", sign);
    zi_code_number(code, gear->motor_damping * gear->ratio * gear->ratio);
    zi_code(code, " * theta_rate[%d]", dof);
}

static void write_motor(ziCode *code, const ziEmitContext *source, int j, const zvFlexibleJoint *gear) {
    const int dof = zv_model_joint_place(source->model, j).v_index;
    zi_code(code, "    theta_second[%d] = (motor[%d] - tau[%d]", dof, dof, dof);
    put_friction(code, gear, dof, "-");
    zi_code_puts(code, ") * ");
    zi_code_number(code, 1 / (gear->inertia * gear->ratio * gear->ratio));
    zi_code_puts(code, ";\n");
}

static void write_torque(ziCode *code, const ziEmitContext *source, int j, const zvFlexibleJoint *gear) {
    const int dof = zv_model_joint_place(source->model, j).v_index;
    assign(code, "motor", dof);
    zi_code_number(code, gear->inertia * gear->ratio * gear->ratio);
    zi_code(code, " * theta_second[%d] + tau[%d]", dof, dof);
    put_friction(code, gear, dof, "+");
    zi_code_puts(code, ";\n");
}

typedef void WriteGear(ziCode *code, const ziEmitContext *source, int joint, const zvFlexibleJoint *gear);

/* One function: its head, a statement or two for each gear. Inputs that no gear needs are named for the compiler. */
static void write_each(ziCode *code, const ziEmitContext *source, const char *head, const char *unused,
                       WriteGear *write) {
    zi_code_pattern(code, head, source->name);
    zi_code_puts(code, unused);
    for (int j = 0; j < zv_model_njoint(source->model); j++) {
        const zvFlexibleJoint *gear = gear_of(source, j);
        if (gear) write(code, source, j, gear);
    }
    zi_code_puts(code, "}\n\n");
}

/* After forward, which the last one calls. */
void zi_code_motors(ziCode *code, const ziEmitContext *source) {
    if (!source->options->flexible) return;
    write_each(
        code, source,
        "void @_gear(const @_real *q, const @_real *v, const @_real *theta, const @_real *theta_rate, @_real *tau) "
        "{\n    @_real d;\n",
        "    (void)v, (void)theta_rate;\n", write_gear);
    write_each(code, source, "void @_gear_rest(const @_real *q, const @_real *tau, @_real *theta) {\n", "", write_rest);
    write_each(
        code, source,
        "void @_motor(const @_real *theta_rate, const @_real *motor, const @_real *tau, @_real *theta_second) {\n",
        "    (void)theta_rate;\n", write_motor);
    write_each(code, source,
               "void @_motor_torque(const @_real *theta_rate, const @_real *theta_second, const @_real *tau, @_real "
               "*motor) {\n",
               "    (void)theta_rate;\n", write_torque);
    if (makes_forward(source))
        zi_code_pattern(code,
                        "int @_motor_forward(const @_real *q, const @_real *v, const @_real *theta, const @_real "
                        "*theta_rate, const @_real *motor,\n                    @_real *a, @_real *theta_second) {\n"
                        "    @_real tau[@_NV];\n"
                        "    for (int i = 0; i < @_NV; i++) tau[i] = motor[i];\n"
                        "    @_gear(q, v, theta, theta_rate, tau);\n"
                        "    const int status = @_forward(q, v, tau, a);\n"
                        "    for (int i = 0; i < @_NV; i++) theta_second[i] = a[i];\n"
                        "    @_motor(theta_rate, motor, tau, theta_second);\n"
                        "    return status;\n"
                        "}\n\n",
                        source->name);
    if (zi_makes_motor_inverse(source)) write_inverse(code, source);
}

/* Gears without a law that chooses its piece, rotors that feel nothing of their links; at least one. */
zvStatus zi_check_motors(const zvModel *model, const zvCodegenOptions *options, zvError *error) {
    int gears = 0;
    for (int j = 0; options->flexible && j < zv_model_njoint(model); j++) {
        const zvJoint *joint = zv_model_joint(model, j);
        if (!joint->flexible || !options->flexible[zv_model_joint_place(model, j).v_index]) continue;
        gears++;
        if (joint->flexible->points || zi_rotor_couples(joint->flexible))
            return zv_fail(error, ZV_NOT_SUPPORTED, joint->mark, joint->name,
                           "joint \"%s\": expected a gear with stiffness and cubic and a rotor without axis, found %s; "
                           "leave it out of --flexible",
                           joint->name, joint->flexible->points ? "a law through points" : "rotor_axis");
    }
    if (gears > 0 || !options->flexible) return ZV_OK;
    return zv_fail(error, ZV_NOT_SUPPORTED, (zvMark){0}, zv_model_name(model),
                   "expected joints with a gear in the robot file for the motors of generated C, found none");
}
