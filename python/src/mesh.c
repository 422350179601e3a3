/* Surfaces of triangles as arrays, and what they enclose. */
#include <string.h>

#include "full.h"

/* read_mesh(path, bytes or None) -> corners (count, 3, 3), single precision; path is the name of the bytes */
static PyObject *read_mesh(PyObject *self, PyObject *args) {
    (void)self;
    const char *path, *bytes = NULL;
    PyObject *given, *keep = NULL;
    Py_ssize_t size = 0;
    if (!PyArg_ParseTuple(args, "sO", &path, &given)) return NULL;
    if (given != Py_None && !(bytes = zp_bytes(given, "mesh", &size, &keep))) return NULL;
    zvMesh mesh = {0};
    zvError error = {ZV_OK};
    zvStatus status;
    Py_BEGIN_ALLOW_THREADS status =
        bytes ? zv_mesh_read_memory(path, bytes, (size_t)size, &mesh, &error) : zv_mesh_read_file(path, &mesh, &error);
    Py_END_ALLOW_THREADS Py_XDECREF(keep);
    if (status < 0) return zp_fail(&error);
    npy_intp shape[3] = {(npy_intp)mesh.count, 3, 3};
    PyObject *corners = PyArray_SimpleNew(3, shape, NPY_FLOAT);
    if (corners) memcpy(PyArray_DATA((PyArrayObject *)corners), mesh.corners, 9 * mesh.count * sizeof *mesh.corners);
    zv_mesh_free(&mesh);
    return corners;
}

/* mesh_volume(corners (count, 3, 3) in single precision, scale (3)) -> inside, hull */
static PyObject *mesh_volume(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *given;
    double scale[3], inside, hull;
    if (!PyArg_ParseTuple(args, "O(ddd)", &given, &scale[0], &scale[1], &scale[2])) return NULL;
    PyObject *x = PyArray_FROM_OTF(given, NPY_FLOAT, NPY_ARRAY_CARRAY_RO);
    if (!x) return NULL;
    const npy_intp size = PyArray_SIZE((PyArrayObject *)x);
    if (size == 0 || size % 9) {
        Py_DECREF(x);
        return PyErr_Format(PyExc_ValueError, "corners: expected shape (n, 3, 3) of at least one triangle");
    }
    const zvMesh mesh = {(size_t)size / 9, PyArray_DATA((PyArrayObject *)x)};
    zvError error = {ZV_OK};
    zvStatus status;
    Py_BEGIN_ALLOW_THREADS status = zv_mesh_volume(&mesh, scale, &inside, &hull, &error);
    Py_END_ALLOW_THREADS Py_DECREF(x);
    return status < 0 ? zp_fail(&error) : Py_BuildValue("(dd)", inside, hull);
}

const PyMethodDef zp_mesh_methods[] = {{"read_mesh", read_mesh, METH_VARARGS, NULL},
                                       {"mesh_volume", mesh_volume, METH_VARARGS, NULL},
                                       {NULL, NULL, 0, NULL}};
