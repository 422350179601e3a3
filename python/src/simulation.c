/* Simulations that a program of Python advances, looks at and changes in between. */
#include "callbacks.h"

#include <string.h>

typedef struct Simulation {
    PyObject_HEAD zvSimulation *simulation;
    const zvScenario *of;
    Callbacks callbacks;
    PyObject *scenario, *drives, *progress; /* which have to live as long */
    bool busy;                              /* a call of it goes on, perhaps in another thread */
} Simulation;

/* Whether it can be called now; else an exception. */
static bool is_free(const Simulation *s) {
    if (s->simulation && !s->busy) return true;
    PyErr_SetString(PyExc_RuntimeError, s->busy
                                            ? "this simulation is busy: it serves one call at a time, and none of its "
                                              "own controllers"
                                            : "this simulation is no more");
    return false;
}

/* Leaves the interpreter to others for a call of the library; false, and an exception: it cannot be called now. */
static bool enter(Simulation *s) {
    if (!is_free(s)) return false;
    s->busy = true;
    s->callbacks.thread = PyEval_SaveThread();
    return true;
}

/* Takes the interpreter back; what the call failed by, as an object, or NULL. */
static PyObject *leave(Simulation *s, zvStatus status, const zvError *error) {
    PyEval_RestoreThread(s->callbacks.thread);
    s->busy = false;
    return zp_run_failure(&s->callbacks, status, error);
}

/* The same, raised; whether all is well. */
static bool leave_or_raise(Simulation *s, zvStatus status, const zvError *error) {
    PyObject *failure = leave(s, status, error);
    if (failure) PyErr_SetObject((PyObject *)Py_TYPE(failure), failure);
    Py_XDECREF(failure);
    return !failure;
}

/* Simulation(arguments of simulate) */
static PyObject *simulation_new(PyTypeObject *type, PyObject *args, PyObject *names) {
    RunCall call;
    if ((names && PyDict_Size(names)) || !zp_take_run(args, &call)) return NULL;
    Simulation *s = (Simulation *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!s) return NULL;
    s->of = call.of;
    s->scenario = call.scenario;
    s->drives = call.drives;
    s->progress = call.progress;
    Py_INCREF(s->scenario), Py_INCREF(s->drives), Py_INCREF(s->progress);
    zvError error = {ZV_OK};
    if (zp_take_callbacks(&s->callbacks, &call)) {
        s->callbacks.thread = PyEval_SaveThread();
        const zvStatus status = zv_simulation_create(s->of, &call.options, &s->simulation, &error);
        if (leave_or_raise(s, status, &error) && s->simulation) return (PyObject *)s;
    }
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the simulation was stopped before it began");
    Py_DECREF(s);
    return NULL;
}

static int simulation_traverse(PyObject *self, visitproc visit, void *arg) {
    Simulation *s = (Simulation *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(s->scenario);
    Py_VISIT(s->drives);
    Py_VISIT(s->progress);
    return 0;
}

static int simulation_clear(PyObject *self) {
    Simulation *s = (Simulation *)self;
    zv_simulation_destroy(s->simulation);
    s->simulation = NULL;
    Py_CLEAR(s->drives);
    Py_CLEAR(s->progress);
    Py_CLEAR(s->scenario);
    return 0;
}

static void simulation_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    simulation_clear(self);
    zp_callbacks_free(&((Simulation *)self)->callbacks);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* advance(t) -> exception or None */
static PyObject *simulation_advance(PyObject *self, PyObject *time) {
    Simulation *s = (Simulation *)self;
    const double t = PyFloat_AsDouble(time);
    zvError error = {ZV_OK};
    if (PyErr_Occurred() || !enter(s)) return NULL;
    const zvStatus status = zv_simulation_advance(s->simulation, t, &error);
    PyObject *failure = leave(s, status, &error);
    if (failure) return failure;
    Py_RETURN_NONE;
}

/* state() -> q, v, states of the drives */
static PyObject *simulation_state(PyObject *self, PyObject *nothing) {
    (void)nothing;
    Simulation *s = (Simulation *)self;
    const zvModel *model = zv_scenario_model(s->of);
    PyObject *x[3] = {zp_array(zv_model_nq(model), -1, NULL), zp_array(zv_model_nv(model), -1, NULL),
                      zp_array(zv_drives_nstate(zv_scenario_drives(s->of)), -1, NULL)};
    if (x[0] && x[1] && x[2] && enter(s)) {
        zv_simulation_state(s->simulation, PyArray_DATA((PyArrayObject *)x[0]), PyArray_DATA((PyArrayObject *)x[1]),
                            PyArray_DATA((PyArrayObject *)x[2]));
        if (leave_or_raise(s, ZV_OK, NULL)) return Py_BuildValue("(NNN)", x[0], x[1], x[2]);
    }
    for (int i = 0; i < 3; i++) Py_XDECREF(x[i]);
    return NULL;
}

/* set_state(q, v, states), each None: as it stands */
static PyObject *simulation_set_state(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    const zvModel *model = zv_scenario_model(s->of);
    PyObject *given[3], *keep[3] = {NULL};
    const double *x[3] = {NULL};
    const npy_intp count[] = {zv_model_nq(model), zv_model_nv(model), zv_drives_nstate(zv_scenario_drives(s->of))};
    static const char *const names[] = {"q", "v", "states"};
    if (!PyArg_ParseTuple(args, "OOO", &given[0], &given[1], &given[2])) return NULL;
    for (int i = 0; i < 3 && !PyErr_Occurred(); i++) x[i] = zp_numbers(given[i], count[i], names[i], &keep[i]);
    zvError error = {ZV_OK};
    bool good = !PyErr_Occurred() && enter(s);
    if (good) {
        const zvStatus status = zv_simulation_set_state(s->simulation, x[0], x[1], x[2], &error);
        good = leave_or_raise(s, status, &error);
    }
    for (int i = 0; i < 3; i++) Py_XDECREF(keep[i]);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* How many forces the drive of that name has, NULL: the first; 0: there is none, which the library tells. */
static int forces_of(const zvDrives *drives, const char *name) {
    for (int i = 0; i < zv_drives_nfunction(drives); i++) {
        const zvDriveOwn own = zv_drives_function(drives, i);
        if (!name || strcmp(own.name, name) == 0) return own.count;
    }
    return 0;
}

/* push(drive or None, forces) */
static PyObject *simulation_push(PyObject *self, PyObject *args) {
    Simulation *s = (Simulation *)self;
    PyObject *given, *keep = NULL;
    const char *drive;
    if (!PyArg_ParseTuple(args, "zO", &drive, &given)) return NULL;
    const int count = forces_of(zv_scenario_drives(s->of), drive);
    const double nothing = 0, *force = count ? zp_numbers(given, count, "forces", &keep) : &nothing;
    zvError error = {ZV_OK};
    bool good = force && enter(s);
    if (good) {
        const zvStatus status = zv_simulation_push(s->simulation, drive, force, &error);
        good = leave_or_raise(s, status, &error);
    } else if (!PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "forces: expected %d numbers, found None", count);
    }
    Py_XDECREF(keep);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

/* row() -> all channels side by side */
static PyObject *simulation_row(PyObject *self, PyObject *nothing) {
    (void)nothing;
    Simulation *s = (Simulation *)self;
    zvError error = {ZV_OK};
    npy_intp width = 0;
    if (!is_free(s)) return NULL;
    for (int i = 0; i < zv_simulation_channels(s->simulation); i++)
        width += zv_simulation_channel(s->simulation, i)->width;
    PyObject *x = zp_array(width, -1, NULL);
    if (!x || !enter(s)) return Py_XDECREF(x), NULL;
    const zvStatus status = zv_simulation_row(s->simulation, PyArray_DATA((PyArrayObject *)x), &error);
    if (leave_or_raise(s, status, &error)) return x;
    Py_DECREF(x);
    return NULL;
}

static PyObject *simulation_channels(PyObject *self, PyObject *nothing) {
    (void)nothing;
    Simulation *s = (Simulation *)self;
    PyObject *channels = s->callbacks.channels ? s->callbacks.channels : Py_None;
    Py_INCREF(channels);
    return channels;
}

/* summary() -> what it came to until now */
static PyObject *simulation_summary(PyObject *self, PyObject *nothing) {
    (void)nothing;
    Simulation *s = (Simulation *)self;
    zvRunSummary *summary = NULL;
    zvError error = {ZV_OK};
    if (!enter(s)) return NULL;
    const zvStatus status = zv_simulation_summary(s->simulation, &summary, &error);
    if (leave_or_raise(s, status, &error)) return zp_summary(summary, NULL);
    zv_run_summary_destroy(summary);
    return NULL;
}

/* finish() -> summary or None, exception or None */
static PyObject *simulation_finish(PyObject *self, PyObject *nothing) {
    (void)nothing;
    Simulation *s = (Simulation *)self;
    zvRunSummary *summary = NULL;
    zvError error = {ZV_OK};
    if (!enter(s)) return NULL;
    const zvStatus status = zv_simulation_finish(s->simulation, &summary, &error);
    PyObject *failure = leave(s, status, &error), *made = NULL;
    if (summary) {
        Py_XINCREF(s->callbacks.channels);
        made = zp_summary(summary, s->callbacks.channels);
        if (!made) return Py_XDECREF(failure), NULL;
    }
    if (!made) made = (Py_INCREF(Py_None), Py_None);
    if (!failure) failure = (Py_INCREF(Py_None), Py_None);
    return Py_BuildValue("(NN)", made, failure);
}

static PyObject *simulation_time(PyObject *self, void *nothing) {
    (void)nothing;
    const zvSimulation *s = ((Simulation *)self)->simulation;
    return PyFloat_FromDouble(s ? zv_simulation_time(s) : 0);
}

static PyObject *simulation_over(PyObject *self, void *nothing) {
    (void)nothing;
    const zvSimulation *s = ((Simulation *)self)->simulation;
    return PyBool_FromLong(!s || zv_simulation_is_over(s));
}

static PyMethodDef methods[] = {{"advance", simulation_advance, METH_O, NULL},
                                {"state", simulation_state, METH_NOARGS, NULL},
                                {"set_state", simulation_set_state, METH_VARARGS, NULL},
                                {"push", simulation_push, METH_VARARGS, NULL},
                                {"row", simulation_row, METH_NOARGS, NULL},
                                {"channels", simulation_channels, METH_NOARGS, NULL},
                                {"summary", simulation_summary, METH_NOARGS, NULL},
                                {"finish", simulation_finish, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyGetSetDef properties[] = {{"t", simulation_time, NULL, NULL, NULL},
                                   {"over", simulation_over, NULL, NULL, NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_new, simulation_new},
                              {Py_tp_dealloc, simulation_dealloc},
                              {Py_tp_traverse, simulation_traverse},
                              {Py_tp_clear, simulation_clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {0, NULL}};
PyType_Spec zp_simulation_spec = {"zveno._full.Simulation", sizeof(Simulation), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
