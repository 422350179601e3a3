/* One reading of a native file, and one element of it: a map that knows what it describes, so that every error text
 * can say `mass of link "arm"`. All functions leave their outputs alone when the key is absent. */
#ifndef ZV_READ_NATIVE_ELEMENT_H
#define ZV_READ_NATIVE_ELEMENT_H

#include "zveno/builder.h"
#include "zveno/document.h"

/* The reading of one file; the readings of the files that include it form a list. */
typedef struct zvReading zvReading;
struct zvReading {
    zvBuilder *builder;
    const char *file;       /* kept by the builder, so that marks may point at it */
    const zvReading *outer; /* the file that includes this one, or NULL */
    int depth;              /* 0 for the file the user named */
    int *files;             /* number of files included so far, shared by all readings */
    zvError *error;
};

typedef struct zvElement {
    const zvNode *node; /* a map; NULL for a part that is absent */
    const char *kind;   /* "joint", "limits of joint" */
    const char *name;   /* its name, or NULL */
} zvElement;

enum { ZV_WHAT = 192 }; /* room for a phrase such as `mass of link "arm"`; longer names are cut */

/* Writes `key of kind "name"` (or `kind "name"` when key is NULL) and returns what. */
const char *zv_element_what(const zvElement *element, const char *key, char what[ZV_WHAT]);

/* The mark of a node with a file name that lives as long as the builder. */
zvMark zv_reading_mark(const zvReading *reading, zvMark mark);

/* Makes an element of a node: a map with the given keys only, named by the text under name_key (NULL: nameless). */
zvStatus zv_element_open(const zvReading *reading, const zvNode *node, const char *kind, const char *name_key,
                         const char *const *keys, size_t count, zvElement *element);
/* The map under a key as an element of its own; part->node is NULL when the key is absent. */
zvStatus zv_element_part(const zvReading *reading, const zvElement *element, const char *key, const char *kind,
                         const char *const *keys, size_t count, zvElement *part);

bool zv_element_has(const zvElement *element, const char *key);
/* Fails unless the key is there; advice is what to write, e.g. "type: revolute". */
zvStatus zv_element_need(const zvReading *reading, const zvElement *element, const char *key, const char *advice);

zvStatus zv_element_number(const zvReading *reading, const zvElement *element, const char *key, double *value);
zvStatus zv_element_numbers(const zvReading *reading, const zvElement *element, const char *key, int count,
                            double *values);
zvStatus zv_element_bool(const zvReading *reading, const zvElement *element, const char *key, bool *value);
zvStatus zv_element_text(const zvReading *reading, const zvElement *element, const char *key, const char **value);
/* One of count words; *choice becomes its index. */
zvStatus zv_element_word(const zvReading *reading, const zvElement *element, const char *key, const char *const *words,
                         size_t count, int *choice);
/* The list under a key, or NULL. */
zvStatus zv_element_list(const zvReading *reading, const zvElement *element, const char *key, const zvNode **list);

/* Fails with SCHEMA at the value of a key. */
zvStatus zv_element_refuse(const zvReading *reading, const zvElement *element, const char *key, const char *reason);

/* Where the value of a key stands; line 0 when the key is not there. */
zvSpot zv_element_spot(const zvElement *element, const char *key);

#endif
