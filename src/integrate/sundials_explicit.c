/* Explicit Runge-Kutta methods by ARKODE: their tables and their stepper. */
#include "integrate/sundials.h"

#include <string.h>

/* Tables of the explicit Runge-Kutta methods: ARKODE's own, and one of order 8.
 *
 * ARKODE brings Fehlberg's pair of orders 7 and 8. Its error estimate is a multiple of k1 + k11 - k12 - k13, which is
 * zero whenever f depends on t alone: prescribed motions and the work they do would be integrated without any control.
 * Order 8 is therefore the pair of P. J. Prince and J. R. Dormand, High order embedded Runge-Kutta formulae, J. Comput.
 * Appl. Math. 7 (1981), RK8(7)13M, in its usual rational approximation, good to 18 digits. */

enum { STAGES = 13 };

static const double nodes[STAGES] = {0,
                                     1.0 / 18,
                                     1.0 / 12,
                                     1.0 / 8,
                                     5.0 / 16,
                                     3.0 / 8,
                                     59.0 / 400,
                                     93.0 / 200,
                                     5490023248.0 / 9719169821,
                                     13.0 / 20,
                                     1201146811.0 / 1299019798,
                                     1.0,
                                     1.0};

static const double dopri_slopes[STAGES][STAGES] = {
    {0},
    {1.0 / 18},
    {1.0 / 48, 1.0 / 16},
    {1.0 / 32, 0, 3.0 / 32},
    {5.0 / 16, 0, -75.0 / 64, 75.0 / 64},
    {3.0 / 80, 0, 0, 3.0 / 16, 3.0 / 20},
    {29443841.0 / 614563906, 0, 0, 77736538.0 / 692538347, -28693883.0 / 1125000000, 23124283.0 / 1800000000},
    {16016141.0 / 946692911, 0, 0, 61564180.0 / 158732637, 22789713.0 / 633445777, 545815736.0 / 2771057229,
     -180193667.0 / 1043307555},
    {39632708.0 / 573591083, 0, 0, -433636366.0 / 683701615, -421739975.0 / 2616292301, 100302831.0 / 723423059,
     790204164.0 / 839813087, 800635310.0 / 3783071287},
    {246121993.0 / 1340847787, 0, 0, -37695042795.0 / 15268766246, -309121744.0 / 1061227803, -12992083.0 / 490766935,
     6005943493.0 / 2108947869, 393006217.0 / 1396673457, 123872331.0 / 1001029789},
    {-1028468189.0 / 846180014, 0, 0, 8478235783.0 / 508512852, 1311729495.0 / 1432422823, -10304129995.0 / 1701304382,
     -48777925059.0 / 3047939560, 15336726248.0 / 1032824649, -45442868181.0 / 3398467696, 3065993473.0 / 597172653},
    {185892177.0 / 718116043, 0, 0, -3185094517.0 / 667107341, -477755414.0 / 1098053517, -703635378.0 / 230739211,
     5731566787.0 / 1027545527, 5232866602.0 / 850066563, -4093664535.0 / 808688257, 3962137247.0 / 1805957418,
     65686358.0 / 487910083},
    {403863854.0 / 491063109, 0, 0, -5068492393.0 / 434740067, -411421997.0 / 543043805, 652783627.0 / 914296604,
     11173962825.0 / 925320556, -13158990841.0 / 6184727034, 3936647629.0 / 1978049680, -160528059.0 / 685178525,
     248638103.0 / 1413531060, 0}};

static const double dopri_weights[STAGES] = {14005451.0 / 335480064,
                                             0,
                                             0,
                                             0,
                                             0,
                                             -59238493.0 / 1068277825,
                                             181606767.0 / 758867731,
                                             561292985.0 / 797845732,
                                             -1041891430.0 / 1371343529,
                                             760417239.0 / 1151165299,
                                             118820643.0 / 751138087,
                                             -528747749.0 / 2220607170,
                                             1.0 / 4};

static const double embedded[STAGES] = {13451932.0 / 455176623,
                                        0,
                                        0,
                                        0,
                                        0,
                                        -808719846.0 / 976000145,
                                        1757004468.0 / 5645159321,
                                        656045339.0 / 265891186,
                                        -3867574721.0 / 1518517206,
                                        465885868.0 / 322736535,
                                        53011238.0 / 667516719,
                                        2.0 / 45,
                                        0};

/* NULL when out of memory. */
static ARKodeButcherTable prince_dormand(void) {
    double c[STAGES], b[STAGES], d[STAGES], A[STAGES * STAGES]; /* ARKODE does not promise to leave them alone */
    for (int i = 0; i < STAGES; i++) {
        c[i] = nodes[i];
        b[i] = dopri_weights[i];
        d[i] = embedded[i];
        for (int j = 0; j < STAGES; j++) A[i * STAGES + j] = dopri_slopes[i][j];
    }
    return ARKodeButcherTable_Create(STAGES, 8, 7, c, A, b, d);
}

/* Table of the explicit method of this order, to be freed; NULL when out of memory. */
static ARKodeButcherTable sundials_erk_table(int order) {
    static const ARKODE_ERKTableID tables[] = {
        [2] = ARKODE_HEUN_EULER_2_1_2,     [3] = ARKODE_BOGACKI_SHAMPINE_4_2_3, [4] = ARKODE_ZONNEVELD_5_3_4,
        [5] = ARKODE_DORMAND_PRINCE_7_4_5, [6] = ARKODE_VERNER_8_5_6,
    };
    return order == 8 ? prince_dormand() : ARKodeButcherTable_LoadERK(tables[order]);
}

/* Explicit Runge-Kutta methods of ARKODE.
 *
 * ARKODE's interpolants end at degree 5, below what orders 6 and 8 deserve; inside a step the same formula is applied
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
