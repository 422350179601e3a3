/* Callbacks of runs: the interpreter is left to others while a run goes on, and taken for each call. */
#include "callbacks.h"

#include <stdlib.h>
#include <string.h>

/* What a callback of Python raised ends the run; it is raised again when that has ended. */
static void keep_exception(Callbacks *s) {
    if (!s->type) PyErr_Fetch(&s->type, &s->value, &s->traceback);
    PyErr_Clear();
}

/* Forces out of what a callable returned: an array as it should be, or anything that becomes one; None: zeros. */
static bool take_forces(const Controller *c, PyObject *answer, double *force) {
    const size_t bytes = (size_t)c->count * sizeof *force;
    if (answer == Py_None) return true;
    if (PyArray_CheckExact(answer)) {
        PyArrayObject *x = (PyArrayObject *)answer;
        if (PyArray_TYPE(x) == NPY_DOUBLE && PyArray_ISCARRAY_RO(x) && PyArray_SIZE(x) == c->count) {
            memcpy(force, PyArray_DATA(x), bytes);
            return true;
        }
    }
    PyObject *x = PyArray_FROM_OTF(answer, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    if (!x) return false;
    const npy_intp size = PyArray_SIZE((PyArrayObject *)x);
    if (size == c->count) memcpy(force, PyArray_DATA((PyArrayObject *)x), bytes);
    if (size != c->count)
        PyErr_Format(PyExc_ValueError, "expected %d forces of a drive, found %zd", c->count, (Py_ssize_t)size);
    Py_DECREF(x);
    return size == c->count;
}

/* zvDriveFunction of a callable: f(t, q, v) -> forces. */
static zvStatus call_controller(void *context, double t, const double *q, const double *v, double *force) {
    Controller *c = context;
    PyEval_RestoreThread(c->callbacks->thread);
    memcpy(c->q_data, q, c->q_bytes);
    memcpy(c->v_data, v, c->v_bytes);
    PyObject *time = PyFloat_FromDouble(t), *answer = NULL;
    if (time) answer = PyObject_CallFunctionObjArgs(c->callable, time, c->q, c->v, NULL);
    const bool good = answer && take_forces(c, answer, force);
    Py_XDECREF(answer);
    Py_XDECREF(time);
    if (!good) keep_exception(c->callbacks);
    c->callbacks->thread = PyEval_SaveThread();
    return good ? ZV_OK : ZV_INTERRUPTED;
}

static bool progress(void *context, const zvProgress *p) {
    Callbacks *s = context;
    PyEval_RestoreThread(s->thread);
    PyObject *answer = NULL;
    if (s->progress) {
        PyObject *row = s->any_row ? zp_array((npy_intp)(s->row_bytes / sizeof *s->row), -1, s->row) : NULL;
        answer = PyObject_CallFunction(s->progress, "(dddddKlNOO)", p->t, p->start, p->end, p->step, p->elapsed,
                                       (unsigned long long)p->rows, p->steps, zp_text(p->advice), row ? row : Py_None,
                                       s->channels ? s->channels : Py_None);
        Py_XDECREF(row);
    }
    const bool stop = answer == Py_False;
    Py_XDECREF(answer);
    if (PyErr_Occurred() || PyErr_CheckSignals()) keep_exception(s);
    const bool go_on = !stop && !s->type;
    s->thread = PyEval_SaveThread();
    return go_on;
}

static void begin(void *context, int count, const zvChannel *channels) {
    Callbacks *s = context;
    PyEval_RestoreThread(s->thread);
    s->channels = zp_channels(count, channels);
    if (!s->channels) keep_exception(s);
    s->thread = PyEval_SaveThread();
    for (int i = 0; i < count; i++) s->row_bytes += (size_t)channels[i].width * sizeof *s->row;
    s->row = malloc(s->row_bytes + 1);
}

/* Keeps the row for who looks next; without memory there is none. */
static bool watch_row(void *context, const double *row) {
    Callbacks *s = context;
    s->any_row = s->row != NULL;
    if (s->row) memcpy(s->row, row, s->row_bytes);
    return true;
}

/* An array of the state that callables get: theirs to read. */
static PyObject *state_array(npy_intp count, double **data) {
    PyObject *x = zp_array(count, -1, NULL);
    if (!x) return NULL;
    *data = PyArray_DATA((PyArrayObject *)x);
    PyArray_CLEARFLAGS((PyArrayObject *)x, NPY_ARRAY_WRITEABLE);
    return x;
}

static bool take_drives(Callbacks *s, const zvScenario *scenario, PyObject *list) {
    const zvModel *model = zv_scenario_model(scenario);
    const zvDrives *drives = zv_scenario_drives(scenario);
    const size_t nq = (size_t)zv_model_nq(model), nv = (size_t)zv_model_nv(model);
    s->count = PyList_Size(list);
    s->controllers = calloc((size_t)s->count + 1, sizeof *s->controllers);
    s->functions = calloc((size_t)s->count + 1, sizeof *s->functions);
    if (!s->controllers || !s->functions) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < s->count; i++) {
        Controller *c = &s->controllers[i];
        zvRunFunction *f = &s->functions[i];
        PyObject *callable;
        unsigned long long address, context;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sOKK", &f->drive, &callable, &address, &context)) return false;
        if (callable == Py_None) {
            memcpy(&f->function, &(uintptr_t){(uintptr_t)address}, sizeof f->function);
            f->context = (void *)(uintptr_t)context;
            continue;
        }
        f->function = call_controller;
        f->context = c;
        *c = (Controller){s, callable, NULL, NULL, NULL, NULL, nq * sizeof(double), nv * sizeof(double), 0};
        c->q = state_array((npy_intp)nq, &c->q_data);
        c->v = state_array((npy_intp)nv, &c->v_data);
        for (int k = 0; k < zv_drives_nfunction(drives); k++)
            if (strcmp(zv_drives_function(drives, k).name, f->drive) == 0)
                c->count = zv_drives_function(drives, k).count;
        if (!c->q || !c->v) return false;
    }
    return true;
}

bool zp_take_run(PyObject *args, RunCall *call) {
    int resume, restart, accept, keep;
    zvRunOptions *o = &call->options;
    *call = (RunCall){NULL};
    if (!PyArg_ParseTuple(args, "OzppdzppOdO!p", &call->scenario, &o->output, &resume, &restart, &o->checkpoint,
                          &o->command, &accept, &keep, &call->progress, &o->progress_interval, &PyList_Type,
                          &call->drives, &call->rows))
        return false;
    o->resume = resume;
    o->restart = restart;
    o->accept_energy_error = accept;
    o->keep = keep;
    call->of = zp_scenario(call->scenario);
    return call->of != NULL;
}

bool zp_take_callbacks(Callbacks *s, RunCall *call) {
    *s = (Callbacks){.progress = call->progress == Py_None ? NULL : call->progress};
    if (!take_drives(s, call->of, call->drives)) return false;
    call->options.progress = progress;
    call->options.begin = begin;
    if (call->rows) call->options.row = watch_row;
    call->options.context = s;
    call->options.functions = s->functions;
    call->options.function_count = (int)s->count;
    return true;
}

void zp_callbacks_free(Callbacks *s) {
    for (Py_ssize_t i = 0; s->controllers && i < s->count; i++) {
        Py_XDECREF(s->controllers[i].q);
        Py_XDECREF(s->controllers[i].v);
    }
    free(s->controllers);
    free(s->functions);
    free(s->row);
    Py_XDECREF(s->channels);
    Py_XDECREF(s->type);
    Py_XDECREF(s->value);
    Py_XDECREF(s->traceback);
}

PyObject *zp_run_failure(Callbacks *s, zvStatus status, const zvError *error) {
    PyObject *type, *value, *traceback;
    if (s->type) {
        PyErr_Restore(s->type, s->value, s->traceback);
        s->type = s->value = s->traceback = NULL;
    } else if (status < 0) {
        zp_fail(error);
    } else {
        return NULL;
    }
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback) PyException_SetTraceback(value, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}
