/* A, B, C and D of every shipped scenario against differences of the whole simulation: positions and velocities are
 * moved on the closed positions (by closing the loops again, not by what G says), forward dynamics is solved anew, and
 * differences of two step sizes are extrapolated (Richardson). */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#include "linear/linear.h"
#include "loops/near.h"
#include "model/coordinate.h"
#include "support/run_tests.h"

/* The machine of a scenario beside the linear model: its own system. */
typedef struct Beside {
    zvLinear *l;
    ziSystem *s;
    ziObserver observer;
    ziLedger ledger;
    double *y, *step, *dv;
    unsigned char *held;
    ziPerturbation input;
} Beside;

/* What is looked at: dx/dt, then the outputs. */
static void look(Beside *b, double *f) {
    zvLinear *l = b->l;
    ziSystem *s = b->s;
    assert_true(zi_system_accelerate(s) >= 0);
    for (int c = 0; c < l->n; c++) f[l->n + c] = s->efforts->a[l->independent[c]];
    for (int k = 0; k < l->nz; k++) f[2 * l->n + k] = s->efforts->rate[k];
    double row[4096];
    b->observer.reactions_known = false;
    for (int i = 0; i < l->ny; i++) {
        zi_observe_channel(&b->observer, l->outputs[i].spec, l->likes + 4 * i, row);
        f[l->nx + i] = row[l->outputs[i].entry];
    }
}

/* x + h e_c, or u + h: the state on the closed positions, and what is seen there. */
static void sample(Beside *b, int column, double h, double *f) {
    zvLinear *l = b->l;
    ziSystem *s = b->s;
    const size_t nv = (size_t)l->nv;
    const double *y = l->y;
    memcpy(b->y, y, (size_t)s->size * sizeof *y);
    memset(b->step, 0, nv * sizeof *b->step);
    b->input.size = 0;
    if (column < l->n) {
        for (size_t i = 0; i < nv; i++) b->step[i] = h * l->P[i * (size_t)l->n + (size_t)column]; /* a first guess */
        zv_position_add(l->model, y, b->step, b->y);
    } else if (column < 2 * l->n) {
        b->y[s->at_v + l->independent[column - l->n]] += h;
    } else if (column < l->nx) {
        b->y[s->at_z + column - 2 * l->n] += h;
    } else {
        b->input = l->inputs[column - l->nx].perturbation;
        b->input.size = h;
    }
    assert_true(zi_efforts_perturb(s->drives, s->efforts, column < l->nx ? NULL : &b->input));
    zi_system_place(s, l->t, b->y);
    if (s->loops) {
        for (size_t i = 0; i < nv; i++) b->held[i] = l->given[i] != ZV_GIVEN_FORCE ? ZV_GIVEN_LOCKED : ZV_GIVEN_FORCE;
        for (int c = 0; c < l->n; c++) b->held[l->independent[c]] = ZV_GIVEN_LOCKED;
        zv_drives_aim(s->drives, s->efforts, l->t);
        const zvClosing closing = zv_efforts_closing(s->efforts);
        assert_true(zi_close_near(l->model, s->work, &closing, b->held, s->q, NULL) >= 0);
        assert_true(zv_close_velocity(l->model, s->work, &closing, s->q, b->held, s->v, NULL) >= 0);
    }
    look(b, f);
    for (int c = 0; c < l->n; c++) f[c] = s->v[l->independent[c]];
}

/* How much is much for column c. */
static double unit_of(const zvLinear *l, int c) {
    if (c < l->n) return l->unit[l->independent[c]];
    if (c < 2 * l->n) return l->velocity_unit[l->independent[c - l->n]];
    return c < l->nx ? zi_linear_state_unit(l, c - 2 * l->n) : 1;
}

/* Slopes of everything along column c by six points, of this part of a unit; stride numbers apart. */
static void slopes(Beside *b, int c, double part, double *f, double *out, size_t stride) {
    static const double times[6] = {-1, 1, -2, 2, -3, 3};
    const zvLinear *l = b->l;
    const size_t count = (size_t)(l->nx + l->ny);
    const double step = c < l->nx ? part * unit_of(l, c) : l->inputs[c - l->nx].perturbation.size;
    for (size_t k = 0; k < 6; k++) sample(b, c, times[k] * step, f + k * count);
    for (size_t i = 0; i < count; i++)
        out[i * stride] = (45 * (f[count + i] - f[i]) - 9 * (f[3 * count + i] - f[2 * count + i]) +
                           (f[5 * count + i] - f[4 * count + i])) /
                          (60 * step);
}

/* What a number of the row is measured by: the largest of the row, each column in its unit; of channels also what they
 * show themselves, and what is rounding beside it. Gaps of loops are rounding as such. */
static double scale_of(const zvLinear *l, int i, const double *reference) {
    const int columns = l->nx + l->nu;
    double scale = 0;
    for (int c = 0; c < columns; c++) scale = fmax(scale, fabs(reference[i * columns + c]) * unit_of(l, c));
    if (i < l->nx) return scale;
    const ziChannelKind kind = l->outputs[i - l->nx].spec.kind;
    scale = fmax(scale, kind == ZI_CHANNEL_RESIDUAL ? 1e-4 : 1e-9);
    for (int o = 0; o < l->ny; o++) {
        if (l->outputs[o].spec.kind != kind || isnan(l->out[o])) continue;
        scale = fmax(scale, 1e-2 * fabs(l->out[o]));
        for (int c = 0; c < columns; c++) scale = fmax(scale, 1e-3 * fabs(reference[(l->nx + o) * columns + c]));
    }
    return scale;
}

static double entry_of(const zvLinear *l, int i, int c) {
    const bool state = i < l->nx, input = c >= l->nx;
    const int row = state ? i : i - l->nx, column = input ? c - l->nx : c;
    return (state ? input ? l->B : l->A : input ? l->D : l->C)[row * (input ? l->nu : l->nx) + column];
}

/* Errors of all entries, less what two step sizes of the differences disagree by, over the scale of its row. That
 * unsure is small itself. */
static void check_all(Beside *b, const char *name) {
    zvLinear *l = b->l;
    const int rows = l->nx + l->ny, columns = l->nx + l->nu;
    const size_t size = (size_t)rows * (size_t)columns + 1;
    double *f = calloc(6 * (size_t)rows + 1, sizeof *f), *coarse = calloc(size, sizeof *f),
           *fine = calloc(size, sizeof *f);
    for (int c = 0; c < columns; c++) {
        slopes(b, c, 1.0 / 512, f, coarse + c, (size_t)columns);
        slopes(b, c, 1.0 / 2048, f, fine + c, (size_t)columns);
    }
    for (int i = 0; i < rows; i++) {
        const double scale = scale_of(l, i, fine);
        /* positions of quaternions depart in a moving frame, which the rates of v do not tell */
        if (scale == 0 || (i < l->n && l->system->coordinate[l->independent[i]] < 0)) continue;
        for (int c = 0; c < columns; c++) {
            const int at = i * columns + c;
            const double unsure = fabs(coarse[at] - fine[at]) * unit_of(l, c),
                         error = fabs(entry_of(l, i, c) - fine[at]) * unit_of(l, c);
            if (isnan(error) || unsure > 1e-5 * scale || error - unsure > 1e-7 * scale)
                fail_msg("%s: row %d (%s), column %d of n %d, nx %d: error %.3g, unsure %.3g of %.3g", name, i,
                         i < l->nx ? "state" : l->outputs[i - l->nx].name.name, c, l->n, l->nx, error, unsure, scale);
        }
    }
    free(fine);
    free(coarse);
    free(f);
}

/* Forces on all links, on the last frame, and all laws with their derivatives; all channels of the scenario. */
static zvLinear *everything(const zvScenario *scenario, const char *name) {
    enum { MOST = 64, LONG = 200 };
    static const char *const words[3] = {"reference", "reference_rate", "reference_acceleration"};
    char texts[MOST][LONG];
    const char *inputs[MOST], *outputs[MOST];
    int count = 0, shown = 0;
    for (int i = 0; i < zv_model_nv(scenario->model) && count == 0; i++)
        if (!scenario->drives->prescribed[i]) snprintf(texts[count++], LONG, "disturbance");
    snprintf(texts[count++], LONG, "load %s",
             zv_model_frame(scenario->model, zv_model_nframe(scenario->model) - 1).name);
    for (size_t i = 0; i < scenario->drives->nelement; i++) {
        const ziElement *e = &scenario->drives->elements[i];
        const int orders = e->kind == &zi_torque_kind || e->kind == &zi_load_kind ? 1 : 3;
        for (int k = 0; e->law && k < orders && count < MOST; k++)
            snprintf(texts[count++], LONG, "%s %s", words[k], e->name);
    }
    for (int i = 0; i < count; i++) inputs[i] = texts[i];
    char names[MOST][LONG];
    for (int i = 0; i < scenario->channel_count && shown < MOST; i++) {
        const ziChannelSpec spec = scenario->channels[i];
        const ziChannelRow row = zi_channel_rows[spec.kind];
        const zvModel *m = scenario->model;
        const char *of = spec.index < 0          ? ""
                         : row.of == ZI_OF_FRAME ? zv_model_frame(m, spec.index).name
                         : row.of == ZI_OF_JOINT ? zv_model_joint(m, spec.index)->name
                                                 : zv_model_loop(m, spec.index)->name;
        snprintf(names[shown], LONG, "%s%s%s", row.word, *of ? " " : "", of);
        outputs[shown] = names[shown];
        shown++;
    }
    zvError error = {0};
    zvLinear *l = NULL;
    if (zv_linear_create(scenario, count, inputs, shown, outputs, &l, &error) < 0) fail_msg("%s: %s", name, error.text);
    return l;
}

/* At the start of the scenario, or with other velocities. */
static void compare(const zvScenario *scenario, const char *name, double t, const double *v) {
    zvError error = {0};
    Beside b = {.l = everything(scenario, name)};
    if (zv_linear_at(b.l, t, NULL, v, NULL, &error) < 0) fail_msg("%s: %s", name, error.text);
    b.s = zi_system_create(scenario, &error);
    assert_non_null(b.s);
    b.s->horizon = b.l->system->horizon;
    b.s->efforts->feedback = 0;
    memcpy(b.s->modes, b.l->system->modes, (size_t)zv_drives_nmode(b.s->drives));
    assert_true(zi_ledger_create(&b.ledger, b.s) && zi_observer_create(&b.observer, b.s, &b.ledger));
    b.y = calloc((size_t)b.s->size + 1, sizeof *b.y);
    b.step = calloc((size_t)b.s->nv + 1, sizeof *b.step);
    b.held = calloc((size_t)b.s->nv + 1, 1);
    check_all(&b, name);
    free(b.y);
    free(b.step);
    free(b.held);
    zi_system_destroy(b.s);
    zv_linear_destroy(b.l);
}

static void scenarios_agree(void **state) {
    (void)state;
    DIR *folder = opendir(ZV_SOURCE_DIR "/scenarios");
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (!suffix || strcmp(suffix, ".yaml") != 0) continue;
        char path[1024];
        zvError error = {0};
        zvScenario *scenario = NULL;
        snprintf(path, sizeof path, "%s/%s", ZV_SOURCE_DIR "/scenarios", entry->d_name);
        if (zv_scenario_read_file(path, 0, NULL, &scenario, &error) < 0) fail_msg("%s", error.text);
        compare(scenario, entry->d_name, zv_scenario_start(scenario), NULL);
        double v[256];
        assert_true(zv_model_nv(scenario->model) <= 256);
        for (int i = 0; i < zv_model_nv(scenario->model); i++) v[i] = 0.2 * sin(1 + i);
        compare(scenario, entry->d_name, zv_scenario_start(scenario), v);
        zv_scenario_destroy(scenario);
    }
    closedir(folder);
}

TESTS(scenarios_agree)
