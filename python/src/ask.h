/* Questions: functions of the library from arrays to arrays, told by a row each.
 *
 *   q:q v?:v a?:v fext?:f -> tau:v
 *
 * is a signature: names, each with the letter of what it is; ? and = mark what may be left out. Arrays:
 *   q (nq)  v (nv)  V (nv, nv)  f external forces (nlink, 6) or (6 nlink + nelastic)  r (rows of loops)  G (rows, nv)
 *   3 (3)  6 (6)  J (6, nv)  H pose (4, 4)  L poses (nlink, 4, 4)  W (nlink, 6)  X (njoint, 6)  Y (nloop, 6)
 *   T targets (nloop, 3)  s number  g bytes (nv)  c, e coordinates of a loop, of position and velocity
 *   x (m)  Z (m, m)  K (m, nv)  N (nv, m) with m the width of a task
 * Options, one for all states:
 *   F frame  A axes  P loop  R rows of a task  M row of the table of methods  d number  i whole number  b truth
 *
 * Every array may have leading axes, which broadcast. */
#ifndef ZVENO_PYTHON_ASK_H
#define ZVENO_PYTHON_ASK_H

#include "extension.h"

enum { ASK_SLOTS = 16, ASK_ARRAYS = 10, ASK_SPARES = 2 };

typedef struct Slot {
    char name[24];
    PyObject *key; /* the name, interned */
    char kind;
    bool optional, option;
    char by_default[16]; /* in the docstring */
} Slot;

typedef struct Call Call;
typedef zvStatus (*AskOne)(Call *call);
/* count states one after the other in call->in and call->out, numbers double or float. */
typedef zvStatus (*AskMany)(Call *call, zvBatch *batch, size_t count, zvStatus *status);

typedef struct Question {
    const char *name, *signature;
    const char *about; /* units and meaning; follows the signature in the docstring */
    AskOne one;
    AskMany many, many_single; /* NULL: states are taken one by one */
    zvQuestion table;          /* of methods, with an option M */
    /* made of the signature: */
    Slot slot[ASK_SLOTS];
    int slots, inputs, outputs; /* arrays: slots that are no options, inputs first */
    int arrays[2 * ASK_ARRAYS]; /* their slots */
    bool of_task;
    PyTypeObject *result;    /* of several answers, */
    const char *result_name; /* "zveno.InverseDerivatives" */
    char *doc;
    PyObject *(*spare)[ASK_SPARES]; /* of each answer: small arrays given out before, to be given out again */
} Question;

struct Call {
    const Question *question;
    Robot *robot;
    const zvModel *model;
    zvWork *work;
    zvTaskWork *task_work;
    void *in[ASK_ARRAYS], *out[ASK_ARRAYS]; /* of one state, NULL: left out; of asking many, of all */
    int frame, loop, whole;
    zvAxes axes;
    zvTask task;
    const zvMethod *method; /* NULL: the function itself */
    double number[2];
    bool truth;
    void *extra;   /* the object that is asked, if it is no robot */
    zvError error; /* status 0: none */
};

#define IN(k) ((const double *)c->in[k])
#define OUT(k) ((double *)c->out[k])

/* A row, and the function of Python's that asks it: ask_NAME. */
#define QUESTION_OF(identifier, text, numbers, lanes, lanes_single, of_table, words)                              \
    static Question question_##identifier = {.name = #identifier,                                                 \
                                             .signature = text,                                                   \
                                             .about = words,                                                      \
                                             .one = numbers,                                                      \
                                             .many = lanes,                                                       \
                                             .many_single = lanes_single,                                         \
                                             .table = of_table};                                                  \
    static PyObject *ask_##identifier(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) { \
        return ASK(&question_##identifier, self, args, count, names);                                             \
    }
#ifdef ASK_FROM_MODULE /* functions whose first argument is the robot, else methods of it */
#define ASK(question, self, args, count, names) ((void)(self), zp_ask_robot(question, args, count, names))
#else
#define ASK zp_ask
#endif
#define QUESTION(identifier, text, numbers, words) \
    QUESTION_OF(identifier, text, numbers, NULL, NULL, ZV_QUESTIONS, words)

typedef PyObject *(*AskFunction)(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
typedef struct AskEntry {
    Question *question;
    AskFunction ask;
} AskEntry;
#define ENTRY(identifier) \
    { &question_##identifier, ask_##identifier }

/* Reads the signature, makes docstring and result type; 0, or -1 with an exception. */
int zp_question_prepare(Question *question);
/* Numbers along each axis of an array of that kind; how many axes. */
int zp_shape(const Call *call, char kind, npy_intp shape[3]);
/* Writes "(..., 7)" of a kind; of signatures: its letters "(..., nv)". */
const char *zp_shape_letters(char kind);

/* Parses arguments, asks, and gives answers, out if it was given. */
PyObject *zp_ask(Question *question, PyObject *robot, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *zp_ask_with(Question *question, PyObject *robot, void *extra, PyObject *const *args, Py_ssize_t count,
                      PyObject *names);
PyObject *zp_ask_robot(Question *question, PyObject *const *args, Py_ssize_t count, PyObject *names);
/* What zp_ask does when arguments are anything but plain arrays of one state: values of the slots (borrowed, NULL: left
 * out), out and status or NULL. Options are in the call already. */
PyObject *zp_ask_many(Call *call, PyObject *const *values, PyObject *out, PyObject *status);
/* Whether answer `slot` would overlap an input. */
bool zp_overlap(const void *x, size_t x_bytes, const void *y, size_t y_bytes);
/* The answers (references taken over) as Python has them: alone, or as a tuple with names. */
PyObject *zp_result(const Question *question, PyObject **answers);

extern const AskEntry zp_kinematics[], zp_dynamics[], zp_derivatives[], zp_loops[], zp_task[];

#endif
