/* Runs of scenarios from beginning to end. */
#include "callbacks.h"

/* simulate(arguments of a RunCall) -> summary or None, exception or None, status */
static PyObject *simulate(PyObject *self, PyObject *args) {
    (void)self;
    RunCall call;
    Callbacks s;
    if (!zp_take_run(args, &call)) return NULL;
    if (!zp_take_callbacks(&s, &call)) return zp_callbacks_free(&s), NULL;
    zvRunSummary *summary = NULL;
    zvError error = {ZV_OK};
    s.thread = PyEval_SaveThread();
    const zvStatus status = zv_simulate(call.of, &call.options, &summary, &error);
    PyEval_RestoreThread(s.thread);
    PyObject *told = zp_run_failure(&s, status, &error), *made = NULL;
    if (summary) {
        made = zp_summary(summary, s.channels);
        s.channels = NULL;
    }
    const bool bad = summary && !made;
    zp_callbacks_free(&s);
    if (bad) {
        Py_XDECREF(told);
        return NULL;
    }
    if (!made) made = (Py_INCREF(Py_None), Py_None);
    if (!told) told = (Py_INCREF(Py_None), Py_None);
    return Py_BuildValue("(NNi)", made, told, (int)status);
}

static PyObject *integration_methods(PyObject *self, PyObject *nothing) {
    (void)self, (void)nothing;
    size_t count;
    const zvIntegrationMethod *rows = zv_integration_methods(&count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (size_t i = 0; list && i < count; i++)
        PyList_SetItem(list, (Py_ssize_t)i,
                       Py_BuildValue("(sOOiiss)", rows[i].name, rows[i].implicit ? Py_True : Py_False,
                                     rows[i].structural ? Py_True : Py_False, rows[i].least_order,
                                     rows[i].greatest_order, rows[i].about, rows[i].source));
    return list;
}

const PyMethodDef zp_run_methods[] = {{"simulate", simulate, METH_VARARGS, NULL},
                                      {"integration_methods", integration_methods, METH_NOARGS, NULL},
                                      {NULL, NULL, 0, NULL}};
