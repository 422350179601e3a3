/* Application. A YAML or JSON document as a tree of nodes that know where they stand in the file.
 * Native robot files, states and scenarios are read through it. */
#ifndef ZVENO_DOCUMENT_H
#define ZVENO_DOCUMENT_H

#include <stdbool.h>

#include "zveno/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum zvNodeKind { ZV_NODE_SCALAR, ZV_NODE_LIST, ZV_NODE_MAP } zvNodeKind;

typedef struct zvNode zvNode;
struct zvNode {
    zvNodeKind kind;
    bool quoted;                /* scalar written in quotes: a text, never a number */
    int count;                  /* members of a list or map */
    const char *text;           /* scalar: its text; else NULL */
    const char *const *keys;    /* map: count key texts */
    const zvMark *key_marks;    /* map: where each key stands */
    const zvNode *const *items; /* list or map: count members */
    zvMark mark;
};

typedef struct zvDocument zvDocument;

/* path "-" is standard input. Depth is limited to 64 levels and size to 256 MiB; aliases are shared, never expanded. */
zvStatus zv_document_read_file(const char *path, zvDocument **document, zvError *error);
/* bytes need not end in NUL; name is used in error texts. */
zvStatus zv_document_read_memory(const char *name, const char *bytes, size_t size, zvDocument **document,
                                 zvError *error);
void zv_document_destroy(zvDocument *document);             /* NULL is let pass */
const zvNode *zv_document_root(const zvDocument *document); /* NULL for an empty document */

/* Changes one value: path is keys and items of lists joined by dots, "drives.0.kp" or, of an item whose key `name` says
 * so, "drives.servo.kp"; items without names are counted from 0, and a key or name that contains dots is found when it
 * exists. value is YAML. Keys of maps that are missing are added, list items are not. Nodes looked up before stay valid
 * and show the old value. Errors, and marks inside the new value, carry the text "--set path=value" in place of the
 * file. */
zvStatus zv_document_set(zvDocument *document, const char *path, const char *value, zvError *error);

/* The same by one text, "path=value". Parameters ("parameters.mass=2") must be there; before the document is expanded:
 * a number without a unit is in that of the value it replaces, another unit is refused. */
zvStatus zv_document_change(zvDocument *document, const char *change, zvError *error);

/* Parameters: a map `parameters` at the root names numbers and expressions, which stand in scalars of the document as
 * $(expression); items {for: i = 1..n, each: ...} and {if: condition, each: ...} of lists are written out. Puts values
 * in their place and takes the map away; documents without one are left as they are. Robot files and scenarios are
 * expanded as they are read. Errors have the place of the expression. */
zvStatus zv_document_expand(zvDocument *document, zvError *error);

typedef struct zvParameter {
    const char *name;
    const char *text; /* as it is written: "2*mass + 3 kg" */
    bool is_number;
    double value;     /* in SI; 0 for a text */
    const char *unit; /* "kg m^2"; "1" where it has none */
    zvMark mark;
} zvParameter;

/* Those of a document that has been expanded, in the order of the file; they live as long as the document. */
int zv_document_nparameter(const zvDocument *document);
const zvParameter *zv_document_parameter(const zvDocument *document, int index);

/* Member of a map, or NULL. */
const zvNode *zv_node_get(const zvNode *map, const char *key);
/* Refuses keys of a map that are not among names (count of them); suggests the nearest. what: "a joint", "the state".
 */
zvStatus zv_node_only(const zvNode *map, const char *what, const char *const *names, size_t count, zvError *error);

/* Values with checks; what names the value in the error text ("mass of link \"arm\""). Numbers must be finite and may
 * be pi, -pi, or a multiple or fraction such as pi/2, 3*pi/4. */
zvStatus zv_node_number(const zvNode *node, const char *what, double *value, zvError *error);
zvStatus zv_node_integer(const zvNode *node, const char *what, int *value, zvError *error);
zvStatus zv_node_bool(const zvNode *node, const char *what, bool *value, zvError *error);
zvStatus zv_node_text(const zvNode *node, const char *what, const char **value, zvError *error);
/* An angle, or its rate: a number, in radians, that may also be followed by "deg". */
zvStatus zv_node_angle(const zvNode *node, const char *what, double *value, zvError *error);
/* A list of exactly count numbers. */
zvStatus zv_node_numbers(const zvNode *node, const char *what, int count, double *values, zvError *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
