/* erk of order 8: the explicit Runge-Kutta pair 8(5,3) of Dormand and Prince with its continuous extension of order 7,
 * by E. Hairer and G. Wanner (DOP853) [Hairer1] II.5, II.6.
 *
 *   step        y1 = y0 + h sum_j a_12,j k_j,  k_i = f(t + c_i h, y0 + h sum_j a_ij k_j): twelve calls of f
 *   its error   h e5^2 / sqrt(e5^2 + e3^2 / 100), of the embedded formulae of orders 5 and 3, [Hairer1] II.10 (10.17)
 *   inside it   a polynomial of degree 7 from three slopes more, which are computed when someone looks for the first
 *               time; any number of rows and of searches for events then costs no further call
 *   next step   h 0.9 error^(-1/8), at least a third and at most six times h, [Hairer1] II.4 (4.13)
 *
 * *Differs*: the slope at the end of a step is that of the projected state, and is the next step's first. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/method.h"

/* The stages of a step; its end; those of the extension. */
enum { STAGES = 12, END = 12, ALL = 16, DEGREE = 7, MOST_REFUSED = 20 };

static const double nodes[ALL] = {0,
                                  0.0526001519587677318786,
                                  0.0789002279381515978178,
                                  0.118350341907227396727,
                                  0.281649658092772603273,
                                  1.0 / 3,
                                  0.25,
                                  4.0 / 13,
                                  127.0 / 195,
                                  0.6,
                                  6.0 / 7,
                                  1,
                                  1,
                                  0.1,
                                  0.2,
                                  7.0 / 9};

/* Row END has the weights of the step. */
static const double slopes[ALL][ALL] = {
    [1] = {[0] = 0.0526001519587677318786},
    [2] = {[0] = 0.0197250569845378994545, [1] = 0.0591751709536136983634},
    [3] = {[0] = 0.0295875854768068491817, [2] = 0.0887627564304205475451},
    [4] = {[0] = 0.241365134159266685502, [2] = -0.884549479328286085345, [3] = 0.924834003261792003116},
    [5] = {[0] = 0.037037037037037037037, [3] = 0.17082860872947387128, [4] = 0.125467687566822425017},
    [6] = {[0] = 0.037109375, [3] = 0.170252211019544039315, [4] = 0.060216538980455960685, [5] = -0.017578125},
    [7] = {[0] = 0.0370920001185047927109,
           [3] = 0.17038392571223999381,
           [4] = 0.107262030446373284652,
           [5] = -0.0153194377486244017528,
           [6] = 0.00827378916381402288758},
    [8] = {[0] = 0.624110958716075717114,
           [3] = -3.36089262944694129407,
           [4] = -0.868219346841726006818,
           [5] = 27.5920996994467083049,
           [6] = 20.1540675504778934086,
           [7] = -43.4898841810699588477},
    [9] = {[0] = 0.47766253643826436589,
           [3] = -2.48811461997166764193,
           [4] = -0.590290826836842996371,
           [5] = 21.2300514481811942347,
           [6] = 15.2792336328824235833,
           [7] = -33.2882109689848629194,
           [8] = -0.0203312017085086261358},
    [10] = {[0] = -0.937142430085987325717,
            [3] = 5.1863724288440637083,
            [4] = 1.09143734899672957819,
            [5] = -8.14978701074692612514,
            [6] = -18.5200656599969598642,
            [7] = 22.7394870993505042819,
            [8] = 2.49360555267965238987,
            [9] = -3.04676447189821950038},
    [11] = {[0] = 2.27331014751653820792,
            [3] = -10.5344954667372501984,
            [4] = -2.0008720582248624991,
            [5] = -17.9589318631187989173,
            [6] = 27.9488845294199600508,
            [7] = -2.85899827713502369474,
            [8] = -8.87285693353062954434,
            [9] = 12.3605671757943030647,
            [10] = 0.643392746015763530356},
    [12] = {[0] = 0.0542937341165687622381,
            [5] = 4.45031289275240888144,
            [6] = 1.89151789931450038304,
            [7] = -5.80120396001058478147,
            [8] = 0.311164366957819894409,
            [9] = -0.152160949662516078556,
            [10] = 0.201365400804030348375,
            [11] = 0.0447106157277725905177},
    [13] = {[0] = 0.0561675022830479523393,
            [6] = 0.253500210216624811089,
            [7] = -0.246239037470802489917,
            [8] = -0.124191423263816360469,
            [9] = 0.153291798278765697312,
            [10] = 0.00820105229563468988492,
            [11] = 0.00756789766054569976139,
            [12] = -0.008298},
    [14] = {[0] = 0.0318346481635021405061,
            [5] = 0.0283009096723667755288,
            [6] = 0.0535419883074385676224,
            [7] = -0.0549237485713909884647,
            [10] = -0.000108347328697249322859,
            [11] = 0.000382571090835658412955,
            [12] = -0.000340465008687404560803,
            [13] = 0.141312443674632500278},
    [15] = {[0] = -0.428896301583791923409,
            [5] = -4.69762141536116384314,
            [6] = 7.68342119606259904184,
            [7] = 4.0689898183971100797,
            [8] = 0.356727187455281109271,
            [12] = -0.00139902416515901462129,
            [13] = 2.94751478915277233896,
            [14] = -9.15095847217987001082},
};

/* What the formulae of orders 5 and 3 differ by from that of order 8. */
static const double error5[STAGES] = {
    [0] = 0.0131200449941948807325,  [5] = -1.22515644637620444072,   [6] = -0.495758949657250191521,
    [7] = 1.66437718245498653696,    [8] = -0.350328848749973681689,  [9] = 0.33417911871301747903,
    [10] = 0.0819232064851157124657, [11] = -0.0223553078638862952588};
static const double weights3[STAGES] = {
    [0] = 0.244094488188976377953, [8] = 0.733846688281611857341, [11] = 0.0220588235294117647059};

/* The last four coefficients of the polynomial. */
static const double extension[4][ALL] = {
    {[0] = -8.42893827610901286514,
     [5] = 0.566714953519377769625,
     [6] = -3.06894994594989169128,
     [7] = 2.38466765651206982877,
     [8] = 2.11703458244502827672,
     [9] = -0.871391583777972992068,
     [10] = 2.24043743026078827585,
     [11] = 0.631578778769468818156,
     [12] = -0.0889903364513333108207,
     [13] = 18.1485055208547272567,
     [14] = -9.19463239247835540005,
     [15] = -4.43603638759489396643},
    {[0] = 10.4275086425791346034,
     [5] = 242.283491775258182884,
     [6] = 165.200451717270281985,
     [7] = -374.546754722690202795,
     [8] = -22.1136668531253060363,
     [9] = 7.73343266847226383896,
     [10] = -30.6740847310893981821,
     [11] = -9.33213052643022787296,
     [12] = 15.6972381217708438861,
     [13] = -31.1394032195651776773,
     [14] = -9.35292435884447838657,
     [15] = 35.8168414863940837525},
    {[0] = 19.985053242002433821,
     [5] = -387.037308749351765551,
     [6] = -189.178138195167568828,
     [7] = 527.808159205423649006,
     [8] = -11.5739025399596301261,
     [9] = 6.88123269469630001697,
     [10] = -1.00060509669108384032,
     [11] = 0.777713779805344320929,
     [12] = -2.77820575235350840659,
     [13] = -60.1966952312641207583,
     [14] = 84.3204055066771610182,
     [15] = 11.992291136182789328},
    {[0] = -25.6939334627037490033,
     [5] = -154.189748690236433741,
     [6] = -231.529379176045495675,
     [7] = 357.639117910614123783,
     [8] = 93.4053241836243100039,
     [9] = -37.4583231364516331569,
     [10] = 104.099649508962300451,
     [11] = 29.8402934266605031233,
     [12] = -43.5334565900111437544,
     [13] = 96.3245539591882829484,
     [14] = -39.1772616756154391652,
     [15] = -149.726836257985625814},
};

/* Of the estimate: with it the polynomial, of one order less, is within a tolerance or two of the steps, as that of the
 * other methods is, and the error of a run is some ten times the tolerance. */
static const double CAUTION = 10;

typedef struct Engine {
    double *k[ALL];               /* slopes, (size) each */
    double *y0, *y1, *stage;      /* at both ends of the last step */
    double *coefficients[DEGREE]; /* of the polynomial */
    double t0, t1, next;          /* the step; the next one's length, 0: to be chosen */
    bool fresh;                   /* no step is done since the start */
    bool slope_known, extended;   /* k[END] is that of y1; the polynomial is ready */
} Engine;

/* All memory; the first that is missing ends it. */
static zvStatus dop853_create(zvIntegrator *in, zvError *error) {
    const size_t bytes = (size_t)in->size * sizeof(double);
    Engine *e = in->engine = zi_arena_alloc(&in->arena, sizeof *e);
    bool have = e != NULL;
    for (int i = 0; have && i < ALL; i++) have = (e->k[i] = zi_arena_alloc(&in->arena, bytes)) != NULL;
    for (int i = 0; have && i < DEGREE; i++) have = (e->coefficients[i] = zi_arena_alloc(&in->arena, bytes)) != NULL;
    if (have) {
        e->y0 = zi_arena_alloc(&in->arena, bytes);
        e->y1 = zi_arena_alloc(&in->arena, bytes);
        e->stage = zi_arena_alloc(&in->arena, bytes);
        have = e->y0 && e->y1 && e->stage;
    }
    return have ? ZV_OK : zv_fail(error, ZV_MEMORY, (zvMark){0}, "", "out of memory for %d unknowns", in->ode.size);
}

static void dop853_destroy(zvIntegrator *in) { (void)in; }

/* Steps after a cut go on with the length of those before. */
static zvStatus dop853_start(zvIntegrator *in, bool anew, zvError *error) {
    Engine *e = in->engine;
    (void)error;
    if (anew) e->next = 0;
    e->fresh = anew;
    e->slope_known = e->extended = false;
    e->t0 = e->t1 = in->reach;
    return ZV_OK;
}

/* sum = base + h sum_j weight_j k_j over the first count slopes; base NULL: 0. */
static void combine(const zvIntegrator *in, const double *base, double h, const double *weights, int count,
                    double *sum) {
    const Engine *e = in->engine;
    const int n = in->size;
    if (base)
        memcpy(sum, base, (size_t)n * sizeof *sum);
    else
        memset(sum, 0, (size_t)n * sizeof *sum);
    for (int j = 0; j < count; j++) {
        const double part = h * weights[j], *k = e->k[j];
        if (part == 0) continue;
        for (int i = 0; i < n; i++) sum[i] += part * k[i];
    }
}

/* Slope i of the step of length h from (t0, y0). */
static int stage(zvIntegrator *in, int i, double h) {
    Engine *e = in->engine;
    combine(in, e->y0, h, slopes[i], i, e->stage);
    return zi_call_rate(in, e->t0 + nodes[i] * h, e->stage, e->k[i]);
}

/* Root mean square in units of the tolerance at y0. */
static double norm(const zvIntegrator *in, const double *x) {
    const Engine *e = in->engine;
    double sum = 0;
    for (int i = 0; i < in->size; i++) {
        const double part = x[i] / (in->rtol * fabs(e->y0[i]) + in->atol[i]);
        sum += part * part;
    }
    return in->size ? sqrt(sum / in->size) : 0;
}

/* Of the step just tried; NAN when a slope is too large for numbers. */
static double error_of(zvIntegrator *in, double h) {
    Engine *e = in->engine;
    double weights[STAGES];
    combine(in, NULL, h, error5, STAGES, e->stage);
    const double e5 = norm(in, e->stage);
    for (int j = 0; j < STAGES; j++) weights[j] = slopes[END][j] - weights3[j];
    combine(in, NULL, h, weights, STAGES, e->stage);
    const double e3 = norm(in, e->stage);
    return e5 == 0 ? 0 : CAUTION * e5 * e5 / sqrt(e5 * e5 + 0.01 * e3 * e3);
}

/* A first length: an Euler step tells the second derivative [Hairer1] II.4. 0 and an answer when f refuses. */
static double first_step(zvIntegrator *in, double most, int *answer) {
    Engine *e = in->engine;
    const double size = norm(in, e->y0), speed = norm(in, e->k[0]);
    double h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
    if (h > most) h = most;
    for (int i = 0; i < in->size; i++) e->stage[i] = e->y0[i] + h * e->k[0][i];
    *answer = zi_call_rate(in, e->t0 + h, e->stage, e->k[1]);
    if (*answer > 0) return 1e-3 * h;
    for (int i = 0; i < in->size; i++) e->stage[i] = (e->k[1][i] - e->k[0][i]) / h;
    const double fastest = fmax(speed, norm(in, e->stage));
    const double longest = fastest > 1e-15 ? pow(0.01 / fastest, 1.0 / 8) : most;
    return fmin(100 * h, longest);
}

/* The slope where the step begins, at hand when someone has looked into the last one; a first length. */
static int begin_step(zvIntegrator *in, double most) {
    Engine *e = in->engine;
    int answer = 0;
    e->t0 = in->reach;
    memcpy(e->y0, in->y, (size_t)in->size * sizeof *e->y0);
    if (e->slope_known)
        memcpy(e->k[0], e->k[END], (size_t)in->size * sizeof *e->y0);
    else
        answer = zi_call_rate(in, e->t0, e->y0, e->k[0]);
    e->slope_known = e->extended = false;
    if (answer || e->next > 0) return answer;
    e->next = in->step > 0 ? in->step : first_step(in, most, &answer);
    return answer < 0 ? answer : 0;
}

/* y1 by a step of length h; an answer of the callbacks. */
static int try_step(zvIntegrator *in, double h) {
    Engine *e = in->engine;
    for (int i = 1; i < STAGES; i++) {
        const int answer = stage(in, i, h);
        if (answer) return answer;
    }
    combine(in, e->y0, h, slopes[END], STAGES, e->y1);
    return 0;
}

/* A first step is a guess, often by far too short: the second may be longer than others. */
static double factor_of(const Engine *e, double error) {
    const double most = e->fresh ? 100 : 6;
    return error > 0 ? fmin(most, fmax(1.0 / 3, 0.9 * pow(error, -1.0 / 8))) : error == 0 ? most : 1.0 / 3;
}

/* What the step led to, and the length of the next one, which a stop does not shorten. */
static void accept(zvIntegrator *in, double end, double next) {
    Engine *e = in->engine;
    memcpy(in->y, e->y1, (size_t)in->size * sizeof *in->y);
    in->reach = e->t1 = end;
    e->next = end < e->t0 + e->next ? fmax(next, e->next) : next;
    e->fresh = false;
}

static bool has_weights(const zvIntegrator *in) {
    for (int i = 0; i < in->size; i++) {
        if (!(in->rtol * fabs(in->y[i]) + in->atol[i] > 0)) return false;
    }
    return true;
}

/* Until a step is accepted, or so short that the clock cannot tell: then reach stays, and the caller fails. */
static zvStatus dop853_step(zvIntegrator *in, double t_stop, zvError *error) {
    Engine *e = in->engine;
    if (!has_weights(in)) return zi_stops_fail(in, in->reach, ZI_NO_WEIGHT, error);
    int answer = begin_step(in, t_stop - in->reach), refused = 0;
    bool failed = false;
    while (!answer) {
        if (in->max_step > 0) e->next = fmin(e->next, in->max_step);
        const double end = e->t0 + 1.001 * e->next < t_stop ? e->t0 + e->next : t_stop, h = end - e->t0;
        if (!(h > (end < t_stop ? 8 * DBL_EPSILON * fabs(e->t0) : 0))) return ZV_OK;
        answer = try_step(in, h);
        const double off = answer ? NAN : error_of(in, h), next = h * factor_of(e, off);
        if (!answer && off <= 1) answer = zi_call_project(in, end, e->y1);
        if (!answer && off <= 1) {
            accept(in, end, failed ? fmin(next, h) : next);
            return ZV_OK;
        }
        in->counts.rejected++;
        failed = true;
        e->next = answer ? h / 4 : next;
        if (answer > 0 && ++refused < MOST_REFUSED) answer = 0;
    }
    return zi_trouble_fail(in, "the right-hand side", error);
}

/* The polynomial of the last step, y0 + s (c0 + s' (c1 + s (c2 + ... ))) with s' = 1 - s [Hairer1] II.6. */
static int extend(zvIntegrator *in) {
    Engine *e = in->engine;
    const double h = e->t1 - e->t0;
    int answer = e->slope_known ? 0 : zi_call_rate(in, e->t1, e->y1, e->k[END]);
    e->slope_known = !answer;
    for (int i = END + 1; !answer && i < ALL; i++) answer = stage(in, i, h);
    if (answer) return answer;
    double *const *c = e->coefficients;
    for (int i = 0; i < in->size; i++) {
        c[0][i] = e->y1[i] - e->y0[i];
        c[1][i] = h * e->k[0][i] - c[0][i];
        c[2][i] = c[0][i] - h * e->k[END][i] - c[1][i];
    }
    for (int j = 0; j < 4; j++) combine(in, NULL, h, extension[j], ALL, c[3 + j]);
    e->extended = true;
    return 0;
}

/* Where f is not defined a straight line must do. */
static void dop853_at(zvIntegrator *in, double t, double *y) {
    Engine *e = in->engine;
    const double s = e->t1 > e->t0 ? (t - e->t0) / (e->t1 - e->t0) : 1;
    const bool smooth = e->extended || extend(in) == 0;
    double *const *c = e->coefficients;
    for (int i = 0; i < in->ode.size; i++) {
        double sum = smooth ? c[DEGREE - 1][i] : e->y1[i] - e->y0[i];
        for (int j = DEGREE - 2; smooth && j >= 0; j--) sum = c[j][i] + (j % 2 ? s : 1 - s) * sum;
        y[i] = e->y0[i] + s * sum;
    }
}

static void dop853_statistics(const zvIntegrator *in, zvIntegrationStatistics *s) { (void)in, (void)s; }

const ziStepper zi_stepper_dop853 = {
    true, true, dop853_create, dop853_start, dop853_step, dop853_at, dop853_statistics, dop853_destroy, NULL, NULL};
