/* Generated C, part by part: functions, their statements and expressions, batches over lanes, the three files. */
#ifndef ZI_CODEGEN_EMIT_H
#define ZI_CODEGEN_EMIT_H

#include "codegen/code.h"
#include "codegen/program.h"
#include "zveno/codegen.h"
#include "zveno/model.h"

/* One function of generated C. */

/* How a function is called. */
typedef struct ziSignature {
    const char *given;     /* third input: "a", "tau", or NULL */
    bool velocity;         /* v is an input */
    const char *answer[5]; /* names of the outputs, NULL behind; sizes: zi_generated_part */
    bool checked;          /* returns int: the guards */
    const char *what;      /* in words, for the header */
} ziSignature;

const ziSignature *zi_signature(zvGenerated function);

/* Whether an output may be an input of the same length; otherwise none overlap. */
bool zi_signature_shares(zvGenerated function);

/* "int NAME_forward(const NAME_real *q, ...)" without the semicolon. Where arrays must not overlap the definition says
 * so; C++ does not know restrict. */
void zi_code_prototype(ziCode *code, const char *name, zvGenerated function, bool definition);
/* "q, [v, [a,]] tau": inputs and outputs, each between two strings; what follows the last is left out. */
void zi_code_arrays(ziCode *code, zvGenerated function, const char *input, const char *output, const char *behind,
                    const char *between);

/* The whole function; returns the number of its statements, or -1 when out of memory. */
long long zi_code_function(ziCode *code, const char *name, zvGenerated function, const zvModel *model,
                           const ziProgram *program);
/* The same statements over NAME_lanes: "static void NAME_forward_lanes(size_t stride, ...)". */
long long zi_code_lanes(ziCode *code, const char *name, zvGenerated function, const zvModel *model,
                        const ziProgram *program);

/* Expressions of generated C: what stands for a node where it is used. */

/* An array that numbers are stored into. */
typedef struct ziStoredArray {
    const char *array;
    int size;
    bool local; /* no answer: factors for the loop behind */
} ziStoredArray;

/* A function while it is being written. */
typedef struct ziCodeBody {
    ziCode *code;
    const char *name;
    zvGenerated function;
    const ziSignature *signature;
    const zvModel *model;
    const ziProgram *p;
    int nq, nv;
    ziStoredArray part[5]; /* size 0 behind the last */
    bool looped;           /* columns.h */
    bool lanes;            /* numbers are NAME_lanes, one lane for each state */
    int *number;           /* per node: of its temporary, or 1 once an input is read; 0: not yet */
    int unread;            /* inputs that may share their array with the answer and are still to be read */
    ziKeep keep;
    ziCode *pieces;  /* program.h: where they go, before the function that calls them */
    bool far_places; /* places are written without the pointers */
    int *waiting;    /* nodes whose answers wait for that */
    int waits;
    int temporaries;
    long long statements;
} ziCodeBody;

/* An input, by a format of its array and its number there. */
void zi_code_input(const ziCodeBody *b, int input, const char *form);
/* A node that has a name, or is a constant, input, sine or cosine. */
void zi_code_leaf(const ziCodeBody *b, int i);
/* "p3[-2]" or "keep[80]", where a number is kept (program.h). */
void zi_code_place(const ziCodeBody *b, int i);
/* What a node is, whether or not it has a name. The depth is bounded by what is inlined. */
void zi_code_operation(const ziCodeBody *b, int i, bool negative);

/* The statements of a function: for one state, or for as many as NAME_lanes holds. */

/* Number of statements, or -1 when out of memory. Functions that it calls, of a long one, are added to pieces. */
long long zi_code_body(ziCode *code, ziCode *pieces, const char *name, zvGenerated function, const zvModel *model,
                       const ziProgram *program, bool lanes);

/* Pieces of a function (program.h), which hand numbers on in arrays of the function that calls them. */

/* Those arrays, and where a piece of one state has its pointers. */
void zi_code_piece_arrays(const ziCodeBody *b);
void zi_code_pointers(const ziCodeBody *b);
/* From its name to the brace, and its call. */
void zi_code_piece_begin(const ziCodeBody *b, int piece);
void zi_code_piece_call(const ziCodeBody *b, int piece);

/* Sines and cosines inside of a generated file. */

/* Of one state: four at a time. */
void zi_code_sincos(ziCode *code, const char *name);
/* Of one joint in several states; comes after the types of zi_code_batch_head. */
void zi_code_sincos_lanes(ziCode *code, const char *name);

/* Batches in generated C: arrays of states, several in the lanes of a vector at once. */

/* Types and access that the statements of zi_code_lanes use. checked: some function has results. */
void zi_code_batch_head(ziCode *code, const char *name, int lanes, bool checked);

/* "void NAME_inverse_batch(size_t count, size_t stride, ...)" without the semicolon. */
void zi_code_batch_prototype(ziCode *code, const char *name, zvGenerated function);

/* The loop over groups of states, the last of which may be incomplete. */
void zi_code_batch(ziCode *code, const char *name, zvGenerated function, const zvModel *model);

/* The three files of generated C. */

/* What the files have in common. */
typedef struct ziEmitContext {
    const zvModel *model;
    const zvCodegenOptions *options;
    const char *name;
    const zvCodegenSummary *summary; /* operations and statements of the functions */
} ziEmitContext;

void zi_code_header(ziCode *code, const ziEmitContext *source);
/* What comes before the functions in NAME.c. */
void zi_code_source_head(ziCode *code, const ziEmitContext *source);
void zi_code_harness(ziCode *code, const ziEmitContext *source);

/* Gears and motors of flexible joints, where options->flexible marks some: prototypes, functions, and whether these
 * gears can be written. */
bool zi_makes_motor_inverse(const ziEmitContext *source); /* which calls inverse_rates (traced.h) */
void zi_code_motors_declare(ziCode *code, const ziEmitContext *source);
void zi_code_motors(ziCode *code, const ziEmitContext *source);
zvStatus zi_check_motors(const zvModel *model, const zvCodegenOptions *options, zvError *error);

/* How the files are best compiled, "cc ... NAME.c". */
void zi_code_command(ziCode *code, const char *name);

/* The part of NAME_test.c that tells how large the terms of an answer are before they cancel, as agree/error scale.h
 * does, with public functions of the library alone. */

/* Functions of the scales of answers. */
typedef struct ziHarnessScale {
    unsigned functions; /* bits of zvGenerated: whose harness has a use for it */
    const char *code;
} ziHarnessScale;

extern const char zi_harness_sizes[];
extern const ziHarnessScale zi_harness_scales[]; /* each after those it calls; the last has no text */
extern const char zi_harness_singular[];

#endif
