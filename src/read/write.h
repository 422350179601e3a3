/* A stream of YAML: keys in block or flow style, texts quoted where YAML needs it, numbers with the fewest digits that
 * read back to the same bits. After the first failure everything else is silently skipped; zi_emit_end tells. */
#ifndef ZI_READ_WRITE_H
#define ZI_READ_WRITE_H

#include "zveno/read.h"

typedef struct ziEmitter {
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
} ziEmitter;

void zi_emit_begin(ziEmitter *emitter, zvTextSink sink, void *context, zvError *error);
zvStatus zi_emit_end(ziEmitter *emitter);

/* What is written from now on, for error texts. */
void zi_emit_about(ziEmitter *emitter, const char *kind, const char *name, zvMark mark);

void zi_emit_raw(ziEmitter *emitter, const char *text);
void zi_emit_key(ziEmitter *emitter, const char *key);
void zi_emit_name_key(ziEmitter *emitter, const char *name); /* in braces: a key that is any text */
/* A list in block style under a key: begin, item before each member, end. */
void zi_emit_list_begin(ziEmitter *emitter, const char *key);
void zi_emit_item(ziEmitter *emitter);
void zi_emit_list_end(ziEmitter *emitter);
/* A map in block style under a key; at least one key has to follow. */
void zi_emit_map_begin(ziEmitter *emitter, const char *key);
void zi_emit_map_end(ziEmitter *emitter);
/* A map in braces. */
void zi_emit_open(ziEmitter *emitter);
void zi_emit_close(ziEmitter *emitter);

/* The fewest digits that read back as the same bits; fails on what is not finite. */
void zi_emit_digits(ziEmitter *emitter, double value);

/* Values behind a key. */
void zi_emit_word(ziEmitter *emitter, const char *word); /* as it is */
void zi_emit_text(ziEmitter *emitter, const char *text);
void zi_emit_number(ziEmitter *emitter, double value);
void zi_emit_numbers(ziEmitter *emitter, const double *values, int count);

/* Keys with their values. */
void zi_put_word(ziEmitter *emitter, const char *key, const char *word);
void zi_put_text(ziEmitter *emitter, const char *key, const char *text);
void zi_put_number(ziEmitter *emitter, const char *key, double value);
void zi_put_nonzero(ziEmitter *emitter, const char *key, double value); /* nothing for +0 */
void zi_put_numbers(ziEmitter *emitter, const char *key, const double *values, int count);
/* A list of lists, one on each line: the first columns numbers of each of rows rows that are stride apart. */
void zi_put_rows(ziEmitter *emitter, const char *key, const double *values, int rows, int columns, int stride);
/* Moments of inertia under the key inertia, 3 or 6 numbers; nothing when all are zero. */
void zi_put_moments(ziEmitter *emitter, const double J[6]);

/* The map of a pose; nothing for the identity. */
void zi_put_pose(ziEmitter *emitter, const char *key, const zvPose *pose);

/* Bits, not values: a negative zero has to survive. */
bool zi_is_zero(const double *values, int count);

/* Writer of joints and of loops, which have much of joints. */

/* The sections joints and loops; nothing when there are none. */
void zi_write_joints(ziEmitter *emitter, const zvBuilder *builder);
void zi_write_loops(ziEmitter *emitter, const zvBuilder *builder);

/* Parts of both. */
void zi_put_curve(ziEmitter *emitter, const zvCurve *curve);
/* Keys of the only freedom, or the list dofs; nothing when they are all plain. */
void zi_put_dofs(ziEmitter *emitter, zvJointType type, const zvDof *dofs);
/* Stiffness and damping matrix, where they are not NULL. */
void zi_put_matrices(ziEmitter *emitter, zvJointType type, const double *stiffness, const double *damping);

/* Writer of elastic links. */

/* The keys beam or modal of a link; nothing for a rigid one. */
void zi_write_elastic(ziEmitter *emitter, const zvLink *link);

#endif
