/* What linear systems do: poles, zeros, responses, margins, smaller systems. */
#include "full.h"

#include <string.h>

/* A, B, C, D of a call, and what keeps them alive. */
typedef struct System {
    zvStateSpace of;
    PyObject *keep[4];
} System;

static void let_go(System *s) {
    for (int i = 0; i < 4; i++) Py_CLEAR(s->keep[i]);
}

/* One of the matrices, (rows, columns); negative numbers are set to what it has. */
static const double *matrix(System *s, int i, PyObject *object, int *rows, int *columns) {
    PyObject *x = s->keep[i] = PyArray_FROM_OTF(object, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO);
    if (!x) return NULL;
    PyArrayObject *m = (PyArrayObject *)x;
    if (PyArray_NDIM(m) == 2 && PyArray_DIM(m, 0) < 100000 && PyArray_DIM(m, 1) < 100000) {
        if (*rows < 0) *rows = (int)PyArray_DIM(m, 0);
        if (*columns < 0) *columns = (int)PyArray_DIM(m, 1);
        if (PyArray_DIM(m, 0) == *rows && PyArray_DIM(m, 1) == *columns) return PyArray_DATA(m);
    }
    PyObject *shape = PyObject_GetAttrString(x, "shape");
    PyErr_Format(PyExc_ValueError, "%c: expected a matrix (%s, %s) of the system, found %S", "ABCD"[i],
                 i < 2 ? "nx" : "ny", i % 2 ? "nu" : "nx", shape);
    Py_XDECREF(shape);
    return NULL;
}

/* (A, B, C, D or None) */
static bool take_system(PyObject *object, System *s) {
    PyObject *given[4];
    memset(s, 0, sizeof *s);
    if (!PyArg_ParseTuple(object, "OOOO", &given[0], &given[1], &given[2], &given[3])) return false;
    zvStateSpace *of = &s->of;
    of->nx = of->nu = of->ny = -1;
    of->A = matrix(s, 0, given[0], &of->nx, &of->nx);
    of->B = of->A ? matrix(s, 1, given[1], &of->nx, &of->nu) : NULL;
    of->C = of->B ? matrix(s, 2, given[2], &of->ny, &of->nx) : NULL;
    if (of->C && given[3] != Py_None) of->D = matrix(s, 3, given[3], &of->ny, &of->nu);
    if (!PyErr_Occurred()) return true;
    let_go(s);
    return false;
}

static double *data(PyObject *array) { return PyArray_DATA((PyArrayObject *)array); }

/* Both references are taken over; NULL and the failure when the status is one. */
static PyObject *both(PyObject *x, PyObject *y, zvStatus status, const zvError *error) {
    if (x && y && status >= 0) return Py_BuildValue("(NN)", x, y);
    Py_XDECREF(x);
    Py_XDECREF(y);
    return PyErr_Occurred() ? NULL : zp_fail(error);
}

/* poles(system) -> real, imaginary parts */
static PyObject *poles(PyObject *self, PyObject *system) {
    (void)self;
    System s;
    zvError error = {ZV_OK};
    if (!take_system(system, &s)) return NULL;
    PyObject *real = zp_array(s.of.nx, -1, NULL), *imag = zp_array(s.of.nx, -1, NULL);
    zvStatus status = ZV_OK;
    if (real && imag) status = zv_poles(&s.of, data(real), data(imag), &error);
    let_go(&s);
    return both(real, imag, status, &error);
}

/* zeros(system) -> real, imaginary parts, as many as there are */
static PyObject *zeros(PyObject *self, PyObject *system) {
    (void)self;
    System s;
    zvError error = {ZV_OK};
    if (!take_system(system, &s)) return NULL;
    int count = 0;
    double *x = calloc(2 * (size_t)s.of.nx + 1, sizeof *x);
    if (!x) return let_go(&s), PyErr_NoMemory();
    const zvStatus status = zv_zeros(&s.of, &count, x, x + s.of.nx, &error);
    PyObject *real = status < 0 ? NULL : zp_array(count, -1, x),
             *imag = status < 0 ? NULL : zp_array(count, -1, x + s.of.nx);
    free(x);
    let_go(&s);
    return both(real, imag, status, &error);
}

/* frequency_response(system, omega) -> numbers (count ny nu, 2), singular values (count, min(ny, nu)) */
static PyObject *frequency_response(PyObject *self, PyObject *args) {
    (void)self;
    System s;
    PyObject *system, *given;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "OO", &system, &given) || !take_system(system, &s)) return NULL;
    PyObject *omega = PyArray_FROM_OTF(given, NPY_DOUBLE, NPY_ARRAY_CARRAY_RO), *answer = NULL;
    if (omega) {
        const npy_intp count = PyArray_SIZE((PyArrayObject *)omega);
        const int least = s.of.ny < s.of.nu ? s.of.ny : s.of.nu;
        PyObject *x = zp_array(count * s.of.ny * s.of.nu, 2, NULL), *sigma = zp_array(count, least, NULL);
        zvStatus status = ZV_OK;
        if (x && sigma) {
            Py_BEGIN_ALLOW_THREADS status =
                zv_frequency_response(&s.of, (int)count, data(omega), data(x), data(sigma), &error);
            Py_END_ALLOW_THREADS
        }
        answer = both(x, sigma, status, &error);
    }
    Py_XDECREF(omega);
    let_go(&s);
    return answer;
}

/* time_response(system, impulse, step, count) -> y (count, ny nu) */
static PyObject *time_response(PyObject *self, PyObject *args) {
    (void)self;
    System s;
    PyObject *system;
    int impulse, count;
    double step;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "Opdi", &system, &impulse, &step, &count) || !take_system(system, &s)) return NULL;
    PyObject *y = count < 0 ? PyErr_Format(PyExc_ValueError, "count: expected times, found %d", count)
                            : zp_array(count, s.of.ny * s.of.nu, NULL);
    if (y) {
        zvStatus status;
        Py_BEGIN_ALLOW_THREADS status =
            zv_time_response(&s.of, impulse ? ZV_STIMULUS_IMPULSE : ZV_STIMULUS_STEP, step, count, data(y), &error);
        Py_END_ALLOW_THREADS if (status < 0) {
            Py_CLEAR(y);
            zp_fail(&error);
        }
    }
    let_go(&s);
    return y;
}

/* margins(system) -> stable, gain_up, gain_up_at, gain_down, gain_down_at, phase, phase_at, delay, modulus, modulus_at
 */
static PyObject *margins(PyObject *self, PyObject *system) {
    (void)self;
    System s;
    zvMargins m;
    zvError error = {ZV_OK};
    if (!take_system(system, &s)) return NULL;
    zvStatus status = ZV_OK;
    const bool one = s.of.ny == 1 && s.of.nu == 1;
    if (one) status = zv_margins(&s.of, &m, &error);
    let_go(&s);
    if (!one) return PyErr_Format(PyExc_ValueError, "margins: expected a system of one input and one output");
    if (status < 0) return zp_fail(&error);
    return Py_BuildValue("(Nddddddddd)", PyBool_FromLong(m.stable), m.gain_up, m.gain_up_at, m.gain_down,
                         m.gain_down_at, m.phase, m.phase_at, m.delay, m.modulus, m.modulus_at);
}

/* smaller(system, order or -1, tolerance) -> A, B, C, Hankel singular values: minimal (-1), or balanced of an order */
static PyObject *smaller(PyObject *self, PyObject *args) {
    (void)self;
    System s;
    PyObject *system, *answer = NULL;
    int order;
    double tolerance;
    zvError error = {ZV_OK};
    if (!PyArg_ParseTuple(args, "Oid", &system, &order, &tolerance) || !take_system(system, &s)) return NULL;
    const int nx = s.of.nx, nu = s.of.nu, ny = s.of.ny;
    double *x = calloc((size_t)nx * (size_t)(nx + nu + ny + 1) + 1, sizeof *x);
    double *A = x, *B = A ? A + nx * nx : NULL, *C = A ? B + nx * nu : NULL, *hankel = A ? C + ny * nx : NULL;
    const bool minimal = order < 0;
    zvStatus status = ZV_OK;
    if (x) {
        Py_BEGIN_ALLOW_THREADS status = minimal ? zv_minimal(&s.of, tolerance, &order, A, B, C, &error)
                                                : zv_balanced(&s.of, &order, A, B, C, hankel, &error);
        Py_END_ALLOW_THREADS if (status >= 0) answer =
            Py_BuildValue("(NNNN)", zp_array(order, order, A), zp_array(order, nu, B), zp_array(ny, order, C),
                          zp_array(minimal ? 0 : nx, -1, hankel));
        else zp_fail(&error);
    } else {
        PyErr_NoMemory();
    }
    free(x);
    let_go(&s);
    return answer;
}

const PyMethodDef zp_response_methods[] = {{"poles", poles, METH_O, NULL},
                                           {"zeros", zeros, METH_O, NULL},
                                           {"frequency_response", frequency_response, METH_VARARGS, NULL},
                                           {"time_response", time_response, METH_VARARGS, NULL},
                                           {"margins", margins, METH_O, NULL},
                                           {"smaller", smaller, METH_VARARGS, NULL},
                                           {NULL, NULL, 0, NULL}};
