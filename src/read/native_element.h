/* One reading of a native file, and one element of it: a map that knows what it describes, so that every error text
 * can say `mass of link "arm"`. All functions leave their outputs alone when the key is absent. */
#ifndef ZI_READ_NATIVE_ELEMENT_H
#define ZI_READ_NATIVE_ELEMENT_H

#include "zveno/builder.h"
#include "zveno/document.h"

/* The reading of one file; the readings of the files that include it form a list. */
typedef struct ziReading ziReading;
struct ziReading {
    zvBuilder *builder;
    const char *file;       /* kept by the builder, so that marks may point at it */
    const ziReading *outer; /* the file that includes this one, or NULL */
    int depth;              /* 0 for the file the user named */
    int *files;             /* number of files included so far, shared by all readings */
    zvError *error;
};

typedef struct ziElement {
    const zvNode *node; /* a map; NULL for a part that is absent */
    const char *kind;   /* "joint", "limits of joint" */
    const char *name;   /* its name, or NULL */
} ziElement;

enum { ZI_WHAT = 192 }; /* room for a phrase such as `mass of link "arm"`; longer names are cut */

/* Writes `key of kind "name"` (or `kind "name"` when key is NULL) and returns what. */
const char *zi_element_what(const ziElement *element, const char *key, char what[ZI_WHAT]);

/* The mark of a node with a file name that lives as long as the builder. */
zvMark zi_reading_mark(const ziReading *reading, zvMark mark);

/* Makes an element of a node: a map with the given keys only, named by the text under name_key (NULL: nameless). */
zvStatus zi_element_open(const ziReading *reading, const zvNode *node, const char *kind, const char *name_key,
                         const char *const *keys, size_t count, ziElement *element);
/* The map under a key as an element of its own; part->node is NULL when the key is absent. */
zvStatus zi_element_part(const ziReading *reading, const ziElement *element, const char *key, const char *kind,
                         const char *const *keys, size_t count, ziElement *part);

bool zi_element_has(const ziElement *element, const char *key);
/* Fails unless the key is there; advice is what to write, e.g. "type: revolute". */
zvStatus zi_element_need(const ziReading *reading, const ziElement *element, const char *key, const char *advice);

zvStatus zi_element_number(const ziReading *reading, const ziElement *element, const char *key, double *value);
zvStatus zi_element_numbers(const ziReading *reading, const ziElement *element, const char *key, int count,
                            double *values);
zvStatus zi_element_bool(const ziReading *reading, const ziElement *element, const char *key, bool *value);
zvStatus zi_element_text(const ziReading *reading, const ziElement *element, const char *key, const char **value);
/* One of count words; *choice becomes its index. */
zvStatus zi_element_word(const ziReading *reading, const ziElement *element, const char *key, const char *const *words,
                         size_t count, int *choice);
/* The list under a key, or NULL. */
zvStatus zi_element_list(const ziReading *reading, const ziElement *element, const char *key, const zvNode **list);

/* Fails with SCHEMA at the value of a key. */
zvStatus zi_element_refuse(const ziReading *reading, const ziElement *element, const char *key, const char *reason);

/* Where the value of a key stands; line 0 when the key is not there. */
zvSpot zi_element_spot(const ziElement *element, const char *key);

#endif
