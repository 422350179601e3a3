/* What evaluating parameters (parameters.c) and putting them in their places (parameters_place.c) share. */
#ifndef ZI_READ_PARAMETERS_H
#define ZI_READ_PARAMETERS_H

#include "read/document.h"
#include "read/expression.h"

typedef struct ziParameter ziParameter;

/* What `for` counts, innermost first. */
typedef struct ziCounter ziCounter;
struct ziCounter {
    const char *name;
    size_t length;
    double value;
    const ziCounter *outer;
};

typedef struct ziExpansion {
    zvDocument *document;
    ziParameter *parameters;
    int count;
    const ziCounter *counters;
    int nodes; /* visited so far */
    int depth; /* of for and if */
    int ahead; /* parameters being evaluated */
    zvError *error;
} ziExpansion;

zvStatus zi_expansion_no_memory(const ziExpansion *expansion);
/* A copy that lives as long as the document; NULL: out of memory. context is the expansion. */
const char *zi_expansion_keep(void *context, const char *text, size_t length);
/* The value of a part of a node's text, or of all of it: a quoted node as a whole is a text. */
zvStatus zi_expansion_evaluate(ziExpansion *expansion, const zvNode *node, const char *text, size_t length,
                               ziExpressionValue *value);
/* The place of a part of a node's text: in scalars of one line, right at it. */
zvMark zi_expansion_mark(const zvNode *node, const char *at);
/* Letters, digits and _, the first no digit. */
bool zi_is_parameter_name(const char *text, size_t length);
/* The value of a parameter of a document that is not expanded yet; false: it has none, or there is no such parameter.
 */
bool zi_parameter_value(zvDocument *document, const char *name, ziExpressionValue *value);
/* A node with its values put in: itself where there are none. key is that of the map it stands in, or NULL. */
zvStatus zi_expand_node(ziExpansion *expansion, const zvNode *node, const char *key, const zvNode **expanded);

#endif
