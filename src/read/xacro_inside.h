/* What expanding elements (xacro.c) and evaluating texts (xacro_text.c) share. */
#ifndef ZI_READ_XACRO_INSIDE_H
#define ZI_READ_XACRO_INSIDE_H

#include "base/arena.h"
#include "read/xacro.h"

enum { ZI_XACRO_CALLS = 64, ZI_XACRO_LEVELS = 512, ZI_XACRO_INCLUDES = 256, ZI_XACRO_STEPS = 10 * 1000 * 1000 };

typedef struct ziXacroScope ziXacroScope;

/* A property, a parameter, a block. */
typedef struct ziXacroSymbol ziXacroSymbol;
struct ziXacroSymbol {
    const char *name;
    const char *raw;         /* not evaluated yet */
    ziExpressionValue value; /* where raw is NULL */
    bool is_block;
    const ziXmlElement *block; /* its first element, which may be none ... */
    bool alone;                /* ... alone, or all that follow as well */
    bool busy;                 /* it is being evaluated */
    ziXacroSymbol *next;
};

typedef struct ziXacroMacro ziXacroMacro;
struct ziXacroMacro {
    const char *name, *params;
    const ziXmlElement *element;
    ziXacroMacro *next;
};

struct ziXacroScope {
    ziXacroScope *outer;
    ziXacroSymbol *symbols;
};

struct ziXacro {
    ziArena arena;
    zvBuilder *builder;
    zvError *error;
    ziXacroScope global;
    ziXacroSymbol *args;
    ziXacroMacro *macros;
    ziXml *included[ZI_XACRO_INCLUDES];
    ziSource sources[ZI_XACRO_INCLUDES];
    int includes, calls, levels, depth;
    size_t spent;
    const char *left; /* why something was left as it stands */
    bool starved;     /* memory ran out, which is no reason to leave something as it stands */
};

/* A copy in the arena; NULL: out of memory. */
const char *zi_xacro_keep(ziXacro *x, const char *text, size_t length);
ziXacroSymbol *zi_xacro_find(ziXacro *x, ziXacroSymbol *list, const char *name, size_t length);
/* A new symbol, or the one of that name in the list with its old value gone; NULL: out of memory. */
ziXacroSymbol *zi_xacro_put(ziXacro *x, ziXacroSymbol **list, const char *name, size_t length);
/* The value of a name in a scope or around it. */
bool zi_xacro_look_up(ziXacro *x, const char *file, ziXacroScope *scope, const char *name, ziExpressionValue *value,
                      char fault[ZI_EXPRESSION_FAULT]);
/* A text with its expressions replaced; one that is a single expression keeps its kind. */
bool zi_xacro_evaluate_text(ziXacro *x, const char *file, const char *text, ziXacroScope *scope,
                            ziExpressionValue *value, char fault[ZI_EXPRESSION_FAULT]);
/* The same as a text. What has no value stays as it stands, and the first reason is kept. NULL: out of memory. */
const char *zi_xacro_expand_text(ziXacro *x, const ziXmlElement *element, const char *text, ziXacroScope *scope);

#endif
