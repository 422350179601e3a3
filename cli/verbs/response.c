/* zveno response: poles, zeros, responses over frequency and time, margins and root loci of linear models. */
#include "verbs/response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verb.h"

static const double TURN = 6.283185307179586;
static const char *const part_words[PARTS] = {"poles", "zeros",   "frequency", "nichols", "sigma",
                                              "step",  "impulse", "margins",   "locus"};

enum { POINTS_PRINTED = 25, POINTS_DRAWN = 400, MOST_VALUES = 2000 };

/* What is wanted -------------------------------------------------------------------------------------------- */

/* --break and --over are parts of their own; without any the usual ones. */
static Code choose_parts(SystemResponse *r) {
    const Args *args = r->args;
    if (args->broken) r->parts[PART_MARGINS] = true;
    if (args->over) r->parts[PART_LOCUS] = true;
    if (!args->show) {
        if (!args->broken && !args->over) r->parts[PART_POLES] = r->parts[PART_ZEROS] = true;
        return CODE_DONE;
    }
    NameList words;
    Code code = name_list(args->show, &words) ? CODE_DONE : complain_memory();
    for (int i = 0; i < words.count && code == CODE_DONE; i++) {
        int part = 0;
        while (part < PART_MARGINS && strcmp(words.names[i], part_words[part]) != 0) part++;
        if (part < PART_MARGINS)
            r->parts[part] = true;
        else
            code = complain_unknown(CODE_USAGE, "part of a response", words.names[i], part_words, PART_MARGINS);
    }
    name_list_free(&words);
    return code;
}

static bool room(double **numbers, size_t count) {
    *numbers = calloc(count + 1, sizeof **numbers);
    return *numbers != NULL;
}

/* Poles and zeros ------------------------------------------------------------------------------------------- */

static Code find_poles(SystemResponse *r) {
    zvError error = {0};
    if (!room(&r->real, (size_t)r->system.nx) || !room(&r->imag, (size_t)r->system.nx)) return complain_memory();
    return zv_poles(&r->system, r->real, r->imag, &error) < 0 ? complain_error(&error) : CODE_DONE;
}

/* The part of the system between one input and one output, without what has nothing to do with them. */
static Code pair_zeros(const SystemResponse *r, int pair, PairZeros *z) {
    const zvStateSpace *s = &r->system;
    const size_t n = (size_t)s->nx;
    const int output = pair / s->nu, input = pair % s->nu;
    double *numbers;
    zvError error = {0};
    if (!room(&numbers, n * n + 4 * n) || !room(&z->real, n) || !room(&z->imag, n)) return complain_memory();
    double *A = numbers, *B = A + n * n, *C = B + n, *b = C + n;
    for (size_t i = 0; i < n; i++) b[i] = s->B[i * (size_t)s->nu + (size_t)input];
    zvStateSpace one = {s->nx, 1, 1, s->A, b, s->C + (size_t)output * n, &s->D[pair]};
    int order;
    zvStatus status = zv_minimal(&one, 0, &order, A, B, C, &error);
    one = (zvStateSpace){order, 1, 1, A, B, C, &s->D[pair]};
    if (status >= 0) status = zv_zeros(&one, &z->count, z->real, z->imag, &error);
    z->moves = order > 0 || s->D[pair] != 0;
    for (int k = 0; k < z->count; k++) {
        double size = hypot(z->real[k], z->imag[k]);
        z->right += z->real[k] > 1e-9 * size;
    }
    free(numbers);
    return status < 0 ? complain_error(&error) : CODE_DONE;
}

static Code find_zeros(SystemResponse *r) {
    const int pairs = r->system.ny * r->system.nu;
    r->zeros = calloc((size_t)pairs + 1, sizeof *r->zeros);
    if (!r->zeros) return complain_memory();
    Code code = CODE_DONE;
    for (int i = 0; i < pairs && code == CODE_DONE; i++) code = pair_zeros(r, i, &r->zeros[i]);
    return code;
}

/* Over frequency -------------------------------------------------------------------------------------------- */

/* From a tenth of the slowest to ten times the fastest pole, Hz. */
static Code frequency_window(const SystemResponse *r, double *from, double *to) {
    char after;
    if (r->args->frequencies) {
        if (sscanf(r->args->frequencies, "%lf:%lf%c", from, to, &after) == 2 && *from > 0 && *to > *from)
            return CODE_DONE;
        return complain(CODE_USAGE, "expected --frequencies FROM:TO in Hz, 0 < FROM < TO, found \"%s\"",
                        r->args->frequencies);
    }
    double slow = INFINITY, fast = 0;
    for (int i = 0; i < r->system.nx; i++) {
        const double rate = hypot(r->real[i], r->imag[i]);
        fast = fmax(fast, rate);
        if (rate > 1e-6) slow = fmin(slow, rate);
    }
    if (!(fast > 1e-6)) slow = fast = 1;
    *from = fmax(slow, 1e-6 * fast) / TURN / 10;
    *to = 10 * fast / TURN;
    return CODE_DONE;
}

/* Points evenly over the logarithm. */
static Code find_frequency(SystemResponse *r) {
    const zvStateSpace *s = &r->system;
    const size_t points = (size_t)r->points, most = (size_t)(s->ny < s->nu ? s->ny : s->nu);
    double from, to;
    zvError error = {0};
    const Code code = frequency_window(r, &from, &to);
    if (code != CODE_DONE) return code;
    if (!room(&r->omega, points) || !room(&r->frequency, 2 * points * (size_t)s->ny * (size_t)s->nu) ||
        !room(&r->sigma, points * most))
        return complain_memory();
    for (size_t k = 0; k < points; k++)
        r->omega[k] = TURN * from * pow(to / from, points > 1 ? (double)k / (double)(points - 1) : 0);
    return zv_frequency_response(s, r->points, r->omega, r->frequency, r->sigma, &error) < 0 ? complain_error(&error)
                                                                                             : CODE_DONE;
}

double response_size(const SystemResponse *r, int pair, int point) {
    const double *at = r->frequency + 2 * ((size_t)point * (size_t)(r->system.ny * r->system.nu) + (size_t)pair);
    return hypot(at[0], at[1]);
}

void response_phase(const SystemResponse *r, int pair, double *phase) {
    const size_t pairs = (size_t)(r->system.ny * r->system.nu);
    for (int k = 0; k < r->points; k++) {
        const double *at = r->frequency + 2 * ((size_t)k * pairs + (size_t)pair);
        phase[k] = atan2(at[1], at[0]);
        if (k) phase[k] += TURN * round((phase[k - 1] - phase[k]) / TURN);
    }
}

/* Over time ------------------------------------------------------------------------------------------------- */

/* Until the slowest motion has decayed to a hundredth, or ten of its periods; of what does not decay the latter, of
 * what grows until it is a hundredfold. */
static double usual_duration(const SystemResponse *r) {
    double most = 0, growth = 0, fast = 0;
    for (int i = 0; i < r->system.nx; i++) fast = fmax(fast, hypot(r->real[i], r->imag[i]));
    for (int i = 0; i < r->system.nx; i++) {
        const double rate = hypot(r->real[i], r->imag[i]), period = rate > 1e-5 * fast ? TURN / rate : 0;
        most = fmax(most, r->real[i] < -0.02 * rate ? fmin(4.6 / -r->real[i], 10 * period) : 10 * period);
        if (period > 0) growth = fmax(growth, r->real[i]);
    }
    if (!(most > 0)) most = 1;
    return growth > 0 ? fmin(most, 4.6 / growth) : most;
}

/* Steps of one length up to the end. */
static Code find_times(SystemResponse *r, Part part) {
    const zvStateSpace *s = &r->system;
    const double end = r->args->given & OPTION_TO ? r->args->to : usual_duration(r);
    double **y = &r->times[part == PART_IMPULSE];
    zvError error = {0};
    if (!(end > 0)) return complain(CODE_USAGE, "expected --to after 0 s, found %g s", end);
    r->step = end / (r->points > 1 ? r->points - 1 : 1);
    if (!room(y, (size_t)r->points * (size_t)s->ny * (size_t)s->nu)) return complain_memory();
    const zvStimulus stimulus = part == PART_STEP ? ZV_STIMULUS_STEP : ZV_STIMULUS_IMPULSE;
    return zv_time_response(s, stimulus, r->step, r->points, *y, &error) < 0 ? complain_error(&error) : CODE_DONE;
}

/* Margins --------------------------------------------------------------------------------------------------- */

/* The input that pushes where the force called label ("pd elbow") does, or -1: the longest joint that ends it. */
static int input_of(const zvLinear *l, const char *label) {
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < zv_linear_inputs(l); i++) {
        const char *joint = strchr(zv_linear_input(l, i).name, '.') + 1;
        const size_t size = strlen(joint), whole = strlen(label);
        if (whole <= size || size <= longest || label[whole - size - 1] != ' ' ||
            strcmp(label + whole - size, joint) != 0)
            continue;
        found = i;
        longest = size;
    }
    return found;
}

static bool is_named(const char *label, const char *name) {
    const size_t size = strlen(name);
    return !strncmp(label, name, size) && (label[size] == '\0' || label[size] == ' ');
}

/* Of one force: from what is added to it back to it. */
static Code margins_of(SystemResponse *r, int input, int output) {
    const Plant *p = &r->loop_plant;
    size_t n, nu, ny, x;
    const double *A = plant_matrix(p, ZV_LINEAR_A, &n, &x), *B = plant_matrix(p, ZV_LINEAR_B, &n, &nu),
                 *C = plant_matrix(p, ZV_LINEAR_C, &ny, &n), *D = plant_matrix(p, ZV_LINEAR_D, &ny, &nu);
    double *b;
    zvError error = {0};
    if (!room(&b, n)) return complain_memory();
    for (size_t i = 0; i < n; i++) b[i] = B[i * nu + (size_t)input];
    const zvStateSpace closed = {(int)n, 1, 1, A, b, C + (size_t)output * n, &D[(size_t)output * nu + (size_t)input]};
    BrokenLoop *loop = &r->broken[r->loops];
    loop->name = strchr(zv_linear_output(p->linear, output).name, '.') + 1;
    const zvStatus status = zv_margins(&closed, &loop->margins, &error);
    free(b);
    if (status < 0) return complain_error(&error);
    r->loops++;
    return CODE_DONE;
}

/* A name that no force has: what there are. */
static Code unknown_loop(const zvLinear *l, const char *name) {
    const int count = zv_linear_outputs(l);
    const char **names = calloc((size_t)count + 1, sizeof *names);
    if (!names) return complain_memory();
    int known = 0;
    for (int i = 0; i < count; i++) {
        const char *label = strchr(zv_linear_output(l, i).name, '.') + 1;
        if (input_of(l, label) >= 0) names[known++] = label;
    }
    const Code code = complain_unknown(CODE_INPUT, "drive", name, names, (size_t)known);
    free(names);
    return code;
}

/* Every loop that a name stands for, of a linear model with forces as outputs. */
static Code find_margins(SystemResponse *r) {
    NameList wanted;
    Code code = plant_open(r->args, "tau", "forces", &r->loop_plant);
    if (code == CODE_DONE) code = plant_at(&r->loop_plant, 0);
    if (code != CODE_DONE) return code;
    const zvLinear *l = r->loop_plant.linear;
    r->broken = calloc((size_t)zv_linear_outputs(l) + 1, sizeof *r->broken);
    if (!r->broken || !name_list(r->args->broken, &wanted)) return complain_memory();
    for (int i = 0; i < wanted.count && code == CODE_DONE; i++) {
        const int before = r->loops;
        for (int k = 0; k < zv_linear_outputs(l) && code == CODE_DONE; k++) {
            const char *label = strchr(zv_linear_output(l, k).name, '.') + 1;
            const int input = is_named(label, wanted.names[i]) ? input_of(l, label) : -1;
            if (input >= 0) code = margins_of(r, input, k);
        }
        if (code == CODE_DONE && r->loops == before) code = unknown_loop(l, wanted.names[i]);
    }
    name_list_free(&wanted);
    return code;
}

/* Root locus ------------------------------------------------------------------------------------------------ */

/* KEY=FROM:TO:N */
static Code read_over(SystemResponse *r) {
    const char *text = r->args->over, *equals = strchr(text, '=');
    double from, to;
    char after;
    if (equals == text || sscanf(equals + 1, "%lf:%lf:%6d%c", &from, &to, &r->values, &after) != 3 || r->values < 2 ||
        r->values > MOST_VALUES)
        return complain(CODE_USAGE, "expected --over KEY=FROM:TO:N with N from 2 to %d, found \"%s\"", MOST_VALUES,
                        text);
    r->key = calloc((size_t)(equals - text) + 1, 1);
    if (!r->key || !room(&r->value, (size_t)r->values)) return complain_memory();
    memcpy(r->key, text, (size_t)(equals - text));
    for (int i = 0; i < r->values; i++) r->value[i] = from + i * (to - from) / (r->values - 1);
    return CODE_DONE;
}

/* The scenario is read anew with one change more. */
static Code poles_at_value(SystemResponse *r, int index) {
    char change[400];
    Args args = *r->args;
    Plant plant;
    zvError error = {0};
    snprintf(change, sizeof change, "%.300s=%.17g", r->key, r->value[index]);
    if (args.change_count == MAX_CHANGES) return complain(CODE_USAGE, "expected fewer than %d --set", MAX_CHANGES);
    args.changes[args.change_count++] = change;
    Code code = plant_open(&args, NULL, NULL, &plant);
    if (code == CODE_DONE) code = plant_at(&plant, 0);
    if (code == CODE_DONE) {
        size_t n, columns;
        const double *A = plant_matrix(&plant, ZV_LINEAR_A, &n, &columns);
        if (index == 0) r->locus_nx = (int)n;
        if (index == 0 &&
            (!room(&r->locus_real, (size_t)r->values * n) || !room(&r->locus_imag, (size_t)r->values * n)))
            code = complain_memory();
        else if ((int)n != r->locus_nx)
            code = complain(CODE_NUMERICAL, "expected %d states for every %s as for the first, found %d at %.9g",
                            r->locus_nx, r->key, (int)n, r->value[index]);
        const size_t at = (size_t)index * n;
        const zvStateSpace s = {.nx = (int)n, .A = A};
        if (code == CODE_DONE && zv_poles(&s, r->locus_real + at, r->locus_imag + at, &error) < 0)
            code = complain_error(&error);
    }
    plant_free(&plant);
    return code;
}

static Code find_locus(SystemResponse *r) {
    Code code = read_over(r);
    for (int i = 0; i < r->values && code == CODE_DONE; i++) code = poles_at_value(r, i);
    return code;
}

/* All of it ------------------------------------------------------------------------------------------------- */

/* One state, its matrices. */
static Code open_system(SystemResponse *r) {
    Code code = plant_open(r->args, NULL, NULL, &r->plant);
    if (code == CODE_DONE && r->plant.count > 1)
        code = complain(CODE_USAGE, "expected one state to respond, found %d; give --at one time", r->plant.count);
    if (code == CODE_DONE) code = plant_at(&r->plant, 0);
    if (code != CODE_DONE) return code;
    size_t n, nu, ny;
    const double *A = plant_matrix(&r->plant, ZV_LINEAR_A, &n, &n), *B = plant_matrix(&r->plant, ZV_LINEAR_B, &n, &nu),
                 *C = plant_matrix(&r->plant, ZV_LINEAR_C, &ny, &n),
                 *D = plant_matrix(&r->plant, ZV_LINEAR_D, &ny, &nu);
    r->system = (zvStateSpace){(int)n, (int)nu, (int)ny, A, B, C, D};
    return plant_warn(&r->plant);
}

/* What is wanted, and what it needs before. */
static Code find_all(SystemResponse *r) {
    const bool *p = r->parts;
    const bool drawn = r->args->output || r->args->given & OPTION_JSON;
    r->points = r->args->given & OPTION_FIRST ? r->args->count : drawn ? POINTS_DRAWN : POINTS_PRINTED;
    Code code = choose_parts(r);
    const bool system = p[PART_POLES] || p[PART_ZEROS] || p[PART_FREQUENCY] || p[PART_NICHOLS] || p[PART_SIGMA] ||
                        p[PART_STEP] || p[PART_IMPULSE];
    if (code == CODE_DONE && system) code = open_system(r);
    if (code == CODE_DONE && system) code = find_poles(r);
    if (code == CODE_DONE && p[PART_ZEROS]) code = find_zeros(r);
    if (code == CODE_DONE && (p[PART_FREQUENCY] || p[PART_NICHOLS] || p[PART_SIGMA])) code = find_frequency(r);
    if (code == CODE_DONE && p[PART_STEP]) code = find_times(r, PART_STEP);
    if (code == CODE_DONE && p[PART_IMPULSE]) code = find_times(r, PART_IMPULSE);
    if (code == CODE_DONE && p[PART_MARGINS]) code = find_margins(r);
    if (code == CODE_DONE && p[PART_LOCUS]) code = find_locus(r);
    return code;
}

/* All of it, as far as it was made. */
static void response_free(SystemResponse *r) {
    for (int i = 0; r->zeros && i < r->system.ny * r->system.nu; i++) {
        free(r->zeros[i].real);
        free(r->zeros[i].imag);
    }
    double *const numbers[] = {r->real,     r->imag,     r->omega, r->frequency,  r->sigma,
                               r->times[0], r->times[1], r->value, r->locus_real, r->locus_imag};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) free(numbers[i]);
    free(r->zeros);
    free(r->broken);
    free(r->key);
    plant_free(&r->plant);
    plant_free(&r->loop_plant);
}

void response_pair(const SystemResponse *r, int pair, Text *out) {
    text_name(out, zv_linear_input(r->plant.linear, pair % r->system.nu).name);
    text_puts(out, " -> ");
    text_name(out, zv_linear_output(r->plant.linear, pair / r->system.nu).name);
}

/* Drawn, as JSON or as tables. */
static Code run(const Args *args, Text *out) {
    SystemResponse r = {.args = args};
    Code code = find_all(&r);
    if (code == CODE_DONE && args->output)
        code = response_plot(&r, args->output, out);
    else if (code == CODE_DONE && args->given & OPTION_JSON)
        response_json(&r, out);
    else if (code == CODE_DONE)
        response_tables(&r, out);
    response_free(&r);
    return code;
}

const Verb verb_response = {
    .name = "response",
    .run = run,
    .options = OPTION_AT | OPTION_STATE | OPTION_INPUTS | OPTION_OUTPUTS | OPTION_SHOW | OPTION_FREQUENCIES |
               OPTION_TO | OPTION_FIRST | OPTION_BREAK | OPTION_OVER | OPTION_SET | OPTION_SIZE | OPTION_OUTPUT |
               OPTION_JSON | OPTION_HELP,
    .file = "scenario or model file",
    .form = "SCENARIO|MODEL [--show LIST] [--inputs LIST] [--outputs LIST] [--break DRIVE.JOINT] [--over KEY=A:B:N]",
    .summary = "poles, zeros, frequency and step response, margins, root locus",
    .help =
        "Of the linear model that zveno linearize finds, with the same --at, --state, --inputs and --outputs.\n"
        "Parts (--show, poles and zeros unless told)\n"
        "  poles      eigenvalues of A, with frequency and damping ratio\n"
        "  zeros      of each input and output; those in the right half plane (non-minimum phase) are told\n"
        "  frequency  size and phase of each output per input, between --frequencies, at --count N points\n"
        "  nichols    the same, drawn as size over phase\n"
        "  sigma      singular values of all inputs and outputs together\n"
        "  step       outputs after a unit step of each input, up to --to T; exact, by the matrix exponential\n"
        "  impulse    the same after a unit impulse\n"
        "--break \"DRIVE JOINT\" (or DRIVE: all its joints) tells gain, phase and delay margins of the loop broken at\n"
        "that drive, all others closed. --over KEY=FROM:TO:N changes a key of the scenario, as --set does, and tells\n"
        "the poles for each value. With -o FILE.svg or .png one of these is drawn. With --json prints {poles:\n"
        "[[re, im]], zeros: [{input, output, moves, zeros, right}], frequency: {omega, pairs: [{input, output, size,\n"
        "phase}]}, sigma, step: {t, pairs: [{input, output, y}]}, impulse, margins: [{drive, stable, gain_up, ...}],\n"
        "locus: {key, values, poles}}, as far as wanted.\n"
        "\n"
        "Example\n"
        "  zveno response arm.yaml --inputs tau.elbow --outputs \"pose tool.z\" --show frequency -o bode.svg\n",
};
