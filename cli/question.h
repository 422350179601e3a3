/* What the verbs that answer a question about states have in common: read the robot and the states once, then solve
 * and print state after state. A verb brings the functions of a Question. */
#ifndef ZVENO_CLI_QUESTION_H
#define ZVENO_CLI_QUESTION_H

#include "args.h"
#include "json.h"
#include "state.h"

/* One robot in one state, and room for the answer. */
typedef struct Case {
    const Args *args;
    const zvModel *model;
    zvWork *work;
    const State *state;
    const void *method; /* row of the verb's table of methods, or NULL */
    int frame;          /* --frame, or -1 */
    double *answer;     /* as many numbers as the question wants */
    zvError *error;     /* a question that fails may say more than its status does */
} Case;

typedef struct Question {
    size_t (*room)(const zvModel *model); /* numbers in an answer */
    zvStatus (*solve)(const Case *at);
    void (*print_json)(const Case *at, Json *json); /* the keys of one map */
    void (*print_table)(const Case *at, Text *out);
} Question;

/* Answers for every state; on failure nothing is left in out. */
Code question_answer(const Question *question, const Args *args, const void *method, Text *out);

#endif
