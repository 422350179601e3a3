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
void zv_emit_name_key(zvEmitter *emitter, const char *name); /* in braces: a key that is any text */
/* A list in block style under a key: begin, item before each member, end. */
void zv_emit_list_begin(zvEmitter *emitter, const char *key);
void zv_emit_item(zvEmitter *emitter);
void zv_emit_list_end(zvEmitter *emitter);
/* A map in block style under a key; at least one key has to follow. */
void zv_emit_map_begin(zvEmitter *emitter, const char *key);
void zv_emit_map_end(zvEmitter *emitter);
/* A map in braces. */
void zv_emit_open(zvEmitter *emitter);
void zv_emit_close(zvEmitter *emitter);

/* Values behind a key. */
void zv_emit_word(zvEmitter *emitter, const char *word); /* as it is */
void zv_emit_text(zvEmitter *emitter, const char *text);
void zv_emit_number(zvEmitter *emitter, double value);
void zv_emit_numbers(zvEmitter *emitter, const double *values, int count);

/* Keys with their values. */
void zv_put_word(zvEmitter *emitter, const char *key, const char *word);
void zv_put_text(zvEmitter *emitter, const char *key, const char *text);
void zv_put_number(zvEmitter *emitter, const char *key, double value);
void zv_put_nonzero(zvEmitter *emitter, const char *key, double value); /* nothing for +0 */
void zv_put_numbers(zvEmitter *emitter, const char *key, const double *values, int count);
/* A list of lists, one on each line: the first columns numbers of each of rows rows that are stride apart. */
void zv_put_rows(zvEmitter *emitter, const char *key, const double *values, int rows, int columns, int stride);
/* Moments of inertia under the key inertia, 3 or 6 numbers; nothing when all are zero. */
void zv_put_moments(zvEmitter *emitter, const double J[6]);

/* The map of a pose; nothing for the identity. */
void zv_put_pose(zvEmitter *emitter, const char *key, const zvPose *pose);

/* Bits, not values: a negative zero has to survive. */
bool zv_is_zero(const double *values, int count);

#endif
