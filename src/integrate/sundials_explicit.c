/* Explicit Runge-Kutta methods by ARKODE. That of order 8 is our own (dop853.c): ARKODE brings Fehlberg's pair of
 * orders 7 and 8, whose error estimate is a multiple of k1 + k11 - k12 - k13 and zero whenever f depends on t alone:
 * prescribed motions and the work they do would be integrated without any control. */
#include "integrate/sundials.h"

#include <string.h>

/* Table of the explicit method of this order, to be freed; NULL when out of memory. */
static ARKodeButcherTable sundials_erk_table(int order) {
    static const ARKODE_ERKTableID tables[] = {
        [2] = ARKODE_HEUN_EULER_2_1_2,     [3] = ARKODE_BOGACKI_SHAMPINE_4_2_3, [4] = ARKODE_ZONNEVELD_5_3_4,
        [5] = ARKODE_DORMAND_PRINCE_7_4_5, [6] = ARKODE_VERNER_8_5_6,
    };
    return ARKodeButcherTable_LoadERK(tables[order]);
}

/* Explicit Runge-Kutta methods of ARKODE.
 *
 * ARKODE's interpolants end at degree 5, below what order 6 deserves; inside a step the same formula is applied
 * with a shorter step instead, which keeps the order and costs as many rates as the method has stages. */

/* Whether the last stage is the new state, so that its slope is the next step's first. ERKStep 6.4 takes it for so
 * whenever the last node is 1, and loses orders; a function after the step makes it compute the slope anew. */
static bool first_same_as_last(const ARKodeButcherTable table) {
    int last = table->stages - 1;
    for (int j = 0; j < table->stages; j++) {
        if (table->A[last][j] != table->b[j]) return false;
    }
    return true;
}

/* Without the function after the step ERKStep would take a slope that is not there (first_same_as_last). */
static int set_options(zvIntegrator *in) {
    ziSundials *s = zi_sundials(in);
    int flag = zi_sundials_set_options(in);
    if (flag >= 0) flag = ERKStepSetTable(s->memory, s->table);
    if (flag >= 0 && (in->ode.project || !first_same_as_last(s->table))) {
        flag = ERKStepSetPostprocessStepFn(s->memory, zi_sundials_project);
    }
    return flag;
}

static const ziSundialsCalls erk_calls = {ZI_SUNDIALS_CALLS(ERKStep), .evolve = ERKStepEvolve};

/* Also room for the stages of a shorter step, which serves states inside a step. */
static zvStatus create(zvIntegrator *in, zvError *error) {
    if (in->order == 7) {
        return zv_fail(error, ZV_NUMBER, (zvMark){0}, "order", "erk has orders 2 to 6 and 8, but not 7; take 8");
    }
    if (in->order == 8) {
        in->stepper = &zi_stepper_dop853;
        return in->stepper->create(in, error);
    }
    zvStatus status = zi_sundials_create(in, &erk_calls, error);
    if (status < 0) return status;
    ziSundials *s = zi_sundials(in);
    s->memory = ERKStepCreate(zi_sundials_rate, 0, s->y, s->context);
    s->table = sundials_erk_table(in->order);
    if (!s->memory || !s->table || set_options(in) < 0) return zi_sundials_no_memory(in, error);
    s->buffer = zi_arena_alloc(&in->arena, (size_t)(s->table->stages + 1) * (size_t)in->size * sizeof *s->buffer);
    return s->buffer ? ZV_OK : zi_sundials_no_memory(in, error);
}

static zvStatus start(zvIntegrator *in, bool anew, zvError *error) {
    ziSundials *s = zi_sundials(in);
    return zi_sundials_started(in,
                               anew ? ERKStepReInit(s->memory, zi_sundials_rate, in->reach, s->y)
                                    : ERKStepReset(s->memory, in->reach, s->y),
                               error);
}

/* ERKStep gives up where f refuses a stage; a quarter of the way to there may do. */
static int try_shorter(zvIntegrator *in, int flag, double *t) {
    ziSundials *s = zi_sundials(in);
    const int most = 20;
    for (int tries = 0; tries < most && flag < 0; tries++) {
        double stop = in->from + 0.25 * (in->trouble_time - in->from);
        if (in->trouble == ZI_TROUBLE_NONE || in->trouble == ZI_TROUBLE_GAVE_UP || !(stop > in->from)) break;
        in->counts.rejected++;
        memcpy(in->y, in->y_from, (size_t)in->size * sizeof *in->y);
        int set = ERKStepReset(s->memory, in->from, s->y);
        if (set >= 0) set = ERKStepSetStopTime(s->memory, stop);
        if (set < 0) return set;
        flag = ERKStepEvolve(s->memory, stop, s->y, t, ARK_ONE_STEP);
    }
    return flag;
}

static zvStatus step(zvIntegrator *in, double t_stop, zvError *error) {
    return zi_sundials_step(in, t_stop, try_shorter, error);
}

/* y = y_from + h sum_j b_j k_j, k_s = f(from + c_s h, y_from + h sum_j a_sj k_j); 0 when f could be computed. */
static int shorter_step(zvIntegrator *in, double h, double *y) {
    ziSundials *s = zi_sundials(in);
    const ARKodeButcherTable table = s->table;
    size_t n = (size_t)in->size;
    double *stage = s->buffer, *slopes = s->buffer + n;
    for (int k = 0; k <= table->stages; k++) {
        const double *weights = k < table->stages ? table->A[k] : table->b;
        for (size_t i = 0; i < n; i++) stage[i] = in->y_from[i];
        for (int j = 0; j < k; j++) {
            double part = h * weights[j];
            const double *slope = slopes + (size_t)j * n;
            for (size_t i = 0; part != 0 && i < n; i++) stage[i] += part * slope[i];
        }
        if (k == table->stages) break;
        int answer = zi_call_rate(in, in->from + table->c[k] * h, stage, slopes + (size_t)k * n);
        if (answer) return answer;
    }
    for (int i = 0; i < in->ode.size; i++) y[i] = stage[i];
    return 0;
}

/* Where f is not defined a straight line to the caller's state must do. */
static void at(zvIntegrator *in, double t, double *y) {
    if (shorter_step(in, t - in->from, y) == 0) return;
    double part = (t - in->from) / (in->t - in->from);
    for (int i = 0; i < in->ode.size; i++) y[i] = in->y_from[i] + part * (in->y[i] - in->y_from[i]);
}

const ziStepper zi_stepper_erk = {true, true, create, start, step, at, zi_sundials_statistics, zi_sundials_destroy,
                                  NULL, NULL};
