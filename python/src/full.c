/* Module zveno._full: modes, counting, generated code, scenarios, recordings, reports. */
#include "full.h"

#include <string.h>

const double *zp_numbers(PyObject *object, npy_intp count, const char *what, PyObject **keep) {
    *keep = NULL;
    if (!object || object == Py_None) return NULL;
    PyObject *x = PyArray_FROM_OTF(object, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    if (!x) return NULL;
    if (PyArray_NDIM((PyArrayObject *)x) != 1 || PyArray_SIZE((PyArrayObject *)x) != count) {
        PyObject *shape = PyObject_GetAttrString(x, "shape");
        PyErr_Format(PyExc_ValueError, "%s: expected shape (%zd,), found %R", what, (Py_ssize_t)count, shape);
        Py_XDECREF(shape);
        Py_DECREF(x);
        return NULL;
    }
    *keep = x;
    return PyArray_DATA((PyArrayObject *)x);
}

const unsigned char *zp_flags(PyObject *object, npy_intp count, const char *what, PyObject **keep) {
    *keep = NULL;
    if (!object || object == Py_None) return NULL;
    PyObject *x = PyArray_FROM_OTF(object, NPY_BOOL, NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST);
    if (!x) return NULL;
    if (PyArray_NDIM((PyArrayObject *)x) != 1 || PyArray_SIZE((PyArrayObject *)x) != count) {
        PyErr_Format(PyExc_ValueError, "%s: expected %zd truths, found %zd", what, (Py_ssize_t)count,
                     (Py_ssize_t)PyArray_SIZE((PyArrayObject *)x));
        Py_DECREF(x);
        return NULL;
    }
    *keep = x;
    return PyArray_DATA((PyArrayObject *)x);
}

PyObject *zp_array(npy_intp first, npy_intp second, const double *x) {
    npy_intp shape[2] = {first, second};
    PyObject *array = PyArray_SimpleNew(second < 0 ? 1 : 2, shape, NPY_DOUBLE);
    const size_t bytes = (size_t)(first * (second < 0 ? 1 : second)) * sizeof *x;
    if (array && x && bytes) memcpy(PyArray_DATA((PyArrayObject *)array), x, bytes);
    return array;
}

static PyObject *texts(int count, const char *const *list) {
    if (!list) Py_RETURN_NONE;
    PyObject *all = PyTuple_New(count);
    for (int i = 0; all && i < count; i++) PyTuple_SetItem(all, i, zp_text(list[i]));
    return all;
}

PyObject *zp_channels(int count, const zvChannel *channels) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++) {
        const zvChannel *c = &channels[i];
        PyObject *d = PyDict_New();
        if (!d || zp_put(d, "name", zp_text(c->name)) || zp_put(d, "unit", zp_text(c->unit)) ||
            zp_put(d, "about", zp_text(c->about)) || zp_put(d, "width", PyLong_FromLong(c->width)) ||
            zp_put(d, "labels", texts(c->width, c->labels)) || zp_put(d, "units", texts(c->width, c->units)) ||
            PyList_Append(list, d))
            Py_CLEAR(list);
        Py_XDECREF(d);
    }
    return list;
}

PyObject *zp_event(zvEvent event) { return Py_BuildValue("(dNN)", event.t, zp_text(event.name), zp_text(event.text)); }

/* Adds a type under the last word of its name; a new reference, NULL with an exception. */
static PyObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    if (type && PyModule_AddObjectRef(module, strrchr(spec->name, '.') + 1, type)) Py_CLEAR(type);
    return type;
}

static PyMethodDef *all_methods(void) {
    static PyMethodDef methods[64];
    static const PyMethodDef *const tables[] = {zp_analysis_methods, zp_generated_methods, zp_run_methods,
                                                zp_report_methods,   zp_agree_methods,     zp_linear_methods,
                                                zp_mesh_methods,     zp_motion_methods,    zp_scenario_methods,
                                                zp_response_methods, zp_rest_methods,      zp_map_methods};
    int count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const PyMethodDef *m = tables[t]; m->ml_name; m++) methods[count++] = *m;
    return methods;
}

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "zveno._full", NULL, -1, NULL, NULL, NULL, NULL, NULL};

__attribute__((visibility("default"))) PyObject *PyInit__full(void);
PyObject *PyInit__full(void) {
    definition.m_methods = all_methods();
    if (zp_prepare() || zp_prepare_compiled()) return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    PyObject *scenario = add_type(module, &zp_scenario_spec), *summary = add_type(module, &zp_summary_spec);
    zp_set_scenario_type(scenario);
    zp_set_summary_type(summary);
    bool all = scenario && summary;
    PyType_Spec *const others[] = {&zp_recording_spec, &zp_compiled_spec, &zp_simulation_spec,
                                   &zp_law_spec,       &zp_route_spec,    &zp_integrator_spec};
    for (size_t i = 0; all && i < sizeof others / sizeof *others; i++) {
        PyObject *type = add_type(module, others[i]);
        all = type != NULL;
        Py_XDECREF(type);
    }
    if (!all) Py_CLEAR(module);
    return module;
}
