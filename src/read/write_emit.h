/* A stream of YAML: keys in block or flow style, texts quoted where YAML needs it, numbers with the fewest digits that
 * read back to the same bits. After the first failure everything else is silently skipped; zv_emit_end tells. */
#ifndef ZV_READ_WRITE_EMIT_H
#define ZV_READ_WRITE_EMIT_H

#include "zveno/read.h"

typedef struct zvEmitter {
    zvTextSink sink;
    void *context;
    zvError *error;
    zvStatus status;
    /* the element being written, for error texts */
    const char *kind;
    const char *name;
    zvMark mark;
    int indent; /* column of the keys of the open block */
    int flow;   /* open braces */
    bool fresh; /* nothing written since the last dash or brace */
    size_t used;
    char buffer[4096];
} zvEmitter;

void zv_emit_begin(zvEmitter *emitter, zvTextSink sink, void *context, zvError *error);
zvStatus zv_emit_end(zvEmitter *emitter);

/* What is written from now on, for error texts. */
void zv_emit_about(zvEmitter *emitter, const char *kind, const char *name, zvMark mark);

void zv_emit_raw(zvEmitter *emitter, const char *text);
void zv_emit_key(zvEmitter *emitter, const char *key);
/* A list in block style under a key: begin, item before each member, end. */
void zv_emit_list_begin(zvEmitter *emitter, const char *key);
void zv_emit_item(zvEmitter *emitter);
void zv_emit_list_end(zvEmitter *emitter);
/* A map in braces. */
void zv_emit_open(zvEmitter *emitter);
void zv_emit_close(zvEmitter *emitter);

/* Values behind a key. */
void zv_emit_word(zvEmitter *emitter, const char *word); /* as it is */
void zv_emit_text(zvEmitter *emitter, const char *text);
void zv_emit_number(zvEmitter *emitter, double value);
void zv_emit_numbers(zvEmitter *emitter, const double *values, int count);

#endif
