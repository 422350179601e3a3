/* zveno assemble: positions that close the loops of a robot, written as states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "question.h"
#include "verb.h"
#include "zveno/loops.h"

enum {
    MOST = 64,    /* assemblies that are kept */
    RESTARTS = 20 /* guesses beside the state's before a loop is said not to close */
};

/* Where the parts of the answer lie. */
typedef struct AssembleAnswer {
    double *count;     /* of assemblies */
    double *residuals; /* MOST x 2: of positions, of velocities */
    double *q;         /* MOST x nq */
    double *v;         /* MOST x nv */
} AssembleAnswer;

static size_t answer_size(const zvModel *model) {
    return 1 + MOST * (2 + (size_t)zv_model_nq(model) + (size_t)zv_model_nv(model));
}

static AssembleAnswer parts_of(const Case *at) {
    AssembleAnswer p = {.count = at->answer, .residuals = at->answer + 1};
    p.q = p.residuals + (size_t)2 * MOST;
    p.v = p.q + (size_t)MOST * (size_t)zv_model_nq(at->model);
    return p;
}

static const double *q_of(const Case *at, int k) { return parts_of(at).q + (size_t)k * (size_t)zv_model_nq(at->model); }
static double *v_of(const Case *at, int k) { return parts_of(at).v + (size_t)k * (size_t)zv_model_nv(at->model); }

/* The velocities nearest to those of the state; those of held joints stay. */
static zvStatus close_velocities(const Case *at, int k) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    unsigned char *given = calloc(nv + 1, 1);
    if (!given) return ZV_MEMORY;
    for (size_t i = 0; i < nv; i++) given[i] = at->chosen && at->chosen[i] ? ZV_GIVEN_ACCELERATION : ZV_GIVEN_FORCE;
    memcpy(v_of(at, k), at->state->v, nv * sizeof(double));
    const zvStatus status = zv_close_velocity(at->model, at->work, NULL, q_of(at, k), given, v_of(at, k), NULL);
    free(given);
    if (status == ZV_CLOSURE)
        return zv_fail(
            at->error, status, at->state->mark, "v",
            "expected velocities that close the loops with those that are held, found none; hold fewer joints");
    return status;
}

static zvStatus find_several(const Case *at, const zvAssembly *options) {
    const AssembleAnswer p = parts_of(at);
    const int count = zv_assemblies(at->model, at->work, NULL, options, at->state->q, at->args->guesses, MOST, p.q);
    *p.count = count;
    if (count > 0) return ZV_OK;
    /* what keeps them open is told by a single assembly; without loops the state is one */
    memcpy(p.q, at->state->q, (size_t)zv_model_nq(at->model) * sizeof *p.q);
    *p.count = 1;
    return zv_assemble(at->model, at->work, NULL, options, p.q, at->error);
}

static zvStatus find_assemblies(const Case *at) {
    const AssembleAnswer p = parts_of(at);
    zvAssembly options = zv_assembly_default();
    options.held = at->chosen;
    options.restarts = RESTARTS;
    if (at->args->given & OPTION_GUESSES) return find_several(at, &options);
    memcpy(p.q, at->state->q, (size_t)zv_model_nq(at->model) * sizeof *p.q);
    *p.count = 1;
    return zv_assemble(at->model, at->work, NULL, &options, p.q, at->error);
}

/* Rates that are left must be rounding of the velocities. */
static zvStatus check_rate(const Case *at, int k, double rate) {
    static const double ROUND = 1e-6;
    double largest = 0;
    for (int i = 0; i < zv_model_nv(at->model); i++)
        largest = fmax(largest, fmax(fabs(at->state->v[i]), fabs(v_of(at, k)[i])));
    if (rate <= ROUND * fmax(largest, ROUND)) return ZV_OK; /* not a number: no */
    return zv_fail(
        at->error, ZV_CLOSURE, at->state->mark, "v",
        "the velocities cannot be closed: a rate of %.3g is left of velocities up to %.3g; give smaller ones", rate,
        largest);
}

static zvStatus solve(const Case *at) {
    const AssembleAnswer p = parts_of(at);
    zvStatus status = find_assemblies(at);
    for (int k = 0; status >= 0 && k < (int)*p.count; k++) {
        status = close_velocities(at, k);
        zv_loop_residual(at->model, at->work, NULL, q_of(at, k), v_of(at, k), -1, &p.residuals[2 * k],
                         &p.residuals[2 * k + 1]);
        if (status >= 0) status = check_rate(at, k, p.residuals[2 * k + 1]);
    }
    return status < 0 ? status : ZV_OK; /* redundant conditions are no matter here */
}

static bool any(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (x[i] != 0) return true;
    return false;
}

static int positions(const Case *at, const double **q) {
    *q = q_of(at, 0);
    return (int)*parts_of(at).count;
}

/* Each position that closes the loops as a state, so that other verbs can read the output. */
static void print_json(const Case *at, Json *json) {
    const AssembleAnswer p = parts_of(at);
    const int nv = zv_model_nv(at->model);
    for (int k = 0; k < (int)*p.count; k++) {
        json_map(json, JSON_BLOCK);
        json_key(json, "q"), json_numbers(json, q_of(at, k), (size_t)zv_model_nq(at->model));
        json_key(json, "v"), json_numbers(json, v_of(at, k), (size_t)nv);
        if (any(at->state->tau, nv)) json_key(json, "tau"), json_numbers(json, at->state->tau, (size_t)nv);
        json_key(json, "residual"), json_number(json, fmax(p.residuals[2 * k], p.residuals[2 * k + 1]));
        json_end(json);
    }
}

static void print_numbers(const char *start, const char *key, const double *x, int count, Text *out) {
    text_printf(out, "%s%s: [", start, key);
    for (int i = 0; i < count; i++) {
        if (i) text_puts(out, ", ");
        text_number(out, x[i] + 0.0);
    }
    text_puts(out, "]\n");
}

/* Whatever is below it is nothing to tell numbers of. */
static const double ROUNDING = 1e-12;

/* "# state 2, assembly 1 of 2: residual below 1e-12" */
static void print_comment(const Case *at, int k, Text *out) {
    const AssembleAnswer p = parts_of(at);
    text_puts(out, "# ");
    if (at->states > 1) text_printf(out, "state %d, ", at->index + 1);
    if (at->args->given & OPTION_GUESSES) text_printf(out, "assembly %d of %d, ", k + 1, (int)*p.count);
    const double residual = fmax(p.residuals[2 * k], p.residuals[2 * k + 1]);
    if (residual <= ROUNDING)
        text_printf(out, "residual below %.0e\n", ROUNDING);
    else
        text_printf(out, "residual %.1e\n", residual);
}

/* A file of states in YAML. */
static void print_table(const Case *at, Text *out) {
    const int nq = zv_model_nq(at->model), nv = zv_model_nv(at->model);
    for (int k = 0; k < (int)*parts_of(at).count; k++) {
        const char *const start = at->list ? "- " : "", *const next = at->list ? "  " : "";
        print_comment(at, k, out);
        print_numbers(start, "q", q_of(at, k), nq, out);
        if (any(v_of(at, k), nv)) print_numbers(next, "v", v_of(at, k), nv, out);
        if (any(at->state->tau, nv)) print_numbers(next, "tau", at->state->tau, nv, out);
    }
}

static Code run(const Args *args, Text *out) {
    static const Question question = {
        answer_size,           solve, print_json, print_table, .loops = LOOPS_CLOSE, .takes = STATE_TAU, .states = true,
        .positions = positions};
    return question_answer(&question, args, NULL, out);
}

const Verb verb_assemble = {
    .name = "assemble",
    .run = run,
    .options = OPTIONS_STATE | OPTION_HOLD | OPTION_GUESSES,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--hold j1,j2] [--guesses N]",
    .summary = "positions and velocities that close the loops",
    .help = "Takes q, v (first guesses) and tau (passed on). Prints a state, or a list of them, that other verbs can\n"
            "read with --state; JSON keys\n"
            "  q, v      positions that close the loops, and the velocities nearest to those given that keep them\n"
            "            closed\n"
            "  tau       as in the state, if it is there\n"
            "  residual  the largest gap or rate that is left: rad, or lengths relative to the size of the robot\n"
            "With --hold some coordinates stay as they are. With --guesses N a list of all assemblies that are found\n"
            "from N positions within the limits, that of the state first; at most 64.\n"
            "Exit code 3: the loops cannot be closed; the message names the loop and its nearest gap;\n"
            "or the velocities leave a rate above 1e-6 of the largest of them.\n"
            "\n"
            "Example\n"
            "  echo '{q: [0.8, 0, 0, 0]}' | zveno assemble five_bar.yaml --state - --hold motor1\n",
};
