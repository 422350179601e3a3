/* Expressions in robot descriptions and scenarios: the part of Python that xacro files use, and units. */
#ifndef ZI_READ_EXPRESSION_H
#define ZI_READ_EXPRESSION_H

#include <stdbool.h>

#include "read/unit.h"

/* A value of an expression. */
typedef enum ziExpressionKind {
    ZI_EXPRESSION_INTEGER,
    ZI_EXPRESSION_FLOAT,
    ZI_EXPRESSION_BOOL,
    ZI_EXPRESSION_TEXT
} ziExpressionKind;
typedef struct ziExpressionValue {
    ziExpressionKind kind;
    double number;    /* 0 or 1 of a truth value */
    const char *text; /* TEXT only */
    ziUnit unit;      /* of a number, in SI */
} ziExpressionValue;

enum { ZI_EXPRESSION_FAULT = 200 };

/* What an expression refers to. */
typedef struct ziExpressionNames {
    /* The value of a name; false: fault says why there is none. */
    bool (*look_up)(void *context, const char *name, size_t length, ziExpressionValue *value,
                    char fault[ZI_EXPRESSION_FAULT]);
    const char *(*keep)(void *context, const char *text, size_t length); /* a copy; NULL: out of memory */
    void *context;
    bool units; /* numbers may be followed by a unit: 120 kg, 9.81 m/s^2 */
} ziExpressionNames;

/* Value of a Python expression of numbers, texts, names, + - * / // % **, comparisons, and, or, not, x if c else y, and
 * the functions of Python's math that robots use. False: fault says why it has none. */
bool zi_expression_evaluate(const char *text, size_t length, const ziExpressionNames *names, ziExpressionValue *value,
                            char fault[ZI_EXPRESSION_FAULT]);
/* A text that is a number or a truth value as what it says; quotes around it are taken off. */
ziExpressionValue zi_expression_literal(const char *text);
bool zi_expression_truth(const ziExpressionValue *value);
/* As Python writes it; buffer has 40 bytes and is used for numbers. */
const char *zi_expression_text(const ziExpressionValue *value, char buffer[40]);

#endif
