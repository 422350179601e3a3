/* Sums as a reader, Maxima or SymPy wants them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codegen/analytic_print.h"

enum { SHORT_DIGITS = 12, MOST_RATIO = 12 };
/* Coefficients that differ by this share are the same but for rounding. */
static const double rounding = 1e-14;

static bool is_one(double value) { return fabs(value - 1) <= rounding; }

static void write_pattern(ziPen *p, const char *pattern, int number) {
    char word[16];
    snprintf(word, sizeof word, "%d", number);
    zi_code_pattern(p->code, pattern, word);
}

/* As few digits as tell a positive number: rounding in sums and products must not show. */
static int digits_of(double value, int most) {
    char word[40];
    for (int digits = 1; digits <= SHORT_DIGITS && digits < most; digits++) {
        snprintf(word, sizeof word, "%.*g", digits, value);
        if (fabs(strtod(word, NULL) - value) <= rounding * value) return digits;
    }
    return most;
}

/* Whole numbers of few digits are written out: 20, not 2e1. */
static void write_number(ziPen *p, double value) {
    char word[40];
    snprintf(word, sizeof word, "%.*g", digits_of(value, p->style->digits), value);
    char *exponent = strchr(word, 'e');
    if (exponent && value >= 1 && value < 1e6) {
        snprintf(word, sizeof word, "%.0f", strtod(word, NULL));
        exponent = NULL;
    }
    if (exponent) *exponent = '\0';
    zi_code_puts(p->code, word);
    if (exponent) write_pattern(p, p->style->ten, atoi(exponent + 1));
}

void zi_write_value(ziPen *p, double value) {
    if (value < 0) zi_code_puts(p->code, "-");
    write_number(p, fabs(value));
}

/* -- lines ------------------------------------------------------------------------------------------------------ */

void zi_begin_line(ziPen *p) {
    p->line = p->code->size;
    p->term = 0;
    p->follows = false;
}

/* When the line has become too wide its last term goes to the next one. */
static void fit(ziPen *p) {
    ziCode *code = p->code;
    if (!p->term || code->failed || p->style->width(code->bytes + p->line, code->size - p->line) <= p->style->line)
        return;
    ziCode rest = {0};
    const char *moved = code->bytes + p->term + 1; /* behind the blank */
    zi_code(&rest, "%.*s", (int)(code->size - p->term - 1), moved);
    code->size = p->term;
    zi_code_puts(code, p->style->broken);
    p->line = code->size;
    zi_code_append(code, &rest);
    code->failed |= rest.failed;
    zi_code_free(&rest);
    p->term = 0;
}

void zi_end_line(ziPen *p) { fit(p); }

/* What joins a term to those before it: a place where the line may end. */
void zi_write_sign(ziPen *p, bool negative) {
    if (p->follows) {
        fit(p);
        p->term = p->code->size;
        zi_code_puts(p->code, negative ? " - " : " + ");
    } else if (negative) {
        zi_code_puts(p->code, "-");
    }
    p->follows = true;
}

/* -- factors ---------------------------------------------------------------------------------------------------- */

void zi_write_symbol(ziPen *p, int kind, int i, int power) {
    write_pattern(p, p->style->symbol[kind], i + 1);
    if (power != 1) write_pattern(p, p->style->power, power);
}

/* Factors of a product, parted by the sign of multiplication. */
static void part_factor(ziPen *p, bool *first) {
    if (!*first) zi_code_puts(p->code, p->style->times);
    *first = false;
}

static void write_powers(ziPen *p, int kind, int count, const int8_t *exponent, bool *first) {
    for (int i = 0; i < count; i++) {
        if (!exponent[i]) continue;
        part_factor(p, first);
        zi_write_symbol(p, kind, i, exponent[i]);
    }
}

/* exponent: of the letters; less: what stands before the bracket already. */
static void write_letters(ziPen *p, const ziEquations *e, const int8_t *exponent, const int8_t *less, bool *first) {
    for (int i = 0; e->letters && i < e->letters->count; i++) {
        const ziLetter *letter = &e->letters->letter[i];
        const int power = letter->chosen ? exponent[letter->input] - (less ? less[letter->input] : 0) : 0;
        char word[2 * ZI_LETTER_SIZE];
        if (!power) continue;
        part_factor(p, first);
        snprintf(word, sizeof word, "%s", letter->name);
        if (p->style->index) zi_letter_latex(letter->name, word, sizeof word);
        zi_code_puts(p->code, word);
        if (power != 1) write_pattern(p, p->style->power, power);
    }
}

static bool any(const int8_t *entry, int count) {
    for (int k = 0; k < count; k++)
        if (entry[k]) return true;
    return false;
}

static int letter_count(const ziEquations *e) { return e->letters ? e->letters->chosen : 0; }

static const int8_t *letters_of(const ziEquations *e, const int8_t *key) {
    return zi_key_exponents(&e->space, key) + e->nq + 2 * e->nv;
}

static bool has_turn(const ziEquations *e, const int8_t *key) { return any(zi_key_angles(key), e->space.angles); }

static bool has_powers(const ziEquations *e, const int8_t *key) {
    return any(zi_key_exponents(&e->space, key), e->space.variables);
}

/* 2 q1 - q2; share: of the angles of the key */
static void write_angle(ziPen *p, const ziEquations *e, const int8_t *key, double share) {
    bool before = false;
    for (int q = 0; q < e->nq; q++) {
        double factor = 0;
        for (int k = 0; k < e->angles.count; k++)
            if (e->angles.angle[k].q == q) factor += share * zi_key_angles(key)[k] * e->angles.angle[k].unit;
        if (factor == 0) continue;
        if (before || factor < 0) zi_code_puts(p->code, !before ? "-" : factor < 0 ? " - " : " + ");
        if (!is_one(fabs(factor))) {
            write_number(p, fabs(factor));
            zi_code_puts(p->code, p->style->times);
        }
        zi_write_symbol(p, 0, q, 1);
        before = true;
    }
    zi_code_puts(p->code, before ? ")" : "0)");
}

/* cos(2 q1 - q2), or a square of half the angle */
static void write_turn(ziPen *p, const ziEquations *e, const int8_t *key) {
    const int kind = key[0], sine = kind == ZI_TURN_SIN || kind == ZI_TURN_SIN_SQUARE || kind == ZI_TURN_SIN_COS;
    const bool square = kind == ZI_TURN_COS_SQUARE || kind == ZI_TURN_SIN_SQUARE;
    const char *word = p->style->turn[sine];
    if (square && p->style->power_first) {
        zi_code(p->code, "%.*s", (int)strlen(word) - 1, word);
        write_pattern(p, p->style->power, 2);
        word = "(";
    }
    zi_code_puts(p->code, word);
    write_angle(p, e, key, kind > ZI_TURN_SIN ? 0.5 : 1);
    if (square && !p->style->power_first) write_pattern(p, p->style->power, 2);
    if (kind != ZI_TURN_SIN_COS) return;
    zi_code(p->code, "%s%s", p->style->times, p->style->turn[0]);
    write_angle(p, e, key, 0.5);
}

/* Which factors of its terms a product shows. */
typedef enum Shown { Q = 1, TURN = 2, V = 4, LETTERS = 8, ALL = 15 } Shown;

/* size letters q^i turn v^j without what is not shown; its sign is there already. less: letters told before. */
static void write_product(ziPen *p, const ziEquations *e, double size, const int8_t *key, unsigned shown,
                          const int8_t *less) {
    const int8_t *q = zi_key_exponents(&e->space, key), *v = q + e->nq, *letter = letters_of(e, key);
    const bool turn = shown & TURN && has_turn(e, key),
               powers = (shown & Q && any(q, e->nq)) || (shown & V && any(v, e->nv));
    bool letters = false, first = true;
    for (int k = 0; k < letter_count(e) && shown & LETTERS; k++) letters |= letter[k] - (less ? less[k] : 0) != 0;
    if (!is_one(size) || !(turn || powers || letters)) {
        part_factor(p, &first);
        write_number(p, size);
    }
    if (letters) write_letters(p, e, letter, less, &first);
    if (shown & Q) write_powers(p, 0, e->nq, q, &first);
    if (turn) {
        part_factor(p, &first);
        write_turn(p, e, key);
    }
    if (shown & V) write_powers(p, 1, e->nv, v, &first);
}

/* -- brackets --------------------------------------------------------------------------------------------------- */

/* The number of which all coefficients are small multiples, or 1, with the sign of the first. */
static double common_factor(const ziFourier *x, size_t begin, size_t end) {
    double least = fabs(x->value[begin]);
    for (size_t i = begin; i < end; i++) least = fmin(least, fabs(x->value[i]));
    for (size_t i = begin; i < end; i++) {
        const double ratio = fabs(x->value[i]) / least;
        if (ratio > MOST_RATIO || fabs(ratio - round(ratio)) > 100 * rounding) least = 1;
    }
    return copysign(least, x->value[begin]);
}

/* Q when all terms have the same powers of q, V when of v: they go before and behind the bracket. */
static unsigned common_powers(const ziEquations *e, const ziFourier *x, size_t begin, size_t end) {
    const int8_t *q = zi_key_exponents(&e->space, zi_fourier_key(&e->space, x, begin));
    unsigned common = Q | V;
    for (size_t i = begin; i < end; i++) {
        const int8_t *other = zi_key_exponents(&e->space, zi_fourier_key(&e->space, x, i));
        if (memcmp(q, other, (size_t)e->nq) != 0) common &= ~(unsigned)Q;
        if (memcmp(q + e->nq, other + e->nq, (size_t)e->nv) != 0) common &= ~(unsigned)V;
    }
    return common;
}

/* Letters that all terms have, as a key of its own: they go before the bracket. Freed by the caller. */
static int8_t *common_letters(const ziEquations *e, const ziFourier *x, size_t begin, size_t end) {
    int8_t *key = malloc(e->space.width);
    if (!key) return NULL;
    memcpy(key, zi_fourier_key(&e->space, x, begin), e->space.width);
    int8_t *least = key + (letters_of(e, key) - key);
    for (size_t i = begin; i < end; i++) {
        const int8_t *letter = letters_of(e, zi_fourier_key(&e->space, x, i));
        for (int k = 0; k < letter_count(e); k++)
            if (letter[k] < least[k]) least[k] = letter[k];
    }
    return key;
}

/* factor letters q^i turn (terms) v^j */
static void write_bracket(ziPen *p, const ziEquations *e, const ziFourier *x, size_t begin, size_t end) {
    const double factor = common_factor(x, begin, end);
    const unsigned common = common_powers(e, x, begin, end);
    int8_t *key = common_letters(e, x, begin, end);
    bool first = false;
    if (!key) {
        p->code->failed = true;
        return;
    }
    zi_write_sign(p, factor < 0);
    write_product(p, e, fabs(factor), key, (common & Q) | TURN | LETTERS, NULL);
    zi_code(p->code, "%s(", p->style->times);
    p->follows = false;
    for (size_t i = begin; i < end; i++) {
        const double value = x->value[i] / factor;
        zi_write_sign(p, value < 0);
        write_product(p, e, fabs(value), zi_fourier_key(&e->space, x, i), ((Q | V) & ~common) | LETTERS,
                      letters_of(e, key));
    }
    zi_code_puts(p->code, ")");
    if (common & V) write_powers(p, 1, e->nv, zi_key_exponents(&e->space, key) + e->nq, &first);
    p->follows = true;
    free(key);
}

/* Behind the terms that share the sine or cosine of term `begin`; terms without any stand each for itself. */
static size_t group_end(const ziEquations *e, const ziFourier *x, size_t begin) {
    const int8_t *key = zi_fourier_key(&e->space, x, begin);
    size_t end = begin + 1;
    if (!has_turn(e, key)) return end;
    while (end < x->count && zi_key_same_turn(&e->space, key, zi_fourier_key(&e->space, x, end))) end++;
    return end;
}

void zi_write_sum(ziPen *p, const ziEquations *e, const ziFourier *x) {
    for (size_t begin = 0, end; begin < x->count; begin = end) {
        end = group_end(e, x, begin);
        if (end > begin + 1) {
            write_bracket(p, e, x, begin, end);
            continue;
        }
        zi_write_sign(p, x->value[begin] < 0);
        write_product(p, e, fabs(x->value[begin]), zi_fourier_key(&e->space, x, begin), ALL, NULL);
    }
}

/* A sum in brackets where it has several terms; false when it is plus or minus one, whose sign alone is written. */
static bool write_factor(ziPen *p, const ziEquations *e, const ziFourier *x, bool negative) {
    const int8_t *key = zi_fourier_key(&e->space, x, 0);
    const bool unit = x->count == 1 && is_one(fabs(x->value[0])) && !has_turn(e, key) && !has_powers(e, key);
    const bool bracket = group_end(e, x, 0) < x->count || negative;
    if (unit || bracket) zi_write_sign(p, negative != (unit && x->value[0] < 0));
    if (unit) return false;
    if (bracket) {
        zi_code_puts(p->code, "(");
        p->follows = false;
    }
    zi_write_sum(p, e, x);
    zi_code(p->code, "%s%s", bracket ? ")" : "", p->style->times);
    p->follows = true;
    return true;
}

void zi_write_share(ziPen *p, const ziEquations *e, const ziFourier *x, const char *name) {
    if (x->count == 0) return;
    write_factor(p, e, x, false);
    zi_code_puts(p->code, name);
}

/* A sum of several terms goes in brackets; a sum that is one is left out. */
void zi_write_sum_times(ziPen *p, const ziEquations *e, const ziFourier *x, int kind, int i) {
    if (x->count == 0) return;
    write_factor(p, e, x, false);
    zi_write_symbol(p, kind, i, 1);
}

void zi_write_dry(ziPen *p, const ziEquations *e, const ziFourier *x, int i) {
    if (x->count == 0) return;
    if (x->count == 1) {
        zi_write_sign(p, x->value[0] > 0);
        write_product(p, e, fabs(x->value[0]), zi_fourier_key(&e->space, x, 0), ALL, NULL);
        zi_code_puts(p->code, p->style->times);
    } else {
        write_factor(p, e, x, true);
    }
    write_pattern(p, p->style->sign, i + 1);
}

void zi_write_alone(ziPen *p, const ziEquations *e, const ziFourier *x) {
    zi_begin_line(p);
    zi_write_sum(p, e, x);
    if (x->count == 0) zi_code_puts(p->code, "0");
    zi_end_line(p);
}

/* Joints first, then the arc lengths of loops along curves, which stand behind them in q. */
void zi_print_coordinates(ziCode *code, const zvModel *model,
                          void (*print)(ziCode *code, const ziCoordinateEntry *entry)) {
    for (int joint = 0; joint < zv_model_njoint(model); joint++) {
        const zvJoint *j = zv_model_joint(model, joint);
        const zvJointPlace place = zv_model_joint_place(model, joint);
        for (int k = 0; k < place.nq; k++) {
            const char *part = zv_joint_type_q_part(j->type, k);
            const ziCoordinateEntry entry = {.number = place.q_index + k + 1,
                                             .joint = j->name,
                                             .type = zv_joint_type_word(j->type),
                                             .part = part ? part : "",
                                             .unit = zv_joint_type_q_unit(j->type, k),
                                             .effort_unit = zv_joint_type_v_unit(j->type, k, ZV_QUANTITY_FORCE)};
            print(code, &entry);
        }
    }
    for (int r = 0, number = zv_model_nv(model); r < zv_model_nloop(model); r++) {
        const zvLoop *loop = zv_model_loop(model, r);
        if (loop->kind != ZV_LOOP_JOINT || loop->type != ZV_JOINT_CURVE) continue;
        const ziCoordinateEntry entry = {.number = ++number,
                                         .joint = loop->name,
                                         .type = "loop",
                                         .part = "arc length",
                                         .unit = "m",
                                         .effort_unit = "N"};
        print(code, &entry);
    }
}
