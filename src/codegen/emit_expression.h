/* Expressions of generated C: what stands for a node where it is used. */
#ifndef ZI_CODEGEN_EMIT_EXPRESSION_H
#define ZI_CODEGEN_EMIT_EXPRESSION_H

#include "codegen/emit_function.h"
#include "codegen/keep.h"

/* An array that numbers are stored into. */
typedef struct ziPart {
    const char *array;
    int size;
    bool local; /* no answer: factors for the loop behind */
} ziPart;

/* A function while it is being written. */
typedef struct ziCodeBody {
    ziCodeText *text;
    const char *name;
    zvGenerated function;
    const ziSignature *signature;
    const zvModel *model;
    const ziProgram *p;
    int nq, nv;
    ziPart part[5]; /* size 0 behind the last */
    bool looped;    /* columns.h */
    bool lanes;     /* numbers are NAME_lanes, one lane for each state */
    int *number;    /* per node: of its temporary, or 1 once an input is read; 0: not yet */
    int unread;     /* inputs that may share their array with the answer and are still to be read */
    ziKeep keep;    /* of one state */
    int *waiting;   /* nodes whose answers wait for that */
    int waits;
    int temporaries;
    long long statements;
} ziCodeBody;

/* An input, by a format of its array and its number there. */
void zi_code_input(const ziCodeBody *b, int input, const char *form);
/* A node that has a name, or is a constant, input, sine or cosine. */
void zi_code_leaf(const ziCodeBody *b, int i);
/* "p3[-2]", where a number is kept (keep.h). */
void zi_code_place(const ziCodeBody *b, int i);
/* What a node is, whether or not it has a name. The depth is bounded by what is inlined. */
void zi_code_operation(const ziCodeBody *b, int i, bool negative);

#endif
