/* What runs call back: controllers and progress in Python, and what of them is kept meanwhile. */
#ifndef ZVENO_PYTHON_CALLBACKS_H
#define ZVENO_PYTHON_CALLBACKS_H

#include "full.h"

/* A callable of Python as a drive: it gets the same arrays at every call. */
typedef struct Controller {
    struct Callbacks *callbacks;
    PyObject *callable, *q, *v; /* arrays of the state, which only this file writes */
    double *q_data, *v_data;
    size_t q_bytes, v_bytes;
    int count; /* of forces */
} Controller;

typedef struct Callbacks {
    PyThreadState *thread; /* while the interpreter is left to others */
    PyObject *progress, *channels;
    double *row; /* the last, if rows are watched */
    size_t row_bytes;
    bool any_row;
    PyObject *type, *value, *traceback; /* of the exception that ended the run */
    Controller *controllers;
    zvRunFunction *functions;
    Py_ssize_t count;
} Callbacks;

/* How a run is called from Python: arguments are scenario, output or None, resume, restart, checkpoint, command or
 * None, accept, keep, progress or None, interval, drives, rows. Drives are (name, callable or None, address, context)
 * each. References are borrowed and have to live as long as the run. */
typedef struct RunCall {
    PyObject *scenario, *progress, *drives;
    const zvScenario *of;
    int rows; /* whether the last row is kept */
    zvRunOptions options;
} RunCall;

/* False with an exception. */
bool zp_take_run(PyObject *args, RunCall *call);
/* Callbacks for it, and these as options of the call; false with an exception. */
bool zp_take_callbacks(Callbacks *s, RunCall *call);
/* The exception of a run that failed, as an object; NULL: there is none. */
PyObject *zp_run_failure(Callbacks *s, zvStatus status, const zvError *error);
void zp_callbacks_free(Callbacks *s);

#endif
