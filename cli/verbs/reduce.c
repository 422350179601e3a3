/* zveno reduce: the equations of a robot with loops in independent coordinates. */
#include <stdlib.h>
#include <string.h>

#include "dofs.h"
#include "loops.h"
#include "question.h"
#include "verb.h"

/* Where the parts of the answer lie. The first `header` numbers are whole: freedoms, mobility, status. */
typedef struct ReduceAnswer {
    double *header;                       /* n; freedoms, rows, rank, redundant; status */
    double *independent;                  /* n indices */
    double *q;                            /* nq */
    double *v, *a, *gamma, *tau;          /* nv */
    double *P, *D, *C, *G, *tau_r;        /* nv x n, n x n, n x n, n, n */
    double *lambda, *wrenches, *residual; /* rows, nloop x 6, 1 */
} ReduceAnswer;

enum { HEADER = 6, RESTARTS = 20 /* guesses beside the state's */ };

static size_t answer_size(const zvModel *model) {
    const size_t nv = (size_t)zv_model_nv(model);
    return HEADER + 7 * nv + (size_t)zv_model_nq(model) + 3 * nv * nv + (size_t)zv_model_nloop_rows(model) +
           6 * (size_t)zv_model_nloop(model) + 1;
}

/* The answer is one array; this names its parts. */
static ReduceAnswer parts_of(const Case *at) {
    const size_t nv = (size_t)zv_model_nv(at->model);
    ReduceAnswer p = {.header = at->answer, .independent = at->answer + HEADER};
    p.q = p.independent + nv;
    p.v = p.q + zv_model_nq(at->model);
    p.a = p.v + nv;
    p.gamma = p.a + nv;
    p.tau = p.gamma + nv;
    p.P = p.tau + nv;
    p.D = p.P + nv * nv;
    p.C = p.D + nv * nv;
    p.G = p.C + nv * nv;
    p.tau_r = p.G + nv;
    p.lambda = p.tau_r + nv;
    p.wrenches = p.lambda + zv_model_nloop_rows(at->model);
    p.residual = p.wrenches + 6 * zv_model_nloop(at->model);
    return p;
}

static int freedoms_of(const Case *at) { return (int)at->answer[0]; }

static zvLoopMobility mobility_of(const Case *at) {
    const double *x = at->answer + 1;
    return (zvLoopMobility){.freedoms = (int)x[0], .rows = (int)x[1], .rank = (int)x[2], .redundant = (int)x[3]};
}

static bool is_degraded(const Case *at) { return at->answer[5] != 0; }

/* Solving ------------------------------------------------------------------------------------------- */

/* q of the state is the guess. */
static zvStatus close_holding(const Case *at, const ReduceAnswer *p, const unsigned char *held, int restarts) {
    zvAssembly options = zv_assembly_default();
    options.held = held;
    options.restarts = restarts;
    memcpy(p->q, at->state->q, (size_t)zv_model_nq(at->model) * sizeof *p->q);
    *at->error = (zvError){0};
    return zv_assemble(at->model, at->work, NULL, &options, p->q, at->error);
}

static void tell_of_wish(const Case *at, int index, const char *what) {
    const EntryCursor dof = entry_at(at->model, false, index);
    Text label = {0};
    entry_label(&dof, &label);
    warn("state %d: \"%s\" %s", at->index + 1, label.bytes ? label.bytes : "", what);
    text_free(&label);
}

/* Of the wishes as many are held, one after another, as the loops let. */
static zvStatus close_with_held(const Case *at, const ReduceAnswer *p) {
    const int nv = zv_model_nv(at->model);
    unsigned char *held = calloc((size_t)nv + 1, 1);
    if (!held) return ZV_MEMORY;
    for (int i = 0; i < nv; i++) {
        if (!at->chosen[i]) continue;
        held[i] = 1;
        held[i] = close_holding(at, p, held, 0) >= 0;
    }
    const zvStatus status = close_holding(at, p, held, RESTARTS);
    for (int i = 0; status >= 0 && i < nv; i++)
        if (at->chosen[i] && !held[i]) tell_of_wish(at, i, "was moved: the loops do not close with it where it was");
    free(held);
    return status;
}

/* What is to be independent stays if it can; *met: it did. */
static zvStatus close_position(const Case *at, const ReduceAnswer *p, bool *met) {
    const zvStatus status = close_holding(at, p, at->chosen, RESTARTS);
    *met = status != ZV_CLOSURE;
    return *met || !at->chosen ? status : close_with_held(at, p);
}

/* tau with what external forces do in the joints, J^T fext: the inverse dynamics with them less that without. */
static void gather_forces(const Case *at, const ReduceAnswer *p) {
    const int nv = zv_model_nv(at->model);
    memcpy(p->tau, at->state->tau, (size_t)nv * sizeof *p->tau);
    if (!at->state->fext) return;
    zv_inverse_dynamics(at->model, at->work, p->q, NULL, NULL, at->state->fext, p->a);
    for (int i = 0; i < nv; i++) p->tau[i] -= p->a[i];
    zv_inverse_dynamics(at->model, at->work, p->q, NULL, NULL, NULL, p->a);
    for (int i = 0; i < nv; i++) p->tau[i] += p->a[i];
}

/* v = P v_r with the independent velocities of the state. */
static void close_velocities(const Case *at, const ReduceAnswer *p, const zvReduction *r) {
    const int n = zv_reduction_freedoms(r), *independent = zv_reduction_independent(r);
    const double *P = zv_reduction_P(r);
    for (int i = 0; i < zv_model_nv(at->model); i++) {
        p->v[i] = 0;
        for (int j = 0; j < n; j++) p->v[i] += P[i * n + j] * at->state->v[independent[j]];
    }
}

/* Copies what the reduction knows, which ends with it. */
static void copy_reduction(const Case *at, const ReduceAnswer *p, const zvReduction *r) {
    const size_t nv = (size_t)zv_model_nv(at->model), n = (size_t)zv_reduction_freedoms(r);
    p->header[0] = (double)n;
    for (size_t j = 0; j < n; j++) p->independent[j] = zv_reduction_independent(r)[j];
    memcpy(p->P, zv_reduction_P(r), nv * n * sizeof *p->P);
    memcpy(p->gamma, zv_reduction_gamma(r), nv * sizeof *p->gamma);
    memcpy(p->D, zv_reduction_D(r), n * n * sizeof *p->D);
    memcpy(p->C, zv_reduction_C(r), n * n * sizeof *p->C);
    memcpy(p->G, zv_reduction_G(r), n * sizeof *p->G);
    for (size_t j = 0; j < n; j++) {
        p->tau_r[j] = 0;
        for (size_t i = 0; i < nv; i++) p->tau_r[j] += p->P[i * n + j] * p->tau[i];
    }
}

static zvStatus find_mobility(const Case *at, const ReduceAnswer *p) {
    zvLoopMobility m;
    const zvStatus status = zv_loop_mobility(at->model, at->work, p->q, &m);
    if (status < 0) return status;
    p->header[1] = m.freedoms, p->header[2] = m.rows, p->header[3] = m.rank, p->header[4] = m.redundant;
    return ZV_OK;
}

static void warn_of_wishes(const Case *at, const zvReduction *r) {
    const int n = zv_reduction_freedoms(r), *independent = zv_reduction_independent(r);
    for (int i = 0, j = 0; at->chosen && i < zv_model_nv(at->model); i++) {
        while (j < n && independent[j] < i) j++;
        if (!at->chosen[i] || (j < n && independent[j] == i)) continue;
        tell_of_wish(at, i, "cannot be independent besides the others");
    }
}

/* The choice of coordinates needs no velocities; the velocities need the choice. */
static zvStatus reduce(const Case *at, const ReduceAnswer *p, zvReduction *r) {
    zvStatus status = zv_reduce(at->model, at->work, r, p->q, NULL, at->chosen);
    if (status < 0) return status;
    close_velocities(at, p, r);
    status = zv_reduce(at->model, at->work, r, p->q, p->v, at->chosen);
    if (status < 0) return status;
    p->header[5] = status == ZV_DEGRADED;
    warn_of_wishes(at, r);
    gather_forces(at, p);
    copy_reduction(at, p, r);
    status = zv_reduction_forces(at->model, at->work, r, p->q, p->v, p->tau, p->a, p->lambda);
    if (status < 0) return status;
    zv_loop_wrenches(at->model, at->work, p->q, p->lambda, p->wrenches);
    zv_loop_residual(at->model, at->work, NULL, p->q, p->v, -1, p->residual, NULL);
    return find_mobility(at, p);
}

/* Closes the position, reduces there, and keeps how well the state met the loops. */
static zvStatus solve(const Case *at) {
    const ReduceAnswer p = parts_of(at);
    bool met;
    zvStatus status = close_position(at, &p, &met);
    if (status < 0) return status;
    zvReduction *r = zv_reduction_create(at->model, at->error);
    if (!r) return at->error->status < 0 ? at->error->status : ZV_MEMORY;
    status = reduce(at, &p, r);
    zv_reduction_destroy(r);
    if (status < 0) return status;
    if (!met) p.header[5] = 1;
    return mobility_of(at).redundant > 0 ? ZV_DEGRADED : ZV_OK;
}

/* Telling ------------------------------------------------------------------------------------------- */

static int positions(const Case *at, const double **q) {
    *q = parts_of(at).q;
    return 1;
}

static void independent_json(const Case *at, const ReduceAnswer *p, Json *json) {
    json_key(json, "independent"), json_list(json, JSON_LINE);
    for (int j = 0; j < freedoms_of(at); j++) {
        const EntryCursor dof = entry_at(at->model, false, (int)p->independent[j]);
        Text label = {0};
        entry_label(&dof, &label);
        json_text(json, label.bytes ? label.bytes : "");
        text_free(&label);
    }
    json_end(json);
}

/* Matrices of the reduced equations with the coordinates that they are in. */
static void print_json(const Case *at, Json *json) {
    const ReduceAnswer p = parts_of(at);
    const size_t nv = (size_t)zv_model_nv(at->model), n = (size_t)freedoms_of(at);
    const zvLoopMobility mobility = mobility_of(at);
    independent_json(at, &p, json);
    json_key(json, "q"), json_numbers(json, p.q, (size_t)zv_model_nq(at->model));
    json_key(json, "v"), json_numbers(json, p.v, nv);
    json_key(json, "P"), json_rows(json, p.P, nv, n);
    json_key(json, "gamma"), json_numbers(json, p.gamma, nv);
    json_key(json, "D"), json_rows(json, p.D, n, n);
    json_key(json, "C"), json_rows(json, p.C, n, n);
    json_key(json, "G"), json_numbers(json, p.G, n);
    json_key(json, "tau_r"), json_numbers(json, p.tau_r, n);
    json_key(json, "a"), json_numbers(json, p.a, nv);
    loop_forces_json(at->model, p.lambda, p.wrenches, json);
    json_key(json, "residual"), json_number(json, *p.residual);
    mobility_json("mobility", &mobility, json);
    json_key(json, "status"), json_text(json, is_degraded(at) ? "degraded" : "ok");
}

static void print_independent(const Case *at, const int *independent, Text *out) {
    text_puts(out, freedoms_of(at) ? "independent: " : "nothing is left that could move");
    for (int j = 0; j < freedoms_of(at); j++) {
        const EntryCursor dof = entry_at(at->model, false, independent[j]);
        if (j) text_puts(out, ", ");
        entry_label(&dof, out);
    }
    text_puts(out, "\n\n");
}

/* q_c = f(q_r) */
static void print_position(const Case *at, const ReduceAnswer *p, Text *out) {
    static const char *const headings[] = {"coordinate", "q", ""};
    Table table = table_start(3);
    for (int i = 0; i < 3; i++) table_text(&table, headings[i]);
    EntryCursor entry = entry_first(at->model, true);
    for (int i = 0; i < zv_model_nq(at->model); i++, entry_next(&entry)) {
        Text label = {0};
        entry_label(&entry, &label);
        table_text(&table, label.bytes ? label.bytes : "");
        table_number(&table, p->q[i]);
        table_text(&table, entry_position_unit(&entry));
        text_free(&label);
    }
    table_finish(&table, out);
}

/* G_r and tau_r beside each other. */
static void print_forces(const Case *at, const ReduceAnswer *p, const int *independent, Text *out) {
    static const char *const headings[] = {"dof", "joint", "G_r", "tau_r", ""};
    Table table = table_start(5);
    for (int i = 0; i < 5; i++) table_text(&table, headings[i]);
    for (int j = 0; j < freedoms_of(at); j++) {
        const EntryCursor dof = entry_at(at->model, false, independent[j]);
        Text label = {0};
        entry_label(&dof, &label);
        table_integer(&table, independent[j]);
        table_text(&table, label.bytes ? label.bytes : "");
        table_number(&table, p->G[j]);
        table_number(&table, p->tau_r[j]);
        table_text(&table, entry_unit(&dof, QUANTITY_FORCE));
        text_free(&label);
    }
    table_finish(&table, out);
}

/* P, D_r and C_r under the equations they belong to; nothing where nothing is free. */
static void print_matrices(const Case *at, const ReduceAnswer *p, const int *independent, Text *out) {
    const int n = freedoms_of(at), nv = zv_model_nv(at->model);
    if (!n) return;
    text_puts(out, "\n");
    table_of_part(at->model, "P: v = P v_r", NULL, nv, independent, n, p->P, out);
    text_puts(out, "\n");
    table_of_part(at->model, "D_r, of D_r a_r + C_r v_r + G_r = tau_r", independent, n, independent, n, p->D, out);
    text_puts(out, "\n");
    table_of_part(at->model, "C_r", independent, n, independent, n, p->C, out);
    text_puts(out, "\n");
    print_forces(at, p, independent, out);
}

/* Mobility first, then motion, matrices and forces in the loops. */
static void print_table(const Case *at, Text *out) {
    const ReduceAnswer p = parts_of(at);
    const zvLoopMobility mobility = mobility_of(at);
    const DofColumn columns[] = {
        {.name = "v", .quantity = QUANTITY_VELOCITY, .values = p.v},
        {.name = "a", .quantity = QUANTITY_ACCELERATION, .values = p.a},
    };
    int *independent = malloc(((size_t)freedoms_of(at) + 1) * sizeof *independent);
    if (!independent) {
        out->failed = true;
        return;
    }
    for (int j = 0; j < freedoms_of(at); j++) independent[j] = (int)p.independent[j];
    mobility_line(at->model, &mobility, out);
    print_independent(at, independent, out);
    print_position(at, &p, out);
    print_matrices(at, &p, independent, out);
    text_puts(out, "\n");
    table_of_dofs(at->model, columns, 2, out);
    loop_forces_table(at->model, p.wrenches, out);
    free(independent);
}

/* Before room for the matrices is asked for. */
static Code choose(Case *at) {
    enum { MOST = 2048 }; /* degrees of freedom that the library reduces */
    if (zv_model_nv(at->model) <= MOST) return CODE_DONE;
    return complain(CODE_INPUT, "expected at most %d degrees of freedom to reduce, found %d", MOST,
                    zv_model_nv(at->model));
}

static Code run(const Args *args, Text *out) {
    static const Question question = {answer_size,          solve,
                                      print_json,           print_table,
                                      .loops = LOOPS_CLOSE, .takes = STATE_TAU | STATE_FEXT,
                                      .choose = choose,     .positions = positions};
    return question_answer(&question, args, NULL, out);
}

const Verb verb_reduce = {
    .name = "reduce",
    .run = run,
    .options = OPTIONS_STATE | OPTION_INDEPENDENT,
    .needs_model = true,
    .form = "MODEL [--state FILE] [--independent j1,j2]",
    .summary = "equations of a robot with loops in independent coordinates",
    .help =
        "D_r a_r + C_r v_r + G_r = tau_r with v = P v_r, a = P a_r + gamma. Takes q (closed first: q is the guess,\n"
        "and what --independent names stays if it can), v (of the independent coordinates; the others follow), tau, "
        "fext.\n"
        "Prints (JSON keys)\n"
        "  independent  names of the n independent degrees of freedom: those wanted, others chosen by pivoting\n"
        "  q, v         the whole state, dependent coordinates found\n"
        "  P, gamma     nv rows of n numbers; nv numbers\n"
        "  D, C, G      n rows of n numbers, n rows of n numbers, n numbers; dD/dt - 2 C is skew\n"
        "  tau_r        P^T (tau and what fext does in the joints)\n"
        "  a            nv accelerations that they cause\n"
        "  lambda       multipliers of the conditions of all loops\n"
        "  loops        [{name, wrench}]: force and moment of parent on child, in the loop's child frame\n"
        "  residual     the largest gap that is left\n"
        "  mobility     {freedoms, conditions, rank, redundant}\n"
        "  status       ok; degraded: redundant conditions, or a wish that could not be met\n"
        "Exit code 3: the loops cannot be closed.\n"
        "\n"
        "Example\n"
        "  echo '{q: [0.8, 1.2, 2.1, -1]}' | zveno reduce five_bar.yaml --state - --independent motor1,motor2\n",
};
