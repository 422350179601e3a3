/* Scenarios and their runs: callbacks of Python, functions of the program by their addresses, and what a run leaves. */
#include <stdlib.h>
#include <string.h>

#include "full.h"

static PyObject *scenario_type, *summary_type;

void zp_set_run_types(PyObject *scenario, PyObject *summary) {
    scenario_type = scenario;
    summary_type = summary;
}

/* Scenarios --------------------------------------------------------------------------------------------------- */

typedef struct Scenario {
    PyObject_HEAD zvScenario *scenario;
} Scenario;

zvScenario *zp_scenario(PyObject *object) {
    if (PyObject_TypeCheck(object, (PyTypeObject *)scenario_type)) return ((Scenario *)object)->scenario;
    PyErr_Format(PyExc_TypeError, "expected a scenario, found %R", Py_TYPE(object));
    return NULL;
}

enum { MOST_CHANGES = 256 };

/* Scenario(text or None, name, ["key=value"]): a text, or the file of that name. */
static PyObject *scenario_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *text, *list, *keep = NULL, *kept[MOST_CHANGES] = {NULL};
    const char *name, *changes[MOST_CHANGES];
    Py_ssize_t size = 0;
    if ((names && PyDict_Size(names)) || !PyArg_ParseTuple(args, "OsO!", &text, &name, &PyList_Type, &list))
        return NULL;
    const Py_ssize_t count = PyList_Size(list);
    if (count > MOST_CHANGES)
        return PyErr_Format(PyExc_ValueError, "changes: expected at most %d, found %zd", MOST_CHANGES, count);
    const char *bytes = text == Py_None ? NULL : zp_bytes(text, "text", &size, &keep);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        changes[i] = zp_bytes(PyList_GetItem(list, i), "a change", NULL, &kept[i]);
    zvScenario *scenario = NULL;
    zvError error = {ZV_OK};
    zvStatus status = ZV_OK;
    if (!PyErr_Occurred()) {
        Py_BEGIN_ALLOW_THREADS status =
            bytes ? zv_scenario_read_memory(name, bytes, (size_t)size, (int)count, changes, &scenario, &error)
                  : zv_scenario_read_file(name, (int)count, changes, &scenario, &error);
        Py_END_ALLOW_THREADS
    }
    for (Py_ssize_t i = 0; i < count; i++) Py_XDECREF(kept[i]);
    Py_XDECREF(keep);
    if (PyErr_Occurred()) return NULL;
    if (status < 0) return zp_fail(&error);
    Scenario *self = (Scenario *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) zv_scenario_destroy(scenario);
    if (self) self->scenario = scenario;
    return (PyObject *)self;
}

static void scenario_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    zv_scenario_destroy(((Scenario *)self)->scenario);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

#define TEXT_OF(name, function)                                       \
    static PyObject *name(PyObject *self, void *nothing) {            \
        (void)nothing;                                                \
        return zp_text(function(((const Scenario *)self)->scenario)); \
    }
#define NUMBER_OF(name, function)                                                \
    static PyObject *name(PyObject *self, void *nothing) {                       \
        (void)nothing;                                                           \
        return PyFloat_FromDouble(function(((const Scenario *)self)->scenario)); \
    }
TEXT_OF(scenario_title, zv_scenario_title)
TEXT_OF(scenario_method, zv_scenario_method)
TEXT_OF(scenario_output, zv_scenario_output)
TEXT_OF(scenario_fingerprint, zv_scenario_fingerprint)
TEXT_OF(scenario_model, zv_scenario_model_text)
NUMBER_OF(scenario_start, zv_scenario_start)
NUMBER_OF(scenario_duration, zv_scenario_duration)

/* ((name, (dof, ...), interval), ...) of the drives of type function */
static PyObject *scenario_functions(PyObject *self, void *nothing) {
    (void)nothing;
    const zvDrives *drives = zv_scenario_drives(((const Scenario *)self)->scenario);
    const int count = zv_drives_nfunction(drives);
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) {
        const zvDriveOwn own = zv_drives_function(drives, i);
        PyObject *dofs = PyTuple_New(own.count);
        for (int k = 0; dofs && k < own.count; k++) PyTuple_SetItem(dofs, k, PyLong_FromLong(own.dofs[k]));
        PyTuple_SetItem(all, i, Py_BuildValue("(NNd)", zp_text(own.name), dofs, own.interval));
    }
    return all;
}

/* nq, nv, nloop of its model */
static PyObject *scenario_sizes(PyObject *self, void *nothing) {
    (void)nothing;
    const zvModel *m = zv_scenario_model(((const Scenario *)self)->scenario);
    return Py_BuildValue("(iii)", zv_model_nq(m), zv_model_nv(m), zv_model_nloop(m));
}

static PyGetSetDef scenario_properties[] = {
    {"title", scenario_title, NULL, NULL, NULL},         {"method", scenario_method, NULL, NULL, NULL},
    {"output", scenario_output, NULL, NULL, NULL},       {"fingerprint", scenario_fingerprint, NULL, NULL, NULL},
    {"model", scenario_model, NULL, NULL, NULL},         {"start", scenario_start, NULL, NULL, NULL},
    {"duration", scenario_duration, NULL, NULL, NULL},   {"sizes", scenario_sizes, NULL, NULL, NULL},
    {"functions", scenario_functions, NULL, NULL, NULL}, {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot scenario_slots[] = {
    {Py_tp_new, scenario_new}, {Py_tp_dealloc, scenario_dealloc}, {Py_tp_getset, scenario_properties}, {0, NULL}};
PyType_Spec zp_scenario_spec = {"zveno._full.Scenario", sizeof(Scenario), 0, Py_TPFLAGS_DEFAULT, scenario_slots};

/* Callbacks ----------------------------------------------------------------------------------------------------- */

typedef struct Simulation Simulation;

/* A callable of Python as a drive: it gets the same arrays at every call. */
typedef struct Controller {
    Simulation *simulation;
    PyObject *callable, *q, *v; /* arrays of the state, which only this file writes */
    double *q_data, *v_data;
    size_t q_bytes, v_bytes;
    int count; /* of forces */
} Controller;

struct Simulation {
    PyThreadState *thread; /* while the interpreter is left to others */
    PyObject *progress, *channels;
    double *row; /* the last, if rows are watched */
    size_t row_bytes;
    bool any_row;
    PyObject *type, *value, *traceback; /* of the exception that ended the run */
    Controller *controllers;
    zvRunFunction *functions;
    Py_ssize_t count;
};

/* What a callback of Python raised ends the run; it is raised again when that has ended. */
static void keep_exception(Simulation *s) {
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
    PyEval_RestoreThread(c->simulation->thread);
    memcpy(c->q_data, q, c->q_bytes);
    memcpy(c->v_data, v, c->v_bytes);
    PyObject *time = PyFloat_FromDouble(t), *answer = NULL;
    if (time) answer = PyObject_CallFunctionObjArgs(c->callable, time, c->q, c->v, NULL);
    const bool good = answer && take_forces(c, answer, force);
    Py_XDECREF(answer);
    Py_XDECREF(time);
    if (!good) keep_exception(c->simulation);
    c->simulation->thread = PyEval_SaveThread();
    return good ? ZV_OK : ZV_INTERRUPTED;
}

static bool progress(void *context, const zvProgress *p) {
    Simulation *s = context;
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
    Simulation *s = context;
    PyEval_RestoreThread(s->thread);
    s->channels = zp_channels(count, channels);
    if (!s->channels) keep_exception(s);
    s->thread = PyEval_SaveThread();
    for (int i = 0; i < count; i++) s->row_bytes += (size_t)channels[i].width * sizeof *s->row;
    s->row = malloc(s->row_bytes + 1);
}

/* Keeps the row for who looks next; without memory there is none. */
static bool watch_row(void *context, const double *row) {
    Simulation *s = context;
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

/* (name, callable or None, address, context) of each drive */
static bool take_drives(Simulation *s, const zvScenario *scenario, PyObject *list) {
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

static void let_go(Simulation *s) {
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

/* The exception of a run that failed, as an object; NULL: there is none. */
static PyObject *failure(Simulation *s, zvStatus status, const zvError *error) {
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

/* simulate(scenario, output or None, resume, restart, checkpoint, command or None, accept, keep, progress or None,
 * interval, drives, rows) -> summary or None, exception or None, status */
static PyObject *simulate(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *object, *asked, *drives;
    int resume, restart, accept, keep, rows;
    zvRunOptions o = {0};
    if (!PyArg_ParseTuple(args, "OzppdzppOdO!p", &object, &o.output, &resume, &restart, &o.checkpoint, &o.command,
                          &accept, &keep, &asked, &o.progress_interval, &PyList_Type, &drives, &rows))
        return NULL;
    const zvScenario *scenario = zp_scenario(object);
    if (!scenario) return NULL;
    Simulation s = {.progress = asked == Py_None ? NULL : asked};
    if (!take_drives(&s, scenario, drives)) return let_go(&s), NULL;
    o.resume = resume;
    o.restart = restart;
    o.accept_energy_error = accept;
    o.keep = keep;
    o.progress = progress;
    o.begin = begin;
    if (rows) o.row = watch_row;
    o.context = &s;
    o.functions = s.functions;
    o.function_count = (int)s.count;
    zvRunSummary *summary = NULL;
    zvError error = {ZV_OK};
    s.thread = PyEval_SaveThread();
    const zvStatus status = zv_simulate(scenario, &o, &summary, &error);
    PyEval_RestoreThread(s.thread);
    PyObject *told = failure(&s, status, &error), *made = NULL;
    if (summary) {
        made = zp_summary(summary, s.channels);
        s.channels = NULL;
    }
    const bool bad = summary && !made;
    let_go(&s);
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

/* Summaries ----------------------------------------------------------------------------------------------------- */

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

static PyObject *statistics(zvIntegrationStatistics s) {
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
        zp_put(d, "statistics", statistics(zv_run_statistics(m))) || zp_put(d, "methods", zp_text(zv_run_methods(m))) ||
        zp_put(d, "changes", changes(m)) || zp_put(d, "advice", zp_text(zv_run_advice(m))) ||
        zp_put(d, "events", events(m)) || zp_put(d, "ledger", ledger(m)) ||
        zp_put(d, "ledger_gap", PyFloat_FromDouble(zv_run_ledger_gap(m))) ||
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
