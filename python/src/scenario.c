/* Scenarios as Python objects. */
#include <stdlib.h>

#include "describe.h"
#include "full.h"

static PyObject *scenario_type;

void zp_set_scenario_type(PyObject *type) { scenario_type = type; }

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

/* mjcf_scenario(path, model, key or None) -> bytes in pieces, what has no counterpart */
static PyObject *mjcf_scenario(PyObject *self, PyObject *args) {
    (void)self;
    const char *path, *model, *key;
    if (!PyArg_ParseTuple(args, "ssz", &path, &model, &key)) return NULL;
    PyObject *pieces = PyList_New(0), *lost = PyList_New(0);
    zvError error = {ZV_OK};
    if (pieces && lost) {
        const zvStatus status =
            zv_scenario_of_mjcf(path, model, key, zp_append_text, pieces, zp_append_loss, lost, &error);
        if (status < 0 && !PyErr_Occurred()) zp_fail(&error);
        if (!PyErr_Occurred()) return Py_BuildValue("(NN)", pieces, lost);
    }
    Py_XDECREF(pieces);
    Py_XDECREF(lost);
    return NULL;
}

const PyMethodDef zp_scenario_methods[] = {{"mjcf_scenario", mjcf_scenario, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
