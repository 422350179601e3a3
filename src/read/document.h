/* What a document consists of; for document.c, which makes it, and document_value.c, which changes it. */
#ifndef ZI_READ_DOCUMENT_H
#define ZI_READ_DOCUMENT_H

#include "base/arena.h"
#include "zveno/document.h"

struct zvDocument {
    ziArena arena;
    const zvNode *root;
    const char *name;
    zvDocument *changes; /* newest first: the documents that changed values were parsed from, linked by this member */
};

#endif
