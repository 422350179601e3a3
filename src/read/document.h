/* What a document consists of, for document.c, which makes it, and document_value.c, which changes it; and how error
 * texts call a node. */
#ifndef ZI_READ_DOCUMENT_H
#define ZI_READ_DOCUMENT_H

#include "base/arena.h"
#include "zveno/document.h"

struct zvDocument {
    ziArena arena;
    const zvNode *root;
    const char *name;
    const zvParameter *parameters; /* of the file, once it is expanded */
    int nparameter;
    zvDocument *changes; /* newest first: the documents that changed values were parsed from, linked by this member */
};

/* zv_node_number or zv_node_angle, and a list of them. */
zvStatus zi_node_value(const zvNode *node, const char *what, bool angle, double *value, zvError *error);
zvStatus zi_node_values(const zvNode *node, const char *what, bool angles, int count, double *values, zvError *error);

enum { ZI_FOUND_SIZE = 96 };
/* A node as what was found in an error text: `a list of 3`, `a map of 2 keys`, `nothing` or its text in quotes. Returns
 * buffer. */
const char *zi_node_found(const zvNode *node, char buffer[ZI_FOUND_SIZE]);

#endif
