/* Expressions: the part of Python that robot descriptions use, by recursive descent, and units. An expression without a
 * value (an unknown name, a division by zero) is parsed to its end all the same, for the branch that is not taken of
 * "x if c else y", "and" and "or" may be one. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/expression.h"
#include "read/text.h"

enum { DEEPEST = 64, ARGUMENTS = 8 };

typedef struct Parser {
    const char *p, *end;
    const ziExpressionNames *names;
    int depth;
    bool broken; /* it cannot be parsed further */
    bool failed; /* it has no value */
    char *fault;
} Parser;

static ziExpressionValue parse_ternary(Parser *s);

static ziExpressionValue number(double x, bool whole) {
    return (ziExpressionValue){.kind = whole ? ZI_EXPRESSION_INTEGER : ZI_EXPRESSION_FLOAT, .number = x};
}
static ziExpressionValue truth(bool b) { return (ziExpressionValue){.kind = ZI_EXPRESSION_BOOL, .number = b}; }
static bool is_text(ziExpressionValue v) { return v.kind == ZI_EXPRESSION_TEXT; }
static bool is_whole(ziExpressionValue v) { return v.kind == ZI_EXPRESSION_INTEGER || v.kind == ZI_EXPRESSION_BOOL; }

/* The first fault is kept. */
__attribute__((format(printf, 2, 3))) static ziExpressionValue fail(Parser *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!s->failed) vsnprintf(s->fault, ZI_EXPRESSION_FAULT, format, args);
    va_end(args);
    s->failed = true;
    return number(0, true);
}

static ziExpressionValue stop(Parser *s) {
    if (!s->broken) {
        s->failed = false;
        fail(s, "\"%.40s\" is beyond the expressions that are understood here", s->p < s->end ? s->p : "");
    }
    s->broken = true;
    s->p = s->end;
    return number(0, true);
}

/* A number in a unit. */
static ziExpressionValue with_unit(ziExpressionValue v, ziUnit unit) {
    v.unit = unit;
    return v;
}

static bool has_unit(ziExpressionValue v) { return !zi_unit_is(v.unit, (ziUnit){0, 0, 0}); }

/* Whether two numbers may be added or compared; else that is the fault. */
static bool agree(Parser *s, ziExpressionValue a, ziExpressionValue b) {
    char left[ZI_UNIT_SIZE], right[ZI_UNIT_SIZE];
    if (zi_unit_is(a.unit, b.unit)) return true;
    fail(s, "a number in %s does not go with one in %s", zi_unit_text(a.unit, left), zi_unit_text(b.unit, right));
    return false;
}

static void skip_blanks(Parser *s) {
    while (s->p < s->end && strchr(" \t\r\n", *s->p)) s->p++;
}

static bool is_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Takes an operator, or a word that ends where it ends. */
static bool take(Parser *s, const char *word) {
    const size_t length = strlen(word);
    skip_blanks(s);
    if ((size_t)(s->end - s->p) < length || memcmp(s->p, word, length) != 0) return false;
    if (is_name(word[0]) && s->p + length < s->end && is_name(s->p[length])) return false;
    s->p += length;
    return true;
}

bool zi_expression_truth(const ziExpressionValue *v) {
    return v->kind == ZI_EXPRESSION_TEXT ? v->text[0] != '\0' : v->number != 0;
}

/* Functions ------------------------------------------------------------------------------------- */

typedef struct Function {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    bool whole; /* the result is an integer */
    bool keeps; /* the unit of its arguments, which is the same; else they have none */
} Function;

static const double pi = 3.14159265358979323846;
static double radians(double x) { return x * pi / 180; }
static double degrees(double x) { return x * 180 / pi; }

static const Function functions[] = {
    {"radians", radians, NULL, false, false}, {"degrees", degrees, NULL, false, false},
    {"sin", sin, NULL, false, false},         {"cos", cos, NULL, false, false},
    {"tan", tan, NULL, false, false},         {"asin", asin, NULL, false, false},
    {"acos", acos, NULL, false, false},       {"atan", atan, NULL, false, false},
    {"atan2", NULL, atan2, false, false},     {"sqrt", sqrt, NULL, false, false},
    {"fabs", fabs, NULL, false, true},        {"exp", exp, NULL, false, false},
    {"log", log, NULL, false, false},         {"log10", log10, NULL, false, false},
    {"pow", NULL, pow, false, false},         {"hypot", NULL, hypot, false, true},
    {"floor", floor, NULL, true, false},      {"ceil", ceil, NULL, true, false},
    {"round", rint, NULL, true, false},       {"int", trunc, NULL, true, false},
    {"fmod", NULL, fmod, false, true},        {"copysign", NULL, copysign, false, true}};

/* min and max of numbers, abs and the conversions keep or choose the kind of the result. */
static bool call_special(Parser *s, const char *name, const ziExpressionValue *args, int count,
                         ziExpressionValue *result) {
    char buffer[40];
    const bool least = strcmp(name, "min") == 0;
    if ((least || strcmp(name, "max") == 0) && count >= 1) {
        *result = args[0];
        for (int i = 1; i < count; i++) {
            if (!agree(s, args[0], args[i])) return true;
            if (least ? args[i].number < result->number : args[i].number > result->number) *result = args[i];
        }
        return true;
    }
    if (count != 1) return false;
    if (strcmp(name, "str") == 0) {
        const char *text = zi_expression_text(&args[0], buffer);
        text = s->names->keep(s->names->context, text, strlen(text));
        *result = text ? (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = text} : fail(s, "out of memory");
    } else if (strcmp(name, "float") == 0 || strcmp(name, "int") == 0) {
        const ziExpressionValue v = is_text(args[0]) ? zi_expression_literal(args[0].text) : args[0];
        if (is_text(v)) fail(s, "\"%.40s\" is no number", v.text);
        *result = name[0] == 'f' ? number(v.number, false) : number(trunc(v.number), true);
    } else if (strcmp(name, "abs") == 0) {
        *result = with_unit(number(fabs(args[0].number), is_whole(args[0])), args[0].unit);
    } else if (strcmp(name, "bool") == 0) {
        *result = truth(zi_expression_truth(&args[0]));
    } else {
        return false;
    }
    return true;
}

/* The unit of a function's result: that of a root is the root of the unit. */
static bool unit_of_call(Parser *s, const Function *f, const ziExpressionValue *args, int count, ziUnit *unit) {
    char text[ZI_UNIT_SIZE];
    *unit = args[0].unit;
    if (count == 2 && f->two != pow && !agree(s, args[0], args[1])) return false;
    if (f->one == sqrt && unit->kg % 2 == 0 && unit->m % 2 == 0 && unit->s % 2 == 0) {
        *unit = (ziUnit){(signed char)(unit->kg / 2), (signed char)(unit->m / 2), (signed char)(unit->s / 2)};
        return true;
    }
    if (f->keeps) return true;
    const bool angle = f->two == atan2; /* of any two lengths */
    for (int i = 0; i < count && !angle; i++)
        if (has_unit(args[i])) {
            fail(s, "%s of a number in %s: expected one without a unit", f->name, zi_unit_text(args[i].unit, text));
            return false;
        }
    *unit = (ziUnit){0, 0, 0};
    return true;
}

/* One of Python's math; a result that is not finite is none. */
static ziExpressionValue call_function(Parser *s, const char *name, const ziExpressionValue *args, int count) {
    ziExpressionValue result;
    if (call_special(s, name, args, count, &result)) return result;
    for (int i = 0; i < count; i++)
        if (is_text(args[i])) return fail(s, "%s(\"%.40s\"): expected a number", name, args[i].text);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const Function *f = &functions[i];
        if (strcmp(f->name, name) != 0 || count != (f->one ? 1 : 2)) continue;
        const double x = f->one ? f->one(args[0].number) : f->two(args[0].number, args[1].number);
        ziUnit unit;
        if (!unit_of_call(s, f, args, count, &unit)) return number(0, true);
        return isfinite(x) ? with_unit(number(x, f->whole), unit) : fail(s, "%s has no value there", name);
    }
    return fail(s, "the function %s with %d argument%s is not known here", name, count, count == 1 ? "" : "s");
}

/* Atoms ----------------------------------------------------------------------------------------- */

/* The unit that stands behind a number; words of the language are none. */
static ziExpressionValue parse_unit(Parser *s, ziExpressionValue value) {
    const char *start = s->p, *end;
    double factor;
    ziUnit unit;
    if (!s->names->units) return value;
    skip_blanks(s);
    zi_unit_scan(s->p, s->end, &end, &factor, &unit);
    const bool found = end > s->p;
    s->p = found ? end : start;
    return found ? with_unit(number(value.number * factor, factor == 1 && is_whole(value)), unit) : value;
}

/* Digits with at most one point and an exponent. */
static ziExpressionValue parse_number(Parser *s) {
    char text[64];
    const char *behind = text;
    double x = 0;
    size_t length = 0;
    bool whole = true;
    while (s->p + length < s->end && length + 1 < sizeof text) {
        const char c = s->p[length];
        const bool sign = (c == '+' || c == '-') && length > 0 && strchr("eE", s->p[length - 1]);
        if (!(c >= '0' && c <= '9') && c != '.' && c != 'e' && c != 'E' && !sign) break;
        whole = whole && c >= '0' && c <= '9';
        text[length++] = c;
    }
    text[length] = '\0';
    if (zi_number_scan(text, &behind, &x) != ZI_NUMBER_GOOD || *behind) return stop(s);
    s->p += length;
    return parse_unit(s, number(x, whole && x < 9e15));
}

static ziExpressionValue parse_quoted(Parser *s) {
    const char quote = *s->p++;
    const char *start = s->p;
    while (s->p < s->end && *s->p != quote && *s->p != '\\') s->p++;
    if (s->p >= s->end || *s->p != quote) return stop(s);
    const char *text = s->names->keep(s->names->context, start, (size_t)(s->p++ - start));
    return text ? (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = text} : fail(s, "out of memory");
}

/* name(arguments) behind the bracket. */
static ziExpressionValue parse_call(Parser *s, const char *name, size_t length) {
    ziExpressionValue args[ARGUMENTS];
    char copy[32];
    int count = 0;
    while (!take(s, ")")) {
        if (count == ARGUMENTS || (count > 0 && !take(s, ","))) return stop(s);
        args[count++] = parse_ternary(s);
        if (s->broken) return number(0, true);
    }
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 31 ? length : 31), name);
    return call_function(s, copy, args, count);
}

/* A call, a constant, or what the names know; names that are defined come before pi, e and tau. */
static ziExpressionValue parse_name(Parser *s) {
    static const struct {
        const char *name;
        ziExpressionValue value;
    } constants[] = {{"True", {.kind = ZI_EXPRESSION_BOOL, .number = 1}},
                     {"False", {.kind = ZI_EXPRESSION_BOOL, .number = 0}},
                     {"true", {.kind = ZI_EXPRESSION_BOOL, .number = 1}},
                     {"false", {.kind = ZI_EXPRESSION_BOOL, .number = 0}},
                     {"None", {.kind = ZI_EXPRESSION_TEXT, .text = ""}}};
    static const struct {
        const char *name;
        double value;
    } numbers[] = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}, {"tau", 6.28318530717958647693}};
    const char *start = s->p;
    while (s->p < s->end && is_name(*s->p)) s->p++;
    const size_t length = (size_t)(s->p - start);
    if (length == 4 && memcmp(start, "math", 4) == 0 && take(s, ".")) return parse_name(s);
    if (take(s, "(")) return parse_call(s, start, length);
    skip_blanks(s);
    if (s->p < s->end && (*s->p == '.' || *s->p == '[')) return stop(s);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (strlen(constants[i].name) == length && memcmp(constants[i].name, start, length) == 0)
            return constants[i].value;
    ziExpressionValue value;
    char fault[ZI_EXPRESSION_FAULT];
    if (s->names->look_up(s->names->context, start, length, &value, fault)) return value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == length && memcmp(numbers[i].name, start, length) == 0)
            return number(numbers[i].value, false);
    return fail(s, "%s", fault);
}

/* What operators stand between. */
static ziExpressionValue parse_atom(Parser *s) {
    skip_blanks(s);
    if (s->p >= s->end || s->depth >= DEEPEST) return stop(s);
    const char c = *s->p;
    if (take(s, "(")) {
        const ziExpressionValue inner = parse_ternary(s);
        return take(s, ")") ? inner : stop(s);
    }
    if ((c >= '0' && c <= '9') || c == '.') return parse_number(s);
    if (c == '\'' || c == '"') return parse_quoted(s);
    return is_name(c) ? parse_name(s) : stop(s);
}

/* Operators, the tightest first ----------------------------------------------------------------- */

static ziExpressionValue parse_unary(Parser *s);

/* A number with a unit has whole powers. */
static ziExpressionValue parse_power(Parser *s) {
    const ziExpressionValue base = parse_atom(s);
    if (!take(s, "**")) return base;
    const ziExpressionValue power = parse_unary(s);
    if (is_text(base) || is_text(power)) return fail(s, "a text has no powers");
    const double x = pow(base.number, power.number);
    const bool whole = power.number == rint(power.number) && fabs(power.number) < 100;
    ziUnit unit = {0, 0, 0};
    if (has_unit(power) || (has_unit(base) && !(whole && zi_unit_times(unit, base.unit, (int)power.number, &unit))))
        return fail(s, "a power of or to a number with a unit: expected a whole number as exponent");
    if (!isfinite(x)) return fail(s, "a power is too large");
    return with_unit(number(x, is_whole(base) && is_whole(power) && power.number >= 0), unit);
}

static ziExpressionValue parse_unary(Parser *s) {
    if (++s->depth > DEEPEST) return s->depth--, stop(s);
    const bool minus = take(s, "-"), plus = !minus && take(s, "+");
    ziExpressionValue value = minus || plus ? parse_unary(s) : parse_power(s);
    s->depth--;
    if ((minus || plus) && is_text(value)) return fail(s, "a text has no sign");
    if (minus) value = with_unit(number(-value.number, is_whole(value)), value.unit);
    return value;
}

/* One of two numbers by an operator. */
static ziExpressionValue combine(Parser *s, char op, bool twice, ziExpressionValue a, ziExpressionValue b) {
    if (op == '+' && is_text(a) && is_text(b)) {
        const size_t n = strlen(a.text), m = strlen(b.text);
        char *joined = n + m < 4096 ? malloc(n + m + 1) : NULL;
        if (!joined) return fail(s, "a text is too long");
        memcpy(joined, a.text, n);
        memcpy(joined + n, b.text, m + 1);
        const char *kept = s->names->keep(s->names->context, joined, n + m);
        free(joined);
        return kept ? (ziExpressionValue){.kind = ZI_EXPRESSION_TEXT, .text = kept} : fail(s, "out of memory");
    }
    if (is_text(a) || is_text(b)) return fail(s, "\"%.40s\" is no number", is_text(a) ? a.text : b.text);
    const bool whole = is_whole(a) && is_whole(b);
    if ((op == '/' || op == '%') && b.number == 0) return fail(s, "a division by zero");
    const bool product = op == '*' || op == '/';
    ziUnit unit = a.unit;
    if (!product && !agree(s, a, b)) return number(0, true);
    if (product && !zi_unit_times(a.unit, b.unit, op == '*' ? 1 : -1, &unit))
        return fail(s, "a unit has too high a power");
    switch (op) {
    case '+': return with_unit(number(a.number + b.number, whole), unit);
    case '-': return with_unit(number(a.number - b.number, whole), unit);
    case '*': return with_unit(number(a.number * b.number, whole), unit);
    case '%': return with_unit(number(a.number - b.number * floor(a.number / b.number), whole), unit);
    default:
        return with_unit(twice ? number(floor(a.number / b.number), whole) : number(a.number / b.number, false), unit);
    }
}

static ziExpressionValue parse_product(Parser *s) {
    ziExpressionValue left = parse_unary(s);
    for (;;) {
        const bool floor_division = take(s, "//");
        const char op = floor_division || take(s, "/") ? '/' : take(s, "*") ? '*' : take(s, "%") ? '%' : '\0';
        if (!op) return left;
        left = combine(s, op, floor_division, left, parse_unary(s));
    }
}

static ziExpressionValue parse_sum(Parser *s) {
    ziExpressionValue left = parse_product(s);
    for (;;) {
        const char op = take(s, "+") ? '+' : take(s, "-") ? '-' : '\0';
        if (!op) return left;
        left = combine(s, op, false, left, parse_product(s));
    }
}

static bool compare(ziExpressionValue a, ziExpressionValue b, const char *op) {
    const bool texts = is_text(a) && is_text(b);
    if (is_text(a) != is_text(b)) return op[0] == '!';
    const double d = texts ? strcmp(a.text, b.text) : a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
    switch (op[0]) {
    case '=': return d == 0;
    case '!': return d != 0;
    case '<': return op[1] ? d <= 0 : d < 0;
    default: return op[1] ? d >= 0 : d > 0;
    }
}

static ziExpressionValue parse_comparison(Parser *s) {
    static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">"};
    const ziExpressionValue left = parse_sum(s);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (take(s, ops[i])) {
            const ziExpressionValue right = parse_sum(s);
            if (!is_text(left) && !is_text(right) && !agree(s, left, right)) return truth(false);
            return truth(compare(left, right, ops[i]));
        }
    return left;
}

static ziExpressionValue parse_not(Parser *s) {
    if (!take(s, "not")) return parse_comparison(s);
    if (++s->depth > DEEPEST) return s->depth--, stop(s);
    const ziExpressionValue value = parse_not(s);
    s->depth--;
    return truth(!zi_expression_truth(&value));
}

/* The right side counts only where the left one does not decide; its fault, too. */
static ziExpressionValue parse_logic(Parser *s, bool either) {
    ziExpressionValue left = either ? parse_logic(s, false) : parse_not(s);
    while (take(s, either ? "or" : "and")) {
        const bool failed = s->failed, decided = zi_expression_truth(&left) == either;
        char fault[ZI_EXPRESSION_FAULT];
        memcpy(fault, s->fault, sizeof fault);
        const ziExpressionValue right = either ? parse_logic(s, false) : parse_not(s);
        if (!decided) left = right;
        if (!decided || s->broken) continue;
        s->failed = failed;
        memcpy(s->fault, fault, sizeof fault);
    }
    return left;
}

/* The fault of the branch that is not taken is forgotten, that of the condition is not. */
static ziExpressionValue parse_ternary(Parser *s) {
    if (++s->depth > DEEPEST) return s->depth--, stop(s);
    const bool before = s->failed;
    ziExpressionValue value = parse_logic(s, true);
    if (take(s, "if")) {
        char fault[ZI_EXPRESSION_FAULT];
        const bool failed = s->failed;
        memcpy(fault, s->fault, sizeof fault);
        s->failed = before;
        const ziExpressionValue condition = parse_logic(s, true);
        if (!take(s, "else")) return s->depth--, stop(s);
        const bool chosen = zi_expression_truth(&condition), unknown = s->failed;
        const ziExpressionValue other = parse_ternary(s);
        if (!chosen) value = other;
        if (chosen && !s->broken && !unknown) {
            s->failed = failed;
            memcpy(s->fault, fault, sizeof fault);
        }
    }
    s->depth--;
    return value;
}

bool zi_expression_evaluate(const char *text, size_t length, const ziExpressionNames *names, ziExpressionValue *value,
                            char fault[ZI_EXPRESSION_FAULT]) {
    Parser s = {.p = text, .end = text + length, .names = names, .fault = fault};
    memset(fault, 0, ZI_EXPRESSION_FAULT);
    *value = parse_ternary(&s);
    skip_blanks(&s);
    if (!s.broken && s.p < s.end) stop(&s);
    return !s.failed;
}
