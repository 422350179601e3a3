/* Maps over poses. */
#include "full.h"

#include <stdlib.h>

/* [(kind, index)] as zvMapValue. */
static bool take_values(PyObject *list, int *count, zvMapValue *values, int most) {
    *count = 0;
    for (Py_ssize_t i = 0; i < PySequence_Size(list) && *count < most; i++) {
        PyObject *pair = PySequence_GetItem(list, i);
        int kind, index;
        const bool good = pair && PyArg_ParseTuple(pair, "ii", &kind, &index);
        Py_XDECREF(pair);
        if (!good) return false;
        values[(*count)++] = (zvMapValue){(zvMapKind)kind, index};
    }
    return true;
}

/* map_poses(robot, rest: held, stiffness, relaxed, damping; q, v or None, values, frame, equilibrium, threads)
 * -> answers (count, values), statuses */
static PyObject *map_poses(PyObject *self, PyObject *args) {
    (void)self;
    enum { MOST = 256 };
    PyObject *object, *q_object, *v_object, *held, *springs[3], *list, *keep[4] = {NULL}, *answer = NULL, *told = NULL;
    zvMapValue values[MOST];
    zvMapOptions options = {0};
    zvRest rest = {.joint_matrices = true};
    int count, equilibrium;
    if (!PyArg_ParseTuple(args, "OOOOOOOOipi", &object, &q_object, &v_object, &held, &springs[0], &springs[1],
                          &springs[2], &list, &options.frame, &equilibrium, &options.threads))
        return NULL;
    Robot *robot = zp_robot(object);
    if (!robot || !take_values(list, &count, values, MOST)) return NULL;
    const npy_intp nv = zv_model_nv(robot->model);
    PyArrayObject *q = (PyArrayObject *)PyArray_FROM_OTF(q_object, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    PyArrayObject *v =
        v_object == Py_None ? NULL : (PyArrayObject *)PyArray_FROM_OTF(v_object, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    rest.held = zp_flags(held, nv, "held", &keep[0]);
    const double **to[3] = {&rest.stiffness, &rest.relaxed, &rest.damping};
    for (int k = 0; k < 3 && !PyErr_Occurred(); k++) *to[k] = zp_numbers(springs[k], nv, "springs", &keep[k + 1]);
    if (!PyErr_Occurred()) {
        const npy_intp poses = PyArray_DIM(q, 0);
        npy_intp shape = poses;
        answer = zp_array(poses, count, NULL);
        told = PyArray_SimpleNew(1, &shape, NPY_INT);
        zvError error = {ZV_OK};
        zvStatus status = ZV_MEMORY;
        options.rest = &rest;
        options.equilibrium = equilibrium;
        if (answer && told) {
            zvStatus *all = PyArray_DATA((PyArrayObject *)told);
            double *out = PyArray_DATA((PyArrayObject *)answer);
            Py_BEGIN_ALLOW_THREADS status = zv_map(robot->model, &options, (size_t)poses, PyArray_DATA(q),
                                                   v ? PyArray_DATA(v) : NULL, count, values, out, all, &error);
            Py_END_ALLOW_THREADS
        }
        if (answer && told && status < 0) zp_fail(&error);
    }
    for (int k = 0; k < 4; k++) Py_XDECREF(keep[k]);
    Py_XDECREF((PyObject *)q);
    Py_XDECREF((PyObject *)v);
    if (!PyErr_Occurred()) return Py_BuildValue("(NN)", answer, told);
    Py_XDECREF(answer);
    Py_XDECREF(told);
    return NULL;
}

const PyMethodDef zp_map_methods[] = {{"map_poses", map_poses, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
