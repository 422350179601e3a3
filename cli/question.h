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
    int index, states;     /* of the state, and how many there are */
    bool list;             /* the answer is an item of a list */
    const void *method;    /* row of the verb's table of methods, or NULL */
    int frame;             /* --frame, or -1 */
    unsigned char *chosen; /* nv: what --hold, --independent or --actuated names; NULL: nothing was said */
    double *answer;        /* as many numbers as the question wants */
    double *passive;       /* 4 nv with --passive (passive.h), else NULL */
    double *motors;        /* of a robot with flexible joints (motors.h), unless --motors none; else NULL */
    zvError *error;        /* a question that fails may say more than its status does */
} Case;

/* What an answer has to do with the loops of a robot. */
typedef enum Loops {
    LOOPS_ACT,   /* they act: a state that does not close them is doubtful */
    LOOPS_CLOSE, /* the verb closes them itself */
    LOOPS_OPEN   /* the answer is that of the spanning tree, and says so */
} Loops;

typedef struct Question {
    size_t (*answer_size)(const zvModel *model); /* numbers in an answer */
    zvStatus (*solve)(const Case *at);
    void (*print_json)(const Case *at, Json *json); /* the keys of one map */
    void (*print_table)(const Case *at, Text *out);
    Loops loops;
    unsigned takes;  /* STATE_ bits of what it takes of a state beside q and v */
    unsigned motors; /* likewise with motors of flexible joints; 0: it answers for the side of the links */
    bool locks;      /* --motors locked means something */
    bool dynamics;   /* masses matter: a robot without any is told */
    /* chooses what depends on the model before the first state; NULL: nothing does */
    Code (*choose)(Case *at);
    /* the answer is a state, or with --guesses several: print_json writes whole maps, print_table a file of states */
    bool states;
    /* positions that answer the state, one behind another, and how many; NULL: the state is taken as it is */
    int (*positions)(const Case *at, const double **q);
} Question;

/* Answers for every state; on failure nothing is left in out. */
Code question_answer(const Question *question, const Args *args, const void *method, Text *out);

#endif
