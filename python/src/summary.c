/* What a run leaves, as a Python object. */
#include "full.h"

static PyObject *summary_type;

void zp_set_summary_type(PyObject *type) { summary_type = type; }

typedef struct Summary {
    PyObject_HEAD zvRunSummary *summary;
    PyObject *channels; /* of what it kept; may be NULL */
} Summary;

PyObject *zp_summary(zvRunSummary *summary, PyObject *channels) {
    PyTypeObject *type = (PyTypeObject *)summary_type;
    Summary *self = (Summary *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) {
        zv_run_summary_destroy(summary);
        Py_XDECREF(channels);
        return NULL;
    }
    self->summary = summary;
    self->channels = channels;
    return (PyObject *)self;
}

static void summary_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    zv_run_summary_destroy(((Summary *)self)->summary);
    Py_XDECREF(((Summary *)self)->channels);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Appends what a function tells of entries 0 ... count - 1. */
#define LIST_OF(what, count, value)                                   \
    static PyObject *what(const zvRunSummary *m) {                    \
        PyObject *list = PyList_New(0);                               \
        for (int i = 0; list && i < (count); i++) {                   \
            PyObject *entry = (value);                                \
            if (!entry || PyList_Append(list, entry)) Py_CLEAR(list); \
            Py_XDECREF(entry);                                        \
        }                                                             \
        return list;                                                  \
    }

static PyObject *limit_of(zvLimitPass x) {
    return Py_BuildValue("(NNdddddNN)", zp_text(x.joint), zp_text(zv_limit_kind_word(x.kind)), x.limit, x.value,
                         x.excess, x.first, x.t, PyBool_FromLong(x.saturated), zp_text(x.text));
}
static PyObject *ledger_of(zvLedgerRow x) {
    return Py_BuildValue("(NdN)", zp_text(x.name), x.amount, PyBool_FromLong(x.is_store));
}
static PyObject *change_of(zvMethodChange x) { return Py_BuildValue("(dN)", x.t, zp_text(x.method)); }
static int changes_kept(const zvRunSummary *m) {
    int kept;
    zv_run_changes(m, &kept);
    return kept;
}
LIST_OF(events, zv_run_events(m), zp_event(zv_run_event(m, i)))
LIST_OF(ledger, zv_run_ledger_rows(m), ledger_of(zv_run_ledger_row(m, i)))
LIST_OF(limits, zv_run_limits(m), limit_of(zv_run_limit(m, i)))
LIST_OF(warnings, zv_run_warnings(m), zp_text(zv_run_warning(m, i)))
LIST_OF(changes, changes_kept(m), change_of(zv_run_change(m, i)))

PyObject *zp_statistics(zvIntegrationStatistics s) {
    return Py_BuildValue("{slslslslslslslslslsdsdsdsi}", "steps", s.steps, "rates", s.rates, "rejected", s.rejected,
                         "newton_iterations", s.newton_iterations, "newton_failures", s.newton_failures,
                         "linear_iterations", s.linear_iterations, "event_calls", s.event_calls, "preparations",
                         s.preparations, "restarts", s.restarts, "last_step", s.last_step, "least_step", s.least_step,
                         "greatest_step", s.greatest_step, "last_order", s.last_order);
}

/* Everything but the rows; nq, nv and the number of loops are those of the model. */
static PyObject *summary_tell(PyObject *self, PyObject *args) {
    const zvRunSummary *m = ((Summary *)self)->summary;
    int nq, nv, nloop;
    if (!PyArg_ParseTuple(args, "iii", &nq, &nv, &nloop)) return NULL;
    const zvLoopMobility mobility = zv_run_mobility(m);
    PyObject *d = PyDict_New(), *closed = PyTuple_New(nloop);
    for (int i = 0; closed && i < nloop; i++) PyTuple_SetItem(closed, i, PyBool_FromLong(zv_run_loop_is_closed(m, i)));
    if (!d || zp_put(d, "t", PyFloat_FromDouble(zv_run_time(m))) ||
        zp_put(d, "q", zp_array(nq, -1, zv_run_position(m))) || zp_put(d, "v", zp_array(nv, -1, zv_run_velocity(m))) ||
        zp_put(d, "elapsed", PyFloat_FromDouble(zv_run_elapsed(m))) ||
        zp_put(d, "rows", PyLong_FromUnsignedLongLong(zv_run_rows(m))) ||
        zp_put(d, "output", zp_text(zv_run_output(m))) || zp_put(d, "ending", zp_text(zv_run_ending(m))) ||
        zp_put(d, "complete", PyBool_FromLong(zv_run_is_over(m))) ||
        zp_put(d, "statistics", zp_statistics(zv_run_statistics(m))) ||
        zp_put(d, "methods", zp_text(zv_run_methods(m))) || zp_put(d, "changes", changes(m)) ||
        zp_put(d, "advice", zp_text(zv_run_advice(m))) || zp_put(d, "events", events(m)) ||
        zp_put(d, "ledger", ledger(m)) || zp_put(d, "ledger_gap", PyFloat_FromDouble(zv_run_ledger_gap(m))) ||
        zp_put(d, "exchanged", PyFloat_FromDouble(zv_run_energy_exchanged(m))) ||
        zp_put(d, "largest_gap", PyFloat_FromDouble(zv_run_largest_gap(m))) ||
        zp_put(d, "reference", PyFloat_FromDouble(zv_run_energy_reference(m))) ||
        zp_put(d, "judgement", zp_text(zv_energy_judgement_word(zv_run_energy_judgement(m)))) ||
        zp_put(d, "limits", limits(m)) || zp_put(d, "warnings", warnings(m)) ||
        zp_put(d, "loop_gap", PyFloat_FromDouble(zv_run_loop_gap(m))) ||
        zp_put(d, "loop_rate", PyFloat_FromDouble(zv_run_loop_rate(m))) ||
        zp_put(d, "freedoms", PyLong_FromLong(mobility.freedoms)) ||
        zp_put(d, "redundant", PyLong_FromLong(mobility.redundant)) || zp_put(d, "closed", closed) ||
        zp_put(d, "text", zp_text(zv_run_text(m))))
        Py_CLEAR(d);
    return d;
}

/* (rows, width): what it kept, where it lies; None: it kept nothing. */
static PyObject *summary_rows(PyObject *self, PyObject *nothing) {
    (void)nothing;
    const zvRecorder *kept = zv_run_kept(((Summary *)self)->summary);
    uint64_t count;
    if (!kept) Py_RETURN_NONE;
    const double *rows = zv_recorder_rows(kept, &count);
    npy_intp shape[2] = {(npy_intp)count, zv_recorder_width(kept)};
    if (!count) return PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    PyObject *x = PyArray_SimpleNewFromData(2, shape, NPY_DOUBLE, (void *)rows);
    if (!x) return NULL;
    PyArray_CLEARFLAGS((PyArrayObject *)x, NPY_ARRAY_WRITEABLE);
    Py_INCREF(self);
    if (PyArray_SetBaseObject((PyArrayObject *)x, self)) Py_CLEAR(x);
    return x;
}

static PyObject *summary_channels(PyObject *self, PyObject *nothing) {
    (void)nothing;
    PyObject *channels = ((Summary *)self)->channels ? ((Summary *)self)->channels : Py_None;
    Py_INCREF(channels);
    return channels;
}

static PyObject *summary_write(PyObject *self, PyObject *args) {
    const char *path;
    zvError error = {ZV_OK};
    zvStatus status;
    if (!PyArg_ParseTuple(args, "s", &path)) return NULL;
    const zvRunSummary *summary = ((Summary *)self)->summary;
    Py_BEGIN_ALLOW_THREADS status = zv_run_write(summary, path, &error);
    Py_END_ALLOW_THREADS if (status < 0) return zp_fail(&error);
    Py_RETURN_NONE;
}

static PyMethodDef summary_methods[] = {{"tell", summary_tell, METH_VARARGS, NULL},
                                        {"rows", summary_rows, METH_NOARGS, NULL},
                                        {"channels", summary_channels, METH_NOARGS, NULL},
                                        {"write", summary_write, METH_VARARGS, NULL},
                                        {NULL, NULL, 0, NULL}};
static PyType_Slot summary_slots[] = {{Py_tp_dealloc, summary_dealloc}, {Py_tp_methods, summary_methods}, {0, NULL}};
PyType_Spec zp_summary_spec = {"zveno._full.Summary", sizeof(Summary), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, summary_slots};
