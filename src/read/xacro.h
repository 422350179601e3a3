/* Expansion of xacro, the macro language of ROS: the common subset. */
#ifndef ZI_READ_XACRO_H
#define ZI_READ_XACRO_H

#include <stdbool.h>

#include "read/xml.h"
#include "zveno/builder.h"

/* A value of an expression. */
typedef enum ziXacroKind { ZI_XACRO_INTEGER, ZI_XACRO_FLOAT, ZI_XACRO_BOOL, ZI_XACRO_TEXT } ziXacroKind;
typedef struct ziXacroValue {
    ziXacroKind kind;
    double number;    /* 0 or 1 of a truth value */
    const char *text; /* TEXT only */
} ziXacroValue;

enum { ZI_XACRO_FAULT = 200 };

/* What an expression refers to. */
typedef struct ziXacroNames {
    /* The value of a name; false: fault says why there is none. */
    bool (*look_up)(void *context, const char *name, size_t length, ziXacroValue *value, char fault[ZI_XACRO_FAULT]);
    const char *(*keep)(void *context, const char *text, size_t length); /* a copy; NULL: out of memory */
    void *context;
} ziXacroNames;

/* Value of a Python expression of numbers, texts, names, + - * / // % **, comparisons, and, or, not, x if c else y, and
 * the functions of Python's math that robots use. False: fault says why it has none. */
bool zi_xacro_evaluate(const char *text, size_t length, const ziXacroNames *names, ziXacroValue *value,
                       char fault[ZI_XACRO_FAULT]);
/* A text that is a number or a truth value as what it says; quotes around it are taken off. */
ziXacroValue zi_xacro_literal(const char *text);
bool zi_xacro_truth(const ziXacroValue *value);
/* As Python writes it; buffer has 40 bytes and is used for numbers. */
const char *zi_xacro_text(const ziXacroValue *value, char buffer[40]);

typedef struct ziXacro ziXacro; /* what an expanded tree lives in */

/* Whether a tree has anything to expand. */
bool zi_xacro_wanted(const ziXmlElement *root);
/* Expands a whole file into *expanded, which lives as long as *xacro. Calls of macros that are defined nowhere and
 * expressions without a value are left as they stand: *left is the reason of the first, or NULL. */
zvStatus zi_xacro_expand(zvBuilder *builder, const ziXmlElement *root, const ziXmlElement **expanded, const char **left,
                         ziXacro **xacro, zvError *error);
void zi_xacro_destroy(ziXacro *xacro);

#endif
