/* What zveno response found, as JSON and as tables. */
#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "table.h"
#include "verbs/response.h"

static const double TURN = 6.283185307179586;
static const double ROUNDING = 1e-10; /* of the damping of a vibration */

static int pairs_of(const SystemResponse *r) { return r->system.ny * r->system.nu; }

/* JSON ------------------------------------------------------------------------------------------------------ */

/* JSON has no infinity: null. */
static void json_finite(Json *json, const char *key, double value) {
    json_key(json, key);
    if (isfinite(value))
        json_number(json, value);
    else
        json_text(json, NULL);
}

static void json_roots(Json *json, int count, const double *real, const double *imag) {
    json_list(json, JSON_LINE);
    for (int i = 0; i < count; i++) json_numbers(json, (double[]){real[i], imag[i]}, 2);
    json_end(json);
}

static void json_pair_names(const SystemResponse *r, int pair, Json *json) {
    json_key(json, "input"), json_text(json, zv_linear_input(r->plant.linear, pair % r->system.nu).name);
    json_key(json, "output"), json_text(json, zv_linear_output(r->plant.linear, pair / r->system.nu).name);
}

/* A map for each pair. */
static void json_zeros(const SystemResponse *r, Json *json) {
    json_key(json, "zeros");
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < pairs_of(r); i++) {
        const PairZeros *z = &r->zeros[i];
        json_map(json, JSON_LINE);
        json_pair_names(r, i, json);
        json_key(json, "moves"), json_bool(json, z->moves);
        json_key(json, "zeros"), json_roots(json, z->count, z->real, z->imag);
        json_key(json, "right"), json_integer(json, z->right);
        json_end(json);
    }
    json_end(json);
}

/* Rows of a list of numbers where one may be infinite: at a pole. */
static void json_curve(Json *json, const char *key, int count, const double *y, size_t stride) {
    json_key(json, key);
    json_list(json, JSON_LINE);
    for (int k = 0; k < count; k++) {
        if (isfinite(y[(size_t)k * stride]))
            json_number(json, y[(size_t)k * stride]);
        else
            json_text(json, NULL);
    }
    json_end(json);
}

/* Curves of size and phase. */
static void json_frequency(const SystemResponse *r, Json *json) {
    double *curve = calloc((size_t)r->points + 1, sizeof *curve);
    json_key(json, "frequency");
    json_map(json, JSON_BLOCK);
    json_curve(json, "omega", r->points, r->omega, 1);
    json_key(json, "pairs");
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < pairs_of(r) && curve; i++) {
        json_map(json, JSON_BLOCK);
        json_pair_names(r, i, json);
        for (int k = 0; k < r->points; k++) curve[k] = response_size(r, i, k);
        json_curve(json, "size", r->points, curve, 1);
        response_phase(r, i, curve);
        json_curve(json, "phase", r->points, curve, 1);
        json_end(json);
    }
    json_end(json);
    json_end(json);
    free(curve);
}

static void json_sigma(const SystemResponse *r, Json *json) {
    const int most = r->system.ny < r->system.nu ? r->system.ny : r->system.nu;
    json_key(json, "sigma");
    json_map(json, JSON_BLOCK);
    json_curve(json, "omega", r->points, r->omega, 1);
    json_key(json, "values");
    json_rows(json, r->sigma, (size_t)r->points, (size_t)most);
    json_end(json);
}

/* Curves over time. */
static void json_times(const SystemResponse *r, const char *key, const double *y, Json *json) {
    json_key(json, key);
    json_map(json, JSON_BLOCK);
    json_key(json, "t");
    json_list(json, JSON_LINE);
    for (int k = 0; k < r->points; k++) json_number(json, k * r->step);
    json_end(json);
    json_key(json, "pairs");
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < pairs_of(r); i++) {
        json_map(json, JSON_BLOCK);
        json_pair_names(r, i, json);
        json_curve(json, "y", r->points, y + i, (size_t)pairs_of(r));
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

/* A map for each loop. */
static void json_margins(const SystemResponse *r, Json *json) {
    json_key(json, "margins");
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < r->loops; i++) {
        const zvMargins *m = &r->broken[i].margins;
        json_map(json, JSON_LINE);
        json_key(json, "drive"), json_text(json, r->broken[i].name);
        json_key(json, "stable"), json_bool(json, m->stable);
        json_finite(json, "gain_up", m->gain_up);
        json_finite(json, "gain_up_at", m->gain_up_at);
        json_finite(json, "gain_down", m->gain_down);
        json_finite(json, "gain_down_at", m->gain_down_at);
        json_finite(json, "phase", m->phase);
        json_finite(json, "phase_at", m->phase_at);
        json_finite(json, "delay", m->delay);
        json_finite(json, "modulus", m->modulus);
        json_finite(json, "modulus_at", m->modulus_at);
        json_end(json);
    }
    json_end(json);
}

/* A list of poles for each value. */
static void json_locus(const SystemResponse *r, Json *json) {
    json_key(json, "locus");
    json_map(json, JSON_BLOCK);
    json_key(json, "key"), json_text(json, r->key);
    json_key(json, "values"), json_numbers(json, r->value, (size_t)r->values);
    json_key(json, "poles");
    json_list(json, JSON_BLOCK);
    for (int i = 0; i < r->values; i++) {
        const size_t at = (size_t)i * (size_t)r->locus_nx;
        json_roots(json, r->locus_nx, r->locus_real + at, r->locus_imag + at);
    }
    json_end(json);
    json_end(json);
}

/* The parts that are wanted. */
void response_json(const SystemResponse *r, Text *out) {
    const bool *p = r->parts;
    Json json = json_start(out);
    json_map(&json, JSON_BLOCK);
    if (p[PART_POLES]) json_key(&json, "poles"), json_roots(&json, r->system.nx, r->real, r->imag);
    if (p[PART_ZEROS]) json_zeros(r, &json);
    if (p[PART_FREQUENCY] || p[PART_NICHOLS]) json_frequency(r, &json);
    if (p[PART_SIGMA]) json_sigma(r, &json);
    if (p[PART_STEP]) json_times(r, "step", r->times[0], &json);
    if (p[PART_IMPULSE]) json_times(r, "impulse", r->times[1], &json);
    if (p[PART_MARGINS]) json_margins(r, &json);
    if (p[PART_LOCUS]) json_locus(r, &json);
    json_end(&json);
}

/* Tables ---------------------------------------------------------------------------------------------------- */

static void begin_table(Text *out) {
    if (out->size) text_puts(out, "\n");
}

/* One of a pair of conjugates stands for both; the slowest first. */
static void put_roots(const char *what, int count, const double *real, const double *imag, Text *out) {
    Table table = table_start(5);
    const char *const heads[5] = {what, "imaginary [1/s]", "|s| [rad/s]", "[Hz]", "damping"};
    for (int i = 0; i < 5; i++) table_text(&table, heads[i]);
    unsigned char *done = calloc((size_t)count + 1, 1);
    for (int shown = 0; done && shown < count;) {
        int next = -1;
        for (int i = 0; i < count; i++) {
            if (done[i]) continue;
            if (next < 0 || hypot(real[i], imag[i]) < (1 - ROUNDING) * hypot(real[next], imag[next])) next = i;
        }
        done[next] = 1;
        shown++;
        if (imag[next] < 0) continue;
        const double rate = hypot(real[next], imag[next]), re = fabs(real[next]) > ROUNDING * rate ? real[next] : 0;
        table_number(&table, re);
        table_number(&table, imag[next]);
        table_number(&table, rate);
        table_number(&table, rate / TURN);
        table_number(&table, re != 0 ? -re / rate : 0);
    }
    free(done);
    table_finish(&table, out);
}

/* A table for each pair that has some. */
static void put_zeros(const SystemResponse *r, Text *out) {
    for (int i = 0; i < pairs_of(r); i++) {
        const PairZeros *z = &r->zeros[i];
        begin_table(out);
        response_pair(r, i, out);
        if (!z->moves) {
            text_puts(out, ": the input does not move the output\n");
            continue;
        }
        text_printf(out, ": %d zero%s%s\n", z->count, z->count == 1 ? "" : "s", z->right ? ", non-minimum phase" : "");
        if (z->count) put_roots("zero: real [1/s]", z->count, z->real, z->imag, out);
    }
}

/* Size in decibel, phase in degrees. */
static void put_frequency(const SystemResponse *r, Text *out) {
    double *phase = calloc((size_t)r->points + 1, sizeof *phase);
    for (int i = 0; i < pairs_of(r) && phase; i++) {
        begin_table(out);
        response_pair(r, i, out);
        text_puts(out, "\n");
        Table table = table_start(4);
        const char *const heads[4] = {"[Hz]", "size", "[dB]", "phase [deg]"};
        for (int k = 0; k < 4; k++) table_text(&table, heads[k]);
        response_phase(r, i, phase);
        for (int k = 0; k < r->points; k++) {
            const double size = response_size(r, i, k);
            table_number(&table, r->omega[k] / TURN);
            table_number(&table, size);
            table_number(&table, 20 * log10(size > 0 ? size : 1e-300));
            table_number(&table, phase[k] / TURN * 360);
        }
        table.exact = true;
        table_finish(&table, out);
    }
    free(phase);
}

/* A column for each. */
static void put_sigma(const SystemResponse *r, Text *out) {
    const int most = r->system.ny < r->system.nu ? r->system.ny : r->system.nu;
    Table table = table_start((size_t)most + 1);
    begin_table(out);
    table_text(&table, "[Hz]");
    for (int i = 0; i < most; i++) {
        char head[24];
        snprintf(head, sizeof head, "sigma%d", i + 1);
        table_text(&table, head);
    }
    for (int k = 0; k < r->points; k++) {
        table_number(&table, r->omega[k] / TURN);
        for (int i = 0; i < most; i++) table_number(&table, r->sigma[k * most + i]);
    }
    table.exact = true;
    table_finish(&table, out);
}

/* A column for each pair, as far as a screen goes. */
static void put_times(const SystemResponse *r, const char *what, const double *y, Text *out) {
    enum { MOST = 12 };
    const int pairs = pairs_of(r), shown = pairs < MOST ? pairs : MOST;
    Table table = table_start((size_t)shown + 1);
    begin_table(out);
    text_printf(out, "%s\n", what);
    table_text(&table, "t [s]");
    for (int i = 0; i < shown; i++) {
        Text head = {0};
        response_pair(r, i, &head);
        table_text(&table, head.bytes ? head.bytes : "");
        text_free(&head);
    }
    for (int k = 0; k < r->points; k++) {
        table_number(&table, k * r->step);
        for (int i = 0; i < shown; i++) table_number(&table, y[k * pairs + i]);
    }
    table_finish(&table, out);
    if (shown < pairs) text_printf(out, "%d more pairs (--json)\n", pairs - shown);
}

/* A number, or "none". */
static void margin_cell(Table *table, double value) {
    if (isfinite(value) && value > 0)
        table_number(table, value);
    else
        table_text(table, "none");
}

/* A row for each loop. */
static void put_margins(const SystemResponse *r, Text *out) {
    Table table = table_start(8);
    const char *const heads[8] = {"loop broken at", "stable",     "gain up",   "gain down",
                                  "phase [deg]",    "at [rad/s]", "delay [s]", "least |1 + L|"};
    begin_table(out);
    for (int i = 0; i < 8; i++) table_text(&table, heads[i]);
    for (int i = 0; i < r->loops; i++) {
        const zvMargins *m = &r->broken[i].margins;
        table_text(&table, r->broken[i].name);
        table_text(&table, m->stable ? "yes" : "no");
        margin_cell(&table, m->gain_up);
        margin_cell(&table, m->gain_down);
        margin_cell(&table, m->phase / TURN * 360);
        margin_cell(&table, m->phase_at);
        margin_cell(&table, m->delay);
        margin_cell(&table, m->modulus);
    }
    table.exact = true;
    table_finish(&table, out);
}

/* Of each value the pole farthest to the right, the least damped vibration, and how many poles are not stable. */
static void put_locus(const SystemResponse *r, Text *out) {
    Table table = table_start(4);
    begin_table(out);
    table_text(&table, r->key);
    table_text(&table, "largest real part [1/s]");
    table_text(&table, "least damping");
    table_text(&table, "unstable");
    for (int i = 0; i < r->values; i++) {
        double right = -INFINITY, damping = INFINITY;
        int unstable = 0;
        for (int k = 0; k < r->locus_nx; k++) {
            const size_t at = (size_t)i * (size_t)r->locus_nx + (size_t)k;
            const double re = r->locus_real[at], im = r->locus_imag[at];
            right = fmax(right, re);
            unstable += re > 0;
            if (im != 0) damping = fmin(damping, -re / hypot(re, im));
        }
        table_number(&table, r->value[i]);
        table_number(&table, isfinite(right) ? right : 0);
        margin_cell(&table, damping);
        table_integer(&table, unstable);
    }
    table.exact = true;
    table_finish(&table, out);
}

void response_tables(const SystemResponse *r, Text *out) {
    const bool *p = r->parts;
    if (p[PART_POLES]) put_roots("pole: real [1/s]", r->system.nx, r->real, r->imag, out);
    if (p[PART_ZEROS]) put_zeros(r, out);
    if (p[PART_FREQUENCY] || p[PART_NICHOLS]) put_frequency(r, out);
    if (p[PART_SIGMA]) put_sigma(r, out);
    if (p[PART_STEP]) put_times(r, "after a unit step", r->times[0], out);
    if (p[PART_IMPULSE]) put_times(r, "after a unit impulse", r->times[1], out);
    if (p[PART_MARGINS]) put_margins(r, out);
    if (p[PART_LOCUS]) put_locus(r, out);
}
