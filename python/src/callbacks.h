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

/* zvRunOptions.progress, begin and row; their context is the callbacks. */
bool zp_progress(void *context, const zvProgress *p);
void zp_begin(void *context, int count, const zvChannel *channels);
bool zp_watch_row(void *context, const double *row);

/* (name, callable or None, address, context) of each drive; the list has to live as long as the run. */
bool zp_take_drives(Callbacks *s, const zvScenario *scenario, PyObject *list);
/* The exception of a run that failed, as an object; NULL: there is none. */
PyObject *zp_run_failure(Callbacks *s, zvStatus status, const zvError *error);
void zp_callbacks_free(Callbacks *s);

#endif
