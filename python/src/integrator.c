/* Integrators of the library for equations of the program's own, dy/dt = f(t, y) with f in Python. */
#include <math.h>
#include <string.h>

#include "full.h"

typedef struct Integrator {
    PyObject_HEAD zvIntegrator *integrator;
    PyObject *rate, *events, *project; /* callables; the latter two may be NULL */
    int size, event_count;
    PyObject *type, *value, *traceback; /* of what a callable raised */
    bool busy;
} Integrator;

/* What it raised ends the step; it is raised again when that has ended. -1: give up. */
static int give_up(Integrator *s) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (s->type) {
        Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(traceback);
    } else {
        s->type = type, s->value = value, s->traceback = traceback;
    }
    return -1;
}

/* callable(t, y) -> count numbers into x. The array of y is the callable's to keep. */
static int call(Integrator *s, PyObject *callable, double t, const double *y, double *x, int count, const char *what) {
    PyObject *state = zp_array(s->size, -1, y), *time = PyFloat_FromDouble(t), *answer = NULL, *numbers = NULL;
    if (state && time) answer = PyObject_CallFunctionObjArgs(callable, time, state, NULL);
    if (answer) numbers = PyArray_FROM_OTF(answer, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    const bool fits = numbers && PyArray_SIZE((PyArrayObject *)numbers) == count;
    if (fits)
        memcpy(x, PyArray_DATA((PyArrayObject *)numbers), (size_t)count * sizeof *x);
    else if (numbers)
        PyErr_Format(PyExc_ValueError, "%s: expected %d numbers, found %zd", what, count,
                     (Py_ssize_t)PyArray_SIZE((PyArrayObject *)numbers));
    Py_XDECREF(state), Py_XDECREF(time), Py_XDECREF(answer), Py_XDECREF(numbers);
    return fits ? 0 : give_up(s);
}

static int rate(void *context, double t, const double *y, double *dy) {
    Integrator *s = context;
    return call(s, s->rate, t, y, dy, s->size, "rate");
}
static int events(void *context, double t, const double *y, double *g) {
    Integrator *s = context;
    return call(s, s->events, t, y, g, s->event_count, "events");
}
static int project(void *context, double t, double *y) {
    Integrator *s = context;
    return call(s, s->project, t, y, y, s->size, "project");
}

/* Raises what a callable raised, else the failure of the library; whether all is well. */
static bool judge(Integrator *s, zvStatus status, const zvError *error) {
    s->busy = false;
    if (s->type) {
        PyErr_Restore(s->type, s->value, s->traceback);
        s->type = s->value = s->traceback = NULL;
        return false;
    }
    if (status < 0) zp_fail(error);
    return status >= 0;
}

static bool enter(Integrator *s) {
    if (s->busy || !s->integrator) {
        PyErr_SetString(PyExc_RuntimeError, "this integrator is busy: its own functions cannot ask it to go on");
        return false;
    }
    return s->busy = true;
}

static PyObject *keep(PyObject *callable) {
    if (callable == Py_None) return NULL;
    Py_INCREF(callable);
    return callable;
}

/* Integrator(rate, events or None, event_count, project or None, t, y, method, order, rtol, atol, scale or None, step,
 * max_step, max_steps) */
static PyObject *integrator_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    PyObject *f, *g, *p, *given, *scale, *kept_y = NULL, *kept_scale = NULL;
    double t;
    int count;
    zvIntegrationOptions o = zv_integration_default();
    if ((names && PyDict_Size(names)) ||
        !PyArg_ParseTuple(args, "OOiOdOsiddOddl", &f, &g, &count, &p, &t, &given, &o.method, &o.order, &o.rtol, &o.atol,
                          &scale, &o.step, &o.max_step, &o.max_steps))
        return NULL;
    if (!(kept_y = PyArray_FROM_OTF(given, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO))) return NULL;
    Integrator *s = (Integrator *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    zvError error = {ZV_OK};
    if (s) {
        const npy_intp size = PyArray_SIZE((PyArrayObject *)kept_y);
        s->rate = keep(f), s->events = keep(g), s->project = keep(p);
        s->size = (int)size;
        s->event_count = s->events ? count : 0;
        if (size > 0 && size < 100000000 && count >= 0)
            o.scale = zp_numbers(scale, size, "scale", &kept_scale);
        else
            PyErr_SetString(PyExc_ValueError, "y: expected at least one number");
    }
    if (s && !PyErr_Occurred()) {
        const zvOde ode = {.size = s->size,
                           .context = s,
                           .rate = rate,
                           .project = s->project ? project : NULL,
                           .event_count = s->event_count,
                           .events = s->event_count ? events : NULL};
        s->integrator = zv_integrator_create(&ode, &o, &error);
        s->busy = true;
        zvStatus status = s->integrator ? ZV_OK : error.status;
        if (s->integrator)
            status = zv_integrator_start(s->integrator, t, PyArray_DATA((PyArrayObject *)kept_y), &error);
        judge(s, status, &error);
    }
    Py_XDECREF(kept_y), Py_XDECREF(kept_scale);
    if (PyErr_Occurred()) Py_CLEAR(s);
    return (PyObject *)s;
}

static int integrator_traverse(PyObject *self, visitproc visit, void *arg) {
    Integrator *s = (Integrator *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->rate);
    Py_VISIT(s->events);
    Py_VISIT(s->project);
    return 0;
}

static int integrator_clear(PyObject *self) {
    Integrator *s = (Integrator *)self;
    zv_integrator_destroy(s->integrator);
    s->integrator = NULL;
    Py_CLEAR(s->rate);
    Py_CLEAR(s->events);
    Py_CLEAR(s->project);
    Py_CLEAR(s->type);
    Py_CLEAR(s->value);
    Py_CLEAR(s->traceback);
    return 0;
}

static void integrator_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    integrator_clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* step(t_stop) -> "inside", "stop", "event" */
static PyObject *integrator_step(PyObject *self, PyObject *time) {
    static const char *const words[] = {"inside", "stop", "event"};
    Integrator *s = (Integrator *)self;
    const double stop = PyFloat_AsDouble(time);
    zvStepEnd end = ZV_STEP_INSIDE;
    zvError error = {ZV_OK};
    if (PyErr_Occurred() || !enter(s)) return NULL;
    const bool ahead = isfinite(stop) && stop > zv_integrator_time(s->integrator);
    const zvStatus status = ahead ? zv_integrator_step(s->integrator, stop, &end, &error) : ZV_OK;
    if (!judge(s, status, &error)) return NULL;
    if (ahead) return PyUnicode_FromString(words[end]);
    return PyErr_Format(PyExc_ValueError, "t_stop: expected a time after that of the integrator, found %R", time);
}

/* start(t, y): anew after a jump */
static PyObject *integrator_start(PyObject *self, PyObject *args) {
    Integrator *s = (Integrator *)self;
    PyObject *given, *kept = NULL;
    double t;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "dO", &t, &given)) return NULL;
    const double *y = zp_numbers(given, s->size, "y", &kept);
    const bool good = y && enter(s) && judge(s, zv_integrator_start(s->integrator, t, y, &error), &error);
    if (!y && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "y: expected numbers, found None");
    Py_XDECREF(kept);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* at(times (n)) -> y (n, size), inside the last step */
static PyObject *integrator_at(PyObject *self, PyObject *times) {
    Integrator *s = (Integrator *)self;
    PyObject *t = PyArray_FROM_OTF(times, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    const npy_intp count = t ? PyArray_SIZE((PyArrayObject *)t) : 0;
    if (!t || !enter(s)) return Py_XDECREF(t), NULL;
    PyObject *y = zp_array(count, s->size, NULL);
    for (npy_intp i = 0; y && i < count && !s->type; i++) {
        const double at = ((const double *)PyArray_DATA((PyArrayObject *)t))[i];
        if (at >= zv_integrator_time_before(s->integrator) && at <= zv_integrator_time(s->integrator)) {
            zv_integrator_at(s->integrator, at, (double *)PyArray_DATA((PyArrayObject *)y) + i * s->size);
        } else {
            PyErr_SetString(PyExc_ValueError, "times: expected some inside the last step, t_before to t");
            Py_CLEAR(y);
        }
    }
    Py_DECREF(t);
    if (judge(s, ZV_OK, NULL) && y) return y;
    Py_XDECREF(y);
    return NULL;
}

/* tell() -> t, t_before, y, fired, interpolates, advice, statistics, changes */
static PyObject *integrator_tell(PyObject *self, PyObject *nothing) {
    (void)nothing;
    const Integrator *s = (Integrator *)self;
    if (!s->integrator) return PyErr_Format(PyExc_RuntimeError, "this integrator is no more");
    const int *found = s->event_count ? zv_integrator_fired(s->integrator) : NULL;
    PyObject *fired = PyTuple_New(s->event_count);
    for (int i = 0; fired && i < s->event_count; i++) PyTuple_SetItem(fired, i, PyLong_FromLong(found ? found[i] : 0));
    zvMethodChange kept[ZV_CHANGES_KEPT];
    const int count = zv_integrator_changes(s->integrator, kept, NULL);
    PyObject *changes = PyTuple_New(count);
    for (int i = 0; changes && i < count; i++)
        PyTuple_SetItem(changes, i, Py_BuildValue("(ds)", kept[i].t, kept[i].method));
    const zvIntegrationStatistics x = zv_integrator_statistics(s->integrator);
    return Py_BuildValue("(ddNNNzNN)", zv_integrator_time(s->integrator), zv_integrator_time_before(s->integrator),
                         zp_array(s->size, -1, zv_integrator_state(s->integrator)), fired,
                         PyBool_FromLong(zv_integrator_interpolates(s->integrator)),
                         zv_integrator_advice(s->integrator), zp_statistics(x), changes);
}

static PyMethodDef methods[] = {{"step", integrator_step, METH_O, NULL},
                                {"start", integrator_start, METH_VARARGS, NULL},
                                {"at", integrator_at, METH_O, NULL},
                                {"tell", integrator_tell, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, integrator_new},
                              {Py_tp_dealloc, integrator_dealloc},
                              {Py_tp_traverse, integrator_traverse},
                              {Py_tp_clear, integrator_clear},
                              {Py_tp_methods, methods},
                              {0, NULL}};
PyType_Spec zp_integrator_spec = {"zveno._full.Integrator", sizeof(Integrator), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
