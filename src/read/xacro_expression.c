/* Expressions of xacro: the part of Python that robot descriptions use, by recursive descent. An expression without a
 * value (an unknown name, a division by zero) is parsed to its end all the same, for the branch that is not taken of
 * "x if c else y", "and" and "or" may be one. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/text.h"
#include "read/xacro.h"

enum { DEEPEST = 64, ARGUMENTS = 8 };

typedef struct Parser {
    const char *p, *end;
    const ziXacroNames *names;
    int depth;
    bool broken; /* it cannot be parsed further */
    bool failed; /* it has no value */
    char *fault;
} Parser;

static ziXacroValue parse_ternary(Parser *s);

static ziXacroValue number(double x, bool whole) {
    return (ziXacroValue){whole ? ZI_XACRO_INTEGER : ZI_XACRO_FLOAT, x, NULL};
}
static ziXacroValue truth(bool b) { return (ziXacroValue){ZI_XACRO_BOOL, b, NULL}; }
static bool is_text(ziXacroValue v) { return v.kind == ZI_XACRO_TEXT; }
static bool is_whole(ziXacroValue v) { return v.kind == ZI_XACRO_INTEGER || v.kind == ZI_XACRO_BOOL; }

/* The first fault is kept. */
__attribute__((format(printf, 2, 3))) static ziXacroValue fail(Parser *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!s->failed) vsnprintf(s->fault, ZI_XACRO_FAULT, format, args);
    va_end(args);
    s->failed = true;
    return number(0, true);
}

static ziXacroValue stop(Parser *s) {
    if (!s->broken) {
        s->failed = false;
        fail(s, "\"%.40s\" is beyond the expressions that are understood here", s->p < s->end ? s->p : "");
    }
    s->broken = true;
    s->p = s->end;
    return number(0, true);
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

bool zi_xacro_truth(const ziXacroValue *v) { return v->kind == ZI_XACRO_TEXT ? v->text[0] != '\0' : v->number != 0; }

/* Functions ------------------------------------------------------------------------------------- */

typedef struct Function {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
    bool whole; /* the result is an integer */
} Function;

static const double pi = 3.14159265358979323846;
static double radians(double x) { return x * pi / 180; }
static double degrees(double x) { return x * 180 / pi; }

static const Function functions[] = {
    {"radians", radians, NULL, false},  {"degrees", degrees, NULL, false}, {"sin", sin, NULL, false},
    {"cos", cos, NULL, false},          {"tan", tan, NULL, false},         {"asin", asin, NULL, false},
    {"acos", acos, NULL, false},        {"atan", atan, NULL, false},       {"atan2", NULL, atan2, false},
    {"sqrt", sqrt, NULL, false},        {"fabs", fabs, NULL, false},       {"exp", exp, NULL, false},
    {"log", log, NULL, false},          {"log10", log10, NULL, false},     {"pow", NULL, pow, false},
    {"hypot", NULL, hypot, false},      {"floor", floor, NULL, true},      {"ceil", ceil, NULL, true},
    {"round", rint, NULL, true},        {"int", trunc, NULL, true},        {"fmod", NULL, fmod, false},
    {"copysign", NULL, copysign, false}};

/* min and max of numbers, abs and the conversions keep or choose the kind of the result. */
static bool call_special(Parser *s, const char *name, const ziXacroValue *args, int count, ziXacroValue *result) {
    char buffer[40];
    const bool least = strcmp(name, "min") == 0;
    if ((least || strcmp(name, "max") == 0) && count >= 1) {
        *result = args[0];
        for (int i = 1; i < count; i++)
            if (least ? args[i].number < result->number : args[i].number > result->number) *result = args[i];
        return true;
    }
    if (count != 1) return false;
    if (strcmp(name, "str") == 0) {
        const char *text = zi_xacro_text(&args[0], buffer);
        text = s->names->keep(s->names->context, text, strlen(text));
        *result = text ? (ziXacroValue){ZI_XACRO_TEXT, 0, text} : fail(s, "out of memory");
    } else if (strcmp(name, "float") == 0 || strcmp(name, "int") == 0) {
        const ziXacroValue v = is_text(args[0]) ? zi_xacro_literal(args[0].text) : args[0];
        if (is_text(v)) fail(s, "\"%.40s\" is no number", v.text);
        *result = name[0] == 'f' ? number(v.number, false) : number(trunc(v.number), true);
    } else if (strcmp(name, "abs") == 0) {
        *result = number(fabs(args[0].number), is_whole(args[0]));
    } else if (strcmp(name, "bool") == 0) {
        *result = truth(zi_xacro_truth(&args[0]));
    } else {
        return false;
    }
    return true;
}

/* One of Python's math; a result that is not finite is none. */
static ziXacroValue call_function(Parser *s, const char *name, const ziXacroValue *args, int count) {
    ziXacroValue result;
    if (call_special(s, name, args, count, &result)) return result;
    for (int i = 0; i < count; i++)
        if (is_text(args[i])) return fail(s, "%s(\"%.40s\"): expected a number", name, args[i].text);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const Function *f = &functions[i];
        if (strcmp(f->name, name) != 0 || count != (f->one ? 1 : 2)) continue;
        const double x = f->one ? f->one(args[0].number) : f->two(args[0].number, args[1].number);
        return isfinite(x) ? number(x, f->whole) : fail(s, "%s has no value there", name);
    }
    return fail(s, "the function %s with %d argument%s is not known here", name, count, count == 1 ? "" : "s");
}

/* Atoms ----------------------------------------------------------------------------------------- */

/* Digits with at most one point and an exponent. */
static ziXacroValue parse_number(Parser *s) {
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
    return number(x, whole && x < 9e15);
}

static ziXacroValue parse_quoted(Parser *s) {
    const char quote = *s->p++;
    const char *start = s->p;
    while (s->p < s->end && *s->p != quote && *s->p != '\\') s->p++;
    if (s->p >= s->end || *s->p != quote) return stop(s);
    const char *text = s->names->keep(s->names->context, start, (size_t)(s->p++ - start));
    return text ? (ziXacroValue){ZI_XACRO_TEXT, 0, text} : fail(s, "out of memory");
}

/* name(arguments) behind the bracket. */
static ziXacroValue parse_call(Parser *s, const char *name, size_t length) {
    ziXacroValue args[ARGUMENTS];
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
static ziXacroValue parse_name(Parser *s) {
    static const struct {
        const char *name;
        ziXacroValue value;
    } constants[] = {{"True", {ZI_XACRO_BOOL, 1, NULL}},
                     {"False", {ZI_XACRO_BOOL, 0, NULL}},
                     {"true", {ZI_XACRO_BOOL, 1, NULL}},
                     {"false", {ZI_XACRO_BOOL, 0, NULL}},
                     {"None", {ZI_XACRO_TEXT, 0, ""}}};
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
    ziXacroValue value;
    char fault[ZI_XACRO_FAULT];
    if (s->names->look_up(s->names->context, start, length, &value, fault)) return value;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strlen(numbers[i].name) == length && memcmp(numbers[i].name, start, length) == 0)
            return number(numbers[i].value, false);
    return fail(s, "%s", fault);
}

/* What operators stand between. */
static ziXacroValue parse_atom(Parser *s) {
    skip_blanks(s);
    if (s->p >= s->end || s->depth >= DEEPEST) return stop(s);
    const char c = *s->p;
    if (take(s, "(")) {
        const ziXacroValue inner = parse_ternary(s);
        return take(s, ")") ? inner : stop(s);
    }
    if ((c >= '0' && c <= '9') || c == '.') return parse_number(s);
    if (c == '\'' || c == '"') return parse_quoted(s);
    return is_name(c) ? parse_name(s) : stop(s);
}

/* Operators, the tightest first ----------------------------------------------------------------- */

static ziXacroValue parse_unary(Parser *s);

static ziXacroValue parse_power(Parser *s) {
    const ziXacroValue base = parse_atom(s);
    if (!take(s, "**")) return base;
    const ziXacroValue power = parse_unary(s);
    if (is_text(base) || is_text(power)) return fail(s, "a text has no powers");
    const double x = pow(base.number, power.number);
    return isfinite(x) ? number(x, is_whole(base) && is_whole(power) && power.number >= 0)
                       : fail(s, "a power is too large");
}

static ziXacroValue parse_unary(Parser *s) {
    if (++s->depth > DEEPEST) return s->depth--, stop(s);
    const bool minus = take(s, "-"), plus = !minus && take(s, "+");
    ziXacroValue value = minus || plus ? parse_unary(s) : parse_power(s);
    s->depth--;
    if ((minus || plus) && is_text(value)) return fail(s, "a text has no sign");
    if (minus) value = number(-value.number, is_whole(value));
    return value;
}

/* One of two numbers by an operator. */
static ziXacroValue combine(Parser *s, char op, bool twice, ziXacroValue a, ziXacroValue b) {
    if (op == '+' && is_text(a) && is_text(b)) {
        const size_t n = strlen(a.text), m = strlen(b.text);
        char *joined = n + m < 4096 ? malloc(n + m + 1) : NULL;
        if (!joined) return fail(s, "a text is too long");
        memcpy(joined, a.text, n);
        memcpy(joined + n, b.text, m + 1);
        const char *kept = s->names->keep(s->names->context, joined, n + m);
        free(joined);
        return kept ? (ziXacroValue){ZI_XACRO_TEXT, 0, kept} : fail(s, "out of memory");
    }
    if (is_text(a) || is_text(b)) return fail(s, "\"%.40s\" is no number", is_text(a) ? a.text : b.text);
    const bool whole = is_whole(a) && is_whole(b);
    if ((op == '/' || op == '%') && b.number == 0) return fail(s, "a division by zero");
    switch (op) {
    case '+': return number(a.number + b.number, whole);
    case '-': return number(a.number - b.number, whole);
    case '*': return number(a.number * b.number, whole);
    case '%': return number(a.number - b.number * floor(a.number / b.number), whole);
    default: return twice ? number(floor(a.number / b.number), whole) : number(a.number / b.number, false);
    }
}

static ziXacroValue parse_product(Parser *s) {
    ziXacroValue left = parse_unary(s);
    for (;;) {
        const bool floor_division = take(s, "//");
        const char op = floor_division || take(s, "/") ? '/' : take(s, "*") ? '*' : take(s, "%") ? '%' : '\0';
        if (!op) return left;
        left = combine(s, op, floor_division, left, parse_unary(s));
    }
}

static ziXacroValue parse_sum(Parser *s) {
    ziXacroValue left = parse_product(s);
    for (;;) {
        const char op = take(s, "+") ? '+' : take(s, "-") ? '-' : '\0';
        if (!op) return left;
        left = combine(s, op, false, left, parse_product(s));
    }
}

static bool compare(ziXacroValue a, ziXacroValue b, const char *op) {
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

static ziXacroValue parse_comparison(Parser *s) {
    static const char *const ops[] = {"==", "!=", "<=", ">=", "<", ">"};
    const ziXacroValue left = parse_sum(s);
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (take(s, ops[i])) return truth(compare(left, parse_sum(s), ops[i]));
    return left;
}

static ziXacroValue parse_not(Parser *s) {
    if (!take(s, "not")) return parse_comparison(s);
    if (++s->depth > DEEPEST) return s->depth--, stop(s);
    const ziXacroValue value = parse_not(s);
    s->depth--;
    return truth(!zi_xacro_truth(&value));
}

/* The right side counts only where the left one does not decide; its fault, too. */
static ziXacroValue parse_logic(Parser *s, bool either) {
    ziXacroValue left = either ? parse_logic(s, false) : parse_not(s);
    while (take(s, either ? "or" : "and")) {
        const bool failed = s->failed, decided = zi_xacro_truth(&left) == either;
        char fault[ZI_XACRO_FAULT];
        memcpy(fault, s->fault, sizeof fault);
        const ziXacroValue right = either ? parse_logic(s, false) : parse_not(s);
        if (!decided) left = right;
        if (!decided || s->broken) continue;
        s->failed = failed;
        memcpy(s->fault, fault, sizeof fault);
    }
    return left;
}

/* The fault of the branch that is not taken is forgotten, that of the condition is not. */
static ziXacroValue parse_ternary(Parser *s) {
    if (++s->depth > DEEPEST) return s->depth--, stop(s);
    const bool before = s->failed;
    ziXacroValue value = parse_logic(s, true);
    if (take(s, "if")) {
        char fault[ZI_XACRO_FAULT];
        const bool failed = s->failed;
        memcpy(fault, s->fault, sizeof fault);
        s->failed = before;
        const ziXacroValue condition = parse_logic(s, true);
        if (!take(s, "else")) return s->depth--, stop(s);
        const bool chosen = zi_xacro_truth(&condition), unknown = s->failed;
        const ziXacroValue other = parse_ternary(s);
        if (!chosen) value = other;
        if (chosen && !s->broken && !unknown) {
            s->failed = failed;
            memcpy(s->fault, fault, sizeof fault);
        }
    }
    s->depth--;
    return value;
}

bool zi_xacro_evaluate(const char *text, size_t length, const ziXacroNames *names, ziXacroValue *value,
                       char fault[ZI_XACRO_FAULT]) {
    Parser s = {.p = text, .end = text + length, .names = names, .fault = fault};
    memset(fault, 0, ZI_XACRO_FAULT);
    *value = parse_ternary(&s);
    skip_blanks(&s);
    if (!s.broken && s.p < s.end) stop(&s);
    return !s.failed;
}
