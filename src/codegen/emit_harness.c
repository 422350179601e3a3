/* NAME_test.c: the generated functions against the library, in a thousand states. */
#include "codegen/emit.h"
#include "codegen/traced.h"

static const char head[] =
    "/* Compares the functions of @.h with libzveno in 1000 random states, and times both. In the folder of this "
    "file:\n"
    " *   cc -std=c17 -O2 -march=native -ffp-contract=fast @_test.c @.c $(pkg-config --cflags --libs zveno-static) "
    "-lm\n"
    " *   ./a.out MODEL\n"
    " * MODEL is the robot's file; without it that is looked for by the path that zveno codegen was told, seen from "
    "the\n"
    " * folder in which this program is started. */\n"
    "#define _POSIX_C_SOURCE 200809L\n"
    "#include <float.h>\n"
    "#include <math.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <time.h>\n\n"
    "#include \"@.h\"\n"
    "#include \"zveno/builder.h\"\n"
    "#include \"zveno/derive.h\"\n"
    "#include \"zveno/dynamics.h\"\n"
    "#include \"zveno/kinematics.h\"\n"
    "#include \"zveno/passive.h\"\n"
    "#include \"zveno/read.h\"\n\n"
    "enum { NQ = @_NQ, NV = @_NV, ROOM = 3 * NV * NV + 6 * NV + 12, STATES = 1000, RING = 64, CALLS = 4096 };\n"
    "enum { ROUNDS = 9, BATCH = 61 };\n\n"
    "/* The same numbers for both: those of the generated code, exactly, as doubles. */\n"
    "typedef struct State {\n"
    "    @_real q[NQ], v[NV], a[NV], tau[NV];\n"
    "    double Q[NQ], V[NV], A[NV], T[NV];\n"
    "} State;\n\n"
    "typedef struct Robot {\n"
    "    zvModel *model;\n"
    "    zvWork *work;\n"
    "    int frame;\n"
    "    zvPose *poses; /* of links, and how long the way to each is */\n"
    "    double *path;\n"
    "} Robot;\n\n"
    "typedef struct Sizes {\n"
    "    double inertia[NV]; /* M_ij is of the size sqrt(inertia_i inertia_j) */\n"
    "    double force[NV];   /* of a motion under gravity */\n"
    "    double reach;       /* to the farthest link, and 1 where that is less */\n"
    "    double W[NV * NV];  /* M^-1, for functions that solve */\n"
    "} Sizes;\n\n"
    "/* Where answers are compared; reference: the library's. */\n"
    "typedef struct Place {\n"
    "    const Robot *robot;\n"
    "    const State *state;\n"
    "    const Sizes *sizes;\n"
    "    const double *reference;\n"
    "} Place;\n\n"
    "/* The first states once more, entry i of state s at [i * BATCH + s]. */\n"
    "typedef struct Batch {\n"
    "    @_real q[NQ * BATCH], v[NV * BATCH], a[NV * BATCH], tau[NV * BATCH], answer[ROOM * BATCH];\n"
    "    int status[BATCH];\n"
    "} Batch;\n\n"
    "typedef struct Function {\n"
    "    const char *name;\n"
    "    int size;\n"
    "    int (*code)(const State *state, @_real *answer);\n"
    "    int (*library)(const Robot *robot, const State *state, double *answer);\n"
    "    void (*batch)(Batch *batch); /* NULL: not generated */\n"
    "    void (*scale)(const Place *at, double *scale);\n"
    "    int moves, accelerates, solves; /* whether v, a or tau are given; whether there may be no answer */\n"
    "} Function;\n\n";

static const char drawn[] =
    "static double uniform(uint64_t *seed) {\n"
    "    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;\n"
    "    return (double)(*seed >> 11) * 0x1p-52 - 1;\n"
    "}\n\n"
    "/* Within the limits of joints, at most half a turn or so many metres from their middle. */\n"
    "static void draw_position(const Robot *robot, uint64_t *seed, double *q) {\n"
    "    double step[NV];\n"
    "    for (int i = 0; i < NV; i++) step[i] = 3.14159 * uniform(seed);\n"
    "    zv_neutral(robot->model, q);\n"
    "    zv_position_add(robot->model, q, step, q);\n"
    "    for (int j = 0; j < zv_model_njoint(robot->model); j++) {\n"
    "        const zvJointPlace at = zv_model_joint_place(robot->model, j);\n"
    "        const zvDof *dof = zv_model_joint(robot->model, j)->dof;\n"
    "        for (int k = 0; k < at.nv && at.nq == at.nv; k++) {\n"
    "            const double middle = (dof[k].lower + dof[k].upper) / 2, half = dof[k].upper - middle;\n"
    "            if (dof[k].has_limits && isfinite(middle))\n"
    "                q[at.q_index + k] = middle + fmin(half / 3.14159, 1) * step[at.v_index + k];\n"
    "        }\n"
    "    }\n"
    "}\n\n"
    "static void draw(const Robot *robot, uint64_t *seed, State *state) {\n"
    "    draw_position(robot, seed, state->Q);\n"
    "    for (int i = 0; i < NV; i++) state->V[i] = 2 * uniform(seed);\n"
    "    for (int i = 0; i < NV; i++) state->A[i] = 5 * uniform(seed);\n"
    "    for (int i = 0; i < NQ; i++) state->Q[i] = (double)(state->q[i] = (@_real)state->Q[i]);\n"
    "    for (int i = 0; i < NV; i++) state->V[i] = (double)(state->v[i] = (@_real)state->V[i]);\n"
    "    for (int i = 0; i < NV; i++) state->A[i] = (double)(state->a[i] = (@_real)state->A[i]);\n"
    "    zv_inverse_dynamics(robot->model, robot->work, state->Q, state->V, state->A, NULL, state->T);\n"
    "    for (int i = 0; i < NV; i++) state->T[i] = (double)(state->tau[i] = (@_real)state->T[i]);\n"
    "}\n\n";

static const char batches[] =
    "static void scatter(int count, const @_real *x, int s, @_real *to) {\n"
    "    for (int i = 0; i < count; i++) to[i * BATCH + s] = x[i];\n"
    "}\n\n"
    "static void fill_batch(const State *states, Batch *batch) {\n"
    "    for (int s = 0; s < BATCH; s++) {\n"
    "        scatter(NQ, states[s].q, s, batch->q);\n"
    "        scatter(NV, states[s].v, s, batch->v);\n"
    "        scatter(NV, states[s].a, s, batch->a);\n"
    "        scatter(NV, states[s].tau, s, batch->tau);\n"
    "    }\n"
    "}\n\n"
    "/* Nanoseconds per state. */\n"
    "static double time_batch(const Function *f, Batch *batch) {\n"
    "    double best = 1e9;\n"
    "    for (int round = 0; round < ROUNDS; round++) {\n"
    "        const double start = clock_now();\n"
    "        for (int i = 0; i < CALLS / BATCH; i++) f->batch(batch);\n"
    "        best = fmin(best, (clock_now() - start) / (CALLS / BATCH * BATCH));\n"
    "    }\n"
    "    return 1e9 * best;\n"
    "}\n\n"
    "/* The largest difference of a state's answer in the batch from the one it has alone, relative to its scale. */\n"
    "static double compare_batch(const Function *f, const Batch *batch, int s, const @_real *answer, const double "
    "*scale) "
    "{\n"
    "    double most = batch->status[s] ? nan(\"\") : 0;\n"
    "    for (int k = 0; k < f->size && !isnan(most); k++) {\n"
    "        const double off = fabs((double)answer[k] - (double)batch->answer[k * BATCH + s]);\n"
    "        if (!(off <= most * scale[k])) most = scale[k] > 0 ? off / scale[k] : off;\n"
    "    }\n"
    "    return most;\n"
    "}\n\n";

static const char clocks[] =
    "static double clock_now(void) {\n"
    "    struct timespec now;\n"
    "    clock_gettime(CLOCK_MONOTONIC, &now);\n"
    "    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;\n"
    "}\n\n"
    "/* Nanoseconds per call over a ring of states, the best of some rounds. */\n"
    "static double time_call(const Function *f, const Robot *robot, const State *states, int code) {\n"
    "    static @_real answer[ROOM];\n"
    "    static double reference[ROOM];\n"
    "    double best = 1e9;\n"
    "    for (int round = 0; round < ROUNDS; round++) {\n"
    "        const double start = clock_now();\n"
    "        for (int i = 0; i < CALLS; i++) {\n"
    "            const State *state = &states[i % RING];\n"
    "            if (code)\n"
    "                f->code(state, answer);\n"
    "            else\n"
    "                f->library(robot, state, reference);\n"
    "        }\n"
    "        best = fmin(best, (clock_now() - start) / CALLS);\n"
    "    }\n"
    "    return 1e9 * best;\n"
    "}\n\n";

static const char measures[] =
    "typedef struct Outcome {\n"
    "    double off;   /* largest difference relative to its scale, NaN when one is */\n"
    "    int singular; /* states that say nothing */\n"
    "} Outcome;\n\n"
    "static Outcome compare(const Function *f, const Robot *robot, const State *states, Batch *batch, double bound) {\n"
    "    static const double rest[NV];\n"
    "    static @_real answer[ROOM];\n"
    "    static double reference[ROOM], scale[ROOM];\n"
    "    static Sizes sizes;\n"
    "    Outcome outcome = {0, 0};\n"
    "    if (f->batch) f->batch(batch);\n"
    "    for (const State *state = states; state < states + STATES; state++) {\n"
    "        const int none = f->library(robot, state, reference);\n"
    "        const double *a = none || !f->accelerates ? rest : f->solves ? reference : state->A;\n"
    "        measure(robot, state, f->moves ? state->V : rest, a, &sizes);\n"
    "        if (f->solves && (none || singular(robot, state, bound, &sizes))) {\n"
    "            outcome.singular++;\n"
    "            continue;\n"
    "        }\n"
    "        if (f->code(state, answer)) return (Outcome){nan(\"\"), outcome.singular};\n"
    "        f->scale(&(Place){robot, state, &sizes, reference}, scale);\n"
    "        for (int k = 0; k < f->size; k++) {\n"
    "            const double off = fabs((double)answer[k] - reference[k]);\n"
    "            if (isnan(off)) return (Outcome){off, outcome.singular};\n"
    "            if (off > outcome.off * scale[k]) outcome.off = scale[k] > 0 ? off / scale[k] : off;\n"
    "        }\n"
    "        if (f->batch && state - states < BATCH) {\n"
    "            const double off = compare_batch(f, batch, (int)(state - states), answer, scale);\n"
    "            if (!(off <= outcome.off)) outcome.off = off;\n"
    "            if (isnan(off)) return outcome;\n"
    "        }\n"
    "    }\n"
    "    return outcome;\n"
    "}\n\n";

static const char reads[] =
    "/* The file's own base first, then the other ones it may have been generated with. */\n"
    "static zvStatus read_robot(const char *path, Robot *robot, zvError *error) {\n"
    "    zvStatus status = ZV_OK;\n"
    "    for (int base = 0; base < 3; base++) {\n"
    "        zvBuilder *builder = zv_builder_create(error);\n"
    "        if (!builder) return ZV_MEMORY;\n"
    "        status = zv_read_file(builder, path, ZV_FORMAT_AUTO, error);\n"
    "        zv_builder_set_gravity(builder, gravity);\n"
    "        zv_builder_set_mimic_coupled(builder, COUPLED);\n"
    "        for (const char *const *name = fixed; *name; name++) {\n"
    "            const int joint = zv_builder_find_joint(builder, *name);\n"
    "            if (joint >= 0) zv_builder_lock_joint(builder, joint);\n"
    "        }\n"
    "        if (base) zv_builder_set_free_base(builder, base == 1);\n"
    "        if (status >= 0) status = zv_builder_freeze(builder, &robot->model, error);\n"
    "        zv_builder_destroy(builder);\n"
    "        if (status < 0) return status;\n"
    "        if (zv_model_nq(robot->model) == NQ && zv_model_nv(robot->model) == NV) break;\n"
    "        zv_model_destroy(robot->model);\n"
    "        robot->model = NULL;\n"
    "    }\n"
    "    if (!robot->model)\n"
    "        return zv_fail(error, ZV_SIZE, (zvMark){path, 0, 0}, path,\n"
    "                       \"this is another robot: the code has nq %d, nv %d\", NQ, NV);\n"
    "    robot->frame = zv_model_find_frame(robot->model, FRAME);\n"
    "    robot->work = zv_work_create(robot->model, error);\n"
    "    robot->poses = calloc((size_t)zv_model_nlink(robot->model), sizeof *robot->poses);\n"
    "    robot->path = calloc((size_t)zv_model_nlink(robot->model), sizeof *robot->path);\n"
    "    return robot->work && robot->poses && robot->path && robot->frame >= 0 ? ZV_OK : ZV_MEMORY;\n"
    "}\n\n";

static const char main_text[] =
    "int main(int count, char **words) {\n"
    "    const char *path = count > 1 ? words[1] : MODEL;\n"
    "    /* as many last digits in either precision; arithmetic alone leaves a small part of it */\n"
    "    const double bound = sizeof(@_real) == sizeof(double) ? 1e-12 : 1e-12 * ((double)FLT_EPSILON / DBL_EPSILON);\n"
    "    static State states[STATES];\n"
    "    static Batch batch;\n"
    "    Robot robot = {0};\n"
    "    zvError error = {0};\n"
    "    char line[1024];\n"
    "    int wrong = 0;\n"
    "    uint64_t seed = 1;\n"
    "    if (read_robot(path, &robot, &error) < 0) {\n"
    "        fprintf(stderr, \"@_test: %s\\n\", zv_error_line(&error, line, sizeof line));\n"
    "        return 1;\n"
    "    }\n"
    "    for (int i = 0; i < STATES; i++) draw(&robot, &seed, &states[i]);\n"
    "    fill_batch(states, &batch);\n"
    "    printf(\"seed 1, %d states; at most %.1e is well\\n\", STATES, bound);\n"
    "    printf(\"%-19s  %10s  %9s  %9s  %9s\\n\", \"function\", \"difference\", \"ns\", \"library\", \"batch\");\n"
    "    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {\n"
    "        const Outcome outcome = compare(&functions[i], &robot, states, &batch, bound);\n"
    "        wrong += !(outcome.off <= bound);\n"
    "        printf(\"%-19s  %10.1e  %9.1f  %9.1f\", functions[i].name, outcome.off,\n"
    "               time_call(&functions[i], &robot, states, 1), time_call(&functions[i], &robot, states, 0));\n"
    "        if (functions[i].batch) printf(\"  %9.1f\", time_batch(&functions[i], &batch));\n"
    "        if (!(outcome.off <= bound)) printf(\"  WRONG\");\n"
    "        if (outcome.singular) printf(\"  %d singular states not compared\", outcome.singular);\n"
    "        printf(\"\\n\");\n"
    "    }\n"
    "    free(robot.poses);\n"
    "    free(robot.path);\n"
    "    zv_work_destroy(robot.work);\n"
    "    zv_model_destroy(robot.model);\n"
    "    return wrong != 0;\n"
    "}\n";

/* How the library is asked for the same. */
typedef struct LibraryCall {
    const char *call, *scale;
} LibraryCall;

static const LibraryCall questions[ZV_GENERATED_FUNCTIONS] = {
    [ZV_GENERATED_INVERSE] = {"zv_inverse_dynamics(r->model, r->work, s->Q, s->V, s->A, NULL, x), 0", "vector"},
    [ZV_GENERATED_FORWARD] = {"zv_forward_dynamics(r->model, r->work, s->Q, s->V, s->T, NULL, x)", "forward"},
    [ZV_GENERATED_MASS] = {"zv_mass_matrix(r->model, r->work, s->Q, x), 0", "matrix"},
    [ZV_GENERATED_MINV] = {"zv_mass_inverse(r->model, r->work, s->Q, x)", "minv"},
    [ZV_GENERATED_BIAS] = {"zv_bias(r->model, r->work, s->Q, s->V, x), 0", "vector"},
    [ZV_GENERATED_GRAVITY] = {"zv_gravity_force(r->model, r->work, s->Q, x), 0", "vector"},
    [ZV_GENERATED_POSE] = {"frame_library(r, s, x)", "pose"},
    [ZV_GENERATED_JACOBIAN] = {"zv_frame_jacobian(r->model, r->work, s->Q, r->frame, ZV_AXES_WORLD, x), 0", "jacobian"},
    [ZV_GENERATED_INVERSE_DERIVATIVES] =
        {"zv_inverse_derivatives(r->model, r->work, s->Q, s->V, s->A, NULL, x, x + NV * NV, x + 2 * NV * NV)",
         "inverse_derivatives"},
    [ZV_GENERATED_FORWARD_DERIVATIVES] =
        {"zv_forward_derivatives(r->model, r->work, s->Q, s->V, s->T, NULL, x, x + NV, x + NV + NV * NV,\n"
         "                                  x + NV + 2 * NV * NV)",
         "forward_derivatives"},
};

/* The same with passive forces, where they make a difference. */
static const char *const passive[ZV_GENERATED_FUNCTIONS] = {
    [ZV_GENERATED_INVERSE] = "zv_inverse_dynamics(r->model, r->work, s->Q, s->V, s->A, NULL, x), take_passive(r, s, x)",
    [ZV_GENERATED_FORWARD] = "passive_forward(r, s, x)",
    [ZV_GENERATED_BIAS] = "zv_bias(r->model, r->work, s->Q, s->V, x), take_passive(r, s, x)",
};

static const char take_passive[] = "static int take_passive(const Robot *r, const State *s, double *x) {\n"
                                   "    zv_add_passive_forces(r->model, r->work, s->Q, s->V, SMOOTHING, -1, x);\n"
                                   "    return 0;\n"
                                   "}\n\n";
static const char passive_forward[] = "static int passive_forward(const Robot *r, const State *s, double *x) {\n"
                                      "    double tau[NV];\n"
                                      "    memcpy(tau, s->T, sizeof tau);\n"
                                      "    zv_add_passive_forces(r->model, r->work, s->Q, s->V, SMOOTHING, 1, tau);\n"
                                      "    return zv_forward_dynamics(r->model, r->work, s->Q, s->V, tau, NULL, x);\n"
                                      "}\n\n";

/* ", x, x + 49, ...": where each answer begins. */
static void answers(ziCode *code, const zvModel *model, zvGenerated f, const char *array, const char *stride) {
    size_t at = 0;
    for (int k = 0; zi_signature(f)->answer[k]; k++) {
        zi_code(code, ", %s + %zu%s", array, at, stride);
        at += zi_generated_part(model, f, k);
    }
}

static void write_batch(ziCode *code, const ziEmitContext *source, zvGenerated f) {
    const ziSignature *signature = zi_signature(f);
    zi_code(code, "static void %s_many(Batch *b) {\n    %s_%s_batch(BATCH, BATCH, b->q%s%s%s", zv_generated_name(f),
            source->name, zv_generated_name(f), signature->velocity ? ", b->v" : "", signature->given ? ", b->" : "",
            signature->given ? signature->given : "");
    answers(code, source->model, f, "b->answer", " * BATCH");
    zi_code_puts(code,
                 signature->checked ? ", b->status);\n}\n" : ");\n    memset(b->status, 0, sizeof b->status);\n}\n");
}

/* One generated function and the library's answer to the same question, with one signature. */
static void write_pair(ziCode *code, const ziEmitContext *source, zvGenerated f) {
    const ziSignature *signature = zi_signature(f);
    const char *name = source->name;
    if (f == ZV_GENERATED_POSE)
        zi_code_puts(code, "static int frame_library(const Robot *r, const State *s, double *x) {\n"
                           "    zvPose pose;\n"
                           "    zv_frame_pose(r->model, r->work, s->Q, r->frame, &pose);\n"
                           "    memcpy(x, pose.R, sizeof pose.R);\n"
                           "    memcpy(x + 9, pose.p, sizeof pose.p);\n"
                           "    return 0;\n"
                           "}\n");
    zi_code(code, "static int %s_code(const State *s, %s_real *x) {\n    return %s_%s(s->q%s%s%s", zv_generated_name(f),
            name, name, zv_generated_name(f), signature->velocity ? ", s->v" : "", signature->given ? ", s->" : "",
            signature->given ? signature->given : "");
    answers(code, source->model, f, "x", "");
    zi_code_puts(code, signature->checked ? ");\n}\n" : "), 0;\n}\n");
    if (source->options->lanes) write_batch(code, source, f);
    zi_code(code, "static int %s_library(const Robot *r, const State *s, double *x) {\n    return %s;\n}\n\n",
            zv_generated_name(f), source->options->smoothing > 0 && passive[f] ? passive[f] : questions[f].call);
}

/* What the library's answers with passive forces call, as far as they are asked for. */
static void write_passive(ziCode *code, const ziEmitContext *source) {
    const unsigned wanted = source->options->functions;
    zi_code(code, "#define SMOOTHING %.17g\n\n", source->options->smoothing);
    if (wanted & (1u << ZV_GENERATED_INVERSE | 1u << ZV_GENERATED_BIAS)) zi_code_puts(code, take_passive);
    if (wanted & 1u << ZV_GENERATED_FORWARD) zi_code_puts(code, passive_forward);
}

/* The rows that the loops of the harness run over. */
static void write_tables(ziCode *code, const ziEmitContext *source) {
    const unsigned wanted = source->options->functions;
    if (source->options->smoothing > 0) write_passive(code, source);
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++)
        if (wanted & 1u << f) write_pair(code, source, (zvGenerated)f);
    zi_code_puts(code, "static const Function functions[] = {\n");
    for (int f = 0; f < ZV_GENERATED_FUNCTIONS; f++) {
        const char *word = zv_generated_name((zvGenerated)f);
        const ziSignature *signature = zi_signature((zvGenerated)f);
        if (wanted & 1u << f)
            zi_code(code, "    {\"%s\", %zu, %s_code, %s_library, %s%s, %s_scale, %d, %d, %d},\n", word,
                    zi_generated_size(source->model, (zvGenerated)f), word, word,
                    source->options->lanes ? word : "NULL", source->options->lanes ? "_many" : "", questions[f].scale,
                    signature->velocity, signature->given != NULL, signature->checked);
    }
    zi_code_puts(code, "};\n\n");
}

static bool coupled(const zvModel *model) {
    for (int j = 0; j < zv_model_njoint(model); j++)
        if (zv_model_joint(model, j)->mimic && zv_model_joint_place(model, j).mimic < 0) return false;
    return true;
}

/* Joints that do not move: some of them may in the file. */
static void write_fixed(ziCode *code, const zvModel *model) {
    zi_code_puts(code, "static const char *const fixed[] = {");
    for (int j = 0; j < zv_model_njoint(model); j++) {
        if (zv_joint_type_nv(zv_model_joint(model, j)->type) != 0) continue;
        zi_code_string(code, zv_model_joint(model, j)->name);
        zi_code_puts(code, ", ");
    }
    for (int l = 0; l < zv_model_nloop(model); l++) {
        const zvLoop *loop = zv_model_loop(model, l);
        if (!loop->was_joint || zv_joint_type_nv(loop->type) != 0) continue;
        zi_code_string(code, loop->name);
        zi_code_puts(code, ", ");
    }
    zi_code_puts(code, "NULL};\n\n");
}

/* What depends on the robot, then the parts that do not. */
void zi_code_harness(ziCode *code, const ziEmitContext *source) {
    double g[3];
    zv_model_gravity(source->model, g);
    zi_code_pattern(code, head, source->name);
    zi_code_puts(code, "#define MODEL ");
    zi_code_string(code, source->options->model_file);
    zi_code_puts(code, "\n#define FRAME ");
    zi_code_string(code, zv_model_frame(source->model, source->options->frame).name);
    zi_code(code, "\n#define COUPLED %d\nstatic const double gravity[3] = {%.17g, %.17g, %.17g};\n",
            coupled(source->model), g[0], g[1], g[2]);
    write_fixed(code, source->model);
    zi_code_pattern(code, drawn, source->name);
    zi_code_puts(code, zi_harness_sizes);
    for (const ziHarnessScale *scale = zi_harness_scales; scale->code; scale++)
        if (source->options->functions & scale->functions) zi_code_puts(code, scale->code);
    zi_code_puts(code, zi_harness_singular);
    write_tables(code, source);
    zi_code_pattern(code, clocks, source->name);
    zi_code_pattern(code, batches, source->name);
    zi_code_pattern(code, measures, source->name);
    zi_code_puts(code, reads);
    zi_code_pattern(code, main_text, source->name);
}
